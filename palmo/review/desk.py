"""A match folder on the reviewer's desk: what its pages ask for, answered from the evidence."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera
from overlay.review.desk import (
    Asked,
    Decision,
    Kind,
    MomentLine,
    Opened,
    Person,
    PointLine,
    Refused,
    RulingLine,
    Span,
    Verdict,
)
from palmo.errors import PalmoError, SaidError, texts, visible
from palmo.event import EventError
from palmo.live.folder import LOG
from palmo.review.corrections import Corrections
from palmo.review.evidence import Evidence, open_evidence
from palmo.review.gaps import Gap
from palmo.review.measuring import Measurement
from palmo.review.moments import moments
from palmo.review.on_picture import drawn, measured
from palmo.review.past import Past
from palmo.review.report import keep_reports, report
from palmo.review.rulings import folder_of, keep_ruling, rulings
from palmo.review.setup_file import sessions
from palmo.review.verdicts import view
from rules.annotations import Annotation
from rules.text import Text

Image = NDArray[np.uint8]


class ReviewDesk:
    """Implements `overlay.review.desk.Desk` over one session of a match folder."""

    def __init__(self, folder: Path, session: int | None = None) -> None:
        """Open it. Raises PalmoError or EventError."""
        self.folder = folder
        self.evidence: Evidence = open_evidence(folder, session)
        self.session = int(self.evidence.folder.name)
        setup = self.evidence.setup
        self.past = Past(folder / LOG, setup.entries, wanted=setup.live)
        self._corrections = Corrections(folder)
        self._lock = threading.RLock()

    def close(self) -> None:
        """Close what is open."""
        self.evidence.close()

    @property
    def remarks(self) -> list[Text]:
        """What everybody who looks at this match should know first."""
        return [one for one in (self.evidence.setup.ring_warning, self.past.trouble) if one is not None]

    # ---- overlay.review.desk.Desk

    @cached_property
    def opened(self) -> Opened:
        """What is under review."""
        evidence, event = self.evidence, self.evidence.setup.event
        fighters = [
            Person(one.id, one.name, one.player, self.colours.get(one.id, "")) for one in event.fighter
        ]
        players = [Person(one.id, one.id, palm_cm=one.palm_cm) for one in event.player]
        found = moments(evidence, self.past)
        return Opened(
            title=evidence.setup.source,
            size=evidence.setup.calibration.size,
            times=[round(t, 3) for t in evidence.times],
            fighters=fighters,
            players=players,
            spans={one.id: _spans(evidence, one.id) for one in event.fighter},
            moments=[
                MomentLine(one.kind, one.tone, one.frame, one.t, one.fighter, one.text, one.before, one.after)
                for one in found
            ],
            remarks=self.remarks,
            camera_sha256=evidence.setup.camera_sha256,
            session=self.session,
            sessions=sessions(self.folder),
        )

    @property
    def camera(self) -> Camera:
        """The camera the pictures were taken with."""
        return self.evidence.setup.calibration.camera

    @cached_property
    def names(self) -> Mapping[str, str]:
        """The fighters' names by id."""
        return {fighter.id: fighter.name for fighter in self.evidence.setup.event.fighter}

    @property
    def colours(self) -> Mapping[str, str]:
        """The fighters' colours by id."""
        return self.evidence.setup.colours

    def picture(self, frame: int) -> Image:
        """The picture of a frame."""
        self._frame(frame)
        try:
            return self.evidence.pictures.picture(frame)
        except PalmoError as error:
            raise Refused(texts(error)[0]) from None

    def drawn(self, frame: int, asked: Asked | None) -> tuple[Annotation, ...]:
        """What is drawn over a frame."""
        self._frame(frame)
        return drawn(self.evidence, self.past, frame, None if asked is None else self.measured(asked))

    def measure(self, asked: Asked) -> Verdict:
        """Measure a move."""
        return view(self.measured(asked), self.camera)

    def measured(self, asked: Asked) -> Measurement | Gap:
        """A measured move, or gap. Raises Refused."""
        with self._lock:
            try:
                return measured(self.evidence, self.past, self._corrections.of(self.session), asked)
            except PalmoError as error:
                raise Refused(texts(error)[0]) from None

    def points(self) -> Sequence[PointLine]:
        """The points put by hand that hold."""
        with self._lock:
            return [
                PointLine(
                    one.point, one.fighter, self.evidence.number_at(one.t), one.fragment, one.px, one.by
                )
                for one in self._corrections.of(self.session)
            ]

    def put_point(self, fighter: str, frame: int, px: tuple[float, float], by: str) -> None:
        """Put a foot point by hand."""
        self._frame(frame)
        with self._lock:
            try:
                self._on_table(fighter, px)
                track = self.evidence.frames[frame].fighters.get(fighter)
                fragment = None if track is None else track.fragment
                self._corrections.add(
                    self.session, fighter, fragment, self.evidence.times[frame], px, _written(by)
                )
            except PalmoError as error:
                raise Refused(texts(error)[0]) from None

    def withdraw_point(self, point: int, by: str) -> None:
        """Let a point no longer hold."""
        with self._lock:
            try:
                self._corrections.withdraw(point, _written(by))
            except PalmoError as error:
                raise Refused(texts(error)[0]) from None

    def rulings(self) -> Sequence[RulingLine]:
        """The rulings saved so far, of this session."""
        try:
            kept = [one for one in rulings(self.folder) if one.session == self.session]
        except PalmoError as error:
            raise Refused(texts(error)[0]) from None
        return [
            RulingLine(one.number, one.decision, one.words, one.by, one.asked(self.evidence)) for one in kept
        ]

    def rule(self, asked: Asked, decision: Decision, words: str, by: str) -> int:
        """Save a ruling with its evidence, and its report in every language."""
        said = {"decision": decision, "words": _written(words), "by": _written(by)}
        found = self.measured(asked)
        with self._lock:
            try:
                ruling = keep_ruling(self.folder, self.evidence, self.past, found, said)
                keep_reports(folder_of(self.folder, ruling.number))
            except PalmoError as error:
                raise Refused(texts(error)[0]) from None
        return ruling.number

    def report(self, number: int, kind: Kind, lang: str) -> bytes:
        """The report of a ruling, made anew from its evidence."""
        folder = folder_of(self.folder, number)
        if not folder.is_dir():
            raise Refused(Text("error.review.no_ruling", {"number": number}))
        try:
            return report(folder, kind, lang)
        except PalmoError as error:
            raise Refused(texts(error)[0]) from None

    # ---- inside

    def _frame(self, number: int) -> None:
        if not 0 <= number < len(self.evidence.frames):
            raise Refused(Text("error.review.frame", {"last": len(self.evidence.frames) - 1}))

    def _on_table(self, fighter: str, px: tuple[float, float]) -> None:
        """Refuse a point for nobody, outside the picture or where the table cannot be."""
        if fighter not in self.names:
            raise SaidError("error.review.fighter", fighter=fighter)
        width, height = self.camera.size
        inside = 0 <= px[0] < width and 0 <= px[1] < height
        if not inside or not np.isfinite(self.camera.to_plane(np.array([px]))).all():
            raise SaidError("error.review.off_table")


