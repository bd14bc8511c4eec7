"""A measurement as people read it: the number, the verdict, the sentences, who put which point."""

from __future__ import annotations

import numpy as np

from calibration.camera import Camera
from overlay.review.desk import Verdict
from palmo.judging import TONES, Judgement, sentences
from palmo.review.gaps import Gap
from palmo.review.measuring import Measurement
from palmo.stays import Stay
from rules.measured import Measured
from rules.text import Text


def view(found: Measurement | Gap, camera: Camera) -> Verdict:
    """The verdict of a measurement for pages and reports."""
    if isinstance(found, Gap):
        return _gap(found, camera)
    judgement = found.judgement
    ruling = judgement.ruling
    return Verdict(
        verdict=ruling.verdict,
        tone="doubt" if judgement.move.camera_moved else TONES[ruling.verdict],
        palms=ruling.palms.value,
        error=ruling.palms.error95,
        interval=judgement.palms_interval,
        limit=None if ruling.turned or ruling.stepped_back else ruling.limit,
        sentence=judgement.verdict,
        lines=(*numbers(judgement), *notes(found), *by_hand(found)),
        rules=ruling.rules,
        foot=(_foot(judgement.move.before, camera), _foot(judgement.move.after, camera)),
    )


def _gap(found: Gap, camera: Camera) -> Verdict:
    finding = found.finding
    distance = finding.distance or Measured(0.0, 0.0)
    low, high = distance.interval()
    return Verdict(
        verdict=found.verdict,
        tone=found.tone,
        palms=distance.value,
        error=distance.error95,
        interval=(max(low, 0.0), high),
        limit=finding.limit,
        sentence=finding.text,
        lines=(*gap_notes(found), *by_hand(found)),
        rules=finding.rules,
        foot=(_foot(found.stays[0], camera), _foot(found.stays[1], camera)),
        unit="cm",
    )


def gap_notes(found: Gap) -> list[Text]:
    """What else to know of a gap: who agreed on its limit, and whether the camera stood in its place."""
    limit = found.finding.limit or 0.0
    key = "review.gap.event" if found.entries is None else "review.gap.match"
    said = [Text(key, {"limit": limit, "entry": found.entries or 0})]
    if any(stay.camera_moved for stay in found.stays):
        said.append(Text("guard.on_air"))
    return said


def numbers(judgement: Judgement) -> list[Text]:
    """The sentences about a move without its verdict and rules, which stand apart."""
    apart = ("measure.verdict", "measure.rules")
    return [text for text in sentences(judgement) if text.key not in apart]


def notes(found: Measurement) -> list[Text]:
    """What else to know: on whose terms, with whose palm."""
    judgement, asked = found.judgement, found.asked
    said = []
    if asked.allow is not None:
        said.append(Text("review.terms.palms", {"palms": asked.allow}))
    elif found.terms is not None:
        said.append(Text("review.terms.match", {"speed": found.terms.speed, "entry": found.terms.entries}))
    else:
        said.append(Text("review.terms.sheet", {"speed": int(judgement.ruling.limit)}))
    if judgement.player != judgement.fighter.player:
        values = {"player": judgement.player, "owner": judgement.fighter.player}
        said.append(Text("review.other_palm", {**values}))
    return said


def by_hand(found: Measurement | Gap) -> list[Text]:
    """Which points a person put, who, and how exact they are."""
    return [
        Text("review.by_hand", {"who": point.by or Text("page.referee"), "t": point.t, "sd": point.sd_px})
        for point in found.by_hand
    ]


def _foot(stay: Stay, camera: Camera) -> tuple[float, float]:
    """The pixel of a ground point."""
    u, v = camera.project(np.array([[stay.track.x or 0.0, stay.track.y or 0.0, 0.0]]))[0]
    return float(u), float(v)
