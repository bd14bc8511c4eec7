"""A player's hand measured over the table: from the two points of each placement to a palm with its sd.

The open hand is measured from the tip of the thumb to the tip of the little finger, the closed one across its
fingers. A hand lies on the mat but is not flat: what is seen of its edge lies a little above the mat, which
makes it look larger to a camera, by a percent and more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from calibration.camera import Array
from calibration.errors import CalibrationError
from calibration.result import RingCalibration
from calibration.sentences import Said

Kind = Literal["open", "closed"]
Posture = Literal["open", "closed", "half_open"]

# How high the edges of a hand on the mat are seen, in cm, and how sure that is: the open hand's thumb lies on
# its side, the little finger on its pad; a closed hand's edges are the middles of index and little finger.
HEIGHTS_CM: dict[Kind, tuple[float, float]] = {"open": (0.8, 0.6), "closed": (0.9, 0.8)}
HEIGHT_SD_CM = 0.3
# How well a person points at the end of a finger, in pixels.
CLICK_SD_PX = 1.5
# Hands of adults and children, in cm.
_HANDS_CM: dict[Kind, tuple[float, float]] = {"open": (10.0, 30.0), "closed": (4.0, 15.0)}
# An open hand is this many times its closed breadth; what lies outside was half open, or half closed.
_RATIO = (1.75, 3.1)
# Placements of one hand that differ by more were not the same hand position.
_WIDEST_CM = 1.0
# How far one hand's placements usually scatter, as long as there is only one.
_USUAL_SCATTER_CM = 0.2


@dataclass(frozen=True)
class Span:
    """One placement: its length over the mat in cm, and its sd from camera, heights and pointing."""

    kind: Kind
    cm: float
    sd_cm: float


@dataclass(frozen=True)
class Palm:
    """A hand of one kind over several placements: mean, how far they scatter, and the sd of it all, in cm."""

    kind: Kind
    cm: float
    scatter_cm: float
    sd_cm: float
    spans: tuple[Span, ...]


def span_between(
    ring: RingCalibration, ends_px: Array, kind: Kind = "open", click_sd_px: float = CLICK_SD_PX
) -> Span:
    """The length between two pixels (2, 2) of a hand on the mat: thumb (or index finger) first.

    Raises CalibrationError for what no hand can be.
    """
    heights = np.array(HEIGHTS_CM[kind])
    points, _ = ring.plane_points(ends_px, heights)
    along = points[1] - points[0]
    length = float(np.linalg.norm(along))
    if not np.isfinite(length):
        raise CalibrationError(
            Said(
                "error.palm.off_mat",
                "the camera does not see the mat where the hand was pointed at: point at the two ends again",
            )
        )
    lowest, highest = _HANDS_CM[kind]
    if not lowest <= length <= highest:
        raise CalibrationError(
            Said(
                "error.palm.length",
                "from point to point it is {cm:.1f} cm, and a hand measures {lowest:.0f} to {highest:.0f}: "
                "point at the two ends again",
                cm=length,
                lowest=lowest,
                highest=highest,
            )
        )
    unit = along / length
    camera = ring.plane_jacobian(ends_px, heights)
    by_camera = unit @ (camera[1] - camera[0])
    by_height = ring.plane_jacobian_z(ends_px, heights) @ unit
    by_pixel = ring.plane_jacobian_px(ends_px, heights)
    variance = (
        by_camera @ ring.covariance @ by_camera
        + np.square(HEIGHT_SD_CM * by_height).sum()
        + np.square(click_sd_px * (unit @ by_pixel)).sum()
    )
    return Span(kind, length, float(np.sqrt(variance)))


def palm_of(spans: Sequence[Span]) -> Palm:
    """The hand of several placements of one kind. Raises CalibrationError when they are not one hand."""
    lengths = np.array([span.cm for span in spans])
    widest = float(np.ptp(lengths))
    if widest > _WIDEST_CM:
        raise CalibrationError(
            Said(
                "error.palm.scatter",
                "the placements differ by {cm:.1f} cm: stretch the hand in the same way each time, and "
                "measure again",
                cm=widest,
            )
        )
    scatter = float(lengths.std(ddof=1)) if len(lengths) > 1 else _USUAL_SCATTER_CM
    # Camera and heights err alike in every placement and do not average out.
    shared = float(np.sqrt(np.mean([span.sd_cm**2 for span in spans])))
    return Palm(spans[0].kind, float(lengths.mean()), scatter, float(np.hypot(scatter, shared)), tuple(spans))


def check_open_and_closed(open_cm: float, closed_cm: float) -> None:
    """Refuse a pair of which one hand was half open. Raises CalibrationError."""
    ratio = open_cm / closed_cm
    if not _RATIO[0] <= ratio <= _RATIO[1]:
        raise CalibrationError(
            Said(
                "error.palm.half_open",
                "an open hand of {open:.1f} cm and a closed one of {closed:.1f} cm do not belong together: "
                "one of them was half open; spread the fingers as far as they go, or close them, and "
                "measure again",
                open=open_cm,
                closed=closed_cm,
            )
        )