class ReviewDesks:
    """The desks of a match folder's sessions, each opened when somebody asks for it."""

    def __init__(self, folder: Path, session: int | None = None) -> None:
        """Open the session, or the newest. Raises PalmoError or EventError."""
        self._folder = folder
        self._first = ReviewDesk(folder, session)
        self._desks = {self._first.session: self._first}
        self._lock = threading.Lock()

    def __call__(self, session: int | None) -> ReviewDesk:
        """The desk of a session. Raises Refused."""
        with self._lock:
            if session is None:
                return self._first
            if session not in self._desks:
                try:
                    self._desks[session] = ReviewDesk(self._folder, session)
                except (PalmoError, EventError) as error:
                    raise Refused(texts(error)[0]) from None
            return self._desks[session]

    def close(self) -> None:
        """Close what is open."""
        for desk in self._desks.values():
            desk.close()


def _spans(evidence: Evidence, fighter: str) -> list[Span]:
    """A fighter's states in a row, each with the frames it lasts."""
    # How a fragment was measured is what its last frame says: while it is young nothing is known yet.
    doubtful = {
        stay.fragment for stay in evidence.stays[fighter] if stay.track.facing_source == "assumed"
    } - {0}

    def what(number: int) -> tuple[Any, ...]:
        track = evidence.frames[number].fighters.get(fighter)
        if track is None:
            return "lost", None, False
        return track.state, track.fragment, track.state == "placed" and track.fragment in doubtful

    found = []
    for (state, fragment, assumed), group in groupby(range(len(evidence.frames)), key=what):
        numbers = list(group)
        found.append(Span(state, numbers[0], numbers[-1], fragment, assumed))
    return found


def _written(words: str) -> str:
    """What somebody typed, as it is kept: what would steer a terminal or turn a line is spelled out."""
    return visible(words.strip())
