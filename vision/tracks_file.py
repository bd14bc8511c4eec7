"""Reading and writing `tracks.jsonl`, one line per frame (see `vision.tracks_line`).

`outline` is left out of frames where it did not change, `error` where the fragment did not; reading puts the
error back, not the outline.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, TextIO

from calibration.sentences import Said
from vision.tracks import Track, TrackFrame, TracksError, TracksUnreadError
from vision.tracks_line import decode, encode

_log = logging.getLogger(__name__)
# In bytes; a frame of six fighters with all their outlines and errors takes 7,000.
_LONGEST_LINE = 4_000_000


class TracksWriter:
    """Writes tracks.jsonl line by line; a context manager.

    An outline or error that has not changed since the fighter's last line is left out.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file: TextIO = path.open("w", encoding="utf-8", newline="\n")
        self._last: dict[str, Track] = {}

    def __enter__(self) -> TracksWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def write(self, frame: TrackFrame) -> None:
        """Append one frame. The line is complete or absent: it is written in one piece."""
        fighters = {name: self._news(name, track) for name, track in frame.fighters.items()}
        self._file.write(encode(replace(frame, fighters=fighters)) + "\n")

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _news(self, name: str, track: Track) -> Track:
        before = self._last.get(name)
        outline = track.outline or (before.outline if before else None)
        self._last[name] = replace(track, outline=outline)
        if before is None:
            return track
        outline = None if outline == before.outline else outline
        same_fragment = track.fragment is not None and track.fragment == before.fragment
        error = None if same_fragment and track.error == before.error else track.error
        return replace(track, outline=outline, error=error)


def write_tracks(path: Path, frames: Iterable[TrackFrame]) -> int:
    """Write frames to a file; returns how many."""
    count = 0
    with TracksWriter(path) as writer:
        for frame in frames:
            writer.write(frame)
            count += 1
    return count


def read_tracks(path: Path) -> list[TrackFrame]:
    """All frames of a tracks file. Raises TracksError with file and line."""
    frames = list(iterate_tracks(path))
    if not frames:
        sentence = "{path}: the file is empty; it should hold one line per frame"
        raise TracksError(Said("error.tracks.empty", sentence, path=path))
    return frames


def iterate_tracks(path: Path) -> Iterator[TrackFrame]:
    """The frames of a tracks file one by one. Raises TracksError with file and line.

    A last line that was cut off (a power failure, a full disk) is left out, with a warning in the log.
    """
    try:
        file = path.open("rb")
    except OSError as error:
        raise TracksUnreadError(error.errno, error.strerror, str(path)) from None
    last = -1
    errors: dict[str, Track] = {}
    with file:
        for number, line in enumerate(_whole_lines(file, path), start=1):
            if not line.strip():
                continue
            where = _line(path, number)
            frame = decode(line, where)
            if frame.frame <= last:
                order = Said(
                    "error.tracks.order",
                    "frame {frame} comes after frame {last}",
                    frame=frame.frame,
                    last=last,
                )
                raise TracksError(Said("error.at", "{at}: {what}", at=where, what=order))
            last = frame.frame
            yield _with_errors(frame, errors)


def _whole_lines(file: BinaryIO, path: Path) -> Iterator[str]:
    """The lines as text, without a last one that was cut off. Raises TracksError, or for a folder too."""
    try:
        for number, line in enumerate(iter(lambda: file.readline(_LONGEST_LINE), b""), start=1):
            if len(line) == _LONGEST_LINE:
                what = Said("error.tracks.long", "this line is too long for a file of tracks")
                raise TracksError(Said("error.at", "{at}: {what}", at=_line(path, number), what=what))
            if number > 1 and not line.endswith(b"\n") and _cut_off(line):
                _log.warning(
                    Said(
                        "warning.tracks.cut",
                        "{path}, line {line}: the file is cut off here; everything before it was read",
                        path=path,
                        line=number,
                    )
                )
                return
            try:
                yield line.decode("utf-8-sig" if number == 1 else "utf-8")
            except UnicodeDecodeError:
                what = Said("error.tracks.no_text", "this is not text")
                raise TracksError(
                    Said("error.at", "{at}: {what}", at=_line(path, number), what=what)
                ) from None
    except OSError as error:
        raise TracksUnreadError(error.errno, error.strerror, str(path)) from None


def _cut_off(line: bytes) -> bool:
    """Whether a line is the beginning of a record, or the zeros a power cut leaves where it was to stand."""
    try:
        json.loads(line)
    except RecursionError:
        return False
    except ValueError:
        return line[:1] in (b"{", b"\0")
    return False


def _with_errors(frame: TrackFrame, last: dict[str, Track]) -> TrackFrame:
    """The frame with the errors that were left out because the fragment goes on."""
    fighters = dict(frame.fighters)
    for name, track in frame.fighters.items():
        before = last.get(name)
        goes_on = before is not None and track.fragment is not None and track.fragment == before.fragment
        if before is not None and goes_on and track.error is None:
            fighters[name] = replace(track, error=before.error)
        if track.fragment is not None:
            last[name] = fighters[name]
    return replace(frame, fighters=fighters)


def _line(path: Path, number: int) -> Said:
    """Where in a file something stands."""
    return Said("error.tracks.line", "{path}, line {line}", path=path, line=number)
