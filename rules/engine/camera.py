"""What a match makes of what the camera sees by itself: for each kind of detection one policy."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from rules.geometry import turn_between
from rules.scene import Figure

DetectionKind = Literal["move", "placement", "posture", "zone", "dice"]
Policy = Literal["accept", "propose", "log", "ignore"]
"""accept: it is answered at once; propose: the referee confirms; log: it is told; ignore: nothing."""
SAME_CM = 0.5
"""A figure seen again within this much of its place..."""
SAME_RAD = math.radians(5.0)
"""... and of its facing is the same detection."""


@dataclass(frozen=True)
class CameraPolicy:
    """A policy for every kind of detection.

    A `move` is what the open request asks for the mover, a `placement` a figure put where the rules wanted
    it; `posture` and `zone` contradict what the match knows of a wrestler; `dice` are faces that were read.
    """

    move: Policy = "propose"
    placement: Policy = "propose"
    posture: Policy = "propose"
    zone: Policy = "log"
    dice: Policy = "propose"

    def of(self, kind: DetectionKind) -> Policy:
        """The policy for a kind."""
        found: Policy = getattr(self, kind)
        return found


@dataclass(frozen=True)
class Detection:
    """One thing the camera saw, at `t` seconds.

    `value` by kind: for a move all figures of the table, for a placement the figure, for posture and zone the
    word the rulebook's correction of that name takes, for dice the faces in the order of the open request.
    """

    kind: DetectionKind
    fighter: str | None
    value: Any
    t: float = 0.0

    def repeats(self, other: Detection) -> bool:
        """Whether this is the same thing seen again."""
        if (self.kind, self.fighter) != (other.kind, other.fighter):
            return False
        mine, theirs = self._figure(), other._figure()
        if mine is None or theirs is None:
            return bool(self.value == other.value)
        near = math.hypot(mine.x - theirs.x, mine.y - theirs.y) <= SAME_CM
        return near and abs(turn_between(mine.facing, theirs.facing)) <= SAME_RAD

    def _figure(self) -> Figure | None:
        """Whoever moved or was placed."""
        if isinstance(self.value, Figure):
            return self.value
        figure = self.value.get(self.fighter) if isinstance(self.value, Mapping) else None
        return figure if isinstance(figure, Figure) else None
