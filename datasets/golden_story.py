"""A story of a match, and its telling: a golden match as referees would play it, with every die that fell."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from palmo.play.layout import put, standing
from rules.engine.match import Match
from rules.engine.request import Request
from rules.geometry import gap, moved
from rules.roster import Entrant, Roster
from rules.scene import Figure, Hand, Ring
from rules.smackkatz.book import SmackKatz


@dataclass(frozen=True)
class Story:
    """Who wrestles, from where, what everybody is after from which turn on, and every die that fell."""

    sheets: Mapping[str, tuple[str, str, str]]
    """id -> name, class, ten scores."""
    start: Mapping[str, tuple[float, float, float]]
    """id -> x, y in cm and degrees."""
    plans: Mapping[str, Mapping[int, str]]
    """id -> from which turn on -> what he does in his slot, in this order, as far as it is allowed."""
    dice: str
    """In the order they fell; 0 is the ten of a ten-sided die."""
    rests: Mapping[int, str] = field(default_factory=dict)
    teams: Mapping[str, str] = field(default_factory=dict)
    rulings: Mapping[str, Any] = field(default_factory=dict)
    said: Mapping[str, str] = field(default_factory=dict)
    """Other questions -> the answer; else the first that is allowed."""
    whistle: int = 25
    """The turn at whose end an hour is over."""


class Telling:
    """A story being played."""

    def __init__(self, book: SmackKatz, mode: str, story: Story) -> None:
        abilities = book.rules.form.abilities
        entrants = tuple(
            Entrant(one, name, f"player {number}", Hand(18.0 + number, 8.0 + number / 2), kind,
                    dict(zip(abilities, map(int, scores), strict=True)) | {"finisher": "Palmazo"},
                    story.teams.get(one))
            for number, (one, (name, kind, scores)) in enumerate(story.sheets.items())
        )  # fmt: skip
        roster = Roster(entrants, Ring(70.0, 70.0))
        self.match: Match[Any] = Match(book, roster, mode=mode, rulings=story.rulings)
        self._story = story
        self._dice = iter(story.dice.replace(" ", ""))
        self._slot: tuple[int, str] = (0, "")
        self._left: list[str] = []
        self._goal = ""
        self._rested = 0
        self._crawled: tuple[float, float] | None = None

    def tell(self) -> Match[Any]:
        """To the end."""
        while (request := self.match.request) is not None:
            match request.kind:
                case "observe":
                    self.match.answer(self._seen(request), "camera")
                case "place":
                    self.match.answer(self._placed(request), "camera")
                case "roll":
                    self.match.answer(list(self._thrown(request)), "dice")
                case "ruling":
                    self.match.answer(self._chosen(request), "referee")
                case "choose":
                    clock = request.text.key == "ask.time"
                    self.match.answer(self._chosen(request), "clock" if clock else "player")
        return self.match

    def _placed(self, request: Request) -> Figure | None:
        """On the silhouette; whoever is dragged by a crawl goes as far as his rival, ropes or no ropes."""
        figure = request.proposal
        if figure is None or request.text.key != "ask.place_crawled":
            return figure
        was = self.match.scene.figures[figure.id]
        if self._crawled is None:
            self._crawled = figure.x - was.x, figure.y - was.y
            return figure
        (dx, dy), self._crawled = self._crawled, None
        return moved(was, was.x + dx, was.y + dy)

    def _thrown(self, request: Request) -> Iterator[int]:
        for pool in request.dice:
            for _ in range(pool.count):
                yield int(next(self._dice)) or 10

    def _seen(self, request: Request) -> dict[str, Figure]:
        figures = dict(self.match.scene.figures)
        if not figures:
            return {
                one: standing(one, x, y, math.radians(degrees))
                for one, (x, y, degrees) in self._story.start.items()
                if one in self._story.sheets
            }
        if request.text.key == "ask.move" and request.fighter is not None:
            figures[request.fighter] = self._walked(figures, request)
        return figures

    def _walked(self, figures: dict[str, Figure], request: Request) -> Figure:
        """Turned to whom he is after and up to a centimetre of him, as far as his Speed carries him."""
        mover, rival = figures[str(request.fighter)], figures[self._goal]
        hand = self.match.log.header.roster[mover.id].hand
        heading = math.atan2(rival.y - mover.y, rival.x - mover.x)
        speed = int(str(request.text.values["speed"]))
        reach = hand.half_palm + (speed - 1) * hand.palm
        far = max(0.0, min(reach - 0.5, gap(mover, rival)[0].value - 1.0))
        return put(mover, mover.x + far * math.cos(heading), mover.y + far * math.sin(heading), heading)

    def _chosen(self, request: Request) -> str:
        legal = [one.id for one in request.options if one.legal]
        turn = int(self.match.state.turn)
        if "D-01" in request.step:
            wish = self._story.rests.get(turn, "go_on") if self._rested < turn else "go_on"
            self._rested = turn
            return wish if wish in legal else "go_on"
        if request.text.key == "ask.time":
            return "time_up" if turn >= self._story.whistle else "play_on"
        if "D-04" in request.step and request.fighter is not None:
            return self._acting(request.fighter, turn, legal)
        said = self._story.said.get(request.text.key, "")
        return said if said in legal else legal[0]

    def _acting(self, fighter: str, turn: int, legal: list[str]) -> str:
        if self._slot != (turn, fighter):
            self._slot = (turn, fighter)
            plans = self._story.plans[fighter]
            self._left = plans[max(start for start in plans if start <= turn)].split()
        while self._left:
            wish = self._left.pop(0)
            if wish.startswith("near:"):
                self._goal = wish.removeprefix("near:")
                if "move" in legal:
                    return "move"
            elif wish in legal:
                return wish
        return next(one for one in ("pass", "keep_hoisting", *legal) if one in legal)
