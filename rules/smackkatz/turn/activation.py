"""One wrestler's slot (D-02, D-03, D-04): actions in any order until he passes or can do no more."""

from __future__ import annotations

from rules.engine.cite import cite
from rules.engine.listing import Listing
from rules.engine.request import Procedure
from rules.smackkatz import sight
from rules.smackkatz.abilities import Ring
from rules.smackkatz.asking import choose
from rules.smackkatz.attacks.finisher import end_of_activation, offer
from rules.smackkatz.consequences.aftermath import settle
from rules.smackkatz.legality.options import offered
from rules.smackkatz.modes.fouls import called, foul_in, warned
from rules.smackkatz.movement.moving import close_block
from rules.smackkatz.turn.actions import ACTIONS
from rules.text import Text

NO_ATTACKS = ("pin", "tag", "weapon")
"""What is done to somebody without being one of the rules' attacks (RULING-83)."""
LAST = ("pass", "keep_hoisting")
"""Answers after which nothing more follows in this slot."""


@cite("TURN-01", "RULING-12", "RULING-15", "STATUS-24")
def activate(table: Ring, fighter: str, step: str) -> Procedure[None]:
    """Let a wrestler act. A wrestler with nothing to choose is not asked."""
    table.record("activated", "TURN-01", fighter=fighter)
    text = Text("ask.act", {"fighter": fighter, "turn": table.state.turn})
    while (offer := _can_go_on(table, fighter)) is not None:
        action = yield from choose(table, fighter, f"{step} D-04", text, offer.all, "TURN-01", "RULING-12")
        if action != "pass":
            yield from _carry_out(table, fighter, action, step)
            yield from settle(table, step)
        if action in LAST:
            break
    if table.state.outcome is None:
        end_of_activation(table, fighter)
        table.record("activation_ended", "TURN-01", fighter=fighter)


def _can_go_on(table: Ring, fighter: str) -> Listing | None:
    """His options; None when there is nothing left to choose but passing."""
    if table.state.outcome is not None or not table.state.wrestlers[fighter].playing:
        return None
    offer = offered(table, fighter)
    return offer if offer.offers_more_than("pass") else None


def _carry_out(table: Ring, fighter: str, action: str, step: str) -> Procedure[None]:
    name, _, target = action.partition(":")
    wrestler = table.state.wrestlers[fighter]
    rival = wrestler.finisher_on if name == "finisher" else target
    if rival and name != "tag":
        if not (yield from _still_near(table, fighter, rival, step)):
            return
        if name not in NO_ATTACKS and not (yield from _in_spite_of_fouls(table, fighter, rival, step)):
            return
        close_block(table, fighter, final=not table.rulings["split_move"])
    had_attacked = wrestler.attacked
    # Whom he holds up is whom he throws.
    attacked = wrestler.hoists if name == "throw" else rival
    yield from ACTIONS[name](table, fighter, target, step)
    if attacked and name not in NO_ATTACKS and wrestler.attacked and not had_attacked:
        yield from settle(table, step)
        yield from offer(table, fighter, attacked, step)


@cite("FOUL-01", "FOUL-02", "FOUL-05", "RULING-83")
def _in_spite_of_fouls(table: Ring, fighter: str, rival: str, step: str) -> Procedure[bool]:
    """D-22: an attack that would be a foul is warned of; made all the same it is the referee's to call."""
    foul = foul_in(table, fighter, rival)
    if foul is None:
        return True
    if not (yield from warned(table, fighter, rival, foul, step)):
        return False
    return not (yield from called(table, fighter, rival, foul, step))


@cite("ATK-02", "RULING-30", "RULING-31")
def _still_near(table: Ring, fighter: str, target: str, step: str) -> Procedure[bool]:
    """Whether the target really is in reach; doubts go to the referee before anything is rolled."""
    if table.accepted is not None:
        # It was done against the rules, and the referee lets it stand.
        return True
    near = yield from sight.settle(table, sight.adjacent(table, fighter, target), step)
    if near and table.rulings["attack_needs_front"]:
        near = yield from sight.settle(table, sight.in_front(table, fighter, target), step)
    return near
