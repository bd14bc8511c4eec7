"""What is remembered of a figure over a match: more looks tell more, and a bent figure is learned anew."""

from functools import cache

import numpy as np
import pytest

from datasets.figures import Figure, photograph
from datasets.makers import made
from tests.vision.measuring.test_ground import CALIBRATION, SHARP, total
from vision.measuring.agreement import first_look
from vision.measuring.belief import LESSONS, untaught
from vision.measuring.ground import ground_point, known
from vision.measuring.memory import Memory
from vision.measuring.sight import Shown
from vision.measuring.silhouette import Silhouette
from vision.shape.look import look_at


def shown(figure, xy, facing, height=None):
    look = photograph(figure.placed(xy, facing), CALIBRATION.camera, np.random.default_rng(0))
    silhouette = Silhouette(look.origin, look.silhouette)
    seen = look_at(CALIBRATION.camera, silhouette, height or figure.height, figure.kind)
    return Shown(silhouette.steady_centroid, SHARP, seen.facing, float(np.radians(facing)), 0.02)


def learn(memory, number, figure):
    """As the measurer does, without a tap."""
    model = untaught(CALIBRATION, figure.faced(figure.facing).look.stand.height_cm)
    look = known(CALIBRATION, model, figure)
    bent = memory.contradicts(number, look.look)
    if memory.before(number) and not bent:
        memory.add(number, look)
    else:
        memory.start(number, look, first_look(model, look), bent=bent)


@cache
def matches():
    """(error alone, error with what was learned, whether the bar holds) of the fifth look at figures."""
    rows = []
    for maker in ("stout", "humanoid", "sturdy", "beast", "pile"):
        for seed in range(3):
            rng = np.random.default_rng([seed, 31])
            figure, memory = made(rng, maker), Memory()
            for number, turned in enumerate((0.0, 80.0, 170.0, 250.0, 40.0)):
                xy, facing = rng.uniform(-20, 20, 2), turned + rng.uniform(-15, 15)
                seen = shown(figure, xy, facing)
                if number == 4:
                    model = memory.model(number)
                    before = [lesson.known for lesson in memory.before(number)]
                    fresh = untaught(CALIBRATION, figure.height)
                    alone = ground_point(CALIBRATION, fresh, seen)
                    point = ground_point(CALIBRATION, model, seen, before)
                    gap = point.xy - xy
                    sure = np.abs(gap) < 1.96 * np.sqrt(np.diag(total(point)))
                    rows.append((np.hypot(*(alone.xy - xy)), np.hypot(*gap), sure.mean(), alone, point))
                learn(memory, number, seen)
    return rows


def test_a_place_is_better_the_longer_a_figure_was_seen():
    alone, learned = (np.array([row[i] for row in matches()]) for i in (0, 1))
    assert np.mean(learned) < np.mean(alone)
    assert np.median(learned) < 0.6


def test_bars_become_smaller_and_hold():
    assert np.mean([row[2] for row in matches()]) >= 0.8
    traces = np.array([[np.trace(total(point)) for point in row[3:]] for row in matches()])
    assert (traces[:, 1] < traces[:, 0]).mean() > 0.8


def test_the_same_fragment_seen_better_replaces_itself_and_only_new_sides_are_learned():
    figure, memory = made(np.random.default_rng(3), "stout"), Memory()
    learn(memory, 0, shown(figure, (0.0, 5.0), 20.0))
    for number, facing in ((1, 25.0), (2, 120.0)):
        for _ in range(2):
            memory.drop(number)
            learn(memory, number, shown(figure, (6.0, -4.0), facing))
    assert [lesson.number for lesson in memory.lessons] == [0, 2]
    assert memory.bent is None
    assert len(memory.lessons) <= 1 + LESSONS


def test_a_bent_figure_is_learned_anew():
    figure, memory = made(np.random.default_rng([12, 1]), "lunging"), Memory()
    for number, facing in enumerate((0.0, 90.0)):
        learn(memory, number, shown(figure, (3.0, 2.0), facing))
    flat = np.diag([2.0, 2.0, 0.4])
    squashed = Figure(figure.kind, figure.centres @ flat, figure.shapes @ np.linalg.inv(flat))
    learn(memory, 2, shown(squashed, (3.0, 2.0), 200.0, figure.height))
    assert memory.bent == 2
    assert [lesson.number for lesson in memory.lessons] == [2]


@pytest.mark.parametrize("number", [0, 1, 2, 3])
def test_a_fragment_is_measured_with_what_it_and_those_before_it_taught(number):
    figure, memory = made(np.random.default_rng(5), "sturdy"), Memory()
    learn(memory, 0, shown(figure, (0.0, 5.0), 20.0))
    learn(memory, 2, shown(figure, (5.0, 5.0), 140.0))
    assert memory.model(number) is memory.lessons[number // 2].model
    assert Memory().model(number) is None


def test_what_was_believed_of_looks_before_stays_as_it_was():
    figure, memory = made(np.random.default_rng(5), "sturdy"), Memory()
    for number, facing in enumerate((20.0, 140.0, 250.0)):
        learn(memory, number, shown(figure, (0.0, 5.0), facing))
    first, _, last = (lesson.model for lesson in memory.lessons)
    np.testing.assert_allclose(last.mean[:5], first.mean)
    np.testing.assert_allclose(last.root[:5, : first.root.shape[1]], first.root)
    assert not last.root[:5, first.root.shape[1] :].any()
