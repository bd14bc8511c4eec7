"""A small drawn table for tests: a mat, upright solids of one colour as fighters, an arm from the border.

Everything is exact: where a figure stands, whether the hand has it, what the light does.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera
from vision.fighters import FighterSpec
from vision.sources.frames import Frame

Image = NDArray[np.uint8]

SIZE = (640, 480)
RING_CM = 60.0
FPS = 10.0
MAT, WOOD, SKIN = (205, 215, 210), (95, 125, 155), (140, 165, 205)
RED, BLUE, GREEN, ORANGE = (45, 45, 185), (150, 75, 40), (60, 150, 70), (50, 120, 225)


def camera() -> Camera:
    """A camera about 35 degrees from the vertical, 110 cm from the middle of the ring."""
    tilt = np.radians(35.0)
    centre = 110.0 * np.array([0.0, -np.sin(tilt), np.cos(tilt)])
    forward = -centre / np.linalg.norm(centre)
    right = np.array([1.0, 0.0, 0.0])
    rotation = np.stack([right, np.cross(forward, right), forward])
    rvec = cv2.Rodrigues(rotation)[0].ravel()
    matrix = np.array([[640.0, 0.0, 319.5], [0.0, 640.0, 239.5], [0.0, 0.0, 1.0]])
    return Camera(matrix, np.zeros(5), rvec, -rotation @ centre, SIZE)


def calibration() -> Any:
    """What the tracker needs of a ring calibration."""
    return SimpleNamespace(camera=camera(), spec=SimpleNamespace(width_cm=RING_CM, depth_cm=RING_CM))


@dataclass
class Figure:
    """An upright tapering solid on the table: place and lift in cm, colour BGR."""

    x: float
    y: float
    colour: tuple[int, int, int]
    height: float = 12.0
    radius: float = 2.6
    lift: float = 0.0


@dataclass
class Table:
    """A table whose pictures can be taken. The arm reaches from the border to `hand` (x, y, z) in cm."""

    figures: dict[str, Figure]
    hand: tuple[float, float, float] | None = None
    things: list[Figure] = field(default_factory=list)
    gain: tuple[float, float, float] = (1.0, 1.0, 1.0)
    noise: float = 2.0
    _taken: int = 0

    def picture(self) -> Image:
        """The table now, (480, 640, 3) BGR."""
        view = camera()
        image = np.empty((SIZE[1], SIZE[0], 3), np.float64)
        image[:] = WOOD
        _fill(image, view, _square(RING_CM / 2), MAT)
        for figure in sorted([*self.figures.values(), *self.things], key=lambda f: -f.y):
            _draw_shadow(image, view, figure)
            _draw_figure(image, view, figure)
        if self.hand is not None:
            _draw_arm(image, view, np.array(self.hand))
        rng = np.random.default_rng(self._taken)
        image = 255.0 * ((image / 255.0) ** 2.2 * np.array(self.gain)).clip(0, 1) ** (1 / 2.2)
        image += rng.normal(0.0, self.noise, image.shape)
        return np.asarray(np.clip(np.round(image), 0, 255), dtype=np.uint8)

    def frame(self, *, gap: bool = False) -> Frame:
        """The next frame."""
        taken = Frame(self._taken, self._taken / FPS, self.picture(), gap)
        self._taken += 1
        return taken

    def specs(self) -> list[FighterSpec]:
        """The fighters as an event file would teach them: a box in the middle of each."""
        return [
            FighterSpec(name, f.height, 0.0, colour_box_px=self.box(name)) for name, f in self.figures.items()
        ]

    def box(self, name: str) -> tuple[float, float, float, float]:
        """A box of 5 px in the middle of a figure."""
        figure = self.figures[name]
        ((u, v),) = camera().project(np.array([[figure.x, figure.y, figure.height / 2]]))
        return float(u - 2), float(v - 2), 5.0, 5.0


def _square(half: float) -> NDArray[np.float64]:
    return np.array(
        [[-half, half, 0], [half, half, 0], [half, -half, 0], [-half, -half, 0]], dtype=np.float64
    )


def _fill(image: NDArray[np.float64], view: Camera, points: NDArray[np.float64], colour: Any) -> None:
    hull = cv2.convexHull(view.project(points).astype(np.float32))
    cv2.fillConvexPoly(image, np.round(hull).astype(np.int32), tuple(float(c) for c in colour))


def _disc(x: float, y: float, z: float, radius: float) -> NDArray[np.float64]:
    turn = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    return np.column_stack([x + radius * np.cos(turn), y + radius * np.sin(turn), np.full(24, z)])


def _draw_shadow(image: NDArray[np.float64], view: Camera, figure: Figure) -> None:
    dark = np.zeros(image.shape[:2], np.uint8)
    hull = cv2.convexHull(
        view.project(_disc(figure.x - 1.5, figure.y, 0.0, figure.radius)).astype(np.float32)
    )
    cv2.fillConvexPoly(dark, np.round(hull).astype(np.int32), 1)
    image[dark > 0] *= 0.85


def _draw_figure(image: NDArray[np.float64], view: Camera, figure: Figure) -> None:
    for share in np.linspace(0.0, 1.0, 12):
        radius = figure.radius * (1.0 - 0.5 * share)
        shade = 0.75 + 0.35 * share
        z = figure.lift + share * figure.height
        _fill(image, view, _disc(figure.x, figure.y, z, radius), np.array(figure.colour) * shade)


def _draw_arm(image: NDArray[np.float64], view: Camera, hand: NDArray[np.float64]) -> None:
    sleeve = np.array([-90.0, hand[1] + 20.0, 15.0])
    for share in np.linspace(0.0, 1.0, 60):
        middle = sleeve + share * (hand - sleeve)
        radius = 3.0 if share < 0.9 else 3.6
        _fill(
            image, view, _disc(middle[0], middle[1], middle[2], radius), np.array(SKIN) * (0.9 + 0.1 * share)
        )
