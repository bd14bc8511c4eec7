"""A feed for tests: a small real table with a painted picture, and a match of three questions."""

from __future__ import annotations

import threading
from typing import Any

import cv2
import numpy as np

from overlay.board import Board
from overlay.feed import HistoryLine, Notice, Panel, Refused
from overlay.picture import draw
from rules.annotations import Annotation, Region, RingEdge
from rules.engine.overrule import Correction
from rules.engine.request import Modifier, Option, Pool, Reason, Request
from rules.smackkatz.book import CURRENT
from rules.smackkatz.lookup import Lookup, look_up
from rules.text import Text
from tests.overlay.table import CORNERS, camera, everything, picture

NAMES = {"F1": "Ñandú", "F2": "Coco", "ana": "Ana"}
WORD = Text("status.knocked_down")


def too_far() -> Reason:
    return Reason("too_far", Text("length.cm", {"length": 31.5, "error": 0.4}), "TURN-04")


class TestFeed:
    """Three requests in turn: choose, roll two dice, observe. Remembers every act."""

    __test__ = False

    def __init__(self, size: tuple[int, int] = (640, 360)) -> None:
        self.board = Board()
        self.camera = camera(size)
        self.acts: list[tuple[str, Any]] = []
        self.turn = 0
        self.sighting: Text | None = None
        self.notices = [Notice(Text("status.lying"), "doubt")]
        self.corrections: list[Correction] = []
        self._lock = threading.Lock()
        self._frame = 0

    def show(self, annotations: list[Annotation] | None = None, image: Any = None) -> None:
        """Post the next frame: a plain table whose mat is painted where the camera sees it."""
        image = self.table() if image is None else image
        drawn = everything() if annotations is None else annotations
        self.board.post(self._frame, 0.1 * self._frame, image, tuple(drawn), self.camera, NAMES)
        self._frame += 1

    def table(self) -> Any:
        image = picture(self.camera.size)
        mat = self.camera.project(np.array([(*corner, 0.0) for corner in CORNERS]))
        cv2.fillPoly(image, [np.rint(mat).astype(np.int32)], (205, 205, 200), cv2.LINE_AA)
        return image

    def requests(self) -> list[Request]:
        options = (
            Option("move", Text("dice.pool", {"n": 2, "faces": 6}), rules=("MOVE-02",)),
            Option("strike", Text("status.unconscious"), (too_far(),), rules=("STRIKE-01",)),
            Option("pass", Text("status.lying")),
        )
        pools = (
            Pool(
                "F1", 1, 6, "strike", 4, (Modifier(Text("dice.pool", {"n": 1, "faces": 6}), 1, "STRIKE-02"),)
            ),
            Pool("F2", 1, 10),
        )
        return [
            Request(
                "choose",
                "activation",
                "ana",
                Text("status.knocked_down"),
                fighter="F1",
                options=options,
                rules=("TURN-01",),
            ),
            Request(
                "roll",
                "strike",
                "F1",
                Text("status.unconscious"),
                fighter="F1",
                dice=pools,
                rules=("STRIKE-02",),
            ),
            Request("observe", "snapshot", "referee", Text("status.lying")),
        ]

    def panel(self) -> Panel:
        requests = self.requests()
        return Panel(
            self.turn,
            requests[self.turn] if self.turn < len(requests) else None,
            outcome=None if self.turn < len(requests) else Text("status.knocked_down"),
            sighting=self.sighting,
            undo=Text("status.knocked_down") if self.turn else None,
            history=[HistoryLine(WORD, "player", ("TURN-01",)) for _ in range(self.turn)],
            notices=self.notices,
            corrections=self.corrections,
            fighters=("F1", "F2"),
            names=NAMES,
        )

    def explain(self, fighter: str) -> tuple[Option, ...]:
        if fighter not in NAMES:
            raise Refused(Reason("no_fighter", Text("live.no_fighter", {"fighter": fighter}), ""))
        legal = Option(f"move:{fighter}", Text("status.lying"))
        return Option("strike:F2", Text("status.unconscious"), (too_far(), too_far())), legal

    def rule(self, rule: str) -> Lookup:
        agreed = CURRENT.catalogue.resolve({"three_criticals": "wound_only"})
        return look_up(rule, CURRENT.catalogue, CURRENT.edition, agreed)

    def answer(self, turn: int, value: Any) -> None:
        if value == "strike":
            raise Refused(too_far())
        self._act("answer", turn, value)

    def roll(self, turn: int) -> None:
        self._act("roll", turn, None)

    def look(self, turn: int) -> None:
        self._act("look", turn, None)

    def undo(self, turn: int) -> None:
        self._act("undo", turn, None, -1)

    def redo(self, turn: int) -> None:
        self._act("redo", turn, None)

    def _act(self, name: str, turn: int, value: Any, step: int = 1) -> None:
        with self._lock:
            if turn != self.turn:
                raise Refused(Reason("stale", Text("status.unconscious"), ""))
            self.turn += step
            self.acts.append((name, value))
        self.board.panel_changed()


def painted(feed: TestFeed, lang: str) -> Any:
    """The feed's newest snapshot as the picture renderer draws it."""
    snapshot = feed.board.snapshot
    assert snapshot is not None
    return draw(snapshot.image, snapshot.annotations, snapshot.camera, lang)


def plain_region() -> list[Annotation]:
    """A ring and one legal region, for looking at colours."""
    return [RingEdge(CORNERS), Region(((-20.0, -10.0), (10.0, -10.0), (10.0, 20.0), (-20.0, 20.0)))]
