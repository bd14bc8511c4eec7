"""The ring's sizes read from an event file that may lack its clicks, and the clicks written into it."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from pydantic import ValidationError

from calibration.intrinsics import Intrinsics
from calibration.ring import RingSpec
from palmo.calibrating.event_text import EventText
from palmo.convert import lens, ring_section_spec
from palmo.errors import SaidError
from palmo.event.edit import with_keys
from palmo.event.load import event_of
from palmo.event.model import CameraSection, RingSection

Points = Sequence[tuple[float, float]]
_SIZES = ("width_cm", "depth_cm", "post_height_cm")


@dataclass(frozen=True)
class RingSizes:
    """What a person measures with a ruler, in cm."""

    width_cm: float
    depth_cm: float
    post_height_cm: float
    post_offset_cm: float = 0.0


def ring_sizes(file: EventText) -> RingSizes:
    """The sizes in [ring], whether its clicks are there already or not. Raises EventError or PalmoError."""
    ring = _ring(file)
    known = {key: ring.get(key) for key in _SIZES}
    if not all(isinstance(value, int | float) for value in known.values()):
        event = event_of(file.read(), file.path).ring
        return RingSizes(event.width_cm, event.depth_cm, event.post_height_cm, event.post_offset_cm)
    offset = ring.get("post_offset_cm", 0.0)
    width, depth, height = (float(ring[key]) for key in _SIZES)
    return RingSizes(width, depth, height, float(offset))


def known_clicks(file: EventText) -> tuple[Points, Points]:
    """Corners and post tops as the file has them; what is missing or no four points is empty."""
    ring = _ring(file)
    return _four(ring.get("corners_px")), _four(ring.get("post_tops_px"))


def spec_of(file: EventText) -> RingSpec | None:
    """The ring of a file that may lack everything else; None while sizes or corners are not known.

    Raises CalibrationError.
    """
    try:
        ring = RingSection.model_validate(_ring(file))
    except ValidationError:
        return None
    return ring_section_spec(ring)


def lens_of(file: EventText) -> Intrinsics | None:
    """The lens in [camera] of a file that may lack everything else. Raises CalibrationError."""
    camera = tomllib.loads(file.read()).get("camera")
    try:
        return None if camera is None else lens(CameraSection.model_validate(camera))
    except ValidationError:
        return None


def write_clicks(file: EventText, corners: Points, tops: Points, size: tuple[int, int]) -> None:
    """Put the clicks on a picture (width, height) into [ring] and leave every other character.

    Raises EventError or PalmoError.
    """
    values = {"corners_px": as_toml(corners), "post_tops_px": as_toml(tops), "picture_px": str([*size])}
    file.write(with_keys(file.read(), ("ring",), values))


def _ring(file: EventText) -> dict[str, Any]:
    text = file.read()
    try:
        ring = tomllib.loads(text).get("ring")
    except tomllib.TOMLDecodeError:
        # Its own words, with the line.
        event_of(text, file.path)
        raise
    if not isinstance(ring, dict):
        event_of(text, file.path)
        raise SaidError("error.propose.no_ring", path=file.path)
    return ring


def _four(value: Any) -> Points:
    try:
        array = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        return ()
    return [(float(u), float(v)) for u, v in array] if array.shape == (4, 2) else ()


def as_toml(points: Points) -> str:
    """Points as an event file has them."""
    return "[" + ", ".join(f"[{u:.1f}, {v:.1f}]" for u, v in points) + "]"
