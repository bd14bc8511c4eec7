"""What the camera is told of a fighter before the match."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from calibration.sentences import Said

FighterClass: TypeAlias = Literal["humanoid", "beast", "absurd"]


@dataclass(frozen=True)
class FighterSpec:
    """A fighter as taught: a box of its colour (u, v, w, h in px) or a colour "#rrggbb", its height.

    `foot_px` is the middle of its feet on the first frame, when somebody tapped it; `kind` its class, from
    which its build is guessed, or None when nobody said.
    """

    id: str
    height_cm: float
    facing_deg: float
    colour_box_px: tuple[float, float, float, float] | None = None
    colour: str | None = None
    foot_px: tuple[float, float] | None = None
    kind: FighterClass | None = None


def about(fighter: str, what: Said) -> Said:
    """A sentence about a fighter, which it names in front."""
    return Said("error.about", "fighter {fighter}: {what}", fighter=fighter, what=what)
