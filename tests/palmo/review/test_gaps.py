"""Gaps in a review: the rules' own question about two figures, with its error bar, and on the same report."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from overlay.i18n import translate
from overlay.review.desk import Asked, Refused
from palmo.review.desk import ReviewDesk
from palmo.review.report import report
from palmo.review.rulings import folder_of, load_ruling
from rules.annotations import Ghost, Ruler
from rules.geometry import gap
from tests.palmo.review.conftest import played

GAP = Asked("F1", 40, 40, other="F4")


def test_a_gap_is_what_the_rules_measure_between_the_outlines(desk: ReviewDesk) -> None:
    found = desk.measure(GAP)
    figures = desk.evidence.scene(40).figures
    distance, _ = gap(figures["F1"], figures["F4"])
    assert found.unit == "cm"
    assert found.palms == pytest.approx(distance.value, abs=0.05)
    assert found.error == pytest.approx(distance.error95, abs=0.1)
    assert found.interval[0] <= found.palms <= found.interval[1]
    assert (found.verdict, found.tone, found.limit) == ("apart", "illegal", 2.0)
    assert found.rules == ("RULING-30",)
    assert "event file" in translate(found.lines[0], "en")


def test_it_is_drawn_with_both_outlines(desk: ReviewDesk) -> None:
    drawn = desk.drawn(40, GAP)
    assert {one.figure for one in drawn if isinstance(one, Ghost)} == {"F1", "F4"}
    (ruler,) = [one for one in drawn if isinstance(one, Ruler)]
    ends = np.array(ruler.points)
    assert np.linalg.norm(ends[0] - ends[1]) == pytest.approx(desk.measure(GAP).palms, abs=1e-6)


def test_the_limit_is_the_one_the_match_agreed_on(folder: Path) -> None:
    played(folder).close()
    found = ReviewDesk(folder).measure(GAP)
    assert "entry" in translate(found.lines[0], "en")
    assert found.limit == 2.0


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        (Asked("F1", 40, 40, other="F1"), "two different"),
        (Asked("F1", 40, 40, other="F9"), "F9"),
        (Asked("F1", 24, 24, other="F4"), "not standing"),
        (Asked("F1", 0, 4000, other="F4"), "before"),
    ],
)
def test_what_cannot_be_measured_says_why(desk: ReviewDesk, asked: Asked, told: str) -> None:
    with pytest.raises(Refused) as refused:
        desk.measure(asked)
    assert told in translate(refused.value.text, "en")


def test_a_ruling_on_a_gap_keeps_its_evidence_and_report(desk: ReviewDesk, folder: Path) -> None:
    number = desk.rule(GAP, "stands", "力 tocaba", "Ελένη")
    kept = folder_of(folder, number)
    assert load_ruling(kept).other == "F4"
    page = report(kept, "html", "en").decode("utf-8")
    assert "The camera says: not adjacent" in page
    assert "El Santo de Barro – Lechuga Asesina" in page
    assert " cm" in page
    assert "palms" not in page.split("<h2>")[0]
    pdf = report(kept, "pdf", "en")
    assert pdf == report(kept, "pdf", "en")
    assert pdf.count(b"/Type /Page\n") == 1
    again = ReviewDesk(kept)
    assert again.measure(load_ruling(kept).asked(again.evidence)).palms == pytest.approx(
        desk.measure(GAP).palms
    )
    again.close()
