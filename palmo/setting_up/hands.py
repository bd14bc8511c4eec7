"""Hands laid on the mat, placement by placement, and what comes of them written into the event file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from calibration.errors import CalibrationError
from calibration.palm import Span, check_open_and_closed, palm_of
from calibration.plausible import check_size
from calibration.result import RingCalibration
from overlay.setup.desk import HandKind, HandView, Laid, NotSo, Person, Points
from palmo.calibrating.event_text import Draft
from palmo.calibrating.palm_report import ENOUGH, Placed, palm_keys
from palmo.calibrating.palms import placement
from palmo.calibrating.ring_desk import refusing
from palmo.errors import texts
from palmo.setting_up.checked import change
from palmo.setting_up.people import EventPeople
from rules.text import Text
from vision.arrays import Image


@dataclass(frozen=True, eq=False)
class _One:
    """A placement: what it measured, and on what."""

    span: Span
    placed: Placed


class EventHands:
    """Implements `overlay.setup.desk.HandsDesk`.

    `look` gives a new picture, `ring` the ring's calibration for pictures of now, or raises NotSo.
    """

    def __init__(
        self,
        draft: Draft,
        people: EventPeople,
        look: Callable[[], Image],
        ring: Callable[[], RingCalibration],
    ) -> None:
        self._draft = draft
        self._people = people
        self._look = look
        self._ring = ring
        self._image: Image | None = None
        self._laid: dict[tuple[str, HandKind], list[_One]] = {}

    @property
    def image(self) -> Image:
        """The picture of the hand; the first one is taken when somebody asks."""
        if self._image is None:
            self.look()
        assert self._image is not None
        return self._image

    def look(self) -> None:
        """Take a new picture."""
        with refusing():
            self._image = self._look()

    def view(self, player: str, kind: HandKind) -> HandView:
        """What was laid so far and what comes of it."""
        laid = self._laid.get((player, kind), [])
        shown = [
            Laid(
                [(float(u), float(v)) for u, v in one.placed.ends_px],
                one.span.cm,
                one.span.sd_cm,
                Text(f"palm.by.{one.placed.found_by}"),
            )
            for one in laid
        ]
        if not laid:
            return HandView()
        owner = self._owner(player)
        try:
            palm = palm_of([one.span for one in laid])
            _check(owner, kind, palm.cm)
        except CalibrationError as error:
            return HandView(shown, [texts(error)[0]], "redo")
        values: dict[str, float | int | str | Text] = {"player": player, "cm": palm.cm, "sd": palm.sd_cm}
        lines = [Text(f"palm.result.{kind}", values | {"n": len(laid)})]
        if len(laid) < ENOUGH:
            lines.append(Text("setup.hand.more", {"n": ENOUGH}))
        return HandView(shown, lines, "good" if len(laid) >= ENOUGH else "usable")

    def lay(self, player: str, kind: HandKind, ends: Points | None) -> HandView:
        """Measure one more placement and write down what comes of all."""
        self._owner(player)
        pixels = None if ends is None else np.array(ends, dtype=np.float64)
        with refusing():
            span, placed, _ = placement(player, *self._measurable(), kind, pixels)
        self._laid.setdefault((player, kind), []).append(_One(span, placed))
        return self._written(player, kind)

    def lift(self, player: str, kind: HandKind, number: int) -> HandView:
        """Forget a placement; what is written down follows."""
        laid = self._laid.get((player, kind), [])
        if number >= len(laid):
            raise NotSo(Text("setup.unknown", {"called": str(number + 1)}))
        laid.pop(number)
        return self._written(player, kind)

    def _written(self, player: str, kind: HandKind) -> HandView:
        view = self.view(player, kind)
        if view.verdict in ("good", "usable"):
            keys = palm_keys(palm_of([one.span for one in self._laid[player, kind]]))
            with self._draft.lock:
                known = [one.id for one in self._people.players()]
                change(self._draft, ("player", known.index(player)), keys)
        return view

    def _measurable(self) -> tuple[Image, RingCalibration]:
        """The picture and the ring's calibration. Raises CalibrationError for a picture of another size."""
        image, ring = self.image, self._ring()
        check_size(ring.size, image, None)
        return image, ring

    def _owner(self, player: str) -> Person:
        for one in self._people.players():
            if one.id == player:
                return one
        raise NotSo(Text("setup.unknown", {"called": player}))


def _check(owner: Person, kind: HandKind, cm: float) -> None:
    """Refuse a hand that was half open, as far as its other one is known. Raises CalibrationError."""
    other = owner.half_palm_cm if kind == "open" else owner.palm_cm
    if other is not None:
        check_open_and_closed(*((cm, other) if kind == "open" else (other, cm)))
