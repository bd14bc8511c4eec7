"""Reading and writing `tracks.jsonl`: one JSON object per frame, strict in both directions.

Besides the keys of the contract a track may carry `fragment` and `error`, and a frame `camera_moved`.
`outline` is left out of frames where it did not change, `error` where the fragment did not; reading puts the
error back, not the outline.
"""

from __future__ import annotations

import json
import logging
import math
import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, NoReturn, TextIO, get_args

from vision.tracks import FacingSource, Posture, State, Track, TrackFrame, TracksError, Zone

_log = logging.getLogger(__name__)

# Digits kept: hundredths of a millimetre, variances to match, tenths of a degree, tenths of a millisecond.
_DIGITS = {"x": 3, "y": 3, "sx": 4, "sy": 4, "sxy": 6, "facing_deg": 2, "facing_sd_deg": 2}
_NUMBERS = tuple(_DIGITS)
_CHOICES: dict[str, tuple[str, ...]] = {
    "state": get_args(State),
    "facing_source": get_args(FacingSource),
    "posture": get_args(Posture),
    "zone": get_args(Zone),
}
# In cm, degrees or cm^2: beyond it nothing can be a measurement, and squares would overflow.
_FARTHEST = 1e6
# What rounding to the digits that are kept may add to a variance and to a standard deviation.
_ROUNDING, _SD_ROUNDING = 1e-6, 1e-4
_REQUIRED = {*_NUMBERS, *_CHOICES}
_OPTIONAL = {"outline", "fragment", "error"}


def encode(frame: TrackFrame) -> str:
    """One line of tracks.jsonl, without the line end. Raises TracksError for numbers that are not finite."""
    fighters = {name: _encode_track(track) for name, track in frame.fighters.items()}
    record: dict[str, Any] = {"frame": frame.frame, "t": round(frame.t, 4), "fighters": fighters}
    if frame.camera_moved:
        record["camera_moved"] = True
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
    """The frames of a tracks file one by one. Raises TracksError with file and line.

    A last line that was cut off (a power failure, a full disk) is left out, with a warning in the log.
    """
    try:
        file = path.open("rb")
    except OSError as error:
        raise TracksError(f"{path}: {error.strerror or error}") from None
    last = -1
    errors: dict[str, Track] = {}
    with file:
        for number, line in enumerate(_whole_lines(file, path), start=1):
            if not line.strip():
                continue
            frame = _decode(line, f"{path}, line {number}")
            if frame.frame <= last:
                raise TracksError(f"{path}, line {number}: frame {frame.frame} comes after frame {last}")
            last = frame.frame
            yield _with_errors(frame, errors)


def _whole_lines(file: BinaryIO, path: Path) -> Iterator[str]:
    """The lines as text, without a last one that was cut off. Raises TracksError, or for a folder too."""
    try:
        for number, line in enumerate(file, start=1):
            if number > 1 and not line.endswith(b"\n") and _cut_off(line):
                _log.warning(
                    "%s, line %d: the file is cut off here; everything before it was read", path, number
                )
                return
            try:
                yield line.decode("utf-8")
            except UnicodeDecodeError:
                raise TracksError(f"{path}, line {number}: this is not text") from None
    except OSError as error:
        raise TracksError(f"{path}: {error.strerror or error}") from None


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


def decode(line: str) -> TrackFrame:
    """The frame of one line. Raises TracksError."""
    return _decode(line, "tracks")


