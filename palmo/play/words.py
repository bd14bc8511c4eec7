"""What the referee can say at the terminal besides an answer: take back, correct, let stand, explain."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from overlay.happened import answer_of
from overlay.i18n import COUNT
from palmo.errors import SaidError
from palmo.play.asked import asked
from palmo.play.table import MatchTable
from rules.engine.diverged import Diverged
from rules.engine.facts import Fact
from rules.engine.overrule import ACCEPT, CORRECT, Correction
from rules.engine.request import Option, Request
from rules.smackkatz.lookup import Lookup
from rules.text import Text

LOG_LINES = 10
"""Entries that `log` shows unless it is told how many."""
PARTLY = "!"
"""Said after the number of an entry: take it back even if later ones are lost."""
_MOST_DIGITS = 9
_YES = ("yes", "y", "true", "1", "on", "sí", "si", "s")
_NO = ("no", "n", "false", "0", "off")


@dataclass(frozen=True)
class Said:
    """What a word came to: facts that follow, options, fields, rules to read, entries from a number on."""

    facts: Sequence[Fact] = ()
    texts: Sequence[Text] = ()
    options: Sequence[Option] = ()
    fields: Sequence[Correction] = ()
    rules: Sequence[Lookup] = ()
    log_from: int | None = None
    undone: bool = False
    """Whether figures stand where they stood before."""


class Words:
    """The referee's words on a match. `answer_of` turns the rest of a line into an answer to a request."""

    def __init__(self, table: MatchTable, answer_of: Callable[[Request, str], Any]) -> None:
        self._table = table
        self._answer_of = answer_of
        self._known: dict[str, Callable[[Request, str], Said]] = {
            name: act
            for names, act in (
                (("u", "undo", "deshacer"), self._undo),
                (("y", "redo", "rehacer"), self._redo),
                (("b", "back", "quitar"), self._take_back),
                (("x", "replace", "cambiar"), self._replace),
                (("c", "correct", "corregir"), self._correct),
                (("a", "accept", "aceptar"), self._accept),
                (("e", "explain", "explicar"), self._explain),
                (("l", "log", "registro"), self._log),
                (("?", "why", "regla"), self._rules),
            )
            for name in names
        }

    def say(self, request: Request, line: str) -> Said | None:
        """Carry out a line that is one of the words; None for any other line.

        Raises SaidError or Rejected with what is wrong; nothing has changed then.
        """
        word, _, rest = line.partition(" ")
        act = self._known.get(word.lower())
        return None if act is None else act(request, rest.strip())

    # ---- the words

    def _undo(self, request: Request, rest: str) -> Said:
        taken = self._table.undo(self._entry(rest) if rest else None)
        said = Text("terminal.undone", {COUNT: len(taken), "answer": answer_of(taken[0])})
        return Said(texts=(said,), undone=True)

    def _redo(self, request: Request, rest: str) -> Said:
        self._table.redo()
        return Said(facts=self._table.match.log.entries[-1].facts, undone=True)

    def _take_back(self, request: Request, rest: str) -> Said:
        number, partly = self._entry(rest.removesuffix(PARTLY).strip()), rest.endswith(PARTLY)
        lost = partial(self._table.take_back, number, partly=partly)
        return self._amended("terminal.taken_back", number, f"b {number}", lost)

    def _replace(self, request: Request, rest: str) -> Said:
        """Another answer to an earlier question; without one, what was asked then."""
        given, _, answer = rest.removesuffix(PARTLY).strip().partition(" ")
        number, partly = self._entry(given), rest.endswith(PARTLY)
        then = self._table.request_at(number)
        assert then is not None, "an entry answers something"
        if not answer:
            told = Text("terminal.asked_then", {"number": number, "asked": then.text})
            return Said(texts=(told,), options=then.options)
        value = self._answer_of(then, answer)
        lost = partial(self._table.replace, number, value, "referee", partly=partly)
        return self._amended("terminal.replaced", number, f"x {number} {answer}", lost)

    @staticmethod
    def _amended(told: str, number: int, word: str, amend: Callable[[], Sequence[object]]) -> Said:
        try:
            lost = amend()
        except Diverged as misfit:
            say = f"{word} {PARTLY}"
            raise SaidError("terminal.misfit", number=number, at=misfit.at, say=say) from None
        return Said(texts=(Text(told, {"number": number, "lost": len(lost)}),), undone=True)

    def _correct(self, request: Request, rest: str) -> Said:
        given, _, rest = rest.partition(" ")
        fighter = self._fighter(given)
        fields = {one.field: one for one in self._table.match.corrections if one.fighter == fighter}
        if not rest:
            return Said(fields=tuple(fields.values()))
        name, *words = rest.split()
        if name not in fields:
            raise SaidError("terminal.no_field", given=name, known=", ".join(fields))
        value, reason = _value(fields[name], words)
        said = {"fighter": fighter, "field": name, "value": value, "reason": reason}
        return Said(facts=self._table.answer({CORRECT: said}, "referee"), undone=True)

    def _accept(self, request: Request, rest: str) -> Said:
        answer, reason = rest, ""
        if request.kind == "choose":
            answer, _, reason = rest.partition(" ")
        said = {"answer": self._answer_of(request, answer), "reason": reason.strip()}
        return Said(facts=self._table.answer({ACCEPT: said}, "referee"), undone=True)

    def _explain(self, request: Request, rest: str) -> Said:
        fighter = self._fighter(rest) if rest or request.fighter is None else request.fighter
        return Said(options=self._table.match.explain(fighter))

    def _log(self, request: Request, rest: str) -> Said:
        given = whole(rest)
        many = LOG_LINES if given is None else given
        return Said(log_from=max(0, len(self._table.match.log.entries) - many))

    def _rules(self, request: Request, rest: str) -> Said:
        """The rules that are named, or those behind the question."""
        match = self._table.match
        named = (rest,) if rest else request.rules
        found = tuple(asked(one, match.rulebook, match.log.header.rulings) for one in named)
        return Said(rules=found)

    # ---- what they are said about

    def _entry(self, given: str) -> int:
        entries, number = len(self._table.match.log.entries), whole(given)
        if number is None or number >= entries:
            raise SaidError("terminal.no_entry", given=given, last=entries - 1)
        return number

    def _fighter(self, given: str) -> str:
        known = list(self._table.names)
        if not given:
            raise SaidError("terminal.which_fighter", known=", ".join(known))
        found = _same(given, known)
        if found is None:
            raise SaidError("terminal.no_fighter", given=given, known=", ".join(known))
        return found


def whole(given: str) -> int | None:
    """The whole number somebody wrote, None for anything else, as ² or a number of a thousand digits."""
    return int(given) if given.isdecimal() and len(given) <= _MOST_DIGITS else None


def _same(given: str, known: Iterable[str]) -> str | None:
    return next((one for one in known if one.lower() == given.lower()), None)


def _value(wanted: Correction, words: list[str]) -> tuple[Any, str]:
    """The value the words begin with, as the field takes it, and the reason after it.

    What is no such value is left as it stands: the match says what it takes instead.
    """
    first = words[0] if words else ""
    reason = " ".join(words[1:])
    match wanted.kind:
        case "point":
            try:
                return [float(one.replace(",", ".")) for one in words[:2]], " ".join(words[2:])
            except ValueError:
                return first, reason
        case "flag":
            return (first.lower() in _YES, reason) if first.lower() in (*_YES, *_NO) else (first, reason)
        case "number":
            number = whole(first.removeprefix("-"))
            if number is None:
                return first, reason
            return (-number if first.startswith("-") else number), reason
        case "choice":
            return _same(first, wanted.values) or first, reason
