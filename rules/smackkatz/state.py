"""The state of a SmackKatz match: wrestlers, turn, phase, scene. Changed by facts alone (changes.py)."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from rules.engine.facts import Fact
from rules.engine.request import Outcome
from rules.scene import Figure, Scene
from rules.smackkatz import changes
from rules.smackkatz.edition import Edition
from rules.smackkatz.movement.forced import Flight
from rules.smackkatz.sheet import Sheet

START_STAMINA = 20
"""SHEET-21."""


@dataclass
class Wrestler:
    """One wrestler in play. `scores` are the sheet's (titles and carried injuries included)."""

    id: str
    team: str | None
    sheet: Sheet
    stamina: int = START_STAMINA
    lying: bool = False
    knocked_down: int | None = None
    """The turn of the fall (STATUS-30 counts from it); None when not knocked down."""
    unconscious: bool = False
    helpless: bool = False
    """RULING-75, `negative`: below 0 Stamina and no stamina check passed since."""
    failed_checks: int = 0
    resting: bool = False
    at_ringside: bool = False
    began_at_ringside: bool = False
    """He was at ringside at this turn's snapshot (RULING-92)."""
    ringside_turns: int = 0
    wounds: dict[str, int] = field(default_factory=dict)
    out: str | None = None
    """How he left the match (an ending's name); None while he is in it."""
    tie_die: tuple[str, ...] = ()
    """COUNTER-08: rivals against whom he has an extra Combat die at the next snapshot."""
    counters_used: int = 0
    """COUNTER-13: Counter dice lost so far."""
    # ---- engaged with somebody over turns; both sides of a pair are always set together
    hoists: str | None = None
    """Whom he holds up (SUPLEX-02); his victim's `hoisted_by` is the other side."""
    hoisted_by: str | None = None
    hoisted_in: int = 0
    """The turn of the grab, on both sides."""
    holds: str | None = None
    """Whom he keeps in a Submission (SUBM-01); the other side is `held_by`."""
    held_by: str | None = None
    hold_turns: int = 0
    """n of RULING-60: how many turns the hold has lasted, the first included, on the holder's side."""
    hold_in: int = 0
    """The turn the hold began, on the holder's side."""
    hold_at_ropes: int = 0
    """Turns running he has kept the hold on a rival who touches the ropes (FOUL-03), on the holder's side."""
    pins: str | None = None
    """Whom he pins (PIN-01); the other side is `pinned_by`."""
    pinned_by: str | None = None
    pin_failures: int = 0
    """Failed kick-out checks of the pin that is on, on the pinned one's side (PIN-03)."""
    on_post: int | None = None
    """Number of the post he stands on (far-left, far-right, near-right, near-left); SPECIAL-02."""
    climbed_in: int = 0
    """The turn he climbed it."""
    # ---- finisher (2.17)
    finisher_on: str | None = None
    """The rival whose position triggered the finisher, while its attack is still to be made (FIN-01)."""
    finisher_in: int = 0
    """The turn it was activated."""
    finisher_bonus: bool = False
    """FIN-02 and FIN-10: +3 to all abilities and to damage, until the turn ends or the attack fails."""
    unlimited_defence: bool = False
    """FIN-03, FIN-09: any number of Counters and Techniques."""
    finisher_used: bool = False
    """FIN-06: used up for this match."""
    must_rest: bool = False
    """FIN-08: the whole next turn is spent resting."""
    # ---- forced postures
    lies_until: int | None = None
    """He cannot get up before the end of this turn (PIN-09, SPECIAL-09); None: he may."""
    rises_at_end: bool = False
    """SPECIAL-09: the diver gets up by himself when the turn ends."""
    sits_out: int | None = None
    """MODE-06: the turn he sits out after a lost fall; None: he plays."""
    falls: int = 0
    """Pins and tap-outs scored (MODE-05)."""
    legal: bool = True
    """MODE-13: he has the tag (always, unless tag rules are on)."""
    # ---- cleared at S1
    recovered: bool = False
    """STATUS-02: he has had his Stamina for this turn's stamina check..."""
    checked: bool = False
    """... and made it."""
    acted: bool = False
    attacked: bool = False
    defended: bool = False
    turn_over: bool = False
    walked: bool = False
    """He has moved, entered or left the ring this turn."""
    moved: bool = False
    """His block of movement is closed for good (RULING-12)."""
    entered: bool = False
    """He has come into the ring in this activation (RULING-35)."""
    spent: int = 0
    """Speed points spent in this turn, the open block of movement not included."""
    facing_changed: bool = False
    stepped_back: bool = False
    escape_tried: bool = False
    cannot_attack: bool = False
    left: tuple[str, ...] = ()
    """LOCK-10: rivals whose lock-up he broke this turn."""
    pin_tried: bool = False
    """TURN-07: one pin attempt per turn."""
    palms_walked: int = 0
    """SPECIAL-11: whole forward palms advanced this turn."""
    techniques: int = 0
    """Techniques and Counters used this turn (RULING-14 with one of each)."""
    counters: int = 0
    taunting: bool = False
    """SPECIAL-14: his rest is a taunt."""
    rest_forced: bool = False
    """FIN-08: his rest is the price of a failed finisher."""
    healed: bool = False
    """STATUS-12: he has had what his rest gives."""
    counted: bool = False
    """PIN-03: he has been counted this turn."""
    outside_counted: bool = False
    """WIN-03: this turn has been counted for him at ringside."""
    warned: bool = False
    """He has withdrawn from a foul this turn, or the referee saw none (D-22)."""
    freed: bool = False
    """RULING-114: released with his turn intact; he waits in the late queue."""
    acts_last: bool = False
    """RULING-80: put on his feet before his slot, he still acts among those who lay."""
    downed_by: tuple[str, ...] = ()
    """STATUS-33: who has hit him while knocked down this turn."""
    may_only_attack: tuple[str, ...] | None = None
    """STATUS-27: allowed targets of a wrestler who rose together with others."""

    @property
    def in_match(self) -> bool:
        """Whether he has not gone out."""
        return self.out is None

    @property
    def playing(self) -> bool:
        """Whether he takes part now: in the match and not sitting out."""
        return self.out is None and self.sits_out is None

    @property
    def upright(self) -> bool:
        """Standing: none of lying, knocked down or unconscious."""
        return not (self.lying or self.unconscious or self.knocked_down is not None)

    @property
    def engaged(self) -> bool:
        """Bound to another wrestler or to a post over turns (the columns of catalogue 5.2b)."""
        pairs = (self.hoists, self.hoisted_by, self.holds, self.held_by, self.pins, self.pinned_by)
        return self.on_post is not None or any(one is not None for one in pairs)

    @property
    def can_act(self) -> bool:
        """Upright, awake, not resting, and his turn not yet over."""
        return self.able and not self.resting

    @property
    def able(self) -> bool:
        """Upright, awake, and his turn not yet over, resting or not."""
        return self.playing and self.upright and not (self.helpless or self.turn_over)

    def begin_turn(self) -> None:
        """Clear what holds for one turn only (S1)."""
        self.__dict__.update(_AT_TURN_START)


