"""A recording worked through: tracks, what the gates refused, the annotated video."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from calibration.guard_words import sentences_of
from calibration.sentences import Said
from overlay.picture import Painter
from palmo.annotating import Annotator
from palmo.errors import SaidError, reason
from palmo.judging import Judgement
from palmo.judging import as_json as move_json
from palmo.live.guard import CameraGuard
from palmo.outputs import replacing
from palmo.recorder import VideoWriter
from palmo.workbench import Workbench, open_workbench
from rules.text import Text
from vision.finding.blobs import Refusal
from vision.sources.frames import Frame
from vision.sources.open import open_source
from vision.tracks import TrackFrame
from vision.tracks_file import write_tracks

Tick = Callable[[], None]


@dataclass(frozen=True)
class Explanation:
    """What one gate refused in one frame."""

    frame: int
    t: float
    refusal: Refusal

    def __str__(self) -> str:
        numbers = ", ".join(f"{name} {value:g}" for name, value in self.refusal.numbers.items())
        return (
            f"{self.t:8.2f} s  frame {self.frame:5d}  {self.refusal.fighter}: {self.refusal.gate} ({numbers})"
        )

    def to_json(self) -> dict[str, Any]:
        """The same for a program."""
        refusal = self.refusal
        return {
            "frame": self.frame,
            "t": self.t,
            "fighter": refusal.fighter,
            "gate": refusal.gate,
            **refusal.numbers,
        }


@dataclass(frozen=True, eq=False)
class Tracked:
    """Everything that came out of a recording."""

    bench: Workbench
    frames: list[TrackFrame]
    explanations: list[Explanation]
    annotator: Annotator
    warnings: list[Said]

    @property
    def judgements(self) -> list[Judgement]:
        """Every move, judged by the Speed on its fighter's sheet."""
        return self.annotator.judgements

    def to_json(self) -> dict[str, Any]:
        """The outcome for a program."""
        return {
            "frames": len(self.frames),
            "fighters": [fighter.id for fighter in self.bench.event.fighter],
            "moves": [move_json(judgement) for judgement in self.judgements],
            "warnings": self.warnings,
            "ring": self.bench.check.to_dict(),
        }


def legend(explanations: Iterable[Explanation]) -> list[Text]:
    """What the gates that refused something mean, each once in the order in which they did."""
    gates = dict.fromkeys(one.refusal.gate for one in explanations)
    head = Text("explain.legend" if gates else "explain.nothing")
    return [
        head,
        *(Text("explain.line", {"gate": gate, "what": Text(f"explain.gate.{gate}")}) for gate in gates),
    ]


def track_recording(source: str, event_path: Path, *, tick: Tick | None = None) -> Tracked:
    """Follow a recording to its end and look back. `tick` is called once per frame.

    Raises EventError, SourceError or PalmoError.
    """
    explanations: list[Explanation] = []
    told: list[Said] = []

    def seen(frame: Frame, refusals: list[Refusal]) -> None:
        if guard.see(frame):
            told.extend(one for one in sentences_of(guard.condition).values() if one not in told)
        explanations.extend(Explanation(frame.index, frame.t, refusal) for refusal in refusals)
        if tick is not None:
            tick()

    with open_workbench(source, event_path) as bench:
        if bench.source.live:
            raise SaidError("error.source.endless", name=bench.source.name)
        guard = CameraGuard(bench.first, bench.calibration)
        pipeline = bench.pipeline()
        frames = guard.marked(pipeline.look_back(bench.frames(), seen))
        warnings = [*bench.source.warnings, *pipeline.warnings, *told]
    return Tracked(bench, frames, explanations, Annotator(bench.event, frames), warnings)


def save_tracks(path: Path, frames: list[TrackFrame]) -> None:
    """Write tracks.jsonl; an earlier one stays until the new one is whole. Raises PalmoError."""
    try:
        with replacing(path) as place:
            write_tracks(place, frames)
    except OSError as error:
        raise SaidError("error.tracks.unwritten", path=path, why=reason(error)) from None


def annotated(tracked: Tracked, source: str, lang: str) -> Iterator[tuple[Frame, Any]]:
    """The recording's frames again, each with everything drawn over it."""
    painter = Painter(tracked.bench.calibration.camera, lang, colours=tracked.bench.colours)
    by_index = {frame.frame: frame for frame in tracked.frames}
    with open_source(source) as opened:
        for frame in opened:
            if frame.index in by_index:
                picture = frame.image.copy()
                painter.draw(picture, tracked.annotator.annotations(by_index[frame.index]))
                yield frame, picture


def write_video(tracked: Tracked, source: str, path: Path, lang: str, *, tick: Tick | None = None) -> None:
    """Write the annotated video; an earlier one stays until the new one is whole. Raises PalmoError."""
    opened = tracked.bench.source
    try:
        with (
            replacing(path) as place,
            VideoWriter(place, opened.size, opened.fps or 10.0, called=path) as writer,
        ):
            for frame, picture in annotated(tracked, source, lang):
                writer.write(picture, frame.t)
                if tick is not None:
                    tick()
    except OSError as error:
        raise SaidError("error.video.unwritten_plain", path=path, why=reason(error)) from None
