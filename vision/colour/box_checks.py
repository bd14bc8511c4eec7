"""What a colour box can be on instead of a fighter: refused where that is beyond doubt, else said.

Each has a sentence that says what to do.
"""

from __future__ import annotations

import cv2
import numpy as np

from calibration.sentences import Said
from vision.arrays import Floats, Image, Mask
from vision.colour.mixture import Mixture
from vision.colour.models import REJECT_SD, ColourError, box_slices, seed_model
from vision.colour.space import features
from vision.fighters import FighterSpec, about
from vision.finding.region import Rect

# The far end of a box's colours is another colour when it differs by more than this in CIELAB's hue plane, or
# in lightness, or by parts of both; by less when one end is the bare mat's and the other is not.
_ANOTHER_HUE, _ANOTHER_LIGHT = 32.0, 48.0
_FROM_THE_MAT = 0.65
_THE_MATS_SD, _NOT_THE_MATS_SD = 2.5, 3.5
# Shine is brighter and paler and hardly another hue (a, b): it may differ by so much, if it is not the mat's
# light on the figure's edge.
_SHINE, _ASIDE = 1.8, 12.0
_NEAR_THE_MAT_SD = 8.0
# Lightness counts by this share: shading changes it most.
_LIGHT_WEIGHT = 0.5
# A pixel belongs to the far end beyond this share of the way (an edge is blurred over several pixels), and so
# many of a box's pixels make it one on two colours.
_FAR_OFF = 0.7
_TOO_MANY = 0.25
_FEWEST_SEEDS = 9
# Seeds this close to the bare mat (in sd) are the mat's, unless their own model is so much likelier (log).
_ON_MAT_SD, _CLEARLY_AHEAD = 1.6, 1.0
# What is no livelier than this times the bare mat, usually, is bare mat.
_AS_BARE = 1.3
# Seeds this close to some background (in sd), in a window of which this share is alike, are the table's.
_LIKE_BACKGROUND_SD = 2.0
_ALL_AROUND = 0.40
# A figure's region covers no more than this times its height squared, or this many cm2 (low beasts are
# broad), and no less than that times its height squared.
_LARGEST, _LARGEST_CM2, _SMALLEST = 1.6, 125.0, 0.006
# It does not run along the edge of the box that a figure can fill.
_ALONG_EDGE = 0.15
# A colour written down: less chroma than this is no hue; the hue holds within 20 degrees, the saturation
# hardly; a patch of it is a figure's when a disc of this radius fits in.
_NO_HUE = 0.3
_LIGHT_AS_NAMED = 0.7
_HUE_AS_NAMED = float(np.tan(np.radians(20)))
_SATURATION_AS_NAMED = 0.4
_THICK_PX = 4.0


def parts_of_box(image: Image, spec: FighterSpec, mat: Mixture | None) -> list[Mask]:
    """The pixels (H, W) of a colour box, in two parts when it clearly lies on two colours, the larger first.

    Without a mat to compare with it is never parted: the box was not drawn by a person.
    Shading, shine and blurred edges spread a figure's colour out, but not so far from its most common one.
    """
    assert spec.colour_box_px is not None
    rows, cols = box_slices(spec.colour_box_px)
    fewer = None if mat is None else _other_colour(_smooth_lab(image, spec), mat)
    shape = image[rows, cols].shape[:2]
    parts = [np.ones(shape, bool)] if fewer is None else [~fewer.reshape(shape), fewer.reshape(shape)]
    placed = []
    for part in parts:
        whole = np.zeros(image.shape[:2], dtype=bool)
        whole[rows, cols] = part
        placed.append(whole)
    return placed


def two_colours(spec: FighterSpec) -> Said:
    """What is said of a box on two colours."""
    return about(
        spec.id,
        Said(
            "warning.colour.two",
            "colour_box_px lies on two colours, and the one that more of the figure has is taught; draw it "
            "smaller, where the figure has one colour",
        ),
    )


