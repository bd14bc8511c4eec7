"""The study of modelled figures: the seed decides everything, and the table counts what it should."""

import numpy as np
import pytest

from datasets.figures import random_figure, thickened
from datasets.modelled import Measured, as_markdown, main, measure_figure


def measured(**changes):
    usual = {"kind": "beast", "oblique": True, "number": 1, "error": 0.3, "inside": 1.0, "width": 1.2}
    usual |= {"facing_error": 4.0, "assumed": False}
    return Measured(**{**usual, **changes})


def cells(table, start):
    (line,) = [line for line in table.splitlines() if line.startswith(start)]
    return [cell.strip() for cell in line.strip("|").split("|")]


def test_places_are_pooled_by_class_and_by_all():
    table = as_markdown([measured(error=0.2), measured(error=0.4, inside=0.5), measured(kind="absurd")])
    assert cells(table, "| obliquely | later, turned | beast")[3:7] == ["2", "0.30", "0.39", "75.0%"]
    assert cells(table, "| obliquely | later, turned | all")[3] == "3"
    assert "first, tapped" not in table


def test_only_a_flip_that_says_nothing_counts_as_unmarked():
    rows = [measured(), measured(facing_error=170.0, assumed=True), measured(facing_error=61.0)]
    assert cells(as_markdown(rows), "| obliquely | 3")[4:] == ["33%", "2", "1"]
    assert not measured(number=0, facing_error=170.0).flipped_unmarked


def test_a_figure_is_measured_three_times_and_the_seed_decides_everything():
    once, again = (list(measure_figure("absurd", False, [5, 0])) for _ in range(2))
    assert once == again
    assert [m.number for m in once] == [0, 1, 2]
    assert once[0].error < 1.0
    assert list(measure_figure("absurd", False, [6, 0])) != once


def test_a_thicker_figure_is_as_tall_and_wider():
    figure = random_figure(np.random.default_rng(3), "humanoid")
    thick = thickened(figure, 1.5)
    assert thick.height == pytest.approx(figure.height)
    reach = [np.linalg.norm(np.linalg.inv(f.shapes)[:, 1, :], axis=1).mean() for f in (figure, thick)]
    assert reach[1] > 1.2 * reach[0]


@pytest.mark.nightly
def test_the_command_writes_its_table(tmp_path, capsys):
    assert main(["--figures", "1", "--out", str(tmp_path)]) == 0
    table = (tmp_path / "modelled.md").read_text(encoding="utf-8")
    assert table in capsys.readouterr().out
    assert cells(table, "| from above | later, turned | all")[3] == "6"
