"""Measuring a player's hand on pictures of the table, and writing it into the event file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from calibration.camera import Array
from calibration.palm import Kind, Posture, Span, check_open_and_closed, palm_of, span_between
from calibration.palm_contour import find_shape
from calibration.palm_hand import ends_of, posture
from calibration.palm_marks import find_hand
from calibration.result import RingCalibration
from calibration.solve import calibrate
from palmo.blame import blaming
from palmo.calibrating.palm_report import Hand, PalmReport, Placed
from palmo.convert import intrinsics, ring_spec
from palmo.errors import SaidError
from palmo.event import Event, PlayerSection, load_event
from palmo.event.edit import read_text, rewrite, with_keys
from palmo.pictures import first_picture
from vision.arrays import Image
from vision.sources.naming import shown

# What is looked at at once when a hand is looked for: a hand with some room around it.
_CROP_CM = 28.0


def measure_palm(
    event_path: Path,
    player: str,
    photos: Sequence[str],
    tips: Sequence[tuple[float, float]],
    kind: Kind,
    hand: Hand | None,
) -> PalmReport:
    """Measure one hand on pictures with two pointed ends each; without tips the hand is looked for.

    Raises EventError, PalmoError, SourceError or CalibrationError, each one sentence.
    """
    event = load_event(event_path)
    owner = _player(event, player)
    if tips and len(tips) != 2 * len(photos):
        raise SaidError("error.palm.tips", tips=len(tips), photos=len(photos))
    pointed = np.asarray(tips, dtype=np.float64).reshape(-1, 2, 2)
    placed, spans = [], []
    for number, photo in enumerate(photos):
        image = first_picture(photo)
        ring = _ring(event_path, event, image)
        span, one, seen = placement(_name(photo), image, ring, kind, pointed[number] if tips else None)
        hand = hand or seen
        spans.append(span)
        placed.append(one)
    palm = palm_of(spans)
    if kind == "open":
        check_open_and_closed(palm.cm, owner.half_palm_cm)
    else:
        check_open_and_closed(owner.palm_cm, palm.cm)
    return PalmReport(player, hand, palm, tuple(placed))


def placement(
    name: str, image: Image, ring: RingCalibration, kind: Kind, ends: Array | None
) -> tuple[Span, Placed, Hand | None]:
    """One placement measured between two ends (2, 2) px, or where the hand is found; and which hand it is.

    Raises PalmoError or CalibrationError.
    """
    found_by, hand = "tips", None
    if ends is None:
        ends, found_by, hand = _looked_for(image, ring, kind)
    return span_between(ring, ends, kind), Placed(name, image, ends, found_by), hand


def write_palm(event_path: Path, report: PalmReport) -> None:
    """Write the hand into its player's table. Raises EventError or PalmoError."""
    ids = [player.id for player in load_event(event_path).player]
    text = with_keys(read_text(event_path), ("player", ids.index(report.player)), report.keys())
    rewrite(event_path, text)


def _name(photo: str) -> str:
    """What a source is called: a file by its name alone, an address without its password."""
    return Path(photo).name if Path(photo).is_file() else shown(photo)


def _player(event: Event, player: str) -> PlayerSection:
    for one in event.player:
        if one.id == player:
            return one
    raise SaidError("error.palm.player", given=player, known=", ".join(one.id for one in event.player))


def _ring(event_path: Path, event: Event, image: Image) -> RingCalibration:
    size = (image.shape[1], image.shape[0])
    with blaming(event_path, event):
        return calibrate(ring_spec(event), size, image=image, intrinsics=intrinsics(event))


def _looked_for(image: Image, ring: RingCalibration, kind: Kind) -> tuple[Array, str, Hand | None]:
    """The two ends of the hand on the mat, how they were found, and which hand it is with its palm down."""
    corners = ring.camera.project(ring.spec.corners())
    scale = _px_per_cm(ring)
    marks = find_hand(image, [_CROP_CM * scale], corners)
    if marks is not None:
        _check_posture(posture(marks), kind)
        return ends_of(image, marks, kind), "marks", "right" if marks.right > 0.5 else "left"
    shape = find_shape(image, corners, scale)
    if shape is None:
        raise SaidError("error.palm.none")
    _check_posture(shape.posture, kind)
    if shape.tips is None:
        raise SaidError("error.palm.none")
    return shape.tips, "outline", None


def _check_posture(seen: Posture, kind: Kind) -> None:
    """Refuse a hand that is not as it should be. Raises PalmoError."""
    if seen != kind:
        raise SaidError(f"error.palm.seen.{seen}.{kind}")


def _px_per_cm(ring: RingCalibration) -> float:
    """How many pixels a centimetre covers in the middle of the mat."""
    around = np.array([[0.5, 0.0, 0.0], [-0.5, 0.0, 0.0], [0.0, 0.5, 0.0], [0.0, -0.5, 0.0]])
    u, v, w, x = ring.camera.project(around)
    return float(np.sqrt(np.linalg.norm(u - v) * np.linalg.norm(w - x)))
