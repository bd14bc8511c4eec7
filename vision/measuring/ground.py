"""Where a standing figure touches the table, and what that costs in certainty.

From its silhouette, the learned prior (`vision.shape`) guesses where the middle of its sole is, and how
wrong that may be. How the errors of two looks at one figure hang together was learned too
(`vision.shape.pairs`): seen from the same side a guess is wrong by the same again (it cancels in a move). One
tap on the feet therefore corrects the guess in its own fragment and, as far as the views are related, in all
others.

All of it is linear and Gaussian: with h the unit error of the height, e the error of the guess and f the
camera's unit factors,

    ground point = guessed point - H h - e - C f,     tap = ground point + noise

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
from vision.measuring.agreement import Known, Relate, error_after, error_alone, first_look, place_of
from vision.measuring.belief import (
    MOST_COLUMNS,
    Error,
    FigureModel,
    Told,
    camera_root,
    learned_from,
    weighed,
)
from vision.measuring.sight import Shown, sight
from vision.shape.pairs import relation

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
    look = known(calibration, model, shown)
    seen, alone = look.sight, first_look(model, look)
    foot = np.asarray(foot_px, dtype=np.float64).reshape(1, 2)
    by_px = calibration.plane_jacobian_px(foot, 0.0)[0] * tap_sd_px
    by_camera = calibration.plane_jacobian(foot, 0.0)[0] @ camera_root(calibration) - seen.by_camera
    rows = np.column_stack([seen.by_height, np.eye(2), np.eye(2)])
    told = Told(seen.raw - calibration.camera.to_plane(foot)[0], rows, by_camera, by_px @ by_px.T)
    surprise, expected, _ = weighed(alone, told)
    away = float(np.hypot(*surprise))
    if away > _TAP_GATE * model.height_cm:
        return replace(alone, disputed_cm=away)
    if float(surprise @ np.linalg.solve(expected, surprise)) > _CONTRADICTION:
        # the likeliest errors with which the tap would be right
        shift = alone.root @ np.linalg.pinv(rows @ alone.root) @ surprise
        widened = np.column_stack([alone.root, np.sqrt(_TAP_RIGHT) * shift])
        return replace(alone, root=widened, disputed_cm=away)
    return replace(learned_from(alone, told), tapped=True)


def ground_point(
    calibration: RingCalibration,
    model: FigureModel,
    shown: Shown,
    before: Sequence[Known] = (),
    *,
    learned: bool = False,
    relate: Relate = relation,
) -> GroundPoint:
    """Where the figure stands in a fragment, after the looks that the model has learned from, `before`;
    `learned` when the last look that it has learned from is this very fragment (and is not in `before`).

    Of two facings that are left it is the middle, nearer to the likelier one's place; how far apart the
    places are counts as doubt. What is unlikely only widens the bar."""

    def point(seen: Shown) -> GroundPoint:
        return _point(calibration, model, seen, before, learned, relate)

    here = point(shown)
    turned = replace(shown, facing=shown.facing + shown.facing_sd)
    by_told, by_turn = _split(point(turned).xy - here.xy, shown, model)
    doubt = np.outer(by_turn, by_turn)
    xy, share = here.xy, shown.rival_share
    if share > 0:
        away = point(replace(shown, facing=shown.rival)).xy - here.xy
        doubt = doubt + _of_rival(share, away, here)
        xy = xy + share * away * (share >= _UNLIKELY)
    figure = _padded(np.column_stack([by_told, here.figure]))
    return replace(here, xy=xy, figure=figure, own=here.own + doubt)


def _of_rival(share: float, away: Array, point: GroundPoint) -> Array:
    """What a rival `away` (2,) with a share of the probability adds to the covariance (2, 2) of a point.

    The variance about their mean would do. With less than 5 % the rival may be left out of a 95 % bar that is
    wide enough for the rest to make up for it, if that is the narrower one.
    """
    if share >= _UNLIKELY:
        return np.asarray(share * (1 - share) * np.outer(away, away))
    together = share * np.outer(away, away)
    wider = NormalDist().inv_cdf(0.5 + 0.475 / (1 - share)) / _NORMAL_95
    own = point.own + point.camera @ point.camera.T + point.figure @ point.figure.T
    alone = (wider**2 - 1) * own
    return together if np.trace(together) < np.trace(alone) else np.asarray(alone)


def _padded(loadings: Array) -> Array:
    """Loadings (2, N) with columns of zeros for what is not learned yet: those of one figure are as wide. The
    told facing comes first."""
    return np.pad(loadings, ((0, 0), (0, 1 + MOST_COLUMNS - loadings.shape[1])))


def _split(by_facing: Array, shown: Shown, model: FigureModel) -> tuple[Array, Array]:
    """What a facing one sd off moves a point, (2,): by the facing told at first, and by the turns since.

    A tap is learned in whatever frame was told: turned with it, it tells the same places.
    """
    if shown.facing_sd <= 0:
        return np.zeros(2), by_facing
    told = min(1.0, shown.told_sd / shown.facing_sd)
    return by_facing * told * (not model.tapped), by_facing * float(np.sqrt(1 - told**2))


def _point(
    calibration: RingCalibration,
    model: FigureModel,
    shown: Shown,
    before: Sequence[Known],
    learned: bool,
    relate: Relate,
) -> GroundPoint:
    """The ground point with the facing as it is given."""
    look = known(calibration, model, shown)
    error, own = _error(model, look, before, learned, relate)
    rows = error.by_known.copy()
    rows[:, 0] += look.sight.by_height
    return GroundPoint(
        place_of(look, model.mean[0], error.mean),
        look.sight.by_camera - rows @ model.by_camera,
        -rows @ model.root,
        own,
    )


def _error(
    model: FigureModel, look: Known, before: Sequence[Known], learned: bool, relate: Relate
) -> tuple[Error, Array]:
    """What is believed of the error of a look's guess, and the covariance (2, 2) of what nothing else
    shares."""
    pixels, first = look.sight.of_pixels, not before
    found = error_alone(model, look) if first else error_after(model, before, look, relate)
    if not learned:
        return found, found.root @ found.root.T + pixels
    # what is wrong with its guess alone is among the unknowns; a tap is learned in whatever frame was told
    rows = model.rows(model.looks - 1)
    if not first:
        return Error(found.mean, rows, np.zeros((2, 0))), pixels
    rows = rows + model.pixel_rows
    return Error(rows @ model.mean, rows, np.zeros((2, 0))), np.zeros((2, 2))


def known(calibration: RingCalibration, model: FigureModel, shown: Shown) -> Known:
    """What a figure shows with its facing, to learn from."""
    seen = sight(calibration, shown, model.height_sd_cm, camera_root(calibration))
    return Known(shown.faced(shown.facing), seen, shown.facing)
