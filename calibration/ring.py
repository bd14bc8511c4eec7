"""The ring as it was measured and clicked: sizes in cm, corners and post tops in pixels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from calibration.camera import Array
from calibration.errors import CalibrationError
from calibration.sentences import Said

CORNER_NAMES = ("far-left", "far-right", "near-right", "near-left")
ORDER = Said("error.corner.order", "far-left, far-right, near-right, near-left")
"""The order of corners as a sentence has it."""
# Ring x and y of the corners in units of half the width and half the depth, in that order.
CORNER_SIGNS = np.array([[-1.0, 1.0], [1.0, 1.0], [1.0, -1.0], [-1.0, -1.0]])
_SMALLEST_CM, _LARGEST_CM = 10.0, 500.0
_TALLEST_POST_CM = 200.0


@dataclass(frozen=True, eq=False)
class RingSpec:
    """A ring: width (x), depth (y) and post height in cm; clicks in pixels (4, 2).

    corners_px are the mat's corners on the table, in the order far-left, far-right, near-right,
    near-left as seen in the picture. post_tops_px are the middles of the tops of the posts that stand
    on those corners, in the same order, or None. Where the posts stand beside the corners,
    post_offset_cm says how far out (in x and in y) their middles are. Raises CalibrationError when
    a number cannot be a ring's.
    """

    width_cm: float
    depth_cm: float
    post_height_cm: float
    corners_px: Array
    post_tops_px: Array | None = None
    post_offset_cm: float = 0.0

    def __post_init__(self) -> None:
        """Check the sizes and shapes; what the clicks mean together is checked by `checks`."""
        for name, value in (("width_cm", self.width_cm), ("depth_cm", self.depth_cm)):
            if not _SMALLEST_CM <= value <= _LARGEST_CM:
                raise CalibrationError(
                    Said(
                        "error.ring.size",
                        "{name} is {value}: a ring measures {least} to {most} cm; measure the mat again",
                        name=name,
                        value=value,
                        least=_SMALLEST_CM,
                        most=_LARGEST_CM,
                    )
                )
        if not 0.0 <= self.post_height_cm <= _TALLEST_POST_CM:
            raise CalibrationError(
                Said(
                    "error.post.height",
                    "post_height_cm is {value}: a post is 0 to {most} cm high; measure from the "
                    "table to the top of the post",
                    value=self.post_height_cm,
                    most=_TALLEST_POST_CM,
                )
            )
        object.__setattr__(self, "corners_px", _four_points("corners_px", self.corners_px))
        if self.post_tops_px is not None:
            object.__setattr__(self, "post_tops_px", _four_points("post_tops_px", self.post_tops_px))
            if self.post_height_cm == 0:
                raise CalibrationError(
                    Said(
                        "error.post.height_zero",
                        "post_height_cm is 0 but post_tops_px are given: enter the height of the posts, "
                        "or leave the tops out",
                    )
                )

    @property
    def half(self) -> Array:
        """Half the width and half the depth, (2,) in cm."""
        return np.array([self.width_cm / 2, self.depth_cm / 2])

    def corners(self) -> Array:
        """The mat's corners in the ring frame, (4, 3) in cm."""
        return np.column_stack([CORNER_SIGNS * self.half, np.zeros(4)])

    def post_feet(self) -> Array:
        """Where the middles of the posts meet the table, (4, 3) in cm."""
        return np.column_stack([CORNER_SIGNS * (self.half + self.post_offset_cm), np.zeros(4)])

    def post_tops(self) -> Array:
        """The middles of the tops of the posts in the ring frame, (4, 3) in cm."""
        tops = self.post_feet()
        tops[:, 2] = self.post_height_cm
        return tops


def corner_called(index: int) -> Said:
    """What a sentence calls a corner."""
    name = CORNER_NAMES[index]
    return Said(f"error.corner.{name}", name)


def _four_points(name: str, points: object) -> Array:
    """The clicks as a (4, 2) array, or the sentence that says what is wrong with them."""
    array = np.asarray(points, dtype=np.float64)
    if array.shape != (4, 2):
        raise CalibrationError(
            Said(
                "error.ring.four",
                "{name} must be four points [u, v] in the order {order}",
                name=name,
                order=ORDER,
            )
        )
    bad = ~np.isfinite(array).all(axis=1)
    if bad.any():
        raise CalibrationError(
            Said(
                "error.ring.not_finite",
                "the {corner} point of {name} is not a number: click it again",
                corner=corner_called(int(np.argmax(bad))),
                name=name,
            )
        )
    return array
