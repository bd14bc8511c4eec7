"""Random plasticine figures of three classes and a small ray caster that shows them to a camera.

Figures are unions of ellipsoids in their own frame (front = +x, sole on z = 0, centimetres). They stand
in for modelled fighters where exact truth and many shapes are needed; the clips stand in for pictures.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera

Array = NDArray[np.float64]
SIZE = (1280, 720)
# What lies lower than this is what the table touches, as in the shared clips.
SOLE_CM = 0.6
# Whether a figure stands is looked at all around; its middle of mass is at least so far inside its sole.
_AROUND = np.column_stack([f(np.linspace(0, 2 * np.pi, 24, endpoint=False)) for f in (np.cos, np.sin)])
_FIRM_CM = 0.2


@dataclass(frozen=True)
class Figure:
    """Ellipsoids: centres (N, 3), and shapes (N, 3, 3) that map an offset in cm onto the unit sphere."""

    kind: str
    centres: Array
    shapes: Array

    @property
    def height(self) -> float:
        """How high the highest ellipsoid reaches, cm."""
        half = np.linalg.norm(np.linalg.inv(self.shapes)[:, 2, :], axis=1)
        return float((self.centres[:, 2] + half).max())

    @property
    def sole(self) -> Array:
        """The middle of the bounding box of what the table touches, (2,)."""
        low, high = self.between(0.0, SOLE_CM)
        return np.asarray((low + high) / 2)

    def between(self, low: float, high: float) -> tuple[Array, Array]:
        """The lower and upper corner (2,) of the bounding box of what lies between two heights (cm)."""
        ways = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]])
        reach = self.reaches(ways, low, high).max(axis=1)
        return -reach[2:], reach[:2]

    def reaches(self, ways: Array, low: float, high: float = np.inf) -> Array:
        """How far along horizontal unit ways (W, 2) every part reaches, of it what lies between two heights
        (cm): (W, N), minus infinity where nothing does."""
        inverse = np.linalg.inv(self.shapes)
        spread = inverse @ inverse.transpose(0, 2, 1)
        along = np.einsum("wi,nij,wj->wn", ways, spread[:, :2, :2], ways, optimize=True)
        with_height, tall = ways @ spread[:, 2, :2].T, spread[:, 2, 2]
        # where the farthest point is, or as near to it as the heights allow: a part bulges only once
        up = np.clip(self.centres[:, 2] + with_height / np.sqrt(along), low, high) - self.centres[:, 2]
        across = (along - with_height**2 / tall) * (1 - up**2 / tall)
        reach = ways @ self.centres[:, :2].T + with_height / tall * up + np.sqrt(np.maximum(across, 0.0))
        return np.asarray(np.where(up**2 <= tall, reach, -np.inf))

    @property
    def stands(self) -> bool:
        """Whether its middle of mass is above its sole (parts that overlap count twice)."""
        mass = 1 / np.linalg.det(self.shapes)
        middle = mass @ self.centres[:, :2] / mass.sum()
        return bool((self.reaches(_AROUND, 0.0, SOLE_CM).max(axis=1) > _AROUND @ middle + _FIRM_CM).all())

    def placed(self, xy: Array, facing_deg: float) -> Figure:
        """The figure with its sole's middle at xy, turned about the vertical."""
        rotation = turn(facing_deg)
        offset = np.array([*(xy - rotation[:2, :2] @ self.sole), 0.0])
        return Figure(self.kind, self.centres @ rotation.T + offset, self.shapes @ rotation.T)

    def fallen(self, xy: Array, head_deg: float) -> Figure:
        """The figure flat on its face, its head towards head_deg, its plan's middle near xy."""
        tipped = np.array([[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]])
        rotation = turn(head_deg) @ tipped
        flat = _grounded(self.kind, self.centres @ rotation.T, self.shapes @ rotation.T)
        middle = (flat.centres.min(axis=0) + flat.centres.max(axis=0)) / 2
        offset = np.array([*(xy - middle[:2]), 0.0])
        return Figure(self.kind, flat.centres + offset, flat.shapes)


def turn(degrees: float) -> Array:
    """The (3, 3) rotation about the vertical."""
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def _grounded(kind: str, centres: Array, shapes: Array) -> Figure:
    half = np.linalg.norm(np.linalg.inv(shapes)[:, 2, :], axis=1)
    lift = np.array([0.0, 0.0, (centres[:, 2] - half).min()])
    return Figure(kind, centres - lift, shapes)


