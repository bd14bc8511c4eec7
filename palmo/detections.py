"""Detections of the camera on their way into a match, by the policy agreed for each kind."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from palmo.errors import Spoken
from palmo.play.table import MatchTable
from rules.engine.camera import CameraPolicy, Detection, DetectionKind
from rules.engine.overrule import CORRECT, Correction
from rules.engine.request import Rejected
from rules.scene import Figure
from rules.text import Text

_log = logging.getLogger(__name__)
Became = Literal["accepted", "proposed", "logged", "ignored", "merged", "nothing"]
"""What became of a detection; `nothing` when the match knew it already or nobody asked."""


@dataclass(frozen=True)
class Proposal:
    """Something the camera would answer: the sentence, and the referee's answer that confirms it."""

    detection: Detection
    text: Text
    answer: Any
    seen: int = 1

    @property
    def by_button(self) -> Any:
        """The answer a page may send to confirm it; None where the page looks at the table instead."""
        return None if self.detection.kind in ("move", "placement") else self.answer


class Detections:
    """Takes in detections. Whatever the camera says, the match goes on: nothing here raises.

    `proposals` hold for the turn of the table they were made at. Callers lock as for the table.
    """

    def __init__(self, table: MatchTable, policy: CameraPolicy | None = None) -> None:
        self._table = table
        self._policy = policy or CameraPolicy()
        self._last: dict[tuple[DetectionKind, str | None], tuple[Detection, int]] = {}
        self._proposals: list[Proposal] = []
        self._turn = table.turn

    @property
    def proposals(self) -> tuple[Proposal, ...]:
        """What waits for the referee."""
        self._forget_old()
        return tuple(self._proposals)

    def see(self, detection: Detection) -> Became:
        """Take in one detection and say what became of it."""
        try:
            return self._see(detection)
        except Exception:
            _log.exception(Spoken("fault.detection", kind=detection.kind))
            return "nothing"

    def see_settled(self, figures: Mapping[str, Figure], fighter: str, t: float) -> None:
        """A figure has come to rest: where it stands, how, and on which side of the ropes."""
        figure = figures.get(fighter)
        if not isinstance(figure, Figure):
            return
        request = self._table.match.request
        if request is not None and request.kind == "place" and request.fighter == fighter:
            self.see(Detection("placement", fighter, figure, t))
        else:
            self.see(Detection("move", fighter, dict(figures), t))
        if figure.posture in ("standing", "lying"):
            self.see(Detection("posture", fighter, figure.posture, t))
        zone = "ringside" if figure.zone == "ringside" else "ring"
        if figure.zone != "off_table":
            self.see(Detection("zone", fighter, zone, t))

    # ---- inside

    def _see(self, detection: Detection) -> Became:
        self._forget_old()
        key = (detection.kind, detection.fighter)
        last = self._last.get(key)
        if last is not None and last[1] == self._turn and detection.repeats(last[0]):
            self._proposals = [_again(one, detection) for one in self._proposals]
            return "merged"
        self._last[key] = (detection, self._turn)
        policy = self._policy.of(detection.kind)
        if policy == "ignore":
            return "ignored"
        answer = self._answer(detection)
        if answer is None:
            return "nothing"
        if policy == "accept" and self._answered(detection, answer):
            return "accepted"
        if policy == "log":
            self._table.note(camera=detection.kind, fighter=detection.fighter, t=round(detection.t, 3))
            return "logged"
        about = [(one.detection.kind, one.detection.fighter) for one in self._proposals]
        self._proposals = [one for one, of in zip(self._proposals, about, strict=True) if of != key]
        self._proposals.append(Proposal(detection, _sentence(detection), answer))
        return "proposed"

    def _answered(self, detection: Detection, answer: Any) -> bool:
        """Answer the match; what the rules refuse is left for the referee."""
        try:
            self._table.answer(answer, "camera", at=detection.t)
        except Rejected as refusal:
            _log.info("the rules refuse what the camera saw (%s): %s", detection.kind, refusal)
            return False
        # What was seen has been used: only something new counts from here.
        self._last[detection.kind, detection.fighter] = (detection, self._table.turn)
        return True

    def _answer(self, detection: Detection) -> Any:
        """What the match would be answered; None when it asks nothing of the kind or knows it already."""
        request = self._table.match.request
        if request is None:
            return None
        asked = request.fighter == detection.fighter
        match detection.kind:
            case "move":
                return detection.value if request.kind == "observe" and asked else None
            case "placement":
                return detection.value if request.kind == "place" and asked else None
            case "dice":
                return list(detection.value) if request.kind == "roll" else None
            case "posture" | "zone":
                return self._correction(detection)

    def _correction(self, detection: Detection) -> dict[str, Any] | None:
        """The correction that makes the match know what was seen; None when nothing contradicts."""
        for field in self._table.match.corrections:
            if (field.fighter, field.field) == (detection.fighter, detection.kind):
                if _agrees(field, detection):
                    return None
                said = {"fighter": field.fighter, "field": field.field, "value": detection.value}
                return {CORRECT: said}
        return None

    def _forget_old(self) -> None:
        if self._turn != self._table.turn:
            self._turn = self._table.turn
            self._proposals.clear()


def _agrees(field: Correction, detection: Detection) -> bool:
    """The camera tells standing from lying; the rules know several ways to lie there."""
    if detection.kind == "posture":
        return bool((field.now == "standing") == (detection.value == "standing"))
    return bool(field.now == detection.value)


def _again(proposal: Proposal, detection: Detection) -> Proposal:
    same = detection.repeats(proposal.detection)
    return replace(proposal, seen=proposal.seen + 1) if same else proposal


def _sentence(detection: Detection) -> Text:
    """What the referee is told: key `live.detected.<kind>`."""
    value: Text | str = ""
    if detection.kind in ("posture", "zone"):
        value = Text(f"correct.value.{detection.value}")
    elif detection.kind == "dice":
        value = ", ".join(str(face) for face in detection.value)
    return Text(f"live.detected.{detection.kind}", {"fighter": detection.fighter or "", "value": value})
