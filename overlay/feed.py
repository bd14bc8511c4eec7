"""What the pages need from whoever runs the table (the live loop): pictures, the open request, answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from overlay.board import Board
from rules.annotations import Tone
from rules.engine.overrule import Correction
from rules.engine.request import Option, Reason, Request
from rules.smackkatz.lookup import Lookup
from rules.text import Text


@dataclass(frozen=True)
class HistoryLine:
    """Something that happened, newest last: the sentence, who said so, the rules behind it."""

    text: Text
    origin: str = "engine"
    rules: tuple[str, ...] = ()


@dataclass(frozen=True)
class Notice:
    """A standing remark about the table: camera moved, recording stopped, frames dropped.

    `answer` is what the referee may answer to it with a button: what the camera proposes, as plain data.
    """

    text: Text
    tone: Tone = "neutral"
    answer: Any = None


@dataclass(frozen=True)
class Panel:
    """All that the match panel shows.

    `turn` changes with everything that changes the match (answers, undo): an answer names the turn it was
    given to, so that two phones cannot answer the same question twice. `request` is None without a match or
    after its end (`outcome` then tells how it ended). `sighting` is None when the camera can answer an
    `observe` or `place` request now, else the reason why it cannot. `offered` are the faces that were already
    rolled for this request before an undo. `happened` is what came of the last answer. `undo` and `redo` name
    what they would take back or give again, None when there is nothing. `corrections` are the fields the
    referee may set, and as they stand when the match is over, `fighters` those whose actions can be
    explained.
    """

    turn: int
    request: Request | None = None
    outcome: Text | None = None
    sighting: Text | None = None
    offered: Sequence[int] | None = None
    happened: Sequence[Text] = ()
    undo: Text | None = None
    redo: Text | None = None
    corrections: Sequence[Correction] = ()
    fighters: Sequence[str] = ()
    digital_dice: bool = True
    history: Sequence[HistoryLine] = ()
    notices: Sequence[Notice] = ()
    names: Mapping[str, str] = field(default_factory=dict)


class Refused(ValueError):
    """An answer, a roll or an undo that was not accepted; the match is as before. Carries the reasons."""

    def __init__(self, *reasons: Reason) -> None:
        self.reasons = reasons
        super().__init__("; ".join(f"{reason.code} {reason.rule}".strip() for reason in reasons))


class Feed(Protocol):
    """The table as the pages see it.

    Every method may be called from a thread of the server at any time and must return soon: the feed guards
    the match with its own lock. The acts raise Refused (or rules.engine.request.Rejected) with
    the reasons, and post `board.panel_changed()` when the match has changed.
    """

    @property
    def board(self) -> Board:
        """Where pictures are posted."""
        ...

    def panel(self) -> Panel:
        """The panel as it is now."""
        ...

    def explain(self, fighter: str) -> Sequence[Option]:
        """Every action of a fighter, whoever's slot it is, each with all reasons against it."""
        ...

    def rule(self, rule: str) -> Lookup:
        """A rule of the catalogue with its house rules as this match has agreed on them."""
        ...

    def answer(self, turn: int, value: Any) -> None:
        """Answer the request of that turn: an option's id, or the faces of its dice as one list."""
        ...

    def roll(self, turn: int) -> None:
        """Answer the `roll` request of that turn with digital dice (their seed is the feed's affair)."""
        ...

    def look(self, turn: int) -> None:
        """Answer the `observe` or `place` request of that turn with what the camera sees now."""
        ...

    def undo(self, turn: int) -> None:
        """Take back the last answer."""
        ...

    def redo(self, turn: int) -> None:
        """Give the answer again that was taken back last."""
        ...
