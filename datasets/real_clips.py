"""Real clips: bricks under a cheap webcam, a ball in a hand, and billiard balls through the whole tracker."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from calibration.errors import CalibrationError
from calibration.intrinsics import Intrinsics
from calibration.result import RingCalibration
from datasets.real_billiard import FOLDER as BILLIARD
from datasets.real_billiard import calibrate_table
from datasets.real_scoring import Tally, count, match, row
from datasets.real_stills import LAYER, Drawing, Result, boxes, lesson, truth_of
from datasets.real_teaching import Finder, Patch, teachable
from vision.arrays import Image
from vision.colour.models import ColourError
from vision.fighters import FighterSpec
from vision.finding.following import Sighting
from vision.finding.tracker import Tracker
from vision.sources.open import open_source

VIDEO = Path("real") / "b_video"
_BALL_CM = 5.23
_BALL_PX = 31.0


def frames_of(path: Path, wanted: set[int]) -> dict[int, Image]:
    """The wanted pictures of a clip by their number."""
    with open_source(str(path)) as source:
        return {frame.index: frame.image for frame in source if frame.index in wanted}


def lego(root: Path) -> Result:
    """Bricks counted by colour in four clips; the two pictures that taught are left out."""
    folder = root / VIDEO / "lego_overhead"
    entry = boxes("lego")
    taught = [(str(name), int(index)) for name, index in entry["pictures"]]
    truth = truth_of(folder)["videos"]
    wanted = {name: {int(index) for index in scenes} for name, scenes in truth.items()}
    pictures = {
        (name, index): image
        for name, indices in wanted.items()
        for index, image in frames_of(folder / name, indices).items()
    }
    teaching = np.ascontiguousarray(np.hstack([pictures[key] for key in taught]))
    taken, refused = teachable(teaching, lesson(entry))
    rows, drawings = [], []
    for followed in (False, True):
        finder = Finder(teaching, taken, pictures[taught[0]])
        tallies, sure = [], 0
        for (name, index), image in pictures.items():
            if (name, index) in taught:
                continue
            sure += followed and finder.follow_light(image)
            patches = finder.find(image)
            label = f"{name} frame {index}"
            tallies.append(count(label, truth[name][str(index)]["colours"], patches))
            drawings.append(Drawing(f"lego_{name}_{index}_{followed}", image, patches, {}))
        how = f"light followed (the meter sure in {sure} of {len(tallies)})" if followed else "as taught"
        lessons = f"6 boxes on 2 pictures; refused: {', '.join(refused) or 'none'}"
        rows.append(row(f"lego_overhead, {how}", LAYER, lessons, tallies))
    return rows, drawings


def ball_and_hand(root: Path) -> Result:
    """A ball in a bare hand: taught on one picture of the clip, the light followed through all of it."""
    folder = root / VIDEO / "ball_and_hand"
    rows, drawings = [], []
    for name, known in truth_of(folder)["videos"].items():
        entry = boxes("ball_and_hand")[name]
        taught = lesson(entry)
        finder = Finder(frames_of(folder / name, {entry["frame"]})[entry["frame"]], taught)
        tallies = []
        with open_source(str(folder / name)) as source:
            for frame in source:
                finder.watch_light(frame.image)
                key = str(frame.index)
                if key not in known["ball"] or frame.index == entry["frame"]:
                    continue
                centre = known["ball"][key]
                truth = {"green": [] if centre is None else [centre]}
                patches = finder.find(frame.image)
                labels = finder.labels(frame.image)
                reach = taught.piece_px / 2
                tallies.append(match(f"frame {key}", truth, patches, reach, labels, finder.colours))
                drawings.append(Drawing(f"{name}_{key}", frame.image, patches, truth))
        rows.append(row(f"ball_and_hand, {name}", LAYER, f"1 box on frame {entry['frame']}", tallies))
    return rows, drawings


def billiard_clips(root: Path) -> Result:
    """The whole tracker on a calibrated table: where it sees the balls in the first and the last picture."""
    folder = root / VIDEO / "billiard_clips"
    lens = _lens(root)
    drawings: list[Drawing] = []
    first_tallies, last_tallies = [], []
    for name, known in truth_of(folder)["videos"].items():
        try:
            first, last, drawn = _track(folder / name, boxes("billiard_clips")[name], lens, known)
        except ColourError as error:
            first, last, drawn = _refused(name, known, error)
        first_tallies.append(first)
        last_tallies.append(last)
        drawings += drawn
    taught = "2 boxes on every first picture"
    return [
        row("billiard_clips, first picture", "calibration + tracker", taught, first_tallies),
        row("billiard_clips, last picture", "calibration + tracker", taught, last_tallies),
    ], drawings


def _lens(root: Path) -> Intrinsics:
    lens = truth_of(root / BILLIARD)["setup"]["intrinsics_1280x720_factory"]
    matrix = np.array([[lens["fx"], 0, lens["cx"]], [0, lens["fy"], lens["cy"]], [0, 0, 1]])
    return Intrinsics(matrix, np.zeros(5), (1280, 720))


def _calibrated(path: Path, lens: Intrinsics) -> RingCalibration:
    """Calibrate a clip on its first picture in which all four markers are seen."""
    with open_source(str(path)) as source:
        for frame in source:
            try:
                return calibrate_table(frame.image, lens)
            except CalibrationError as error:
                refused = error
    raise refused


def _track(
    path: Path, taught: Mapping[str, Sequence[int]], lens: Intrinsics, known: Mapping[str, Any]
) -> tuple[Tally, Tally, list[Drawing]]:
    fighters = [FighterSpec(colour, _BALL_CM, 0.0, (b[0], b[1], b[2], b[3])) for colour, b in taught.items()]
    with open_source(str(path)) as source:
        first = next(iter(source))
        tracker = Tracker(_calibrated(path, lens), fighters, first)
        ends = [(first, tracker.update(first))]
        frame, seen = ends[0]
        for frame in source:
            seen = tracker.update(frame)
        ends.append((frame, seen))
    tallies, drawings = [], []
    for (frame, seen), key in zip(ends, ("balls_first_frame", "balls_last_frame"), strict=True):
        tallies.append(_score(path.name, known[key], seen))
        drawings.append(Drawing(f"{path.stem}_{frame.index}", frame.image, _patches(seen), known[key]))
    return tallies[0], tallies[1], drawings


def _refused(name: str, known: Mapping[str, Any], error: ColourError) -> tuple[Tally, Tally, list[Drawing]]:
    """What is missed when a clip's colours are not taken."""
    tallies = []
    for key in ("balls_first_frame", "balls_last_frame"):
        pieces = sum(len(centres) for centres in known[key].values())
        tallies.append(Tally(name, pieces, 0, 0, (), Counter({f"refused: {error}": pieces})))
    return tallies[0], tallies[1], []


def _score(name: str, truth: Mapping[str, Sequence[Sequence[float]]], seen: Mapping[str, Sighting]) -> Tally:
    """A ball counts as found where the tracker says that it stands; every other state claims nothing."""
    right, false, errors = 0, 0, []
    why: Counter[str] = Counter()
    for colour, sighting in seen.items():
        stands = sighting.state == "placed" and sighting.blob is not None
        offs = [np.hypot(*(sighting.blob.centroid - centre)) for centre in truth[colour] if sighting.blob]
        if stands and offs and min(offs) <= _BALL_PX / 2:
            right += 1
            errors.append(float(min(offs)))
        elif stands:
            false += 1
            why[f"{colour} placed where it is not"] += 1
        elif truth[colour]:
            why[f"{colour} {sighting.state}"] += 1
    return Tally(name, sum(len(centres) for centres in truth.values()), right, false, tuple(errors), why)


def _patches(seen: Mapping[str, Sighting]) -> list[Patch]:
    return [Patch(f"{name} {s.state}", s.blob) for name, s in seen.items() if s.blob is not None]


CLIPS = (lego, ball_and_hand, billiard_clips)
