"""Teaching every fighter of a match on one picture, with what stands around them as the contrast."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from calibration.sentences import Said
from vision.arrays import Floats, Image, Mask, as_bytes, dilated
from vision.colour.box_checks import (
    check_mat,
    check_region,
    check_surroundings,
    like_the_mat,
    locate_colour,
    parts_of_box,
    two_colours,
)
from vision.colour.growing import Grower, Grown, least_margin
from vision.colour.mixture import Mixture
from vision.colour.models import (
    REJECT_SD,
    ColourError,
    Taught,
    other_pixels,
    parse_colour,
    seed_model,
    seed_pixels,
    teach_background,
)
from vision.colour.separability import of_one_colour, one_figure, same_pairs, same_seeds
from vision.colour.space import features
from vision.fighters import FighterSpec, about
from vision.finding.region import TALLEST_CM, Rect, TableView

# A mat is one material with some texture.
_MAT_CLUSTERS = 3
_FEWEST_MAT_PIXELS = 400
# How far around a box the picture is looked at for anything that stands there, in heights of the figure.
_AROUND_BOX = 0.35
# A colour this near to the mat's (in sd) is faint: it may go on over the mat.
_FAINT_SD = 4.0
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
class Ground:
    """What is no fighter: the mat's colour, that of all of it, and where (H, W) it was seen."""

    mat: Mixture
    contrast: Mixture
    outside: Mask


@dataclass(frozen=True, eq=False)
class Palette:
    """The taught fighters, in order, and the background they were told apart from.

    mat_sample and around_sample (N, 3) are features of pixels of the mat and of all that is no fighter, the
    mat included, that were not taught. labels are the numbers from 1 by which fighters are found, those of
    one colour sharing one; faint the ids of those hard to tell from the mat; warnings what is doubtful, as
    sentences.
    """

    fighters: tuple[Taught, ...]
    background: Mixture
    mat: Mixture
    mat_sample: Floats
    around_sample: Floats
    labels: tuple[int, ...]
    faint: tuple[str, ...] = ()
    warnings: tuple[Said, ...] = ()

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
    boxed = [_with_box(image, spec, grounds) for spec in fighters]
    for spec in boxed:
        seed_pixels(image, spec)
    grower = Grower(image, grounds.furniture, *_places(boxed, table))
    outside = grounds.watched & ~grounds.furniture
    for u0, v0, u1, v1 in grower.windows.values():
        outside[v0:v1, u0:u1] = False
    first = Ground(_teach_mat(image, outside, grounds), teach_background(image, outside), outside)
    seeds, warnings = _seeds(grower, fighters, boxed, first)
    shown = {name: features(image[where]) for name, where in seeds.items()}
    doubtful = [
        spec.id
        for spec, told in zip(boxed, fighters, strict=True)
        if told.colour_box_px is not None and _on_mat(grower, spec, shown[spec.id], first, grounds)
    ]
    for spec in boxed:
        check_surroundings(image, spec, shown[spec.id], grower.windows[spec.id], first.contrast, first.mat)
    models = {name: seed_model(points) for name, points in shown.items()}
    alike = same_seeds(shown, models)
    grown, last = _grown(grower, boxed, grounds, seeds, models, first, alike)
    for one, two in alike:
        if (grown[one].region & seeds[two]).any() and (grown[two].region & seeds[one]).any():
            raise one_figure(one, two)
    for spec in boxed:
        check_region(spec, grown[spec.id].region, grower.windows[spec.id], grower.scales[spec.id])
    mat_sample = other_pixels(image, last.outside & grounds.mat)
    taught = [_taught(image, spec, grown[spec.id], last.contrast, mat_sample) for spec in boxed]
    faint = [one.fighter for one in taught if one.margin > 0 or one.fighter in doubtful]
    alike = list(dict.fromkeys([*alike, *((pair.fighter, pair.other) for pair in same_pairs(taught))]))
    warnings += [like_the_mat(spec) for spec in boxed if spec.id in faint]
    warnings += [of_one_colour(one, two) for one, two in alike]
    return Palette(
        tuple(taught),
        last.contrast,
        last.mat,
        mat_sample,
        other_pixels(image, last.outside),
        _labels([spec.id for spec in boxed], alike),
        tuple(faint),
        tuple(warnings),
    )


