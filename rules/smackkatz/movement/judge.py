"""The verdict on an observed move: within, beyond or too close to call, in cm and in that hand's palms."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Literal

from shapely.geometry.base import BaseGeometry

from rules.engine.cite import cite
from rules.geometry import moved, position_variance
from rules.measured import K95, Measured
from rules.questions import Finding, path_blocked, within_reach
from rules.scene import Figure, Hand
from rules.smackkatz.house_rules import catalogue
from rules.smackkatz.movement.explain import Explanation, explain
from rules.smackkatz.movement.stride import Stride, stride
from rules.text import Text
from rules.value_type import value_type

Verdict = Literal["within", "beyond", "too_close"]

HEADING_ERROR = math.radians(3)
"""Catalogue 6.7.11: no heading is better than this."""
DRIFT = 0.5
"""How far off its line a move may end, cm, before it counts as another shape."""
FINE = 0.05
"""Doubts with a smaller error, palms, are said with a third decimal: 0.98 ± 0.02 would read as within 1."""
PASSING = 0.5
"""How deep, cm, a way may cut into somebody's outline before it counts as passing through."""


@value_type
class MoveVerdict:
    """A move judged. `distance` in cm, `palms` in palms of the mover's player; `limit` in palms when a
    number of palms was allowed, in points of Speed otherwise.

    `cost` is the fewest points of Speed that plausibly explain the move (None: no legal shape, or not
    asked for), `strict_cost` the fewest when every doubt counts against it.
    """

    verdict: Verdict
    distance: Measured
    palms: Measured
    limit: float
    rules: tuple[str, ...]
    text: Text
    cost: int | None = None
    strict_cost: int | None = None
    turned: bool = False
    stepped_back: bool = False
    legs: tuple[tuple[float, float], ...] = ()


def displacement(before: Figure, after: Figure) -> Measured:
    """How far the ground point went, with the sd of two independent positions."""
    dx, dy = after.x - before.x, after.y - before.y
    apart = math.hypot(dx, dy)
    along = (dx / apart, dy / apart) if apart > 1e-9 else (math.cos(before.facing), math.sin(before.facing))
    variance = position_variance(before, along) + position_variance(after, along)
    return Measured(apart, math.sqrt(variance))


@cite("MOVE-01", "MOVE-02", "MOVE-03", "MOVE-04", "MOVE-05", "FACE-01", "FACE-03")
def judge_move(
    before: Figure,
    after: Figure,
    hand: Hand,
    *,
    speed: int | None = None,
    allow_palms: float | None = None,
    rulings: Mapping[str, Any] | None = None,
    distance: Measured | None = None,
    may_turn: bool = True,
    may_step_back: bool = True,
    escape: bool = False,
    turns_freely: bool = False,
    blockers: Mapping[str, BaseGeometry] | None = None,
) -> MoveVerdict:
    """Judge the move of one figure from `before` to `after`.

    Give either `speed` (points to spend; the cheapest explanation by catalogue 6.1 is compared with
    it) or `allow_palms` (the straight displacement must not exceed so many palms). `distance`
    replaces the displacement worked out here, when the caller knows how the two positions' errors
    hang together. `blockers` are shapes that may not be passed through (RULING-29); only a judgement
    against `speed` looks at them. Raises ValueError when neither or both limits are given, or when the
    hand is not positive.
    """
    if (speed is None) == (allow_palms is None):
        raise ValueError("Give either a Speed or a number of palms to judge a move against.")
    if not (hand.palm > 0 and hand.half_palm > 0):
        raise ValueError("A hand must be longer than nothing: check palm_cm and half_palm_cm.")
    length = displacement(before, after) if distance is None else distance
    palms = length / Measured(hand.palm, hand.palm_sd)
    if allow_palms is not None:
        return _against_palms(length, palms, allow_palms)
    agreed = catalogue().resolve() if rulings is None else rulings
    tokens = stride(
        before,
        hand,
        agreed,
        may_turn=may_turn,
        may_step_back=may_step_back,
        escape=escape,
        turns_freely=turns_freely,
    )
    judged = _against_speed(before, after, hand, length, palms, int(speed or 0), tokens)
    return judged if not blockers or judged.verdict == "beyond" else _around(judged, before, after, blockers)


def settled(plain: MoveVerdict, readings: Iterable[MoveVerdict]) -> MoveVerdict:
    """The verdict on a move of a figure that may face several ways: `plain` counts every heading as possible,
    `readings` are the verdicts for each facing that remains, the likeliest first.

    What all of them call alike is called; else the plain one stands.
    """
    found = list(readings)
    if plain.verdict != "too_close" or not found or found[0].verdict == "too_close":
        return plain
    return found[0] if len({one.verdict for one in found}) == 1 else plain