class Clay:
    """Collects ellipsoids and tapered limbs (chains of balls)."""

    def __init__(self) -> None:
        self.centres: list[Array] = []
        self.shapes: list[Array] = []

    def ball(self, centre: object, radii: object) -> None:
        """Add an ellipsoid: its radii along the axes, or one for a ball."""
        self.centres.append(np.asarray(centre, dtype=float))
        self.shapes.append(np.diag(1 / np.broadcast_to(np.asarray(radii, dtype=float), (3,))))

    def limb(self, start: object, end: object, first: float, last: float) -> None:
        """Add a chain of balls, from the first radius to the last."""
        start, end = np.asarray(start, dtype=float), np.asarray(end, dtype=float)
        count = max(2, int(np.linalg.norm(end - start) / (0.5 * min(first, last))) + 1)
        for share in np.linspace(0, 1, count):
            self.ball(start + share * (end - start), first + share * (last - first))

    def figure(self, kind: str, height: float) -> Figure:
        """All of it, set on the table and brought to a height."""
        figure = _grounded(kind, np.array(self.centres), np.array(self.shapes))
        scale = height / figure.height
        return Figure(kind, figure.centres * scale, figure.shapes / scale)


def humanoid(rng: np.random.Generator, height: float) -> Figure:
    """Two legs, a torso wider than deep, a head, and each arm in a pose of its own."""
    clay, u = Clay(), rng.uniform
    hip, shoulder = u(0.28, 0.42), u(0.68, 0.76)
    wide, deep, stance = u(0.13, 0.2), u(0.09, 0.14), u(0.08, 0.15)
    lean = u(-0.03, 0.08)
    clay.limb((0, 0, hip), (lean, 0, shoulder - 0.06), deep, deep)
    for side in (-0.5, 0.5):
        clay.limb((0, side * wide, hip), (lean, 1.2 * side * wide, shoulder - 0.07), deep * 0.9, deep)
    clay.ball((lean + u(0.0, 0.05), 0, u(0.84, 0.9)), (u(0.09, 0.13), u(0.09, 0.12), u(0.1, 0.13)))
    if rng.random() < 0.5:
        clay.ball((lean + 0.12, 0, u(0.82, 0.88)), u(0.03, 0.05))
    for side in (-1, 1):
        step = u(-0.05, 0.08)
        clay.limb((0, side * stance * 0.8, hip), (step, side * stance, 0.06), u(0.07, 0.09), u(0.06, 0.08))
        clay.limb((step, side * stance, 0.05), (step + u(0.04, 0.12), side * stance, 0.045), 0.06, 0.05)
        start = np.array([lean, side * (wide * 0.6 + deep * 0.7), shoulder])
        swing, spread = np.radians(u(-20, 170)), np.radians(u(5, 60))
        way = np.array(
            [np.sin(swing) * np.cos(spread), side * np.sin(spread), -np.cos(swing) * np.cos(spread)]
        )
        elbow = start + u(0.12, 0.18) * way
        bend = way + np.array([u(0, 0.9), u(-0.5, 0.1) * side, u(-0.3, 0.8)])
        clay.limb(start, elbow, u(0.055, 0.075), 0.055)
        clay.limb(elbow, elbow + u(0.1, 0.17) * bend / np.linalg.norm(bend), 0.055, u(0.045, 0.065))
    return clay.figure("humanoid", height)


def beast(rng: np.random.Generator, height: float) -> Figure:
    """A long body on four legs, a head with a snout and perhaps ears, perhaps a tail."""
    clay, u = Clay(), rng.uniform
    long, thick, back = u(0.35, 0.55), u(0.13, 0.2), u(0.5, 0.65)
    clay.limb((-long, 0, back), (long, 0, back + u(-0.03, 0.08)), thick * u(0.85, 1.1), thick)
    head = np.array([long + u(0.1, 0.25), 0.0, back + u(0.0, 0.25)])
    clay.limb((long, 0, back), head, thick * 0.8, thick * 0.7)
    size = u(0.12, 0.17)
    clay.ball(head, size)
    clay.limb(head, head + np.array([u(0.12, 0.25), 0, u(-0.1, 0.02)]), size * 0.7, size * 0.5)
    if rng.random() < 0.75:
        for side in (-1, 1):
            clay.limb(
                head, head + np.array([u(-0.05, 0.03), side * u(0.08, 0.12), u(0.14, 0.25)]), 0.05, 0.03
            )
    if rng.random() < 0.75:
        root = np.array([-long - 0.5 * thick, 0, back + 0.05])
        clay.limb(root, root + np.array([-u(0.1, 0.4), u(-0.15, 0.15), u(-0.1, 0.4)]), 0.06, 0.04)
    spread = u(0.1, 0.2)
    for fore in (-1, 1):
        for side in (-1, 1):
            foot = (fore * long * u(0.75, 1.0), side * spread, 0.06)
            clay.limb((fore * long * 0.8, side * spread * 0.7, back), foot, u(0.07, 0.1), u(0.06, 0.08))
    return clay.figure("beast", height)


