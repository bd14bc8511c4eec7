"""Teaching every fighter of a match on one picture, with what stands around them as the contrast."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from vision.arrays import Floats, Image, Mask, dilated
from vision.colour_space import features
from vision.colours import ColourError, Taught, grow, parse_colour, seed_model, seed_pixels, teach_background
from vision.fighters import FighterSpec
from vision.mixture import Mixture
from vision.region import Rect

# A mat is one material with some texture.
_MAT_CLUSTERS = 3
# So many of a figure's pixels are kept to test other colours against.
_SAMPLE = 1500


@dataclass(frozen=True, eq=False)
class Grounds:
    """What the picture shows besides fighters, (H, W) each.

    watched is where fighters can be, mat the mat, furniture the ropes and posts, which teach nothing.
    """

    watched: Mask
    mat: Mask
    furniture: Mask


@dataclass(frozen=True, eq=False)
class Palette:
    """The taught fighters, in order, and the background they were told apart from."""

    fighters: tuple[Taught, ...]
    background: Mixture
    mat: Mixture


def teach_palette(
    image: Image,
    fighters: Sequence[FighterSpec],
    windows: Mapping[str, Rect],
    grounds: Grounds,
) -> Palette:
    """Teach all fighters on a picture (H, W, 3) BGR.

    `windows` holds the picture box each boxed fighter must lie in. Raises ColourError.

    Two passes: the first contrast is the region outside all windows; the second is everything outside the
    grown figures, which brings in the shadows they really throw.
    """
    seeds = {spec.id: _seeds(image, spec) for spec in fighters}
    models = {name: seed_model(points) for name, points in seeds.items()}
    outside = grounds.watched & ~grounds.furniture
    for u0, v0, u1, v1 in windows.values():
        outside[v0:v1, u0:u1] = False
    regions: dict[str, Mask] = {}
    for _ in range(2):
        contrast = teach_background(image, outside)
        for spec in fighters:
            if spec.id not in windows:
                continue
            rivals = [contrast, *(models[other.id] for other in fighters if other.id != spec.id)]
            regions[spec.id], models[spec.id] = _grow_in(image, spec, windows[spec.id], grounds, rivals)
        grown = np.any(list(regions.values()), axis=0) if regions else np.zeros(grounds.mat.shape, bool)
        outside = grounds.watched & ~grounds.furniture & (dilated(grown.astype(np.uint8), 3) == 0)
    mat = teach_background(image, outside & grounds.mat, _MAT_CLUSTERS)
    taught = tuple(_taught(image, spec, models[spec.id], seeds[spec.id], regions) for spec in fighters)
    return Palette(taught, contrast, mat)


def _taught(
    image: Image, spec: FighterSpec, model: Mixture, seeds: Floats, regions: Mapping[str, Mask]
) -> Taught:
    region = regions.get(spec.id)
    if region is None:
        return Taught(spec.id, model, np.zeros(image.shape[:2], dtype=bool), seeds)
    pixels = image[region]
    return Taught(spec.id, model, region, features(pixels[:: max(1, len(pixels) // _SAMPLE)]))


def _seeds(image: Image, spec: FighterSpec) -> Floats:
    if spec.colour_box_px is not None:
        return seed_pixels(image, spec)
    if spec.colour is None:
        raise ColourError(f"fighter {spec.id}: give colour_box_px or colour")
    return features(parse_colour(spec.id, spec.colour)[None])


def _grow_in(
    image: Image, spec: FighterSpec, window: Rect, grounds: Grounds, rivals: Sequence[Mixture]
) -> tuple[Mask, Mixture]:
    assert spec.colour_box_px is not None
    u0, v0, u1, v1 = window
    u, v, w, h = (round(x) for x in spec.colour_box_px)
    seeds = np.zeros((v1 - v0, u1 - u0), dtype=bool)
    seeds[max(0, v - v0) : max(1, v + h - v0), max(0, u - u0) : max(1, u + w - u0)] = True
    pixels = features(image[v0:v1, u0:u1])
    allowed = ~grounds.furniture[v0:v1, u0:u1] | seeds
    inside, model = grow(pixels, seeds, allowed, seed_model(pixels[seeds]), rivals)
    region = np.zeros(image.shape[:2], dtype=bool)
    region[v0:v1, u0:u1] = inside
    return region, model
