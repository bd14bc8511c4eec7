"""Can it be true what was told of a fighter, its height and the tap on its feet? Asked of the first picture.

Only what cannot be is refused: these are bounds, wide enough for plasticine of every build. A silhouette is
as long, along the view, as the figure's height shifts its top away from its feet, plus its own depth.
Divided by the true height, the depth and the width that are left lie within bounds, measured on random
figures of all three classes seen from 5 to 60 degrees off the vertical, and on the clips. From straight above
no height shows and only the bounds on depth and width are left.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera
from calibration.sentences import Said
from vision.fighters import FighterSpec, about
from vision.measuring.silhouette import view_at

Array = NDArray[np.float64]

# In heights of the figure: how much shorter than a post of its height a silhouette may be (a head that leans
# towards the camera, feet far apart), at once and per cm moved away per cm of height.
_SHORTER, _SHORTER_BY_SLOPE = 0.05, 0.2
# A figure's least width, greatest depth or width, and greatest product of the two, in heights.
_LEAST_WIDTH, _MOST_EXTENT, _MOST_PRODUCT = 0.22, 2.4, 2.5
# The product of figures that are not extremely flat: when the colours cannot be taught at a height either.
USUAL_PRODUCT = 1.1
# Heights that are tried, in cm.
_HEIGHTS_CM = np.geomspace(1.0, 60.0, 120)
# Silhouettes of fewer pixels say nothing about a height.
_FEWEST_PX = 60
# A tap may lie this far beside the silhouette, in heights and in px: between the feet, not beside them.
_BESIDE_HEIGHTS, _BESIDE_PX = 0.3, 4.0
# The ends of a pixel around its middle.
_ONE_PX = np.array([[-0.5, 0.0], [0.5, 0.0]])
# Rim pixels that may be stray, in percent.
_STRAY = 1.0


class ToldError(ValueError):
    """Something told of a fighter that the first picture contradicts: one sentence.

    `fighter` is its id; `key` is what was told, as `FighterSpec` and the event file call it.
    """

    def __init__(self, fighter: str, key: Literal["foot_px", "height_cm"], what: Said) -> None:
        super().__init__(about(fighter, what))
        self.fighter, self.key = fighter, key


def check_told(camera: Camera, fighters: Sequence[FighterSpec], seen: Mapping[str, Array]) -> None:
    """Check heights and taps against the pixels (N, 2) in which each fighter is seen at first.

    Raises ToldError.
    """
    for spec in fighters:
        check_height(camera, spec, seen[spec.id])
        if spec.foot_px is not None:
            check_tap(camera, spec, seen[spec.id])


def check_height(
    camera: Camera, spec: FighterSpec, pixels: Array, most_product: float = _MOST_PRODUCT
) -> None:
    """Refuse a height with which no standing figure looks like these pixels (N, 2). Raises ToldError."""
    if len(pixels) < _FEWEST_PX or _possible(camera, pixels, spec.height_cm, most_product):
        return
    possible = [h for h in _HEIGHTS_CM if _possible(camera, pixels, float(h), most_product)]
    if not possible:
        return
    raise ToldError(
        spec.id,
        "height_cm",
        Said(
            "error.told.height",
            "it cannot be {cm} cm tall (height_cm): a figure that looks like this is between "
            "{low:.0f} and {high:.0f} cm; measure it again, and let all of it be "
            "seen standing on the first picture",
            cm=spec.height_cm,
            low=possible[0],
            high=possible[-1],
        ),
    )


def check_tap(camera: Camera, spec: FighterSpec, pixels: Array) -> None:
    """Refuse a tap outside the picture or beside the figure. Raises ToldError."""
    assert spec.foot_px is not None
    tap = np.asarray(spec.foot_px, dtype=np.float64)
    again = Said("error.told.again", "tap the middle of its feet again (foot_px)")
    if not ((tap >= 0) & (tap <= np.asarray(camera.size))).all():
        width, height = camera.size
        raise ToldError(
            spec.id,
            "foot_px",
            Said(
                "error.told.tap_outside",
                "the tap at {u}, {v} lies outside the picture of {width} x {height} px; {again}",
                u=float(tap[0]),
                v=float(tap[1]),
                width=width,
                height=height,
                again=again,
            ),
        )
    away_px = _beside(pixels, tap)
    cm_per_px = float(np.linalg.norm(np.ptp(camera.to_plane(tap + _ONE_PX, 0.0), axis=0)))
    if away_px > _BESIDE_PX and not away_px * cm_per_px <= _BESIDE_HEIGHTS * spec.height_cm:
        raise ToldError(
            spec.id,
            "foot_px",
            Said(
                "error.told.tap_beside",
                "the tap at {u}, {v} lies {away_px:.0f} px beside the figure; {again}",
                u=float(tap[0]),
                v=float(tap[1]),
                away_px=away_px,
                again=again,
            ),
        )


def _beside(pixels: Array, tap: Array) -> float:
    """How far a tap lies outside the convex hull of pixels (N, 2), in px: feet stand apart."""
    hull = cv2.convexHull(pixels.astype(np.float32))
    return max(0.0, -float(cv2.pointPolygonTest(hull, (float(tap[0]), float(tap[1])), measureDist=True)))


@dataclass(frozen=True)
class _Extent:
    """A silhouette on the table's plane, in cm: its length along the view, its width across it, and the cm
    that a point moves away per cm of height."""

    length: float
    width: float
    slope: float


def _possible(camera: Camera, pixels: Array, height_cm: float, most_product: float) -> bool:
    """Whether a standing figure of a height may look like this."""
    if height_cm >= 0.9 * camera.centre[2]:
        return False
    extent = _extent(camera, pixels, height_cm)
    depth, width = extent.length / height_cm - extent.slope, extent.width / height_cm
    return bool(
        depth >= -_SHORTER - _SHORTER_BY_SLOPE * extent.slope
        and width >= _LEAST_WIDTH
        and max(depth, width) <= _MOST_EXTENT
        and depth * width <= most_product
    )


def _extent(camera: Camera, pixels: Array, height_cm: float) -> _Extent:
    points = camera.to_plane(pixels, 0.0)
    middle = camera.to_plane(pixels.mean(axis=0).reshape(1, 2), 0.45 * height_cm)[0]
    view = view_at(camera, middle)
    length, width = (
        float(np.ptp(np.percentile((points - middle) @ way, [_STRAY, 100 - _STRAY])))
        for way in (view.away, view.across)
    )
    return _Extent(length, width, view.slope * camera.centre[2] / (camera.centre[2] - height_cm))
