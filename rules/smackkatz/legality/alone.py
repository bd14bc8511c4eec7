"""Options without a target: walking, getting up, ropes, posts, the rival overhead."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache

from rules.engine.cite import cite
from rules.engine.request import Option, Reason
from rules.questions import Finding
from rules.smackkatz import sight
from rules.smackkatz.legality.actor import Actor
from rules.smackkatz.legality.reasons import scene_reason, standing_reason
from rules.smackkatz.modes import tags
from rules.smackkatz.movement.moving import may_step_back
from rules.text import Text

PASS = Option("pass", Text("option.pass"), rules=("TURN-01",))


@lru_cache(maxsize=256)
def option_text(name: str, target: str = "") -> Text:
    """The words on an option's button."""
    return Text(f"option.{name}", {"target": target}) if target else Text(f"option.{name}")


def _option(name: str, reasons: list[Reason], rules: tuple[str, ...], *doubts: Finding) -> Option:
    return Option(name, option_text(name), tuple(reasons), rules=rules, doubts=doubts)


def _needs_speed(actor: Actor, reasons: list[Reason], rule: str) -> None:
    if actor.speed < 1:
        reasons.append(standing_reason("no_speed", rule))


@cite("MOVE-01", "FACE-01", "MOVE-05", "RULING-27")
def move(actor: Actor) -> Option:
    """Forward palms, the turn with its half palm and the step back, in one block."""
    reasons = actor.reasons("move")
    free_step = actor.table.rulings["step_back_cost"] == 0 and may_step_back(actor.table, actor.id)
    # The open block counts from where it began, so its own cost does not keep it from being redone.
    if actor.unspent < 1 and not free_step:
        reasons.append(standing_reason("no_speed", "MOVE-01"))
    return _option("move", reasons, ("MOVE-01", "FACE-01", "MOVE-05"))


@cite("STATUS-21", "PIN-09", "SPECIAL-09", "RULING-35", "RULING-82", "RULING-94")
def get_up(actor: Actor) -> Option:
    """Stand up for one Speed."""
    wrestler, table = actor.wrestler, actor.table
    reasons = actor.reasons("get_up")
    if wrestler.lies_until is not None and table.state.turn <= wrestler.lies_until:
        reasons.append(standing_reason("lies_until", "PIN-09"))
    if wrestler.rises_at_end:
        reasons.append(standing_reason("rises_at_end", "SPECIAL-09"))
    if wrestler.entered and table.rulings["stand_after_entry"] == "next_turn":
        reasons.append(standing_reason("entered_lying", "RULING-35"))
    _needs_speed(actor, reasons, "STATUS-21")
    return _option("get_up", reasons, ("STATUS-21",))


@cite("STATUS-53", "RULING-35", "RULING-12")
def enter_ring(actor: Actor) -> Option:
    """Back into the ring for one Speed, arriving lying."""
    reasons = actor.reasons("enter_ring")
    _needs_speed(actor, reasons, "STATUS-53")
    return _at_the_ropes(actor, "enter_ring", "STATUS-53", reasons)


@cite("RULING-34", "RULING-12")
def leave_ring(actor: Actor) -> Option:
    """Out of the ring on purpose, for one Speed."""
    reasons = actor.reasons("leave_ring")
    if actor.table.rulings["voluntary_exit"] == "forbidden":
        reasons.append(standing_reason("exit_forbidden", "RULING-34"))
    _needs_speed(actor, reasons, "RULING-34")
    return _at_the_ropes(actor, "leave_ring", "RULING-34", reasons)


def _at_the_ropes(actor: Actor, name: str, rule: str, reasons: list[Reason]) -> Option:
    ropes = sight.on_ropes(actor.table, actor.id)
    _must_be(ropes, "not_at_ropes", reasons)
    return _option(name, reasons, (rule,), *((ropes,) if ropes.too_close else ()))


def _must_be(found: Finding, code: str, reasons: list[Reason]) -> None:
    if not found.answer and not found.too_close:
        reasons.append(scene_reason(code, "RULING-33", found))


@cite("LOCK-06", "RULING-21", "RULING-13")
def break_lock_up(actor: Actor) -> Option:
    """Try to break away from the lock-up or melee."""
    reasons = actor.reasons("break_lock_up")
    if actor.wrestler.escape_tried:
        reasons.append(standing_reason("escape_tried", "RULING-21"))
    return _option("break_lock_up", reasons, ("LOCK-06",))


