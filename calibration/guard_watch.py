"""The guard over time: looks about every second, and believes only what two looks in a row say."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from calibration.guard import Look, ReferenceView

EVERY_S = 0.8
# What a look says that contradicts what was believed is looked at again so soon.
_AGAIN_S = 0.35
_TWICE = 2

# 2 px have to be noticed; what still pictures differ by is below 0.4 px.
MOVED_PX = 1.2
_BACK_PX = 0.8
_LEAST_SEEN = 0.3
# With so few features in their places, and none of them found elsewhere, the ring is not in sight.
_LOST_SHARE = 0.15
_ZOOMED = 0.004
_BLURRED, _SHARPER = 0.7, 1.4
_BRIGHTER = 1.25
_TINTED = 1.12
# A banner that counts pixels is not to flicker.
_SAME_PX = 1.5


@dataclass(frozen=True)
class Condition:
    """What is to be said of the camera; all None or False while it is as it was calibrated.

    moved_px is how far the ring has moved in the picture; zoomed says that the lens, not the camera, did
    it. lost: the ring is not found at all (covered, dark, or the camera turned away). out_of_focus and
    light (the brightness as a factor, 1 where only the tint changed) are no movement.
    """

    moved_px: float | None = None
    zoomed: bool = False
    lost: bool = False
    out_of_focus: bool = False
    light: float | None = None


class GuardWatch:
    """Watches the pictures of one calibrated camera. `condition` is what is believed.

    `in_place_t` is the time of the last look at which the camera stood where it was calibrated, None before
    the first one.
    """

    def __init__(self, view: ReferenceView) -> None:
        self.condition = Condition()
        self.in_place_t: float | None = None
        self._view = view
        self._looked_t: float | None = None
        self._heard: list[Condition] = []

    def see(self, t: float, image: NDArray[np.uint8]) -> bool:
        """Look if it is time to, at a BGR picture of time t in seconds; whether the condition has changed."""
        wait = _AGAIN_S if self._heard else EVERY_S
        if self._looked_t is not None and 0 <= t - self._looked_t < wait:
            return False
        self._looked_t = t
        said = self._said(self._view.look(image))
        if said is None or _same(said, self.condition):
            self._heard = []
        else:
            if self._heard and not _alike(said, self._heard[-1]):
                self._heard = []
            self._heard.append(said)
        if said is not None and said.moved_px is None and not said.lost and self.condition.moved_px is None:
            self.in_place_t = t
        if len(self._heard) < _TWICE:
            return False
        self.condition, self._heard = self._heard[-1], []
        return True

    def _said(self, look: Look) -> Condition | None:
        """What a look says; None when it says nothing for certain."""
        before = self.condition
        found = look.seen >= _LEAST_SEEN and look.both_agree
        if not found:
            # Something covers the ring, or shakes it: light and focus cannot be judged either.
            return replace(before, moved_px=None, zoomed=False, lost=True) if _gone(look) else None
        moved = look.shift_px > (MOVED_PX if before.moved_px is None else _BACK_PX)
        gain = np.array(look.gain)
        light = float(gain.mean())
        changed = not 1 / _BRIGHTER < light < _BRIGHTER
        tinted = gain.max() / max(gain.min(), 1e-6) > _TINTED
        return Condition(
            moved_px=look.shift_px if moved else None,
            zoomed=moved and abs(look.zoom - 1.0) > _ZOOMED,
            out_of_focus=not _BLURRED < look.detail < _SHARPER,
            light=(light if changed else 1.0) if changed or tinted else None,
        )


def _gone(look: Look) -> bool:
    return look.in_place < _LOST_SHARE


def _same(one: Condition, other: Condition) -> bool:
    """Whether nothing new is to be said."""
    if not _alike(one, other):
        return False
    return one.moved_px is None or other.moved_px is None or abs(one.moved_px - other.moved_px) < _SAME_PX


def _alike(one: Condition, other: Condition) -> bool:
    """Whether two conditions say the same but for numbers."""
    return (
        (one.moved_px is None) == (other.moved_px is None)
        and one.zoomed == other.zoomed
        and one.lost == other.lost
        and one.out_of_focus == other.out_of_focus
        and (one.light is None) == (other.light is None)
    )
