"""What is learned of heights holds for figures that were not seen."""

import numpy as np
import pytest

from datasets.heights import errors, fitted, main, view
from vision.measuring.height_seen import looks


@pytest.fixture(scope="module")
def people():
    rng = np.random.default_rng(8)
    return [np.array([view(rng, maker) for _ in range(60)]) for maker in ("humanoid", "stout", "lunging")]


def test_a_persons_height_is_seen_to_a_tenth_obliquely_and_worse_from_above(people):
    above, oblique = errors(people)
    assert oblique < 0.15 < above < 0.45


def test_what_is_fitted_predicts_figures_of_twice_the_size_twice_as_high(people):
    weights = fitted(people)
    _, tilt, length, width, side = people[0][:3].T
    once = looks(tilt, length / side, width / side) @ weights + np.log(side)
    twice = looks(tilt, 2 * length / (2 * side), 2 * width / (2 * side)) @ weights + np.log(2 * side)
    assert np.exp(twice - once) == pytest.approx(2.0)


def test_the_command_prints_a_line_for_every_class(capsys):
    assert main(["--figures", "6"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split('"')[1] for line in lines] == ["humanoid", "beast", "absurd"]
