"""A match in play: one open request, answers in, facts out, everything in a log that can be replayed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Generic

from rules.annotations import Annotation
from rules.engine import amend, answers, diverged
from rules.engine.facts import Fact
from rules.engine.log import Entry, Header, Log, LogError, parse
from rules.engine.overrule import END, Correction
from rules.engine.play import Play
from rules.engine.request import ORIGINS, Option, Origin, Outcome, Rejected, Request
from rules.engine.rulebook import Rulebook, S, Table
from rules.problem import phrase
from rules.roster import Roster
from rules.scene import Scene

__all__ = ["END", "VERSION", "Match"]

VERSION = "1"
"""Version of the engine's behaviour, written into every log."""


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
        self._header = Header(rulebook.name, rulebook.edition, mode, settings, roster, VERSION)
        self._undone: list[Entry] = []
        self._play = Play(rulebook, Table(rulebook.open(roster, settings, mode), roster, settings, mode))

    # ---- reading

    @property
    def request(self) -> Request | None:
        """What the table is asked now; None when the match is over."""
        return self._play.request

    @property
    def outcome(self) -> Outcome | None:
        """How the match ended; None while it goes on."""
        return self._play.table.state.outcome

    @property
    def state(self) -> S:
        """The rulebook's state: to read, never to change."""
        return self._play.table.state

    @property
    def table(self) -> Table[S]:
        """State, roster and rulings as the rulebook's own questions want them."""
        return self._play.table

    @property
    def scene(self) -> Scene:
        """The table as last observed."""
        return self._play.table.state.scene

    @property
    def log(self) -> Log:
        """Header and entries so far."""
        return Log(self._header, tuple(self._play.entries))

    def log_lines(self) -> list[str]:
        """The log as JSON lines."""
        return self.log.lines()

    def annotations(self, scene: Scene | None = None) -> tuple[Annotation, ...]:
        """What to draw, over `scene` (the figures as they stand now) or the last observation."""
        figures = self.scene.figures if scene is None else scene.figures
        return self.rulebook.annotations(self.table, self.request, figures)

    @property
    def corrections(self) -> tuple[Correction, ...]:
        """Every field the referee may set at this request; none when the match is over."""
        return () if self.request is None else self.rulebook.corrections(self.table)

    def explain(self, fighter: str) -> tuple[Option, ...]:
        """Every action for a fighter, whoever's turn it is, with all that speaks against it."""
        return self.rulebook.explain(self.table, fighter)

    @property
    def offered(self) -> Any:
        """The answer this same request got before it was undone (dice, observations, placements)."""
        entry = self._undone_for_request()
        given = entry is not None and not entry.overrules and entry.request["kind"] in answers.GIVEN
        return entry.answer if entry is not None and given else None

    # ---- playing

    def answer(self, value: Any, origin: Origin = "referee", *, at: float | None = None) -> tuple[Fact, ...]:
        """Answer the open request; returns the facts that follow.

        The referee may always say something of his own instead (`rules.engine.overrule`): end the match,
        set a field, let an illegal answer stand.

        Raises Rejected, with every reason, when the answer is not allowed: nothing has changed then.
        """
        if origin not in ORIGINS:
            raise answers.reject("no_such_origin", given=str(origin))
        again = self._undone_for_request()
        facts = self._play.give(value, origin, at)
        if again is not None:
            self._undone.remove(again)
        return facts

    def undo(self, to: int | None = None) -> None:
        """Take back every entry from number `to` on (the last one when left out).

        Raises ValueError when there is no such entry. What was rolled, seen or placed is offered again.
        """
        entries = self._play.entries
        to = len(entries) - 1 if to is None else to
        self._known_entry(to)
        undone = entries[to:]
        self._play.back_to(to)
        self._undone = undone + self._undone

    def redo(self) -> bool:
        """Answer as before the undo, if this request is the next one that was answered then."""
        entry = self._undone_for_request()
        if entry is None or entry is not self._undone[0]:
            return False
        del self._undone[0]
        self._play.again(entry)
        return True

    def take_back(self, number: int, *, partly: bool = False) -> tuple[Entry, ...]:
        """Take back one entry and keep those after it; returns those that no longer fit.

        Raises ValueError when there is no such entry, Diverged (at the first entry that no longer fits)
        when some would be lost: nothing has changed then. With `partly` what fits is kept; of the rest,
        dice, observations and placements are offered again.
        """
        self._known_entry(number)
        return self._adopt(amend.without(self._play, number, partly))

    def replace(
        self, number: int, value: Any, origin: Origin = "referee", *, partly: bool = False
    ) -> tuple[Entry, ...]:
        """Answer one earlier request otherwise and keep the entries after it, as in `take_back`.

        Raises Rejected, too, when that answer was not allowed then.
        """
        self._known_entry(number)
        return self._adopt(amend.instead(self._play, number, value, origin, partly))

    @classmethod
    def replay(cls, log: Log | Iterable[str], rulebook: Rulebook[S]) -> Match[S]:
        """The match a log (or its lines) tells. Raises LogError or Diverged(at entry)."""
        lines = log.lines() if isinstance(log, Log) else log
        header, entries = parse(lines)
        if (header.rulebook, header.edition) != (rulebook.name, rulebook.edition):
            of = "This log is of {then} ({edition}), not of {now} ({other})."
            names = {"then": header.rulebook, "edition": header.edition}
            raise LogError(phrase(of, "log.other_rules", **names, now=rulebook.name, other=rulebook.edition))
        try:
            match = cls(rulebook, header.roster, mode=header.mode, rulings=header.rulings)
        except (KeyError, TypeError, AttributeError) as error:
            what = "The header of the match log cannot be played: {what} is missing or wrong."
            raise LogError(phrase(what, "log.header", what=str(error))) from error
        for number, entry in enumerate(entries):
            match._replay_entry(number, entry)
        return match

    # ---- inside

    def _known_entry(self, number: int) -> None:
        entries = len(self._play.entries)
        if not 0 <= number < entries:
            raise ValueError(f"There is no entry {number} to undo; the log has {entries} entries.")

    def _adopt(self, amended: tuple[Play[S], list[Entry]]) -> tuple[Entry, ...]:
        self._play, lost = amended
        self._undone = lost
        return tuple(lost)

    def _undone_for_request(self) -> Entry | None:
        if self.request is None or not self._undone:
            return None
        signature = self.request.signature()
        return next((entry for entry in self._undone if entry.request == signature), None)

    def _replay_entry(self, number: int, entry: Mapping[str, Any]) -> None:
        if self.request is None:
            raise diverged.other_request(number, entry["request"], None)
        signature = self.request.signature()
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
