"""What must hold of a SmackKatz match after every answer, whatever was answered."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rules.engine.match import Match
from rules.engine.request import Pool
from rules.smackkatz.corrections import BONDS
from rules.smackkatz.state import START_STAMINA, MatchState, Wrestler

TIES = (*BONDS, "on_post")
TOGETHER = frozenset({frozenset({"held_by", "pinned_by"}), frozenset({"holds", "pinned_by"})})
"""RULING-65, `pin_held_wrestler`: the only ties one body may have at once."""
LASTING = frozenset({"sheet", "carried_injury", "wound", "injury", "absolute_cap", "fatigue"})
"""Terms of a pool that the caps of FATIGUE-01 and PROP-02 hold down."""
FATIGUED_AT = 10
AT_REST = ("D-04", "S4", "S5")
"""Steps at which nothing is under way: whoever had to let go of somebody has done so."""


class Broken(AssertionError):
    """An invariant that does not hold."""


class Watch:
    """Looks at one match after every answer. Raises Broken, saying what is wrong.

    Stamina is counted up from the facts on its own, to be compared with what the state says.
    """

    def __init__(self, match: Match[MatchState]) -> None:
        self._match = match
        self._stamina = dict.fromkeys(match.state.wrestlers, START_STAMINA)

    def look(self, anew: bool = False) -> None:
        """Everything there is to look at now; `anew` after the referee has gone back in the log."""
        match = self._match
        if (match.request is None) != (match.outcome is not None):
            raise Broken("nothing is asked, or something is asked after the end")
        at_rest = match.request is not None and any(step in match.request.step for step in AT_REST)
        for wrestler in match.state.wrestlers.values():
            for wrong in _mutual(match.state, wrestler):
                raise Broken(f"{wrestler.id} {wrong}")
            for wrong in (*_ties(match.state, wrestler), *_posture(match.state, wrestler)) if at_rest else ():
                raise Broken(f"{wrestler.id} {wrong}")
        self._add_up(anew)
        if match.request is not None:
            self._asked()

    def _add_up(self, anew: bool) -> None:
        """Stamina is conserved: what the facts took and gave is what is left; it stays within its bounds."""
        rulings = self._match.table.rulings
        facts = self._match.table.facts
        if anew:
            self._stamina = dict.fromkeys(self._match.state.wrestlers, START_STAMINA)
            facts = [fact for entry in self._match.log.entries for fact in entry.facts]
        for fact in facts:
            if fact.kind in ("stamina_lost", "stamina_gained"):
                points = fact.values["points"]
                if points < 0:
                    raise Broken(f"{fact.kind} of {points}")
                self._stamina[str(fact.fighter)] += points if fact.kind == "stamina_gained" else -points
            elif fact.kind == "returned":
                # MODE-06: whoever has sat out comes back with half of what he had.
                self._stamina[str(fact.fighter)] = fact.values["stamina"]
            elif fact.kind == "corrected" and fact.values["field"] == "stamina":
                self._stamina[str(fact.fighter)] = fact.values["value"]
        for wrestler in self._match.state.wrestlers.values():
            counted = self._stamina[wrestler.id]
            if wrestler.stamina != counted:
                raise Broken(f"{wrestler.id} has {wrestler.stamina} Stamina, the facts leave {counted}")
            if rulings["stamina_ceiling"] != "none" and counted > rulings["stamina_ceiling"]:
                raise Broken(f"{wrestler.id} has {counted} Stamina, over the ceiling")
            if rulings["stamina_floor"] != "none" and counted < rulings["stamina_floor"]:
                raise Broken(f"{wrestler.id} has {counted} Stamina, under the floor")

    def _asked(self) -> None:
        """Who is asked may answer, and the dice asked for are within the caps."""
        request = self._match.request
        assert request is not None
        wrestlers = self._match.state.wrestlers
        if request.fighter is not None and (asked := wrestlers.get(request.fighter)) is not None:
            for wrong in _may_not(asked, request.step, self._match.state.edition.checks.resting_may_pin):
                raise Broken(f"{asked.id} is asked at {request.step} and {wrong}")
        for pool in request.dice:
            for wrong in _pool(self._match, pool):
                raise Broken(f"{pool.fighter}'s {pool.ability} at {request.step}: {wrong}")


def _mutual(state: MatchState, one: Wrestler) -> Iterator[str]:
    """Ties are mutual, and there is one posture at a time."""
    for tie, back in BONDS.items():
        rival = getattr(one, tie)
        if rival is not None and (rival == one.id or getattr(state.wrestlers[rival], back) != one.id):
            yield f"{tie} {rival}, who knows nothing of it"
    if (one.lying, one.unconscious, one.knocked_down is not None).count(True) > 1:
        yield "has two postures"


def _ties(state: MatchState, one: Wrestler) -> Iterator[str]:
    """One body one place: ties exclude each other and bind nobody who is out or out cold."""
    ties = [tie for tie in TIES if getattr(one, tie) is not None]
    if not ties:
        return
    if len(ties) > 1 and frozenset(ties) not in TOGETHER:
        yield f"is bound twice: {', '.join(ties)}"
    if not one.in_match:
        yield f"is out ({one.out}) and still bound: {ties[0]}"
    if one.unconscious and any(tie in ("hoists", "holds", "pins", "on_post") for tie in ties):
        yield f"is unconscious and does this: {ties[0]}"
    if "hoists" in ties and not one.upright:
        yield "lies and holds somebody up"
    if "on_post" in ties and (not one.upright or one.at_ringside):
        yield "is on a post and lies, or is at ringside"
    if one.hoisted_by is not None and state.wrestlers[one.hoisted_by].at_ringside != one.at_ringside:
        yield f"is held up by {one.hoisted_by} on the other side of the ropes"


def _posture(state: MatchState, one: Wrestler) -> Iterator[str]:
    """Locked up only on one's feet, once, and with somebody; nobody who is out has a turn."""
    groups = [group for group in state.groups if one.id in group]
    if groups:
        if len(groups) > 1 or len(set(groups[0])) < 2:
            yield f"is in no sound lock-up: {groups}"
        if not one.upright or not one.playing:
            yield "is locked up and not on his feet"
        if one.hoisted_by is not None or one.on_post is not None:
            yield "is locked up and up in the air"
    if not one.in_match and state.active == one.id:
        yield "is out and still has a turn"


