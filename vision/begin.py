"""The beginning: the first picture teaches the colours, and what was told of the fighters must fit it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from calibration.result import RingCalibration
from calibration.sentences import Said
from vision.arrays import Mask
from vision.colour.models import ColourError
from vision.fighters import FighterSpec
from vision.finding.tracker import Tracker
from vision.measuring.told import ToldError, check_height, check_told
from vision.sources.frames import Frame

# Heights at which a colour that cannot be taught is tried again, in cm.
_OTHER_HEIGHTS_CM = (14.0, 10.0, 7.0)


def begin(
    calibration: RingCalibration, fighters: Sequence[FighterSpec], first: Frame, dont_care: Mask
) -> tuple[Tracker, list[Said]]:
    """A tracker taught on the first picture, and what is doubtful of what was told, as sentences.

    Raises ColourError when a colour cannot be taught, ToldError when a height or a tap cannot be true.
    """
    try:
        tracker = Tracker(calibration, fighters, first, dont_care)
    except ColourError as error:
        _blame_a_height(error, calibration, fighters, first, dont_care)
        raise
    doubts = check_told(calibration.camera, fighters, tracker.silhouettes(), tracker.palette.faint)
    return tracker, [*tracker.palette.warnings, *doubts]


def _blame_a_height(
    error: ColourError,
    calibration: RingCalibration,
    fighters: Sequence[FighterSpec],
    first: Frame,
    dont_care: Mask,
) -> None:
    """Raise ToldError when the colour can be taught at another height, at which the one told cannot be true.

    How far a colour may spread follows from the height, so that a wrong height looks like a wrong box.
    """
    for spec in (f for f in fighters if re.match(rf"fighter {re.escape(f.id)}:", str(error))):
        for height in _OTHER_HEIGHTS_CM:
            others = [replace(f, height_cm=height) if f is spec else f for f in fighters]
            try:
                tracker = Tracker(calibration, others, first, dont_care)
            except ColourError:
                continue
            try:
                check_height(calibration.camera, spec, tracker.silhouettes()[spec.id], strict=True)
            except ToldError as told:
                raise told from error
