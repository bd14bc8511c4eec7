"""What the review's pages need from whoever opened a match folder: frames, tracks, measurements, rulings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera
from rules.annotations import Annotation, Tone
from rules.text import Text

Decision = Literal["stands", "again", "open"]
"""What the referee ruled: the move stands, it is made again, or the question stays open."""
Kind = Literal["html", "pdf"]


@dataclass(frozen=True)
class Person:
    """A fighter (its player's id and its colour "#rrggbb" or "") or a player (palm in cm)."""

    id: str
    name: str
    player: str = ""
    colour: str = ""
    palm_cm: float = 0.0


@dataclass(frozen=True)
class Span:
    """Frames `first` to `last` in which a fighter was in one state; a fragment has a number."""

    state: str
    first: int
    last: int
    fragment: int | None
    assumed: bool


@dataclass(frozen=True)
class MomentLine:
    """A moment worth looking at, and the frames suggested for measuring it."""

    kind: str
    tone: Tone
    frame: int
    t: float
    fighter: str | None
    text: Text
    before: int | None
    after: int | None


@dataclass(frozen=True)
class PointLine:
    """A foot point put by hand: where (pixels), in which frame, for whom, by whom."""

    point: int
    fighter: str
    frame: int
    fragment: int | None
    px: tuple[float, float]
    by: str


@dataclass(frozen=True)
class Asked:
    """Whose move, from which frame to which, in whose palms (None: its own player's), how many allowed.

    With `other` the gap between the two in the frame `after` is asked for instead.
    """

    fighter: str
    before: int
    after: int
    player: str | None = None
    allow: float | None = None
    other: str | None = None


@dataclass(frozen=True)
class Verdict:
    """A measured move: the headline number, the verdict, everything in sentences, the rules behind it.

    `foot` are the pixels of the ground point before and after. `interval` is the 95 % interval in palms.
    `limit` are the palms allowed; None where a turn or a step back makes it no plain length. Of a gap all
    these are centimetres (`unit`), and `foot` are the ground points of the two.
    """

    verdict: str
    tone: Tone
    palms: float
    error: float
    interval: tuple[float, float]
    limit: float | None
    sentence: Text
    lines: Sequence[Text]
    rules: Sequence[str]
    foot: tuple[tuple[float, float], tuple[float, float]]
    unit: Literal["palms", "cm"] = "palms"


@dataclass(frozen=True)
class RulingLine:
    """A ruling that was saved."""

    number: int
    decision: Decision
    words: str
    by: str
    asked: Asked


@dataclass(frozen=True)
class Opened:
    """Everything about a session that does not change while it is reviewed; times in seconds by frame.

    `session` is its number, `sessions` those there are: one for each start and each calibration of a match.
    """

    title: str
    size: tuple[int, int]
    times: Sequence[float]
    fighters: Sequence[Person]
    players: Sequence[Person]
    spans: Mapping[str, Sequence[Span]]
    moments: Sequence[MomentLine]
    remarks: Sequence[Text]
    camera_sha256: str
    session: int
    sessions: Sequence[int]


class Refused(ValueError):
    """Something that cannot be done; `text` says what to do instead."""

    def __init__(self, text: Text) -> None:
        self.text = text
        super().__init__(text.key)


class Desk(Protocol):
    """A match folder under review. Every method may be called from any thread; all may raise Refused."""

    @property
    def opened(self) -> Opened:
        """What is under review."""
        ...

    @property
    def camera(self) -> Camera:
        """The camera the pictures were taken with."""
        ...

    @property
    def names(self) -> Mapping[str, str]:
        """The names behind the ids that sentences speak of."""
        ...

    @property
    def colours(self) -> Mapping[str, str]:
        """The fighters' colours by id."""
        ...

    def picture(self, frame: int) -> NDArray[np.uint8]:
        """The picture (H, W, 3) BGR of a frame."""
        ...

    def drawn(self, frame: int, asked: Asked | None) -> tuple[Annotation, ...]:
        """What is drawn over a frame, with the measured move when one is asked for."""
        ...

    def measure(self, asked: Asked) -> Verdict:
        """Measure a move."""
        ...

    def points(self) -> Sequence[PointLine]:
        """The foot points put by hand that hold."""
        ...

    def put_point(self, fighter: str, frame: int, px: tuple[float, float], by: str) -> None:
        """Put a fighter's foot point in a frame by hand."""
        ...

    def withdraw_point(self, point: int, by: str) -> None:
        """Let a point put by hand no longer hold."""
        ...

    def rulings(self) -> Sequence[RulingLine]:
        """The rulings saved so far."""
        ...

    def rule(self, asked: Asked, decision: Decision, words: str, by: str) -> int:
        """Save a ruling with its evidence; returns its number."""
        ...

    def report(self, number: int, kind: Kind, lang: str) -> bytes:
        """The report of a ruling."""
        ...
