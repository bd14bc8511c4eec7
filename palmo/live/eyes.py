"""What looks at the pictures of a match; it can be exchanged between two of them."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from palmo.errors import SaidError
from palmo.pictures import AVERAGED, EVERY, usual_picture
from vision.arrays import Image
from vision.sources.frames import Frame
from vision.tracks import Track, TrackFrame

Tracking = Callable[[Frame], TrackFrame]
# A picture that brings an exchange about has to come within this time, on a machine that is busy too.
_PATIENCE_S = 15.0
# How far back the usual picture goes: a camera that sends few pictures had moved on since.
_USUAL_S = 1.0
# The guard notices a moved camera within less than this.
_NOTICED_S = 2.5
_REMEMBERED = 120


@dataclass(frozen=True)
class Moment:
    """A picture, what was tracked in it, and what was believed before the camera moved.

    `steady` are the tracks of those whom no hand has had since the camera certainly stood in its place.
    """

    frame: Frame
    tracked: TrackFrame
    steady: Mapping[str, Track]


class _Exchange:
    """An exchange that waits for the next picture, and what became of it."""

    def __init__(self, work: Callable[[Frame], Tracking]) -> None:
        self.work = work
        self.done = threading.Event()
        self.error: Exception | None = None


class Eyes:
    """Tracks pictures in the loop's thread, and remembers the newest.

    Others may ask for a picture or for an exchange from their own threads.
    """

    def __init__(self, track: Tracking) -> None:
        self._track = track
        self._lock = threading.Condition()
        self._recent: deque[Frame] = deque(maxlen=AVERAGED)
        self._newest: tuple[Frame, TrackFrame] | None = None
        # What was tracked while the camera stood in its place, and whom a hand has had since.
        self._steady: deque[TrackFrame] = deque(maxlen=_REMEMBERED)
        self._handled: set[str] = set()
        self._waiting: _Exchange | None = None
        self._seen = 0

    def __call__(self, frame: Frame) -> TrackFrame:
        """The track frame of the next picture."""
        with self._lock:
            waiting, self._waiting = self._waiting, None
        if waiting is not None:
            self._exchange(waiting, frame)
        tracked = self._track(frame)
        with self._lock:
            if self._newest is not None and self._newest[1].camera_moved != tracked.camera_moved:
                # The guard may notice within the second that the usual picture goes back.
                self._recent.clear()
                self._seen = 0
            self._newest = frame, tracked
            self._remember(tracked)
            if self._seen % EVERY == 0:
                self._recent.append(frame)
            self._seen += 1
            self._lock.notify_all()
        return tracked

    def now(self) -> tuple[Image, Moment]:
        """The usual picture of the last second, and its newest moment. Raises PalmoError without any."""
        with self._lock:
            # Right after an exchange the first picture is still on its way.
            self._lock.wait_for(lambda: self._newest is None or self._recent, _PATIENCE_S)
            recent, newest, steady = [*self._recent], self._newest, self._believed()
        if newest is None or not recent:
            raise SaidError("again.no_picture")
        last = [one.image for one in recent if one.t >= newest[0].t - _USUAL_S] or [newest[0].image]
        return usual_picture(last, ""), Moment(*newest, steady)

    def exchange(self, work: Callable[[Frame], Tracking]) -> None:
        """Have `work` done before the next picture, which then goes to what it returns; waits for it.

        Raises what it raises, and PalmoError when no picture comes any more.
        """
        exchange = _Exchange(work)
        with self._lock:
            self._waiting = exchange
        if not exchange.done.wait(_PATIENCE_S):
            with self._lock:
                if self._waiting is exchange:
                    self._waiting = None
                    raise SaidError("again.no_picture")
            exchange.done.wait()
        if exchange.error is not None:
            raise exchange.error

    def _remember(self, tracked: TrackFrame) -> None:
        if tracked.camera_moved:
            self._handled |= _held(tracked)
            return
        self._handled.clear()
        self._steady.append(tracked)

    def _believed(self) -> dict[str, Track]:
        """The tracks of before the camera can have moved, but for those whom a hand had since."""
        if not self._steady:
            return {}
        until = self._steady[-1].t - _NOTICED_S
        before = [one for one in self._steady if one.t <= until] or [self._steady[0]]
        since = [one for one in self._steady if one.t > before[-1].t]
        handled = self._handled.union(*(_held(one) for one in since))
        return {name: one for name, one in before[-1].fighters.items() if name not in handled}

    def _exchange(self, exchange: _Exchange, frame: Frame) -> None:
        try:
            self._track = exchange.work(frame)
        except Exception as error:
            exchange.error = error
        with self._lock:
            self._recent.clear()
            self._steady.clear()
            self._handled.clear()
            self._seen = 0
        exchange.done.set()


def _held(tracked: TrackFrame) -> set[str]:
    return {name for name, one in tracked.fighters.items() if one.state == "in_hand"}
