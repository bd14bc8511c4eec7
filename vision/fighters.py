"""What the camera is told of a fighter before the match."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from calibration.sentences import Said

# A tap on the feet: where a hand with a mouse or a finger puts it, in px.
TAP_SD_PX = 1.5
FighterClass: TypeAlias = Literal["humanoid", "beast", "absurd"]


@dataclass(frozen=True)
class FighterSpec:
    """A fighter as taught: a box of its colour (u, v, w, h in px) or a colour "#rrggbb", its height.

    `foot_px` is the middle of its feet on the first frame, when somebody tapped it; `kind` its class, from
    which its build is guessed, or None when nobody said. What was told is as sure as its standard deviation
    says: the tap in px (a mouse or a finger), the height as by a ruler held beside plasticine, the facing at
    the first frame as a person judges it at the table.
    """

    id: str
    height_cm: float
    facing_deg: float
    colour_box_px: tuple[float, float, float, float] | None = None
    colour: str | None = None
    foot_px: tuple[float, float] | None = None
    kind: FighterClass | None = None
    foot_sd_px: float = TAP_SD_PX
    height_sd_cm: float = 0.2
    facing_sd_deg: float = 3.0


def about(fighter: str, what: Said) -> Said:
    """A sentence about a fighter, which it names in front."""
    return Said("error.about", "fighter {fighter}: {what}", fighter=fighter, what=what)
