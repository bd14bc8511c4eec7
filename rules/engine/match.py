"""A match in play: one open request, answers in, facts out, everything in a log that can be replayed."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping
from typing import Any, Generic

from rules.annotations import Annotation
from rules.engine import answers, diverged
from rules.engine.facts import Fact
from rules.engine.log import Entry, Header, Log, LogError, parse
from rules.engine.request import ORIGINS, Origin, Outcome, Rejected, Request
from rules.engine.rulebook import Rulebook, S, Table
from rules.roster import Roster
from rules.scene import Scene

VERSION = "1"
"""Version of the engine's behaviour, written into every log."""

END = "end_match"
"""The answer by which the referee may end the match at any request: {"end_match": [winners]}."""


class Match(Generic[S]):
    """A match of one rulebook. The engine never rolls, looks at a clock or sees a camera."""

    def __init__(
        self,
        rulebook: Rulebook[S],
        roster: Roster,
        *,
        mode: str | None = None,
        rulings: Mapping[str, Any] | None = None,
    ) -> None:
        """Open a match. Raises RulingError (house rules) or the rulebook's ValueError (roster, mode)."""
        self.rulebook = rulebook
        mode = rulebook.modes[0] if mode is None else mode
        if mode not in rulebook.modes:
            raise ValueError(f"Unknown mode '{mode}'. Choose one of: {', '.join(rulebook.modes)}.")
        settings = rulebook.catalogue.resolve({**rulebook.mode_rulings(mode), **(rulings or {})})
        self._table = Table(rulebook.open(roster, settings, mode), roster, settings, mode)
        self._header = Header(rulebook.name, rulebook.edition, mode, settings, roster, VERSION)
        self._known = tuple(entrant.id for entrant in roster.entrants)
        self._entries: list[Entry] = []
        self._undone: list[Entry] = []
        self._checkpoints: list[tuple[int, S]] = []
        self._start()

    # ---- reading

    @property
    def request(self) -> Request | None:
        """What the table is asked now; None when the match is over."""
        return self._request

    @property
    def outcome(self) -> Outcome | None:
        """How the match ended; None while it goes on."""
        return self._table.state.outcome

    @property
    def state(self) -> S:
        """The rulebook's state: to read, never to change."""
        return self._table.state

    @property
    def table(self) -> Table[S]:
        """State, roster and rulings as the rulebook's own questions want them."""
        return self._table

    @property
    def scene(self) -> Scene:
        """The table as last observed."""
        return self._table.state.scene

    @property
    def log(self) -> Log:
        """Header and entries so far."""
        return Log(self._header, tuple(self._entries))

    def log_lines(self) -> list[str]:
        """The log as JSON lines."""
        return self.log.lines()

    def annotations(self, scene: Scene | None = None) -> tuple[Annotation, ...]:
        """What to draw, over `scene` (the figures as they stand now) or the last observation."""
        figures = self.scene.figures if scene is None else scene.figures
        return self.rulebook.annotations(self._table, self._request, figures)

    @property
    def offered(self) -> Any:
        """The answer this same request got before it was undone (dice, observations, placements)."""
        entry = self._undone_for_request()
        return entry.answer if entry is not None and entry.request["kind"] in answers.GIVEN else None

    # ---- playing

    def answer(self, value: Any, origin: Origin = "referee", *, at: float | None = None) -> tuple[Fact, ...]:
        """Answer the open request; returns the facts that follow.

        Raises Rejected, with every reason, when the answer is not allowed: nothing has changed then.
        """
        if self._request is None:
            raise answers.reject("match_over")
        if origin not in ORIGINS:
            raise answers.reject("no_such_origin", given=str(origin))
        if isinstance(value, Mapping) and END in value:
            return self._take(self._checked_end(value, origin), origin, at)
        return self._take(answers.checked(self._request, value, self._known), origin, at)

    def undo(self, to: int | None = None) -> None:
        """Take back every entry from number `to` on (the last one when left out).

        Raises ValueError when there is no such entry. What was rolled, seen or placed is offered again.
        """
        to = len(self._entries) - 1 if to is None else to
        if not 0 <= to < len(self._entries):
            raise ValueError(f"There is no entry {to} to undo; the log has {len(self._entries)} entries.")
        self._undone = self._entries[to:] + self._undone
        while self._checkpoints[-1][0] > to:
            self._checkpoints.pop()
        start, state = self._checkpoints.pop()
        kept = self._entries[start:to]
        del self._entries[start:]
        self._table.state = state.copy()
        self._start()
        for entry in kept:
            self._advance(entry.answer, entry.raw, entry.origin, entry.at, entry.request)

    def redo(self) -> bool:
        """Answer as before the undo, if this request is the next one that was answered then."""
        entry = self._undone_for_request()
        if entry is None or entry is not self._undone[0]:
            return False
        self._take(entry.answer, entry.origin, entry.at)
        return True

    @classmethod
    def replay(cls, log: Log | Iterable[str], rulebook: Rulebook[S]) -> Match[S]:
        """The match a log (or its lines) tells. Raises LogError or Diverged(at entry)."""
        lines = log.lines() if isinstance(log, Log) else log
        header, entries = parse(lines)
        if (header.rulebook, header.edition) != (rulebook.name, rulebook.edition):
            raise LogError(
                f"This log is of {header.rulebook} ({header.edition}), "
                f"not of {rulebook.name} ({rulebook.edition})."
            )
        try:
            match = cls(rulebook, header.roster, mode=header.mode, rulings=header.rulings)
        except (KeyError, TypeError, AttributeError) as error:
            raise LogError(
                f"The header of the match log cannot be played: {error} is missing or wrong."
            ) from error
        for number, entry in enumerate(entries):
            match._replay_entry(number, entry)
        return match

    # ---- inside

    def _start(self) -> None:
        self._run = self._drive()
        self._table.facts = []
        self._request = next(self._run, None)

    def _drive(self) -> Generator[Request, Any, None]:
        while self._table.state.outcome is None:
            self._checkpoints.append((len(self._entries), self._table.state.copy()))
            yield from self.rulebook.stage(self._table)

    def _take(self, answer: Any, origin: Origin, at: float | None) -> tuple[Fact, ...]:
        request = self._request
        assert request is not None
        again = self._undone_for_request()
        if again is not None:
            self._undone.remove(again)
        raw = answer if isinstance(answer, dict) and END in answer else answers.to_json(request, answer)
        return self._advance(answer, raw, origin, at, request.signature())

    def _advance(
        self, answer: Any, raw: Any, origin: Origin, at: float | None, signature: Mapping[str, Any]
    ) -> tuple[Fact, ...]:
        self._table.facts = []
        number = len(self._entries)
        # The entry goes in first: a checkpoint taken while the generator runs on lies behind it.
        self._entries.append(Entry(number, signature, answer, raw, origin, (), at))
        if isinstance(answer, dict) and END in answer:
            self._run.close()
            self.rulebook.end(self._table, tuple(answer[END]))
            self._request = None
        else:
            try:
                self._request = self._run.send(answer)
            except StopIteration:
                self._request = None
        facts = tuple(self._table.facts)
        self._entries[number] = Entry(number, signature, answer, raw, origin, facts, at)
        return facts

    def _checked_end(self, value: Mapping[str, Any], origin: Origin) -> dict[str, list[str]]:
        winners = value[END]
        if origin != "referee":
            raise answers.reject("only_referee")
        if not isinstance(winners, list | tuple) or any(one not in self._known for one in winners):
            raise answers.reject("unknown_figure", given=str(winners))
        return {END: list(winners)}

    def _undone_for_request(self) -> Entry | None:
        if self._request is None or not self._undone:
            return None
        signature = self._request.signature()
        return next((entry for entry in self._undone if entry.request == signature), None)

    def _replay_entry(self, number: int, entry: Mapping[str, Any]) -> None:
        if self._request is None:
            raise diverged.other_request(number, entry["request"], None)
        signature = self._request.signature()
        if signature != entry["request"]:
            raise diverged.other_request(number, entry["request"], signature)
        if entry["n"] != number:
            raise diverged.other_number(number, entry["n"])
        try:
            facts = self.answer(entry["answer"], entry["origin"], at=entry.get("at"))
        except Rejected as refusal:
            codes = [reason.code for reason in refusal.reasons]
            raise diverged.refused_answer(number, entry["answer"], codes) from refusal
        found = [fact.to_json() for fact in facts]
        if found != entry["facts"]:
            raise diverged.other_facts(number, entry["facts"], found)
