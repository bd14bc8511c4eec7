"""What Palmo refuses at the start and what it only doubts: `python -m datasets.refusals`.

The true event file of every clip and still must pass; the same files with one thing wrong (a height, a colour
box) should not, or not without a word. The tables of docs/accuracy.md; with --write they are put there.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from calibration.furniture import furniture_mask
from calibration.result import RingCalibration
from calibration.solve import calibrate
from datasets.clip_folder import clip_folder
from datasets.into_docs import with_table
from palmo.convert import fighter_specs, intrinsics, ring_spec
from palmo.event import load_event
from vision.arrays import Mask, as_bytes, dilated
from vision.begin import begin
from vision.colour.models import ColourError
from vision.fighters import FighterSpec
from vision.finding.region import TableView
from vision.measuring.told import ToldError
from vision.pipeline import FURNITURE_MARGIN_PX
from vision.sources.frames import Frame
from vision.sources.open import open_source

LIBRARY = Path(__file__).parent / "library"
PAGE = Path(__file__).parent.parent / "docs" / "accuracy.md"
NAME = "refusals"
_HEIGHTS = (0.5, 0.6, 1.6, 2.0)
# Every so many-th still is tried with mistakes; a mistake is made with one fighter of a scene.
_EVERY = 3
# A box did no harm when the figure is taught as it is without, by the overlap of the two.
_HARMLESS = 0.7


@dataclass(frozen=True, eq=False)
class Scene:
    """The first picture of a clip, or a still, with its event file's ring and fighters; furniture (H, W) is
    where ropes and posts are."""

    name: str
    first: Frame
    calibration: RingCalibration
    fighters: list[FighterSpec]
    furniture: Mask

    def told(self, fighters: Sequence[FighterSpec]) -> Answer:
        """What Palmo says of these fighters."""
        try:
            tracker, doubts = begin(self.calibration, fighters, self.first, self.furniture)
        except (ColourError, ToldError) as error:
            return Answer(str(error), (), {})
        regions = {one.fighter: one.region for one in tracker.palette.fighters}
        return Answer("", tuple(str(doubt) for doubt in doubts), regions)


@dataclass(frozen=True, eq=False)
class Answer:
    """Why it was refused, or the doubts and where (H, W) each fighter was taught."""

    refused: str
    doubts: tuple[str, ...]
    regions: dict[str, Mask]


@dataclass(frozen=True)
class Tried:
    """A scene with a mistake, or with none: what came of it."""

    scene: str
    mistake: str
    outcome: str
    said: tuple[str, ...]


def main(arguments: Sequence[str] | None = None) -> int:
    """Try all scenes and print the tables."""
    parser = argparse.ArgumentParser(prog="python -m datasets.refusals", description=__doc__)
    parser.add_argument("names", nargs="*", help="scenes, such as S1, L07 or T07; all of them otherwise")
    parser.add_argument("--true", action="store_true", help="the true files only")
    parser.add_argument("--write", action="store_true", help="put the tables into docs/accuracy.md")
    options = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    tried: list[Tried] = []
    for number, folder in enumerate(_folders(options.names)):
        sys.stderr.write(f"\r{folder.name} ")
        still = not (folder / "clip.mp4").exists()
        wrong = not options.true and (bool(options.names) or not still or number % _EVERY == 0)
        tried += try_scene(load_scene(folder), wrong=wrong)
    sys.stderr.write("\n")
    print(report(tried))
    if options.write:
        PAGE.write_text(with_table(PAGE.read_text(encoding="utf-8"), NAME, report(tried)), encoding="utf-8")
    return 0


def _folders(names: Sequence[str]) -> list[Path]:
    root = clip_folder()
    clips = [] if root is None else [root / name for name in ("S1", "S2", "S3")]
    return [one for one in (*clips, *sorted(LIBRARY.iterdir())) if not names or one.name in names]


def load_scene(folder: Path) -> Scene:
    """A clip's or still's first picture, calibrated with its own event file."""
    event = load_event(folder / "event.toml")
    clip = folder / "clip.mp4"
    with open_source(str(clip if clip.exists() else folder / "still.jpg")) as source:
        image = next(iter(source)).image
    size = (image.shape[1], image.shape[0])
    calibration = calibrate(ring_spec(event), size, image=image, intrinsics=intrinsics(event))
    furniture = furniture_mask(calibration, FURNITURE_MARGIN_PX)
    return Scene(folder.name, Frame(0, 0.0, image), calibration, fighter_specs(event), furniture)


def try_scene(scene: Scene, *, wrong: bool = True) -> Iterator[Tried]:
    """The true file, then the same with one mistake after another, each with a fighter drawn anew."""
    true = scene.told(scene.fighters)
    yield Tried(scene.name, "", _outcome(true, ()), (true.refused, *true.doubts))
    if not wrong or true.refused:
        return
    rng = np.random.default_rng([*scene.name.encode()])
    for mistake, change in mistakes(scene, true, rng):
        specs = [change if spec.id == change.id else spec for spec in scene.fighters]
        answer = scene.told(specs)
        outcome = _outcome(answer, true.doubts)
        if outcome == "silent" and "box" in mistake:
            alike = _overlap(answer.regions[change.id], true.regions[change.id])
            outcome = "harmless" if alike > _HARMLESS else "silent"
        yield Tried(scene.name, mistake, outcome, (answer.refused, *answer.doubts))


def _outcome(answer: Answer, known: Sequence[str]) -> str:
    if answer.refused:
        return "refused"
    return "warned" if set(answer.doubts) - set(known) else "silent"


def mistakes(scene: Scene, true: Answer, rng: np.random.Generator) -> Iterator[tuple[str, FighterSpec]]:
    """Mistakes by name, each with the fighter as it is told by it."""
    boxed = [spec for spec in scene.fighters if spec.colour_box_px is not None]
    for factor in _HEIGHTS:
        spec = boxed[rng.integers(len(boxed))]
        yield f"height times {factor:g}", replace(spec, height_cm=factor * spec.height_cm)
    table = TableView(
        scene.calibration.camera, scene.calibration.spec.width_cm, scene.calibration.spec.depth_cm
    )
    anyone = np.any(list(true.regions.values()), axis=0)
    bare = table.mat & (dilated(as_bytes(anyone), 9) == 0)
    bare &= ~scene.furniture
    for mistake, share in (("box half off the figure", (0.4, 0.6)), ("box on the mat", (0.0, 0.0))):
        spec = boxed[rng.integers(len(boxed))]
        moved = _moved(spec, true.regions[spec.id], anyone, bare, share, rng)
        if moved is not None:
            yield mistake, moved
    if len(boxed) > 1:
        spec, other = (boxed[i] for i in rng.permutation(len(boxed))[:2])
        yield "box on another figure", replace(spec, colour_box_px=_beside(other))
        yield "box over two figures", replace(spec, colour_box_px=_over(spec, _nearest(spec, boxed)))


def _moved(
    spec: FighterSpec,
    own: Mask,
    anyone: Mask,
    bare: Mask,
    share: tuple[float, float],
    rng: np.random.Generator,
) -> FighterSpec | None:
    """The fighter with its box moved so that this share (least, most) of it is its own, the rest bare mat."""
    assert spec.colour_box_px is not None
    _, _, w, h = (round(x) for x in spec.colour_box_px)
    size = (w, h)
    inside = cv2.boxFilter(own.astype(np.float32), -1, size, anchor=(0, 0))
    others = cv2.boxFilter((anyone & ~own).astype(np.float32), -1, size, anchor=(0, 0))
    ground = cv2.boxFilter((bare if share[1] == 0 else ~anyone).astype(np.float32), -1, size, anchor=(0, 0))
    good = (inside >= share[0] - 1e-3) & (inside <= share[1] + 1e-3) & (others < 1e-3)
    good &= ground >= 1 - share[1] - 1e-3
    good[-h:], good[:, -w:] = False, False
    places = np.argwhere(good)
    if not len(places):
        return None
    v, u = places[rng.integers(len(places))]
    return replace(spec, colour_box_px=(float(u), float(v), float(w), float(h)))


def _beside(other: FighterSpec) -> tuple[float, float, float, float]:
    """A box on another's figure, a little beside the one that is there."""
    assert other.colour_box_px is not None
    u, v, w, h = other.colour_box_px
    return u + 1, v - 1, w, h


