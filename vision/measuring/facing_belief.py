"""The facing that is believed of a fragment, and how probable the best other one is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.measuring.facing import STANDING_MISFIT, Mode, wrap
from vision.measuring.posture import Stance
from vision.tracks import FacingSource

# How often the rival turn was the right one, by margin: fitted to 240 turns of modelled figures.
_RIVAL_SHARE, _RIVAL_MARGIN = 0.5, 0.2
# Small turns are more common at a table than large ones: e-fold of how probable a turn is, in degrees. It
# decides only between turns that explain the pictures almost equally well.
_USUAL_TURN_DEG = 120.0
# A carry that hardly leaves anything unexplained (mean misfit) decides alone, when its best turn explains it
# so many times better than any other. With more left unexplained the silhouettes must join in: the product of
# both ratios is asked for, up to the misfit given. Floors are what modelling and mattes leave. Chosen on 131
# assumed turns of modelled figures: 88 are decided, two of them over 30 degrees off, none over 36.
_CARRY_ALONE, _CARRY_CLEAR = 0.05, 1.15
_CARRY_JOINED = ((0.1, 1.5), (0.2, 1.9))
_CARRY_FLOOR, _SILHOUETTE_FLOOR = 0.01, 0.02


@dataclass(frozen=True)
class Facing:
    """A facing in degrees with its sd and where it came from.

    When it was registered or followed in the hand (*motion*), `margin` (0-1) is how much better it is than
    the best other facing, `rival_deg`, and `rival_share` the probability that the rival is right after all.
    """

    deg: float
    sd_deg: float
    source: FacingSource
    margin: float | None = None
    rival_deg: float | None = None
    rival_share: float = 0.0


def believed(before: Facing, stance: Stance, carried: Sequence[float] | None = None) -> Facing:
    """The facing of a stance judged against a fragment that faced `before`.

    A registered turn is believed, and one that the carry decides for: `carried` says how badly each of the
    turn's modes explains it. Between any other one and its rival the usual size of turns has a say; the
    chosen one stays assumed.
    """
    if carried is not None and undecided(stance):
        followed = _followed(stance.turn.modes, carried)
        if followed is not None:
            mode, margin = followed
            sd = float(np.hypot(before.sd_deg, mode.sd_deg))
            return Facing(wrap(before.deg + mode.turn_deg), sd, "motion", margin)
    sd = float(np.hypot(before.sd_deg, stance.facing_sd_deg))
    if stance.posture == "lying" or stance.source != "assumed":
        return Facing(stance.facing_deg, sd, stance.source, stance.margin)
    turn = stance.turn
    share = _RIVAL_SHARE * float(np.exp(-max(stance.margin, 0.0) / _RIVAL_MARGIN))
    usual = float(np.exp((abs(turn.turn_deg) - abs(turn.rival_deg)) / _USUAL_TURN_DEG))
    share = share * usual / (share * usual + 1 - share)
    best, rival = (wrap(before.deg + turned) for turned in (turn.turn_deg, turn.rival_deg))
    if share > 0.5:
        best, rival, share = rival, best, 1 - share
    return Facing(best, sd, "assumed", stance.margin, rival, share)


def undecided(stance: Stance) -> bool:
    """Whether a figure stands after a turn that its silhouettes leave open: what the hand did may tell."""
    open_ = stance.posture == "standing" and stance.source == "assumed"
    return open_ and stance.turn.misfit <= STANDING_MISFIT


def _followed(modes: Sequence[Mode], carried: Sequence[float]) -> tuple[Mode, float] | None:
    """The mode that alone explains a carry, and its margin (0-1) over the next one."""
    best = int(np.argmin(carried))
    misfit = carried[best]
    ratios, joined = [], []
    for i in set(range(len(modes))) - {best}:
        ratios.append((carried[i] + _CARRY_FLOOR) / (misfit + _CARRY_FLOOR))
        seen = (modes[i].cost + _SILHOUETTE_FLOOR) / (modes[best].cost + _SILHOUETTE_FLOOR)
        joined.append(ratios[-1] * seen)
    wanted = next((least for most, least in _CARRY_JOINED if misfit <= most), np.inf)
    if min(ratios) < _CARRY_CLEAR or (misfit > _CARRY_ALONE and min(joined) < wanted):
        return None
    return modes[best], float(1 - 1 / min(ratios))
