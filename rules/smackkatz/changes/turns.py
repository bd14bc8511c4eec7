"""Effects of the turn, of postures, Stamina and lock-ups: one small function per kind of fact."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rules.engine.facts import Fact
from rules.smackkatz.changes.registry import effect, of, sets, told

if TYPE_CHECKING:
    from rules.smackkatz.state import MatchState

told("seen", "rolled", "order", "missed", "no_effect", "counter_blow")

sets("turn_over", turn_over=True)
sets("held", escape_tried=True)
sets("cannot_attack", cannot_attack=True)
sets("lies", lying=True, knocked_down=None)
sets("fell", lying=True)
sets("stood_up", lying=False, knocked_down=None)
sets("woke", unconscious=False, helpless=False, lying=True, knocked_down=None, failed_checks=0, checked=True)
sets("helpless", helpless=True)
sets("no_longer_helpless", helpless=False, checked=True)
sets("tie_die_lost", tie_die=())
sets("tie_die_used", tie_die=())
sets("counter_dice_back", counters_used=0)
sets("ringside_reset", ringside_turns=0)
sets("rests", resting=True)
sets("rest_ended", resting=False)
sets("left_ring", at_ringside=True, walked=True)
sets("placed_outside", at_ringside=True)
sets("placed_in_ring", at_ringside=False, ringside_turns=0)
sets("entered_ring", at_ringside=False, lying=True, ringside_turns=0, walked=True, entered=True)


@effect("turn_began")
def _turn_began(state: MatchState, fact: Fact) -> None:
    state.turn = int(fact.values["turn"])
    state.groups = ()
    for wrestler in state.wrestlers.values():
        wrestler.begin_turn()


@effect("phase_began")
def _phase_began(state: MatchState, fact: Fact) -> None:
    state.phase = str(fact.values["phase"])
    if state.phase == "LOCKUP_PHASE":
        # The snapshot is over: who is at ringside now counts for Z4 (RULING-92).
        for wrestler in state.wrestlers.values():
            wrestler.began_at_ringside = wrestler.at_ringside


def no_block(state: MatchState) -> None:
    """No block of movement is open."""
    state.block, state.block_cost, state.block_turned, state.block_back = None, 0, False, False
    state.block_palms = 0


@effect("activated")
def _activated(state: MatchState, fact: Fact) -> None:
    of(state, fact).acted = True
    state.active = fact.fighter
    no_block(state)


@effect("activation_ended")
def _activation_ended(state: MatchState, fact: Fact) -> None:
    state.active = None
    no_block(state)


@effect("block_opened")
def _block_opened(state: MatchState, fact: Fact) -> None:
    state.block = state.scene.figures[str(fact.fighter)]


@effect("moved")
@effect("moved_unseen")
def _moved(state: MatchState, fact: Fact) -> None:
    of(state, fact).walked = True
    state.block_cost = int(fact.values["cost"])
    state.block_turned = bool(fact.values["turned"])
    state.block_back = bool(fact.values["stepped_back"])


@effect("block_closed")
def _block_closed(state: MatchState, fact: Fact) -> None:
    wrestler = of(state, fact)
    wrestler.spent += state.block_cost
    wrestler.moved = wrestler.moved or bool(fact.values["final"])
    wrestler.facing_changed = wrestler.facing_changed or state.block_turned
    wrestler.stepped_back = wrestler.stepped_back or state.block_back
    no_block(state)


@effect("paid_speed")
def _paid_speed(state: MatchState, fact: Fact) -> None:
    of(state, fact).spent += int(fact.values["speed"])


@effect("stamina_lost")
@effect("stamina_gained")
def _stamina(state: MatchState, fact: Fact) -> None:
    wrestler = of(state, fact)
    wrestler.stamina = int(fact.values["to"])
    wrestler.recovered = wrestler.recovered or "STATUS-02" in fact.rules


@effect("knocked_down")
def _knocked_down(state: MatchState, fact: Fact) -> None:
    wrestler = of(state, fact)
    wrestler.knocked_down, wrestler.lying = state.turn, False


@effect("knocked_out")
def _knocked_out(state: MatchState, fact: Fact) -> None:
    wrestler = of(state, fact)
    wrestler.unconscious, wrestler.failed_checks = True, 0
    wrestler.knocked_down, wrestler.lying = None, False


@effect("check_failed")
def _check_failed(state: MatchState, fact: Fact) -> None:
    wrestler = of(state, fact)
    wrestler.failed_checks, wrestler.checked = int(fact.values["count"]), True


@effect("wounded")
def _wounded(state: MatchState, fact: Fact) -> None:
    wounds = of(state, fact).wounds
    ability = str(fact.values["ability"])
    wounds[ability] = wounds.get(ability, 0) + 1


@effect("attacked")
def _attacked(state: MatchState, fact: Fact) -> None:
    of(state, fact).attacked = True
    state.fought |= {frozenset((str(fact.fighter), str(fact.values["target"])))}


@effect("defended")
def _defended(state: MatchState, fact: Fact) -> None:
    wrestler = of(state, fact)
    wrestler.defended = True
    # "none" is a defence forfeited (RULING-22): neither kind is left.
    wrestler.counters += fact.values["ability"] in ("counter", "none")
    wrestler.techniques += fact.values["ability"] != "counter"


@effect("hit_while_down")
def _hit_while_down(state: MatchState, fact: Fact) -> None:
    wrestler = of(state, fact)
    wrestler.downed_by = (*wrestler.downed_by, str(fact.values["by"]))


@effect("locked_up")
def _locked_up(state: MatchState, fact: Fact) -> None:
    state.groups = (*state.groups, tuple(fact.values["members"]))


@effect("left_group")
def left_group(state: MatchState, fact: Fact) -> None:
    """He is in no lock-up or melee any more."""
    kept = (tuple(one for one in group if one != fact.fighter) for group in state.groups)
    state.groups = tuple(group for group in kept if len(group) > 1)


@effect("escaped")
def _escaped(state: MatchState, fact: Fact) -> None:
    wrestler = of(state, fact)
    wrestler.escape_tried = True
    wrestler.left = tuple(fact.values["rivals"])


@effect("tie_die")
def _tie_die(state: MatchState, fact: Fact) -> None:
    of(state, fact).tie_die = tuple(fact.values["rivals"])


@effect("counter_dice_lost")
def _counter_dice_lost(state: MatchState, fact: Fact) -> None:
    of(state, fact).counters_used = int(fact.values["lost"])


@effect("ringside_counted")
def _ringside_counted(state: MatchState, fact: Fact) -> None:
    wrestler = of(state, fact)
    wrestler.ringside_turns, wrestler.outside_counted = int(fact.values["count"]), True


@effect("late_turn")
def _late_turn(state: MatchState, fact: Fact) -> None:
    """His place in the late queue has come."""
    state.late = tuple(one for one in state.late if one != fact.fighter)


@effect("target_limit")
def _target_limit(state: MatchState, fact: Fact) -> None:
    of(state, fact).may_only_attack = tuple(fact.values["targets"])


@effect("ruled")
def _ruled(state: MatchState, fact: Fact) -> None:
    poses = tuple(tuple(pose) for pose in fact.values["poses"])
    state.settled[str(fact.values["about"])] = (bool(fact.values["answer"]), poses)