def _places(fighters: Sequence[FighterSpec], table: TableView) -> tuple[dict[str, Rect], dict[str, float]]:
    """The window that every fighter can fill, and the pixels per cm in it."""
    windows = {spec.id: figure_window(spec, table) for spec in fighters}
    scales = {}
    for spec in fighters:
        u0, v0, u1, v1 = windows[spec.id]
        scales[spec.id] = table.scale_at(np.array([(u0 + u1) / 2, (v0 + v1) / 2]), spec.height_cm / 2)
    return windows, scales


def _seeds(
    grower: Grower, fighters: Sequence[FighterSpec], boxed: Sequence[FighterSpec], ground: Ground
) -> tuple[dict[str, Mask], list[Said]]:
    """Where (H, W) every fighter's colour is sure to be, and what is said of boxes on two colours."""
    seeds, warnings = {}, []
    for spec, told in zip(boxed, fighters, strict=True):
        parts = parts_of_box(grower.image, spec, ground.mat if told.colour_box_px is not None else None)
        if len(parts) > 1:
            warnings.append(two_colours(spec))
        seeds[spec.id] = parts[0] if len(parts) == 1 else grower.best(spec, parts, ground.contrast)
    return seeds, warnings


def _on_mat(grower: Grower, spec: FighterSpec, seeds: Floats, ground: Ground, grounds: Grounds) -> bool:
    """Whether a box's colour, seeds (N, 3), is hardly different from the mat's. Raises ColourError."""
    radius = _AROUND_BOX * spec.height_cm * grower.scales[spec.id]
    return check_mat(grower.image, spec, seeds, ground.mat, ground.outside & grounds.mat, radius)


def _grown(
    grower: Grower,
    fighters: Sequence[FighterSpec],
    grounds: Grounds,
    seeds: Mapping[str, Mask],
    models: Mapping[str, Mixture],
    ground: Ground,
    alike: Sequence[tuple[str, str]],
) -> tuple[dict[str, Grown], Ground]:
    """Every fighter grown from its seeds (H, W) and first models, in two passes, and the ground then."""
    likely = _likely_theirs(grower.image, grower.windows, models, ground.contrast)
    faint = {
        name: bool(np.median(ground.mat.nearest(features(grower.image[seeds[name]]))) < _FAINT_SD)
        for name in seeds
    }
    now, grown = dict(models), dict[str, Grown]()
    for again in (False, True):
        contrast = teach_background(grower.image, ground.outside) if again else ground.contrast
        for spec in fighters:
            friends = {spec.id, *(name for pair in alike if spec.id in pair for name in pair)}
            rivals = [contrast, *(model for name, model in now.items() if name not in friends)]
            grown[spec.id] = grower.grown(spec, seeds[spec.id], rivals, faint=faint[spec.id])
            now[spec.id] = grown[spec.id].model
        everyone = np.any([one.region for one in grown.values()], axis=0)
        outside = grounds.watched & ~grounds.furniture & (dilated(as_bytes(everyone), 3) == 0) & ~likely
        ground = Ground(ground.mat, contrast, outside)
    return grown, Ground(_teach_mat(grower.image, ground.outside, grounds), ground.contrast, ground.outside)


def _labels(names: Sequence[str], alike: Sequence[tuple[str, str]]) -> tuple[int, ...]:
    """A number from 1 for everyone, those who are alike sharing that of the first."""
    numbers = {name: number for number, name in enumerate(names, start=1)}
    for one, two in alike:
        first, other = sorted((numbers[one], numbers[two]))
        numbers = {name: first if number == other else number for name, number in numbers.items()}
    return tuple(numbers[name] for name in names)


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
    image: Image, windows: Mapping[str, Rect], models: Mapping[str, Mixture], contrast: Mixture
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


def _with_box(image: Image, spec: FighterSpec, grounds: Grounds) -> FighterSpec:
    """The fighter with a colour box: its own, or one found on the largest patch of its named colour."""
    if spec.colour_box_px is not None:
        return spec
    if spec.colour is None:
        raise ColourError(about(spec.id, Said("error.colour.none", "give colour_box_px or colour")))
    named = features(parse_colour(spec.id, spec.colour)[None])
    u, v, w, h = locate_colour(image, spec, named, grounds.watched & ~grounds.furniture)
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


def _taught(image: Image, spec: FighterSpec, grown: Grown, contrast: Mixture, mat: Floats) -> Taught:
    pixels = image[grown.region]
    sample = features(pixels[:: max(1, len(pixels) // _SAMPLE)])
    margin = least_margin(grown, contrast, sample, mat)
    return Taught(spec.id, grown.model, grown.region, sample, margin)
