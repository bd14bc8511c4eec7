"""Moments worth looking at: too close to call, only assumed, not told apart, not seen."""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Literal

from overlay.review.desk import Asked
from palmo.judging import Judgement, headline
from palmo.review.evidence import Evidence
from palmo.review.measuring import measure
from palmo.review.past import Past
from palmo.stays import Move, Stay
from rules.annotations import Tone
from rules.text import Text

Kind = Literal["too_close", "beyond", "within", "moved", "assumed", "lost", "merged", "gap", "remark"]
# A figure that is hidden for less is no moment to look at.
_SHORTEST_S = 0.4
# So far from a hand, in seconds, a figure is well seen.
_CLEAR_S = 0.3
# So many usual steps between two pictures are a gap, and never less than so many seconds.
_GAP_STEPS, _GAP_S = 4.0, 0.5
_TONES: dict[Kind, Tone] = {
    "too_close": "doubt", "beyond": "illegal", "within": "legal", "moved": "doubt", "assumed": "doubt",
    "lost": "doubt", "merged": "doubt", "gap": "doubt", "remark": "doubt",
}  # fmt: skip


@dataclass(frozen=True)
class Moment:
    """A moment: its kind, the frame to look at, whose it is, what to say, and the two frames to measure.

    `before` and `after` are the frames suggested for a measurement, None where there is nothing to measure.
    """

    kind: Kind
    frame: int
    t: float
    fighter: str | None
    text: Text
    before: int | None = None
    after: int | None = None

    @property
    def tone(self) -> Tone:
        """How it is drawn."""
        return _TONES[self.kind]

    @property
    def doubtful(self) -> bool:
        """Whether it needs a look; every other one is a move that was clear."""
        return self.tone == "doubt"


def moments(evidence: Evidence, past: Past) -> list[Moment]:
    """All of a session's moments, in the order in which they happened."""
    found = [
        *_moves(evidence, past),
        *_states(evidence),
        *_knocks(evidence),
        *_gaps(evidence),
        *_remarks(evidence),
    ]
    return sorted(found, key=lambda moment: (moment.t, moment.kind, moment.fighter or ""))


def _moves(evidence: Evidence, past: Past) -> Iterator[Moment]:
    for fighter, stood in evidence.stays.items():
        for before, after in pairwise(stood):
            ends = _ends(evidence, before, after)
            judgement = measure(evidence, past, [], Asked(fighter, *ends)).judgement
            where = (evidence.number_at(after.first_t), after.first_t, fighter)
            kind: Kind = "moved" if judgement.move.camera_moved else judgement.ruling.verdict
            yield Moment(kind, *where, headline(judgement), *ends)
            # A verdict that hangs on the facing says so itself.
            if after.track.facing_source == "assumed" and not _hangs_on_facing(judgement):
                yield Moment("assumed", *where, _assumed(judgement), *ends)


def _hangs_on_facing(judgement: Judgement) -> bool:
    return judgement.ruling.text.key.endswith(".facing")


def _assumed(judgement: Judgement) -> Text:
    move: Move = judgement.move
    return Text("review.moment.assumed", {"t": move.after.first_t, "name": judgement.fighter.name})


def _states(evidence: Evidence) -> Iterator[Moment]:
    """Stretches in which a fighter was lost or could not be told from another."""
    for fighter in evidence.setup.event.fighter:
        entries = [(n, frame.fighters.get(fighter.id)) for n, frame in enumerate(evidence.frames)]
        for state, group in groupby(
            entries, key=lambda entry: "lost" if entry[1] is None else entry[1].state
        ):
            numbers = [number for number, _ in group]
            start, end = evidence.times[numbers[0]], evidence.times[numbers[-1]]
            if state not in ("lost", "merged", "unsure") or end - start < _SHORTEST_S:
                continue
            kind: Kind = "lost" if state == "lost" else "merged"
            text = Text(f"review.moment.{kind}", {"start": start, "end": end, "name": fighter.name})
            ends = _around(evidence, fighter.id, start, end)
            yield Moment(kind, numbers[0], start, fighter.id, text, *ends)


def _knocks(evidence: Evidence) -> Iterator[Moment]:
    """Stretches in which the camera did not stand where it was calibrated."""
    frames = list(enumerate(evidence.frames))
    for moved, group in groupby(frames, key=lambda entry: entry[1].camera_moved):
        numbers = [number for number, _ in group]
        start, end = evidence.times[numbers[0]], evidence.times[numbers[-1]]
        if moved:
            yield Moment(
                "moved", numbers[0], start, None, Text("review.moment.moved", {"start": start, "end": end})
            )


def _gaps(evidence: Evidence) -> Iterator[Moment]:
    steps = [after - before for before, after in pairwise(evidence.times)]
    if not steps:
        return
    longest = max(_GAP_STEPS * statistics.median(steps), _GAP_S)
    for number, step in enumerate(steps, start=1):
        if step > longest or step <= 0:
            t = evidence.times[number]
            yield Moment("gap", number, t, None, Text("review.moment.gap", {"t": t, "seconds": step}))


def _remarks(evidence: Evidence) -> Iterator[Moment]:
    for remark in evidence.remarks:
        if remark.text.key != "live.gap":
            t = evidence.times[0] if remark.t is None else remark.t
            yield Moment("remark", evidence.number_at(t), t, None, remark.text)


def _ends(evidence: Evidence, before: Stay, after: Stay) -> tuple[int, int]:
    """The frames suggested for a move: shortly before the hand came and shortly after it had gone."""
    start = evidence.number_at(max(before.first_t, before.last_t - _CLEAR_S))
    end = evidence.number_at(min(after.last_t, after.first_t + _CLEAR_S))
    return start, max(end, start + 1)


def _around(evidence: Evidence, fighter: str, start: float, end: float) -> tuple[int | None, int | None]:
    """The frames of the two stays around a stretch."""
    stood = evidence.stays[fighter]
    before = [stay for stay in stood if stay.last_t <= start]
    after = [stay for stay in stood if stay.first_t >= end]
    if not before or not after:
        return None, None
    return _ends(evidence, before[-1], after[0])