def _may_not(asked: Wrestler, step: str, resting_may_pin: bool) -> Iterator[str]:
    """Why he should not be asked for an action or a defence."""
    if "D-04" in step:
        if not asked.playing:
            yield "does not take part"
        if asked.unconscious or asked.helpless or asked.knocked_down is not None:
            yield "cannot move"
        if asked.turn_over or (asked.resting and not resting_may_pin):
            yield "has no turn left"
        if asked.hoisted_by or asked.held_by or asked.pinned_by or asked.pins or asked.holds:
            yield "is bound"
    elif "D-06" in step and (asked.unconscious or asked.resting or not asked.playing):
        yield "cannot defend himself"


def _pool(match: Match[Any], pool: Pool) -> Iterator[str]:
    """Pools add up, and no cap is passed."""
    if pool.count < 1 or pool.faces not in (6, 10):
        yield f"{pool.count} dice of {pool.faces}"
    if pool.modifiers and pool.count != sum(term.value for term in pool.modifiers):
        yield f"{pool.count} dice, and the terms make {sum(term.value for term in pool.modifiers)}"
    rulings = match.table.rulings
    if pool.ability == "strength" and rulings["strength_dice_cap"] != "none" and pool.count > 10:
        yield f"{pool.count} Strength dice (STRIKE-09)"
    if pool.ability is None or not pool.modifiers:
        return
    lasting = sum(one.value for one in pool.modifiers if one.text.key.partition(".")[2] in LASTING)
    most = rulings["absolute_ability_cap"]
    if most != "none" and lasting > most:
        yield f"{lasting} dice, at most {most} (PROP-02)"
    tired = match.state.wrestlers[pool.fighter].stamina <= FATIGUED_AT
    in_scope = rulings["fatigue_scope"] == "all" or pool.ability == "counter"
    if rulings["fatigue_cap"] != "off" and tired and in_scope and lasting > rulings["fatigue_cap"]:
        yield f"{lasting} dice of a tired wrestler (FATIGUE-01)"
