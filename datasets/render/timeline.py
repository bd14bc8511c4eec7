"""Where everything is at a time: fighters, hands, camera, lights, exposure and white balance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np

from calibration.camera import Camera
from datasets.render.colours import lamp
from datasets.render.figure import Figure, make_figure, middle, outline
from datasets.render.hand import make_hand
from datasets.render.meshes import Array, Mesh, turn
from datasets.render.scene_file import CameraSection, Carry, Change, FighterSection, Scene

# The hand rests on the figure before it lifts it and after it has set it down, s.
_DWELL_S = 0.1
_GRIP_SHARE = 0.78
_ARM_AWAY_CM = (78.0, 30.0)
_WRIST_SHARE = 0.3
_FALL_FROM = 0.45


@dataclass(frozen=True, eq=False)
class Stand:
    """How a fighter is at a time: rotation (3, 3) and offset (3,) from its own frame to the ring's."""

    rotation: Array
    offset: Array
    xy: Array
    facing_deg: float
    lift_cm: float
    lying: bool
    near_hand: bool
    held: bool


@dataclass(frozen=True, eq=False)
class HandPose:
    """A hand in the scene: which mesh, and where it is."""

    mesh: Mesh
    rotation: Array
    offset: Array


@dataclass(frozen=True, eq=False)
class State:
    """Everything at one time."""

    seconds: float
    stands: dict[str, Stand]
    hands: tuple[HandPose, ...]
    camera: Camera
    lights: tuple[float, ...]


class Timeline:
    """A scene over time."""

    def __init__(self, scene: Scene) -> None:
        """Make the figures of a scene. Raises FigureError."""
        self.scene = scene
        self.figures: dict[str, Figure] = {
            f.id: make_figure(f.kind, f.seed, f.height_cm, f.colour, f.second_colour) for f in scene.fighter
        }

    @cached_property
    def camera(self) -> Camera:
        """The camera before anybody bumps into it."""
        return camera_of(self.scene.camera)

    @property
    def frames(self) -> int:
        """How many pictures there are."""
        return 1 if self.scene.seconds is None else round(self.scene.seconds * self.scene.fps)

    def state(self, seconds: float) -> State:
        """Everything at a time."""
        stands = {f.id: self._stand(f, seconds) for f in self.scene.fighter}
        hands = [hand for carry in self.scene.carry if (hand := self._hand(carry, stands, seconds))]
        lights = tuple(_changed(light.strength, light.change, seconds) for light in self.scene.light)
        return State(seconds, stands, tuple(hands), self.camera_at(seconds), lights)

    def before_carry(self, fighter: str, seconds: float) -> Stand:
        """How a fighter who is held at a time stood when the hand took it."""
        begin = next(c.begin_s for c in self._carries(fighter) if c.begin_s <= seconds <= c.end_s)
        return replace(self._stand_of(fighter, begin), held=False)

    def camera_at(self, seconds: float) -> Camera:
        """The camera after the knocks so far."""
        camera = self.camera
        for knock in self.scene.camera.knock:
            if seconds >= knock.at_s:
                own = np.asarray(cv2.Rodrigues(np.radians(np.array(knock.turn_deg)))[0], float)
                rotation = own @ camera.rotation
                camera = _posed(camera, rotation, camera.centre + knock.move_cm)
        return camera

    def gains(self, seconds: float) -> Array:
        """What the camera multiplies linear red, green and blue by, (3,)."""
        picture = self.scene.picture
        white = lamp(_changed(picture.white_kelvin, picture.white_change, seconds))
        stops = _changed(picture.exposure_ev, picture.exposure_change, seconds)
        return np.asarray(2.0**stops / white)

    def _stand(self, fighter: FighterSection, seconds: float) -> Stand:
        figure, xy, facing, lying = (
            self.figures[fighter.id], np.array(fighter.at_cm), fighter.facing_deg, fighter.lying,
        )  # fmt: skip
        for carry in self._carries(fighter.id):
            if seconds < carry.begin_s - carry.reach_s:
                break
            near = seconds <= carry.end_s + carry.reach_s
            if seconds < carry.end_s:
                if seconds < carry.begin_s:
                    return _stood(figure, xy, facing, lying, near_hand=True)
                return _carried(figure, carry, xy, facing, lying, seconds)
            xy, facing, lying = np.array(carry.to_cm), carry.facing_deg, carry.falls
            if near:
                return _stood(figure, xy, facing, lying, near_hand=True)
        return _stood(figure, xy, facing, lying, near_hand=False)

    def _carries(self, fighter: str) -> list[Carry]:
        return sorted((c for c in self.scene.carry if c.fighter == fighter), key=lambda c: c.begin_s)

    def _hand(self, carry: Carry, stands: dict[str, Stand], seconds: float) -> HandPose | None:
        if not carry.begin_s - carry.reach_s <= seconds <= carry.end_s + carry.reach_s:
            return None
        stand, figure = stands[carry.fighter], self.figures[carry.fighter]
        before = self._stand_of(carry.fighter, carry.begin_s)
        turned = _wrapped(stand.facing_deg - before.facing_deg)
        rotation = turn(carry.arm_deg + _WRIST_SHARE * float(np.clip(turned, -90, 90)))
        grip = figure.mesh.centre_of_mass
        grip = grip + [0.0, 0.0, _GRIP_SHARE * figure.height - grip[2]]
        lowered = 1.0 - 0.5 * float(np.clip(1 - (stand.rotation @ grip)[2] / grip[2], 0, 1))
        held = stand.rotation @ (grip * lowered) + stand.offset
        held[2] = max(held[2], 2.2)
        outside = max(carry.begin_s - seconds, seconds - carry.end_s, 0.0) / carry.reach_s
        away = _smooth(outside) * (rotation @ [_ARM_AWAY_CM[0], 0.0, _ARM_AWAY_CM[1]])
        seed = self.scene.seed + self.scene.carry.index(carry)
        return HandPose(make_hand(carry.skin, carry.sleeve, seed), rotation, held + away)

    def _stand_of(self, fighter: str, seconds: float) -> Stand:
        return self._stand(next(f for f in self.scene.fighter if f.id == fighter), seconds)


