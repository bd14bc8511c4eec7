"""How procedures put questions: a choice, dice with all their terms, an observation of the table."""

from __future__ import annotations

from collections.abc import Callable

from rules.engine.request import REFEREE, Option, Pool, Procedure, Request
from rules.scene import Figure, Scene
from rules.smackkatz.abilities import Ring
from rules.text import Text


def owner(table: Ring, fighter: str) -> str:
    """The player who answers for a fighter."""
    return table.roster[fighter].player


def choose(
    table: Ring,
    fighter: str,
    step: str,
    text: Text,
    options: Callable[[], tuple[Option, ...]] | tuple[Option, ...],
    *rules: str,
) -> Procedure[str]:
    """Let the fighter's player choose; returns the option's id."""
    answer = yield Request(
        "choose", step, owner(table, fighter), text, fighter=fighter, options=options, rules=rules
    )
    return str(answer)


def roll(
    table: Ring, step: str, text: Text, pools: tuple[Pool, ...], *rules: str
) -> Procedure[dict[str, tuple[int, ...]]]:
    """Have dice rolled, one pool per fighter at most; returns the faces by fighter.

    A pool without dice is not asked for. The roll is recorded with its pool, threshold and result.
    """
    thrown: dict[str, tuple[int, ...]] = {one.fighter: () for one in pools}
    asked = tuple(one for one in pools if one.count > 0)
    if not asked:
        return thrown
    single = asked[0].fighter if len(asked) == 1 else None
    who = owner(table, single) if single is not None else REFEREE
    request = Request("roll", step, who, text, fighter=single, dice=asked, rules=rules)
    faces = yield request
    start = 0
    # A correction while the dice were asked for may have changed how many there are.
    for one in request.dice:
        thrown[one.fighter] = faces[start : start + one.count]
        start += one.count
        table.record("rolled", *rules, fighter=one.fighter, **_terms(one), faces=list(thrown[one.fighter]))
    return thrown


def _terms(one: Pool) -> dict[str, object]:
    """A pool term by term, as the log keeps it."""
    terms = [[term.text.key, term.value, term.rule] for term in one.modifiers]
    return {
        "ability": one.ability or "die",
        "dice": one.count,
        "sides": one.faces,
        "threshold": one.threshold or 0,
    } | ({"terms": terms} if terms else {})


def look(table: Ring, step: str, text: Text, *rules: str, fighter: str | None = None) -> Procedure[None]:
    """Have the table observed and take the figures over into the scene."""
    figures = yield Request("observe", step, REFEREE, text, fighter=fighter, rules=rules)
    see(table, figures, *rules)


def see(table: Ring, figures: dict[str, Figure], *rules: str) -> None:
    """Take observed figures over into the scene."""
    scene = table.state.scene
    table.state.scene = Scene(scene.ring, {**scene.figures, **figures}, scene.hands, scene.t)
    table.record("seen", *rules, figures=sorted(figures))


def lose_sight(table: Ring, *fighters: str) -> None:
    """Nobody saw where they went: where they stood says nothing any more, nor what the referee said of it."""
    state = table.state
    figures = {name: figure for name, figure in state.scene.figures.items() if name not in fighters}
    state.scene = Scene(state.scene.ring, figures, state.scene.hands, state.scene.t)
    for about in [about for about in state.settled if not set(fighters).isdisjoint(about.split(":")[1:])]:
        del state.settled[about]
