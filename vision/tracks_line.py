"""One line of `tracks.jsonl`: a frame as JSON, strict in both directions.

Besides the keys of the contract a track may carry `fragment` and `error`, and a frame `camera_moved`.
"""

from __future__ import annotations

import json
import math
import sys
from typing import Any, NoReturn, get_args

from calibration.sentences import Said
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
        sentence = "frame {frame}: a number is not finite"
        raise TracksError(Said("error.tracks.not_finite", sentence, frame=frame.frame)) from None


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


def decode(line: str, where: str = "tracks") -> TrackFrame:
    """The frame of one line. Raises TracksError, which begins with `where` the line is."""
    try:
        record = json.loads(
            line,
            parse_constant=lambda name: _refuse(
                where, Said("error.tracks.no_number", "{name} is not a number", name=name)
            ),
        )
    except json.JSONDecodeError as error:
        if line.endswith("\n"):
            _refuse(
                where, Said("error.tracks.json", "this is not JSON (column {column})", column=error.colno)
            )
        _refuse(
            where,
            Said(
                "error.tracks.cut",
                "this is not JSON (column {column}); the file seems to be cut off here",
                column=error.colno,
            ),
        )
    except TracksError:
        raise
    except RecursionError:
        _refuse(where, Said("error.tracks.deep", "this is nested too deeply"))
    except ValueError:
        _refuse(where, Said("error.tracks.digits", "a number has too many digits"))
    if not isinstance(record, dict) or set(record) - {"camera_moved"} != {"frame", "t", "fighters"}:
        _refuse(
            where,
            Said(
                "error.tracks.keys", 'a line is an object with exactly the keys "frame", "t" and "fighters"'
            ),
        )
    moved = record.get("camera_moved", False)
    if not isinstance(moved, bool):
        _refuse(
            where,
            Said("error.tracks.moved", '"camera_moved" is {value}; it is true or false', value=_short(moved)),
        )
    frame, t, fighters = record["frame"], record["t"], record["fighters"]
    if not _counts(frame):
        _refuse(
            where,
            Said("error.tracks.frame", '"frame" is {value}; it counts frames from 0', value=_short(frame)),
        )
    if not _is_number(t):
        _refuse(where, Said("error.tracks.t", '"t" is {value}; it is the time in seconds', value=_short(t)))
    if not isinstance(fighters, dict):
        _refuse(where, Said("error.tracks.fighters", '"fighters" is an object with one entry per fighter'))
    tracks = {
        name: _decode_track(entry, Said("error.tracks.fighter", "{at}, {name}", at=where, name=name))
        for name, entry in fighters.items()
    }
    return TrackFrame(frame, float(t), tracks, moved)


def _decode_track(entry: Any, where: str) -> Track:
    if not isinstance(entry, dict):
        _refuse(where, Said("error.tracks.entry", "a fighter's entry is an object"))
    missing, unknown = _REQUIRED - set(entry), set(entry) - _REQUIRED - _OPTIONAL
    if missing:
        _refuse(where, Said("error.tracks.missing", '"{key}" is missing', key=min(missing)))
    if unknown:
        _refuse(where, Said("error.tracks.unknown", '"{key}" is not a key of a track', key=min(unknown)))
    values: dict[str, Any] = dict(entry)
    for key in _NUMBERS:
        if values[key] is not None and not _is_number(values[key]):
            _refuse(
                where,
                Said(
                    "error.tracks.number",
                    '"{key}" is {value}; it is a number or null',
                    key=key,
                    value=_short(values[key]),
                ),
            )
        if values[key] is not None and abs(values[key]) > _FARTHEST:
            _refuse(
                where,
                Said(
                    "error.tracks.far",
                    '"{key}" is {value}; no camera over a table measures that',
                    key=key,
                    value=f"{values[key]:g}",
                ),
            )
    for key, choices in _CHOICES.items():
        if values[key] not in choices:
            _refuse(
                where,
                Said(
                    "error.tracks.choice",
                    '"{key}" is {value}; it is one of {choices}',
                    key=key,
                    value=_short(values[key]),
                    choices=", ".join(choices),
                ),
            )
    values["outline"] = _decode_outline(values.get("outline"), where)
    fragment, error = values.get("fragment"), values.get("error")
    if fragment is not None and not _counts(fragment):
        _refuse(
            where,
            Said("error.tracks.fragment", '"fragment" is {value}; it counts from 0', value=_short(fragment)),
        )
    for key in ("sx", "sy", "facing_sd_deg"):
        if values[key] is not None and values[key] < 0:
            _refuse(
                where,
                Said(
                    "error.tracks.negative",
                    '"{key}" is {value}; a standard deviation is not negative',
                    key=key,
                    value=_short(values[key]),
                ),
            )
    if None not in (values["sx"], values["sy"], values["sxy"]):
        sx, sy = (values[key] + _SD_ROUNDING for key in ("sx", "sy"))
        if not _correlated(values["sxy"], sx**2, sy**2):
            _refuse(
                where,
                Said(
                    "error.tracks.sxy",
                    '"sxy" is {value}; it is not more than sx times sy',
                    value=_short(values["sxy"]),
                ),
            )
    if error is not None:
        _check_error(error, where)
    return Track(**values)


