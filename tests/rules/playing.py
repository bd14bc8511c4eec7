"""A virtual table for the tests: round figures, a roster, and players who answer at random."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from rules.engine.match import Match
from rules.engine.request import Request
from rules.roster import Entrant, Roster
from rules.scene import Figure, Hand, Ring
from rules.smackkatz.book import CURRENT
from rules.smackkatz.state import MatchState

SHEET = {
    "combat": 2, "speed": 2, "strength": 2, "technique": 2, "resistance": 2,
    "strike": 3, "irish_whip": 2, "suplex": 1, "submission": 1, "counter": 3,
}  # fmt: skip
STRONG = SHEET | {
    "strength": 4, "speed": 2, "combat": 2, "technique": 1, "resistance": 1,
    "strike": 4, "irish_whip": 1, "counter": 3,
}  # fmt: skip
RING = Ring(70.0, 70.0)
HAND = Hand(18.0, 9.0)


def figure(
    name: str,
    x: float,
    y: float,
    facing_deg: float = 0.0,
    *,
    radius: float = 3.0,
    sd: float = 0.0,
    depth: float | None = None,
) -> Figure:
    """A round figure, or an ellipse `depth` cm deep from front to back."""
    half = radius if depth is None else depth / 2
    facing = math.radians(facing_deg)
    c, s = math.cos(facing), math.sin(facing)
    outline = []
    for step in range(24):
        a, b = half * math.cos(step * math.pi / 12), radius * math.sin(step * math.pi / 12)
        outline.append((x + c * a - s * b, y + s * a + c * b))
    return Figure(name, x, y, facing, tuple(outline), (sd**2, 0.0, sd**2), 0.0, 0.0)


def roster(
    count: int = 3,
    sheets: Mapping[str, Mapping[str, int]] | None = None,
    teams: Mapping[str, str] | None = None,
) -> Roster:
    """Fighters A, B, C... each with a player of its own and the same hand."""
    names = "ABCDEFGHIJ"[:count]
    entrants = tuple(
        Entrant(
            one,
            f"Luchador {one}",
            one.lower(),
            HAND,
            "humanoid",
            (sheets or {}).get(one, SHEET),
            (teams or {}).get(one),
        )
        for one in names
    )
    return Roster(entrants, RING)


def begun(match: Match[MatchState], figures: Mapping[str, Figure]) -> Match[MatchState]:
    """Answer the set-up with these figures, so that the first turn's snapshot is asked next."""
    while match.request is not None and match.request.step.startswith("SETUP"):
        match.answer(dict(figures), "camera")
    return match


def random_answer(match: Match[Any], rng: random.Random) -> Any:
    """Something the open request accepts, whatever rulebook asks it."""
    request = match.request
    assert request is not None
    if request.kind in ("choose", "ruling"):
        legal = [option.id for option in request.options if option.legal]
        if "time_up" in legal and rng.random() < 0.9:
            return "play_on"
        return rng.choice(legal)
    if request.kind == "roll":
        return [rng.randint(1, pool.faces) for pool in request.dice for _ in range(pool.count)]
    if request.kind == "place":
        return request.proposal or match.scene.figures.get(request.fighter or "")
    return _random_view(match, request, rng)


def _random_view(match: Match[Any], request: Request, rng: random.Random) -> dict[str, Figure]:
    figures = match.scene.figures
    if not figures:
        names = [entrant.id for entrant in match.log.header.roster.entrants]
        # Near enough to each other that things happen, however many there are.
        far = 14.0 if len(names) < 7 else 28.0
        return {
            name: figure(name, rng.uniform(-far, far), rng.uniform(-far, far), rng.uniform(0, 360), sd=0.1)
            for name in names
        }
    if request.fighter is None or request.fighter not in figures:
        return dict(figures)
    old = figures[request.fighter]
    turn = rng.choice([0.0, 0.0, rng.uniform(-180, 180)])
    new = figure(
        old.id,
        old.x + rng.uniform(-14, 14),
        old.y + rng.uniform(-14, 14),
        math.degrees(old.facing) + turn,
        sd=0.1,
    )
    return {old.id: replace(new, posture=old.posture)}


def play(seed: int, count: int = 3, answers: int = 400, **settings: Any) -> Match[MatchState]:
    """A random match of so many answers at most; sheets are strong so that things happen."""
    rng = random.Random(seed)
    sheets = dict.fromkeys("ACE", STRONG)
    match = Match(CURRENT, roster(count, sheets), **settings)
    for _ in range(answers):
        if match.request is None:
            break
        match.answer(random_answer(match, rng), rng.choice(["referee", "player", "camera", "dice"]))
    return match
