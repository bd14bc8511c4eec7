"""The throw: directions, landing, bystanders and their dodge, ringside; physical and placed."""

from __future__ import annotations

from typing import Any

import pytest

from rules.engine.request import Request
from rules.scene import Figure
from rules.smackkatz.attacks.throw import directions, throw
from rules.smackkatz.book import EARLIER
from tests.rules.playing import figure
from tests.rules.smackkatz.harness import drive, facts
from tests.rules.smackkatz.test_suplex import answers, hoisting

ON_MAT = {"B": figure("B", 14, 0, 0)}


def at_ropes(gap: float) -> dict[str, Figure]:
    """A (with B overhead) so many cm from the far ropes, looking at them."""
    y = 35.0 - 3.0 - gap
    return {"A": figure("A", 0, y, 90), "B": figure("B", 0, y, 90)}


def test_suplex_10_and_12_on_the_mat_he_loses_four_and_is_knocked_down_without_any_roll() -> None:
    found = hoisting({"B": {"stamina": 10}})
    asked: list[Request] = []
    drive(throw(found, "A", "OPEN_PHASE"), choose=answers("throw:front", seen=ON_MAT), asked=asked)
    a, b = found.state.wrestlers["A"], found.state.wrestlers["B"]
    assert (b.stamina, b.knocked_down, b.hoisted_by) == (6, 2, None)
    assert (a.attacked, a.hoists) == (True, None)
    assert not any(one.kind == "roll" for one in asked)
    assert found.state.scene.figures["B"].x == 14


@pytest.mark.parametrize(
    ("declared", "x", "y", "asks"),
    [
        ("front", 14, 0, False), ("back", -14, 0, False), ("side", 0, 14, False), ("side", 0, -14, False),
        ("back", 14, 0, True), ("front", 0, 14, True),
        # Ten degrees over the edge of a direction are forgiven.
        ("front", 9, 12, False), ("front", 7, 13, True), ("side", 12, 9, False), ("back", -9, 12, False),
    ],
)  # fmt: skip
def test_suplex_07_front_back_and_side_are_seen_from_the_holder(
    declared: str, x: float, y: float, asks: bool
) -> None:
    found = hoisting()
    asked: list[Request] = []
    seen = {"B": figure("B", x, y, 0)}
    drive(
        throw(found, "A", "OPEN_PHASE"), choose=answers(f"throw:{declared}", "stands", seen=seen), asked=asked
    )
    assert any(one.text.key == "verdict.throw_side" for one in asked) == asks
    assert found.state.wrestlers["B"].knocked_down == 2


def test_ruling_54_a_throw_to_the_wrong_side_may_be_done_again() -> None:
    found = hoisting()
    landings = [figure("B", -14, 0), figure("B", 14, 0)]

    def choose(request: Request) -> Any:
        if request.kind == "observe":
            return {"B": landings.pop(0)}
        return "again" if request.option("again") else "throw:front"

    drive(throw(found, "A", "OPEN_PHASE"), choose=choose)
    assert found.state.scene.figures["B"].x == 14


def test_ruling_53_turning_in_place_before_the_throw_is_free() -> None:
    found = hoisting()
    asked: list[Request] = []
    seen = {"A": figure("A", 0, 0, 90), "B": figure("B", 0, 14, 0)}
    drive(throw(found, "A", "OPEN_PHASE"), choose=answers("throw:front", seen=seen), asked=asked)
    assert not any(one.kind == "ruling" for one in asked)
    assert found.state.wrestlers["A"].spent == 0


# ---------- bystanders


def beside_landing(given: dict[str, Any] | None = None, facing: float = 180, **settings: Any) -> Any:
    """C stands where B comes down."""
    return hoisting(given, at={"C": figure("C", 18, 0, facing)}, **settings)


def test_suplex_08_both_lose_four_and_the_bystander_lies() -> None:
    found = beside_landing({"C": {"speed": 1}})
    choose = answers("throw:front", "dodge:left", seen=ON_MAT)
    drive(throw(found, "A", "OPEN_PHASE"), {"C.speed": [2]}, choose)
    b, c = found.state.wrestlers["B"], found.state.wrestlers["C"]
    assert (b.stamina, c.stamina, b.knocked_down, c.lying) == (16, 16, 2, True)


