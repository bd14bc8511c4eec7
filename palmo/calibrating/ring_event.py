"""The ring's sizes read from an event file that may lack its clicks, and the clicks written into it."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from palmo.errors import SaidError, reason
from palmo.event import load_event
from palmo.event.edit import rewrite, with_keys
from palmo.event.lines import key_lines

Points = Sequence[tuple[float, float]]
_SIZES = ("width_cm", "depth_cm", "post_height_cm")


@dataclass(frozen=True)
class RingSizes:
    """What a person measures with a ruler, in cm."""

    width_cm: float
    depth_cm: float
    post_height_cm: float
    post_offset_cm: float = 0.0


def ring_sizes(path: Path) -> RingSizes:
    """The sizes in [ring], whether its clicks are there already or not. Raises EventError or PalmoError."""
    ring = _ring(path)
    known = {key: ring.get(key) for key in _SIZES}
    if not all(isinstance(value, int | float) for value in known.values()):
        event = load_event(path).ring
        return RingSizes(event.width_cm, event.depth_cm, event.post_height_cm, event.post_offset_cm)
    offset = ring.get("post_offset_cm", 0.0)
    width, depth, height = (float(ring[key]) for key in _SIZES)
    return RingSizes(width, depth, height, float(offset))


def known_clicks(path: Path) -> tuple[Points, Points]:
    """Corners and post tops as the file has them; what is missing or no four points is empty."""
    ring = _ring(path)
    return _four(ring.get("corners_px")), _four(ring.get("post_tops_px"))


def write_clicks(path: Path, corners: Points, tops: Points, size: tuple[int, int]) -> None:
    """Put the clicks on a picture (width, height) into [ring] and leave every other character.

    Raises EventError or PalmoError.
    """
    values = {"corners_px": as_toml(corners), "post_tops_px": as_toml(tops), "picture_px": str([*size])}
    text = _text(path)
    for key in values:
        text = _on_one_line(text, key)
    rewrite(path, with_keys(text, ("ring",), values))


def _text(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
    except (OSError, UnicodeDecodeError) as error:
        why = reason(error) if isinstance(error, OSError) else str(error)
        raise SaidError("error.propose.unread", path=path, why=why) from None


def _ring(path: Path) -> dict[str, Any]:
    try:
        ring = tomllib.loads(_text(path)).get("ring")
    except tomllib.TOMLDecodeError:
        # Its own words, with the line.
        load_event(path)
        raise
    if not isinstance(ring, dict):
        load_event(path)
        raise SaidError("error.propose.no_ring", path=path)
    return ring


def _on_one_line(text: str, key: str) -> str:
    """The text with the list of a [ring] key drawn onto the line on which it begins."""
    line = key_lines(text).get(("ring", key))
    if line is None:
        return text
    lines = text.split("\n")
    whole, after = lines[line - 1].split("#")[0].rstrip(), line
    while whole.count("[") > whole.count("]") and after < len(lines):
        whole += lines[after].split("#")[0].strip()
        after += 1
    if after == line:
        return text
    return "\n".join([*lines[: line - 1], whole, *lines[after:]])


def _four(value: Any) -> Points:
    try:
        array = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        return ()
    return [(float(u), float(v)) for u, v in array] if array.shape == (4, 2) else ()


def as_toml(points: Points) -> str:
    """Points as an event file has them."""
    return "[" + ", ".join(f"[{u:.1f}, {v:.1f}]" for u, v in points) + "]"