def _decode(line: str, where: str) -> TrackFrame:
    try:
        record = json.loads(line, parse_constant=lambda name: _refuse(where, f"{name} is not a number"))
    except json.JSONDecodeError as error:
        cut = "" if line.endswith("\n") else "; the file seems to be cut off here"
        _refuse(where, f"this is not JSON ({error.msg} at column {error.colno}){cut}")
    except TracksError:
        raise
    except RecursionError:
        _refuse(where, "this is nested too deeply")
    except ValueError:
        _refuse(where, "a number has too many digits")
    if not isinstance(record, dict) or set(record) - {"camera_moved"} != {"frame", "t", "fighters"}:
        _refuse(where, 'a line is an object with exactly the keys "frame", "t" and "fighters"')
    moved = record.get("camera_moved", False)
    if not isinstance(moved, bool):
        _refuse(where, f'"camera_moved" is {_short(moved)}; it is true or false')
    frame, t, fighters = record["frame"], record["t"], record["fighters"]
    if not _counts(frame):
        _refuse(where, f'"frame" is {_short(frame)}; it counts frames from 0')
    if not _is_number(t):
        _refuse(where, f'"t" is {_short(t)}; it is the time in seconds')
    if not isinstance(fighters, dict):
        _refuse(where, '"fighters" is an object with one entry per fighter')
    tracks = {name: _decode_track(entry, f"{where}, {name}") for name, entry in fighters.items()}
    return TrackFrame(frame, float(t), tracks, moved)


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
            _refuse(where, f'"{key}" is {_short(values[key])}; it is a number or null')
        if values[key] is not None and abs(values[key]) > _FARTHEST:
            _refuse(where, f'"{key}" is {values[key]:g}; no camera over a table measures that')
    for key, choices in _CHOICES.items():
        if values[key] not in choices:
            _refuse(where, f'"{key}" is {_short(values[key])}; it is one of {", ".join(choices)}')
    values["outline"] = _decode_outline(values.get("outline"), where)
    fragment, error = values.get("fragment"), values.get("error")
    if fragment is not None and not _counts(fragment):
        _refuse(where, f'"fragment" is {_short(fragment)}; it counts from 0')
    for key in ("sx", "sy", "facing_sd_deg"):
        if values[key] is not None and values[key] < 0:
            _refuse(where, f'"{key}" is {_short(values[key])}; a standard deviation is not negative')
    if None not in (values["sx"], values["sy"], values["sxy"]):
        sx, sy = (values[key] + _SD_ROUNDING for key in ("sx", "sy"))
        if not _correlated(values["sxy"], sx**2, sy**2):
            _refuse(where, f'"sxy" is {_short(values["sxy"])}; it is not more than sx times sy')
    if error is not None:
        _check_error(error, where)
    return Track(**values)


def _check_error(error: Any, where: str) -> None:
    """Refuse an error record that a move could not be judged by (see `vision.measuring.displacement`)."""
    if not isinstance(error, dict):
        _refuse(where, '"error" is an object')
    missing = {"fragment", "own", "camera", "figure", "basis"} - set(error)
    if missing:
        _refuse(where, f'"error" lacks "{min(missing)}"')
    if not _counts(error["fragment"]):
        _refuse(where, f'"fragment" of "error" is {_short(error["fragment"])}; it counts from 0')
    if not isinstance(error["basis"], str):
        _refuse(where, f'"basis" of "error" is {_short(error["basis"])}; it is a text')
    own = error["own"]
    if not _is_row(own) or len(own) != 3:
        _refuse(where, '"own" of "error" is three numbers, the variances xx, xy, yy in cm^2')
    xx, xy, yy = own
    if xx < 0 or yy < 0 or not _correlated(xy, xx + _ROUNDING, yy + _ROUNDING):
        _refuse(where, f'"own" of "error" is {_short(own)}; no variances can be so')
    for key in ("camera", "figure"):
        rows = error[key]
        if not isinstance(rows, list) or len(rows) != 2 or not all(map(_is_row, rows)):
            _refuse(where, f'"{key}" of "error" is two rows of numbers in cm')
        if len(rows[0]) != len(rows[1]):
            _refuse(where, f'the two rows of "{key}" of "error" are not of one length')


def _correlated(xy: float, xx: float, yy: float) -> bool:
    """Whether a covariance goes with two variances."""
    return abs(xy) - _ROUNDING <= math.sqrt(xx * yy)


def _is_row(row: Any) -> bool:
    """Whether something is a list of numbers that can be centimetres."""
    return isinstance(row, list) and all(_is_number(value) and abs(value) <= _FARTHEST for value in row)


def _counts(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


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
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= sys.float_info.max


def _short(value: Any) -> str:
    """A value as it is quoted in a sentence."""
    text = repr(value)
    return text if len(text) <= 60 else text[:59] + "…"


def _refuse(where: str, what: str) -> NoReturn:
    raise TracksError(f"{where}: {what}")
