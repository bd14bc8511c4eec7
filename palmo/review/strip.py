"""The verdict as a ruler: palms as ticks, the limit as a post, the length and its 95 % interval as a bar.

One drawing for both kinds of report: plain shapes in a box 100 wide, y down.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from overlay.i18n import number
from overlay.review.desk import Verdict

WIDTH, HEIGHT, BASE = 100.0, 12.5, 6.5
_LEFT, _RIGHT = 3.0, 97.0
TONES = {"legal": "#0b7f5b", "illegal": "#c93a0a", "doubt": "#a87900"}
INK, GREY = "#10162a", "#6b7488"
# The keys of sentences about a length in another unit end so.
SUFFIX = {"palms": "", "cm": ".cm"}
# With more palms than this only some ticks bear a number.
_MOST_NUMBERS = 12


@dataclass(frozen=True)
class Stroke:
    """A line from one point to another."""

    x1: float
    y1: float
    x2: float
    y2: float
    width: float
    colour: str


@dataclass(frozen=True)
class Box:
    """A rectangle with an edge; its filling lets half of the light through."""

    x: float
    y: float
    width: float
    height: float
    colour: str


@dataclass(frozen=True)
class Label:
    """Words centred on x, their baseline at y."""

    x: float
    y: float
    size: float
    text: str
    colour: str
    bold: bool = False


Part = Stroke | Box | Label


def strip(verdict: Verdict, lang: str, limit_label: str) -> list[Part]:
    """The parts of the ruler, in drawing order."""
    low, high = verdict.interval
    limit = verdict.limit
    end = max(1, math.ceil(max(high, limit or 0.0) + 0.1))
    colour = TONES.get(verdict.tone, INK)

    def x(palms: float) -> float:
        return _LEFT + (_RIGHT - _LEFT) * palms / end

    parts: list[Part] = [Stroke(_LEFT, BASE, _RIGHT, BASE, 0.3, GREY)]
    every = math.ceil(end / _MOST_NUMBERS)
    for palm in range(end + 1):
        parts.append(Stroke(x(palm), BASE - 1.2, x(palm), BASE + 1.2, 0.3, GREY))
        if palm % every == 0:
            parts.append(Label(x(palm), BASE + 4.4, 2.5, number(float(palm), 0, lang), INK))
    parts.append(Stroke(x(0), BASE, x(verdict.palms), BASE, 1.3, colour))
    parts.append(Box(x(low), BASE - 2.2, max(x(high) - x(low), 0.4), 4.4, colour))
    if limit is not None:
        parts.append(Stroke(x(limit), 2.8, x(limit), BASE + 2.2, 0.7, INK))
        parts.append(Label(min(max(x(limit), 14.0), 86.0), 2.2, 2.3, limit_label, INK, bold=True))
    return parts
