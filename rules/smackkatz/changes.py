"""What each kind of fact does to the state. One small function per kind; nothing else changes a match."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from rules.engine.facts import Fact
from rules.engine.request import Outcome

if TYPE_CHECKING:
    from rules.smackkatz.state import MatchState, Wrestler

APPLY: dict[str, Callable[[MatchState, Fact], None]] = {}
"""Kind of fact -> its effect."""


def _of(state: MatchState, fact: Fact) -> Wrestler:
    assert fact.fighter is not None, f"the fact {fact.kind} names no fighter"
    return state.wrestlers[fact.fighter]


def _effect(kind: str) -> Callable[[Callable[[MatchState, Fact], None]], Callable[[MatchState, Fact], None]]:
    def register(function: Callable[[MatchState, Fact], None]) -> Callable[[MatchState, Fact], None]:
        APPLY[kind] = function
        return function

    return register


def _sets(kind: str, **values: object) -> None:
    """A fact that sets fields of its wrestler to fixed values."""

    def effect(state: MatchState, fact: Fact) -> None:
        wrestler = _of(state, fact)
        for name, value in values.items():
            setattr(wrestler, name, value)

    APPLY[kind] = effect


def _nothing(state: MatchState, fact: Fact) -> None:
    """A fact kept for the commentary only."""


for _kind in (
    "seen",
    "rolled",
    "order",
    "missed",
    "no_effect",
    "counter_blow",
):
    APPLY[_kind] = _nothing

_sets("turn_over", turn_over=True)
_sets("defended", defended=True)
_sets("held", escape_tried=True)
_sets("cannot_attack", cannot_attack=True)
_sets("lies", lying=True, knocked_down=None)
_sets("stood_up", lying=False, knocked_down=None)
_sets("woke", unconscious=False, helpless=False, lying=True, knocked_down=None, failed_checks=0)
_sets("helpless", helpless=True)
_sets("no_longer_helpless", helpless=False)
_sets("tie_die_lost", tie_die=())
_sets("tie_die_used", tie_die=())
_sets("counter_dice_back", counters_used=0)
_sets("ringside_reset", ringside_turns=0)
_sets("rests", resting=True)
_sets("rest_ended", resting=False)
_sets("left_ring", at_ringside=True, walked=True)
_sets("fell_to_ringside", at_ringside=True)
_sets("placed_outside", at_ringside=True)
_sets("placed_in_ring", at_ringside=False, ringside_turns=0)
_sets("entered_ring", at_ringside=False, lying=True, ringside_turns=0, walked=True, entered=True)


@_effect("turn_began")
def _turn_began(state: MatchState, fact: Fact) -> None:
    state.turn = int(fact.values["turn"])
    state.groups = ()
    for wrestler in state.wrestlers.values():
        wrestler.begin_turn()


@_effect("phase_began")
def _phase_began(state: MatchState, fact: Fact) -> None:
    state.phase = str(fact.values["phase"])
    if state.phase == "LOCKUP_PHASE":
        # The snapshot is over: who is at ringside now counts for Z4 (RULING-92).
        for wrestler in state.wrestlers.values():
            wrestler.began_at_ringside = wrestler.at_ringside


def _no_block(state: MatchState) -> None:
    state.block, state.block_cost, state.block_turned, state.block_back = None, 0, False, False


@_effect("activated")
def _activated(state: MatchState, fact: Fact) -> None:
    _of(state, fact).acted = True
    state.active = fact.fighter
    _no_block(state)


@_effect("activation_ended")
def _activation_ended(state: MatchState, fact: Fact) -> None:
    state.active = None
    _no_block(state)


@_effect("block_opened")
def _block_opened(state: MatchState, fact: Fact) -> None:
    state.block = state.scene.figures[str(fact.fighter)]


@_effect("moved")
@_effect("moved_unseen")
def _moved(state: MatchState, fact: Fact) -> None:
    _of(state, fact).walked = True
    state.block_cost = int(fact.values["cost"])
    state.block_turned = bool(fact.values["turned"])
    state.block_back = bool(fact.values["stepped_back"])


@_effect("block_closed")
def _block_closed(state: MatchState, fact: Fact) -> None:
    wrestler = _of(state, fact)
    wrestler.spent += state.block_cost
    wrestler.moved = wrestler.moved or bool(fact.values["final"])
    wrestler.facing_changed = wrestler.facing_changed or state.block_turned
    wrestler.stepped_back = wrestler.stepped_back or state.block_back
    _no_block(state)


@_effect("paid_speed")
def _paid_speed(state: MatchState, fact: Fact) -> None:
    _of(state, fact).spent += int(fact.values["speed"])


@_effect("stamina_lost")
@_effect("stamina_gained")
def _stamina(state: MatchState, fact: Fact) -> None:
    _of(state, fact).stamina = int(fact.values["to"])


@_effect("knocked_down")
def _knocked_down(state: MatchState, fact: Fact) -> None:
    wrestler = _of(state, fact)
    wrestler.knocked_down, wrestler.lying = state.turn, False


@_effect("knocked_out")
def _knocked_out(state: MatchState, fact: Fact) -> None:
    wrestler = _of(state, fact)
    wrestler.unconscious, wrestler.failed_checks = True, 0
    wrestler.knocked_down, wrestler.lying = None, False


@_effect("check_failed")
def _check_failed(state: MatchState, fact: Fact) -> None:
    _of(state, fact).failed_checks = int(fact.values["count"])


@_effect("wounded")
def _wounded(state: MatchState, fact: Fact) -> None:
    wounds = _of(state, fact).wounds
    ability = str(fact.values["ability"])
    wounds[ability] = wounds.get(ability, 0) + 1


@_effect("attacked")
def _attacked(state: MatchState, fact: Fact) -> None:
    _of(state, fact).attacked = True
    state.fought |= {frozenset((str(fact.fighter), str(fact.values["target"])))}


@_effect("hit_while_down")
def _hit_while_down(state: MatchState, fact: Fact) -> None:
    wrestler = _of(state, fact)
    wrestler.downed_by = (*wrestler.downed_by, str(fact.values["by"]))


@_effect("locked_up")
def _locked_up(state: MatchState, fact: Fact) -> None:
    state.groups = (*state.groups, tuple(fact.values["members"]))


@_effect("left_group")
def _left_group(state: MatchState, fact: Fact) -> None:
    kept = (tuple(one for one in group if one != fact.fighter) for group in state.groups)
    state.groups = tuple(group for group in kept if len(group) > 1)


@_effect("escaped")
def _escaped(state: MatchState, fact: Fact) -> None:
    wrestler = _of(state, fact)
    wrestler.escape_tried = True
    wrestler.left = tuple(fact.values["rivals"])


@_effect("tie_die")
def _tie_die(state: MatchState, fact: Fact) -> None:
    _of(state, fact).tie_die = tuple(fact.values["rivals"])


@_effect("counter_dice_lost")
def _counter_dice_lost(state: MatchState, fact: Fact) -> None:
    _of(state, fact).counters_used = int(fact.values["lost"])


@_effect("ringside_counted")
def _ringside_counted(state: MatchState, fact: Fact) -> None:
    _of(state, fact).ringside_turns = int(fact.values["count"])


@_effect("target_limit")
def _target_limit(state: MatchState, fact: Fact) -> None:
    _of(state, fact).may_only_attack = tuple(fact.values["targets"])


@_effect("ruled")
def _ruled(state: MatchState, fact: Fact) -> None:
    poses = tuple(tuple(pose) for pose in fact.values["poses"])
    state.settled[str(fact.values["about"])] = (bool(fact.values["answer"]), poses)


@_effect("eliminated")
def _eliminated(state: MatchState, fact: Fact) -> None:
    _of(state, fact).out = str(fact.values["ending"])
    _left_group(state, fact)


@_effect("match_over")
def _match_over(state: MatchState, fact: Fact) -> None:
    state.outcome = Outcome(
        str(fact.values["ending"]), tuple(fact.values["winners"]), fact.rules[0], fact.text
    )
    state.active = None
    _no_block(state)
