"""Where a standing figure touches the table, and what that costs in certainty.

The model has few numbers and each has a meaning. The steady middle of a silhouette is the picture of one
point of the body: a share of its height up, a little in front of its sole (more so in a long body, whose head
reaches out over its fore feet), elsewhere by what a tap on its feet teaches. That point is only nearly fixed:
as the view changes it wanders a little, modelled as a quadratic polynomial, with random coefficients, of the
direction from which the body is seen. So the same view gives the same error (it cancels in a move) and
opposite views give unrelated ones.

One tap cannot tell a middle that is further up from one that is further back: after a large turn that is
the largest error. It is told by what stands on the table: the near rim of the silhouette is that of the sole,
half a sole away from its middle, and half a sole is the same length from both ends.

All of it is linear and Gaussian: with s the figure's unknowns, f the camera's,

    ground point = plane point of the middle - B s - C f,     tap = ground point + noise,
    near rim - middle, along the view = R s + noise

and one Kalman update folds in the tap, one each near rim. The camera is a *considered* parameter (Schmidt
1966): a tap does not re-calibrate it, but its error is carried through. The unknowns are (front, side) of the
middle, its height, four linear and six quadratic coefficients of its wandering, and four of the sole's rim;
what is believed of them beforehand depends on the class (`vision.measuring.builds`).
`python -m datasets.accuracy` measures all of it on the clips, `python -m datasets.modelled` on figures that
nothing was fitted to.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from calibration.result import RingCalibration
from vision.fighters import TAP_SD_PX
from vision.measuring.builds import Build, Shape
from vision.measuring.sight import Middle, Sight, sight
from vision.measuring.silhouette import SHARE_OF_HEIGHT

Array = NDArray[np.float64]

# A tap further off than this share of the height, from where the feet should be, was not on these feet.
_TAP_GATE = 0.6
# Squared Mahalanobis distance beyond which a tap and the silhouette contradict each other: of taps that are
# right, one in three thousand.
_CONTRADICTION = 16.0
# The probability that the tap was right all the same: the height was measured wrong, a shadow was taken for
# the figure. In rendered clips that nothing was tuned on it was the silhouette at least as often.
_TAP_RIGHT = 0.5
# Which of the unknowns is the height of the middle.
_UP = 2


@dataclass(frozen=True, eq=False)
class FigureModel:
    """What is believed of a figure: mean (Q,), gain of the camera's error (Q, P), root (Q, Q) of the rest.

    `by_middle` (Q, 2) is the gain of the error of the middle it was learned from, in units of its two
    factors: in that fragment the same error moves the place and the belief, and most of it cancels.
    `disputed_cm` is how far a tap lies from where the feet should be, when it was not believed.
    """

    height_cm: float
    build: Build
    mean: Array
    by_camera: Array
    root: Array
    by_middle: Array
    tapped: bool
    disputed_cm: float | None = None


@dataclass(frozen=True, eq=False)
class GroundPoint:
    """xy (2,) in cm with loadings camera (2, P), figure (2, Q) and own covariance (2, 2)."""

    xy: Array
    camera: Array
    figure: Array
    own: Array


def untaught(
    calibration: RingCalibration,
    height_cm: float,
    build: Build,
    shape: Shape | None = None,
    *,
    height_sd_cm: float = 0.0,
) -> FigureModel:
    """The belief before a tap, of a figure of this build and of this height, told with that sd."""
    usual = build.mean(shape or Shape())
    # a figure that is taller than told is larger all over, and its middle is that much further up
    taller = usual.copy()
    taller[_UP] += SHARE_OF_HEIGHT
    mean = height_cm * usual
    root = _root(np.diag((height_cm * build.spread()) ** 2) + height_sd_cm**2 * np.outer(taller, taller))
    by_camera, by_middle = np.zeros((len(mean), len(calibration.parameters))), np.zeros((len(mean), 2))
    return FigureModel(height_cm, build, mean, by_camera, root, by_middle, False)


def taught(
    calibration: RingCalibration,
    model: FigureModel,
    middle: Middle,
    foot_px: Array,
    tap_sd_px: float = TAP_SD_PX,
) -> FigureModel:
    """The belief after a tap at foot_px (2,) on the feet, in px with its sd, in the fragment of that middle.

    A tap that contradicts silhouette and height by far more than their errors allow is disputed and not
    believed: the belief stays, but wide enough for the tap to be right. One that cannot be on this figure's
    feet (0.6 of its height away from where they should be) does not even widen it.
    """
    seen = _sight(calibration, model, middle)
    foot = np.asarray(foot_px, dtype=np.float64).reshape(1, 2)
    by_px = calibration.plane_jacobian_px(foot, 0.0)[0] * tap_sd_px
    by_camera = calibration.plane_jacobian(foot, 0.0)[0] @ camera_root(calibration) - seen.by_camera
    away_from_tap = seen.raw - calibration.camera.to_plane(foot)[0]
    told = _Told(away_from_tap, seen.by_figure, by_camera, _root(seen.own), by_px @ by_px.T)
    surprise, expected, gain = _weighed(model, told)
    away = float(np.hypot(*surprise))
    if away > _TAP_GATE * model.height_cm:
        return replace(model, disputed_cm=away)
    if float(surprise @ np.linalg.solve(expected, surprise)) > _CONTRADICTION:
        shift = np.zeros(len(model.mean))
        shift[:2] = seen.by_figure[:, :2].T @ surprise
        widened = model.root @ model.root.T + _TAP_RIGHT * np.outer(shift, shift)
        return replace(model, root=_root(widened), disputed_cm=away)
    return replace(_kept(_learned(model, told), gain, told), tapped=True)


def stood(calibration: RingCalibration, model: FigureModel, middle: Middle) -> FigureModel:
    """The belief after the near rim of the sole was seen in a fragment, for all later fragments."""
    seen = _sight(calibration, model, middle)
    if seen.rim is None or model.disputed_cm is not None:
        # a silhouette that contradicts the tap is not asked where its rim is
        return model
    told = _told_by(seen, its_own=False)
    _, _, gain = _weighed(model, told)
    return _kept(_learned(model, told), gain, told)


def ground_point(
    calibration: RingCalibration, model: FigureModel, middle: Middle, *, learned: bool = False
) -> GroundPoint:
    """Where the figure stands in the fragment whose middle is given; `learned` when the model has learned
    from the middle and the near rim of this very fragment.

    The place belongs to the facing that is shown; that of the other facing counts as doubt about it.
    """
    middle = replace(middle, rim_px=None) if learned or model.disputed_cm is not None else middle
    point, likely = _point(calibration, model, middle, learned)
    turned = _point(calibration, model, replace(middle, facing=middle.facing + middle.facing_sd))[0]
    by_told, by_turn = _split(turned.xy - point.xy, middle, model)
    point = replace(point, figure=np.column_stack([point.figure, by_told]))
    doubt = np.outer(by_turn, by_turn)
    if middle.rival_share > 0:
        other, unlikely = _point(calibration, model, replace(middle, facing=middle.rival))
        share = middle.rival_share * unlikely
        share /= share + (1 - middle.rival_share) * likely
        doubt = doubt + share * np.outer(other.xy - point.xy, other.xy - point.xy)
    return replace(point, own=point.own + doubt)


def _split(by_facing: Array, middle: Middle, model: FigureModel) -> tuple[Array, Array]:
    """What a facing one sd off moves a point, (2,): by the facing told at first, and by the turns since.

    A tap is learned in whatever frame was told: turned with it, it tells the same places.
    """
    if middle.facing_sd <= 0:
        return np.zeros(2), by_facing
    told = min(1.0, middle.told_sd / middle.facing_sd)
    return by_facing * told * (not model.tapped), by_facing * float(np.sqrt(1 - told**2))


def _point(
    calibration: RingCalibration, model: FigureModel, middle: Middle, learned: bool = False
) -> tuple[GroundPoint, float]:
    """The ground point with the facing as it is given, and how likely the near rim is with it."""
    seen = _sight(calibration, model, middle)
    likely, own = 1.0, np.zeros((2, 2)) if learned else seen.own
    if seen.rim is not None:
        told = _told_by(seen, its_own=True)
        surprise, expected, gain = _weighed(model, told)
        likely = float(np.exp(-0.5 * surprise[0] ** 2 / expected[0, 0]) / np.sqrt(expected[0, 0]))
        model = _learned(model, told)
        # the middle's own error is in the distance to the rim too
        by_rim = seen.by_figure @ gain
        through = np.eye(2) + by_rim @ seen.rim.away[None]
        own = through @ seen.own @ through.T + seen.rim.own * by_rim @ by_rim.T
    by_middle = learned * _root(seen.own) - seen.by_figure @ model.by_middle
    point = GroundPoint(
        seen.raw - seen.by_figure @ model.mean,
        seen.by_camera - seen.by_figure @ model.by_camera,
        np.column_stack([-seen.by_figure @ model.root, by_middle]),
        own,
    )
    return point, likely


@dataclass(frozen=True, eq=False)
class _Told:
    """An observation (M,) of the unknowns: rows (M, Q), camera (M, P), by the two factors of the middle's
    error (M, 2) where that is accounted for, and the covariance (M, M) of the rest of its noise."""

    value: Array
    by_figure: Array
    by_camera: Array
    by_middle: Array
    noise: Array


def _told_by(seen: Sight, *, its_own: bool) -> _Told:
    """The near rim; the middle's error, which is in it too, counts as noise when it is the rim's own."""
    rim = seen.rim
    assert rim is not None
    by_middle = -rim.away[None] @ _root(seen.own)
    noise = np.array([[rim.own]])
    if its_own:
        noise, by_middle = noise + by_middle @ by_middle.T, np.zeros((1, 2))
    return _Told(np.array([rim.distance]), rim.by_figure[None], rim.by_camera[None], by_middle, noise)


def _weighed(model: FigureModel, told: _Told) -> tuple[Array, Array, Array]:
    """Surprise (M,), its covariance (M, M), and the gain (Q, M)."""
    rows = told.by_figure @ model.root
    camera = told.by_camera + told.by_figure @ model.by_camera
    middle = told.by_middle - told.by_figure @ model.by_middle
    expected = rows @ rows.T + camera @ camera.T + middle @ middle.T + told.noise
    gain = np.linalg.solve(expected, rows @ model.root.T).T
    return told.value - told.by_figure @ model.mean, expected, np.asarray(gain)


def _learned(model: FigureModel, told: _Told) -> FigureModel:
    """The belief after an observation, its own noise left out: the factors of the rest stay what they are."""
    surprise, _, gain = _weighed(model, told)
    keep = np.eye(len(model.mean)) - gain @ told.by_figure
    camera = told.by_camera + told.by_figure @ model.by_camera
    return replace(
        model,
        mean=model.mean + gain @ surprise,
        by_camera=model.by_camera - gain @ camera,
        root=keep @ model.root,
        by_middle=model.by_middle + gain @ (told.by_middle - told.by_figure @ model.by_middle),
    )


def _kept(learned: FigureModel, gain: Array, told: _Told) -> FigureModel:
    """A belief with the noise of the observation it was learned from."""
    return replace(learned, root=_root(learned.root @ learned.root.T + gain @ told.noise @ gain.T))


def _sight(calibration: RingCalibration, model: FigureModel, middle: Middle) -> Sight:
    return sight(calibration, model.build, model.height_cm, middle, camera_root(calibration))


def camera_root(calibration: RingCalibration) -> Array:
    """A (P, P) root of the camera's covariance: unit-variance factors shared by everything measured."""
    return _root(calibration.covariance)


def _root(covariance: Array) -> Array:
    """R with R R^T = covariance, for any positive semidefinite covariance.

    It changes as little as the covariance does (no eigenvector changes its sign), so that loadings found
    with a few frames and with many are those of the same factors.
    """
    scale = np.sqrt(np.maximum(np.diag(covariance), 1e-300))
    values, vectors = np.linalg.eigh(covariance / np.outer(scale, scale))
    return np.asarray(scale[:, None] * (vectors * np.sqrt(np.maximum(values, 0.0))) @ vectors.T)
