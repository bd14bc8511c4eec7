"""Everything about a match's disputes as one archive for sending, the same bytes from the same folder.

Names in order, one date for all, no owner: the archive holds nothing that the evidence does not.
"""

from __future__ import annotations

import json
import os
import platform
import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import distributions
from pathlib import Path

from palmo.diagnosis import STEADY, diagnose
from palmo.errors import SaidError, reason, texts
from palmo.live.folder import LOG
from palmo.outputs import replacing
from palmo.review.corrections import REVIEW
from palmo.review.evidence import open_evidence
from palmo.review.report import reports
from palmo.review.rulings import RULINGS, folder_of, rulings
from palmo.review.setup_file import EVIDENCE, sessions
from rules.text import Text

# What the pages are made with: other versions may draw a letter or a line otherwise.
_MAKERS = (
    "palmo", "numpy", "opencv-python", "av", "shapely", "scipy", "reportlab", "pillow", "babel", "pydantic",
)  # fmt: skip
# The first day an archive can tell of.
_DATE = (1980, 1, 1, 0, 0, 0)
# Pictures are as small as they get.
_STORED = (".mp4", ".mkv", ".avi", ".mov", ".webm", ".jpg", ".png", ".pdf")
_PATH = re.compile(r"(?:[A-Za-z]:)?[\\/](?:[\w.~-]+[\\/])+[\w.~-]*")


@dataclass(frozen=True)
class Bundle:
    """What was bundled: how many files and rulings, how large the archive is in bytes, and what of the
    evidence in it is damaged."""

    files: int
    rulings: int
    size: int
    damage: tuple[Text, ...]


def bundle(folder: Path, out: Path, *, whole: bool = False) -> Bundle:
    """Write the archive of a match folder: its rulings, each with its evidence and reports.

    With `whole`, or when nothing was ruled, all that is kept of the match goes with them. Raises PalmoError
    or EventError for evidence that is broken.
    """
    kept = rulings(folder)
    if not sessions(folder):
        raise SaidError("error.review.none", path=folder)
    if not kept:
        # Nothing was ruled yet: the evidence as it is, if there is any.
        open_evidence(folder).close()
    made: dict[str, bytes] = {"versions.json": _versions(), "doctor.json": _doctor()}
    for one in kept:
        place = folder_of(folder, one.number)
        for name, data in reports(place).items():
            made[place.relative_to(folder).joinpath(name).as_posix()] = data
    files = {path.relative_to(folder).as_posix(): path for path in _evidence(folder, whole or not kept)}
    try:
        with replacing(out) as place, zipfile.ZipFile(place, "w") as archive:
            for name in sorted({*files, *made}):
                _add(archive, name, made[name] if name in made else files[name])
    except OSError as error:
        raise SaidError("error.review.zip", path=out, why=reason(error)) from None
    return Bundle(len({*files, *made}), len(kept), out.stat().st_size, tuple(_damage(folder)))


def _evidence(folder: Path, whole: bool) -> Iterator[Path]:
    """The files to be sent: log, points, rulings with their evidence; and if `whole` the sessions' own."""
    for name in (LOG, REVIEW):
        if (folder / name).is_file():
            yield folder / name
    for under in (RULINGS, EVIDENCE) if whole else (RULINGS,):
        # a link may lead out of the folder, to what is nobody's business
        every = sorted((folder / under).rglob("*"))
        yield from (path for path in every if path.is_file() and not path.is_symlink())


def _damage(folder: Path) -> Iterator[Text]:
    """What a review of the match would have to leave out."""
    for number in sessions(folder):
        try:
            evidence = open_evidence(folder, number)
        except ValueError as error:
            # a session may have been over before its first picture
            yield from (one for one in texts(error) if one.key != "error.review.empty")
            continue
        yield from evidence.left_out
        evidence.close()


def _add(archive: zipfile.ZipFile, name: str, content: bytes | Path) -> None:
    info = zipfile.ZipInfo(name, _DATE)
    info.compress_type = zipfile.ZIP_STORED if name.lower().endswith(_STORED) else zipfile.ZIP_DEFLATED
    info.external_attr = 0o644 << 16
    info.create_system = 3
    if isinstance(content, bytes):
        archive.writestr(info, content)
        return
    info.file_size = content.stat().st_size
    with content.open("rb") as source, archive.open(info, "w") as goal:
        while block := source.read(1 << 20):
            goal.write(block)


def _versions() -> bytes:
    found = {one.metadata["Name"].lower(): one.version for one in distributions()}
    versions = {name: found.get(name) for name in _MAKERS}
    system = {"python": platform.python_version(), "system": platform.system(), "machine": platform.machine()}
    return _json(system | versions)


def _doctor() -> bytes:
    """What `palmo doctor` says of this machine, as far as it is the same every time, without paths."""
    found = [check.to_json() | {"sentence": pathless(check.sentence)} for check in diagnose(only=STEADY)]
    return _json(found)


def pathless(sentence: str) -> str:
    """A sentence without the folders of this machine: of a path only its last name stays."""
    home = os.path.expanduser("~")  # noqa: PTH111  as text, to be looked for in text
    plain = sentence.replace(home, "~") if len(home) > 1 else sentence
    return _PATH.sub(lambda path: re.split(r"[\\/]", path[0].rstrip("\\/"))[-1], plain)


def _json(data: object) -> bytes:
    return (json.dumps(data, ensure_ascii=False, indent=1, sort_keys=True) + "\n").encode("utf-8")
