"""Reading and writing `tracks.jsonl`: one JSON object per frame, strict in both directions.

Besides the keys of the contract a track may carry `fragment` and `error`. `outline` is left out of frames
where it did not change, `error` where the fragment did not; reading puts the error back, not the outline.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any, NoReturn, TextIO, get_args

from vision.tracks import FacingSource, Posture, State, Track, TrackFrame, TracksError, Zone

# Digits kept: hundredths of a millimetre, variances to match, tenths of a degree, tenths of a millisecond.
_DIGITS = {"x": 3, "y": 3, "sx": 4, "sy": 4, "sxy": 6, "facing_deg": 2, "facing_sd_deg": 2}
_NUMBERS = tuple(_DIGITS)
_CHOICES: dict[str, tuple[str, ...]] = {
    "state": get_args(State),
    "facing_source": get_args(FacingSource),
    "posture": get_args(Posture),
    "zone": get_args(Zone),
}
_REQUIRED = {*_NUMBERS, *_CHOICES}
_OPTIONAL = {"outline", "fragment", "error"}


def encode(frame: TrackFrame) -> str:
    """One line of tracks.jsonl, without the line end. Raises TracksError for numbers that are not finite."""
    fighters = {name: _encode_track(track) for name, track in frame.fighters.items()}
    record = {"frame": frame.frame, "t": round(frame.t, 4), "fighters": fighters}
    try:
        return json.dumps(record, separators=(",", ":"), allow_nan=False)
    except ValueError:
        raise TracksError(f"frame {frame.frame}: a number is not finite") from None


def _encode_track(track: Track) -> dict[str, Any]:
    record: dict[str, Any] = {}
    for key in _NUMBERS:
        value = getattr(track, key)
        record[key] = None if value is None else round(value, _DIGITS[key])
    for key in _CHOICES:
        record[key] = getattr(track, key)
    if track.outline is not None:
        record["outline"] = [[round(x, 2), round(y, 2)] for x, y in track.outline]
    if track.fragment is not None:
        record["fragment"] = track.fragment
    if track.error is not None:
        record["error"] = track.error
    return record


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
        raise TracksError(f"{path}: the file is empty; it should hold one line per frame")
    return frames


def iterate_tracks(path: Path) -> Iterator[TrackFrame]:
    """The frames of a tracks file one by one. Raises TracksError with file and line."""
    try:
        file = path.open(encoding="utf-8")
    except OSError as error:
        raise TracksError(f"{path}: {error.strerror or error}") from None
    last = -1
    errors: dict[str, Track] = {}
    with file:
        number = 0
        try:
            for number, line in enumerate(file, start=1):
                if not line.strip():
                    continue
                frame = _decode(line, f"{path}, line {number}")
                if frame.frame <= last:
                    raise TracksError(f"{path}, line {number}: frame {frame.frame} comes after frame {last}")
                last = frame.frame
                yield _with_errors(frame, errors)
        except UnicodeDecodeError:
            raise TracksError(f"{path}, line {number + 1}: this is not text") from None


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


def decode(line: str) -> TrackFrame:
    """The frame of one line. Raises TracksError."""
    return _decode(line, "tracks")


def _decode(line: str, where: str) -> TrackFrame:
    try:
        record = json.loads(line, parse_constant=lambda name: _refuse(where, f"{name} is not a number"))
    except json.JSONDecodeError as error:
        cut = "" if line.endswith("\n") else "; the file seems to be cut off here"
        _refuse(where, f"this is not JSON ({error.msg} at column {error.colno}){cut}")
    if not isinstance(record, dict) or set(record) != {"frame", "t", "fighters"}:
        _refuse(where, 'a line is an object with exactly the keys "frame", "t" and "fighters"')
    frame, t, fighters = record["frame"], record["t"], record["fighters"]
    if not isinstance(frame, int) or isinstance(frame, bool) or frame < 0:
        _refuse(where, f'"frame" is {frame!r}; it counts frames from 0')
    if not _is_number(t):
        _refuse(where, f'"t" is {t!r}; it is the time in seconds')
    if not isinstance(fighters, dict):
        _refuse(where, '"fighters" is an object with one entry per fighter')
    tracks = {name: _decode_track(entry, f"{where}, {name}") for name, entry in fighters.items()}
    return TrackFrame(frame, float(t), tracks)


def _decode_track(entry: Any, where: str) -> Track:
    if not isinstance(entry, dict):
        _refuse(where, "a fighter's entry is an object")
    missing, unknown = _REQUIRED - set(entry), set(entry) - _REQUIRED - _OPTIONAL
    if missing:
        _refuse(where, f'"{min(missing)}" is missing')
    if unknown:
        _refuse(where, f'"{min(unknown)}" is not a key of a track')
    values: dict[str, Any] = dict(entry)
    for key in _NUMBERS:
        if values[key] is not None and not _is_number(values[key]):
            _refuse(where, f'"{key}" is {values[key]!r}; it is a number or null')
    for key, choices in _CHOICES.items():
        if values[key] not in choices:
            _refuse(where, f'"{key}" is {values[key]!r}; it is one of {", ".join(choices)}')
    values["outline"] = _decode_outline(values.get("outline"), where)
    fragment, error = values.get("fragment"), values.get("error")
    if fragment is not None and (not isinstance(fragment, int) or isinstance(fragment, bool) or fragment < 0):
        _refuse(where, f'"fragment" is {fragment!r}; it counts from 0')
    if error is not None and not isinstance(error, dict):
        _refuse(where, '"error" is an object')
    return Track(**values)


def _decode_outline(outline: Any, where: str) -> tuple[tuple[float, float], ...] | None:
    if outline is None:
        return None
    pairs = isinstance(outline, list) and all(
        isinstance(point, list) and len(point) == 2 and all(_is_number(c) for c in point) for point in outline
    )
    if not pairs or len(outline) < 3:
        _refuse(where, '"outline" is a list of at least three points [x, y]')
    return tuple((float(x), float(y)) for x, y in outline)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _refuse(where: str, what: str) -> NoReturn:
    raise TracksError(f"{where}: {what}")
