"""Where a standing figure touches the table, and what that costs in certainty.

From its silhouette, the learned prior (`vision.shape`) guesses where the middle of its sole is, and how
wrong that may be. The error of the guess is the figure's: seen from the same side it is the same again (it
cancels in a move), from other sides it is another, and how much they have in common was learned too
(`vision.shape.errors`). One tap on the feet therefore corrects the guess in its own fragment and, as far as
the views are related, in all others.

All of it is linear and Gaussian: with g the unit factors of the figure's errors, f the camera's,

    ground point = guessed point - B g - C f,     tap = ground point + noise

and one Kalman update folds in the tap. The camera is a *considered* parameter (Schmidt 1966): a tap does not
re-calibrate it, but its error is carried through. `python -m datasets.accuracy` measures all of it on the
clips, `python -m datasets.modelled` on modelled figures.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from calibration.result import RingCalibration
from vision.fighters import TAP_SD_PX
from vision.measuring.agreement import Known, agreement, own_rows
from vision.measuring.belief import (
    LESSONS,
    FigureModel,
    Told,
    camera_root,
    learned_from,
    root_of,
    unknowns,
    weighed,
)
from vision.measuring.sight import Shown, sight

Array = NDArray[np.float64]

# A tap further off than this share of the height, from where the feet should be, was not on these feet.
_TAP_GATE = 0.6
# Squared Mahalanobis distance beyond which a tap and the silhouette contradict each other: of taps that are
# right, one in three thousand.
_CONTRADICTION = 16.0
# The probability that the tap was right all the same: the height was measured wrong, a shadow was taken for
# the figure. In rendered clips that nothing was tuned on it was the silhouette at least as often.
_TAP_RIGHT = 0.5
# A rival with less than this share can be left out of a bar of 95 % that is made wider for it.
_UNLIKELY, _NORMAL_95 = 0.045, 1.959964


@dataclass(frozen=True, eq=False)
class GroundPoint:
    """xy (2,) in cm with loadings camera (2, P), figure (2, Q) and own covariance (2, 2)."""

    xy: Array
    camera: Array
    figure: Array
    own: Array


def taught(
    calibration: RingCalibration,
    model: FigureModel,
    shown: Shown,
    foot_px: Array,
    tap_sd_px: float = TAP_SD_PX,
) -> FigureModel:
    """The belief after a tap at foot_px (2,) on the feet, in px with its sd, in the fragment that is shown.

    A tap that contradicts silhouette and height by far more than their errors allow is disputed and not
    believed: the belief stays, but wide enough for the tap to be right. One that cannot be on this figure's
    feet (0.6 of its height away from where they should be) does not even widen it.
    """
    seen = known(calibration, model, shown, first=True).sight
    foot = np.asarray(foot_px, dtype=np.float64).reshape(1, 2)
    by_px = calibration.plane_jacobian_px(foot, 0.0)[0] * tap_sd_px
    by_camera = calibration.plane_jacobian(foot, 0.0)[0] @ camera_root(calibration) - seen.by_camera
    away_from_tap = seen.raw - calibration.camera.to_plane(foot)[0]
    told = Told(away_from_tap, seen.by_figure, by_camera, by_px @ by_px.T)
    surprise, expected, _ = weighed(model, told)
    away = float(np.hypot(*surprise))
    if away > _TAP_GATE * model.height_cm:
        return replace(model, disputed_cm=away)
    if float(surprise @ np.linalg.solve(expected, surprise)) > _CONTRADICTION:
        # the likeliest errors of the guess with which the tap would be right
        shift = np.linalg.pinv(seen.by_figure) @ surprise
        widened = np.column_stack([model.root, np.sqrt(_TAP_RIGHT) * shift])
        return replace(model, root=widened, disputed_cm=away)
    return replace(learned_from(model, told), tapped=True)


def ground_point(
    calibration: RingCalibration,
    model: FigureModel,
    shown: Shown,
    before: Sequence[Known] = (),
    *,
    learned: bool = False,
) -> GroundPoint:
    """Where the figure stands in a fragment, with other looks at it; `learned` when the model has learned
    from this very fragment.

    The place belongs to the facing that is shown; that of the other facing counts as doubt about it.
    """
    point = _point(calibration, model, shown, before, learned)
    turned = replace(shown, facing=shown.facing + shown.facing_sd)
    by_told, by_turn = _split(_point(calibration, model, turned, before, learned).xy - point.xy, shown, model)
    doubt = np.outer(by_turn, by_turn)
    if shown.rival_share > 0:
        other = _point(calibration, model, replace(shown, facing=shown.rival), before, learned)
        doubt = doubt + _of_rival(shown.rival_share, other.xy - point.xy, point)
    return replace(point, figure=_padded(np.column_stack([by_told, point.figure])), own=point.own + doubt)


def _of_rival(share: float, away: Array, point: GroundPoint) -> Array:
    """What a rival `away` (2,) with a share of the probability adds to the covariance (2, 2) of a point.

    The variance of both together would do. With less than 5 % the rival may be left out of a 95 % bar that is
    wide enough for the rest to make up for it, if that is the narrower one.
    """
    together = share * np.outer(away, away)
    if share >= _UNLIKELY:
        return together
    wider = NormalDist().inv_cdf(0.5 + 0.475 / (1 - share)) / _NORMAL_95
    own = point.own + point.camera @ point.camera.T + point.figure @ point.figure.T
    alone = (wider**2 - 1) * own
    return together if np.trace(together) < np.trace(alone) else np.asarray(alone)


def _padded(loadings: Array) -> Array:
    """Loadings (2, N) with columns of zeros for what is not learned yet: those of one figure are as wide."""
    # the told facing and the widening of a disputed tap, then the factors and what is observed
    width = 1 + 1 + unknowns() + 2 * (1 + LESSONS)
    return np.pad(loadings, ((0, 0), (0, width - loadings.shape[1])))


def _split(by_facing: Array, shown: Shown, model: FigureModel) -> tuple[Array, Array]:
    """What a facing one sd off moves a point, (2,): by the facing told at first, and by the turns since.

    A tap is learned in whatever frame was told: turned with it, it tells the same places.
    """
    if shown.facing_sd <= 0:
        return np.zeros(2), by_facing
    told = min(1.0, shown.told_sd / shown.facing_sd)
    return by_facing * told * (not model.tapped), by_facing * float(np.sqrt(1 - told**2))


def _point(
    calibration: RingCalibration, model: FigureModel, shown: Shown, before: Sequence[Known], learned: bool
) -> GroundPoint:
    """The ground point with the facing as it is given."""
    look = known(calibration, model, shown, first=learned)
    seen = look.sight
    if not before or learned:
        return GroundPoint(
            seen.raw - seen.by_figure @ model.mean,
            seen.by_camera - seen.by_figure @ model.by_camera,
            -seen.by_figure @ model.root,
            seen.own,
        )
    return _agreed(model, look, before)


def _agreed(model: FigureModel, look: Known, before: Sequence[Known]) -> GroundPoint:
    """The ground point of a look that shows the same solid as others: what is wrong with its own guess alone
    is unknown too, and found out."""
    seen, told = look.sight, agreement(model, before, look)
    trusted = own_rows(before, look)
    own = replace(told, noise=told.noise - trusted @ seen.by_look @ trusted.T)
    count, columns = model.root.shape
    root = np.zeros((count + 2, columns + 2))
    root[:count, 2:], root[count:, :2] = model.root, root_of(seen.by_look)
    wider = replace(
        model,
        mean=np.append(model.mean, [0.0, 0.0]),
        by_camera=np.vstack([model.by_camera, np.zeros((2, model.by_camera.shape[1]))]),
        root=root,
    )
    found = learned_from(wider, replace(own, by_figure=np.column_stack([own.by_figure, trusted])))
    rows = np.column_stack([seen.by_figure, np.eye(2)])
    loadings = -rows @ found.root
    alone = np.column_stack([loadings[:, :2], loadings[:, 2 + columns :]])
    return GroundPoint(
        seen.raw - rows @ found.mean,
        seen.by_camera - rows @ found.by_camera,
        loadings[:, 2 : 2 + columns],
        seen.own - seen.by_look + alone @ alone.T,
    )


def known(calibration: RingCalibration, model: FigureModel, shown: Shown, *, first: bool = False) -> Known:
    """What a figure shows with its facing, to learn from; `first` where a tap is learned from it."""
    seen = sight(calibration, shown, model.height_sd_cm, camera_root(calibration), first=first)
    return Known(shown.faced(shown.facing), seen, shown.facing)