def _check_error(error: Any, where: str) -> None:
    """Refuse an error record that a move could not be judged by (see `vision.measuring.displacement`)."""
    if not isinstance(error, dict):
        _refuse(where, Said("error.tracks.error", '"error" is an object'))
    missing = {"fragment", "own", "camera", "figure", "basis"} - set(error)
    if missing:
        _refuse(where, Said("error.tracks.error.lacks", '"error" lacks "{key}"', key=min(missing)))
    if not _counts(error["fragment"]):
        _refuse(
            where,
            Said(
                "error.tracks.error.fragment",
                '"fragment" of "error" is {value}; it counts from 0',
                value=_short(error["fragment"]),
            ),
        )
    if not isinstance(error["basis"], str):
        _refuse(
            where,
            Said(
                "error.tracks.error.basis",
                '"basis" of "error" is {value}; it is a text',
                value=_short(error["basis"]),
            ),
        )
    for reading in _listed(error.get("readings", [])):
        _check_reading(reading, error, where)
    for key in {"own", "outline"} & set(error):
        _check_variances(key, error[key], where)
    for key in ("camera", "figure"):
        rows = error[key]
        if not isinstance(rows, list) or len(rows) != 2 or not all(map(_is_row, rows)):
            _refuse(
                where,
                Said("error.tracks.error.rows", '"{key}" of "error" is two rows of numbers in cm', key=key),
            )
        if len(rows[0]) != len(rows[1]):
            _refuse(
                where,
                Said(
                    "error.tracks.error.lengths",
                    'the two rows of "{key}" of "error" are not of one length',
                    key=key,
                ),
            )


def _listed(readings: Any) -> list[Any]:
    return readings if isinstance(readings, list) else [readings]


def _check_reading(reading: Any, error: dict[str, Any], where: str) -> None:
    """Refuse what is no way in which a figure may stand (see `vision.measuring.readings`)."""
    numbers = ("share", "facing_deg", "facing_sd_deg", "x", "y")
    if not isinstance(reading, dict) or not _is_row([reading.get(key) for key in numbers]):
        what = '"readings" of "error" is a list of objects with the numbers {keys}'
        _refuse(where, Said("error.tracks.error.readings", what, keys=", ".join(numbers)))
    _check_error({**reading, "fragment": error["fragment"], "basis": error["basis"], "readings": []}, where)


def _check_variances(key: str, given: Any, where: str) -> None:
    """Refuse what is no covariance of a point."""
    if not _is_row(given) or len(given) != 3:
        _refuse(
            where,
            Said(
                "error.tracks.error.own",
                '"{key}" of "error" is three numbers, the variances xx, xy, yy in cm^2',
                key=key,
            ),
        )
    xx, xy, yy = given
    if xx < 0 or yy < 0 or not _correlated(xy, xx + _ROUNDING, yy + _ROUNDING):
        _refuse(
            where,
            Said(
                "error.tracks.error.variances",
                '"{key}" of "error" is {value}; no variances can be so',
                key=key,
                value=_short(given),
            ),
        )


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
        _refuse(where, Said("error.tracks.outline", '"outline" is a list of at least three points [x, y]'))
    far = next((c for point in outline for c in point if abs(c) > _FARTHEST), None)
    if far is not None:
        _refuse(
            where,
            Said(
                "error.tracks.far",
                '"{key}" is {value}; no camera over a table measures that',
                key="outline",
                value=f"{far:g}",
            ),
        )
    return tuple((float(x), float(y)) for x, y in outline)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= sys.float_info.max


def _short(value: Any) -> str:
    """A value as it is quoted in a sentence."""
    text = repr(value)
    return text if len(text) <= 60 else text[:59] + "…"


def _refuse(where: str, what: Said) -> NoReturn:
    raise TracksError(Said("error.at", "{at}: {what}", at=where, what=what))
