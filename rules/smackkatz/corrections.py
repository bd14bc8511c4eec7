"""What the referee may set with his own word, and what follows so that the state stays sound."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from rules.engine.cite import cite
from rules.engine.overrule import Correction
from rules.engine.request import Pool, Reason, Request
from rules.smackkatz.abilities import Ring, terms_of
from rules.smackkatz.modes import tags
from rules.smackkatz.modes.endings import check_endings, eliminate
from rules.smackkatz.movement.moving import close_block
from rules.smackkatz.state import Wrestler
from rules.smackkatz.turn.slots import may_act

RULE = "LOG-02"
"""The referee drives play and remembers every situation: his word counts."""
LOWEST_STAMINA, HIGHEST_STAMINA = -99, 99
MOST = 99
SHORTEST_CM = 1.0
"""No hand is smaller, open or closed."""
FREE = "free"
FLAGS = (
    "acted", "attacked", "defended", "turn_over", "moved", "facing_changed", "stepped_back",
    "escape_tried", "cannot_attack", "pin_tried", "helpless", "finisher_used", "must_rest",
)  # fmt: skip
"""Fields of a wrestler that are simply on or off."""
NUMBERS = ("spent", "failed_checks", "ringside_turns", "counters_used", "pin_failures", "falls")
"""Fields that are simply counts."""
POSTURES = ("standing", "lying", "knocked_down", "unconscious")
BOUND = frozenset({"hoisting", "hoisted", "applying", "held", "pinning", "pinned", "on_post"})
"""Refusals by what binds somebody."""
BLOWS = ("strike", "charge", "hit_downed", "weapon")
"""What may be done to somebody without taking him out of another's hands; what it breaks the rules say."""
HANDS = ("hand", "hand_sd")
"""Fields that belong to a player: whoever fights for him has them too."""
BONDS = {
    "hoists": "hoisted_by", "hoisted_by": "hoists", "holds": "held_by", "held_by": "holds",
    "pins": "pinned_by", "pinned_by": "pins",
}  # fmt: skip
"""A wrestler's ties to another one, each with the other's side of it."""


def posture(wrestler: Wrestler) -> str:
    """Which of the four postures he is in."""
    if wrestler.unconscious:
        return "unconscious"
    if wrestler.knocked_down is not None:
        return "knocked_down"
    return "lying" if wrestler.lying else "standing"


def fields_of(table: Ring, wrestler: Wrestler) -> Iterator[Correction]:
    """Everything that may be set about one wrestler."""
    name, state = wrestler.id, table.state
    floor, ceiling = (table.rulings[one] for one in ("stamina_floor", "stamina_ceiling"))
    lowest = LOWEST_STAMINA if floor == "none" else floor
    highest = HIGHEST_STAMINA if ceiling == "none" else ceiling
    yield Correction(name, "stamina", "number", wrestler.stamina, (), lowest, highest)
    yield Correction(name, "posture", "choice", posture(wrestler), POSTURES, structural=True)
    zone = "ringside" if wrestler.at_ringside else "ring"
    yield Correction(name, "zone", "choice", zone, ("ring", "ringside"), structural=True)
    yield Correction(name, "resting", "flag", wrestler.resting, structural=True)
    yield Correction(name, "playing", "flag", wrestler.in_match, structural=True)
    yield Correction(name, "sits_out", "flag", wrestler.sits_out is not None, structural=True)
    bonds = [f"{bond} {rival}" for bond in BONDS if (rival := getattr(wrestler, bond)) is not None]
    if bonds or wrestler.on_post is not None:
        now = ", ".join(bonds) or "on_post"
        yield Correction(name, "bond", "choice", now, (FREE,), structural=True)
    group = state.group_of(name)
    if group:
        yield Correction(name, "lock_up", "choice", "+".join(group), (FREE,), structural=True)
    for flag in FLAGS:
        yield Correction(name, flag, "flag", getattr(wrestler, flag))
    if _partners(table, name):
        yield Correction(name, "legal", "flag", wrestler.legal)
    for number in NUMBERS:
        yield Correction(name, number, "number", getattr(wrestler, number), (), 0, MOST)
    for ability in state.edition.wounds.places:
        wounds = wrestler.wounds.get(ability, 0)
        yield Correction(name, f"wounds:{ability}", "number", wounds, (), 0, 2)
    hand = state.scene.hands[name]
    yield Correction(name, "hand", "point", [hand.palm, hand.half_palm], least=SHORTEST_CM)
    yield Correction(name, "hand_sd", "point", [hand.palm_sd, hand.half_palm_sd], least=0.0)
    figure = state.scene.figures.get(name)
    if figure is not None:
        yield Correction(name, "position", "point", [round(figure.x, 2), round(figure.y, 2)])
        facing = round(math.degrees(figure.facing))
        yield Correction(name, "facing", "number", facing, (), -360, 360)


