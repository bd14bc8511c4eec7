"""The facing that is believed of a fragment, and the other ones that remain possible."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from vision.measuring.facing import STANDING_MISFIT, is_open
from vision.measuring.likelihood import Mode, fitted, judged_by_carry, wrap
from vision.measuring.posture import Stance
from vision.tracks import FacingSource

# Small turns are more common at a table than large ones: e-fold of how probable a turn is, in degrees. It
# says which of the turns that remain is shown, and never decides that one is sure.
_USUAL_TURN_DEG = 120.0


@dataclass(frozen=True)
class Rival:
    """Another facing in degrees, with its sd, and the probability that it is the right one."""

    deg: float
    sd_deg: float
    share: float


@dataclass(frozen=True)
class Facing:
    """A facing in degrees with its sd and where it came from.

    When it was registered or followed in the hand (*motion*), `margin` (0-1) is how much more probable it is
    than the best other facing; `rivals` are those that remain while it is *assumed*, the likeliest first.
    """

    deg: float
    sd_deg: float
    source: FacingSource
    margin: float | None = None
    rivals: tuple[Rival, ...] = ()

    @property
    def rival_deg(self) -> float | None:
        """The likeliest other facing, where one remains."""
        return self.rivals[0].deg if self.rivals else None

    @property
    def rival_share(self) -> float:
        """How probable it is."""
        return self.rivals[0].share if self.rivals else 0.0


def believed(before: Facing, stance: Stance, carried: Sequence[float] | None = None) -> Facing:
    """The facing of a stance judged against a fragment that faced `before`.

    `carried` says how badly each of the turn's modes explains what was seen of the carry. What silhouettes,
    shading and carry together leave to turns far away decides whether the turn is called; if it is not, all
    that remain are kept and the usual size of turns has a say in which one is shown.
    """
    if stance.posture == "lying":
        return _lying(before, stance)
    found, source = list(stance.turn.modes), stance.source
    if carried is not None and undecided(stance):
        found = judged_by_carry(found, carried, fitted())
        source = "assumed" if is_open(found) else "motion"
    if source == "assumed":
        found = _usual(found)
    best, *others = (
        Rival(wrap(before.deg + m.turn_deg), float(np.hypot(before.sd_deg, m.sd_deg)), m.share) for m in found
    )
    margin = best.share - others[0].share
    return Facing(best.deg, best.sd_deg, source, margin, tuple(others) if source == "assumed" else ())


def _lying(before: Facing, stance: Stance) -> Facing:
    """Where the head of a lying figure points: of ends that cannot be told apart the one nearer to where it
    faced."""
    heads = [replace(one, turn_deg=wrap(one.turn_deg - before.deg)) for one in stance.heads]
    best = (_usual(heads) if stance.source == "assumed" else heads)[0]
    return Facing(wrap(before.deg + best.turn_deg), best.sd_deg, stance.source, stance.margin)


def undecided(stance: Stance) -> bool:
    """Whether a figure stands after a turn that its silhouettes leave open: what the hand did may tell."""
    standing = stance.posture == "standing" and stance.turn.misfit <= STANDING_MISFIT
    return standing and is_open(stance.turn.modes)


def _usual(found: Sequence[Mode]) -> list[Mode]:
    """The modes with the usual size of turns taken into account, the likeliest first."""
    share = np.array([mode.share * np.exp(-abs(mode.turn_deg) / _USUAL_TURN_DEG) for mode in found])
    share *= sum(mode.share for mode in found) / share.sum()
    usual = [replace(mode, share=float(s)) for mode, s in zip(found, share, strict=True)]
    return sorted(usual, key=lambda mode: -mode.share)
