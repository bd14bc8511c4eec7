"""Teaching every fighter of a match on one picture, with what stands around them as the contrast."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from calibration.sentences import Said
from vision.arrays import Floats, Image, Mask, as_bytes, dilated
from vision.colour.box_checks import check_box, check_region, check_surroundings, locate_colour
from vision.colour.mixture import Mixture
from vision.colour.models import (
    REJECT_SD,
    ColourError,
    Taught,
    grow,
    other_pixels,
    parse_colour,
    seed_model,
    seed_pixels,
    teach_background,
)
from vision.colour.separability import check_pairs, check_seed_pairs
from vision.colour.space import features
from vision.fighters import FighterSpec, about
from vision.finding.region import TALLEST_CM, Rect, TableView

# A mat is one material with some texture.
_MAT_CLUSTERS = 3
_FEWEST_MAT_PIXELS = 400
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
    """The taught fighters, in order, and the background they were told apart from.

    mat_sample and around_sample (N, 3) are features of pixels of the mat and of all that is no fighter, the
    mat included, that were not taught.
    """

    fighters: tuple[Taught, ...]
    background: Mixture
    mat: Mixture
    mat_sample: Floats
    around_sample: Floats

    @property
    def grounds(self) -> dict[str, tuple[Mixture, Floats]]:
        """What is no fighter, for the rating of the palette: model and sample by name."""
        return {"mat": (self.mat, self.mat_sample), "table": (self.background, self.around_sample)}


def teach_palette(
    image: Image, fighters: Sequence[FighterSpec], grounds: Grounds, table: TableView
) -> Palette:
    """Teach all fighters on a picture (H, W, 3) BGR. Raises ColourError.

    Two passes: the first contrast is the region outside the boxes that figures can fill; the second is
    everything outside the grown figures, which brings in the shadows they really throw. Parts of a figure
    that did not grow, but are likelier its colour than the first contrast's, are no background either.
    """
    seeds = {spec.id: _seeds(image, spec) for spec in fighters}
    boxed = [_with_box(image, spec, seeds[spec.id], grounds) for spec in fighters]
    seeds = {spec.id: seed_pixels(image, spec) for spec in boxed}
    windows = {spec.id: figure_window(spec, table) for spec in boxed}
    outside = grounds.watched & ~grounds.furniture
    for u0, v0, u1, v1 in windows.values():
        outside[v0:v1, u0:u1] = False
    bare = _teach_mat(image, outside, grounds)
    for spec in fighters:
        if spec.colour_box_px is not None:
            check_box(image, spec, seeds[spec.id], bare)
    models = {name: seed_model(points) for name, points in seeds.items()}
    check_seed_pairs(seeds, models)
    contrast = teach_background(image, outside)
    for spec in boxed:
        check_surroundings(image, spec, seeds[spec.id], windows[spec.id], contrast, bare)
    likely = _likely_theirs(image, windows, models, contrast)
    regions: dict[str, Mask] = {}
    for again in (False, True):
        contrast = teach_background(image, outside) if again else contrast
        for spec in boxed:
            rivals = [contrast, *(models[other.id] for other in boxed if other.id != spec.id)]
            regions[spec.id], models[spec.id] = _grow_in(image, spec, windows[spec.id], grounds, rivals)
        grown = np.any(list(regions.values()), axis=0)
        outside = grounds.watched & ~grounds.furniture & (dilated(as_bytes(grown), 3) == 0) & ~likely
    mat = _teach_mat(image, outside, grounds)
    for spec in boxed:
        u0, v0, u1, v1 = windows[spec.id]
        scale = table.scale_at(np.array([(u0 + u1) / 2, (v0 + v1) / 2]), spec.height_cm / 2)
        check_region(spec, regions[spec.id], windows[spec.id], scale)
    taught = tuple(_taught(image, spec, models[spec.id], regions[spec.id]) for spec in boxed)
    check_pairs(taught)
    return Palette(
        taught, contrast, mat, other_pixels(image, outside & grounds.mat), other_pixels(image, outside)
    )


def figure_window(spec: FighterSpec, table: TableView) -> Rect:
    """The picture box that a figure taught by this box can fill, wherever on it the box lies."""
    assert spec.colour_box_px is not None
    u, v, w, h = spec.colour_box_px
    middle = np.array([[u + w / 2, v + h / 2]])
    ground = table.camera.to_plane(middle, spec.height_cm / 2)[0]
    if not np.isfinite(ground).all():
        raise ColourError(
            about(
                spec.id,
                Said("error.colour.unseen", "the colour box lies where the camera cannot see the table"),
            )
        )
    reach = min(spec.height_cm, TALLEST_CM)
    return table.window(ground, reach, reach)


def _likely_theirs(
    image: Image, windows: dict[str, Rect], models: dict[str, Mixture], contrast: Mixture
) -> Mask:
    """The pixels (H, W) in the fighters' windows that are likelier their seeds' than the contrast's."""
    likely = np.zeros(image.shape[:2], dtype=bool)
    for name, (u0, v0, u1, v1) in windows.items():
        points = features(image[v0:v1, u0:u1]).reshape(-1, 3)
        near = np.flatnonzero(models[name].nearest(points) < REJECT_SD)
        theirs = np.zeros(len(points), dtype=bool)
        theirs[near] = models[name].log_likelihood(points[near]) > contrast.log_likelihood(points[near])
        likely[v0:v1, u0:u1] |= theirs.reshape(v1 - v0, u1 - u0)
    return likely


def _with_box(image: Image, spec: FighterSpec, seeds: Floats, grounds: Grounds) -> FighterSpec:
    """The fighter with a colour box: its own, or one found on the largest patch of its named colour."""
    if spec.colour_box_px is not None:
        return spec
    u, v, w, h = locate_colour(image, spec, seeds, grounds.watched & ~grounds.furniture)
    return replace(spec, colour_box_px=(u, v, w, h))


def _teach_mat(image: Image, outside: Mask, grounds: Grounds) -> Mixture:
    """The mat from its pixels outside the figures, or from all of it when they hide nearly everything."""
    for where in (outside & grounds.mat, grounds.mat & ~grounds.furniture):
        if np.count_nonzero(where) >= _FEWEST_MAT_PIXELS:
            return teach_background(image, where, _MAT_CLUSTERS)
    raise ColourError(
        Said(
            "error.colour.no_mat",
            "the mat cannot be seen in the picture: check the ring's corners in the event file",
        )
    )


def _taught(image: Image, spec: FighterSpec, model: Mixture, region: Mask) -> Taught:
    pixels = image[region]
    return Taught(spec.id, model, region, features(pixels[:: max(1, len(pixels) // _SAMPLE)]))


def _seeds(image: Image, spec: FighterSpec) -> Floats:
    if spec.colour_box_px is not None:
        return seed_pixels(image, spec)
    if spec.colour is None:
        raise ColourError(about(spec.id, Said("error.colour.none", "give colour_box_px or colour")))
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
