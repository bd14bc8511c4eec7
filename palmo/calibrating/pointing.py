"""Pixels pointed at on a command line: `F1=u,v` for a fighter, `u,v` for a point."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

from palmo.errors import SaidError
from palmo.event import Event, load_event
from palmo.event.edit import read_text, rewrite, with_keys
from palmo.event.load import event_of

# Half the side of the box that is put around a point: inside any figure's trunk, and enough pixels to teach.
_HALF_PX = 3


def pixel(given: str) -> tuple[float, float]:
    """The point in "u,v". Raises PalmoError."""
    try:
        u, v = (float(one) for one in given.split(","))
    except ValueError:
        raise SaidError("error.point", given=given) from None
    if not (math.isfinite(u) and math.isfinite(v)):
        raise SaidError("error.point", given=given)
    return u, v


def pointed(given: str) -> tuple[str, tuple[float, float]]:
    """The name and the point in "F1=u,v". Raises PalmoError."""
    name, _, place = given.partition("=")
    if not (name.strip() and place):
        raise SaidError("error.point.whose", given=given)
    return name.strip(), pixel(place)


def boxed(event: Path, points: Sequence[tuple[str, tuple[float, float]]]) -> Event:
    """The event as it would be with a box around every point; nothing is written. Raises as `write_boxes`."""
    return event_of(_with_boxes(event, points), event)


def write_boxes(event: Path, points: Sequence[tuple[str, tuple[float, float]]]) -> None:
    """Write a colour box around every point into its fighter's table. Raises EventError or PalmoError."""
    rewrite(event, _with_boxes(event, points))


def _with_boxes(event: Path, points: Sequence[tuple[str, tuple[float, float]]]) -> str:
    known = [fighter.id for fighter in load_event(event).fighter]
    text = read_text(event)
    for name, (u, v) in points:
        if name not in known:
            raise SaidError("error.fighter.unknown", called=name, known=", ".join(known))
        side = 2 * _HALF_PX
        box = f"[{round(u) - _HALF_PX}, {round(v) - _HALF_PX}, {side}, {side}]"
        text = with_keys(text, ("fighter", known.index(name)), {"colour_box_px": box})
    return text
