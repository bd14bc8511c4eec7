"""What a report tells, worked out from a ruling's folder alone: no clock, no chance, no place on a disk."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera
from overlay.answers import jpeg
from overlay.i18n import translate
from overlay.picture import draw
from overlay.review.desk import Verdict
from palmo import __version__
from palmo.live.folder import LOG
from palmo.review.corrections import REVIEW, Corrections
from palmo.review.evidence import Evidence, open_evidence
from palmo.review.gaps import Gap
from palmo.review.measuring import Measurement
from palmo.review.on_picture import drawn, measured
from palmo.review.past import Past
from palmo.review.rulings import RULING, Ruling, load_ruling
from palmo.review.setup_file import EVIDENCE
from palmo.review.verdicts import by_hand, gap_notes, notes, numbers, view
from rules.annotations import Annotation, Banner, FighterTag, RingEdge
from rules.text import Text

Image = NDArray[np.uint8]
# What is shown around a move, in cm, and of which shape; never less than this share of the picture's width.
_AROUND_CM = 24.0
_ASPECT = 4 / 3
_LEAST_SHARE = 0.45
# A printed picture is so many pixels wide.
_WIDTH_PX = 780
_QUALITY = 88


@dataclass(frozen=True)
class Shown:
    """A picture as JPEG with its size in pixels and the sentence under it."""

    jpeg: bytes
    size: tuple[int, int]
    caption: str


@dataclass(frozen=True)
class Facts:
    """All that stands on the page, in one language."""

    lang: str
    ruling: Ruling
    verdict: Verdict
    name: str
    measured_by: str
    headline: str
    sentence: str
    numbers: Sequence[str]
    notes: Sequence[str]
    by_hand: Sequence[str]
    before: Shown
    after: Shown
    hashes: Sequence[tuple[str, str]]
    made: str

    def say(self, key: str, **values: float | int | str | Text) -> str:
        """A sentence of the catalogue in this report's language."""
        return translate(Text(key, {**values}), self.lang)


def facts_of(folder: Path, lang: str) -> Facts:
    """The facts of the ruling kept in a folder. Raises PalmoError or EventError."""
    ruling = load_ruling(folder)
    evidence = open_evidence(folder, ruling.session)
    try:
        return _facts(folder, ruling, evidence, lang)
    finally:
        evidence.close()


def _facts(folder: Path, ruling: Ruling, evidence: Evidence, lang: str) -> Facts:
    setup = evidence.setup
    past = Past(folder / LOG, setup.entries)
    points = Corrections(folder).of(ruling.session)
    asked = ruling.asked(evidence)
    found = measured(evidence, past, points, asked)
    names = {fighter.id: fighter.name for fighter in setup.event.fighter}
    window, verdict = _window(evidence, found), view(found, setup.calibration.camera)

    def said(text: Text) -> str:
        return translate(text, lang, names).strip()

    def picture(frame: int, key: str, *, ruler: bool) -> Shown:
        drawn = _plain(evidence, past, frame, found, ruler=ruler)
        caption = Text(key, {"t": evidence.times[frame], "frame": evidence.frames[frame].frame})
        part, camera = _enlarged(evidence.pictures.picture(frame), setup.calibration.camera, window)
        drawn_on = draw(part, drawn, camera, lang, setup.colours)
        return Shown(jpeg(drawn_on, _QUALITY), camera.size, said(caption))

    versions = {"palmo": __version__, "then": setup.versions.get("palmo", "?")}
    made = Text("report.made", {**versions, "rules": setup.versions.get("rules", "?")})
    return Facts(
        lang=lang,
        ruling=ruling,
        verdict=verdict,
        name=found.name,
        measured_by=said(_measured_by(found)),
        headline=said(Text(f"report.camera.{verdict.verdict}")),
        sentence=said(verdict.sentence),
        numbers=[] if isinstance(found, Gap) else [said(text) for text in numbers(found.judgement)],
        notes=[said(text) for text in (*_notes(found), *_warnings(evidence, past))],
        by_hand=[said(text) for text in by_hand(found)],
        before=picture(asked.before, "report.before", ruler=False),
        after=picture(asked.after, "report.after", ruler=True),
        hashes=_hashes(folder, setup.camera_sha256, said(Text("report.camera_hash"))),
        made=said(made),
    )


