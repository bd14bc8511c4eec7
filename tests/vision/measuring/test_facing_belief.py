"""Which of the possible facings is believed, and how much the other ones still count."""

from dataclasses import replace

import numpy as np
import pytest

from vision.measuring.facing import STANDING_MISFIT, Turn
from vision.measuring.facing_belief import Facing, believed
from vision.measuring.likelihood import Mode
from vision.measuring.posture import Stance

BEFORE = Facing(170.0, 3.0, "registered")


def stance(turn, rival, share, *, posture="standing", misfit=0.02):
    """A turn and its rival, which has a share of the probability; a little is left for a third one."""
    modes = (Mode(turn, 4.0, 0.999 - share), Mode(rival, 6.0, share), Mode(turn + 90.0, 20.0, 0.001))
    found = Turn(modes, misfit)
    facing = (170.0 + turn + 180) % 360 - 180
    source = "assumed" if found.assumed else "registered"
    heads = tuple(replace(one, turn_deg=(170.0 + one.turn_deg + 180) % 360 - 180) for one in modes)
    return Stance(posture, facing, 4.0, source, found.margin, found, heads * (posture == "lying"))


def test_a_registered_turn_is_believed():
    facing = believed(BEFORE, stance(160.0, 10.0, 0.005))
    assert (facing.deg, facing.source, facing.rivals) == (-30.0, "registered", ())
    assert facing.sd_deg == pytest.approx(5.0)


def test_of_two_equal_turns_the_smaller_is_shown_and_stays_assumed():
    facing = believed(BEFORE, stance(170.0, 30.0, 0.49))
    assert (facing.deg, facing.rival_deg, facing.source) == (-160.0, -20.0, "assumed")
    assert 0.1 < facing.rival_share < 0.5


def test_a_far_more_probable_turn_is_shown_though_it_is_larger():
    facing = believed(BEFORE, stance(125.0, -50.0, 0.1))
    assert (facing.deg, facing.rival_deg) == (-65.0, 120.0)
    assert facing.rival_share < 0.3


def test_all_that_remains_is_kept_while_it_is_assumed():
    facing = believed(BEFORE, stance(20.0, 150.0, 0.3))
    shares = [facing.rival_share, *(rival.share for rival in facing.rivals[1:])]
    assert facing.margin == pytest.approx(1 - sum(shares) - facing.rival_share)
    assert [rival.sd_deg for rival in facing.rivals] == pytest.approx([np.hypot(3, 6), np.hypot(3, 20)])


def test_a_lying_figure_has_no_rival():
    assert believed(BEFORE, stance(0.0, 180.0, 0.4, posture="lying")).rival_deg is None


def test_of_two_ends_that_may_be_its_head_the_one_nearer_to_where_it_faced_is_shown():
    facing = believed(BEFORE, stance(170.0, -10.0, 0.45, posture="lying"))
    assert (facing.deg, facing.source) == (160.0, "assumed")
    facing = believed(BEFORE, stance(170.0, -10.0, 0.001, posture="lying"))
    assert (facing.deg, facing.source) == (-20.0, "registered")


def test_a_carry_that_one_turn_alone_explains_decides():
    facing = believed(BEFORE, stance(170.0, 90.0, 0.45), [1.2, 0.045, 1.6])
    assert (facing.deg, facing.source, facing.rivals) == (-100.0, "motion", ())
    assert facing.sd_deg == pytest.approx(np.hypot(3.0, 6.0))
    assert 0.9 < facing.margin < 1


def test_a_carry_that_two_turns_explain_leaves_it_open_and_says_how_probable_each_is():
    found = stance(30.0, 90.0, 0.45)
    facing = believed(BEFORE, found, [0.055, 0.045, 0.16])
    assert facing.source == "assumed"
    assert facing.rival_share > believed(BEFORE, found).rival_share


def test_a_carry_never_helps_a_turn_that_the_silhouettes_rule_out():
    found = stance(30.0, 90.0, 0.2)
    facing = believed(BEFORE, found, [0.06, 0.06, 0.04])
    assert facing.deg == -160.0
    assert max(rival.share for rival in facing.rivals if rival.deg == -70.0) < 0.01


@pytest.mark.parametrize(
    "found",
    [
        stance(170.0, 90.0, 0.005),
        stance(170.0, 90.0, 0.4, posture="lying"),
        stance(170.0, 90.0, 0.4, misfit=2 * STANDING_MISFIT),
    ],
)
def test_a_carry_says_nothing_of_a_registered_turn_or_of_what_does_not_stand(found):
    assert believed(BEFORE, found, [0.2, 0.04, 0.2]) == believed(BEFORE, found)
