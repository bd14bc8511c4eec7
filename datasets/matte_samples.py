"""Crops with exact silhouettes, to teach the matte: `python -m datasets.matte_samples --out FOLDER`.

Photo-real stills by lot (`datasets.render`, the extra `render`), with the figures of `datasets.makers`: those
of the library stay unseen. A still is shown as a short clip and goes the way of every clip: taps, colours
taught from boxes, finding, averaging. White on cream, ropes in front and neighbours that touch are drawn more
often than a table shows them.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.errors import CalibrationError
from calibration.furniture import furniture_mask
from calibration.solve import calibrate
from datasets.figures import Figure as Ellipsoids
from datasets.makers import MORE_MAKERS, made
from datasets.matte_lessons import Sample, save
from datasets.render import draw
from datasets.render.clay import Clay, sculpt
from datasets.render.colours import linear
from datasets.render.figure import Figure
from datasets.render.making import write_clip
from datasets.render.meshes import Array
from datasets.render.photo import Photo
from datasets.render.scene_file import FighterSection, Scene
from datasets.render.sensor import developed
from datasets.render.timeline import Timeline
from datasets.render.truth import event
from datasets.silhouettes import exact_silhouette
from palmo.convert import fighter_specs, ring_spec
from palmo.event import load_event
from vision.colour.models import ColourError
from vision.fighters import FighterSpec
from vision.finding.tracker import Tracker
from vision.fragments import Fragment
from vision.sources.open import open_source

Float = NDArray[np.float32]
Mask = NDArray[np.bool_]

_SIZES = ("720x404", "854x480", "854x480", "960x540")
_CAMERAS = ("oblique", "oblique", "oblique", "near", "overhead")
_APART_CM = (8.0, 10.0, 13.0)
_FRAMES, _SAMPLES = (5, 14), 6
# Colours nearly those of mats, tables and shadows; the share of figures in one of them, and of those that are
# nearly as their own mat.
_QUIET = (
    "#e9e5dc", "#f2efe8", "#d9cbb0", "#cfc8b4", "#a8a29a", "#8d8f93", "#7c6a58", "#5b3a26", "#3a3a3e",
    "#26262a",
)  # fmt: skip
_QUIET_SHARE, _LIKE_MAT_SHARE = 0.3, 0.35
_MORE_MATS = ("#b08352", "#3c4a63", "#6e2b2b", "#2c2c30", "#e6e2d8", "#8f8573", "#4f6b52")
_JITTER = 14
_WITH_SECOND, _LYING = 0.5, 0.1
# Nobody puts figures into one match whose colours (log R/G, log B/G, log light) are nearer than this.
_UNLIKE = 0.25
_STEPS_PER_HEIGHT, _LEAST_STEP_CM = 48, 0.17
_FEWEST_PX, _LEAST_FOUND = 40, 0.2


class Modelled(Timeline):
    """A scene with figures of `datasets.makers`: each one's seed chooses maker and build."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.figures = {f.id: _sculpted(f) for f in scene.fighter}


class _Lot(draw.Lot):
    def ring(self) -> dict[str, Any]:
        ring = super().ring()
        mat = ring["mat"]
        if self.rng.random() < 0.3:
            colour = self.pick(_MORE_MATS)
            mat |= {"colour": colour, "second": self.second(colour)}
        mat |= {name: self._near(mat[name], _JITTER) for name in ("colour", "second")}
        self._mat = mat
        return ring

    def fighters(self, ring: dict[str, Any]) -> list[dict[str, Any]]:
        places: list[Array] = []
        colours: list[str] = []
        fighters = []
        for number in range(self.wanted.fighters):
            seed = int(self.rng.integers(1_000_000))
            ellipsoids, _ = _modelled(seed)
            places.append(self.place(places, ring))
            colours.append(self._colour(colours))
            fighters.append(
                {
                    "id": f"F{number + 1}", "class": ellipsoids.kind, "seed": seed, "colour": colours[-1],
                    "second_colour": self.second(colours[-1]), "height_cm": round(ellipsoids.height, 1),
                    "at_cm": [round(float(c), 1) for c in places[-1]],
                    "facing_deg": self.between(-180, 180, 0), "lying": bool(self.rng.random() < _LYING),
                }
            )  # fmt: skip
        return fighters

    def _colour(self, others: Sequence[str]) -> str:
        """A colour that nobody has yet."""
        for _ in range(50):
            lot = self.rng.random()
            if lot < _LIKE_MAT_SHARE:
                levels = _levels(self.pick((self._mat["colour"], self._mat["second"])))
                colour = self._near(_code(levels * self.rng.uniform(0.6, 1.35)), _JITTER)
            elif lot < _LIKE_MAT_SHARE + _QUIET_SHARE:
                colour = self._near(self.pick(_QUIET), _JITTER)
            else:
                colour = self._near(self.pick(draw.PALETTE), _JITTER)
            if all(np.linalg.norm(_logs(colour) - _logs(other)) > _UNLIKE for other in others):
                break
        return colour

    def _near(self, colour: str, by: float) -> str:
        return _code(_levels(colour) + self.rng.uniform(-by, by) + self.rng.uniform(-by, by, 3) / 2)


def _levels(code: str) -> Array:
    return np.array([int(code[k : k + 2], 16) for k in (1, 3, 5)], float)


def _code(levels: Array) -> str:
    return "#" + "".join(f"{int(level):02x}" for level in np.clip(levels, 12, 250))


def _logs(code: str) -> Array:
    red, green, blue = np.log(linear(code) + 0.01)
    return np.array([red - green, blue - green, 0.5 * green])


