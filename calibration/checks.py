"""Whether four clicks can be a ring seen from above: order, crossing, place in the picture."""

from __future__ import annotations

from itertools import permutations

import numpy as np

from calibration.camera import Array
from calibration.errors import CalibrationError
from calibration.ring import ORDER, RingSpec, corner_called
from calibration.sentences import Said

# The ring's x axis may lean this far from the picture's before "left" and "far" stop meaning anything.
_LARGEST_LEAN_DEG = 60.0
# A triangle of three corners below this share of the ring's bounding box is a line to a 1 px click.
_FLATTEST = 0.02
_SMALLEST_RING_PX = 40.0


def check_clicks(spec: RingSpec, size: tuple[int, int]) -> None:
    """Raise CalibrationError when the clicks cannot be a ring in a picture of size (width, height)."""
    _check_inside("corners_px", spec.corners_px, size)
    _check_flat(spec.corners_px)
    _check_order("corners_px", spec.corners_px)
    if spec.post_tops_px is not None:
        _check_inside("post_tops_px", spec.post_tops_px, size)
        _check_tops(spec.corners_px, spec.post_tops_px)


def _check_inside(name: str, points: Array, size: tuple[int, int]) -> None:
    outside = ((points < -0.5) | (points > np.array(size) - 0.5)).any(axis=1)
    if outside.any():
        index = int(np.argmax(outside))
        u, v = points[index]
        raise CalibrationError(
            Said(
                "error.ring.outside",
                "the {corner} point of {name} ({u}, {v}) is outside the picture of "
                "{width}x{height}: move the camera until all four are seen, or click it again",
                corner=corner_called(index),
                name=name,
                u=u,
                v=v,
                width=size[0],
                height=size[1],
            )
        )


def _check_flat(points: Array) -> None:
    box = np.ptp(points, axis=0)
    areas = [abs(_cross(*points[[i, (i + 1) % 4, (i + 2) % 4]])) for i in range(4)]
    if max(box) < _SMALLEST_RING_PX or min(areas) < _FLATTEST * max(box) ** 2:
        raise CalibrationError(
            Said(
                "error.ring.one_line",
                "three of the corners_px lie on one line (or all in one place): click the four "
                "corners of the mat, {order}",
                order=ORDER,
            )
        )


def _check_order(name: str, points: Array) -> None:
    """Clockwise in the picture, convex, beginning at the far left."""
    if _in_order(points):
        return
    for order in permutations(range(4)):
        if _in_order(points[list(order)]):
            reorder = ", ".join(str(i + 1) for i in order)
            raise CalibrationError(
                Said(
                    "error.ring.order",
                    "{name} are {fault}: the order is {order} as seen in the picture; put them in "
                    "the order {reorder}",
                    name=name,
                    fault=_fault(points),
                    order=ORDER,
                    reorder=reorder,
                )
            )
    raise CalibrationError(
        Said(
            "error.ring.not_around",
            "{name} do not go around a ring (one lies inside the others): click the four "
            "corners again, {order}",
            name=name,
            order=ORDER,
        )
    )


def _fault(points: Array) -> Said:
    turns = np.array([_cross(*points[[i, (i + 1) % 4, (i + 2) % 4]]) for i in range(4)])
    if (turns > 0).all():
        return Said("error.fault.begin", "in the wrong order (they do not begin at the far left)")
    if (turns < 0).all():
        return Said("error.fault.mirrored", "in the wrong order (mirrored)")
    return Said("error.fault.crossed", "crossed")


def _in_order(points: Array) -> bool:
    turns = [_cross(*points[[i, (i + 1) % 4, (i + 2) % 4]]) for i in range(4)]
    if min(turns) <= 0:
        return False
    across = points[[1, 2]].mean(axis=0) - points[[0, 3]].mean(axis=0)
    away = points[[0, 1]].mean(axis=0) - points[[2, 3]].mean(axis=0)
    lean = np.tan(np.radians(_LARGEST_LEAN_DEG))
    return bool(
        across[0] > 0 and away[1] < 0 and abs(across[1]) < lean * across[0] and abs(away[0]) < -lean * away[1]
    )


def _check_tops(corners: Array, tops: Array) -> None:
    """A top belongs to the corner below it: another pairing must not fit clearly better."""

    def spread(order: tuple[int, ...]) -> float:
        offsets = tops[list(order)] - corners
        return float(np.square(offsets - offsets.mean(axis=0)).sum())

    best = min(permutations(range(4)), key=spread)
    if spread(best) < 0.5 * spread((0, 1, 2, 3)):
        reorder = ", ".join(str(i + 1) for i in best)
        raise CalibrationError(
            Said(
                "error.ring.tops_order",
                "post_tops_px are not in the order of corners_px ({order}): put them in the order {reorder}",
                order=ORDER,
                reorder=reorder,
            )
        )


def _cross(a: Array, b: Array, c: Array) -> float:
    """Twice the signed area of a, b, c; positive when clockwise on the screen (v down)."""
    return float((b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0]))
