"""From misfits to probabilities of turns."""

from dataclasses import replace

import numpy as np
import pytest

from vision.measuring.likelihood import CIRCLE, Mode, Scan, Weights, judged_by_carry, modes, probabilities

WEIGHTS = Weights(
    misfit=7.0,
    misfit_floor=0.004,
    shading=1.0,
    front=1.0,
    carry=3.0,
    carry_floor=0.005,
    stray=0.003,
    width=1.0,
)


def found(tried):
    return modes(probabilities(tried, WEIGHTS), WEIGHTS.width)


def scan(dips, angles, against=0.0):
    """A scan of parabolas (turn, least misfit, misfit per degree squared)."""
    away = [np.abs((angles - turn + 180) % 360 - 180) for turn, _, _ in dips]
    misfits = np.min([m + c * d**2 for (_, m, c), d in zip(dips, away, strict=True)], axis=0)
    return Scan(angles, misfits, np.full(len(angles), against), np.zeros(len(angles)))


EVERYWHERE = np.arange(-180.0, 180.0, 5.0)


@pytest.mark.parametrize("turn", [-179.0, -33.3, 0.0, 91.2, 178.4])
def test_a_turn_between_the_samples_is_found_around_the_whole_circle(turn):
    best = found(scan([(turn, 0.02, 3e-4)], EVERYWHERE))[0]
    assert abs((best.turn_deg - turn + 180) % 360 - 180) < 0.7
    assert best.share > 0.99


def test_probabilities_add_up_and_none_is_zero():
    share = probabilities(scan([(40.0, 0.02, 3e-4)], EVERYWHERE), WEIGHTS)
    assert share.sum() == pytest.approx(1.0)
    assert share.min() * len(CIRCLE) >= WEIGHTS.stray - 1e-12


def test_a_wider_dip_has_a_larger_sd():
    narrow, wide = (found(scan([(40.0, 0.02, c)], EVERYWHERE))[0].sd_deg for c in (4e-4, 4e-5))
    assert wide > 2 * narrow


def test_two_dips_of_the_same_depth_share_the_probability():
    first, second = found(scan([(10.0, 0.02, 3e-4), (170.0, 0.02, 3e-4)], EVERYWHERE))[:2]
    assert first.share == pytest.approx(second.share, abs=0.01)
    assert {round(first.turn_deg), round(second.turn_deg)} == {10, 170}


def test_shading_against_a_turn_makes_it_less_probable():
    plain = scan([(10.0, 0.02, 3e-4), (170.0, 0.02, 3e-4)], EVERYWHERE)
    shaded = replace(plain, against=np.where(EVERYWHERE > 90, 4.0, 0.0))
    best, rival = found(shaded)[:2]
    assert best.turn_deg == pytest.approx(10.0, abs=1.0)
    assert rival.share == pytest.approx(np.exp(-4.0), rel=0.2)


def test_what_looks_like_a_front_is_more_probable():
    plain = scan([(10.0, 0.02, 3e-4), (170.0, 0.02, 3e-4)], EVERYWHERE)
    best, rival = found(replace(plain, front=np.where(EVERYWHERE > 90, 0.0, -2.0)))[:2]
    assert best.turn_deg == pytest.approx(170.0, abs=1.0)
    assert rival.share / best.share == pytest.approx(np.exp(-2.0), rel=0.1)


def test_what_was_not_sampled_gets_only_the_stray_share():
    around = np.concatenate([np.arange(-60.0, -30.0, 5.0), np.arange(100.0, 141.0, 5.0)])
    share = probabilities(scan([(120.0, 0.02, 3e-4), (-45.0, 0.03, 3e-4)], around), WEIGHTS)
    assert share[CIRCLE == 0.0] == pytest.approx(WEIGHTS.stray / 360)
    assert [round(mode.turn_deg) for mode in modes(share, 1.0)[:2]] == [120, -45]


def test_a_stretch_across_the_back_is_one_dip():
    around = np.sort((np.arange(160.0, 201.0, 5.0) + 180.0) % 360.0 - 180.0)
    best, rival = found(scan([(-178.0, 0.02, 3e-4)], around))[:2]
    assert best.turn_deg == pytest.approx(-178.0, abs=0.7)
    assert rival.share < 0.01


def test_the_carry_moves_probability_to_what_explains_it():
    found = [Mode(20.0, 4.0, 0.7), Mode(150.0, 5.0, 0.3)]
    judged = judged_by_carry(found, [0.105, 0.045], WEIGHTS)
    assert [mode.turn_deg for mode in judged] == [150.0, 20.0]
    assert judged[0].share / judged[1].share == pytest.approx(0.3 / 0.7 * 2.2**3.0)
    assert judged_by_carry(found, [0.05, np.inf], WEIGHTS)[0].share == pytest.approx(1.0)
