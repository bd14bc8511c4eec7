"""The study of error bars: what it counts, and that first-order errors are those that really scatter."""

import json
from dataclasses import asdict

import numpy as np
import pytest
from shapely.geometry import Point, box

from datasets import errorbars, errorbars_pictures
from datasets.accuracy_report import Move, Standing
from datasets.errorbars_bars import Bar, coverage, length_bar, normal_bar, point_bars, table
from datasets.errorbars_scenes import Neighbours, in_palms, verdicts
from datasets.errorbars_tables import Switches, apart, plan_view, set_up, stands
from datasets.errorbars_twin import Standing as Place
from datasets.errorbars_twin import exactly, placements
from datasets.figures import random_figure
from vision.measuring.displacement import displacement

POINT = Bar("all", "point")


@pytest.mark.slow
@pytest.mark.parametrize("source", errorbars.TWINS)
def test_the_first_order_sd_of_points_and_moves_is_the_one_of_the_monte_carlo_twin(source):
    noise, camera_errs = errorbars.TWINS[source]
    points, moves, cameras, draws = [], [], 6, 90
    for number in range(cameras):
        rng = np.random.default_rng([number, 9])
        camera, calibration = set_up(rng, number % 2 == 0, True)
        places = [Place(rng.uniform(-25, 25, 2), rng.uniform(-np.pi, np.pi)) for _ in range(2)]
        away = float(np.hypot(*(places[1].xy - places[0].xy)))
        known = calibration if camera_errs else exactly(calibration, camera)
        eyes = calibration.sample(rng, draws) if camera_errs else [camera] * draws
        found = [placements(eye, known, 11.0, places, noise, rng) for eye in eyes]
        for i, place in enumerate(places):
            off = np.array([each[i].xy - place.xy for each in found])
            points.append((np.trace(np.cov(off.T)), np.mean([np.trace(f[i].covariance) for f in found])))
        lengths = [displacement(*each) for each in found]
        moves.append((np.var([m.length_cm - away for m in lengths]), np.mean([m.sd_cm**2 for m in lengths])))
    for pairs in (np.array(points), np.array(moves)):
        # every camera and place counts alike, however sure it is
        ratio = float(np.sqrt(np.mean(pairs[:, 0] / pairs[:, 1])))
        assert ratio == pytest.approx(1.0, abs=0.1)


def test_the_bars_of_all_sources_together_hold_as_often_as_they_say():
    bars = list(errorbars.twin_bars("all, twin", 70, 5))
    for kind in ("point", "axis", "move"):
        assert 0.9 <= coverage([bar for bar in bars if bar.kind == kind]).inside <= 0.99


def test_palms_hold_when_only_the_hand_errs():
    bars = list(errorbars.hand_bars(100, 5))
    assert 0.91 <= coverage(bars).inside <= 0.98
    assert in_palms(40.0, 0.0, 0.0).value == pytest.approx(2.0)


def test_levels_of_honest_bars_are_uniform():
    rng = np.random.default_rng(1)
    covariance = np.array([[0.04, 0.02], [0.02, 0.09]])
    gaps = rng.multivariate_normal([0, 0], covariance, 2000)
    bars = [bar for gap in gaps for bar in point_bars(POINT, gap, covariance)]
    for kind in ("point", "axis"):
        levels = [bar.level for bar in bars if bar.kind == kind]
        assert np.quantile(levels, [0.25, 0.5, 0.75, 0.95]) == pytest.approx(
            [0.25, 0.5, 0.75, 0.95], abs=0.03
        )
        assert coverage([b for b in bars if b.kind == kind]).pulls == pytest.approx(1.0, abs=0.05)


def test_bars_that_are_half_as_long_are_found_out():
    rng = np.random.default_rng(2)
    bars = [normal_bar(Bar("x", "move"), float(e), 0.5) for e in rng.normal(0, 1, 1000)]
    found = coverage(bars)
    assert found.inside < 0.72
    assert found.pulls == pytest.approx(2.0, abs=0.15)


def test_an_error_along_a_line_is_judged_along_it():
    along = np.outer([0.6, 0.8], [0.6, 0.8]) * 0.01
    ellipse = point_bars(POINT, np.array([0.06, 0.08]), along)[0]
    assert ellipse.level == pytest.approx(0.683, abs=0.001)


