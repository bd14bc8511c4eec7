"""What the rules want drawn, in ring centimetres. Two renderers (picture and browser) draw the same.

`tone` is the meaning, never a colour: the renderers own the palette.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rules.scene import Point
from rules.text import Text

Tone = Literal["neutral", "legal", "illegal", "doubt", "active", "ghost"]
Card = Literal["red", "green", "yellow"]


@dataclass(frozen=True)
class RingEdge:
    """The edge of the mat: far-left, far-right, near-right, near-left (`Ring.corners`)."""

    corners: tuple[Point, ...]
    kind: Literal["ring"] = "ring"


@dataclass(frozen=True)
class Region:
    """An area of the mat, e.g. where a fighter may go: exterior ring and holes, closed implicitly."""

    exterior: tuple[Point, ...]
    holes: tuple[tuple[Point, ...], ...] = ()
    tone: Tone = "legal"
    label: Text | None = None
    kind: Literal["region"] = "region"


@dataclass(frozen=True)
class Ruler:
    """A measured path with a tick every `tick` cm (one palm of the mover's player)."""

    points: tuple[Point, ...]
    tick: float
    sd: float = 0.0
    tone: Tone = "neutral"
    label: Text | None = None
    kind: Literal["ruler"] = "ruler"


@dataclass(frozen=True)
class Arrow:
    """An arrow on the mat, e.g. a facing or the direction of a throw."""

    start: Point
    end: Point
    tone: Tone = "neutral"
    label: Text | None = None
    kind: Literal["arrow"] = "arrow"


@dataclass(frozen=True)
class Ghost:
    """Where a figure must be put: its outline at the landing spot."""

    figure: str
    outline: tuple[Point, ...]
    label: Text | None = None
    kind: Literal["ghost"] = "ghost"


@dataclass(frozen=True)
class FighterTag:
    """The label that hangs over a fighter: name, Stamina and its status cards.

    A `dimmed` label stands where the fighter was seen last; nothing is drawn on the mat for it.
    """

    figure: str
    anchor: Point
    name: str
    stamina: int | None = None
    cards: tuple[Card, ...] = ()
    statuses: tuple[Text, ...] = ()
    active: bool = False
    facing: float | None = None
    facing_assumed: bool = False
    height: float = 0.0
    outline: tuple[Point, ...] = ()
    tone: Tone = "neutral"
    dimmed: bool = False
    kind: Literal["fighter"] = "fighter"


@dataclass(frozen=True)
class Banner:
    """A sentence across the picture: a verdict, a warning, a question to the referee."""

    text: Text
    tone: Tone = "neutral"
    rules: tuple[str, ...] = ()
    kind: Literal["banner"] = "banner"


Annotation = RingEdge | Region | Ruler | Arrow | Ghost | FighterTag | Banner
