"""Which of two facings is believed, and how much the other one still counts."""

import numpy as np
import pytest

from vision.measuring.facing import STANDING_MISFIT, Mode, Turn
from vision.measuring.facing_belief import Facing, believed
from vision.measuring.posture import Stance

BEFORE = Facing(170.0, 3.0, "registered")


def stance(turn, rival, margin, *, assumed=True, posture="standing", misfit=0.02):
    modes = (Mode(turn, 4.0, 0.02), Mode(rival, 6.0, 0.021), Mode(turn + 90.0, 20.0, 0.3))
    found = Turn(turn, 4.0, margin, assumed, rival, misfit, np.zeros(2), modes)
    facing = (170.0 + turn + 180) % 360 - 180
    return Stance(posture, facing, 4.0, "assumed" if assumed else "registered", margin, found)


def test_a_registered_turn_is_believed():
    facing = believed(BEFORE, stance(160.0, 10.0, 0.5, assumed=False))
    assert (facing.deg, facing.source, facing.rival_share) == (-30.0, "registered", 0.0)
    assert facing.sd_deg == pytest.approx(5.0)


def test_of_two_equal_turns_the_smaller_is_taken_and_stays_assumed():
    facing = believed(BEFORE, stance(170.0, 30.0, 0.02))
    assert (facing.deg, facing.rival_deg, facing.source) == (-160.0, -20.0, "assumed")
    assert 0.1 < facing.rival_share < 0.5


def test_a_clearer_margin_keeps_the_larger_turn():
    facing = believed(BEFORE, stance(125.0, -50.0, 0.28))
    assert (facing.deg, facing.rival_deg) == (-65.0, 120.0)
    assert facing.rival_share < 0.3


@pytest.mark.parametrize("rival", [180.0, -90.0])
def test_the_rival_counts_less_the_larger_the_margin(rival):
    shares = [believed(BEFORE, stance(20.0, rival, margin)).rival_share for margin in (0.0, 0.1, 0.2)]
    assert shares == sorted(shares, reverse=True)
    assert shares[0] < 0.5


def test_a_lying_figure_has_no_rival():
    assert believed(BEFORE, stance(0.0, 180.0, 0.0, posture="lying")).rival_deg is None


def test_a_carry_that_one_turn_alone_explains_decides():
    facing = believed(BEFORE, stance(170.0, 90.0, 0.02), [0.065, 0.045, 0.16])
    assert (facing.deg, facing.source, facing.rival_share) == (-100.0, "motion", 0.0)
    assert facing.sd_deg == pytest.approx(np.hypot(3.0, 6.0))
    assert 0 < facing.margin < 1


@pytest.mark.parametrize("carried", [None, [0.046, 0.045, 0.16], [0.18, 0.15, 0.3], [0.9, 0.3, 0.9]])
def test_a_carry_that_two_turns_explain_or_none_leaves_it_open(carried):
    found = stance(170.0, 90.0, 0.02)
    assert believed(BEFORE, found, carried) == believed(BEFORE, found)
    assert believed(BEFORE, found).source == "assumed"


@pytest.mark.parametrize(
    "found",
    [
        stance(170.0, 90.0, 0.6, assumed=False),
        stance(170.0, 90.0, 0.02, posture="lying"),
        stance(170.0, 90.0, 0.02, misfit=2 * STANDING_MISFIT),
    ],
)
def test_a_carry_says_nothing_of_a_registered_turn_or_of_what_does_not_stand(found):
    assert believed(BEFORE, found, [0.2, 0.04, 0.2]) == believed(BEFORE, found)