PER_TURN = (
    "rises_at_end",
    "recovered",
    "checked",
    "acted",
    "attacked",
    "defended",
    "turn_over",
    "walked",
    "moved",
    "entered",
    "spent",
    "facing_changed",
    "stepped_back",
    "escape_tried",
    "cannot_attack",
    "left",
    "pin_tried",
    "palms_walked",
    "techniques",
    "counters",
    "taunting",
    "rest_forced",
    "healed",
    "counted",
    "outside_counted",
    "warned",
    "freed",
    "acts_last",
    "downed_by",
    "may_only_attack",
)
"""S1 clears these."""

_AT_TURN_START = {one.name: one.default for one in fields(Wrestler) if one.name in PER_TURN}


@dataclass
class MatchState:
    """Everything a turn depends on."""

    wrestlers: dict[str, Wrestler]
    scene: Scene
    edition: Edition
    turn: int = 0
    phase: str = "setup"
    groups: tuple[tuple[str, ...], ...] = ()
    """Lock-ups (two) and melees (three or more) of this turn's snapshot, as they still stand."""
    active: str | None = None
    block: Figure | None = None
    """Where the active wrestler stood when his block of movement began."""
    block_cost: int = 0
    """Speed points the open block costs so far."""
    block_turned: bool = False
    block_back: bool = False
    block_palms: int = 0
    """SPECIAL-11: whole forward palms of the open block."""
    settled: dict[str, tuple[bool, tuple[tuple[float, float, float], ...]]] = field(default_factory=dict)
    """The referee's decisions on doubtful measurements, with the poses they hold for."""
    fought: frozenset[frozenset[str]] = frozenset()
    late: tuple[str, ...] = ()
    """RULING-114: wrestlers freed with their turn intact, in order of freeing."""
    clock_s: float = 0.0
    """MODE-05: seconds of play the clock has told, for modes that end by time."""
    flight: Flight | None = None
    """The run that is under way (WHIP-03), for what is drawn."""
    started_one_on_one: bool = False
    last_out: tuple[str, ...] = ()
    """Who went out last, all of that moment (RULING-102)."""
    broken_off: bool = False
    """A correction ended the turn's procedure early; the turn goes on from its phase."""
    outcome: Outcome | None = None

    def copy(self) -> MatchState:
        """An independent copy; frozen parts are shared."""
        # Fields hold plain or frozen values, but for these: a shallow copy is many times faster than replace.
        found = copy.copy(self)
        found.wrestlers = {name: copy.copy(one) for name, one in self.wrestlers.items()}
        for wrestler in found.wrestlers.values():
            wrestler.wounds = dict(wrestler.wounds)
        found.settled = dict(self.settled)
        return found

    def apply(self, fact: Fact) -> None:
        """Carry out one fact."""
        changes.APPLY[fact.kind](self, fact)

    def to_json(self) -> dict[str, Any]:
        """The state as plain data."""
        return {one.name: _plain(getattr(self, one.name)) for one in fields(self)}

    @property
    def playing(self) -> list[Wrestler]:
        """The wrestlers who take part now, in roster order."""
        return [one for one in self.wrestlers.values() if one.out is None and one.sits_out is None]

    @property
    def remaining(self) -> list[Wrestler]:
        """The wrestlers who have not gone out, those who sit out included, in roster order."""
        return [one for one in self.wrestlers.values() if one.out is None]

    def group_of(self, fighter: str) -> tuple[str, ...]:
        """The lock-up or melee he is in, or an empty tuple."""
        for group in self.groups:
            if fighter in group:
                return group
        return ()


def _plain(value: Any) -> Any:
    """Plain data of nested state; sets in sorted order."""
    if isinstance(value, Mapping):
        return {str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, frozenset | set):
        return sorted((_plain(one) for one in value), key=str)
    if isinstance(value, tuple | list):
        return [_plain(one) for one in value]
    if isinstance(value, Edition):
        return value.name
    if hasattr(value, "__dataclass_fields__"):
        return {one.name: _plain(getattr(value, one.name)) for one in fields(value)}
    return value
