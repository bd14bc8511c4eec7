"""Clips for the benchmarks: a rendered clip at another size, with more fighters painted in.

The added fighters stand still: shaded bodies of plasticine colours, projected by the clip's own camera and
following its changes of light. They are there for the cost of many colours, not for accuracy.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from calibration.camera import Camera
from calibration.result import RingCalibration
from calibration.ring import RingSpec
from calibration.solve import calibrate
from vision.arrays import Floats, Image
from vision.fighters import FighterSpec
from vision.sources.frames import Frame

# Colours of plasticine bars that the rendered clips do not use, BGR.
EXTRA_COLOURS = (
    (40, 210, 225), (60, 190, 120), (45, 90, 20), (220, 180, 110), (130, 50, 30), (150, 60, 220),
    (60, 120, 120), (160, 110, 40), (215, 165, 200), (40, 30, 110), (90, 200, 175), (200, 90, 90),
    (110, 160, 235), (60, 60, 60), (180, 220, 140), (30, 140, 200),
)  # fmt: skip
_HEIGHT_CM, _RADIUS_CM = 9.0, 2.6
# Free room around an added fighter, cm.
_ROOM_CM = 7.5


@dataclass(frozen=True, eq=False)
class Clip:
    """Frames of one size in memory, with the set-up that goes with them."""

    name: str
    frames: list[Frame]
    spec: RingSpec
    fighters: list[FighterSpec]
    calibration: RingCalibration


def scaled(frames: Sequence[Frame], spec: RingSpec, fighters: Sequence[FighterSpec], height: int) -> Clip:
    """The clip at another picture height, with clicks and boxes scaled along."""
    factor = height / frames[0].image.shape[0]
    if factor == 1.0:
        images = list(frames)
    else:
        size = (round(frames[0].image.shape[1] * factor), height)
        images = [
            replace(
                one, image=np.asarray(cv2.resize(one.image, size, interpolation=cv2.INTER_CUBIC), np.uint8)
            )
            for one in frames
        ]
    moved = RingSpec(
        spec.width_cm,
        spec.depth_cm,
        spec.post_height_cm,
        _moved(spec.corners_px, factor),
        None if spec.post_tops_px is None else _moved(spec.post_tops_px, factor),
    )
    first = images[0].image
    calibration = calibrate(moved, (first.shape[1], first.shape[0]), image=first)
    return Clip(f"{height}p", images, moved, [_scaled_fighter(one, factor) for one in fighters], calibration)


def crowded(clip: Clip, count: int, occupied: Floats) -> Clip:
    """The clip with fighters painted in until there are `count`.

    occupied (N, 2) are the places in ring cm where its own fighters ever stand.
    """
    more = count - len(clip.fighters)
    if more < 0:
        raise ValueError(f"the clip has {len(clip.fighters)} fighters already, more than {count}")
    places = _free_places(clip.spec, occupied, more)
    camera = clip.calibration.camera
    images = [one.image.copy() for one in clip.frames]
    gains = _light(clip)
    fighters = list(clip.fighters)
    for number, (place, colour) in enumerate(zip(places, EXTRA_COLOURS, strict=False), start=1):
        body = _Body.standing(camera, place, colour, number)
        for image, gain in zip(images, gains, strict=True):
            body.paint(image, gain)
        fighters.append(body.spec(f"X{number}"))
    frames = [replace(one, image=image) for one, image in zip(clip.frames, images, strict=True)]
    return replace(clip, name=f"{clip.name}, {count} fighters", frames=frames, fighters=fighters)


@dataclass(frozen=True, eq=False)
class _Body:
    """A painted fighter: its patch of the picture, how opaque it is, and where."""

    camera: Camera
    place: Floats
    origin: tuple[int, int]
    colour: Floats
    opacity: Floats

    @classmethod
    def standing(cls, camera: Camera, place: Floats, colour: tuple[int, int, int], seed: int) -> _Body:
        """A stack of discs, narrower at the top and lit from above, with the grain of a camera."""
        height, width = camera.size[1], camera.size[0]
        shade = np.zeros((height, width), np.float32)
        solid = np.zeros((height, width), np.uint8)
        turns = np.linspace(0, 2 * np.pi, 40, endpoint=False)
        for level in np.linspace(0.0, 1.0, 60):
            radius = _RADIUS_CM * np.sqrt(max(1.0 - 0.75 * level**2, 0.05))
            ring = np.column_stack(
                [
                    place[0] + radius * np.cos(turns),
                    place[1] + radius * np.sin(turns),
                    np.full(40, _HEIGHT_CM * level),
                ]
            )
            outline = [np.round(camera.project(ring) * 16).astype(np.int32)]
            cv2.fillPoly(solid, outline, (255,), cv2.LINE_AA, 4)
            cv2.fillPoly(shade, outline, (float(0.62 + 0.38 * level),), cv2.LINE_8, 4)
        u, v, w, h = cv2.boundingRect(solid)
        part = np.s_[v : v + h, u : u + w]
        grain = np.random.default_rng(seed).normal(0.0, 3.0, (h, w, 3))
        painted = np.asarray(colour, float) * shade[part][..., None] + grain
        return cls(camera, place, (u, v), painted, solid[part][..., None] / 255.0)

    def paint(self, image: Image, gain: Floats) -> None:
        """Paint it into a picture under a light that is `gain` (3,) times the first one."""
        u, v = self.origin
        h, w = self.opacity.shape[:2]
        view = image[v : v + h, u : u + w]
        mixed = self.opacity * self.colour * gain + (1.0 - self.opacity) * view
        view[:] = np.clip(np.round(mixed), 0, 255).astype(np.uint8)

    def spec(self, name: str) -> FighterSpec:
        """What one would enter for it."""
        middle = self.camera.project(np.array([[*self.place, 0.55 * _HEIGHT_CM]]))[0]
        foot = self.camera.project(np.array([[*self.place, 0.0]]))[0]
        box = (float(middle[0] - 3), float(middle[1] - 3), 6.0, 6.0)
        return FighterSpec(name, _HEIGHT_CM, 0.0, colour_box_px=box, foot_px=(float(foot[0]), float(foot[1])))


def _free_places(spec: RingSpec, occupied: Floats, count: int) -> list[Floats]:
    taken = list(np.asarray(occupied, float).reshape(-1, 2))
    x, y = np.meshgrid(np.arange(-28, 29, 2.0), np.arange(-28, 29, 2.0))
    found: list[Floats] = []
    if count == 0:
        return found
    for place in np.column_stack([x.ravel(), y.ravel()]):
        if np.any(np.abs(place) > spec.half - 4):
            continue
        if all(np.hypot(*(place - other)) > _ROOM_CM for other in taken):
            found.append(place)
            taken.append(place)
        if len(found) == count:
            return found
    raise ValueError(f"there is room for {len(found)} more fighters, not for {count}")


def _light(clip: Clip) -> list[Floats]:
    """The colour of the light on the mat in every frame, relative to the first (3,)."""
    mat = np.zeros(clip.frames[0].image.shape[:2], np.uint8)
    cv2.fillPoly(mat, [np.round(clip.spec.corners_px).astype(np.int32)], (1,))
    step = np.s_[::8, ::8]
    where = mat[step] > 0
    medians = [np.median(one.image[step][where], axis=0) for one in clip.frames]
    return [np.asarray(median / medians[0], float) for median in medians]


def _moved(points: Floats, factor: float) -> Floats:
    """Pixel centres are at integers: they move by half a pixel when a picture is scaled."""
    return np.asarray((np.asarray(points, float) + 0.5) * factor - 0.5)


def _scaled_fighter(fighter: FighterSpec, factor: float) -> FighterSpec:
    box, foot = fighter.colour_box_px, fighter.foot_px
    if box is not None:
        u, v = _moved(np.array(box[:2]), factor)
        box = (float(u), float(v), box[2] * factor, box[3] * factor)
    if foot is not None:
        u, v = _moved(np.array(foot), factor)
        foot = (float(u), float(v))
    return replace(fighter, colour_box_px=box, foot_px=foot)
