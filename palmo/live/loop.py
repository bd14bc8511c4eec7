"""The thread that works: pictures in, tracked frames to the pages and to the match folder."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from calibration.sentences import Said
from palmo.errors import Spoken, said, texts
from palmo.event import EventError, EventWatcher
from palmo.live.feed import LiveFeed
from palmo.live.folder import PROBLEMS, MatchFolder
from rules.annotations import Tone
from rules.text import Text
from vision.sources.frames import Frame, SourceError
from vision.tracks import TrackFrame

_log = logging.getLogger(__name__)
Track = Callable[[Frame], TrackFrame]

_EVENT_POLL_S = 1.0
# A source that is silent for so long is said to be gone: what the last picture shows is not how it is now.
_SILENT_S = 1.5
_GUARD_POLL_S = 0.25
_MISSING = "warning.silent"
_EVENT_TONES: dict[str, Tone] = {
    "live.event.error": "illegal",
    "live.event.ring": "doubt",
    "live.event.others": "doubt",
    "live.event.taught": "doubt",
}
# What is measured with from then on is told to those who look at the evidence, too.
_WITH_THE_EVIDENCE = ("live.event.hand",)


class LiveLoop:
    """Runs a source through a tracker into a feed, in its own thread.

    `connected` says whether pictures are coming at the moment, `warnings` what source and tracker say;
    `tell` is told each of these once, and the pages show the newest of each kind. `failure` is the error that
    ended it, None when the source simply came to its end or was stopped.
    """

    def __init__(
        self,
        frames: Iterable[Frame],
        track: Track,
        feed: LiveFeed,
        *,
        folder: MatchFolder | None = None,
        event_path: Path | None = None,
        connected: Callable[[], bool] = lambda: True,
        warnings: Callable[[], Sequence[Said]] = lambda: (),
        tell: Callable[[Text], None] = lambda _: None,
    ) -> None:
        self.failure: SourceError | None = None
        self.frames_seen = 0
        self.busy_s = 0.0
        self._frames = frames
        self._track = track
        self._feed = feed
        self._folder = folder
        self._connected = connected
        self._warnings = warnings
        self._tell = tell
        self._told: set[str] = set()
        self._event = None if event_path is None else EventWatcher(event_path)
        self._event_notices = 0
        self._last: tuple[Frame, float] | None = None
        self._polled = 0.0
        self._stop = threading.Event()
        self._done = threading.Event()
        self._worker = threading.Thread(target=self._run, name="palmo loop", daemon=True)
        self._guard = threading.Thread(target=self._watch_for_silence, name="palmo watch", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._worker.start()
        self._guard.start()

    def stop(self) -> None:
        """End after the frame in work. The caller closes the source, which wakes a waiting loop."""
        self._stop.set()
        if self._worker.ident is None:
            self._done.set()

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until it has ended; False when the timeout came first."""
        if self._worker.ident is None:
            return self._done.wait(timeout)
        self._worker.join(timeout)
        return not self._worker.is_alive()

    def _run(self) -> None:
        try:
            for frame in self._frames:
                if self._stop.is_set():
                    break
                self._step(frame)
            else:
                self._feed.lose_sight(Text("live.blind.ended"))
                self._feed.notice("source", Text("live.ended"), "neutral")
        except SourceError as error:
            self.failure = error
            self._feed.lose_sight(Text("live.blind.silent"))
            self._feed.notice("source", texts(error)[0], "illegal")
        except Exception:
            if not self._stop.is_set():
                _log.exception(Spoken("fault.loop"))
                self._feed.lose_sight(Text("live.blind.silent"))
                self._feed.notice("source", Text("live.failed"), "illegal")
        finally:
            self._tell_warnings()
            if self._folder is not None:
                self._folder.close()
                self._tell_problems()
            self._done.set()

    def _step(self, frame: Frame) -> None:
        """One frame. Whatever fails in it, the next one is tried."""
        started = time.perf_counter()
        if frame.gap:
            said = Text("live.round") if frame.again else Text("live.gap", {"t": frame.t})
            self._feed.notice("gap", said, "neutral" if frame.again else "doubt")
            self._keep(said, frame.t)
        self._feed.notice("source", None)
        try:
            tracked = self._track(frame)
            self._feed.see(frame, tracked)
            if self._folder is not None:
                self._folder.write(frame, tracked)
            self._feed.notice("vision", None)
        except Exception:
            _log.exception(Spoken("fault.frame", frame=frame.index))
            self._feed.lose_sight(Text("live.blind.failed"))
            self._feed.notice("vision", Text("live.failed"), "illegal")
            self._feed.show_unseen(frame, Text("live.failed"))
        self._tell_problems()
        self._last = (frame, time.monotonic())
        self._poll()
        self.frames_seen += 1
        self.busy_s += time.perf_counter() - started

    def _tell_problems(self) -> None:
        if self._folder is not None:
            for key in PROBLEMS:
                self._feed.notice(key, self._folder.problems.get(key), "illegal")

    def _poll(self) -> None:
        """What need not be looked at with every frame."""
        if time.monotonic() - self._polled >= _EVENT_POLL_S:
            self._polled = time.monotonic()
            self._tell_warnings()
            self._poll_event()

    def _tell_warnings(self) -> None:
        """Say what is new; on the pages in the place of an older one of its kind."""
        for warning in self._warnings():
            text, fighter = said(warning), warning.values.get("fighter")
            what = warning.values.get("what")
            kind = f"{what.key if isinstance(what, Said) else warning.key} {fighter}"
            # A remark on a fighter grows more exact with every measurement and is still the same.
            known = warning if fighter is None else kind
            if known not in self._told:
                self._told.add(known)
                self._tell(text)
                self._keep(text, None if self._last is None else self._last[0].t)
            # How long pictures were missing stands there already, with the time until which.
            if warning.key != _MISSING:
                self._feed.notice(kind, text)

    def _keep(self, text: Text, t: float | None) -> None:
        """Keep what was said with the evidence, for those who look at it later."""
        if self._folder is not None:
            self._folder.remark(text, t)

    def _poll_event(self) -> None:
        """Read the event file again when it was saved; with mistakes the old values stay."""
        if self._event is None or not self._event.poll():
            return
        error: EventError | None = self._event.error
        if error is not None:
            said = [Text("live.event.error", {"text": error.texts[0]})]
        else:
            said = self._feed.use(self._event.event)
        for number in range(max(len(said), self._event_notices)):
            text = said[number] if number < len(said) else None
            self._feed.notice(
                f"event {number}", text, _EVENT_TONES.get(text.key, "neutral") if text else "neutral"
            )
        self._event_notices = len(said)
        for text in said:
            if text.key in _WITH_THE_EVIDENCE:
                self._tell(text)
                self._keep(text, None if self._last is None else self._last[0].t)

    def _watch_for_silence(self) -> None:
        """Say so across the picture when a source has stopped giving pictures."""
        while not self._done.wait(_GUARD_POLL_S):
            if self._last is None:
                continue
            frame, at = self._last
            silent = time.monotonic() - at
            if silent > _SILENT_S or not self._connected():
                self._tell_warnings()
                text = Text("live.gone", {"seconds": silent})
                self._feed.lose_sight(Text("live.blind.silent"))
                self._feed.notice("source", text, "illegal")
                self._feed.show_unseen(frame, text)
