"""Fighters pointed at in the table's picture: colour, feet, facing; and how well they can be told apart."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from calibration.result import RingCalibration
from overlay.setup.desk import NotSo, Point, Rating, Wrestler
from palmo.calibrating.colours import rate_colours
from palmo.calibrating.event_text import Draft
from palmo.errors import texts
from palmo.setting_up.checked import change
from palmo.setting_up.people import EventPeople
from palmo.workbench import shown_in
from rules.text import Text, listed
from vision.arrays import Image
from vision.colour.models import ColourError
from vision.fighters import FighterSpec

# A box is at least so large: smaller ones teach no colour.
_LEAST_PX = 4
# Feet and the point in front of them must lie so far apart for a direction, in cm.
_LEAST_CM = 0.5


class EventFighters:
    """Implements `overlay.setup.desk.FightersDesk`; `table` gives picture and calibration or raises NotSo."""

    def __init__(
        self, draft: Draft, people: EventPeople, table: Callable[[], tuple[Image, RingCalibration]]
    ) -> None:
        self._draft = draft
        self._people = people
        self._table = table
        self._rated: tuple[str, Image, Rating] | None = None

    def point(self, fighter: str, box: Sequence[float], foot: Point, nose: Point) -> None:
        """Write down where a fighter was pointed at."""
        image, ring = self._table()
        values = {
            "colour_box_px": _box(box, image),
            "foot_px": f"[{foot[0]:.1f}, {foot[1]:.1f}]",
            "facing_deg": f"{_facing(ring, foot, nose):.0f}",
        }
        with self._draft.lock:
            known = [one.id for one in self._people.fighters()]
            if fighter not in known:
                raise NotSo(Text("setup.unknown", {"called": fighter}))
            change(self._draft, ("fighter", known.index(fighter)), values, ("colour",))

    def rate(self) -> Rating:
        """Rate the colours of all fighters that were pointed at."""
        image, ring = self._table()
        text = self._draft.read()
        if self._rated is None or self._rated[0] != text or self._rated[1] is not image:
            self._rated = text, image, self._rating(image, ring)
        return self._rated[2]

    def _rating(self, image: Image, ring: RingCalibration) -> Rating:
        everybody = self._people.fighters()
        there = [one for one in everybody if one.box is not None or one.colour is not None]
        if not there:
            raise NotSo(Text("setup.nobody_pointed"))
        colours = {one.id: one.colour or shown_in(image, list(one.box or (0, 0, 1, 1))) for one in there}
        names = {one.id: one.name for one in there}
        try:
            report = rate_colours(image, ring, [_spec(one) for one in there], names, colours)
        except ColourError as error:
            raise NotSo(texts(error)[0]) from error
        lines, verdict = report.lines(), report.verdict
        if to_point := [one.name for one in everybody if one not in there]:
            if verdict == "apart":
                # That all can be told apart is not known yet.
                lines, verdict = lines[:-1], "some"
            lines.append(Text("setup.to_point", {"who": listed(to_point)}))
        return Rating(lines, verdict, lambda lang: report.picture(image, lang))


def _spec(one: Wrestler) -> FighterSpec:
    return FighterSpec(
        id=one.id,
        height_cm=one.height_cm or 14.0,
        facing_deg=0.0,
        colour_box_px=one.box,
        colour=None if one.box is not None else one.colour,
        foot_px=one.foot,
        kind=one.kind,
    )


def _box(box: Sequence[float], image: Image) -> str:
    """A box as the event file has it: whole pixels, inside the picture, no smaller than teaches a colour."""
    height, width = image.shape[:2]
    u, v, wide, high = (float(one) for one in box)
    if wide < 0:
        u, wide = u + wide, -wide
    if high < 0:
        v, high = v + high, -high
    wide, high = (max(_LEAST_PX, round(side)) for side in (wide, high))
    left, top = round(min(max(u, 0), width - wide)), round(min(max(v, 0), height - high))
    return f"[{left}, {top}, {wide}, {high}]"


def _facing(ring: RingCalibration, foot: Point, nose: Point) -> float:
    """Where a figure looks, in degrees. Raises NotSo."""
    places = ring.camera.to_plane(np.array([foot, nose]))
    along = places[1] - places[0]
    if not np.isfinite(places).all():
        raise NotSo(Text("error.review.off_table"))
    if np.linalg.norm(along) < _LEAST_CM:
        raise NotSo(Text("setup.no_facing"))
    return float(np.degrees(np.arctan2(along[1], along[0])))
