"""The newest minutes of a match on disk: short video files, each with the positions of its own pictures.

Old files go when the limits are reached, so a match of a whole evening needs no more room than a few minutes.
A file and its positions are complete by themselves: the first line of each tells every outline and error.

The pictures are kept as JPEG, each by itself: as the camera sent them, or compressed once for the evidence
and for the pages. That costs a quarter of the cheapest H.264, and a file that breaks off loses none of them.
"""

from __future__ import annotations

import contextlib
from collections import deque
from dataclasses import dataclass, replace
from pathlib import Path

from palmo.errors import SaidError, reason
from palmo.live.stillness import Stillness
from palmo.mp4 import Mp4File
from rules.scene import Point
from vision.sources.frames import Frame
from vision.tracks import TrackFrame, TracksError
from vision.tracks_file import TracksWriter, iterate_tracks

# A file holds so many seconds at most, and not more than this share of all the room: what goes is little.
_FILE_S = 10.0
_FILE_SHARE = 0.125
_MEGABYTE = 1_000_000
# Sizes are looked at once for so many pictures.
_LOOK_EVERY = 5


@dataclass(frozen=True)
class Limits:
    """How much of a match is kept: the newest so many minutes, in no more than so many megabytes."""

    minutes: float = 10.0
    megabytes: float = 2000.0


@dataclass(frozen=True)
class _Kept:
    """A finished file: its video and positions, how long it is in seconds and how large in bytes."""

    video: Path
    seconds: float
    size: int


class RingBuffer:
    """Writes pictures with their positions into a session's folder and lets the oldest go, of all sessions.

    Never more than the limits lie on the disk, the file being written included. Not for several threads.
    `path` is the folder.
    """

    def __init__(self, session: Path, size: tuple[int, int], fps: float, limits: Limits) -> None:
        self.path = session
        self._size, self._fps = size, fps
        self._seconds, self._bytes = 60.0 * limits.minutes, limits.megabytes * _MEGABYTE
        self._kept = deque(_kept(video) for video in sorted(session.parent.glob("*/*.mp4"), key=_age))
        self._number = 0
        self._video: Mp4File | None = None
        self._tracks: TracksWriter | None = None
        self._start = self._last = 0.0
        self._written = 0
        self._outlines: dict[str, tuple[Point, ...]] = {}
        self._stillness = Stillness()

    def write(self, frame: Frame, tracked: TrackFrame) -> None:
        """Add a picture and its positions, unless it shows nothing new. Raises PalmoError."""
        try:
            whole = self._whole(tracked)
            if self._stillness.broken_by(frame, whole):
                self._write(frame, whole)
        except (OSError, TracksError, SaidError) as error:
            # What comes next, if the disk has room again, is written into another file.
            with contextlib.suppress(OSError, SaidError):
                self._finish()
            if isinstance(error, SaidError):
                raise
            raise SaidError("error.folder.unwritten", path=self.path, why=reason(error)) from None

    def _write(self, frame: Frame, tracked: TrackFrame) -> None:
        full = tracked.t - self._start >= min(_FILE_S, self._seconds * _FILE_SHARE)
        if self._video is None or full or tracked.t < self._last or self._too_large():
            self._next(tracked.t)
        assert self._video is not None
        assert self._tracks is not None
        # The position first: a line without a picture is left out in reading.
        self._tracks.write(tracked)
        self._video.add(frame.jpeg, tracked.t - self._start)
        self._last = tracked.t
        self._written += 1
        if self._written % _LOOK_EVERY == 0:
            self._let_go()

    def close(self) -> None:
        """Finish the file being written. Raises PalmoError."""
        try:
            self._finish()
        except OSError as error:
            raise SaidError("error.folder.unwritten", path=self.path, why=reason(error)) from None

    def _finish(self) -> None:
        video, tracks = self._video, self._tracks
        self._video = self._tracks = None
        if tracks is not None:
            tracks.close()
        if video is not None:
            video.close()
            size = _size(video.path)
            self._kept.append(_Kept(video.path, self._last - self._start, size))
            self._let_go()

    def _next(self, t: float) -> None:
        self._finish()
        video = self.path / f"{self._number:06d}.mp4"
        self._video = Mp4File(video, self._size, self._fps or 30.0, "mjpeg", pix_fmt="yuvj420p")
        self._tracks = TracksWriter(video.with_suffix(".jsonl"))
        self._number += 1
        self._start = self._last = t

    def _too_large(self) -> bool:
        looked = self._written % _LOOK_EVERY == 0
        return looked and self._open_size() >= _FILE_SHARE * self._bytes

    def _open_size(self) -> int:
        return 0 if self._video is None else _size(self._video.path)

    def _let_go(self) -> None:
        """Delete the oldest files until what is left, and the one being written, keep to the limits."""
        seconds = sum(one.seconds for one in self._kept) + self._last - self._start
        size = sum(one.size for one in self._kept) + self._open_size()
        while self._kept and (seconds > self._seconds or size > self._bytes * (1 - _FILE_SHARE)):
            oldest = self._kept.popleft()
            oldest.video.unlink(missing_ok=True)
            oldest.video.with_suffix(".jsonl").unlink(missing_ok=True)
            seconds -= oldest.seconds
            size -= oldest.size

    def _whole(self, tracked: TrackFrame) -> TrackFrame:
        """The positions with every outline known so far: a tracker tells one only when it changes."""
        fighters = {}
        for name, track in tracked.fighters.items():
            if track.outline is not None:
                self._outlines[name] = track.outline
            fighters[name] = replace(track, outline=self._outlines.get(name))
        return replace(tracked, fighters=fighters)


def _age(video: Path) -> tuple[int, str]:
    """Sessions in the order of their numbers, files by theirs."""
    name = video.parent.name
    return int(name) if name.isdecimal() else 0, video.name


def _kept(video: Path) -> _Kept:
    """A file of an earlier session; one whose positions cannot be read counts as long as a whole one."""
    try:
        times = [frame.t for frame in iterate_tracks(video.with_suffix(".jsonl"))]
    except TracksError:
        times = []
    return _Kept(video, times[-1] - times[0] if times else _FILE_S, _size(video))


def _size(video: Path) -> int:
    """What a file and its positions take of the disk, in bytes."""
    paths = (video, video.with_suffix(".jsonl"))
    return sum(path.stat().st_size for path in paths if path.exists())