def check_mat(
    image: Image, spec: FighterSpec, seeds: Floats, mat: Mixture, bare: Mask, radius_px: float
) -> bool:
    """Whether a box's colour, seeds (N, 3), is hardly different from the mat's.

    Raises ColourError when nothing stands within radius_px either; `bare` (H, W) is mat on which nothing is.
    """
    lead = np.median(seed_model(seeds).log_likelihood(seeds) - mat.log_likelihood(seeds))
    if np.median(mat.nearest(seeds)) >= _ON_MAT_SD or lead >= _CLEARLY_AHEAD:
        return False
    assert spec.colour_box_px is not None
    u, v, w, h = spec.colour_box_px
    lively = _liveliness(image, radius_px)
    if lively[round(v + h / 2), round(u + w / 2)] < _AS_BARE * np.median(lively[bare]):
        raise ColourError(
            about(
                spec.id,
                Said(
                    "error.colour.on_mat",
                    "the colour box lies on the mat, or the figure has the mat's colour; draw the "
                    "box inside the figure",
                ),
            )
        )
    return True


def like_the_mat(spec: FighterSpec) -> Said:
    """What is said of a figure that is hard to tell from the mat."""
    return about(
        spec.id,
        Said(
            "warning.colour.mat",
            "the colour in colour_box_px is hardly different from the mat's: parts of the figure are not "
            "seen, and where it stands is less sure; draw the box on its strongest "
            "colour, or play on another mat",
        ),
    )


def _liveliness(image: Image, radius_px: float) -> Floats:
    """How much brightness changes around every pixel (H, W), on average within a radius."""
    grey = cv2.GaussianBlur(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY).astype(np.float32), (0, 0), 1.5)
    steps = np.hypot(cv2.Sobel(grey, cv2.CV_32F, 1, 0), cv2.Sobel(grey, cv2.CV_32F, 0, 1))
    side = 2 * max(2, round(radius_px)) + 1
    return np.asarray(cv2.blur(steps, (side, side)), dtype=np.float64)


def _other_colour(inside: Floats, mat: Mixture) -> Mask | None:
    """Which of a box's pixels (N, 3) in CIELAB have a clearly other colour than most, when many have."""
    if len(inside) < _FEWEST_SEEDS:
        return None
    weighted = inside * (_LIGHT_WEIGHT, 1.0, 1.0)
    centred = weighted - weighted.mean(axis=0)
    along = centred @ np.linalg.svd(centred, full_matrices=False)[2][0]
    fewer = along > _between_two(along)
    if fewer.mean() > 0.5:
        along, fewer = -along, ~fewer
    if not fewer.any():
        return None
    most = np.median(inside[~fewer], axis=0)
    other = np.median(inside[along >= np.median(along[fewer])], axis=0)
    if _difference(most, other) <= _allowed(most, other, mat):
        return None
    way = (other - most) * (_LIGHT_WEIGHT, 1.0, 1.0)
    share = (weighted - most * (_LIGHT_WEIGHT, 1.0, 1.0)) @ way / (way @ way)
    return fewer if np.mean(share > _FAR_OFF) >= _TOO_MANY else None


def _smooth_lab(image: Image, spec: FighterSpec) -> Floats:
    """The box's pixels (N, 3) in CIELAB, noise smoothed away."""
    assert spec.colour_box_px is not None
    rows, cols = box_slices(spec.colour_box_px)
    top, left = max(0, rows.start - 2), max(0, cols.start - 2)
    around = cv2.blur(image[top : rows.stop + 2, left : cols.stop + 2], (3, 3))
    lab = np.asarray(cv2.cvtColor(around.astype(np.float32) / 255, cv2.COLOR_BGR2LAB), dtype=np.float64)
    return lab[rows.start - top : rows.stop - top, cols.start - left : cols.stop - left].reshape(-1, 3)


