"""The top-rope dive: climbing, the jump, those touched, the diver; being knocked off the post."""

from __future__ import annotations

import math
from typing import Any

import pytest

from rules.engine.request import Request
from rules.geometry import gap
from rules.scene import Figure, Ring
from rules.smackkatz.abilities import Ring as Table
from rules.smackkatz.abilities import speed_left
from rules.smackkatz.attacks.dive import climb, climb_down, dive, divers_rise
from rules.smackkatz.book import EARLIER
from rules.smackkatz.consequences.drops import knock_off
from rules.smackkatz.legality import options as legality
from rules.smackkatz.movement.spots import post_figure
from tests.rules.playing import RING, figure
from tests.rules.smackkatz.harness import drive, facts, table
from tests.rules.smackkatz.test_suplex import answers

AT_POST = figure("A", 31, 31, 225)
"""Just inside the far right post."""
MAT = {"A": figure("A", 10, 10, 0)}
OUT = {"A": figure("A", 42, 42, 0)}


def cornered(given: dict[str, Any] | None = None, names: str = "ABC", **settings: Any) -> Table:
    """A stands in the far right corner."""
    at = {"A": AT_POST, "B": figure("B", -20, -20, 45), "C": figure("C", 0, -25, 90)}
    at |= settings.pop("at", {})
    return table(names, given or {}, at={k: v for k, v in at.items() if k in names}, **settings)


def perched(
    given: dict[str, Any] | None = None, at: dict[str, Figure] | None = None, **settings: Any
) -> Table:
    """A has been on the far right post since the turn before; it is turn 2."""
    found = cornered(given, at={"A": figure("A", 35, 35, 225), **(at or {})}, **settings)
    found.record("climbed", "SPECIAL-02", fighter="A", post=1, attack=True)
    found.state.turn = 2
    for wrestler in found.state.wrestlers.values():
        wrestler.begin_turn()
    return found


def test_special_02_climbing_takes_the_nearest_post_and_the_attack() -> None:
    found = cornered()
    drive(climb(found, "A", "OPEN_PHASE"))
    a = found.state.wrestlers["A"]
    assert (a.on_post, a.climbed_in, a.attacked, a.spent) == (1, 1, True, 0)
    here = found.state.scene.figures["A"]
    assert (here.x, here.y) == (35, 35)


def test_ruling_93_climbing_for_a_point_of_speed_is_a_house_rule() -> None:
    found = cornered(rulings={"climb_cost": "speed_1"})
    drive(climb(found, "A", "OPEN_PHASE"))
    a = found.state.wrestlers["A"]
    assert (a.on_post, a.attacked, a.spent) == (1, False, 1)


def test_ruling_33_a_doubtful_corner_is_settled_before_the_climb() -> None:
    away = figure("A", 35 - 4.45, 35 - 4.45, 225)
    for said, post in (("yes", 1), ("no", None)):
        found = cornered(at={"A": away})
        drive(climb(found, "A", "OPEN_PHASE"), choose=answers(said))
        assert found.state.wrestlers["A"].on_post == post


def test_special_03_no_dive_in_the_turn_of_the_climb() -> None:
    found = cornered()
    drive(climb(found, "A", "OPEN_PHASE"))
    assert "SPECIAL-03" in [one.rule for one in legality.option(found, "A", "dive").reasons]
    found.state.turn = 2
    found.state.wrestlers["A"].begin_turn()
    assert legality.option(found, "A", "dive").legal


def test_ruling_93_climbing_down_costs_one_speed_and_ends_in_the_corner() -> None:
    found = perched({"A": {"speed": 2}})
    drive(climb_down(found, "A", "OPEN_PHASE"))
    assert (found.state.wrestlers["A"].on_post, speed_left(found, "A")) == (None, 1)
    here = found.state.scene.figures["A"]
    assert gap(here, post_figure(RING, 1))[0].value < 1
    assert max(here.x, here.y) < 32


# ---------- the dive


def test_special_04_and_08_everybody_touched_loses_four_and_lies_the_diver_loses_nothing() -> None:
    at = {"B": figure("B", 13, 10, 0), "C": figure("C", 6, 10, 0)}
    found = perched({"C": {"stamina": 6}}, at=at)
    drive(dive(found, "A", "OPEN_PHASE"), choose=answers("dive:mat", "take_it", "no", seen=MAT))
    stamina = {name: one.stamina for name, one in found.state.wrestlers.items()}
    assert stamina == {"A": 20, "B": 16, "C": 2}
    assert all(found.state.wrestlers[one].lying for one in "ABC")


