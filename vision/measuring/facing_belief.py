"""The facing that is believed of a fragment, and how probable the best other one is."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.measuring.facing import wrap
from vision.measuring.posture import Stance
from vision.tracks import FacingSource

# How often the rival turn was the right one, by margin: fitted to 240 turns of modelled figures.
_RIVAL_SHARE, _RIVAL_MARGIN = 0.5, 0.2
# Small turns are more common at a table than large ones: e-fold of how probable a turn is, in degrees. It
# decides only between turns that explain the pictures almost equally well.
_USUAL_TURN_DEG = 120.0


@dataclass(frozen=True)
class Facing:
    """A facing in degrees with its sd and where it came from.

    When it was registered, `margin` (0-1) is how much better it is than the best other facing, `rival_deg`,
    and `rival_share` the probability that the rival is right after all.
    """

    deg: float
    sd_deg: float
    source: FacingSource
    margin: float | None = None
    rival_deg: float | None = None
    rival_share: float = 0.0


def believed(before: Facing, stance: Stance) -> Facing:
    """The facing of a stance judged against a fragment that faced `before`.

    A registered turn is believed. Between an assumed one and its rival the usual size of turns has a say; the
    chosen one stays assumed.
    """
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