def _between_two(values: Floats) -> float:
    """The threshold that splits values (N,) best in two (Otsu 1979)."""
    ordered = np.sort(values)
    below = np.arange(1, len(ordered))
    sums = np.cumsum(ordered)
    step = (sums[-1] - sums[:-1]) / (len(ordered) - below) - sums[:-1] / below
    best = int(np.argmax(below * (len(ordered) - below) * step**2))
    return float(ordered[best] + ordered[best + 1]) / 2


def _difference(one: Floats, other: Floats) -> float:
    """How much two CIELAB colours (3,) differ beyond shading: 1 is clearly. In the dark a hue is fainter."""
    fainter = min(1.0, other[0] / max(1.0, one[0]))
    hue = np.hypot(*(other[1:] - one[1:] * fainter))
    return float(hue / _ANOTHER_HUE + abs(other[0] - one[0]) / _ANOTHER_LIGHT)


def _allowed(one: Floats, other: Floats, mat: Mixture) -> float:
    """The `_difference` that two CIELAB colours (3,) of one figure may have."""
    dark, bright = sorted((one, other), key=lambda colour: float(colour[0]))
    lab = np.stack([dark, bright])[None].astype(np.float32)
    off_dark, off_bright = mat.nearest(features(255.0 * np.asarray(cv2.cvtColor(lab, cv2.COLOR_LAB2BGR))[0]))
    if min(off_dark, off_bright) < _THE_MATS_SD and max(off_dark, off_bright) > _NOT_THE_MATS_SD:
        return _FROM_THE_MAT
    if off_bright < _NEAR_THE_MAT_SD:
        return 1.0
    strength = max(1.0, float(np.hypot(*dark[1:])))
    aside = abs(dark[1] * bright[2] - dark[2] * bright[1]) / strength
    paler = -_ASIDE < dark[1:] @ bright[1:] / strength < strength
    return _SHINE if paler and aside < _ASIDE else 1.0


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
            about(
                spec.id,
                Said(
                    "error.colour.on_table",
                    "the colour box lies on the table or a hand, or on something of its colour; draw "
                    "it inside the figure",
                ),
            )
        )


def too_much(spec: FighterSpec, region: Mask, window: Rect, px_per_cm: float) -> bool:
    """Whether a grown region (H, W) is more than any figure of this height can be."""
    u0, v0, u1, v1 = window
    inside = region[v0:v1, u0:u1]
    edge = np.concatenate([inside[0], inside[-1], inside[:, 0], inside[:, -1]])
    area = np.count_nonzero(region) / px_per_cm**2
    return bool(area > max(_LARGEST * spec.height_cm**2, _LARGEST_CM2) or edge.mean() > _ALONG_EDGE)


def check_region(spec: FighterSpec, region: Mask, window: Rect, px_per_cm: float) -> None:
    """Refuse a grown region (H, W) that no figure of this height can be. Raises ColourError."""
    area = np.count_nonzero(region) / px_per_cm**2
    if too_much(spec, region, window, px_per_cm):
        raise ColourError(
            about(
                spec.id,
                Said(
                    "error.colour.too_much",
                    "the colour goes on for {area:.0f} cm2 and more, too much for a figure of {cm} "
                    "cm; the box lies on the table or a hand, or something alike touches it",
                    area=area,
                    cm=spec.height_cm,
                ),
            )
        )
    if area < _SMALLEST * spec.height_cm**2:
        raise ColourError(
            about(
                spec.id,
                Said(
                    "error.colour.too_little",
                    "only {area:.1f} cm2 have the colour of the box, too little for a figure of {cm} "
                    "cm; draw the box on the figure's main colour",
                    area=area,
                    cm=spec.height_cm,
                ),
            )
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
    raise ColourError(
        about(
            spec.id,
            Said(
                "error.colour.nowhere",
                "nothing of the colour {colour} is in or beside the ring",
                colour=spec.colour or "",
            ),
        )
    )


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
