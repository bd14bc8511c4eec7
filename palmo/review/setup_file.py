"""What a session was set up with, kept beside its pictures: the event file and a `setup.json`.

    MATCH_FOLDER/evidence/1/event.toml       the event file as it was at the start, byte for byte
    MATCH_FOLDER/evidence/1/setup.json       source, calibration with its hash, versions
    MATCH_FOLDER/evidence/1/remarks.jsonl    what source and tracker said, with the time
    MATCH_FOLDER/evidence/1/000000.mp4       pictures, one file every few seconds
    MATCH_FOLDER/evidence/1/000000.jsonl     their positions, one line for each picture of the file

Every start of `palmo live` in a folder is a session with a number of its own, and so is what comes after the
camera was calibrated again: a session has one calibration.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from calibration.result import RingCalibration
from palmo import __version__
from palmo.convert import ring_spec
from palmo.errors import SaidError, reason
from palmo.event import Event, load_event
from palmo.review.camera_file import calibration_json, calibration_of
from palmo.ring_file import plain_of, text_of
from palmo.workbench import Workbench
from rules.engine.match import VERSION
from rules.text import Text

EVIDENCE, EVENT, SETUP, REMARKS = "evidence", "event.toml", "setup.json", "remarks.jsonl"
FORMAT = 1


@dataclass(frozen=True, eq=False)
class Setup:
    """A session's set-up as it was kept. `entries` is how many entries the match log had at its start.

    `live` says that pictures were added while the match went on, and may still be.
    """

    event: Event
    calibration: RingCalibration
    camera_sha256: str
    event_sha256: str
    source: str
    ring_warning: Text | None
    colours: Mapping[str, str]
    entries: int
    live: bool
    versions: Mapping[str, str]


def sessions(folder: Path) -> list[int]:
    """The numbers of the sessions that a match folder keeps evidence of, in order."""
    found = (path.name for path in (folder / EVIDENCE).glob("*") if (path / SETUP).is_file())
    return sorted(int(name) for name in found if name.isdecimal() and name == str(int(name)))


def new_session(
    folder: Path, bench: Workbench, *, entries: int = 0, live: bool = True, event: bytes | None = None
) -> Path:
    """Keep a set-up in a match folder, with its event file's bytes where it is not the one on the disk.

    Returns the session's folder. Raises PalmoError.
    """
    under = folder / EVIDENCE
    try:
        taken = [int(path.name) for path in under.glob("*") if path.name.isdecimal()]
        path = under / str(max(taken, default=0) + 1)
        path.mkdir(parents=True)
        event = bench.event_path.read_bytes() if event is None else event
        (path / EVENT).write_bytes(event)
        text = json.dumps(_setup(bench, event, entries, live), ensure_ascii=False, indent=1)
        (path / SETUP).write_text(text + "\n", encoding="utf-8")
    except OSError as error:
        raise SaidError("error.folder.unwritten", path=under, why=reason(error)) from None
    return path


def load_setup(session: Path) -> Setup:
    """The set-up of a session's folder. Raises PalmoError or EventError when it cannot be what was kept."""
    path, event_path = session / SETUP, session / EVENT
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        event_sha256 = hashlib.sha256(event_path.read_bytes()).hexdigest()
    except OSError as error:
        raise SaidError("error.review.unread", path=error.filename or path, why=reason(error)) from None
    except (ValueError, RecursionError):
        raise SaidError("error.review.strange", path=path) from None
    event = load_event(event_path)
    try:
        if data["format"] != FORMAT:
            raise SaidError("error.review.format", path=path, found=str(data["format"]))
        if event_sha256 != data["event_sha256"]:
            raise SaidError("error.review.altered", path=event_path)
        warning = data["ring_warning"]
        return Setup(
            event=event,
            calibration=_calibration(data["calibration"], event, path),
            camera_sha256=str(data["calibration"]["camera"]["sha256"]),
            event_sha256=event_sha256,
            source=str(data["source"]),
            ring_warning=None if warning is None else text_of(warning),
            colours={str(name): str(colour) for name, colour in data["colours"].items()},
            entries=max(0, int(data["entries"])),
            live=bool(data["live"]),
            versions={str(name): str(version) for name, version in data["versions"].items()},
        )
    except (KeyError, TypeError, AttributeError, ValueError, OverflowError, RecursionError) as error:
        if isinstance(error, SaidError):
            raise
        raise SaidError("error.review.strange", path=path) from None


def _setup(bench: Workbench, event: bytes, entries: int, live: bool) -> dict[str, Any]:
    warning = bench.ring_warning
    return {
        "format": FORMAT,
        "source": plain_name(bench.source.name),
        "event_sha256": hashlib.sha256(event).hexdigest(),
        "calibration": calibration_json(bench.calibration),
        "ring_warning": None if warning is None else plain_of(warning),
        "colours": bench.colours,
        "entries": entries,
        "live": live,
        "versions": {"palmo": __version__, "rules": VERSION},
    }


def plain_name(source: str) -> str:
    """What a source is called in evidence that is sent around: of a file only its own name."""
    return source if "://" in source else Path(source).name


def _calibration(data: Mapping[str, Any], event: Event, path: Path) -> RingCalibration:
    try:
        return calibration_of(data, ring_spec(event))
    except ValueError:
        raise SaidError("error.review.altered", path=path) from None