def _measured_by(found: Measurement | Gap) -> Text:
    """The sentence under the ruler: in which unit."""
    if isinstance(found, Gap):
        return Text("report.strip.cm")
    return Text("report.strip", {"player": found.judgement.player, "palm": found.judgement.palm_cm})


def _notes(found: Measurement | Gap) -> list[Text]:
    return gap_notes(found) if isinstance(found, Gap) else [*notes(found), Text("report.region")]


def _warnings(evidence: Evidence, past: Past) -> list[Text]:
    """What makes this measurement worth less: a ring that was not well calibrated, a log that is broken."""
    return [text for text in (evidence.setup.ring_warning, past.trouble) if text is not None]


def _plain(
    evidence: Evidence, past: Past, frame: int, found: Measurement | Gap, *, ruler: bool
) -> list[Annotation]:
    """What is drawn for print: nothing but the move; its verdict stands on the page."""
    kept: list[Annotation] = []
    for one in drawn(evidence, past, frame, found):
        if isinstance(one, Banner | RingEdge) or (
            isinstance(one, FighterTag) and one.figure not in found.ids
        ):
            continue
        if ruler or one.kind not in ("ruler", "ghost"):
            kept.append(one)
    return kept


def _window(evidence: Evidence, found: Measurement | Gap) -> tuple[int, int, int, int]:
    """The part of the picture (left, top, width, height) that shows the move with what is around it."""
    width, height = evidence.setup.calibration.size
    sides = (-_AROUND_CM, _AROUND_CM)
    corners = np.array([(x + dx, y + dy, 0.0) for x, y in found.places for dx in sides for dy in sides])
    pixels = evidence.setup.calibration.camera.project(corners)
    low, high = pixels.min(axis=0), pixels.max(axis=0)
    wide = max(high[0] - low[0], (high[1] - low[1]) * _ASPECT, _LEAST_SHARE * width)
    wide = min(wide, width, height * _ASPECT)
    size = (round(wide), min(round(wide / _ASPECT), height))
    middle = (low + high) / 2
    left, top = (
        int(np.clip(round(middle[axis] - size[axis] / 2), 0, whole - size[axis]))
        for axis, whole in enumerate((width, height))
    )
    return left, top, *size


def _enlarged(image: Image, camera: Camera, window: tuple[int, int, int, int]) -> tuple[Image, Camera]:
    """A part of a picture as large as it is printed, and the camera that would have taken it so."""
    left, top, width, height = window
    scale = _WIDTH_PX / width
    size = (_WIDTH_PX, round(height * scale))
    part = cv2.resize(image[top : top + height, left : left + width], size, interpolation=cv2.INTER_CUBIC)
    # Pixel centres lie at integers: the corner of the window is half a pixel before its first one.
    shift = np.array(
        [[scale, 0, scale * (0.5 - left) - 0.5], [0, scale, scale * (0.5 - top) - 0.5], [0, 0, 1]]
    )
    return np.asarray(part, np.uint8), replace(camera, K=shift @ camera.K, size=size)


def _hashes(folder: Path, camera: str, called: str) -> list[tuple[str, str]]:
    """Every file of the evidence with its SHA-256, and the calibration's own."""
    files = [folder / RULING, *sorted((folder / EVIDENCE).rglob("*")), folder / LOG, folder / REVIEW]
    found = [(called, camera)]
    for path in files:
        if path.is_file():
            with path.open("rb") as file:
                digest = hashlib.file_digest(file, "sha256").hexdigest()
            found.append((path.relative_to(folder).as_posix(), digest))
    return found
