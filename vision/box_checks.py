"""What a colour box can be on instead of a fighter, each refused with a sentence that says what to do."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Floats, Image, Mask
from vision.colour_space import features
from vision.colours import REJECT_SD, ColourError, seed_model
from vision.fighters import FighterSpec
from vision.mixture import Mixture
from vision.region import Rect

# Two halves of a box differ by more than this in hue or in log light: two colours.
_TWO_HUES = 0.30
_TWO_LIGHTS = 0.9
_SMALLER_HALF = 0.2
# One hump split in the middle is 2.7 of its halves' sds wide; two colours are farther apart.
_TWO_HUMPS = 3.1
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


def check_seeds(spec: FighterSpec, seeds: Floats, mat: Mixture) -> None:
    """Refuse seeds (N, 3) of two colours, or of the mat's. Raises ColourError."""
    if len(seeds) >= 8:
        _, labels, _ = cv2.kmeans(
            seeds.astype(np.float32), 2, _split(seeds), (cv2.TERM_CRITERIA_COUNT, 10, 0.0), 1,
            cv2.KMEANS_USE_INITIAL_LABELS,
        )  # fmt: skip
        if _are_two(seeds, np.asarray(labels).ravel() > 0):
            raise ColourError(
                f"fighter {spec.id}: the colour box lies on two colours; "
                "make it smaller and draw it where the figure has one colour"
            )
    if np.median(mat.nearest(seeds)) < _ON_MAT_SD:
        raise ColourError(
            f"fighter {spec.id}: the colour box lies on the mat, or the figure has the mat's colour; "
            "draw the box inside the figure"
        )


def _are_two(seeds: Floats, second: Mask) -> bool:
    """Whether a split of the seeds (N, 3) is into two colours, not through the noise of one."""
    if not _SMALLER_HALF <= second.mean() <= 1 - _SMALLER_HALF:
        return False
    step = seeds[second].mean(axis=0) - seeds[~second].mean(axis=0)
    across = seeds @ (step / np.linalg.norm(step))
    within = np.hypot(across[second].std(), across[~second].std()) / np.sqrt(2.0)
    if np.linalg.norm(step) < _TWO_HUMPS * within:
        return False
    return bool(np.abs(step[:2]).max() > _TWO_HUES or abs(step[2]) > _TWO_LIGHTS)


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


def _split(seeds: Floats) -> NDArray[np.int32]:
    """A first split across the direction in which the seeds vary most."""
    centred = seeds - np.median(seeds, axis=0)
    direction = np.linalg.svd(centred, full_matrices=False)[2][0]
    return np.asarray(centred @ direction > 0, dtype=np.int32)[:, None]


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
