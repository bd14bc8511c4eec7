"""Calibrating again while a match goes on: an act of the referee's, written into the log.

What was measured before keeps the calibration it was measured with: a new session of evidence begins, and a
new file of positions.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from types import MappingProxyType
from typing import Protocol

from overlay.setup.desk import NotSo, Point, Points, RingCheck, StickCheck
from palmo.calibrating.event_text import EventFile
from palmo.calibrating.ring_desk import EventRingDesk, refusing
from palmo.calibrating.ring_event import write_clicks
from palmo.errors import texts
from palmo.live.eyes import Eyes, Moment
from palmo.live.taught_again import MemoryText, Placing, Seen, calibrated, taught, with_placings
from rules.text import Text, listed
from vision.arrays import Image
from vision.colour.models import ColourError
from vision.measuring.told import ToldError
from vision.sources.frames import Frame
from vision.tracks import TrackFrame

NO_FEET: Mapping[str, Point] = MappingProxyType({})


class Takes(Protocol):
    """Takes a new calibration over between two pictures, and returns what tracks from then on."""

    def __call__(self, seen: Seen, frame: Frame, said: Text) -> Callable[[Frame], TrackFrame]:
        """Exchange everything that measures, and keep what was measured."""


class CalibrateAgain:
    """Implements `overlay.setup.again.AgainDesk` for a match that goes on; `seen` is how it is seen now."""

    def __init__(self, seen: Seen, eyes: Eyes, takes: Takes) -> None:
        self.seen = seen
        self._eyes = eyes
        self._takes = takes
        self._shown: tuple[Image, Moment, EventRingDesk] | None = None
        self._saving = threading.Lock()

    @property
    def image(self) -> Image:
        """The picture that is pointed at."""
        return self._now()[0]

    def look(self) -> None:
        """Take the picture of now."""
        with refusing():
            image, moment = self._eyes.now()
            memory = MemoryText(self.seen.bench.event_path, self.seen.text)
            self._shown = image, moment, EventRingDesk(memory, image)

    def fighters(self) -> Sequence[tuple[str, str]]:
        """Ids and names of those whose feet may be tapped: who is followed now."""
        followed = self._now()[1].tracked.fighters
        return [(one.id, one.name) for one in self.seen.bench.event.fighter if one.id in followed]

    def clicks(self) -> tuple[Points, Points]:
        """Corners and tops of the calibration that holds."""
        return self._ring.clicks()

    def propose(self) -> tuple[Points, Points]:
        """Corners and tops as the picture shows them."""
        return self._ring.propose()

    def check(self, corners: Points, tops: Points) -> RingCheck:
        """How good a camera from these clicks is."""
        return self._ring.check(corners, tops)

    def stick(self, corners: Points, tops: Points, ends: Points, length_cm: float) -> StickCheck:
        """How long a stick on the mat is by these clicks."""
        return self._ring.stick(corners, tops, ends, length_cm)

    def save(self, corners: Points, tops: Points, feet: Mapping[str, Point] = NO_FEET) -> Text:
        """Measure with these clicks from now on, and with these middles of feet on the picture (pixels by
        fighter). Raises NotSo; then everything is as it was."""
        # One after the other: each takes the place of what holds when it begins.
        with self._saving:
            return self._save(corners, tops, feet)

    def _save(self, corners: Points, tops: Points, feet: Mapping[str, Point]) -> Text:
        (image, pointed, _), old = self._now(), self.seen.pipeline
        try:
            with refusing():
                ring = calibrated(self.seen, corners, tops, image)
                _, moment = self._eyes.now()
                self._stand_still(feet, pointed, moment)
                seen, placings, lost = taught(ring, moment, feet)
        except (ColourError, ToldError) as error:
            raise NotSo(texts(error)[0]) from error
        said = Text("again.done", {"verdict": Text(f"again.verdict.{seen.bench.check.verdict.value}")})
        if lost:
            said = Text("again.lost", {"done": said, "who": listed(lost)})
        try:
            with refusing():
                self._eyes.exchange(lambda frame: self._takes(seen, frame, said))
        except NotSo:
            seen.pipeline.close()
            raise
        old.close()
        self.seen, self._shown = seen, None
        self._write(corners, tops, placings)
        return said

    def _write(self, corners: Points, tops: Points, placings: list[Placing]) -> None:
        """Into the event file too, for the next start. When somebody has it half edited, it stays."""
        file, bench = EventFile(self.seen.bench.event_path), self.seen.bench
        with suppress(ValueError, OSError):
            memory = MemoryText(file.path, with_placings(file.read(), file.path, placings))
            write_clicks(memory, corners, tops, bench.calibration.size)
            file.write(memory.read())

    def _stand_still(self, feet: Mapping[str, Point], pointed: Moment, now: Moment) -> None:
        """A tap says nothing of a figure that was moved since. Raises NotSo."""
        names = {one.id: one.name for one in self.seen.bench.event.fighter}
        for fighter in feet:
            then, there = (one.tracked.fighters.get(fighter) for one in (pointed, now))
            if then is None or there is None:
                raise NotSo(Text("setup.unknown", {"called": names.get(fighter, fighter)}))
            if there.state == "in_hand" or there.fragment != then.fragment:
                raise NotSo(Text("again.moved", {"name": names[fighter]}))

    @property
    def _ring(self) -> EventRingDesk:
        return self._now()[2]

    def _now(self) -> tuple[Image, Moment, EventRingDesk]:
        if self._shown is None:
            self.look()
        assert self._shown is not None
        return self._shown