def test_suplex_09_a_bystander_who_dodges_is_unhurt_and_stands_aside() -> None:
    found = beside_landing({"C": {"speed": 1}})
    choose = answers("throw:front", "dodge:left", seen={**ON_MAT, "C": figure("C", 18, 0, 180)})
    drive(throw(found, "A", "OPEN_PHASE"), {"C.speed": [5]}, choose)
    b, c = found.state.wrestlers["B"], found.state.wrestlers["C"]
    assert (b.stamina, c.stamina, c.lying) == (16, 20, False)
    assert abs(found.state.scene.figures["C"].y) > 5


@pytest.mark.parametrize("given", [{"acted": True}, {"resting": True}, {"knocked_down": 2}])
def test_whip_08_who_may_not_dodge_is_not_asked(given: dict[str, Any]) -> None:
    found = beside_landing()
    for name, value in given.items():
        setattr(found.state.wrestlers["C"], name, value)
    drive(throw(found, "A", "OPEN_PHASE"), choose=answers("throw:front", seen=ON_MAT))
    assert found.state.wrestlers["C"].stamina == 16


def test_whip_08_no_dodge_with_the_back_to_the_holder() -> None:
    found = beside_landing(facing=0)
    drive(throw(found, "A", "OPEN_PHASE"), choose=answers("throw:front", seen=ON_MAT))
    assert found.state.wrestlers["C"].lying


@pytest.mark.parametrize(
    ("status", "lying", "down"),
    [("lying", True, None), ("knocked_down", False, 2), ("standing", False, None)],
)
def test_ruling_55_what_becomes_of_the_bystander(status: str, lying: bool, down: int | None) -> None:
    found = beside_landing(rulings={"suplex_bystander": status})
    drive(throw(found, "A", "OPEN_PHASE"), choose=answers("throw:front", "take_it", seen=ON_MAT))
    c = found.state.wrestlers["C"]
    assert (c.stamina, c.lying, c.knocked_down) == (16, lying, down)


def test_ruling_46_a_worse_status_is_not_improved() -> None:
    found = beside_landing()
    found.state.wrestlers["C"].knocked_down = 1
    drive(throw(found, "A", "OPEN_PHASE"), choose=answers("throw:front", seen=ON_MAT))
    assert found.state.wrestlers["C"].knocked_down == 1


def test_earlier_edition_throws_behind_only_and_nobody_dodges() -> None:
    found = hoisting(at={"C": figure("C", -18, 0, 0)}, book=EARLIER)
    assert [one.id for one in directions(found, "A") if one.legal] == ["throw:back"]
    seen = {"B": figure("B", -14, 0)}
    drive(throw(found, "A", "OPEN_PHASE"), choose=answers("throw:back", seen=seen))
    assert found.state.wrestlers["C"].stamina == 16


def test_a_touch_too_close_to_call_is_the_referees() -> None:
    for said, stamina in (("yes", 16), ("no", 20)):
        found = hoisting(at={"C": figure("C", 20.1, 0, 180, sd=0.2)})
        found.state.wrestlers["C"].acted = True
        asked: list[Request] = []
        choose = answers("throw:front", said, seen={"B": figure("B", 14, 0, 0, sd=0.2)})
        drive(throw(found, "A", "OPEN_PHASE"), choose=choose, asked=asked)
        assert any(one.text.key == "question.touching" for one in asked)
        assert found.state.wrestlers["C"].stamina == stamina


# ---------- ringside


@pytest.mark.parametrize(("gap", "legal"), [(5.0, False), (1.0, True)])
def test_suplex_11_ringside_is_open_only_from_the_ropes(gap: float, legal: bool) -> None:
    found = hoisting(at=at_ropes(gap))
    option = next(one for one in directions(found, "A") if one.id == "throw:ringside")
    assert option.legal == legal
    assert [one.rule for one in option.reasons] == ([] if legal else ["SUPLEX-11"])


def test_suplex_11_out_to_ringside_costs_six() -> None:
    found = hoisting({"B": {"stamina": 5}}, at=at_ropes(1.0))
    drive(throw(found, "A", "OPEN_PHASE"), choose=answers("throw:ringside", seen={"B": figure("B", 0, 42)}))
    b = found.state.wrestlers["B"]
    assert (b.stamina, b.at_ringside, b.knocked_down) == (-1, True, 2)


def test_suplex_01_thrown_at_the_ropes_and_stopped_by_them_is_a_mat_landing() -> None:
    found = hoisting(at=at_ropes(1.0))
    drive(throw(found, "A", "OPEN_PHASE"), choose=answers("throw:ringside", seen={"B": figure("B", 8, 31)}))
    b = found.state.wrestlers["B"]
    assert (b.stamina, b.at_ringside) == (16, False)