@cite("SPECIAL-02", "BUILD-13", "RULING-93")
def climb_post(actor: Actor) -> Option:
    """Up the post of a corner: a humanoid's, and it costs the attack (by house rule one Speed)."""
    reasons = actor.reasons("climb_post")
    _class(actor, "humanoid", "BUILD-13", reasons)
    if actor.table.rulings["climb_cost"] == "speed_1":
        _needs_speed(actor, reasons, "RULING-93")
    corner = sight.in_corner(actor.table, actor.id)
    _must_be(corner, "not_in_corner", reasons)
    return _option("climb_post", reasons, ("SPECIAL-02",), *((corner,) if corner.too_close else ()))


@cite("SPECIAL-03", "LOG-11", "RULING-93")
def dive(actor: Actor) -> Option:
    """Down from the post onto whoever is there, from the turn after the climb."""
    reasons = actor.reasons("dive")
    _class(actor, "humanoid", "BUILD-13", reasons)
    if actor.wrestler.on_post is not None and actor.wrestler.climbed_in >= actor.table.state.turn:
        reasons.append(standing_reason("climbed_this_turn", "SPECIAL-03"))
    return _option("dive", reasons, ("SPECIAL-03",))


@cite("RULING-93")
def climb_down(actor: Actor) -> Option:
    """Down from the post on his feet, for one Speed, from the turn after the climb."""
    reasons = actor.reasons("climb_down")
    if actor.wrestler.climbed_in >= actor.table.state.turn:
        reasons.append(standing_reason("climbed_this_turn", "RULING-93"))
    _needs_speed(actor, reasons, "RULING-93")
    return _option("climb_down", reasons, ("RULING-93",))


def _class(actor: Actor, wanted: str, rule: str, reasons: list[Reason]) -> None:
    if actor.table.roster[actor.id].kind != wanted:
        reasons.append(standing_reason(f"not_{wanted}", rule))


@cite("SUPLEX-07", "SUPLEX-13", "RULING-52")
def _overhead(actor: Actor, name: str, rule: str) -> Option:
    reasons = actor.reasons(name)
    if actor.wrestler.hoisted_in >= actor.table.state.turn:
        reasons.append(standing_reason("hoisted_this_turn", "SUPLEX-07"))
    return _option(name, reasons, (rule,))


def throw(actor: Actor) -> Option:
    """Throw the rival overhead, from the turn after the grab."""
    return _overhead(actor, "throw", "SUPLEX-07")


def keep_hoisting(actor: Actor) -> Option:
    """Keep the rival overhead."""
    return _overhead(actor, "keep_hoisting", "SUPLEX-13")


ALONE: tuple[tuple[Callable[[Actor], bool], Callable[[Actor], Option]], ...] = (
    (lambda one: True, move),
    (lambda one: not one.wrestler.upright, get_up),
    (lambda one: one.wrestler.at_ringside, enter_ring),
    (lambda one: not one.wrestler.at_ringside, leave_ring),
    (lambda one: bool({"lock_up", "melee_last"} & set(one.columns)), break_lock_up),
    (lambda one: one.wrestler.on_post is not None, climb_down),
    (lambda one: one.wrestler.hoists is not None, throw),
    (lambda one: one.wrestler.hoists is not None, keep_hoisting),
)
"""Options of every class, each with when there is such a thing at all."""
OF_HUMANOIDS = (climb_post, dive)


@cite("MODE-13", "RULING-98")
def _tags(actor: Actor) -> Iterator[Option]:
    """The swap with a partner across the ropes, where tags are on: what bars leaving the ring bars it."""
    for one in tags.tag_options(actor.table, actor.id):
        known = {given.rule for given in one.reasons}
        own = [given for given in actor.reasons("leave_ring") if given.rule not in known]
        yield replace(one, reasons=(*own, *one.reasons)) if own else one


def alone(actor: Actor, every: bool) -> Iterator[Option]:
    """His options without a target; those of other classes too when `every` one is wanted."""
    for there, make in ALONE:
        if there(actor):
            yield make(actor)
    yield from _tags(actor)
    if every or actor.table.roster[actor.id].kind == "humanoid":
        for make in OF_HUMANOIDS:
            if not (make is climb_post and actor.wrestler.on_post is not None):
                yield make(actor)
