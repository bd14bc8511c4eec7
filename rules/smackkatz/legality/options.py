"""What a wrestler may do in his slot and why not: each action of catalogue 5.2, each refusal's rule."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from rules.engine.cite import cite
from rules.engine.listing import Listing
from rules.engine.request import Option, Reason
from rules.smackkatz.abilities import Ring
from rules.smackkatz.attacks.defence import defence_reasons
from rules.smackkatz.consequences.dodge import dodge_reasons
from rules.smackkatz.legality import alone
from rules.smackkatz.legality.actor import Actor, actor, locked_with
from rules.smackkatz.legality.against import against
from rules.smackkatz.legality.alone import PASS, option_text
from rules.smackkatz.legality.reasons import standing_reason
from rules.smackkatz.modes.fouls import weapon_options
from rules.smackkatz.turn.resting import rest_reasons

__all__ = ["explain", "locked_with", "movement_reasons", "offered", "option", "options", "rise_options"]

PLAYED = ("LOCKUP_PHASE", "OPEN_PHASE", "LYING_PHASE", "LATE_QUEUE", "TURN_END", "TURN_CLOSE")
"""The phases after rests have been announced (S5)."""


@cite("TURN-01", "TURN-02", "TURN-04", "TURN-07", "RULING-12")
def options(table: Ring, fighter: str) -> tuple[Option, ...]:
    """Everything the wrestler could do now, the forbidden with all reasons."""
    return offered(table, fighter).all()


def offered(table: Ring, fighter: str) -> Listing:
    """The same, worked out as far as somebody reads."""
    return Listing(table, lambda: _offered(table, fighter))


def _offered(table: Ring, fighter: str) -> Iterator[Option]:
    one = actor(table, fighter)
    # D-13: from the turn after the grab he throws or keeps holding, one of the two.
    must_throw = one.wrestler.hoists is not None and one.wrestler.hoisted_in < table.state.turn
    return chain(_listed(one, every=False), () if must_throw else (PASS,))


def _listed(one: Actor, every: bool) -> Iterator[Option]:
    return chain(alone.alone(one, every), against(one, every), weapon_options(one.table, one.id))


def option(table: Ring, fighter: str, name: str) -> Option:
    """One option by its id; raises KeyError when there is no such thing for him now."""
    return {one.id: one for one in _listed(actor(table, fighter), every=True)}[name]


def movement_reasons(table: Ring, fighter: str) -> list[Reason]:
    """Why he may not move, turn or step back."""
    return actor(table, fighter).reasons("move")


@cite("STATUS-21", "STATUS-26", "STATUS-53", "RULING-87")
def rise_options(table: Ring, fighter: str) -> tuple[Option, ...]:
    """D-26: get up, roll into the ring (from ringside), or stay down."""
    one = actor(table, fighter)
    stay = Option("stay", option_text("stay_down"), rules=("RULING-87",))
    if one.wrestler.at_ringside:
        return alone.get_up(one), alone.enter_ring(one), stay
    return alone.get_up(one), stay


@cite("LOG-02", "TURN-01", "TURN-06", "STATUS-10", "SPECIAL-14", "WHIP-07", "RULING-15")
def explain(table: Ring, fighter: str) -> tuple[Option, ...]:
    """For any fighter, whoever's slot it is: every action of catalogue 5.2, and all that speaks against it.

    Besides what a slot offers: resting, taunting, the two defences and the dodge, as far as they hang on
    himself alone.
    """
    one = actor(table, fighter)
    besides: dict[str, tuple[str, Sequence[Reason]]] = {
        "rest": ("STATUS-10", _rest(one, "rest")),
        "taunt": ("SPECIAL-14", _rest(one, "taunt")),
        "counter": ("COUNTER-02", defence_reasons(table, fighter, "counter", "strike")),
    }
    if "technique" in table.state.edition.form.abilities:
        besides["technique"] = "TECH-02", defence_reasons(table, fighter, "technique", "irish_whip")
    besides["dodge"] = "WHIP-07", dodge_reasons(table, fighter)
    return (
        *_listed(one, every=True),
        *(
            Option(name, option_text(f"explain.{name}"), tuple(reasons), rules=(rule,))
            for name, (rule, reasons) in besides.items()
        ),
    )


@cite("STATUS-10", "SPECIAL-14", "BUILD-15", "RULING-88")
def _rest(one: Actor, name: str) -> list[Reason]:
    """Why he may not rest or taunt: besides his status that it is announced when a turn starts."""
    reasons = list(rest_reasons(one.table, one.id, name))
    if name == "taunt" and one.table.roster[one.id].kind != "absurd":
        reasons.append(standing_reason("not_absurd", "BUILD-15"))
    if one.table.state.phase in PLAYED and not one.wrestler.resting:
        reasons.append(standing_reason("rest_too_late", "STATUS-10"))
    return reasons
