"""Do two pictures show the same surface where a solid says that both see it?

Plasticine has one colour, so what a picture adds to its silhouette is shading: heads, ears and folds. The
lamp stays where it is when the figure turns; the less two views share, the less their shading agrees
even at the true turn. Expected agreement and its spread were measured on random figures under a lamp; more
agreement than expected is no evidence (a lamp straight above shades a figure alike from all sides).
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.measuring.registration import Array, Canvas, Fit, FragmentView, Picture, Solid

# Expected correlation at a turn t is _EXPECTED * cos(t / 2)^2, with this spread.
_EXPECTED, _SPREAD = 0.85, 0.22
# Evidence against a turn (nats) is capped: shading alone must not overrule silhouettes.
_MOST = 4.0
_BLUR_CM = 0.3
_OFFSET = 8.0  # grey levels added before the logarithm, for black clay
# Clay hides what is behind it: this much light is lost per voxel filled, on a log scale.
_OPACITY = 3.0
# The mean chord of a body is less than twice the distance to its outline.
_CHORD = 1.6
_LEAST_SEEN = 0.05  # share of the visible surface that both views must see
_LEAST_SHADED = 0.02  # spread of a surface's log brightness below which it shows no shading


def evidence_against(
    turn_deg: float, solid: Solid, fit: Fit, points: Array, before: Canvas, after: Canvas
) -> float:
    """How much (nats, 0 to 4) the shading speaks against a turn; 0 without pictures or common surface.

    `points` (N, 3) are the solid's voxels as they lie in the view `after`; `before` is its first view.
    """
    agreement = _agreement(solid, fit, points, before, after)
    if agreement is None:
        return 0.0
    expected = _EXPECTED * np.cos(np.radians(turn_deg) / 2) ** 2
    short = min((agreement - expected) / _SPREAD, 0.0)
    return float(min(0.5 * short**2, _MOST))


def _agreement(solid: Solid, fit: Fit, points: Array, before: Canvas, after: Canvas) -> float | None:
    """Correlation of the brightness of the surface that both views see, where it is shaded at all."""
    if before.view.picture is None or after.view.picture is None:
        return None
    filled = fit.mass * _volume(before) / solid.step_cm**3
    first = filled * _visible(before, solid.points, filled)
    second = _visible(after, points, filled)
    shift = after.cells_per_cm() @ fit.shift_cm * after.cell_px
    a, sure_a = _sample(before, before.pixels(solid.points))
    b, sure_b = _sample(after, after.pixels(points) + shift)
    weight = first * second * (sure_a > 0.5) * (sure_b > 0.5)
    if weight.sum() < _LEAST_SEEN * first.sum():
        return None
    weight = weight / weight.sum()
    a, b = a - weight @ a, b - weight @ b
    spread = np.sqrt([weight @ a**2, weight @ b**2])
    if spread.min() < _LEAST_SHADED:
        return None
    return float(weight @ (a * b) / spread.prod())


def _volume(canvas: Canvas) -> float:
    """A rough volume of the figure in cm^3."""
    solid = (canvas.view.silhouette > 0.5).astype(np.uint8)
    depth = cv2.distanceTransform(np.pad(solid, 1), cv2.DIST_L2, 5)
    return _CHORD * float(depth.sum()) / canvas.px_per_cm**3


def _visible(canvas: Canvas, points: Array, filled: Array) -> Array:
    """How visible (0-1) each voxel (N,) is past the ones before it in its cell."""
    column, row = np.round(canvas.cells(points)).astype(np.int64).T
    cell = row * canvas.thickness.shape[1] + column
    place = points + np.array([*canvas.ground, 0.0])
    order = np.lexsort((np.linalg.norm(place - canvas.camera.centre, axis=1), cell))
    before = np.cumsum(filled[order]) - filled[order]
    starts = np.append(True, np.diff(cell[order]) != 0)
    before -= np.maximum.accumulate(np.where(starts, before, 0.0))
    visible = np.empty(len(points))
    visible[order] = np.exp(-_OPACITY * (before + 0.3 * filled[order]))
    return visible


def _sample(canvas: Canvas, pixels: Array) -> tuple[Array, Array]:
    """Log brightness at pixels (N, 2) of the crop, and how surely it is the figure's."""
    bright, sure = _brightness(canvas.view, _BLUR_CM * canvas.px_per_cm)
    u, v = pixels.astype(np.float32).T[:, None]
    values = [
        np.asarray(cv2.remap(layer, u, v, cv2.INTER_LINEAR, borderValue=0)[0], np.float64)
        for layer in (bright, sure)
    ]
    return values[0], values[1]


def _brightness(view: FragmentView, blur_px: float) -> tuple[Picture, Picture]:
    """Log brightness (H, W), smoothed within the figure only, and 1 where the figure surely is."""
    assert view.picture is not None
    sure = (view.silhouette > 0.9) if view.dont_care is None else (view.silhouette > 0.9) & ~view.dont_care
    inner = cv2.erode(sure.astype(np.float32), np.ones((3, 3)))
    grey = np.log(view.picture.mean(axis=2) + _OFFSET) * inner
    weight = cv2.GaussianBlur(inner, (0, 0), blur_px)
    bright = cv2.GaussianBlur(grey.astype(np.float32), (0, 0), blur_px) / (weight + 1e-3)
    return np.asarray(bright, np.float32), np.asarray(inner, np.float32)
