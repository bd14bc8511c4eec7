"""The running of a match: procedures driven by answers, and back again to any entry. Inside of `Match`."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Generic

from rules.engine import answers, overrule
from rules.engine.facts import Fact
from rules.engine.log import Entry
from rules.engine.overrule import Correction
from rules.engine.request import Origin, Reason, Rejected, Request
from rules.engine.rulebook import Rulebook, S, Table


class Play(Generic[S]):
    """Entries, the state they lead to and the open request.

    A stage of the rulebook depends on the state alone, so a copy of the state is kept before each. Whatever
    goes wrong while an answer is carried out, the play is as before it when the error comes out.
    """

    def __init__(self, rulebook: Rulebook[S], table: Table[S]) -> None:
        self.rulebook = rulebook
        self.table = table
        self.entries: list[Entry] = []
        self.request: Request | None = None
        self._known = tuple(entrant.id for entrant in table.roster.entrants)
        self._checkpoints: list[tuple[int, S]] = []
        self._start()

    def give(self, value: Any, origin: Origin, at: float | None = None) -> tuple[Fact, ...]:
        """Answer the open request. Raises Rejected; nothing has changed then."""
        request = self.request
        if request is None:
            raise answers.reject("match_over")
        word = overrule.word_of(value)
        if word is None:
            answer = answers.checked(request, value, self._known)
            raw = answers.to_json(request, answer)
            return self._carry_out(answer, raw, origin, at, request.signature())
        # Where it was agreed so the camera corrects what it sees otherwise; it is logged as the camera's.
        if origin != "referee" and not (word == overrule.CORRECT and origin == "camera"):
            raise answers.reject("only_referee")
        return self._overrule(word, value, origin, at, request)

    def back_to(self, to: int) -> None:
        """Take back every entry from number `to` on."""
        while self._checkpoints[-1][0] > to:
            self._checkpoints.pop()
        start, state = self._checkpoints.pop()
        kept = self.entries[start:to]
        del self.entries[start:]
        # Checkpoints may be shared with a fork: they are never played on.
        self.table.state = state.copy()
        self._start()
        for entry in kept:
            self.again(entry)

    def again(self, entry: Entry) -> None:
        """Carry out an entry that was carried out from here before."""
        self._carry_out(entry.answer, entry.raw, entry.origin, entry.at, entry.request)

    def fork(self, to: int) -> Play[S]:
        """Another play of the entries before number `to`; this one stays as it is."""
        other = object.__new__(type(self))
        other.rulebook, other._known = self.rulebook, self._known
        other.table = replace(self.table, facts=[])
        other.entries = list(self.entries)
        other._checkpoints = list(self._checkpoints)
        other.back_to(to)
        return other

    # ---- inside

    def _start(self) -> None:
        self._run = self._drive()
        self.table.facts = []
        self.request = next(self._run, None)

    def _drive(self) -> Generator[Request, Any, None]:
        while self.table.state.outcome is None:
            self._checkpoints.append((len(self.entries), self.table.state.copy()))
            yield from self.rulebook.stage(self.table)

    def _overrule(
        self, word: str, value: Mapping[str, Any], origin: Origin, at: float | None, request: Request
    ) -> tuple[Fact, ...]:
        answer: object
        if word == overrule.END:
            raw = overrule.checked_end(value, self._known)
            answer = _Ended(tuple(raw[overrule.END]))
        elif word == overrule.CORRECT:
            offered = self.rulebook.corrections(self.table)
            raw, field = overrule.checked_correction(value, offered, self._known)
            answer = _Corrected(field, **{name: raw[overrule.CORRECT][name] for name in ("value", "reason")})
        else:
            given, raw, reasons, why = overrule.checked_acceptance(value, request, self._known)
            answer = _Accepted(given, reasons, why)
        try:
            return self._carry_out(answer, raw, origin, at, request.signature())
        except Rejected:
            raise
        except Exception as error:
            # What the rules never foresaw cannot be played on from: the referee is told, the match stands.
            raise answers.reject("cannot_stand", why=str(error)[:80]) from error

    def _carry_out(
        self, answer: Any, raw: Any, origin: Origin, at: float | None, signature: Mapping[str, Any]
    ) -> tuple[Fact, ...]:
        self.table.facts = []
        number = len(self.entries)
        # The entry goes in first: a checkpoint taken while the generator runs on lies behind it.
        self.entries.append(Entry(number, signature, answer, raw, origin, (), at))
        try:
            self._play_on(answer)
        except Exception:
            self.table.accepted = None
            self.back_to(number)
            raise
        facts = tuple(self.table.facts)
        self.entries[number] = Entry(number, signature, answer, raw, origin, facts, at)
        return facts

    def _play_on(self, answer: Any) -> None:
        if isinstance(answer, _Corrected):
            self._correct(answer)
            return
        if isinstance(answer, _Ended):
            self._run.close()
            self.rulebook.end(self.table, answer.winners)
            self.request = None
            return
        if isinstance(answer, _Accepted):
            assert self.request is not None
            self.table.accepted = answer.answer
            self.rulebook.accept(self.table, self.request, answer.reasons, answer.why)
            answer = answer.answer
        try:
            self.request = self._run.send(answer)
        except StopIteration:
            self.request = None
        self.table.accepted = None

    def _correct(self, given: _Corrected) -> None:
        """Set a field; the open request is put again, or its stage is left where it makes no sense now."""
        assert self.request is not None
        self.rulebook.correct(self.table, given.field, given.value, given.reason)
        if self.table.state.outcome is not None:
            self._run.close()
            self.request = None
            return
        self.request.renew()
        if self.rulebook.still_asked(self.table, self.request, given.field):
            return
        self._run.close()
        self.rulebook.leave(self.table)
        self._run = self._drive()
        self.request = next(self._run, None)


@dataclass(frozen=True)
class _Ended:
    """The checked form of the referee's end of a match."""

    winners: tuple[str, ...]


@dataclass(frozen=True)
class _Corrected:
    """The checked form of a correction."""

    field: Correction
    value: Any
    reason: str


@dataclass(frozen=True)
class _Accepted:
    """The checked form of an illegal answer that stands."""

    answer: Any
    reasons: tuple[Reason, ...]
    why: str