def test_special_05_on_the_bare_mat_the_diver_loses_four_and_is_not_knocked_down() -> None:
    found = perched({"A": {"stamina": 10}})
    drive(dive(found, "A", "OPEN_PHASE"), choose=answers("dive:mat", seen=MAT))
    a = found.state.wrestlers["A"]
    assert (a.stamina, a.lying, a.knocked_down, a.attacked, a.on_post) == (6, True, None, True, None)


def test_special_07_at_ringside_it_is_six_for_the_one_hit() -> None:
    found = perched(
        {"A": {"stamina": 10}, "B": {"at_ringside": True, "acted": False}}, at={"B": figure("B", 45, 42, 180)}
    )
    found.state.wrestlers["B"].acted = True
    drive(dive(found, "A", "OPEN_PHASE"), choose=answers("dive:ringside", seen=OUT))
    assert (found.state.wrestlers["A"].stamina, found.state.wrestlers["B"].stamina) == (10, 14)
    assert found.state.wrestlers["A"].at_ringside


def test_special_07_or_for_the_diver_who_misses() -> None:
    found = perched({"A": {"stamina": 10}})
    drive(dive(found, "A", "OPEN_PHASE"), choose=answers("dive:ringside", seen=OUT))
    a = found.state.wrestlers["A"]
    assert (a.stamina, a.at_ringside, a.lying) == (4, True, True)


def test_special_08_whoever_was_passed_over_is_asked_about() -> None:
    for said, stamina in (("yes", 16), ("no", 20)):
        found = perched(at={"B": figure("B", 20, 20, 45)})
        found.state.wrestlers["B"].acted = True
        asked: list[Request] = []
        drive(dive(found, "A", "OPEN_PHASE"), choose=answers("dive:mat", said, seen=MAT), asked=asked)
        assert [one.text.key for one in asked if one.kind == "ruling"] == [
            "question.touched_in_flight.unseen"
        ]
        assert found.state.wrestlers["B"].stamina == stamina


def test_ruling_94_the_touched_may_dodge_and_then_the_dive_has_missed() -> None:
    found = perched({"B": {"speed": 1}}, at={"B": figure("B", 13, 10, 45)})
    choose = answers("dive:mat", "dodge:left", "dodge:right", "no", seen=MAT)
    asked: list[Request] = []
    drive(dive(found, "A", "OPEN_PHASE"), {"B.speed": [6]}, choose, asked)
    assert any("D-25" in one.step for one in asked)
    assert (found.state.wrestlers["A"].stamina, found.state.wrestlers["B"].stamina) == (16, 20)


@pytest.mark.parametrize(
    ("status", "lying", "down"), [("lying", True, None), ("none", False, None), ("knocked_down", False, 2)]
)
def test_ruling_94_what_becomes_of_those_hit(status: str, lying: bool, down: int | None) -> None:
    found = perched(at={"B": figure("B", 13, 10, 45)}, rulings={"dive_target_status": status})
    drive(dive(found, "A", "OPEN_PHASE"), choose=answers("dive:mat", "take_it", seen=MAT))
    b = found.state.wrestlers["B"]
    assert (b.stamina, b.lying, b.knocked_down) == (16, lying, down)


def test_ruling_83_touching_one_who_is_out_cold_is_no_foul_but_hurts() -> None:
    found = perched({"B": {"unconscious": True, "stamina": -10}}, at={"B": figure("B", 13, 10, 45)})
    drive(dive(found, "A", "OPEN_PHASE"), choose=answers("dive:mat", seen=MAT))
    assert found.state.wrestlers["B"].stamina == -14
    assert not facts(found, "disqualified")


@pytest.mark.parametrize("where", ["mat", "ringside"])
def test_ruling_94_a_placed_dive_has_its_ghost_on_the_side_chosen(where: str) -> None:
    found = perched(rulings={"dive_mode": "placed"})
    asked: list[Request] = []
    drive(dive(found, "A", "OPEN_PHASE"), choose=answers(f"dive:{where}"), asked=asked)
    request = next(one for one in asked if one.kind == "place")
    assert request.proposal is not None
    assert request.check is not None
    assert (math.hypot(request.proposal.x, request.proposal.y) > 49) == (where == "ringside")
    other, right = (MAT["A"], OUT["A"]) if where == "ringside" else (OUT["A"], MAT["A"])
    assert [one.code for one in request.check(other)] == [
        "not_outside" if where == "ringside" else "not_inside"
    ]
    assert request.check(right) == request.check(request.proposal) == ()
    assert found.state.wrestlers["A"].at_ringside == (where == "ringside")