def absurd(rng: np.random.Generator, height: float) -> Figure:
    """A foot, then lumps and feelers stuck onto each other anywhere."""
    clay, u = Clay(), rng.uniform
    clay.ball((0, 0, 0.2), (u(0.18, 0.32), u(0.18, 0.32), 0.22))
    for _ in range(rng.integers(1, 4)):
        way = rng.normal(size=3)
        way[2] = abs(way[2]) + 0.3
        centre = clay.centres[rng.integers(len(clay.centres))] + u(0.15, 0.35) * way / np.linalg.norm(way)
        clay.ball(centre, rng.uniform(0.12, 0.26, 3))
    for _ in range(rng.integers(1, 4)):
        way = rng.normal(size=3)
        way[2] = abs(way[2]) * 0.8
        start = clay.centres[rng.integers(min(len(clay.centres), 4))]
        clay.limb(start, start + u(0.35, 0.6) * way / np.linalg.norm(way), u(0.07, 0.1), u(0.04, 0.08))
    return clay.figure("absurd", height)


def bollard(height: float) -> Figure:
    """A turned solid: no picture of it can tell how it is turned."""
    clay = Clay()
    clay.limb((0, 0, 0.25), (0, 0, 0.75), 0.25, 0.25)
    return clay.figure("bollard", height)


MAKERS = {"humanoid": humanoid, "beast": beast, "absurd": absurd}
HEIGHTS = {"humanoid": (10.0, 15.0), "beast": (8.0, 11.0), "absurd": (7.0, 11.0)}


def random_figure(rng: np.random.Generator, kind: str) -> Figure:
    """A figure of a class in a height usual for it."""
    return MAKERS[kind](rng, rng.uniform(*HEIGHTS[kind]))


def thickened(figure: Figure, factor: float) -> Figure:
    """The figure with all its parts thicker (factor > 1) or slimmer, in the same height."""
    thick = _grounded(figure.kind, figure.centres, figure.shapes / factor)
    scale = figure.height / thick.height
    return Figure(figure.kind, thick.centres * scale, thick.shapes / scale)


def pressed(figure: Figure, depth: float) -> Figure:
    """The figure with its soles pressed flat: it stands so much (cm) lower, in the same height. What is
    below the table is not there: whoever looks at it has to know that."""
    scale = figure.height / (figure.height - depth)
    lowered = figure.centres - np.array([0.0, 0.0, depth])
    return Figure(figure.kind, lowered * scale, figure.shapes / scale)


def random_camera(rng: np.random.Generator, *, oblique: bool) -> Camera:
    """A webcam over a table: 28-45 degrees from the vertical when oblique, else 3-13."""
    tilt = np.radians(rng.uniform(28, 45) if oblique else rng.uniform(3, 13))
    side, roll = np.radians(rng.uniform(-20, 20)), np.radians(rng.uniform(-4, 4))
    distance = rng.uniform(140, 165)
    away = np.array([np.sin(tilt) * np.sin(side), -np.sin(tilt) * np.cos(side), np.cos(tilt)])
    forward = -away
    right = np.cross(forward, [0.0, 0.0, 1.0] if oblique else [0.0, 1.0, 0.0])
    right /= np.linalg.norm(right)
    if right[0] < 0:
        right = -right
    down = np.cross(forward, right)
    c, s = np.cos(roll), np.sin(roll)
    rotation = np.array([c * right + s * down, -s * right + c * down, forward])
    focal = rng.uniform(1150, 1320)
    K = np.array([[focal, 0, 640.0], [0, focal, 360.0], [0, 0, 1]])
    dist = np.array([rng.uniform(-0.2, 0.0), 0.03, 0.0, 0.0, 0.0])
    return Camera(
        K,
        dist,
        np.asarray(cv2.Rodrigues(rotation)[0], np.float64).ravel(),
        -rotation @ (away * distance),
        SIZE,
    )


