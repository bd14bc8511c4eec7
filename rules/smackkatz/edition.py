"""What an edition of the rules is: its names, its numbers and its ways of counting, given to every match.

A procedure reads `table.state.edition`; it never asks which edition it is. The editions themselves stand in
`rules/smackkatz/current` and `rules/smackkatz/earlier`; catalogue 3.16 lists where they differ.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from rules.engine.request import Modifier, Procedure
from rules.engine.rulings import Catalogue

if TYPE_CHECKING:
    from rules.engine.rulebook import Table
    from rules.smackkatz.state import MatchState, Wrestler

Faces = tuple[int, ...]
Score = Callable[[Faces], int]
"""What dice thrown for a contest are worth."""
Abilities = Callable[[str], int]
"""An ability's name -> what it is worth now."""
Defence = Literal["counter", "technique"]
Direction = Literal["front", "back", "side"]


@dataclass(frozen=True)
class Form:
    """The sheet of an edition: its abilities, and whether titles and injuries are carried on it."""

    edition: str
    main: tuple[str, ...]
    fighting: tuple[str, ...]
    titles: bool
    carries_injuries: bool

    @property
    def abilities(self) -> tuple[str, ...]:
        """All ten, in the order RULING-90 counts them."""
        return self.main + self.fighting


@dataclass(frozen=True)
class Defences:
    """Which defence answers which attack, and what a good one does."""

    against: Mapping[str, Defence]
    """COUNTER-01, TECH-01: attack roll (strike, irish_whip, suplex, submission) -> what answers it."""
    after_acting: bool
    """COUNTER-07, TECH-06: whoever has acted may still defend."""
    forfeits_movement: bool
    """TURN-03: after defending no movement (the attack is forfeited in both editions)."""
    swaps_when_lying: bool
    """STATUS-23: a lying wrestler's good Counter puts the attacker down in his place, and does no more."""
    blow_against: tuple[str, ...]
    """COUNTER-10, COUNTER-11: attack rolls whose Counter may hit back."""
    whip_reversed_whole: bool
    """COUNTER-17 against TECH-09: the reversed whip keeps its palms; else one per six of the defence."""
    hold_reversal_needs_critical: bool
    """TECH-10, STATUS-41; COUNTER-18 needs none, and no more than an avoided roll."""


@dataclass(frozen=True)
class Movement:
    """Limits of walking."""

    steps_back: bool
    """MOVE-05."""
    turns_freely: bool
    """No FACE-03: as many facing changes in a turn as Speed pays for, not one."""


@dataclass(frozen=True)
class Whip:
    """The Irish whip's numbers."""

    collision_loss: int
    """WHIP-06: Stamina each loses."""
    collision_status: Literal["lying", "knocked_down"]
    """WHIP-06: what both are then."""
    dodge: Literal["speed", "counter"]
    """WHIP-07: the ability a dodger rolls."""
    ringside_status: Literal["lying", "knocked_down"]
    """WHIP-14."""
    clash: Score
    """WHIP-18: how the Combat dice of the clash are counted."""


@dataclass(frozen=True)
class Suplex:
    """The Suplex over turns."""

    throws: tuple[Direction, ...]
    """SUPLEX-07: where the holder may throw, seen from him."""
    bystander_dodges: bool
    """SUPLEX-09."""
    upkeep_countered: bool
    """SUPLEX-16."""
    freed_acts: bool
    """SUPLEX-18: whoever gets loose still has his turn; and SUPLEX-19."""
    holder_protected: bool
    """SUPLEX-23, SUPLEX-24: only Strikes reach a holder, and he cannot defend."""
    drops_to_ringside: bool
    """SUPLEX-20: the dropped one may fall to ringside (-6); else always on the mat (-4)."""


@dataclass(frozen=True)
class Hold:
    """The Submission over turns."""

    standing: bool
    """SUBM-06: the attacker may choose that both stand."""
    accumulates: bool
    """SUBM-11."""


@dataclass(frozen=True)
class Finisher:
    """What an active finisher gives and when it is used up."""

    boosts: tuple[str, ...]
    """FIN-02: abilities with +3."""
    attacks: tuple[str, ...]
    """FIN-04: what the finisher itself may be."""
    used_up_by: tuple[str, ...]
    """FIN-06: attacks that use it up when they connect."""
    lingers: bool
    """FIN-09: they last until the next turn starts."""
    fells: bool
    """FIN-11."""


@dataclass(frozen=True)
class Checks:
    """Checks, waking and resting."""

    wake_resistance: bool
    """CHECK-01."""
    pin_resistance: bool
    """PIN-01."""
    recovery: Callable[[Abilities], int]
    """STATUS-02: Stamina an unconscious wrestler gets back at the start of each turn."""
    waking_ends_pin: bool
    """PIN-11."""
    resting_may_pin: bool
    """STATUS-11."""


@dataclass(frozen=True)
class Wounds:
    """Wounds and injuries."""

    places: tuple[str, ...]
    """STATUS-60: what one can be wounded in."""
    terms: Callable[[Wrestler, str, Mapping[str, Any]], tuple[Modifier, ...]]
    """STATUS-60, STATUS-62: what wounds take from an ability."""
    injured: Callable[[Wrestler], bool]
    """STATUS-62: whether he has an injury."""
    inflict: Callable[[Table[MatchState], str, str, str], Procedure[None]]
    """(table, fighter, causer, step): STATUS-60, STATUS-62."""


@dataclass(frozen=True)
class Specials:
    """Charge, taunt and dive."""

    charge_needs_palm: bool
    """SPECIAL-12."""
    charge_hits_group: bool
    """SPECIAL-13."""
    taunt: Score
    """SPECIAL-14 to -16: Stamina that two dice give."""
    dive_hits_all: bool
    """SPECIAL-08."""
    diver_lies: bool
    """SPECIAL-09."""


@dataclass(frozen=True)
class Edition:
    """One edition."""

    name: str
    form: Form
    modes: tuple[str, ...]
    catalogue: Catalogue
    """Its house rules with its own defaults."""
    combat_order: Score
    """LOCK-03: what the Combat dice of a lock-up are worth."""
    knockdown_falls_out: bool
    """STRIKE-07."""
    lying_may_be_suplexed: bool
    """STATUS-25."""
    defences: Defences
    movement: Movement
    whip: Whip
    suplex: Suplex
    hold: Hold
    finisher: Finisher
    checks: Checks
    wounds: Wounds
    specials: Specials
