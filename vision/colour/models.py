"""Teaching colours: from a box that lies inside a figure, or a colour in words, to a model of its plasticine.

The box seeds a region that grows through the figure: pixels likelier under the figure's own colour (any
shading of it) than under the mat, the table or another fighter, joined to the box. The grown region's
colours, in bands of shading, are the model.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from calibration.sentences import Said
from vision.arrays import Floats, Image, Mask, opened
from vision.colour.mixture import FLOOR_SD, Mixture, by_clusters, by_shading
from vision.colour.space import features
from vision.fighters import FighterSpec, about

# Shading from the lit top of a figure to its shaded feet, as a sd of log light around the seed's.
_SHADING_SD = 0.45
# Farther than this from the model (in sd) a pixel is nobody's.
REJECT_SD = 4.5
# The share of pixels a fighter has a priori against the background: a figure is found or lost by this.
LOG_PRIOR = -1.0
# Fewer pixels than this are no background to teach.
_FEWEST_PIXELS = 400


class ColourError(ValueError):
    """A colour that cannot be taught: one sentence that names the fighter and says what to do."""


@dataclass(frozen=True, eq=False)
class Taught:
    """A fighter's colour and where it was seen.

    region (H, W) is empty when taught by a colour value; sample (N, 3) are features of its own pixels. What
    is to be taken for it must be likelier its than anything else's by the margin (log): more than 0 where the
    mat has nearly its colour.
    """

    fighter: str
    model: Mixture
    region: Mask
    sample: Floats
    margin: float = 0.0


def parse_colour(fighter: str, text: str) -> Floats:
    """The BGR levels (3,) of "#rrggbb"; raises ColourError."""
    if not re.fullmatch(r"#[0-9a-fA-F]{6}", text):
        raise ColourError(
            about(
                fighter, Said("error.colour.form", 'colour "{text}" is not of the form "#rrggbb"', text=text)
            )
        )
    return np.array([int(text[i : i + 2], 16) for i in (5, 3, 1)], dtype=np.float64)


def seed_pixels(image: Image, spec: FighterSpec) -> Floats:
    """The features (N, 3) of the pixels in a fighter's colour box; raises ColourError."""
    assert spec.colour_box_px is not None
    u, v, w, h = spec.colour_box_px
    height, width = image.shape[:2]
    if not all(np.isfinite(spec.colour_box_px)) or w < 1 or h < 1:
        raise ColourError(
            about(
                spec.id,
                Said("error.colour.box_small", "the colour box needs a width and a height of at least 1 px"),
            )
        )
    if u < 0 or v < 0 or u + w > width or v + h > height:
        raise ColourError(
            about(
                spec.id,
                Said(
                    "error.colour.box_outside",
                    "the colour box {box} reaches outside the picture, which is {width} x {height}; "
                    "draw it inside the figure",
                    box=str(list(spec.colour_box_px)),
                    width=width,
                    height=height,
                ),
            )
        )
    rows, cols = box_slices(spec.colour_box_px)
    return features(image[rows, cols].reshape(-1, 3))


def box_slices(box: tuple[float, float, float, float]) -> tuple[slice, slice]:
    """The rows and columns of a box (u, v, w, h), at least one of each."""
    u, v, w, h = box
    top, left = round(v), round(u)
    return slice(top, max(top + 1, round(v + h))), slice(left, max(left + 1, round(u + w)))


def teach_background(image: Image, where: Mask, clusters: int = 10) -> Mixture:
    """The mixture of everything that is no fighter, from the pixels of `where` (H, W). Raises ColourError."""
    pixels = image[where]
    if len(pixels) < _FEWEST_PIXELS:
        raise ColourError(
            Said(
                "error.colour.no_table",
                "hardly any table can be seen between the fighters in the picture: move them "
                "apart, or check their heights and the ring's corners in the event file",
            )
        )
    return by_clusters(features(pixels[:: _step(pixels)]), clusters).with_shadows()


def other_pixels(image: Image, where: Mask) -> Floats:
    """Features (N, 3) of pixels of `where` (H, W) that `teach_background` did not look at."""
    pixels = image[where]
    return features(pixels[1 :: _step(pixels)])


def _step(pixels: Image) -> int:
    """Every so many-th pixel (N, 3) is taught, and never all of them."""
    return max(2, len(pixels) // 12_000)


def seed_model(seeds: Floats) -> Mixture:
    """A figure's first model from a few pixels (N, 3) of features: their colour under any shading."""
    spread = np.diag(FLOOR_SD**2) + np.cov(seeds.T) if len(seeds) > 3 else np.diag(FLOOR_SD**2)
    spread = spread + np.diag([0.03**2, 0.03**2, _SHADING_SD**2])
    return Mixture(np.median(seeds, axis=0)[None], spread[None], np.ones(1))


def grow(
    points: Floats,
    seeds: Mask,
    allowed: Mask,
    own: Mixture,
    others: Sequence[Mixture],
    *,
    margin: float = 0.0,
    rounds: int = 3,
) -> tuple[Mask, Mixture]:
    """Grow the seeds (h, w) over the allowed feature pixels (h, w, 3) that are likelier their own than
    others' by a margin (log); returns the region and its model."""
    flat = points.reshape(-1, 3)
    rivals = np.full(len(flat), np.nan)
    region = seeds
    for _ in range(rounds):
        near = np.flatnonzero((own.nearest(flat) < REJECT_SD) & allowed.ravel())
        # The rivals are many: they are asked only about pixels that are in question, and once.
        new = near[np.isnan(rivals[near])]
        if len(new):
            rivals[new] = np.max([other.log_likelihood(flat[new]) for other in others], axis=0)
        likely = np.zeros(len(flat), dtype=bool)
        likely[near] = own.log_likelihood(flat[near]) > rivals[near] + margin
        region = _joined(likely.reshape(seeds.shape), seeds)
        own = by_shading(points[region])
    return region, own


def _joined(likely: Mask, seeds: Mask) -> Mask:
    """The parts of `likely` that touch the seeds, after dropping hair-thin bridges."""
    solid = opened((likely | seeds).astype(np.uint8)) | seeds.astype(np.uint8)
    _, labels = cv2.connectedComponents(solid, connectivity=4)
    touched = np.unique(labels[seeds])
    return np.asarray(np.isin(labels, touched[touched > 0]))
