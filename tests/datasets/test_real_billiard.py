"""On a real, tape-measured table Palmo's calibration places balls within 5 mm."""

from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np
import pytest

from datasets.real_billiard import FOLDER, Ball, main, measure, summary, table


@pytest.fixture(scope="module")
def balls() -> list[Ball]:
    root = os.environ.get("PALMO_DATA")
    if root is None or not (Path(root) / FOLDER).is_dir():
        pytest.skip("PALMO_DATA with the real billiard table is not set")
    return measure(Path(root))


def test_with_the_factory_lens_every_ball_is_within_5_mm(balls: list[Ball]) -> None:
    known = [ball for ball in balls if ball.lens == "factory"]
    assert len(known) == 4
    assert max(ball.distance_mm for ball in known) <= 5.0


def test_without_a_lens_the_error_bar_says_how_little_is_known(balls: list[Ball]) -> None:
    guessed = [ball for ball in balls if ball.lens == "none"]
    ratios = [np.abs(ball.error_mm) / np.hypot(ball.sd_mm, 3.0) for ball in guessed]
    assert np.max(ratios) < 2.5
    assert max(ball.distance_mm for ball in guessed if not ball.outlier) <= 15.0


def test_the_rms_is_within_5_mm_and_the_bars_hold(balls: list[Ball]) -> None:
    for line in summary(balls).splitlines()[2:]:
        lens, count, rms, _, _, joined, _ = (cell.strip() for cell in line.strip("|").split("|"))
        assert count == "4"
        assert float(rms) <= (5.0 if lens == "factory" else 15.0)
        held, of = joined.split(" of ")
        assert int(held) >= int(of) - 1


def test_bars_that_are_too_short_are_counted() -> None:
    ball = Ball("p", "l", (0.0, 0.0), (30.0, 1.0), (1.0, 1.0), False)
    assert "| l | 1 | 30.0 | 30.0 | 1.0 | 1 of 2 | 1 of 2 |" in summary([ball])


def test_the_table_and_json_name_every_ball(balls: list[Ball], capsys: pytest.CaptureFixture[str]) -> None:
    assert len(table(balls).splitlines()) == 2 + len(balls)
    assert main(["--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)) == len(balls)


def test_without_pictures_it_says_what_to_set(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("PALMO_DATA", raising=False)
    assert main([]) == 2
    assert "PALMO_DATA" in capsys.readouterr().err
    monkeypatch.setenv("PALMO_DATA", str(tmp_path))
    assert main([]) == 2
    assert "GROUND_TRUTH.json" in capsys.readouterr().err
