"""A table nobody stands at: figures moved and put where a simulated match wants them."""

from __future__ import annotations

import math
import random
from typing import Any

from palmo.play.layout import put, standing, starting_figures
from rules.engine.match import Match
from rules.engine.request import Request
from rules.geometry import gap
from rules.scene import Figure

NEAR_CM = 1.0
"""How near somebody who wants to fight comes to his rival."""
_TRIES = 6
_STRAY_CM = 25.0
"""How far from where he was aimed somebody thrown may come down."""


class Tabletop:
    """Makes up what a camera would see. `eager` movers walk up to a rival, others wherever chance takes them.

    A move asked for again is made shorter every time, so that a table always comes to rest.
    """

    def __init__(self, rng: random.Random, eager: bool) -> None:
        self._rng = rng
        self._eager = eager
        self._asked: tuple[str, str | None, int] | None = None
        self._tries = 0

    def view(self, match: Match[Any], request: Request) -> dict[str, Figure]:
        """What is seen when the table is observed."""
        figures = dict(match.scene.figures)
        if not figures:
            return starting_figures(match)
        mover = figures.get(request.fighter or "")
        if request.proposal is not None and mover is not None:
            return figures | {mover.id: self._fallen(match, request.proposal)}
        if mover is None or "speed" not in request.text.values:
            return figures
        # Everybody is seen, whoever moves.
        return figures | {mover.id: self._moved(match, request, mover)}

    def placed(self, match: Match[Any], request: Request) -> Figure:
        """Where a figure is put that the rules want somewhere: on its silhouette, else where it stands."""
        if request.proposal is not None:
            return request.proposal
        fighter = request.fighter or ""
        return match.scene.figures.get(fighter) or standing(fighter, 0.0, 0.0, 0.0)

    # ---- inside

    def _fallen(self, match: Match[Any], proposed: Figure) -> Figure:
        """Somebody thrown comes down where he was aimed; often somebody else stands just there."""
        near = [
            other
            for name, other in match.scene.figures.items()
            if name != proposed.id and math.dist((other.x, other.y), (proposed.x, proposed.y)) < _STRAY_CM
        ]
        if not near or self._rng.random() < 0.5:
            return proposed
        onto = self._rng.choice(near)
        return put(proposed, onto.x - 1.0, onto.y, proposed.facing)

    def _moved(self, match: Match[Any], request: Request, mover: Figure) -> Figure:
        asked = (request.step, request.fighter, int(getattr(match.state, "turn", 0)))
        self._tries = self._tries + 1 if asked == self._asked else 0
        self._asked = asked
        if self._tries >= _TRIES:
            return mover
        hand = match.log.header.roster[mover.id].hand
        speed = request.text.values["speed"]
        reach = hand.palm * speed if isinstance(speed, int) else 0.0
        reach *= 1 - self._tries / _TRIES
        rival = self._rival(match, mover)
        if rival is not None and (self._eager or self._rng.random() < 0.5):
            return _towards(mover, rival, reach, hand.half_palm)
        facing = mover.facing
        if self._rng.random() < 0.4:
            facing += self._rng.uniform(-math.pi, math.pi)
            reach = min(reach, hand.half_palm)
        return _walked(mover, facing, self._rng.uniform(0.0, reach))

    def _rival(self, match: Match[Any], mover: Figure) -> Figure | None:
        """The nearest of those still in the match who is of another team."""
        roster, wrestlers = match.log.header.roster, getattr(match.state, "wrestlers", {})
        team = roster[mover.id].team
        others = [
            figure
            for name, figure in match.scene.figures.items()
            if name != mover.id
            and getattr(wrestlers.get(name), "playing", True)
            and (team is None or roster[name].team != team)
        ]
        return min(others, key=lambda one: math.hypot(one.x - mover.x, one.y - mover.y), default=None)


def _towards(mover: Figure, rival: Figure, reach: float, half_palm: float) -> Figure:
    """The mover turned to his rival and walked up to him as far as he gets."""
    heading = math.atan2(rival.y - mover.y, rival.x - mover.x)
    turned = abs(math.remainder(heading - mover.facing, 2 * math.pi)) > math.radians(4)
    # The first point of Speed of a turn carries half a palm only.
    most = max(0.0, reach - half_palm) if turned else reach
    way = max(0.0, gap(mover, rival)[0].value - NEAR_CM)
    return _walked(mover, heading if turned else mover.facing, min(most, way))


def _walked(mover: Figure, facing: float, length: float) -> Figure:
    x, y = mover.x + length * math.cos(facing), mover.y + length * math.sin(facing)
    return put(mover, x, y, facing)
