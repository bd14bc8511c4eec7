"""Can it be true what was told of a fighter, its height and the tap on its feet? Asked of the first picture.

What the picture all but excludes is refused. What it only speaks against is a warning: a figure of which half
is hidden, or of two colours, looks like a shorter one, and a broad low beast like a taller one.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera
from calibration.sentences import Said
from vision.fighters import FighterSpec, about
from vision.measuring.height_seen import height_seen
from vision.measuring.silhouette import view_at

Array = NDArray[np.float64]

# The decimal log of the odds that a height was told right: below the first it is worth a warning. Below the
# second it is refused where a figure looks taller than told, for what is seen of it is there; below the third
# where it looks shorter, for much of it may be hidden. The library's true heights go down to -0.8 and -1.8.
DOUBTED, REFUSED_TALLER, REFUSED_SHORTER = -0.7, -2.0, -3.0
# Silhouettes of fewer pixels say nothing about a height.
_FEWEST_PX = 60
# A tap may lie this far beside the silhouette, in heights and in px: between the feet, not beside them.
_BESIDE_HEIGHTS, _BESIDE_PX = 0.3, 4.0


class ToldError(ValueError):
    """Something told of a fighter that the first picture contradicts: one sentence.

    `fighter` is its id; `key` is what was told, as `FighterSpec` and the event file call it.
    """

    def __init__(self, fighter: str, key: Literal["foot_px", "height_cm"], what: Said) -> None:
        super().__init__(about(fighter, what))
        self.fighter, self.key = fighter, key


def check_told(
    camera: Camera, fighters: Sequence[FighterSpec], seen: Mapping[str, Array], faint: Collection[str] = ()
) -> list[Said]:
    """Check heights and taps against the pixels (N, 2) in which each fighter is seen at first, the faint ones
    unsurely: nothing of those is refused.

    Returns what is doubtful, as sentences. Raises ToldError for what cannot be.
    """
    warnings: list[Said] = []
    for spec in fighters:
        unsure = spec.id in faint
        doubts = [check_height(camera, spec, seen[spec.id], faint=unsure)]
        if spec.foot_px is not None:
            doubts.append(check_tap(camera, spec, seen[spec.id], faint=unsure))
        warnings += [doubt for doubt in doubts if doubt is not None]
    return warnings


def check_height(
    camera: Camera, spec: FighterSpec, pixels: Array, *, faint: bool = False, strict: bool = False
) -> Said | None:
    """Compare a height with how tall these pixels (N, 2) look; a sentence when it is hard to believe.

    Raises ToldError when hardly any standing figure of this height looks so, but not of a faint one; when
    strict, instead of every doubt.
    """
    if len(pixels) < _FEWEST_PX:
        return None
    seen = height_seen(camera, pixels, spec.kind)
    odds = float(seen.log_odds(np.array([spec.height_cm]))[0])
    if odds >= DOUBTED:
        return None
    low, high = seen.believed(DOUBTED)
    least = REFUSED_TALLER if spec.height_cm < low else REFUSED_SHORTER
    if strict or (odds < least and not faint):
        raise ToldError(
            spec.id,
            "height_cm",
            Said(
                "error.told.height",
                "it cannot be {cm} cm tall (height_cm): a figure that looks like this is between "
                "{low:.0f} and {high:.0f} cm; measure it again, and let all of it be "
                "seen standing on the first picture",
                cm=spec.height_cm,
                low=low,
                high=high,
            ),
        )
    return about(
        spec.id,
        Said(
            "warning.height",
            "height_cm is {cm} cm, but what is seen of it looks like a figure of {low:.0f} to {high:.0f} cm; "
            "measure its height again, and draw colour_box_px on its main colour",
            cm=spec.height_cm,
            low=low,
            high=high,
        ),
    )


def check_tap(camera: Camera, spec: FighterSpec, pixels: Array, *, faint: bool = False) -> Said | None:
    """Compare a tap with the figure's pixels (N, 2); a sentence when the figure's feet are not seen there.

    Raises ToldError for a tap outside the picture, or where the feet of no figure that is seen so can be; but
    not of a faint one, of which it is not sure what is seen.
    """
    assert spec.foot_px is not None
    tap = np.asarray(spec.foot_px, dtype=np.float64)
    again = Said("error.told.again", "tap the middle of its feet again (foot_px)")
    u, v = float(tap[0]), float(tap[1])
    if not ((tap >= 0) & (tap <= np.asarray(camera.size))).all():
        width, height = camera.size
        raise ToldError(
            spec.id,
            "foot_px",
            Said(
                "error.told.tap_outside",
                "the tap at {u}, {v} lies outside the picture of {width} x {height} px; {again}",
                u=u,
                v=v,
                width=width,
                height=height,
                again=again,
            ),
        )
    away_px = _beside(pixels, tap)
    ground, foot = camera.to_plane(pixels, 0.0), camera.to_plane(tap[None], 0.0)[0]
    beside = _BESIDE_HEIGHTS * spec.height_cm
    if away_px <= _BESIDE_PX or _beside(ground, foot) <= beside:
        return None
    # When half of it is hidden or has another colour, its feet may be nearer the camera than what is seen.
    view = view_at(camera, ground.mean(axis=0))
    below = np.concatenate([ground, ground - view.away * view.slope * spec.height_cm])
    if faint or _beside(below, foot) <= beside:
        return about(
            spec.id,
            Said(
                "warning.tap_below",
                "foot_px lies {away_px:.0f} px beside what is seen of it; tap the middle of its feet again, "
                "or draw colour_box_px on its main colour",
                away_px=away_px,
            ),
        )
    raise ToldError(
        spec.id,
        "foot_px",
        Said(
            "error.told.tap_beside",
            "the tap at {u}, {v} lies {away_px:.0f} px beside the figure; {again}",
            u=u,
            v=v,
            away_px=away_px,
            again=again,
        ),
    )


def _beside(points: Array, place: Array) -> float:
    """How far a place (2,) lies outside the convex hull of points (N, 2): feet stand apart."""
    hull = cv2.convexHull(points.astype(np.float32))
    return max(0.0, -float(cv2.pointPolygonTest(hull, (float(place[0]), float(place[1])), measureDist=True)))