def test_ruling_54_out_of_the_ring_without_the_right_he_is_put_back_inside_the_ropes() -> None:
    found = hoisting(at=at_ropes(5.0))
    drive(throw(found, "A", "OPEN_PHASE"), choose=answers("throw:front", seen={"B": figure("B", 0, 42)}))
    b = found.state.wrestlers["B"]
    assert (b.stamina, b.at_ringside) == (16, False)
    assert found.state.scene.figures["B"].y == pytest.approx(32)


def test_status_52_at_ringside_every_throw_costs_six() -> None:
    at = {"A": figure("A", 0, 45, 0), "B": figure("B", 0, 45), "C": figure("C", 18, 45, 0)}
    found = hoisting({name: {"at_ringside": True} for name in "ABC"}, at=at)
    assert "throw:ringside" not in [one.id for one in directions(found, "A")]
    drive(throw(found, "A", "OPEN_PHASE"), choose=answers("throw:front", seen={"B": figure("B", 14, 45)}))
    assert [found.state.wrestlers[one].stamina for one in "BC"] == [14, 14]


def test_win_05_thrown_over_the_ropes_is_out_where_that_counts() -> None:
    found = hoisting(at=at_ropes(1.0), rulings={"over_the_top": True})
    drive(throw(found, "A", "OPEN_PHASE"), choose=answers("throw:ringside", seen={"B": figure("B", 0, 42)}))
    assert found.state.wrestlers["B"].out == "over_the_top"


# ---------- placed, unseen


@pytest.mark.parametrize(("side", "x", "y"), [("front", 1, 0), ("back", -1, 0), ("side", 0, 1)])
def test_ruling_54_placed_throws_have_a_ghost_in_the_direction_declared(side: str, x: int, y: int) -> None:
    found = hoisting(rulings={"throw_mode": "placed"})
    asked: list[Request] = []
    drive(throw(found, "A", "OPEN_PHASE"), choose=answers(f"throw:{side}"), asked=asked)
    ghost = next(one.proposal for one in asked if one.kind == "place")
    assert ghost is not None
    assert ghost.x * x + ghost.y * y >= 6 - 1e-6
    assert found.state.wrestlers["B"].stamina == 16


def test_ruling_54_placed_throws_reach_so_many_palms_of_the_holder() -> None:
    found = hoisting(rulings={"throw_mode": "placed", "placed_max_palms": 1})
    asked: list[Request] = []
    drive(throw(found, "A", "OPEN_PHASE"), choose=answers("throw:front"), asked=asked)
    check = next(one.check for one in asked if one.kind == "place")
    assert check is not None
    assert check(figure("B", 17, 0)) == ()
    assert [one.code for one in check(figure("B", 22, 0))] == ["too_far_thrown"]
    assert [one.code for one in check(figure("B", 0, 17))] == ["wrong_throw_side"]
    assert "not_inside" in [one.code for one in check(figure("B", 40, 0))]


def test_ruling_54_a_placed_throw_to_ringside() -> None:
    found = hoisting(at=at_ropes(1.0), rulings={"throw_mode": "placed"})
    drive(throw(found, "A", "OPEN_PHASE"), choose=answers("throw:ringside"))
    b = found.state.wrestlers["B"]
    assert (b.at_ringside, b.stamina) == (True, 14)


def test_without_a_camera_the_referee_names_whom_he_fell_upon() -> None:
    found = hoisting()
    found.state.scene.figures.clear()
    found.state.wrestlers["C"].acted = True
    drive(throw(found, "A", "OPEN_PHASE"), choose=answers("throw:front", "hit:C", "nobody"))
    assert [found.state.wrestlers[one].stamina for one in "ABC"] == [20, 16, 16]
    assert facts(found, "fell_upon")[0].values["by"] == "B"


@pytest.mark.parametrize(("said", "stamina"), [("yes", 14), ("no", 16)])
def test_without_a_camera_the_referee_says_whether_he_went_out(said: str, stamina: int) -> None:
    found = hoisting(at=at_ropes(1.0))
    found.state.wrestlers["C"].unconscious = True
    del found.state.scene.figures["B"]
    del found.state.scene.figures["C"]
    drive(throw(found, "A", "OPEN_PHASE"), choose=answers("throw:ringside", "nobody", said))
    assert found.state.wrestlers["B"].stamina == stamina
