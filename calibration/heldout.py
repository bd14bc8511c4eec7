"""How good a calibration really is: on what it was not fitted to.

A residual on fitted points means nothing: four corners fit a wrong camera as well. Here one post at a time
(its corner and its top) is left out and predicted from the rest, and a stick of known length laid on the
mat may be measured. What is reported is in mm on the table and in palms of the player.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from calibration.camera import Array
from calibration.errors import CalibrationError
from calibration.intrinsics import Intrinsics
from calibration.remarks import Remark
from calibration.result import RingCalibration
from calibration.ring import CORNER_NAMES
from calibration.sentences import Said
from calibration.solve import CORNER_SD_PX, calibrate

# The taps on a fighter's feet cost 2-3 mm and its shape 1-3 mm. A camera of 2 mm adds nothing one could see
# beside them (a hundredth of a palm of 20 cm); one of 5 mm is as large as both and still a fortieth of a
# palm; above that the camera would decide moves.
GOOD_MM = 2.0
USABLE_MM = 5.0
# Half-way up a figure: where points that are measured lie, and where a wrong height of the camera shows.
_FIGURE_CM = 10.0
_GRID = 6
_LONGEST_STICK = 1.5  # ring diagonals


class Verdict(StrEnum):
    """What to do with a calibration."""

    GOOD = "good"
    USABLE = "usable"
    REDO = "redo"


@dataclass(frozen=True)
class Stick:
    """A stick of known length on the mat: its two ends in pixels, its length and its height over it in cm."""

    ends_px: tuple[tuple[float, float], tuple[float, float]]
    length_cm: float
    height_cm: float = 0.0


@dataclass(frozen=True)
class Prediction:
    """One thing that was left out: how far off its prediction was and how far off it expected to be, mm."""

    what: str
    error_mm: float
    expected_mm: float


@dataclass(frozen=True)
class HeldOut:
    """The check of a calibration.

    expected_mm is the one-sigma (both axes together) of a table point 10 cm above the mat by the
    calibration's own covariance; held_out_mm the rms error of the predictions; unexplained_mm what of it
    neither the click noise nor the weaker fit without that post explains; worst_mm the larger of
    expected and unexplained, which the verdict judges. In palms where a palm was given. advice says what to
    do when the verdict is redo; sentence is the verdict with it in English. A calibration that a check
    failed, or that nothing checks, is never good.
    """

    verdict: Verdict
    sentence: str
    advice: Remark | None
    worst_mm: float
    expected_mm: float
    held_out_mm: float
    unexplained_mm: float
    palm_cm: float | None
    worst_palms: float | None
    predictions: tuple[Prediction, ...]

    def to_dict(self) -> dict[str, object]:
        """Plain data for JSON."""
        return asdict(self)


def held_out(
    calibration: RingCalibration,
    *,
    image: NDArray[np.uint8] | None = None,
    intrinsics: Intrinsics | None = None,
    corner_sd_px: float = CORNER_SD_PX,
    stick: Stick | None = None,
    palm_cm: float | None = None,
) -> HeldOut:
    """Check a calibration with the same picture and lens it was made with (CPU: five times its solve).

    Raises CalibrationError for a stick or palm that cannot be.
    """
    if palm_cm is not None and not palm_cm > 0:
        raise CalibrationError(
            Said("error.palm.zero", "palm_cm is {cm}: measure the open hand in cm", cm=palm_cm)
        )
    predictions: list[Prediction] = []
    strain: list[float] = []
    for post in range(4):
        rest = calibrate(
            calibration.spec,
            calibration.size,
            image=image,
            intrinsics=intrinsics,
            corner_sd_px=corner_sd_px,
            without_post=post,
        )
        predictions += _post_predictions(rest, post)
        strain.append(rest.click_sd_px)
    if stick is not None:
        predictions.append(_stick_prediction(calibration, stick))
    # Without the bad post the other three agree best.
    suspect = CORNER_NAMES[int(np.argmin(strain))] + " post"
    return _judge(calibration, predictions, suspect, palm_cm)


def expected_mm(calibration: RingCalibration, z: float = _FIGURE_CM) -> float:
    """The calibration's own standard error in mm of points over the mat at height z, rms over a 6x6 grid."""
    half = calibration.spec.half
    x, y = np.meshgrid(np.linspace(-1, 1, _GRID) * half[0], np.linspace(-1, 1, _GRID) * half[1])
    points = np.column_stack([x.ravel(), y.ravel(), np.full(x.size, z)])
    _, covariance = calibration.plane_points(calibration.camera.project(points), z)
    return float(10.0 * np.sqrt(np.trace(covariance, axis1=1, axis2=2).mean()))


def _post_predictions(rest: RingCalibration, post: int) -> list[Prediction]:
    spec = rest.spec
    clicks = [("corner", spec.corners_px[post], spec.corners()[post])]
    if spec.post_tops_px is not None:
        clicks.append(("post top", spec.post_tops_px[post], spec.post_tops()[post]))
    return [_prediction(rest, f"{CORNER_NAMES[post]} {what}", px, point) for what, px, point in clicks]