def _modelled(seed: int) -> tuple[Ellipsoids, np.random.Generator]:
    rng = np.random.default_rng([seed, 5])
    name = list(MORE_MAKERS)[int(rng.integers(len(MORE_MAKERS)))]
    return made(rng, name), rng


def _sculpted(fighter: FighterSection) -> Figure:
    """A modelled figure in clay; some wear a hat, shoes or a patch of their second colour."""
    ellipsoids, rng = _modelled(fighter.seed)
    where = ellipsoids.centres @ _patch_way(rng)
    patch = where > np.quantile(where, rng.uniform(0.75, 0.95))
    patch &= rng.random() < _WITH_SECOND
    clay = Clay()
    for centre, shape, second in zip(ellipsoids.centres, ellipsoids.shapes, patch, strict=True):
        # what maps onto the unit sphere is one over the radii here: these figures are not turned yet
        clay.lump(centre, 1 / np.diagonal(shape), tint=int(second))
    tints = np.array([linear(fighter.colour), linear(fighter.second_colour), (0.012, 0.011, 0.011)])
    mesh = sculpt(clay, rng, max(ellipsoids.height / _STEPS_PER_HEIGHT, _LEAST_STEP_CM), tints)
    lowest = mesh.vertices[:, 2].min()
    return Figure(ellipsoids.kind, mesh.moved(np.eye(3), np.array([0.0, 0.0, -lowest])))


def _patch_way(rng: np.random.Generator) -> Array:
    """The side (3,) on which the second colour is: mostly on top, or anywhere."""
    return np.array([0.0, 0.0, 1.0]) if rng.random() < 0.5 else rng.normal(size=3)


def drawn(seed: int) -> Scene:
    """A still by lot."""
    rng = np.random.default_rng([seed, 6])
    wants = [
        "--seed", str(seed), "--out", ".", "--fighters", str(rng.integers(7, 10)),
        "--apart", str(rng.choice(_APART_CM)), "--size", str(rng.choice(_SIZES)),
        "--camera", str(rng.choice(_CAMERAS)),
    ]  # fmt: skip
    scene = _Lot(seed, draw.parser().parse_args(wants)).scene()
    scene["picture"]["crf"] = int(rng.integers(20, 29))
    return Scene.model_validate(scene)


def samples(seed: int) -> list[Sample]:
    """The crops of all figures that are found in a still by lot."""
    timeline = Modelled(drawn(seed))
    light = Photo(timeline).picture(timeline.state(0.0), _SAMPLES)
    return list(crops(timeline, light, seed))


def crops(timeline: Timeline, light: Float, seed: int) -> Iterator[Sample]:
    """The crops of a still of linear RGB `light` (H, W, 3); none when nothing can be taught of it."""
    try:
        found, furniture = _found(timeline, light, seed)
    except (CalibrationError, ColourError):
        return
    for fragment in found:
        exact = exact_silhouette(timeline, fragment, 0.0)
        solid = exact > 0.5
        # what is hardly seen, or found where it is not, teaches nothing of outlines
        if np.count_nonzero(solid) < _FEWEST_PX or fragment.support[solid].mean() < _LEAST_FOUND:
            continue
        (u, v), (height, width) = fragment.origin, solid.shape
        others = np.zeros(solid.shape, np.bool_) if fragment.others is None else fragment.others
        unknown = furniture[v : v + height, u : u + width]
        yield Sample(fragment.mean, fragment.support, unknown, others, exact)


def _found(timeline: Timeline, light: Float, seed: int) -> tuple[list[Fragment], Mask]:
    """The fragments of a short clip of the still, and the furniture in the whole picture (H, W)."""
    rng = np.random.default_rng([seed, 7])
    gains, picture = timeline.gains(0.0), timeline.scene.picture
    count = int(rng.integers(*_FRAMES))
    with tempfile.TemporaryDirectory() as folder:
        clip, about = Path(folder) / "clip.mp4", Path(folder) / "event.toml"
        write_clip(clip, (developed(light, gains, picture, rng) for _ in range(count)), timeline)
        about.write_text(event(timeline), encoding="utf-8")
        told = load_event(about)
        with open_source(str(clip)) as source:
            first, *frames = source
    calibration = calibrate(ring_spec(told), timeline.scene.camera.size, image=first.image)
    furniture = furniture_mask(calibration)
    specs = fighter_specs(told)
    while True:
        try:
            tracker = Tracker(calibration, specs, first, furniture)
            break
        except ColourError as error:
            specs = _without(specs, str(error))
    for frame in frames:
        tracker.update(frame)
    growing = [one.snapshot() for one in tracker.growing().values()]
    return [one for one in growing if one is not None], furniture


def _without(specs: Sequence[FighterSpec], said: str) -> list[FighterSpec]:
    """The fighters but the one whose colour cannot be taught. Raises ColourError when it is nobody's."""
    kept = [spec for spec in specs if spec.id not in said]
    if len(kept) == len(specs) or not kept:
        raise ColourError(said)
    return kept


def main(arguments: Sequence[str] | None = None) -> int:
    """Render stills and keep their crops; what is there already stays."""
    parser = argparse.ArgumentParser(prog="python -m datasets.matte_samples", description=__doc__)
    parser.add_argument("--first", type=int, default=0, help="seed of the first still")
    parser.add_argument("--count", type=int, default=200, help="how many stills")
    parser.add_argument("--every", type=int, default=1, help="2 for every second seed, to share the work")
    parser.add_argument("--out", type=Path, required=True, help="folder for the crops")
    options = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    options.out.mkdir(parents=True, exist_ok=True)
    for seed in range(options.first, options.first + options.count * options.every, options.every):
        path = options.out / f"still{seed:04d}.npz"
        if not path.exists():
            found = samples(seed)
            save(found, path)
            print(f"{path.name}: {len(found)} crops", file=sys.stderr, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
