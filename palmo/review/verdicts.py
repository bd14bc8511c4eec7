"""A measurement as people read it: the number, the verdict, the sentences, who put which point."""

from __future__ import annotations

import numpy as np

from calibration.camera import Camera
from overlay.review.desk import Verdict
from palmo.judging import TONES, sentences
from palmo.review.measuring import Measurement
from palmo.stays import Stay
from rules.text import Text


def view(found: Measurement, camera: Camera) -> Verdict:
    """The verdict of a measurement for pages and reports."""
    judgement = found.judgement
    ruling = judgement.ruling
    return Verdict(
        verdict=ruling.verdict,
        tone=TONES[ruling.verdict],
        palms=ruling.palms.value,
        error=ruling.palms.error95,
        interval=judgement.palms_interval,
        limit=None if ruling.turned or ruling.stepped_back else ruling.limit,
        sentence=ruling.text,
        lines=(*sentences(judgement)[:4], *notes(found)),
        rules=ruling.rules,
        foot=(_foot(judgement.move.before, camera), _foot(judgement.move.after, camera)),
    )


def notes(found: Measurement) -> list[Text]:
    """What else to know: on whose terms, with whose palm, which points a person put."""
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
    for point in found.by_hand:
        who = point.by or Text("page.referee")
        said.append(Text("review.by_hand", {"who": who, "t": point.t, "sd": point.sd_px}))
    return said


def _foot(stay: Stay, camera: Camera) -> tuple[float, float]:
    """The pixel of a ground point."""
    u, v = camera.project(np.array([[stay.track.x or 0.0, stay.track.y or 0.0, 0.0]]))[0]
    return float(u), float(v)
