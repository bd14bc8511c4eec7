"""A match refereed by a program: one line of JSON says what is asked, one line of JSON answers it."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from typing import Any

from overlay.i18n import translate
from overlay.panel import explanation, panel_view, reasons_view
from palmo.errors import PalmoError, SaidError, texts
from palmo.play.layout import degrees, put, starting_figures
from palmo.play.table import MatchTable
from rules.engine.answers import AS_PROPOSED
from rules.engine.facts import Fact
from rules.engine.overrule import WORDS
from rules.engine.request import Rejected, Request
from rules.scene import FARTHEST_CM, Figure
from rules.text import Text

Line = Mapping[str, Any]


class Machine:
    """Plays a match line by line. `read` gives the next line, an empty one at the end; `write` takes a state.

    An answer is the option's id, a list of dice, or an object `{"F1": [x, y, degrees]}` with cm and degrees
    of whoever stands elsewhere than `figures` says; `{}` says that nobody measured, null takes what is shown:
    the figures as they are, the place proposed, digital dice.
    """

    def __init__(
        self, table: MatchTable, lang: str, read: Callable[[], str], write: Callable[[Line], None]
    ) -> None:
        self._table = table
        self._lang = lang
        self._read = read
        self._write = write
        self._starting = starting_figures(table.match)
        self._commands: dict[str, Callable[[Any], dict[str, Any]]] = {
            "undo": self._undo,
            "redo": self._redo,
            "explain": self._explain,
        }

    def play(self) -> None:
        """Until the match is over or no line comes any more."""
        said: dict[str, Any] = {}
        while True:
            self._write(self._state() | said)
            if self._table.match.request is None or not (line := self._read()):
                return
            said = self._heard(line)

    # ---- what is heard

    def _heard(self, line: str) -> dict[str, Any]:
        """Carry a line out; what there is to say of it besides the new state."""
        done = len(self._table.match.log.entries)
        try:
            extra = self._carried_out(_parsed(line))
        except Rejected as refusal:
            return {"refused": reasons_view(refusal.reasons, self._lang, self._table.names)}
        except PalmoError as error:
            return {"error": " ".join(self._sentence(one) for one in texts(error))}
        entries = self._table.match.log.entries[done:]
        return {"happened": [self._fact(fact) for entry in entries for fact in entry.facts], **extra}

    def _carried_out(self, value: Any) -> dict[str, Any]:
        request = self._table.match.request
        assert request is not None, "nobody is asked after the end"
        if isinstance(value, dict) and len(value) == 1 and (name := next(iter(value))) in self._commands:
            return self._commands[name](value[name])
        if value is None and request.kind == "roll":
            self._table.roll()
        else:
            self._table.answer(self._meant(request, value), "referee")
        return {}

    def _meant(self, request: Request, value: Any) -> Any:
        """The answer as the rules want it: figures for places."""
        looked_at = request.kind in ("observe", "place")
        if value is None and looked_at:
            return self._shown() if request.kind == "observe" else AS_PROPOSED
        if not looked_at or not isinstance(value, dict) or value.keys() & set(WORDS):
            return value
        known = {**self._starting, **self._table.match.scene.figures}
        moved = {name: _put(known, name, place) for name, place in value.items()}
        if request.kind == "place":
            return next(iter(moved.values()), None)
        return self._shown() | moved if moved else {}

    def _shown(self) -> dict[str, Figure]:
        """Where everybody stands as far as anybody knows: at first where they should."""
        seen = self._table.match.scene.figures
        return dict(seen if seen or self._table.match.log.entries else self._starting)

    def _undo(self, number: Any) -> dict[str, Any]:
        to = number if isinstance(number, int) and not isinstance(number, bool) else None
        last = len(self._table.match.log.entries) - 1
        if to is not None and not 0 <= to <= last:
            raise SaidError("terminal.no_entry", given=str(to), last=last)
        return {"undone": [entry.to_json() for entry in self._table.undo(to)]}

    def _redo(self, _: Any) -> dict[str, Any]:
        self._table.redo()
        return {}

    def _explain(self, fighter: Any) -> dict[str, Any]:
        if not isinstance(fighter, str) or fighter not in self._table.names:
            raise SaidError("terminal.no_fighter", given=str(fighter), known=", ".join(self._table.names))
        options = self._table.match.explain(fighter)
        return {"explained": explanation(options, self._lang, self._table.names)}

    # ---- what is said

    def _state(self) -> dict[str, Any]:
        match = self._table.match
        over = match.outcome
        return {
            "entry": len(match.log.entries),
            "turn": match.state.turn,
            "request": None if match.request is None else self._asked(match.request),
            "figures": {name: _place(one) for name, one in self._shown().items()},
            "outcome": None
            if over is None
            else {
                "ending": over.ending,
                "winners": list(over.winners),
                "rule": over.rule,
                "text": self._sentence(over.text),
            },
        }

    def _asked(self, request: Request) -> dict[str, Any]:
        """The question as the panel has it, with ids where that has names."""
        proposal = None if request.proposal is None else _place(request.proposal)
        view = panel_view(request, self._lang, self._table.names)
        dice = [
            said | {"fighter": pool.fighter} for said, pool in zip(view["dice"], request.dice, strict=True)
        ]
        ids = {"who": request.who, "fighter": request.fighter, "key": request.text.key, "proposal": proposal}
        return view | ids | {"dice": dice}

    def _fact(self, fact: Fact) -> dict[str, Any]:
        return fact.to_json() | {"text": self._sentence(fact.text)}

    def _sentence(self, said: Text) -> str:
        return translate(said, self._lang, self._table.names)


def _parsed(line: str) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        raise SaidError("machine.no_json") from None


def _put(known: Mapping[str, Figure], name: str, place: Any) -> Figure:
    """A figure put somewhere by `[x, y]` or `[x, y, degrees]`. Raises SaidError."""
    if name not in known:
        raise SaidError("terminal.no_fighter", given=name, known=", ".join(known))
    if not (isinstance(place, list) and len(place) in (2, 3) and all(_on_a_table(one) for one in place)):
        raise SaidError("machine.figure")
    figure = known[name]
    facing = math.radians(place[2]) if len(place) == 3 else figure.facing
    return put(figure, float(place[0]), float(place[1]), facing)


def _on_a_table(number: Any) -> bool:
    return isinstance(number, int | float) and not isinstance(number, bool) and abs(number) <= FARTHEST_CM


def _place(figure: Figure) -> list[float]:
    """As it is said: x and y in cm, and degrees above -180, up to 180."""
    return [round(figure.x, 3), round(figure.y, 3), round(degrees(figure.facing), 2)]
