"""Rulings saved with all that they rest on, each in a folder of its own that is never changed again.

    MATCH_FOLDER/rulings/001/ruling.json          what was asked, what was ruled, by whom
    MATCH_FOLDER/rulings/001/evidence/1/...       set-up, positions, and the pictures from before to after
    MATCH_FOLDER/rulings/001/match.jsonl          the match log as far as it led there
    MATCH_FOLDER/rulings/001/review.jsonl         the points put by hand

A ruling's folder is a match folder: it can be reviewed again, on any computer.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from overlay.review.desk import Asked, Decision
from palmo.errors import SaidError, reason
from palmo.live.folder import LOG
from palmo.outputs import replacing
from palmo.review.corrections import REVIEW
from palmo.review.evidence import Evidence
from palmo.review.gaps import Gap
from palmo.review.kept_json import as_kept
from palmo.review.measuring import Measurement
from palmo.review.past import Past
from palmo.review.pictures import Footage
from palmo.review.setup_file import EVENT, EVIDENCE, REMARKS, SETUP

RULINGS, RULING = "rulings", "ruling.json"
FORMAT = 1


@dataclass(frozen=True)
class Ruling:
    """A ruling: on which move (its frames by their times in seconds), in whose palms, and what was ruled.

    With `other` it is on the gap between the two at `after_t`.
    """

    number: int
    session: int
    fighter: str
    before_t: float
    after_t: float
    player: str | None
    allow: float | None
    decision: Decision
    words: str
    by: str
    other: str | None = None

    def asked(self, evidence: Evidence) -> Asked:
        """What was asked, in the frame numbers of some evidence of its session."""
        before, after = evidence.number_at(self.before_t), evidence.number_at(self.after_t)
        return Asked(self.fighter, before, after, self.player, self.allow, self.other)


def folder_of(match: Path, number: int) -> Path:
    """Where a ruling is kept."""
    return match / RULINGS / f"{number:03d}"


def rulings(match: Path) -> list[Ruling]:
    """The rulings kept in a match folder, in order. Raises PalmoError for one that is none."""
    found = sorted(path.parent for path in (match / RULINGS).glob(f"*/{RULING}"))
    return [load_ruling(path) for path in found]


def load_ruling(folder: Path) -> Ruling:
    """The ruling in its folder. Raises PalmoError."""
    path = folder / RULING
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        if data.pop("format") != FORMAT:
            raise ValueError("another format")
        return as_kept(Ruling, data)
    except OSError as error:
        raise SaidError("error.review.unread", path=path, why=reason(error)) from None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise SaidError("error.review.ruling", path=path) from None


def keep_ruling(
    match: Path, evidence: Evidence, past: Past, found: Measurement | Gap, said: Mapping[str, Any]
) -> Ruling:
    """Save a ruling on a measured move with its evidence; `said` are its decision, words and by.

    Raises PalmoError when it cannot be written; a half-written ruling does not count.
    """
    known = [int(path.name) for path in (match / RULINGS).glob("*") if path.name.isdecimal()]
    number, asked = max(known, default=0) + 1, found.asked
    ruling = Ruling(
        number=number,
        session=int(evidence.folder.name),
        fighter=found.ids[0],
        before_t=round(evidence.times[asked.before], 4),
        after_t=round(evidence.times[asked.after], 4),
        player=asked.player,
        allow=asked.allow,
        other=asked.other,
        **said,
    )
    folder = folder_of(match, number)
    try:
        _keep_evidence(folder, match, evidence, past, found)
        text = json.dumps({"format": FORMAT, **asdict(ruling)}, ensure_ascii=False, indent=1)
        # Last: a folder without it is no ruling.
        with replacing(folder / RULING) as place:
            place.write_text(text + "\n", encoding="utf-8")
    except OSError as error:
        raise SaidError("error.folder.unwritten", path=folder, why=reason(error)) from None
    return ruling


def _keep_evidence(
    folder: Path, match: Path, evidence: Evidence, past: Past, found: Measurement | Gap
) -> None:
    session = folder / EVIDENCE / evidence.folder.name
    session.mkdir(parents=True)
    for name in (EVENT, SETUP, REMARKS):
        _copied(evidence.folder / name, session / name)
    (start, end), asked = found.rests_on, found.asked
    shown = _files(evidence, asked.before, asked.after)
    first, last = evidence.number_at(start), evidence.number_at(end)
    for one in _files(evidence, min(asked.before, first), max(asked.after, last)):
        _kept(one.tracks, session, evidence)
        if one in shown and one.video is not None:
            _kept(one.video, session, evidence)
    _copied(match / REVIEW, folder / REVIEW)
    lines = past.lines(past.entries_told_by(end))
    if lines:
        (folder / LOG).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def _files(evidence: Evidence, first: int, last: int) -> list[Footage]:
    """The files of frames first to last, in order."""
    return list(dict.fromkeys(evidence.pictures.footage_of(number) for number in range(first, last + 1)))


def _kept(source: Path, folder: Path, evidence: Evidence) -> None:
    """Have a file in another folder too. What a match may still be writing to is copied as it is now."""
    goal = folder / source.name
    if evidence.setup.live and source.stem == evidence.newest:
        _copied(source, goal)
        return
    try:
        os.link(source, goal)
    except OSError:
        _copied(source, goal)


def _copied(source: Path, goal: Path) -> None:
    if source.is_file():
        shutil.copyfile(source, goal)
