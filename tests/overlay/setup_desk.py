"""A set-up for tests of its pages: answers at once and remembers what it was asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from overlay.setup.desk import (
    Agreed,
    HandKind,
    HandView,
    Laid,
    NotSo,
    Offer,
    Offered,
    Person,
    Point,
    Points,
    Proposal,
    Rating,
    RingCheck,
    SheetForm,
    Sizes,
    Step,
    StickCheck,
    Wrestler,
)
from rules.smackkatz.lookup import HouseRule
from rules.text import Text

CORNERS = [(300.0, 100.0), (900.0, 100.0), (1000.0, 600.0), (200.0, 600.0)]
TOPS = [(280.0, 60.0), (920.0, 60.0), (1030.0, 540.0), (170.0, 540.0)]


class Desk:
    """All desks in one."""

    def __init__(self, steps: Sequence[Step] = ("ring",)) -> None:
        self.steps = steps
        self.image = np.full((720, 1280, 3), 120, np.uint8)
        self.refusal: Text | None = None
        self.known: tuple[Points, Points] = ((), ())
        self.checked: list[tuple[Points, Points]] = []
        self.sticks: list[tuple[Points, float]] = []
        self.saved: list[tuple[Points, Points]] = []
        self.given_sizes = Sizes(70.0, 70.0, 16.0)
        self.persons: list[Person] = []
        self.wrestlers: list[Wrestler] = []
        self.pointed: list[tuple[str, tuple[float, ...], Point, Point]] = []
        self.laid: list[Laid] = []
        self.looked = 0
        self.begun = False
        self.is_agreed = Agreed("current", "wrestling_match")
        self.house: dict[str, object] = {}

    rules = property(lambda self: self)
    ring = property(lambda self: self)
    people = property(lambda self: self)
    pointing = property(lambda self: self)
    hands = property(lambda self: self)

    def clicks(self) -> tuple[Points, Points]:
        return self.known

    def propose(self) -> tuple[Points, Points]:
        return CORNERS, TOPS

    def check(self, corners: Points, tops: Points) -> RingCheck:
        self.checked.append((corners, tops))
        if corners[0][0] < 10:
            raise NotSo(Text("server.body"))
        return RingCheck(
            [Text("setup.page", {"address": "x"}), Text("ring.saved", {"path": "y"})], "good", [CORNERS]
        )

    def stick(self, corners: Points, tops: Points, ends: Points, length_cm: float) -> StickCheck:
        self.sticks.append((ends, length_cm))
        return StickCheck(Text("ring.saved", {"path": "stick"}), "usable")

    def save(self, corners: Points, tops: Points) -> Text:
        self.saved.append((corners, tops))
        return Text("ring.saved", {"path": "event.toml"})

    def sizes(self) -> Sizes:
        return self.given_sizes

    def put_sizes(self, sizes: Sizes) -> None:
        self.given_sizes = sizes

    def players(self) -> Sequence[Person]:
        return self.persons

    def fighters(self) -> Sequence[Wrestler]:
        return self.wrestlers

    def put_player(self, player: Person) -> None:
        self.persons = [one for one in self.persons if one.id != player.id] + [player]

    def drop_player(self, player: str) -> None:
        if any(one.player == player for one in self.wrestlers):
            raise NotSo(Text("setup.has_fighters", {"player": player}))
        self.persons = [one for one in self.persons if one.id != player]

    def put_fighter(self, fighter: Wrestler) -> None:
        named = replace(fighter, id=fighter.id or f"F{len(self.wrestlers) + 1}")
        self.wrestlers = [one for one in self.wrestlers if one.id != named.id] + [named]

    def drop_fighter(self, fighter: str) -> None:
        self.wrestlers = [one for one in self.wrestlers if one.id != fighter]

    def sheet_form(self) -> SheetForm:
        main, fighting = (
            [Offer(name, Text(f"ability.{name}")) for name in names.split()]
            for names in (
                "combat speed strength technique resistance",
                "strike irish_whip suplex submission counter",
            )
        )
        return SheetForm(main, fighting, 4, [("on_ropes", Text("trigger.on_ropes"))])

    def agreed(self) -> Agreed:
        return self.is_agreed

    def offered(self) -> Offered:
        count = self.house.get("count_out_limit", 4)
        gap = self.house.get("rope_gap_cm", 2.0)
        return Offered(
            [Offer(name, Text(f"edition.{name}")) for name in ("current", "earlier")],
            [Offer(name, Text(f"mode.{name}")) for name in ("wrestling_match", "elimination")],
            [Offer(name, Text(f"modifier.{name}")) for name in ("no_dq", "tag")],
            [
                HouseRule("count_out_limit", 4, count, (4, 5), ("RULING-92",)),
                HouseRule("rope_gap_cm", 2.0, gap, (2.0,), ("RULING-33",), 0.1, 10),
            ],
            [Proposal("PROP-07", self.house.get("PROP-07") is True)],
        )

    def agree(self, agreed: Agreed) -> None:
        if agreed.mode == "elimination" and "no_dq" in agreed.modifiers:
            raise NotSo(Text("setup.no_ring"))
        self.is_agreed = agreed

    def rule(self, name: str, value: object) -> None:
        self.house[name] = value
        if value is None:
            del self.house[name]

    def point(self, fighter: str, box: Sequence[float], foot: Point, nose: Point) -> None:
        whole = (box[0], box[1], box[2], box[3])
        self.pointed.append((fighter, whole, foot, nose))
        self.wrestlers = [
            replace(one, box=whole, foot=foot, nose=nose) if one.id == fighter else one
            for one in self.wrestlers
        ]

    def rate(self) -> Rating:
        lines = [Text("ring.saved", {"path": "pair"}), Text("ring.saved", {"path": "rated"})]
        return Rating(lines, "close", lambda lang: self.image)

    def look(self) -> None:
        self.looked += 1

    def view(self, player: str, kind: HandKind) -> HandView:
        return HandView(self.laid, [Text("ring.saved", {"path": f"{player} {kind}"})], "usable")

    def lay(self, player: str, kind: HandKind, ends: Points | None) -> HandView:
        by = Text("palm.by.marks" if ends is None else "palm.by.tips")
        self.laid.append(Laid(ends or CORNERS[:2], 20.0, 0.2, by))
        return self.view(player, kind)

    def lift(self, player: str, kind: HandKind, number: int) -> HandView:
        self.laid.pop(number)
        return self.view(player, kind)

    def missing(self) -> Sequence[Text]:
        return [] if self.pointed else [Text("setup.nobody_pointed")]

    def begin(self) -> None:
        self.begun = True
