"""The rulebook as the engine knows it: SmackKatz in both editions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.annotations import Annotation
from rules.engine.cite import cite
from rules.engine.overrule import Correction
from rules.engine.request import Option, Procedure, Reason, Request
from rules.engine.rulebook import Table
from rules.engine.rulings import Rulings
from rules.roster import Roster
from rules.scene import Figure, Scene
from rules.smackkatz import annotate, corrections
from rules.smackkatz.current.edition import CURRENT_EDITION
from rules.smackkatz.earlier.edition import EARLIER_EDITION
from rules.smackkatz.edition import Edition
from rules.smackkatz.legality.options import explain
from rules.smackkatz.modes import table as modes
from rules.smackkatz.modes.entry import check_roster
from rules.smackkatz.modes.presence import stagger
from rules.smackkatz.modes.tags import hand_out
from rules.smackkatz.sheet import read_sheet
from rules.smackkatz.state import MatchState, Wrestler
from rules.smackkatz.turn.phases import resume, turn
from rules.smackkatz.turn.setup import setup


class SmackKatz:
    """SmackKatz by one edition."""

    name = "smackkatz"

    def __init__(self, rules: Edition) -> None:
        self.rules = rules
        self.edition = rules.name
        self.modes = rules.modes
        self.catalogue = rules.catalogue

    def mode_rulings(self, mode: str) -> Mapping[str, Any]:
        """What a mode switches on (catalogue 8.2)."""
        return modes.mode(mode).rulings

    @cite("BUILD-16", "SHEET-21")
    def open(self, roster: Roster, rulings: Rulings, mode: str) -> MatchState:
        """The match before set-up. Raises RosterError or SheetError."""
        check_roster(roster, rulings, mode)
        wrestlers = {
            entrant.id: Wrestler(
                entrant.id, entrant.team, read_sheet(entrant.id, entrant.sheet, rulings, self.rules.form)
            )
            for entrant in roster.entrants
        }
        hands = {entrant.id: entrant.hand for entrant in roster.entrants}
        scene = Scene(roster.ring, {}, hands)
        state = MatchState(wrestlers, scene, self.rules, started_one_on_one=len(wrestlers) == 2)
        if rulings["tag_rules"] == "on":
            hand_out(state)
        if mode == "katz_rumble" and rulings["rumble_entry"] == "staggered":
            stagger(state)
        return state

    def stage(self, table: Table[MatchState]) -> Procedure[None]:
        """Set-up first, then one turn at a time; a turn that was broken off is taken up."""
        if table.state.broken_off:
            return resume(table)
        return setup(table) if table.state.phase == "setup" else turn(table)

    @cite("SETUP-04", "RULING-102")
    def end(self, table: Table[MatchState], winners: tuple[str, ...]) -> None:
        """The referee ends the match."""
        table.record("match_over", "SETUP-04", ending="referee", winners=list(winners))

    def explain(self, table: Table[MatchState], fighter: str) -> tuple[Option, ...]:
        """Every action with all that speaks against it."""
        return explain(table, fighter)

    def corrections(self, table: Table[MatchState]) -> tuple[Correction, ...]:
        """Everything the referee may set."""
        return corrections.corrections(table)

    def correct(self, table: Table[MatchState], correction: Correction, value: Any, reason: str) -> None:
        """Set a field."""
        corrections.correct(table, correction, value, reason)

    def still_asked(self, table: Table[MatchState], request: Request, correction: Correction) -> bool:
        """Whether the open request makes sense after a correction."""
        return corrections.still_asked(table, request, correction)

    def leave(self, table: Table[MatchState]) -> None:
        """The turn's procedure is broken off."""
        corrections.leave(table)

    def accept(
        self, table: Table[MatchState], request: Request, reasons: tuple[Reason, ...], reason: str
    ) -> None:
        """Something illegal stands."""
        corrections.accept(table, request, reasons, reason)

    def annotations(
        self, table: Table[MatchState], request: Request | None, figures: Mapping[str, Figure]
    ) -> tuple[Annotation, ...]:
        """Tags, the legal region, rulers, ghosts and banners."""
        return annotate.draw(table, request, figures)


CURRENT = SmackKatz(CURRENT_EDITION)
"""The edition `palmo` plays unless the event file says otherwise."""
EARLIER = SmackKatz(EARLIER_EDITION)
"""The earlier edition (catalogue 3.16)."""
EDITIONS = {book.edition: book for book in (CURRENT, EARLIER)}
"""Every edition by its name."""
