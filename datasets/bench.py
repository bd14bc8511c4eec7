"""What a picture costs: `python -m datasets.bench`. CPU time, the median of several runs.

In one run and on the same pictures: the naive method (HSV, inRange and findContours per colour), Palmo's
finding, and the whole loop (decode, find, rules, draw), at 720p and 1080p, with 8 and 20 fighters; and what
keeping the pictures as evidence for disputes adds to it, the mean over the clip at its own rate. Measuring
happens when a figure settles (up to five times, as its average grows), not per picture: its cost is given
for one measurement, and spread over this clip's pictures, of which there are only ten a second and in which
everybody is measured from the beginning.

The clip is S2 under $PALMO_DATA/clips (eight fighters, changing light), or the bundled one; fighters that
are missing are painted in, 1080p is the same clip scaled up, and what is decoded is encoded as Palmo records.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from calibration.furniture import furniture_mask
from datasets.crowd import Clip, crowded, scaled
from datasets.naive import NaiveFinder
from overlay.picture import Painter
from palmo import convert
from palmo.demo_files import DEMO_CLIP, DEMO_EVENT, DEMO_TRUTH
from palmo.evaluate import load_truth
from palmo.event import Event, load_event
from palmo.live.buffer import Limits, RingBuffer
from palmo.live.feed import LiveFeed
from palmo.play.layout import starting_layout
from palmo.play.table import MatchTable
from palmo.recorder import VideoWriter
from rules.annotations import Annotation
from rules.engine.match import Match
from rules.roster import Roster
from rules.smackkatz.book import CURRENT
from vision.finding.tracker import Tracker
from vision.measuring.measurer import Measurer
from vision.pipeline import Pipeline
from vision.sources.frames import Frame
from vision.sources.open import open_source
from vision.tracks import TrackFrame

# The rulebook has no mode for more wrestlers (BUILD-01); the others are tracked and drawn all the same.
_MOST_WRESTLERS = 8
_COLUMNS = (
    "pictures", "fighters", "naive", "find", "naive : find", "decode", "rules", "draw", "whole loop",
    "evidence", "loop with evidence", "measure one", "loop with both",
)  # fmt: skip


@dataclass(frozen=True)
class Costs:
    """CPU milliseconds per picture; `measure_one` per measured fragment."""

    naive: float
    find: float
    measure_one: float
    vision: float
    decode: float
    rules: float
    draw: float
    evidence: float

    @property
    def loop(self) -> float:
        """Everything a live picture costs while nobody has to be measured."""
        return self.decode + self.find + self.rules + self.draw

    @property
    def loop_evidence(self) -> float:
        """The same while the pictures are kept as evidence."""
        return self.loop + self.evidence

    @property
    def loop_both(self) -> float:
        """With evidence, and with all the measuring that this clip takes, spread over its pictures."""
        return self.decode + self.vision + self.rules + self.draw + self.evidence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark and print a Markdown table."""
    parser = argparse.ArgumentParser(prog="python -m datasets.bench", description=__doc__)
    parser.add_argument("--runs", type=int, default=3, help="runs whose median is taken")
    parser.add_argument("--heights", type=int, nargs="+", default=[720, 1080])
    parser.add_argument("--fighters", type=int, nargs="+", default=[8, 20])
    parser.add_argument("--frames", type=int, default=0, help="only the first so many pictures")
    parser.add_argument("--out", type=Path, default=Path("out/bench.md"))
    options = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    rows = []
    for height in options.heights:
        for count in options.fighters:
            clip, event = load(height, count, options.frames)
            print(f"{clip.name} ...", file=sys.stderr)
            rows.append(_row(height, count, measure(clip, event, options.runs)))
    table = _line(_COLUMNS) + _line(["---"] * len(_COLUMNS)) + "".join(rows)
    options.out.parent.mkdir(parents=True, exist_ok=True)
    options.out.write_text(table, encoding="utf-8")
    print(f"\nCPU milliseconds per picture, median of {options.runs} runs\n\n{table}")
    return 0


def load(height: int, count: int, frames: int = 0) -> tuple[Clip, Event]:
    """The clip at a height with `count` fighters, and an event that knows them all."""
    root = os.environ.get("PALMO_DATA")
    folder = Path(root) / "clips" / "S2" if root else None
    source, event_path, truth_path = (
        (folder / "clip.mp4", folder / "event.toml", folder / "truth.json")
        if folder is not None and folder.is_dir()
        else (DEMO_CLIP, DEMO_EVENT, DEMO_TRUTH)
    )
    event = load_event(event_path)
    with open_source(str(source)) as opened:
        seen = list(opened)[: frames or None]
    clip = scaled(seen, convert.ring_spec(event), convert.fighter_specs(event), height)
    truth = load_truth(truth_path)
    occupied = np.array([(pose.x, pose.y) for one in truth.frames for pose in one.values()])
    full = crowded(clip, count, np.unique(np.round(occupied), axis=0))
    return full, _with_everybody(event, full)


