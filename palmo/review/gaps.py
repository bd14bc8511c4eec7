"""The gap between two figures measured in a review: how far apart their outlines were, whether adjacent."""

from __future__ import annotations

from dataclasses import dataclass

from overlay.review.desk import Asked
from palmo.convert import rules_ring
from palmo.errors import SaidError
from palmo.event import FighterSection
from palmo.judging import fighter_called
from palmo.play.table import agreed_rulings
from palmo.review.corrections import FootPoint
from palmo.review.evidence import Evidence
from palmo.review.measuring import end_of, labels_of
from palmo.review.past import Past
from palmo.scene import figure
from palmo.stays import Stay
from rules.annotations import Annotation, Banner, Ghost, RingEdge, Ruler, Tone
from rules.questions import Finding, adjacent
from rules.scene import Point
from rules.smackkatz.book import EDITIONS
from rules.text import Text

TONES: dict[str, Tone] = {"adjacent": "legal", "apart": "illegal", "too_close": "doubt"}


@dataclass(frozen=True, eq=False)
class Gap:
    """A gap measured at one moment: who, where both stood, and what the rules' question says of it.

    `entries` is how many entries of the log had agreed on the limit; None: the event file did.
    """

    asked: Asked
    fighters: tuple[FighterSection, FighterSection]
    stays: tuple[Stay, Stay]
    finding: Finding
    entries: int | None
    by_hand: tuple[FootPoint, ...]

    @property
    def verdict(self) -> str:
        """adjacent, apart or too_close."""
        if self.finding.too_close:
            return "too_close"
        return "adjacent" if self.finding.answer else "apart"

    @property
    def tone(self) -> Tone:
        """How it is coloured; in doubt when the camera had moved."""
        return "doubt" if any(stay.camera_moved for stay in self.stays) else TONES[self.verdict]

    @property
    def ids(self) -> tuple[str, ...]:
        """Whom it is about."""
        return tuple(one.id for one in self.fighters)

    @property
    def name(self) -> str:
        """The names of both."""
        return " – ".join(one.name for one in self.fighters)

    @property
    def places(self) -> tuple[Point, ...]:
        """Where they stood, in cm."""
        return tuple((stay.track.x or 0.0, stay.track.y or 0.0) for stay in self.stays)

    @property
    def rests_on(self) -> tuple[float, float]:
        """The times in seconds between which the evidence for it lies."""
        return min(stay.first_t for stay in self.stays), max(stay.last_t for stay in self.stays)


def measure_gap(evidence: Evidence, past: Past, points: list[FootPoint], asked: Asked) -> Gap:
    """Measure the gap between two fighters in the frame `after`. Raises PalmoError, saying what to choose."""
    event = evidence.setup.event
    one, other = (fighter_called(event, called) for called in (asked.fighter, asked.other or ""))
    if one.id == other.id:
        raise SaidError("error.review.same")
    if not 0 <= asked.after < len(evidence.frames):
        raise SaidError("error.review.order")
    stood = [end_of(evidence, points, who.id, asked.after) for who in (one, other)]
    figures = [
        figure(who, stay.track, stay.outline) for who, (stay, _) in zip((one, other), stood, strict=True)
    ]
    t = evidence.times[asked.after]
    agreed = past.rulings(t)
    if agreed is None:
        catalogue = EDITIONS[event.match.edition].catalogue
        agreed = dict(catalogue.resolve(agreed_rulings(event.match)))
    finding = adjacent(*figures, agreed["adjacent_gap_cm"], agreed["ask_band_cm"])
    used = dict.fromkeys(point for _, point in stood if point is not None)
    entries = past.entries_at(t) if past.known else None
    return Gap(asked, (one, other), (stood[0][0], stood[1][0]), finding, entries, tuple(used))


def shown_gap(evidence: Evidence, past: Past, number: int, found: Gap) -> tuple[Annotation, ...]:
    """What is drawn over a frame: both outlines as they were measured, and the gap between them."""
    distance, points = found.finding.distance, found.finding.points
    drawn: list[Annotation] = [RingEdge(rules_ring(evidence.setup.event).corners)]
    for stay in found.stays:
        if stay.outline is not None:
            drawn.append(Ghost(stay.fighter, stay.outline))
    if distance is not None and points is not None:
        said = Text("review.gap", {"cm": distance.value, "error": distance.error95})
        drawn.append(Ruler(points, 1.0, distance.sd, found.tone, said))
    drawn.append(Banner(found.finding.text, found.tone, found.finding.rules))
    ids = found.ids
    return (*drawn, *(one for one in labels_of(evidence, past, number) if one.figure in ids))