def corrections(table: Ring) -> tuple[Correction, ...]:
    """Everything that may be set now, wrestler by wrestler."""
    wrestlers = table.state.wrestlers.values()
    return tuple(field for wrestler in wrestlers for field in fields_of(table, wrestler))


def _partners(table: Ring, fighter: str) -> list[str]:
    """Who else of his team may have the tag; nobody where there are no tags, or he has gone out."""
    wrestler = table.state.wrestlers[fighter]
    if not tags.with_tags(table) or wrestler.team is None or not wrestler.in_match:
        return []
    return [one.id for one in table.state.remaining if one.team == wrestler.team and one.id != fighter]


def _all_of_a_hand(table: Ring, fighter: str) -> list[str]:
    """Everybody who is measured with the same player's hand."""
    player = table.roster[fighter].player
    return [entrant.id for entrant in table.roster.entrants if entrant.player == player]


@cite("LOG-02")
def correct(table: Ring, correction: Correction, value: Any, reason: str) -> None:
    """Set a field. Whoever changes posture, side of the ropes or leaves lets go of everybody first."""
    fighter = correction.fighter
    if correction.structural and value != correction.now:
        _free(table, fighter, group=correction.field != "bond", bonds=correction.field != "lock_up")
    said = {"reason": reason} if reason else {}
    for one in _all_of_a_hand(table, fighter) if correction.field in HANDS else (fighter,):
        table.record(
            "corrected", RULE, fighter=one, field=correction.field, was=correction.now, value=value, **said
        )
    if correction.field == "legal" and value != correction.now:
        # There is one tag in a team.
        for partner in _partners(table, fighter):
            if not value or table.state.wrestlers[partner].legal:
                giver, taker = (partner, fighter) if value else (fighter, partner)
                table.record("tagged", RULE, fighter=giver, partner=taker)
                break
    if correction.field == "playing" and value is False and correction.now is True:
        eliminate(table, fighter, "referee", RULE)
    if correction.structural:
        check_endings(table)


def _free(table: Ring, fighter: str, *, group: bool, bonds: bool) -> None:
    if group and table.state.group_of(fighter):
        table.record("left_group", RULE, fighter=fighter)
    wrestler = table.state.wrestlers[fighter]
    if bonds and wrestler.engaged:
        rivals = [rival for bond in BONDS if (rival := getattr(wrestler, bond)) is not None]
        table.record("bonds_ended", RULE, fighter=fighter, rivals=rivals)


def still_asked(table: Ring, request: Request, correction: Correction) -> bool:
    """Whether the open request makes sense after a correction; its dice are counted anew if it does.

    An exchange under way relies on who stands and who holds whom: where one of those it concerns was
    changed in that, it is broken off; so is one that asks for a roll for which no die is left.
    """
    asked = None if request.fighter is None else table.state.wrestlers[request.fighter]
    if table.state.phase == "SETUP":
        return True
    if asked is not None and not asked.playing:
        return False
    if asked is not None and request.text.key == "ask.act" and not may_act(table, asked):
        return False
    changed = {correction.fighter, *_let_go(table)} if correction.structural else set()
    if changed & _concerned(table, request):
        # One whom the question names (whom to throw where, say) is what it is about.
        about = _named(request) - {request.fighter}
        chooses_freely = request.kind == "choose" and not request.settled and not changed & about
        if not (chooses_freely and asked is not None and asked.can_act):
            return False
    if request.kind == "choose" and not any(option.legal for option in request.options):
        return False
    dice = tuple(_recounted(table, pool) for pool in request.dice)
    if any(pool.count < 1 for pool in dice):
        return False
    request.dice = dice
    return True


