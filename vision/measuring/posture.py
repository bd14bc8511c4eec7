"""Does a figure stand or lie, and which way does it face: judged against fragments in which it stood.

A standing figure is what its earlier silhouettes say, turned about the vertical. Whether it fell is told by
experience (`vision.shape.fallen`), by what it looks like beside how it stood, and by how much the best turn
leaves unexplained. A lying figure faces where its head points (on its face that is where it faced before it
fell).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from calibration.camera import Camera
from vision.measuring.experience import Experience
from vision.measuring.facing import Known, Turn, is_open, register_history
from vision.measuring.likelihood import CIRCLE, Mode, modes, wrap
from vision.measuring.registration import Array, FragmentView
from vision.shape.fallen import HEADS, Fallen
from vision.tracks import FacingSource, Posture

# A figure lies where its log odds and so many times the log of what the best turn leaves unexplained (and a
# floor) come to more than the last number. Of 252 modelled figures that stood none comes to more than -9, and
# the odds would deserve more weight; of figures of other makers they know less (a turtle of the rendered
# clips that turned comes to -6, those that fell and are noticed to more than -1).
_UNEXPLAINED, _FLOOR, _LIES = 3.2, 0.005, -5.5
# Of less than this share of how large it was as it stood something is missing (of 1,260 modelled figures that
# fell none showed less): no turn explains it, and neither does a fall.
_LEAST_SHOWN = 0.4


@dataclass(frozen=True)
class Stance:
    """How a figure is there: posture, facing (degrees, with sd), where the facing came from and its margin.

    `turn` is the registration behind it, also when the figure lies; then `heads` are where its head may
    point, in degrees from the ring's x, the likeliest first.
    """

    posture: Posture
    facing_deg: float
    facing_sd_deg: float
    source: FacingSource
    margin: float
    turn: Turn
    heads: tuple[Mode, ...] = ()


def judge(
    known: Sequence[Known],
    after: FragmentView,
    camera: Camera,
    height_cm: float,
    experience: Experience | None = None,
) -> Stance:
    """The stance in the view `after` of a figure, from views in which it stood, the latest last.

    `facing_sd_deg` is that of the turn since the last of them alone, or of where the head points. Raises
    RegistrationError when a silhouette is empty.
    """
    turn = register_history(known, after, camera, height_cm, experience)
    usual = experience or Experience(camera, height_cm, None)
    fell = usual.fallen(known[-1].view, known[-1].facing_deg, after)
    if lies(fell, turn.misfit):
        return _lying(fell, turn)
    source: FacingSource = "assumed" if turn.assumed else "registered"
    facing = wrap(known[-1].facing_deg + turn.turn_deg)
    return Stance("standing", facing, turn.sd_deg, source, turn.margin, turn)


def lies(fell: Fallen, misfit: float) -> bool:
    """Whether a figure lies, by what is believed of it beside how it stood, and by what the best turn since
    then leaves unexplained."""
    odds = fell.odds + _UNEXPLAINED * float(np.log(misfit + _FLOOR))
    return odds > _LIES and fell.shown > _LEAST_SHOWN


def _lying(fell: Fallen, turn: Turn) -> Stance:
    found = _heads(fell.head)
    source: FacingSource = "assumed" if is_open(found) else "registered"
    best, margin = found[0], found[0].share - found[1].share
    return Stance("lying", best.turn_deg, best.sd_deg, source, margin, turn, tuple(found))


def _heads(log_share: Array) -> list[Mode]:
    """Where a head may point, from log probabilities (HEADS,): degrees from the ring's x, likeliest first."""
    parts = CIRCLE / 360 * HEADS
    share = np.exp(np.interp(parts, np.arange(HEADS), log_share, period=HEADS))
    return modes(share / share.sum(), 1.0)
