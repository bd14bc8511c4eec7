"""Runs procedures on a table set up by hand. Dice are strict: a wrong die, too few, left over are errors."""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from rules.engine.request import Request
from rules.engine.rulebook import Table
from rules.roster import Entrant, Roster
from rules.scene import Figure, Hand, Ring, Scene
from rules.smackkatz.book import CURRENT, SmackKatz
from rules.smackkatz.state import MatchState
from tests.rules.playing import RING, SHEET, figure

T = TypeVar("T")
Script = dict[str, list[Any]]

FAR = [(-25.0, 25.0), (0.0, 25.0), (25.0, 25.0), (-25.0, -25.0), (0.0, -25.0), (25.0, -25.0)]
"""Places where nobody is near anybody, for those a scenario says nothing about."""


class ScriptError(AssertionError):
    """The rules asked for other dice than the scenario has."""


def table(
    names: str = "ABC",
    given: Mapping[str, Mapping[str, Any]] | None = None,
    *,
    at: Mapping[str, Figure] | None = None,
    one_on_one: bool = False,
    mode: str = "wrestling_match",
    rulings: Mapping[str, Any] | None = None,
    teams: Mapping[str, str] | None = None,
    ring: Ring = RING,
    classes: Mapping[str, str] | None = None,
    book: SmackKatz = CURRENT,
) -> Table[MatchState]:
    """A match in its first turn's open phase. `given` sets abilities and fields of wrestlers, `classes` the
    class of those who are no humanoids."""
    settings = book.catalogue.resolve({**book.mode_rulings(mode), **(rulings or {})})
    hand, abilities = Hand(18.0, 9.0), book.rules.form.abilities
    sheet = dict(zip(abilities, SHEET.values(), strict=True))
    kinds = dict.fromkeys(names, "humanoid") | dict(classes or {})
    entrants = tuple(
        Entrant(one, one, one.lower(), hand, kinds[one], sheet, (teams or {}).get(one)) for one in names
    )
    roster = Roster(entrants, ring)
    state = book.open(roster, settings, mode)
    figures = {name: figure(name, *FAR[number]) for number, name in enumerate(names)} | dict(at or {})
    state.scene = Scene(ring, figures, dict.fromkeys(names, hand))
    state.turn, state.phase, state.started_one_on_one = 1, "OPEN_PHASE", one_on_one
    for name, values in (given or {}).items():
        wrestler = state.wrestlers[name]
        scores = {**wrestler.sheet.scores, **{k: v for k, v in values.items() if k in abilities}}
        wrestler.sheet = replace(wrestler.sheet, scores=scores)
        for field, value in values.items():
            if field not in abilities:
                assert hasattr(wrestler, field), f"no such field: {field}"
                setattr(wrestler, field, value)
    return Table(state, roster, settings, mode)


def pair(apart: float = 1.0, y: float = 0.0) -> dict[str, Figure]:
    """A and B facing each other in the middle of the ring, so many centimetres between their outlines."""
    return {"A": figure("A", 0, y, 0), "B": figure("B", 6 + apart, y, 180)}


def give_hand(found: Table[MatchState], fighter: str, hand: Hand) -> None:
    """Have a fighter measured with another hand."""
    scene = found.state.scene
    found.state.scene = replace(scene, hands={**scene.hands, fighter: hand})


def lock(found: Table[MatchState], *members: str) -> Table[MatchState]:
    """Put wrestlers into one lock-up or melee."""
    found.state.groups = (*found.state.groups, tuple(members))
    return found


def clump(*names: str) -> dict[str, Figure]:
    """Up to three wrestlers all next to each other, facing the middle."""
    places = [(0.0, 0.0, 0.0), (7.0, 0.0, 180.0), (3.5, 6.0, 270.0)]
    return {name: figure(name, *place) for name, place in zip(names, places, strict=False)}


def dice_name(request: Request, ability: str | None) -> str:
    """What a pool is called in a scenario."""
    if ability is not None:
        return ability
    for word, name in (("tie_break", "roll_off"), ("initiative", "initiative"), ("wound", "wound"),
                       ("_check", "d10"), ("taunt", "taunt"), ("rest", "rest")):  # fmt: skip
        if word in request.step:
            return name
    raise ScriptError(f"no name for the dice of {request}")


def script(dice: Mapping[str, Any]) -> Script:
    """A scenario's dice by `fighter.name`, each a list of rolls."""
    found: Script = {}
    for key, value in dice.items():
        if isinstance(value, dict):
            for fighter, face in value.items():
                found.setdefault(f"{fighter}.{key}", []).append([face])
        elif value != "declined":
            rolls = value if value and isinstance(value[0], list) else [value]
            found[key] = [*found.get(key, []), *rolls]
    return found


def faces_for(request: Request, dice: Script) -> list[int]:
    """The scripted faces of a roll request, pool by pool."""
    faces: list[int] = []
    for pool in request.dice:
        key = f"{pool.fighter}.{dice_name(request, pool.ability)}"
        if not dice.get(key):
            raise ScriptError(f"{request} asks for {pool.count} dice of {key}; the scenario has none")
        roll = dice[key].pop(0)
        if len(roll) != pool.count:
            raise ScriptError(f"{key}: {pool.count} dice are rolled, the scenario has {roll}")
        faces += roll
    return faces


def drive(
    procedure: Generator[Request, Any, T],
    dice: Mapping[str, Any] | Script | None = None,
    choose: Callable[[Request], Any] | None = None,
    asked: list[Request] | None = None,
) -> T:
    """Run a procedure to its end. Defences are made when their dice are scripted, else declined.

    Anything else is answered by `choose`. Raises ScriptError for dice that do not fit or are left over.
    """
    left = script(dice or {})
    answer: Any = None
    try:
        request = next(procedure)
        while True:
            if asked is not None:
                asked.append(request)
            answer = _answer(request, left, choose)
            request = procedure.send(answer)
    except StopIteration as end:
        over = {key: rolls for key, rolls in left.items() if rolls}
        if over:
            raise ScriptError(f"dice left over: {over}") from None
        return end.value  # type: ignore[no-any-return]


def _answer(request: Request, dice: Script, choose: Callable[[Request], Any] | None) -> Any:
    if request.kind == "roll":
        return tuple(faces_for(request, dice))
    if "D-06" in request.step:
        for name in ("counter", "technique"):
            if request.option(name) is not None and dice.get(f"{request.fighter}.{name}"):
                return name
        if request.option("decline") is not None:
            return "decline"
    if request.kind == "place" and (choose is None or request.proposal is not None):
        return request.proposal
    if choose is None:
        raise ScriptError(f"nobody said how to answer {request}")
    return choose(request)


def facts(found: Table[MatchState], kind: str) -> list[Any]:
    """The recorded facts of one kind."""
    return [fact for fact in found.facts if fact.kind == kind]


def at_gap_to_far_ropes(
    name: str, gap: float, x: float = 0.0, facing: float = 270.0, radius: float = 3.0
) -> Figure:
    """A figure so many centimetres from the far ropes."""
    return figure(name, x, 35.0 - radius - gap, facing, radius=radius)


def behind(name: str, target: Figure) -> Figure:
    """A figure right behind another one."""
    c, s = math.cos(target.facing), math.sin(target.facing)
    return figure(name, target.x - 7 * c, target.y - 7 * s, math.degrees(target.facing))
