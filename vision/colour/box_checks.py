"""What a colour box can be on instead of a fighter, each refused with a sentence that says what to do."""

from __future__ import annotations

import cv2
import numpy as np

from vision.arrays import Floats, Image, Mask
from vision.colour.mixture import Mixture
from vision.colour.models import REJECT_SD, ColourError, box_slices, seed_model
from vision.colour.space import features
from vision.fighters import FighterSpec
from vision.finding.region import Rect

# Two parts of a box differ by more than this in CIELAB's hue plane or lightness, and by so many of their own
# sds: two colours. Shading within a figure does less.
_TWO_HUES = 28.0
_TWO_LIGHTS = 40.0
_TWO_HUMPS = 2.0
_SMALLER_HALF = 0.2
_FEWEST_SEEDS = 9
# Seeds this close to the bare mat (in sd) are the mat.
_ON_MAT_SD = 1.6
# Seeds this close to some background (in sd), in a window of which this share is alike, are the table's.
_LIKE_BACKGROUND_SD = 2.0
_ALL_AROUND = 0.40
# A figure's region covers no more than this times its height squared, and no less than that (cm2).
_LARGEST, _SMALLEST = 1.3, 0.006
# It does not run along the edge of the box that a figure can fill.
_ALONG_EDGE = 0.15
# A colour written down: less chroma than this is no hue; the hue holds within 20 degrees, the saturation
# hardly; a patch of it is a figure's when a disc of this radius fits in.
_NO_HUE = 0.3
_LIGHT_AS_NAMED = 0.7
_HUE_AS_NAMED = float(np.tan(np.radians(20)))
_SATURATION_AS_NAMED = 0.4
_THICK_PX = 4.0


def check_box(image: Image, spec: FighterSpec, seeds: Floats, mat: Mixture) -> None:
    """Refuse a colour box on two colours or on the mat; seeds (N, 3) are its features. Raises ColourError."""
    if _shows_two_colours(image, spec):
        raise ColourError(
            f"fighter {spec.id}: the colour box lies on two colours; "
            "make it smaller and draw it where the figure has one colour"
        )
    if np.median(mat.nearest(seeds)) < _ON_MAT_SD:
        raise ColourError(
            f"fighter {spec.id}: the colour box lies on the mat, or the figure has the mat's colour; "
            "draw the box inside the figure"
        )


def _shows_two_colours(image: Image, spec: FighterSpec) -> bool:
    """Whether the box's pixels, noise smoothed away, fall into two humps in CIELAB."""
    assert spec.colour_box_px is not None
    rows, cols = box_slices(spec.colour_box_px)
    around = image[max(0, rows.start - 2) : rows.stop + 2, max(0, cols.start - 2) : cols.stop + 2]
    smooth = cv2.cvtColor(cv2.blur(around, (3, 3)).astype(np.float32) / 255, cv2.COLOR_BGR2LAB)
    inside = np.asarray(smooth, dtype=np.float64)[
        rows.start - max(0, rows.start - 2) :, cols.start - max(0, cols.start - 2) :
    ][: rows.stop - rows.start, : cols.stop - cols.start].reshape(-1, 3)
    if len(inside) < _FEWEST_SEEDS:
        return False
    centred = inside - inside.mean(axis=0)
    across = centred @ np.linalg.svd(centred, full_matrices=False)[2][0]
    second = across > (across.min() + across.max()) / 2
    if not _SMALLER_HALF <= second.mean() <= 1 - _SMALLER_HALF:
        return False
    within = np.sqrt((across[second].var() + across[~second].var()) / 2)
    step = inside[second].mean(axis=0) - inside[~second].mean(axis=0)
    if np.linalg.norm(step) < _TWO_HUMPS * within:
        return False
    return bool(np.hypot(step[1], step[2]) > _TWO_HUES or abs(step[0]) > _TWO_LIGHTS)


def check_surroundings(
    image: Image, spec: FighterSpec, seeds: Floats, window: Rect, contrast: Mixture, mat: Mixture
) -> None:
    """Refuse a box whose colour is that of what lies around it: the table. Raises ColourError.

    Alone, a likeness to the background proves nothing: a red box beside the ring is background too.
    """
    if np.median(contrast.nearest(seeds)) > _LIKE_BACKGROUND_SD:
        return
    u0, v0, u1, v1 = window
    around = features(image[v0:v1:3, u0:u1:3]).reshape(-1, 3)
    own = seed_model(seeds)
    alike = (own.nearest(around) < REJECT_SD) & (own.log_likelihood(around) > mat.log_likelihood(around))
    if alike.mean() > _ALL_AROUND:
        raise ColourError(
            f"fighter {spec.id}: the colour box lies on the table or a hand, or on something of its colour; "
            "draw it inside the figure"
        )


def check_region(spec: FighterSpec, region: Mask, window: Rect, px_per_cm: float) -> None:
    """Refuse a grown region (H, W) that no figure of this height can be. Raises ColourError."""
    area = np.count_nonzero(region) / px_per_cm**2
    u0, v0, u1, v1 = window
    inside = region[v0:v1, u0:u1]
    edge = np.concatenate([inside[0], inside[-1], inside[:, 0], inside[:, -1]])
    if area > _LARGEST * spec.height_cm**2 or edge.mean() > _ALONG_EDGE:
        raise ColourError(
            f"fighter {spec.id}: the colour goes on for {area:.0f} cm2 and more, too much for a figure of "
            f"{spec.height_cm:g} cm; the box lies on the table or a hand, or something alike touches it"
        )
    if area < _SMALLEST * spec.height_cm**2:
        raise ColourError(
            f"fighter {spec.id}: only {area:.1f} cm2 have the colour of the box, too little for a figure of "
            f"{spec.height_cm:g} cm; draw the box on the figure's main colour"
        )


def locate_colour(image: Image, spec: FighterSpec, seeds: Floats, where: Mask) -> tuple[float, ...]:
    """A small box (u, v, w, h) in the thickest patch of a named colour inside `where` (H, W).

    The very colour is looked for first, then its hue. Raises ColourError when there is neither.
    """
    pixels = features(image)
    exact = seed_model(seeds).nearest(pixels.reshape(-1, 3)) < REJECT_SD
    for likely in (exact.reshape(where.shape), _of_named_colour(pixels, np.median(seeds, axis=0))):
        depth = cv2.distanceTransform((likely & where).astype(np.uint8), cv2.DIST_L2, 3)
        v, u = np.unravel_index(int(np.argmax(depth)), where.shape)
        if depth[v, u] >= _THICK_PX:
            half = int(depth[v, u] / 2)
            return float(u - half), float(v - half), float(2 * half), float(2 * half)
    raise ColourError(f"fighter {spec.id}: nothing of the colour {spec.colour} is in or beside the ring")


def _of_named_colour(pixels: Floats, named: Floats) -> Mask:
    """Which pixels (H, W, 3) can be the colour somebody wrote down (3,): hue counts, saturation hardly.

    What has no hue (white, grey, black) must have its lightness instead.
    """
    chroma = np.hypot(named[0], named[1])
    if chroma < _NO_HUE:
        grey = np.hypot(pixels[..., 0], pixels[..., 1]) < _NO_HUE
        return np.asarray(grey & (np.abs(pixels[..., 2] - named[2]) < _LIGHT_AS_NAMED))
    along = (pixels[..., 0] * named[0] + pixels[..., 1] * named[1]) / chroma
    across = (pixels[..., 1] * named[0] - pixels[..., 0] * named[1]) / chroma
    return np.asarray((along > _SATURATION_AS_NAMED * chroma) & (np.abs(across) < _HUE_AS_NAMED * along))