def test_without_a_camera_the_referee_names_those_touched() -> None:
    found = perched()
    found.state.scene.figures.clear()
    for one in found.state.wrestlers.values():
        one.acted = True
    drive(dive(found, "A", "OPEN_PHASE"), choose=answers("dive:mat", "hit:C", "nobody", "yes"))
    assert [found.state.wrestlers[one].stamina for one in "ABC"] == [20, 20, 16]
    assert found.state.wrestlers["A"].at_ringside


# ---------- afterwards


def test_special_09_the_diver_cannot_rise_before_the_turn_ends_and_then_rises_free() -> None:
    found = perched()
    drive(dive(found, "A", "OPEN_PHASE"), choose=answers("dive:mat", seen=MAT))
    assert not legality.option(found, "A", "get_up").legal
    drive(divers_rise(found, "Z3"), choose=answers())
    a = found.state.wrestlers["A"]
    assert (a.upright, a.spent, a.rises_at_end) == (True, 0, False)


def test_special_09_who_was_knocked_out_meanwhile_does_not_rise() -> None:
    found = perched()
    drive(dive(found, "A", "OPEN_PHASE"), choose=answers("dive:mat", seen=MAT))
    found.record("knocked_out", "STATUS-01", fighter="A")
    drive(divers_rise(found, "Z3"))
    assert not found.state.wrestlers["A"].upright


def test_earlier_edition_one_is_hit_and_the_diver_stays_on_his_feet() -> None:
    at = {"B": figure("B", 13, 10, 45), "C": figure("C", 4.5, 10, 45)}
    found = perched(at=at, book=EARLIER)
    drive(dive(found, "A", "OPEN_PHASE"), choose=answers("dive:mat", "take_it", seen=MAT))
    assert [found.state.wrestlers[one].stamina for one in "ABC"] == [20, 16, 20]
    assert found.state.wrestlers["A"].upright
    missed = perched(book=EARLIER)
    drive(dive(missed, "A", "OPEN_PHASE"), choose=answers("dive:mat", seen=MAT))
    assert missed.state.wrestlers["A"].knocked_down == 2


# ---------- knocked off


def test_ruling_93_knocked_off_he_falls_along_the_strikers_line_and_out_of_the_ring() -> None:
    found = perched({"A": {"stamina": 12}}, at={"B": figure("B", 30, 30, 45)})
    drive(knock_off(found, "A", "B", "OPEN_PHASE"))
    a = found.state.wrestlers["A"]
    assert (a.on_post, a.stamina, a.at_ringside, a.knocked_down) == (None, 6, True, 2)


def test_ruling_93_onto_the_mat_if_that_is_where_he_falls() -> None:
    found = perched({"A": {"stamina": 12}}, at={"B": figure("B", 30, 30, 45)})
    procedure = knock_off(found, "A", "B", "OPEN_PHASE")
    assert next(procedure).kind == "place"
    with pytest.raises(StopIteration):
        procedure.send(figure("A", 20, 28))
    a = found.state.wrestlers["A"]
    assert (a.stamina, a.at_ringside) == (8, False)


@pytest.mark.parametrize("where", ["mat", "ringside"])
def test_ruling_94_where_there_is_no_room_the_ghost_still_shows_the_side(where: str) -> None:
    """B fills the mat and nobody fits between ropes and table edge."""
    tiny = Ring(20.0, 20.0, ringside=3.0)
    at = {"A": figure("A", 10, 10, 225), "B": figure("B", 0, 0, radius=8.0), "C": figure("C", -60, -60)}
    found = perched(at=at, ring=tiny, rulings={"dive_mode": "placed"})
    jump = dive(found, "A", "OPEN_PHASE")
    next(jump)
    ghost = jump.send(f"dive:{where}").proposal
    assert ghost is not None
    inside = abs(ghost.x) < 10 and abs(ghost.y) < 10
    assert inside == (where == "mat")
    reach = max(max(abs(x), abs(y)) for x, y in ghost.outline)
    assert (
        reach <= 10.0 + 1e-6
        if inside
        else min(x for x, _ in ghost.outline) >= 10.0 - 1e-6
        or min(y for _, y in ghost.outline) >= 10.0 - 1e-6
    )
