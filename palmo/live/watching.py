"""Moves as the camera sees them, while they happen."""

from __future__ import annotations

import math
from dataclasses import replace

from palmo.event import Event
from palmo.judging import Judgement, judge
from palmo.stays import Move, Stay
from rules.scene import Point
from vision.tracks import Track, TrackFrame

# A figure that is still being nudged is not measured: it must have stood for so long.
SETTLE_S = 0.8
# Measuring runs beside the loop: so long it is waited for, then the guess from the silhouette must do. A
# busy computer gets more time, a figure that nothing can be cut out of less.
_PATIENCE_S, _LITTLE_PATIENCE_S = 15.0, 3.0
# A measurement that takes longer than this is late.
_LATE_S = 2.0
# Less than this in both is a figure that was touched, not moved.
_SMALLEST_MOVE_CM, _SMALLEST_TURN_DEG = 0.5, 15.0


class MoveWatch:
    """Tells each move once, when its figure has settled. Never looks back."""

    def __init__(self, event: Event) -> None:
        self.event = event
        self._settled: dict[str, Stay] = {}
        self._arriving: dict[str, Stay] = {}
        self._outlines: dict[str, tuple[Point, ...]] = {}

    def see(self, frame: TrackFrame) -> list[Judgement]:
        """The moves that this frame completes."""
        found = []
        for fighter, track in frame.fighters.items():
            if track.outline is not None:
                self._outlines[fighter] = track.outline
            if track.state != "placed" or track.x is None or track.fragment is None:
                continue
            judgement = self._standing(fighter, track, frame)
            if judgement is not None:
                found.append(judgement)
        return found

    def forget(self) -> None:
        """Begin again where the figures stand next: what happened meanwhile was not seen."""
        self._settled.clear()
        self._arriving.clear()

    def _standing(self, fighter: str, track: Track, frame: TrackFrame) -> Judgement | None:
        t = frame.t
        settled = self._settled.get(fighter)
        if settled is not None and settled.fragment == track.fragment:
            self._settled[fighter] = self._longer(settled, track, frame)
            return None
        arriving = self._arriving.get(fighter)
        if arriving is None or arriving.fragment != track.fragment:
            arriving = Stay(fighter, t, t, track, self._outlines.get(fighter))
        arriving = self._arriving[fighter] = self._longer(arriving, track, frame)
        if t - arriving.first_t < _patience(fighter, track, frame):
            return None
        self._settled[fighter] = self._arriving.pop(fighter)
        if settled is None or not _moved(settled.track, track):
            return None
        return judge(self.event, Move(settled, arriving))

    def waits_for(self, frame: TrackFrame) -> list[str]:
        """Who stands in this frame, the last one seen, for a while and is still being measured."""
        return [
            fighter
            for fighter, stay in self._arriving.items()
            if fighter in frame.measuring and frame.t - stay.first_t >= _LATE_S
        ]

    def _longer(self, stay: Stay, track: Track, frame: TrackFrame) -> Stay:
        moved = stay.camera_moved or frame.camera_moved
        outline = self._outlines.get(stay.fighter)
        return replace(stay, last_t=frame.t, track=track, outline=outline, camera_moved=moved)


def _patience(fighter: str, track: Track, frame: TrackFrame) -> float:
    """How many seconds a figure must have stood before its move is told."""
    if track.error is not None:
        return SETTLE_S
    return _PATIENCE_S if fighter in frame.measuring else _LITTLE_PATIENCE_S


def _moved(before: Track, after: Track) -> bool:
    if before.x is None or before.y is None or after.x is None or after.y is None:
        return False
    apart = math.hypot(after.x - before.x, after.y - before.y)
    turn = ((after.facing_deg or 0.0) - (before.facing_deg or 0.0) + 180.0) % 360.0 - 180.0
    return apart > _SMALLEST_MOVE_CM or abs(turn) > _SMALLEST_TURN_DEG