def test_near_nothing_the_interval_of_a_length_decides():
    move = Bar("x", "move")
    held = length_bar(move, 0.25, 0.1, (0.0, 0.4), 0.0)
    assert held.inside
    assert not length_bar(move, 0.1, 0.1, (0.2, 0.4), 0.1).inside


def test_luck_shared_by_a_group_makes_the_share_less_sure():
    rng = np.random.default_rng(3)
    own = [
        normal_bar(Bar("x", "gap", group=str(n)), float(e), 1.0) for n, e in enumerate(rng.normal(0, 1, 200))
    ]
    alone = [normal_bar(Bar("x", "gap", group=str(n)), 9.0, 1.0) for n in range(20)]
    together = [normal_bar(Bar("x", "gap", group="0"), 9.0, 1.0) for _ in range(20)]
    assert coverage([*own, *together]).doubt > 2 * coverage([*own, *alone]).doubt
    assert "| x | gap | 200 |" in table(own)


def test_a_verdict_is_right_wrong_or_asked():
    pairs = [
        Neighbours("modelled", 4.0, 4.2, 0.2, False, True),
        Neighbours("modelled", 0.4, 2.9, 0.2, False, False),
        Neighbours("modelled", 2.2, 2.1, 0.2, True, True),
        Neighbours("modelled", 3.0, 2.6, 0.9, True, True),
    ]
    assert "| modelled | 4 | 50.0% | 2 | 50.0% | 2 of 3 | 50.0% |" in verdicts(pairs)


def test_two_shapes_are_set_at_the_gap_that_is_asked_for():
    one, other = box(-2, -1, 2, 1), box(-1, -1, 1, 1)
    assert apart(one, other, 0.0, 3.0) == pytest.approx(6.0)


def test_the_plan_view_is_that_of_all_parts():
    figure = random_figure(np.random.default_rng(1), "beast")
    plan = plan_view(figure)
    rays = np.random.default_rng(2).normal(size=(500, 3))
    rays /= np.linalg.norm(rays, axis=1, keepdims=True)
    inside = figure.centres[0, :2] + (np.linalg.inv(figure.shapes[0]) @ rays.T)[:2].T
    assert all(plan.buffer(0.02).covers(point) for point in map(Point, inside))
    assert plan.area < 4 * (figure.height * 2) ** 2


def test_sources_that_are_off_are_off_in_the_world_and_in_what_is_believed():
    (stood,) = stands([4, 0], 1, Switches(False, False, False, False, False))
    exact = max(float(np.hypot(*(one.pose.xy - one.xy))) for one in stood)
    said = max(float(np.sqrt(np.trace(one.pose.covariance))) for one in stood)
    assert exact < 0.05
    assert said < 0.1


@pytest.mark.nightly
def test_the_command_writes_tables_and_bars_and_the_pictures_are_drawn(tmp_path, capsys):
    few = ["--twins", "2", "--tables", "1", "--fragments", "2", "--long", "0", "--out", str(tmp_path)]
    assert errorbars.main(few) == 0
    assert "| all, pictures | gap |" in capsys.readouterr().out
    standing = [Standing("S1", "F1", 0, 0, True, False, 0.1, 1.0, 0.8, 2.0, False, 0.7)]
    moves = [Move("S1", "F1", 0, True, 12.0, -0.1, 0.2, True, 0.8, 30.0, 3.0, False, False)]
    clips = {"standing": [asdict(s) for s in standing], "moves": [asdict(m) for m in moves]}
    (tmp_path / "accuracy.json").write_text(json.dumps({**clips, "bars": []}), encoding="utf-8")
    study, measured, out = (tmp_path / name for name in ("errorbars.json", "accuracy.json", "pictures"))
    draw = ["--errorbars", str(study), "--accuracy", str(measured), "--out", str(out)]
    assert errorbars_pictures.main(draw) == 0
    drawn = {path.name for path in out.iterdir()}
    assert drawn == {f"errors_{what}.png" for what in ("points", "moves", "pulls", "reliability", "seen")}
    assert errorbars_pictures.main([*draw[:3], str(tmp_path / "none.json")]) == 2
    assert "run datasets.errorbars" in capsys.readouterr().err