@dataclass(frozen=True)
class Look:
    """A picture of one figure: origin (u, v) of the crop, silhouette (H, W) 0-1, BGR (H, W, 3) 0-255."""

    origin: tuple[int, int]
    silhouette: NDArray[np.float32]
    picture: NDArray[np.float32]


def photograph(
    figure: Figure, camera: Camera, rng: np.random.Generator, *, colour: object = (40, 60, 190), pad: int = 6
) -> Look:
    """Ray-cast the figure: soft edges from 2 x 2 rays a pixel, a lamp, sky light and sensor noise."""
    low, size = _frame(figure, camera, pad)
    us, vs = np.meshgrid(np.arange(2 * size[0]) / 2 - 0.25, np.arange(2 * size[1]) / 2 - 0.25)
    rays = camera.rays(np.column_stack([us.ravel() + low[0], vs.ravel() + low[1]]))
    rays = rays.reshape(*us.shape, 3)
    hit, shade = _cast(figure, camera, rays, low)
    quarter = (size[1], 2, size[0], 2)
    silhouette = hit.reshape(quarter).mean(axis=(1, 3))
    shade = shade.reshape(quarter).mean(axis=(1, 3))
    picture = shade[..., None] * np.asarray(colour, dtype=float) + (1 - silhouette[..., None]) * 205.0
    picture += rng.normal(0, 1.5, picture.shape)
    origin = (int(low[0]), int(low[1]))
    return Look(origin, silhouette.astype(np.float32), np.clip(picture, 0, 255).astype(np.float32))


def _frame(figure: Figure, camera: Camera, pad: int) -> tuple[Array, Array]:
    """The upper left pixel and the size of the crop that holds the figure."""
    boxes = [_box(camera, centre, shape) for centre, shape in zip(figure.centres, figure.shapes, strict=True)]
    low = np.min([box[0] for box in boxes], axis=0) - pad
    high = np.max([box[1] for box in boxes], axis=0) + pad
    return low.astype(int), (high - low + 1).astype(int)


def _box(camera: Camera, centre: Array, shape: Array) -> tuple[Array, Array]:
    """A pixel box around one ellipsoid."""
    reach = np.linalg.norm(np.linalg.inv(shape), ord=2)
    cube = centre + reach * np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    pixels = camera.project(cube)
    return np.floor(pixels.min(axis=0)), np.ceil(pixels.max(axis=0))


def _cast(figure: Figure, camera: Camera, rays: Array, low: Array) -> tuple[Array, Array]:
    """Which rays (V, U, 3) hit the figure, and the light that comes back, both (V, U)."""
    lamp = np.array([0.3, 0.35, 0.9]) / np.linalg.norm([0.3, 0.35, 0.9])
    nearest, light = np.full(rays.shape[:2], np.inf), np.zeros(rays.shape[:2])
    for centre, shape in zip(figure.centres, figure.shapes, strict=True):
        first, last = (2 * (corner - low).astype(int) for corner in _box(camera, centre, shape))
        part = np.s_[first[1] : last[1] + 2, first[0] : last[0] + 2]
        way, start = rays[part] @ shape.T, shape @ (camera.centre - centre)
        a, b = (way * way).sum(axis=-1), way @ start
        root = b * b - a * (start @ start - 1)
        depth = np.where(root > 0, (-b - np.sqrt(np.maximum(root, 0))) / a, np.inf)
        closer = depth < nearest[part]
        normal = (start + depth[closer][:, None] * way[closer]) @ shape
        normal /= np.linalg.norm(normal, axis=1, keepdims=True)
        nearest[part][closer] = depth[closer]
        bright = 0.25 + 0.3 * (0.5 + 0.5 * normal[:, 2]) + 0.55 * np.clip(normal @ lamp, 0, None)
        light[part][closer] = bright
    return np.isfinite(nearest), light


def ridge(height: float) -> Figure:
    """A bar whose outline from above is the same after half a turn, with a low hump near one end only."""
    clay = Clay()
    clay.ball((0, 0, 0.35), (1.0, 0.35, 0.35))
    clay.ball((0.45, 0, 0.7), (0.22, 0.22, 0.3))
    return clay.figure("ridge", height)
