"""The guard beside the tracker: every picture passes it; what is measured with a moved camera is marked."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import replace

from calibration.guard import ReferenceView
from calibration.guard_watch import Condition, GuardWatch
from calibration.guard_words import CONCERNS, sentences_of
from calibration.result import RingCalibration
from palmo.errors import Spoken, said
from palmo.live.feed import LiveFeed
from palmo.live.folder import MatchFolder
from rules.annotations import Tone
from rules.text import Text
from vision.sources.frames import Frame
from vision.tracks import TrackFrame

_log = logging.getLogger(__name__)
Track = Callable[[Frame], TrackFrame]
# What makes measurements wrong is said louder than what may make colours harder to tell.
_TONES: dict[str, Tone] = {"place": "illegal", "focus": "doubt", "light": "doubt"}


class CameraGuard:
    """Watches the camera that was calibrated on `first`.

    `moved` are the times (from, to) between which it had moved: from the last look at which it still stood
    in its place; to None while it has not come back.
    """

    def __init__(self, first: Frame, calibration: RingCalibration) -> None:
        view = ReferenceView.of(first.image, calibration)
        self._watch = None if view is None else GuardWatch(view)
        self.moved: list[tuple[float, float | None]] = []

    @property
    def watching(self) -> bool:
        """Whether enough of the ring is in the picture to notice anything."""
        return self._watch is not None

    @property
    def condition(self) -> Condition:
        """What is believed of the camera."""
        return Condition() if self._watch is None else self._watch.condition

    def see(self, frame: Frame) -> bool:
        """Let it see a picture; whether it has something new to say."""
        if self._watch is None:
            return False
        was_moved = self._watch.condition.moved_px is not None
        changed = self._watch.see(frame.t, frame.image)
        is_moved = self._watch.condition.moved_px is not None
        if is_moved and not was_moved:
            known = self._watch.in_place_t
            self.moved.append((frame.t if known is None else known, None))
        if was_moved and not is_moved:
            self.moved[-1] = (self.moved[-1][0], frame.t)
        return changed

    def marked(self, frames: Sequence[TrackFrame]) -> list[TrackFrame]:
        """Tracks with those frames marked in which the camera had moved."""
        return [replace(frame, camera_moved=True) if self._had_moved(frame.t) else frame for frame in frames]

    def _had_moved(self, t: float) -> bool:
        return any(start < t and (end is None or t <= end) for start, end in self.moved)


class GuardedTrack:
    """A tracker whose pictures the guard sees first: says what it finds on the pages and keeps it."""

    def __init__(
        self,
        track: Track,
        guard: CameraGuard,
        feed: LiveFeed,
        folder: MatchFolder,
        tell: Callable[[Text], None],
    ) -> None:
        self._track = track
        self._guard = guard
        self._feed = feed
        self._folder = folder
        self._tell = tell
        if not guard.watching:
            feed.notice("guard.unwatched", Text("guard.unwatched"))

    def __call__(self, frame: Frame) -> TrackFrame:
        """The track frame of a picture, marked while the camera has moved."""
        try:
            if self._guard.see(frame):
                self._say(frame.t)
        except Exception:
            # Whatever the guard stumbles over, the match goes on.
            _log.exception(Spoken("fault.guard", frame=frame.index))
        moved = self._guard.condition.moved_px is not None
        return replace(self._track(frame), camera_moved=moved)

    def _say(self, t: float) -> None:
        found = {concern: said(one) for concern, one in sentences_of(self._guard.condition).items()}
        for concern in CONCERNS:
            self._feed.notice(f"guard.{concern}", found.get(concern), _TONES[concern])
        for text in found.values() or (Text("guard.again"),):
            self._folder.remark(text, t)
            self._tell(text)
        moved = self._guard.condition.moved_px is not None
        self._feed.stand(Text("guard.on_air") if moved else None)