def measure(clip: Clip, event: Event, runs: int) -> Costs:
    """All costs of a clip, each the median of several runs over it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "clip.mp4"
        with VideoWriter(path, clip.calibration.size, 10.0, preset="ultrafast") as writer:
            for frame in clip.frames:
                writer.write(frame.image, frame.t)
        return Costs(
            naive=_median(runs, lambda: _naive(clip)),
            find=_median(runs, lambda: _find(clip)),
            measure_one=_median(runs, lambda: _measure(clip)),
            vision=_median(runs, lambda: _vision(clip)[0]),
            decode=_median(runs, lambda: _decode(path)),
            **_with_positions(clip, event, runs),
        )


def _median(runs: int, run: Callable[[], float]) -> float:
    return statistics.median(run() for _ in range(runs))


def _per_frame(frames: Iterable[Any], act: Callable[[Any], object]) -> float:
    """CPU milliseconds per frame of an act on every frame."""
    started, count = time.process_time(), 0
    for frame in frames:
        act(frame)
        count += 1
    return 1000.0 * (time.process_time() - started) / count


def _naive(clip: Clip) -> float:
    finder = NaiveFinder(clip.frames[0].image, clip.fighters)
    return _per_frame(clip.frames[1:], lambda frame: finder.find(frame.image))


def _find(clip: Clip) -> float:
    pipeline = Pipeline(clip.calibration, clip.fighters, clip.frames[0], measure=False)
    return _per_frame(clip.frames[1:], pipeline.observe)


def _measure(clip: Clip) -> float:
    """Measuring every fighter once, where it stands first."""
    tracker = Tracker(clip.calibration, clip.fighters, clip.frames[0])
    for frame in clip.frames[1:12]:
        tracker.update(frame)
    measurer = Measurer(clip.calibration, clip.fighters, furniture_mask(clip.calibration, 2.0))
    fragments = [(one.number, one.snapshot()) for one in tracker.growing().values()]
    seen = [(number, fragment) for number, fragment in fragments if fragment is not None]
    return _per_frame(seen, lambda one: measurer.measure(*one))


def _vision(clip: Clip) -> tuple[float, list[TrackFrame]]:
    pipeline = Pipeline(clip.calibration, clip.fighters, clip.frames[0])
    # Teaching and the first look at everybody belong to the set-up, not to a picture.
    tracked = [pipeline.update(clip.frames[0])]
    cost = _per_frame(clip.frames[1:], lambda frame: tracked.append(pipeline.update(frame)))
    return cost, tracked


def _decode(path: Path) -> float:
    with open_source(str(path)) as source:
        return _per_frame(source, lambda _: None)


def _with_positions(clip: Clip, event: Event, runs: int) -> dict[str, float]:
    """What works on the tracked pictures: a match in which somebody is to move, drawing, and evidence."""
    _, tracked = _vision(clip)
    pairs = list(zip(clip.frames, tracked, strict=True))
    both = [_rule_and_draw(clip, event, pairs) for _ in range(runs)]
    return {
        "rules": statistics.median(rules for rules, _ in both),
        "draw": statistics.median(draw for _, draw in both),
        "evidence": _median(runs, lambda: _keep(clip, pairs)),
    }


def _keep(clip: Clip, pairs: Sequence[tuple[Frame, TrackFrame]]) -> float:
    """Keeping every picture that shows anything new, when nobody else has compressed it yet."""
    with tempfile.TemporaryDirectory() as folder:
        buffer = RingBuffer(Path(folder), clip.calibration.size, 10.0, Limits())
        fresh = [(replace(frame), tracked) for frame, tracked in pairs]
        cost = _per_frame(fresh, lambda pair: buffer.write(*pair))
        buffer.close()
    return cost


def _rule_and_draw(
    clip: Clip, event: Event, pairs: Sequence[tuple[Frame, TrackFrame]]
) -> tuple[float, float]:
    feed = LiveFeed(event, _match_with_a_mover(event), clip.calibration.camera)
    shown: list[tuple[Annotation, ...]] = []
    rules = _per_frame(pairs, lambda pair: shown.append(feed.see(*pair)))
    painter = Painter(clip.calibration.camera, "es")
    pictures = [(frame.image.copy(), drawn) for frame, drawn in zip(clip.frames, shown, strict=True)]
    return rules, _per_frame(pictures, lambda one: painter.draw(*one))


def _match_with_a_mover(event: Event) -> MatchTable:
    whole = convert.roster(event)
    roster = Roster(whole.entrants[:_MOST_WRESTLERS], whole.ring)
    table = MatchTable(Match(CURRENT, roster))
    figures = starting_layout(roster)
    for _ in range(60):
        request = table.match.request
        assert request is not None
        if request.kind == "observe" and request.fighter is not None:
            return table
        if request.kind == "roll":
            table.roll()
        elif request.kind == "observe":
            table.answer(figures, "camera")
        else:
            moves = [one.id for one in request.options if one.legal and "move" in one.id]
            passes = [one.id for one in request.options if one.legal]
            table.answer((moves or passes[::-1])[0], "referee")
    raise RuntimeError("nobody came to move in this match")


def _with_everybody(event: Event, clip: Clip) -> Event:
    known = {fighter.id for fighter in event.fighter}
    first = event.fighter[0]
    extra = [
        first.model_copy(update={"id": one.id, "name": f"Figure {one.id}", "height_cm": one.height_cm})
        for one in clip.fighters
        if one.id not in known
    ]
    return event.model_copy(update={"fighter": [*event.fighter, *extra]})


def _row(height: int, count: int, c: Costs) -> str:
    finding = [f"{c.naive:.1f}", f"**{c.find:.1f}**", f"**{c.naive / c.find:.1f}**"]
    loop = [f"{c.decode:.1f}", f"{c.rules:.1f}", f"{c.draw:.1f}", f"**{c.loop:.1f}**"]
    evidence = [f"{c.evidence:.1f}", f"**{c.loop_evidence:.1f}**"]
    measuring = [f"{c.measure_one:.1f}", f"{c.loop_both:.1f}"]
    return _line([f"{height}p", str(count), *finding, *loop, *evidence, *measuring])


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |\n"


if __name__ == "__main__":
    sys.exit(main())
