"""A match with its dice and its log on disk: one place where answers go in."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import Any

from palmo.blame import blaming
from palmo.convert import roster
from palmo.errors import SaidError, Spoken, text, texts
from palmo.event import Event, event_error
from palmo.event.model import MatchSection
from palmo.play.clock import NOTE, PlayClock, asks_the_time, seconds_in
from palmo.play.dice import DigitalDice
from palmo.play.hands import take_hands
from palmo.play.rulebooks import rulebook
from palmo.storage import MatchFile, read_log_lines
from rules.engine.diverged import Diverged
from rules.engine.facts import Fact
from rules.engine.log import Entry, Log, dump, parse
from rules.engine.match import VERSION, Match
from rules.engine.request import Origin, Request
from rules.roster import Roster
from rules.smackkatz.modes import table as modes
from rules.smackkatz.modes.table import MODIFIERS
from rules.text import Text

_log = logging.getLogger(__name__)


class MatchTable:
    """Answers, rolls and undos of one match. Not for several threads at once: callers lock.

    `turn` grows with every change, also over the sessions of a match: it begins at `first_turn`. `may_redo`
    says whether an undo can be taken back, `names` are the names behind the ids of fighters and players.
    A `clock` answers by itself whenever the rules ask for the time.
    """

    def __init__(
        self,
        match: Match[Any],
        *,
        file: MatchFile | None = None,
        dice: DigitalDice | None = None,
        clock: PlayClock | None = None,
        first_turn: int = 0,
    ) -> None:
        self.match = match
        self.dice = dice or DigitalDice()
        self.turn = first_turn
        self.may_redo = False
        self.names = {entrant.id: entrant.name for entrant in match.log.header.roster.entrants}
        self.clock = clock
        self._file = file
        self._tick()

    @property
    def newest(self) -> tuple[Entry, ...]:
        """The last answer, with what the clock has said after it: what an undo takes back."""
        entries = self.match.log.entries
        return entries[self._with_clock(len(entries) - 1) :] if entries else ()

    def _with_clock(self, number: int) -> int:
        """The entry to go back to, so that the clock is not asked again at once."""
        entries = self.match.log.entries
        while self.clock is not None and 0 < number < len(entries) and entries[number].origin == "clock":
            number -= 1
        return number

    @property
    def trouble(self) -> Text | None:
        """Why the log is not on disk, as a sentence; None while it is."""
        return self._file.problem if self._file else None

    def answer(self, value: Any, origin: Origin, *, at: float | None = None) -> tuple[Fact, ...]:
        """Answer the open request. Raises Rejected with every reason; nothing has changed then."""
        facts = self.match.answer(value, origin, at=at)
        self.may_redo = False
        self._written()
        self._tick(at)
        return facts

    def roll(self, *, at: float | None = None) -> tuple[Fact, ...]:
        """Answer a `roll` request with digital dice; those rolled before an undo fall the same again."""
        request = self.match.request
        if request is None or request.kind != "roll":
            raise SaidError("live.no_dice")
        offered = self.match.offered
        faces = list(offered) if offered is not None else self.dice.roll(request.dice)
        return self.answer(faces, "dice", at=at)

    def undo(self, to: int | None = None) -> tuple[Entry, ...]:
        """Take back every entry from number `to` on, the last one when left out; returns them.

        What the clock has said goes together with the answer before it. Raises ValueError.
        """
        entries = self.match.log.entries
        if not entries:
            raise SaidError("live.nothing_to_undo")
        to = self._with_clock(len(entries) - 1 if to is None else to)
        self.match.undo(to)
        self.turn += 1
        self.may_redo = True
        if self._file:
            self._file.undo(to)
        return entries[to:]

    def redo(self) -> None:
        """Give the answer again that was taken back last. Raises PalmoError when there is none."""
        if not self.match.redo():
            self.may_redo = False
            raise SaidError("live.nothing_to_redo")
        self._written()
        self._tick()

    def take_back(self, number: int, *, partly: bool = False) -> tuple[Entry, ...]:
        """Take back one entry and keep the later ones; returns those that no longer fit.

        Raises Diverged when some would be lost and `partly` was not said: nothing has changed then.
        """
        return self._amended(number, self.match.take_back(number, partly=partly))

    def replace(self, number: int, value: Any, origin: Origin, *, partly: bool = False) -> tuple[Entry, ...]:
        """Answer one earlier request otherwise and keep the later entries, as `take_back` does.

        Raises Rejected, too, when that answer was not allowed then.
        """
        return self._amended(number, self.match.replace(number, value, origin, partly=partly))

    def request_at(self, number: int) -> Request | None:
        """What was asked when the entry of that number was given."""
        log = self.match.log
        return Match.replay(Log(log.header, log.entries[:number]), self.match.rulebook).request

    def _amended(self, number: int, lost: tuple[Entry, ...]) -> tuple[Entry, ...]:
        self.turn += 1
        self.may_redo = False
        if self._file:
            self._file.undo(number)
            self._file.append([dump(entry.to_json()) for entry in self.match.log.entries[number:]])
        self._tick()
        return lost

    def _written(self) -> None:
        self.turn += 1
        if self._file:
            self._file.append([dump(self.match.log.entries[-1].to_json())])

    def _tick(self, at: float | None = None) -> None:
        """Let the clock run once somebody wrestles, and answer for it where the rules ask for the time."""
        if self.clock is None:
            return
        if getattr(self.match.state, "turn", 0) > 0:
            self.clock.start()
        if not asks_the_time(self.match.request):
            return
        # After an undo it has said already what it said.
        if not (self.may_redo and self.match.redo()):
            self.match.answer(self.clock.answer, "clock", at=at)
        self._written()
        self._note_time()

    def _note_time(self) -> None:
        if self.clock is not None and self.clock.seconds > 0:
            self.note(**{NOTE: round(self.clock.seconds, 1)})

    def note(self, **values: Any) -> None:
        """Write something for people into the log file; a replay does not read it."""
        if self._file:
            self._file.append([json.dumps({"note": values})])

    def retry(self) -> None:
        """Try to write what waits for room on the disk."""
        if self._file:
            self._file.retry()

    def close(self) -> None:
        """Finish the log file. Raises PalmoError when something could not be written."""
        self._note_time()
        if self._file:
            self._file.close()


def open_table(
    event_path: Path, event: Event, log: Path | None, *, seed: int | None = None, option: str = "--log"
) -> MatchTable:
    """A table for an event's match. A log that exists is replayed and continued; `option` chose its place.

    Raises EventError for a roster or rulings the rules refuse, PalmoError for a log that does not replay,
    belongs to another event or is open in another program.
    """
    dice = DigitalDice(seed)
    if log is not None and log.exists() and log.stat().st_size > 0:
        with blaming(event_path, event):
            return _resumed(event, log, dice, option)
    match, clock = begun(event_path, event), _clock(event)
    if log is None:
        return MatchTable(match, dice=dice, clock=clock)
    file = MatchFile(log)
    file.append([dump(match.log.header.to_json()), _note(dice)])
    return MatchTable(match, file=file, dice=dice, clock=clock)


def begun(event_path: Path, event: Event) -> Match[Any]:
    """The match of an event before anything is answered. Raises EventError for what the rules refuse."""
    book, agreed = rulebook(event.match), event.match
    if agreed.mode not in book.modes:
        why = text("error.match.mode", mode=agreed.mode, modes=", ".join(book.modes))
        raise event_error(event_path, ("match", "mode"), why)
    with blaming(event_path, event):
        return Match(book, roster(event), mode=agreed.mode, rulings=agreed_rulings(agreed))


def _clock(event: Event, log: Path | None = None) -> PlayClock | None:
    """The clock of a match that it is to keep the time of, going on from where the log left off."""
    if event.match.clock == "referee" or modes.mode(event.match.mode).fall != "scores":
        return None
    return PlayClock(0.0 if log is None else seconds_in(log))


def agreed_rulings(agreed: MatchSection) -> dict[str, Any]:
    """The house rules of an event: what its modifiers bring along, under what it says itself."""
    settings: dict[str, Any] = {}
    for modifier in agreed.modifiers:
        settings |= MODIFIERS[modifier]
    return {**settings, **agreed.rulings}


def replayed(log: Path) -> Match[Any]:
    """The match a log file tells, with a warning when another version of the rules wrote it.

    Raises PalmoError, naming file and line, when it does not replay.
    """
    lines = read_log_lines(log)
    try:
        header, _ = parse(lines)
        book = rulebook(header)
        if header.engine != VERSION:
            _log.warning(Spoken("warning.log.engine", log=log, then=header.engine, now=VERSION))
        return Match.replay(lines, book)
    except Diverged as error:
        numbers = [number for number, line in enumerate(lines, start=1) if line]
        raise SaidError(
            "error.log.at_line", log=log, line=numbers[error.at + 1], why=texts(error)[0]
        ) from None
    except ValueError as error:
        raise SaidError("error.log.said", log=log, why=texts(error)[0]) from None


def _resumed(event: Event, log: Path, dice: DigitalDice, option: str) -> MatchTable:
    file = MatchFile(log)
    try:
        match = replayed(log)
        if _who(match.log.header.roster) != _who(roster(event)):
            raise SaidError("error.log.other", log=log, option=option)
        _same_game(match, event, log, option)
    except Exception:
        file.close()
        raise
    # Every change is a line at least: no answer to a session before this one fits a question of it.
    lines = log.read_bytes().count(b"\n")
    file.append([_note(dice)])
    table = MatchTable(match, file=file, dice=dice, clock=_clock(event, log), first_turn=lines)
    take_hands(table, event)
    return table


def _who(roster: Roster) -> Any:
    """A roster without the hands, which may be measured anew while a match runs."""
    plain = json.loads(json.dumps(roster.to_json()))
    for entrant in plain["entrants"]:
        del entrant["hand"]
    return plain


def _same_game(match: Match[Any], event: Event, log: Path, option: str) -> None:
    """Raise PalmoError when the event file agrees on another edition, mode or house rule than the log."""
    header, agreed = match.log.header, event.match
    for what, then, now in (("edition", header.edition, agreed.edition), ("mode", header.mode, agreed.mode)):
        if then != now:
            raise SaidError("error.log.other_game", log=log, what=what, then=then, now=now, option=option)
    book = rulebook(agreed)
    wanted = book.catalogue.resolve({**book.mode_rulings(agreed.mode), **agreed_rulings(agreed)})
    for name, value in match.table.rulings.items():
        if wanted[name] != value:
            then, now = json.dumps(value), json.dumps(wanted[name])
            raise SaidError("error.log.other_game", log=log, what=name, then=then, now=now, option=option)


def _note(dice: DigitalDice) -> str:
    """The seed goes into the file as a note: the rules' log has no dice of its own."""
    return json.dumps({"note": {"dice_seed": dice.seed}})