def _nearest(spec: FighterSpec, others: Sequence[FighterSpec]) -> FighterSpec:
    def middle(one: FighterSpec) -> np.ndarray:
        u, v, w, h = one.colour_box_px or (0, 0, 0, 0)
        return np.array([u + w / 2, v + h / 2])

    return min(
        (one for one in others if one is not spec),
        key=lambda one: float(np.linalg.norm(middle(one) - middle(spec))),
    )


def _over(spec: FighterSpec, other: FighterSpec) -> tuple[float, float, float, float]:
    """A box from one figure's box to another's."""
    boxes = np.array([spec.colour_box_px, other.colour_box_px])
    low, high = boxes[:, :2].min(axis=0), (boxes[:, :2] + boxes[:, 2:]).max(axis=0)
    return float(low[0]), float(low[1]), float(high[0] - low[0]), float(high[1] - low[1])


def _overlap(one: Mask, other: Mask) -> float:
    return float((one & other).sum() / max(1, (one | other).sum()))


def report(tried: Sequence[Tried]) -> str:
    """Both tables, and what true files are told, by name."""
    true = [one for one in tried if not one.mistake]
    lines = [
        "| true files | n | refused | with a warning | without |",
        "| --- | --- | --- | --- | --- |",
        *(_true_row(name, [one for one in true if one.scene[0] == name[0]]) for name in _SETS),
    ]
    wrong = [one for one in tried if one.mistake]
    if wrong:
        lines += ["", "| one mistake | n | refused | warned of | not, and taught all the same | not |"]
        lines += ["| --- | --- | --- | --- | --- | --- |"]
        for mistake in dict.fromkeys(one.mistake for one in wrong):
            lines.append(_wrong_row(mistake, [one for one in wrong if one.mistake == mistake]))
    lines += [""] + [f"- {one.scene}: refused, {one.said[0]}" for one in true if one.outcome == "refused"]
    return "\n".join(lines).rstrip()


_SETS = ("S1 to S3", "L01 to L13", "T01 to T60 (stills)")


def _true_row(name: str, found: Sequence[Tried]) -> str:
    n = Counter(one.outcome for one in found)
    return f"| {name} | {len(found)} | {n['refused']} | {n['warned']} | {n['silent']} |"


def _wrong_row(mistake: str, found: Sequence[Tried]) -> str:
    n = Counter(one.outcome for one in found)
    return f"| {mistake} | {len(found)} | {n['refused']} | {n['warned']} | {n['harmless']} | {n['silent']} |"


if __name__ == "__main__":
    sys.exit(main())