def camera_of(section: CameraSection) -> Camera:
    """The camera a scene file describes."""
    at, look = np.array(section.at_cm), np.array(section.look_at_cm)
    forward = (look - at) / np.linalg.norm(look - at)
    # seen nearly from above, the far side of the ring is up in the picture
    right = np.cross(forward, [0.0, 0.0, 1.0] if abs(forward[2]) < 0.97 else [0.0, 1.0, 0.0])
    right /= np.linalg.norm(right)
    down = np.cross(forward, right)
    c, s = np.cos(np.radians(section.roll_deg)), np.sin(np.radians(section.roll_deg))
    rotation = np.array([c * right + s * down, -s * right + c * down, forward])
    width, height = section.size
    u, v = section.middle_px or ((width - 1) / 2, (height - 1) / 2)
    K = np.array([[section.focal_px, 0.0, u], [0.0, section.focal_px, v], [0.0, 0.0, 1.0]])
    blank = Camera(K, np.array(section.dist), np.zeros(3), np.zeros(3), section.size)
    return _posed(blank, rotation, at)


def lying_middle(figure: Figure) -> Array:
    """The middle (2,) of a fallen figure's plan: its ground point while it lies."""
    return middle(outline(figure.fallen[1].vertices))


def _posed(camera: Camera, rotation: Array, centre: Array) -> Camera:
    rvec = np.asarray(cv2.Rodrigues(rotation)[0], float).ravel()
    return Camera(camera.K, camera.dist, rvec, -rotation @ centre, camera.size)


def _stood(figure: Figure, xy: Array, facing: float, lying: bool, *, near_hand: bool) -> Stand:
    rotation, ground = _own(figure, lying)
    whole = turn(facing) @ rotation
    offset = np.array([*(xy - turn(facing)[:2, :2] @ ground), 0.0])
    offset[2] = -float((figure.mesh.vertices @ whole[2]).min())
    return Stand(whole, offset, xy, facing, 0.0, lying, near_hand, False)


def _own(figure: Figure, lying: bool) -> tuple[Array, Array]:
    """The rotation of a standing or a lying figure in its own frame, and its ground point."""
    return (figure.fallen[0], lying_middle(figure)) if lying else (np.eye(3), figure.sole_middle)


def _carried(figure: Figure, carry: Carry, start: Array, facing: float, lying: bool, seconds: float) -> Stand:
    span = carry.end_s - carry.begin_s - 2 * _DWELL_S
    share = float(np.clip((seconds - carry.begin_s - _DWELL_S) / span, 0, 1))
    way = _wrapped(carry.facing_deg - facing)
    if carry.long_way:
        way -= float(np.copysign(360.0, way))
    heading = facing + way * _smooth((share - 0.1) / 0.8)
    xy = start + (np.array(carry.to_cm) - start) * _smooth(share)
    lift = carry.lift_cm * float(np.sin(np.pi * share)) ** 0.7 if 0 < share < 1 else 0.0
    (first, here), (last, there) = _own(figure, lying), _own(figure, carry.falls)
    tipping = _smooth((share - _FALL_FROM) / (1 - _FALL_FROM)) if lying != carry.falls else 0.0
    ground = here + tipping * (there - here)
    tilt = np.radians(carry.tilt_deg) * float(np.sin(np.pi * share))
    axis = np.radians(carry.arm_deg + 70.0)
    lean = np.asarray(cv2.Rodrigues(tilt * np.array([np.cos(axis), np.sin(axis), 0.0]))[0], float)
    whole = lean @ turn(heading) @ _between(first, last, tipping)
    offset = np.array([*(xy - (turn(heading)[:2, :2] @ ground)), 0.0])
    offset[2] = lift - float((figure.mesh.vertices @ whole[2]).min())
    down = carry.falls if share >= 1 else lying
    return Stand(whole, offset, xy, heading, lift, down, True, True)


def _between(first: Array, last: Array, share: float) -> Array:
    """The rotation so far on the way from one to another."""
    way = np.asarray(cv2.Rodrigues(first.T @ last)[0], float).ravel()
    return np.asarray(first @ cv2.Rodrigues(share * way)[0], float)


def _changed(value: float, changes: Sequence[Change], seconds: float) -> float:
    for change in sorted(changes, key=lambda change: change.at_s):
        if seconds >= change.at_s:
            share = min(1.0, (seconds - change.at_s) / change.over_s) if change.over_s > 0 else 1.0
            value += share * (change.to - value)
    return value


def _smooth(share: float) -> float:
    share = float(np.clip(share, 0.0, 1.0))
    return share * share * (3 - 2 * share)


def _wrapped(degrees: float) -> float:
    return (degrees + 180.0) % 360.0 - 180.0