def _prediction(rest: RingCalibration, what: str, px: Array, point: Array) -> Prediction:
    noise = np.eye(2) * rest.click_sd_px**2
    xy, covariance = rest.plane_points(px[None], point[2], noise)
    error = 10.0 * float(np.linalg.norm(xy[0] - point[:2]))
    return Prediction(what, error, 10.0 * float(np.sqrt(np.trace(covariance[0]))))


def stick_length(calibration: RingCalibration, stick: Stick) -> tuple[float, float]:
    """How long a stick is by the calibration, and that length's standard deviation, in cm.

    Raises CalibrationError for a stick that cannot be.
    """
    ends = np.asarray(stick.ends_px, dtype=np.float64)
    longest = _LONGEST_STICK * float(np.hypot(calibration.spec.width_cm, calibration.spec.depth_cm))
    if not 0 < stick.length_cm <= longest:
        raise CalibrationError(
            Said(
                "error.stick.length",
                "the stick's length is {cm} cm: give its length in cm, at most {longest:.0f}",
                cm=stick.length_cm,
                longest=longest,
            )
        )
    if ends.shape != (2, 2) or not np.isfinite(ends).all() or np.array_equal(ends[0], ends[1]):
        raise CalibrationError(
            Said("error.stick.ends", "the stick needs two different ends in pixels: click them again")
        )
    xy, _ = calibration.plane_points(ends, stick.height_cm)
    along = xy[1] - xy[0]
    length = float(np.linalg.norm(along))
    if not np.isfinite(length):
        raise CalibrationError(
            Said("error.stick.off_table", "an end of the stick does not lie on the table: click it again")
        )
    unit = along / length
    camera = calibration.plane_jacobian(ends, stick.height_cm)
    pixel = calibration.plane_jacobian_px(ends, stick.height_cm)
    by_camera = unit @ (camera[1] - camera[0])
    noise = np.square(calibration.click_sd_px * (unit @ pixel)).sum()
    sd = float(np.sqrt(by_camera @ calibration.covariance @ by_camera + noise))
    return length, sd


def _stick_prediction(calibration: RingCalibration, stick: Stick) -> Prediction:
    length, sd = stick_length(calibration, stick)
    return Prediction("stick", 10.0 * abs(length - stick.length_cm), 10.0 * sd)


def widened(calibration: RingCalibration, check: HeldOut) -> RingCalibration:
    """The calibration with error bars as wide as its check found them, where that failed."""
    if check.verdict is Verdict.GOOD or check.worst_mm <= check.expected_mm:
        return calibration
    factor = check.worst_mm / check.expected_mm
    return replace(calibration, covariance=calibration.covariance * factor**2)


def _judge(
    calibration: RingCalibration, predictions: list[Prediction], suspect: str, palm_cm: float | None
) -> HeldOut:
    expected = expected_mm(calibration)
    errors = np.array([prediction.error_mm for prediction in predictions])
    believed = np.array([prediction.expected_mm for prediction in predictions])
    total = float(np.sqrt(np.square(errors).mean()))
    unexplained = float(np.sqrt(max(0.0, np.square(errors).mean() - np.square(believed).mean())))
    worst = max(expected, unexplained)
    if calibration.contradicted:
        # Either the clicks or the picture are wrong, and no covariance knows how far the wrong ones are off.
        worst = max(worst, total)
    verdict = Verdict.GOOD if worst <= GOOD_MM else Verdict.USABLE if worst <= USABLE_MM else Verdict.REDO
    unchecked = calibration.edges is None and calibration.spec.post_tops_px is None
    if verdict is Verdict.GOOD and (calibration.contradicted or unchecked):
        verdict = Verdict.USABLE
    palms = None if palm_cm is None else worst / (10.0 * palm_cm)
    farthest = predictions[int(np.argmax(errors / believed))].what
    culprit = "stick" if farthest == "stick" else suspect
    advice = None
    if verdict is Verdict.REDO:
        advice = _advice(calibration, worst, culprit if unexplained > expected else None)
    return HeldOut(
        verdict=verdict,
        sentence=_sentence(verdict, worst, palms, advice),
        advice=advice,
        worst_mm=worst,
        expected_mm=expected,
        held_out_mm=total,
        unexplained_mm=unexplained,
        palm_cm=palm_cm,
        worst_palms=palms,
        predictions=tuple(predictions),
    )


def _advice(calibration: RingCalibration, worst: float, culprit: str | None) -> Remark:
    size = {"mm": worst}
    if culprit == "stick":
        return Remark("redo_stick", size)
    if culprit is not None:
        return Remark("redo_click", size, {"click": culprit})
    if calibration.contradicted or calibration.spec.post_tops_px is not None:
        return Remark("redo_clicks", size)
    return Remark("redo_more", size)


def _sentence(verdict: Verdict, worst: float, palms: float | None, advice: Remark | None) -> str:
    if advice is not None:
        return f"{verdict}: {advice}"
    size = f"{worst:.1f} mm" if palms is None else f"{worst:.1f} mm or {palms:.3f} palms"
    return f"{verdict}: points over the mat are right to about {size} (one standard deviation)"