def _values(length: Measured, palms: Measured, limit: float) -> dict[str, float | int | str | Text]:
    """What sentences say; the numbers among it stand in logs, in this order."""
    error = round(palms.error95, 3)
    key, digits = ("measured.palms.fine", 3) if palms.error95 < FINE else ("measured.palms", 2)
    return {
        "cm": round(length.value, 1),
        "palms": round(palms.value, 2),
        "palms_error": error,
        "limit": limit,
        "measured": Text(key, {"palms": round(palms.value, digits), "palms_error": error}),
    }


def _against_palms(length: Measured, palms: Measured, limit: float) -> MoveVerdict:
    low, high = palms.interval(K95)
    verdict: Verdict = "within" if high <= limit + 1e-9 else "beyond" if low > limit + 1e-9 else "too_close"
    text = Text(f"verdict.palms.{verdict}", _values(length, palms, limit))
    return MoveVerdict(verdict, length, palms, limit, ("MOVE-01", "MOVE-02", "MOVE-04", "RULING-28"), text)


def _against_speed(
    before: Figure,
    after: Figure,
    hand: Hand,
    length: Measured,
    palms: Measured,
    speed: int,
    tokens: Stride,
) -> MoveVerdict:
    shift = (after.x - before.x, after.y - before.y)
    slack = K95 * math.hypot(length.sd, palms.value * hand.palm_sd)
    errors, drift = (_heading_error(before), _heading_error(after)), DRIFT + K95 * length.sd
    easy, hard = (
        explain(shift, before.facing, after.facing, tokens, slack=one, drift=drift, heading_error=errors)
        for one in (slack, -slack)
    )
    verdict: Verdict = "too_close"
    if hard.cost is not None and hard.cost <= speed and not after.facing_assumed:
        verdict = "within"
    elif easy.cost is None or easy.cost > speed:
        verdict = "beyond"
    rules = ["MOVE-01", "MOVE-02", "RULING-28"]
    rules += ["FACE-01"] if easy.turned else []
    rules += ["FACE-03"] if easy.turned and not tokens.turns_freely else []
    rules += ["LOCK-08" if tokens.escape else "MOVE-05"] if easy.stepped_back else []
    values = _values(length, palms, speed) | {"cost": easy.cost or 0, "most": hard.cost or 0}
    text = Text(_sentence(verdict, easy, hard, before.facing_assumed or after.facing_assumed), values)
    return MoveVerdict(
        verdict,
        length,
        palms,
        float(speed),
        tuple(rules),
        text,
        easy.cost,
        hard.cost,
        easy.turned,
        easy.stepped_back,
        easy.legs,
    )


def _sentence(verdict: Verdict, easy: Explanation, hard: Explanation, assumed: bool) -> str:
    """The message key of a verdict against Speed; a doubt says what it is about."""
    if easy.cost is None:
        return f"verdict.shape.{verdict}"
    if verdict != "too_close":
        return f"verdict.speed.{verdict}"
    if assumed:
        return "verdict.speed.too_close.facing"
    return "verdict.speed.too_close.shape" if hard.cost is None else "verdict.speed.too_close"


@cite("RULING-29")
def _around(
    judged: MoveVerdict, before: Figure, after: Figure, blockers: Mapping[str, BaseGeometry]
) -> MoveVerdict:
    """The verdict once the way is looked at too: passing through somebody is beyond, grazing a doubt."""
    x, y = before.x, before.y
    worst: Finding | None = None
    for heading, length in judged.legs:
        end = (x + length * math.cos(heading), y + length * math.sin(heading))
        near = within_reach(before, ((x, y), end), blockers)
        if near:
            found = path_blocked(moved(before, x, y, heading), end, near, slack=PASSING)
            depth = found.distance.value if found.distance is not None else 0.0
            if found.answer and (worst is None or worst.distance is None or depth > worst.distance.value):
                worst = found
        x, y = end
    if worst is None:
        return judged
    verdict: Verdict = "too_close" if worst.too_close else "beyond"
    values = judged.text.values | {"by": worst.figures[-1]}
    text = Text(f"verdict.blocked.{verdict}", values)
    return replace(judged, verdict=verdict, rules=(*judged.rules, "RULING-29"), text=text)


def _heading_error(figure: Figure) -> float:
    """How far the heading may be off, radians; an assumed facing may point anywhere."""
    return math.pi if figure.facing_assumed else max(HEADING_ERROR, K95 * figure.facing_sd)