def _let_go(table: Ring) -> set[str]:
    """Whom the correction has just freed: what is asked may hang on a bond that is there no more."""
    return {one for fact in table.facts if fact.kind == "bonds_ended" for one in fact.values["rivals"]}


def _concerned(table: Ring, request: Request) -> set[str]:
    """Everybody the open request may hang on."""
    names = {request.fighter, table.state.active, *(pool.fighter for pool in request.dice)}
    names |= _named(request)
    if request.finding is not None:
        names |= set(request.finding.figures)
    names |= {option.target for option in request.options}
    near = {name for name in names if name is not None}
    for name in near & table.state.wrestlers.keys():
        wrestler = table.state.wrestlers[name]
        near = near | {rival for bond in BONDS if (rival := getattr(wrestler, bond)) is not None}
    # A list of several asked at once stands in the text of the request alone.
    everybody = request.fighter is None and request.kind != "choose"
    return set(table.state.wrestlers) if everybody else near


def _named(request: Request) -> set[str]:
    """What the question names in words: fighters among them."""
    return {value for value in request.text.values.values() if isinstance(value, str)}


def _recounted(table: Ring, pool: Pool) -> Pool:
    """The pool with its ability as it counts now; what the roll added to the ability stays."""
    if pool.ability is None or pool.ability not in table.state.wrestlers[pool.fighter].sheet.scores:
        return pool
    now = terms_of(table, pool.fighter, pool.ability)
    ability_keys = {"sheet", "carried_injury", "wound", "injury", "absolute_cap", "fatigue"}
    added = tuple(
        term
        for term in pool.modifiers
        if term.text.key.partition(".")[2] not in ability_keys and term not in now
    )
    terms = (*now, *added)
    count = max(0, sum(term.value for term in terms))
    return Pool(pool.fighter, count, pool.faces, pool.ability, pool.threshold, terms)


@cite("LOG-02")
def leave(table: Ring) -> None:
    """The exchange or activation under way is broken off; the turn goes on from where it was.

    What the exchange had not come to is done: whoever was brought down holds nobody up any more.
    """
    if table.state.active is not None and table.state.wrestlers[table.state.active].playing:
        close_block(table, table.state.active, final=False)
    table.record("broken_off", RULE)
    for wrestler in list(table.state.wrestlers.values()):
        if wrestler.hoists is not None and not wrestler.upright:
            _free(table, wrestler.id, group=False, bonds=True)


@cite("LOG-02")
def accept(table: Ring, request: Request, reasons: tuple[Reason, ...], reason: str) -> None:
    """Something illegal was done and stands: recorded with every rule against it.

    Nobody is in two places: whoever did it although he was bound has let go, and so has his rival.
    """
    rules = dict.fromkeys((RULE, *(one.rule for one in reasons if one.rule)))
    said = {"reason": reason} if reason else {}
    table.record("let_stand", *rules, fighter=request.fighter, against=[one.code for one in reasons], **said)
    option = request.option(table.accepted) if request.kind == "choose" else None
    if option is None:
        return
    codes = {one.code for one in reasons}
    if codes & BOUND:
        _free(table, request.fighter or str(option.target), group=False, bonds=True)
    taken = codes & {f"target_{one}" for one in (*BOUND, "bound", "kept")}
    if taken and option.target in table.state.wrestlers and option.id.partition(":")[0] not in BLOWS:
        _free(table, str(option.target), group=False, bonds=True)
