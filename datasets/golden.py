"""The golden matches: one of each mode, told as referees would play it, written down as logs.

`python -m datasets.golden MODE` writes tests/scenarios/golden_MODE.jsonl from the story below. A log that is
there is never written again without need: it has to replay for ever.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from palmo.play.layout import put, standing
from rules.engine.match import Match
from rules.engine.request import Request
from rules.geometry import gap
from rules.roster import Entrant, Roster
from rules.scene import Figure, Hand, Ring
from rules.smackkatz.book import CURRENT

FOLDER = Path(__file__).resolve().parents[1] / "tests" / "scenarios"
ABILITIES = CURRENT.rules.form.abilities


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

    def __init__(self, mode: str, story: Story) -> None:
        entrants = tuple(
            Entrant(one, name, f"player {number}", Hand(18.0 + number, 8.0 + number / 2), kind,
                    dict(zip(ABILITIES, map(int, scores), strict=True)) | {"finisher": "Palmazo"},
                    story.teams.get(one))
            for number, (one, (name, kind, scores)) in enumerate(story.sheets.items())
        )  # fmt: skip
        roster = Roster(entrants, Ring(70.0, 70.0))
        self.match: Match[Any] = Match(CURRENT, roster, mode=mode, rulings=story.rulings)
        self._story = story
        self._dice = iter(story.dice.replace(" ", ""))
        self._slot: tuple[int, str] = (0, "")
        self._left: list[str] = []
        self._goal = ""
        self._rested = 0

    def tell(self) -> Match[Any]:
        """To the end."""
        while (request := self.match.request) is not None:
            match request.kind:
                case "observe":
                    self.match.answer(self._seen(request), "camera")
                case "place":
                    self.match.answer(request.proposal, "camera")
                case "roll":
                    self.match.answer(list(self._thrown(request)), "dice")
                case "ruling":
                    self.match.answer(self._chosen(request), "referee")
                case "choose":
                    self.match.answer(self._chosen(request), "player")
        return self.match

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


SANTO, DEMON, NANDU, CAOS = (
    ("El Santo", "humanoid", "2222232113"),
    ("Blue Demon", "humanoid", "2232123212"),
    ("Ñandú", "beast", "2321231114"),
    ("Caos", "absurd", "3221222222"),
)
CORNERS = {
    "F1": (-20.0, 0.0, 0.0),
    "F2": (20.0, 0.0, 180.0),
    "F3": (0.0, 22.0, 270.0),
    "F4": (0.0, -22.0, 90.0),
}
DICE = (
    "64253 16435 26154 33641 52634 61425 36512 45263 14652 36145 62341 55263 41362 54163 24516 63254 16345 "
    "26413 55264 31624 53641 26354 14625 36251 44136 52463 15246 33615 42653 61425 36142 55362 41635 24163 "
    "52461 36254 13646 25314 64253 16524 36415 22563 41654 33216 54263 15364 26415 36254 11635 42563 64152 "
    "36245 51364 26153 44625 31562 64352 15246 33614 52643 16425 36125 45263 14653 26341 55264 31642 53165 "
) * 3  # fmt: skip

HOT = (
    "65416 56264 16553 64625 46156 65364 25646 63156 46564 56216 65643 16564 36546 52664 65164 46356 56624 "
    "61546 45663 26516 64655 36461 56246 65534 16646 54265 66451 36564 25646 61654 46536 56261 64556 36645 "
    "46612 55646 63516 46265 65416 56634 26545 16466 53664 65126 46556 36461 62546 56364 46156 65524 16663 "
) * 3  # fmt: skip

STORIES: Mapping[str, Story] = {
    "wrestling_match": Story(
        {"F1": SANTO, "F2": DEMON},
        CORNERS,
        {
            "F1": {
                1: "near:F2 strike:F2",
                5: "near:F2 suplex:F2 throw",
                9: "near:F2 finisher:strike strike:F2 hit_downed:F2 pin:F2",
            },
            "F2": {1: "near:F1 strike:F1", 4: "near:F1 whip:F1", 8: "near:F1 submission:F1 strike:F1 pin:F1"},
        },
        DICE,
        rests={6: "rest:F2"},
    ),
    "elimination": Story(
        {"F1": SANTO, "F2": DEMON, "F3": NANDU},
        CORNERS,
        {
            "F1": {
                1: "near:F2 strike:F2 pin:F2",
                7: "enter_ring get_up near:F3 strike:F3 pin:F3 near:F2 strike:F2 pin:F2",
            },
            "F2": {
                1: "near:F1 suplex:F1 throw pin:F1",
                8: "enter_ring get_up near:F3 suplex:F3 throw pin:F3 near:F1 strike:F1 pin:F1",
            },
            "F3": {
                1: "near:F1 charge:F1 whip:F1",
                6: "enter_ring get_up near:F2 charge:F2 strike:F2 pin:F2 near:F1 strike:F1 pin:F1",
            },
        },
        HOT,
        rests={9: "rest:F1"},
    ),
    "iron_man": Story(
        {"F1": DEMON, "F2": CAOS},
        CORNERS,
        {
            "F1": {1: "near:F2 submission:F2", 14: "near:F2 suplex:F2 throw", 20: "near:F2 strike:F2"},
            "F2": {1: "near:F1 strike:F1", 12: "near:F1 whip:F1", 18: "near:F1 strike:F1 pin:F1"},
        },
        HOT,
        rests={5: "taunt:F2"},
        said={"ask.defend": "decline", "ask.defend_technique": "decline", "ask.finisher": "decline"},
        whistle=25,
    ),
    "last_man_standing": Story(
        {"F1": SANTO, "F2": NANDU},
        CORNERS,
        {
            "F1": {
                1: "near:F2 strike:F2 hit_downed:F2",
                6: "enter_ring get_up near:F2 suplex:F2 throw hit_downed:F2",
            },
            "F2": {
                1: "near:F1 charge:F1 strike:F1 hit_downed:F1",
                5: "enter_ring get_up near:F1 strike:F1 hit_downed:F1",
            },
        },
        HOT,
        said={"ask.defend": "decline", "ask.finisher": "decline"},
    ),
    "survivor_series": Story(
        {"F1": SANTO, "F2": DEMON, "F3": NANDU, "F4": CAOS},
        CORNERS,
        {
            "F1": {
                1: "near:F3 strike:F3 pin:F3",
                8: "enter_ring get_up near:F4 strike:F4 pin:F4 near:F3 strike:F3 pin:F3",
            },
            "F2": {
                1: "near:F4 suplex:F4 throw pin:F4",
                9: "enter_ring get_up near:F3 strike:F3 pin:F3 near:F4 strike:F4 pin:F4",
            },
            "F3": {
                1: "near:F1 charge:F1 strike:F1 pin:F1",
                9: "enter_ring get_up near:F2 strike:F2 pin:F2 near:F1 strike:F1",
            },
            "F4": {
                1: "near:F2 submission:F2 strike:F2 pin:F2",
                9: "enter_ring get_up near:F1 whip:F1 pin:F1 near:F2 strike:F2",
            },
        },
        DICE,
        teams={"F1": "red", "F2": "red", "F3": "blue", "F4": "blue"},
        rulings={"participant_cap": "always_8"},
        rests={10: "rest:F2"},
    ),
    "katz_rumble": Story(
        {"F1": SANTO, "F2": DEMON, "F3": NANDU, "F4": CAOS},
        {
            "F1": (20.0, 20.0, 0.0),
            "F2": (30.0, 20.0, 180.0),
            "F3": (30.0, -20.0, 180.0),
            "F4": (20.0, -20.0, 0.0),
        },
        {
            "F1": {1: "near:F2 whip:F2", 6: "near:F4 whip:F4 near:F2 whip:F2 near:F3 whip:F3"},
            "F2": {1: "near:F1 suplex:F1 throw", 6: "near:F3 whip:F3 near:F4 whip:F4 near:F1 whip:F1"},
            "F3": {1: "near:F4 charge:F4 whip:F4", 6: "near:F4 whip:F4 near:F1 whip:F1 near:F2 whip:F2"},
            "F4": {1: "near:F3 whip:F3", 6: "near:F2 whip:F2 near:F1 whip:F1 near:F3 whip:F3"},
        },
        DICE,
        rulings={"participant_cap": "always_8"},
        said={"ask.at_the_ropes": "ringside", "ask.aim": "ropes:right", "ask.defend_technique": "decline"},
    ),
}


def main() -> None:
    """Write the logs of the modes named."""
    for mode in sys.argv[1:]:
        match = Telling(mode, STORIES[mode]).tell()
        path = FOLDER / f"golden_{mode}.jsonl"
        path.write_text("".join(f"{line}\n" for line in match.log_lines()), encoding="utf-8")
        print(mode, match.state.turn, len(match.log.entries), match.outcome)


if __name__ == "__main__":
    main()
