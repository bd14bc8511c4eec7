"""The Suplex over turns: grab, free palms, upkeep, getting loose, being dropped."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

from rules.engine.request import Request
from rules.geometry import gap, moved
from rules.scene import Figure
from rules.smackkatz.abilities import Ring
from rules.smackkatz.attacks.suplex import keep, suplex, upkeep
from rules.smackkatz.book import EARLIER
from rules.smackkatz.consequences.drops import drop
from rules.smackkatz.sight import adjacent, inside_ring
from tests.rules.playing import figure
from tests.rules.smackkatz.harness import behind, drive, facts, lock, pair, table

C_AWAY = figure("C", 0, -20, 90)


def hoisting(
    given: dict[str, Any] | None = None, at: dict[str, Figure] | None = None, **settings: Any
) -> Ring:
    """A has held B up since the turn before; it is turn 2."""
    names = settings.pop("names", "ABC")
    found = table(names, given or {}, at={**pair(), "C": C_AWAY, **(at or {})}, **settings)
    found.record("hoisted", "SUPLEX-02", fighter="B", by="A")
    found.state.turn = 2
    for wrestler in found.state.wrestlers.values():
        wrestler.begin_turn()
    return found


def answers(*names: str, seen: dict[str, Figure] | None = None) -> Callable[[Request], Any]:
    """Choose the first of these options that is offered and legal; show these figures."""

    def choose(request: Request) -> Any:
        if request.kind == "observe":
            return seen or {}
        for name in names:
            option = request.option(name)
            if option is not None and option.legal:
                return name
        raise AssertionError(request)

    return choose


def test_suplex_02_one_success_is_a_grab_and_both_sides_know_it() -> None:
    found = table("ABC", {"A": {"suplex": 2}}, at=pair())
    drive(suplex(found, "A", "B", "OPEN_PHASE"), {"A.suplex": [4, 1]})
    a, b = found.state.wrestlers["A"], found.state.wrestlers["B"]
    assert (a.hoists, b.hoisted_by, a.hoisted_in, b.hoisted_in, a.attacked) == ("B", "A", 1, 1, True)
    assert facts(found, "hoisted")[0].rules[:2] == ("SUPLEX-02", "SUPLEX-05")


def test_status_14_whoever_is_lifted_is_seen_on_top_of_his_holder_at_once() -> None:
    found = table("ABC", {"A": {"suplex": 1}}, at=pair())
    drive(suplex(found, "A", "B", "OPEN_PHASE"), {"A.suplex": [4]})
    over, under = found.state.scene.figures["B"], found.state.scene.figures["A"]
    assert (over.x, over.y) == (under.x, under.y)


def test_suplex_03_three_counts_inside_the_lock_up_and_the_lifted_one_leaves_it() -> None:
    found = lock(table("ABC", {"A": {"suplex": 1}}, at=pair()), "A", "B")
    drive(suplex(found, "A", "B", "LOCKUP_PHASE"), {"A.suplex": [3]})
    assert found.state.wrestlers["A"].hoists == "B"
    assert found.state.groups == ()
    free = table("ABC", {"A": {"suplex": 1}}, at=pair())
    drive(suplex(free, "A", "B", "OPEN_PHASE"), {"A.suplex": [3]})
    assert facts(free, "missed")


def test_status_14_the_hoisted_one_stands_where_the_holder_does_and_is_nobodys_neighbour() -> None:
    found = hoisting(at={"C": figure("C", 0, -7, 90)})
    drive(keep(found, "A", "OPEN_PHASE"))
    assert not adjacent(found, "B", "C").answer
    assert not adjacent(found, "A", "B").answer
    assert adjacent(found, "A", "C").answer
    found.state.scene.figures["B"] = figure("B", 60, 0)
    assert inside_ring(found, "B").answer


def test_suplex_04_a_surviving_six_is_one_free_palm_with_the_rival_overhead() -> None:
    found = table("ABC", {"A": {"suplex": 2}, "B": {"counter": 1}}, at=pair())
    walked = figure("A", 17.9, 0, 0)
    asked: list[Request] = []
    drive(
        suplex(found, "A", "B", "OPEN_PHASE"),
        {"A.suplex": [6, 1], "B.counter": [2]},
        answers("walk", seen={"A": walked}),
        asked,
    )
    assert [one.text.values["palms"] for one in asked if "D-12" in one.step] == [1, 1]
    here = found.state.scene.figures
    assert (here["B"].x, here["B"].y) == (here["A"].x, here["A"].y) == (17.9, 0)
    assert found.state.wrestlers["A"].spent == 0


def test_suplex_04_free_palms_are_judged_like_any_walk() -> None:
    found = table("ABC", {"A": {"suplex": 1}}, at=pair())
    tries = [figure("A", 30.0, 0, 0), figure("A", 17.0, 0, 0)]

    def choose(request: Request) -> Any:
        if request.kind == "observe":
            return {"A": tries.pop(0)}
        return "again" if request.option("again") else "walk"

    drive(suplex(found, "A", "B", "OPEN_PHASE"), {"A.suplex": [6]}, choose)
    assert not tries
    assert facts(found, "carried")[0].values["by"] == "measured"


def test_ruling_53_free_palms_may_be_left_unused() -> None:
    found = table("ABC", {"A": {"suplex": 1}}, at=pair())
    drive(suplex(found, "A", "B", "OPEN_PHASE"), {"A.suplex": [6]}, answers("stay"))
    assert not facts(found, "carried")


@pytest.mark.parametrize(("order", "palms"), [("plain_first", 1), ("sixes_first", 0)])
def test_ruling_44_which_successes_the_counter_takes_away(order: str, palms: int) -> None:
    found = table(
        "ABC", {"A": {"suplex": 2}, "B": {"counter": 1}}, at=pair(), rulings={"cancel_order": order}
    )
    asked: list[Request] = []
    drive(
        suplex(found, "A", "B", "OPEN_PHASE"), {"A.suplex": [6, 4], "B.counter": [4]}, answers("stay"), asked
    )
    assert len([one for one in asked if "D-12" in one.step]) == palms


def test_counter_05_an_equalled_suplex_has_no_effect() -> None:
    found = table("ABC", {"A": {"suplex": 1}, "B": {"counter": 1}}, at=pair())
    drive(suplex(found, "A", "B", "OPEN_PHASE"), {"A.suplex": [5], "B.counter": [6]})
    assert found.state.wrestlers["A"].hoists is None
    assert not facts(found, "counter_blow")


def test_counter_11_an_out_countered_suplex_is_paid_back_with_a_blow() -> None:
    found = table("ABC", {"A": {"suplex": 1}, "B": {"counter": 2, "strength": 3}}, at=pair())
    drive(
        suplex(found, "A", "B", "OPEN_PHASE"),
        {"A.suplex": [5], "B.counter": [6, 4], "B.strength": [4, 1, 6]},
    )
    assert found.state.wrestlers["A"].stamina == 17
    assert "COUNTER-11" in facts(found, "counter_blow")[0].rules


@pytest.mark.parametrize(("counter", "lifted"), [([6, 4], True), ([5, 4], False)])
def test_ruling_67_reverse_suplex_turns_the_move_round(counter: list[int], lifted: bool) -> None:
    found = table(
        "ABC",
        {"A": {"suplex": 1}, "B": {"counter": 2}},
        at=pair(),
        rulings={"counter_vs_suplex": "reverse_suplex"},
    )
    drive(suplex(found, "A", "B", "OPEN_PHASE"), {"A.suplex": [5], "B.counter": counter})
    assert (found.state.wrestlers["B"].hoists == "A") == lifted
    assert not facts(found, "counter_blow")


def test_counter_09_a_suplex_from_behind_cannot_be_countered() -> None:
    b = figure("B", 0, 0, 90)
    found = table("ABC", {"A": {"suplex": 1}}, at={"A": behind("A", b), "B": b})
    asked: list[Request] = []
    drive(suplex(found, "A", "B", "OPEN_PHASE"), {"A.suplex": [4]}, asked=asked)
    assert not any("D-06" in one.step for one in asked)


# ---------- upkeep


def test_suplex_14_a_success_at_the_end_of_the_next_turn_keeps_him_up() -> None:
    found = hoisting({"A": {"suplex": 2}})
    drive(upkeep(found, "Z1"), {"A.suplex": [4, 1]})
    assert found.state.wrestlers["A"].hoists == "B"
    assert facts(found, "kept_up")[0].rules == ("SUPLEX-14",)


def test_ruling_52_there_is_no_upkeep_in_the_turn_of_the_grab() -> None:
    found = hoisting()
    found.state.turn = 1
    drive(upkeep(found, "Z1"))
    assert found.state.wrestlers["A"].hoists == "B"


def test_ruling_18_upkeep_is_read_at_four() -> None:
    found = lock(hoisting({"A": {"suplex": 1}}), "A", "B")
    drive(upkeep(found, "Z1"), {"A.suplex": [3]})
    assert found.state.wrestlers["A"].hoists is None


def test_suplex_17_to_19_a_failed_upkeep_sets_him_free_next_to_the_holder() -> None:
    found = hoisting({"A": {"suplex": 2}})
    asked: list[Request] = []
    drive(upkeep(found, "Z1"), {"A.suplex": [3, 1]}, asked=asked)
    a, b = found.state.wrestlers["A"], found.state.wrestlers["B"]
    assert (b.hoisted_by, b.freed, b.acted, a.turn_over) == (None, True, False, True)
    assert found.state.late == ("B",)
    assert b.upright
    assert b.stamina == 20
    assert adjacent(found, "A", "B").answer
    spot = next(one for one in asked if one.kind == "place")
    assert spot.who == "b"
    assert "D-16" in spot.step


def test_counter_12_the_landing_spot_is_his_choice_even_behind_the_holder() -> None:
    found = hoisting({"A": {"suplex": 1}})
    asked: list[Request] = []
    drive(upkeep(found, "Z1"), {"A.suplex": [1]}, asked=asked)
    check = next(one.check for one in asked if one.kind == "place")
    assert check is not None
    body = found.state.scene.figures["B"]
    for angle in (0.0, math.pi / 2, math.pi):
        assert check(moved(body, 7 * math.cos(angle), 7 * math.sin(angle))) == ()
    assert [one.code for one in check(moved(body, 12, 0))] == ["not_beside"]
    assert "on_top_of" in [one.code for one in check(moved(body, 2, 0))]
    assert "not_inside" in [one.code for one in check(moved(body, 40, 0))]


def test_ruling_105_facing_as_before_is_a_house_rule() -> None:
    found = hoisting({"A": {"suplex": 1}}, rulings={"free_facing_on_rise": False})
    asked: list[Request] = []
    drive(upkeep(found, "Z1"), {"A.suplex": [1]}, asked=asked)
    place = next(one for one in asked if one.kind == "place")
    assert place.check is not None
    assert place.proposal is not None
    assert place.proposal.facing == pytest.approx(math.pi)
    assert place.text.key == "ask.place_loose_kept"
    assert [one.code for one in place.check(figure("B", -7, 0, 0))] == ["other_facing"]


def test_suplex_16_the_hoisted_one_may_counter_the_upkeep() -> None:
    found = hoisting({"A": {"suplex": 2}, "B": {"counter": 2}})
    drive(upkeep(found, "Z1"), {"A.suplex": [4, 1], "B.counter": [5, 3]})
    b = found.state.wrestlers["B"]
    assert (b.hoisted_by, b.defended, b.freed) == (None, True, True)


def test_counter_11_an_out_countered_upkeep_frees_him_before_the_blow() -> None:
    found = hoisting({"A": {"suplex": 1}, "B": {"counter": 2, "strength": 1}})
    drive(upkeep(found, "Z1"), {"A.suplex": [4], "B.counter": [6, 5], "B.strength": [5]})
    assert found.state.wrestlers["A"].stamina == 19
    assert found.state.wrestlers["B"].stamina == 20
    assert not facts(found, "dropped")


def test_ruling_67_reverse_suplex_at_the_upkeep_swaps_the_two() -> None:
    found = hoisting(
        {"A": {"suplex": 1}, "B": {"counter": 2}}, rulings={"counter_vs_suplex": "reverse_suplex"}
    )
    drive(upkeep(found, "Z1"), {"A.suplex": [4], "B.counter": [6, 5]})
    a, b = found.state.wrestlers["A"], found.state.wrestlers["B"]
    assert (a.hoisted_by, b.hoists, a.hoists, b.hoisted_by) == ("B", "A", None, None)
    assert found.state.late == ()


def test_suplex_13_keeping_him_up_ends_the_slot_and_the_roll_comes_at_the_turns_end() -> None:
    found = hoisting({"A": {"suplex": 1}})
    drive(keep(found, "A", "OPEN_PHASE"))
    assert found.state.wrestlers["A"].turn_over
    drive(upkeep(found, "Z1"), {"A.suplex": [4]})
    assert facts(found, "kept_up")


def test_ruling_52_upkeep_in_the_holders_slot_is_a_house_rule() -> None:
    found = hoisting({"A": {"suplex": 1}}, rulings={"suplex_upkeep": "holder_activation"})
    drive(keep(found, "A", "OPEN_PHASE"), {"A.suplex": [4]})
    drive(upkeep(found, "Z1"))
    assert found.state.wrestlers["A"].hoists == "B"
    idle = hoisting({"A": {"suplex": 1}}, rulings={"suplex_upkeep": "holder_activation"})
    drive(upkeep(idle, "Z1"), {"A.suplex": [1]})
    assert idle.state.wrestlers["A"].hoists is None


def test_counter_12_of_the_earlier_edition_upkeep_is_countered_too_but_gives_neither_blow_nor_turn() -> None:
    found = hoisting({"A": {"suplex": 1}, "B": {"counter": 2}}, book=EARLIER)
    drive(upkeep(found, "Z1"), {"A.suplex": [4], "B.counter": [6, 6]})
    a, b = found.state.wrestlers["A"], found.state.wrestlers["B"]
    assert (b.hoisted_by, b.freed, found.state.late) == (None, False, ())
    assert (a.stamina, a.turn_over) == (20, False)
    failed = hoisting({"A": {"suplex": 1}}, book=EARLIER)
    drive(upkeep(failed, "Z1"), {"A.suplex": [2]})
    b = failed.state.wrestlers["B"]
    assert (b.hoisted_by, b.freed, failed.state.late) == (None, False, ())


def test_without_a_camera_a_suplex_asks_for_no_places() -> None:
    found = hoisting({"A": {"suplex": 1}})
    found.state.scene.figures.clear()
    asked: list[Request] = []
    drive(upkeep(found, "Z1"), {"A.suplex": [1]}, asked=asked)
    assert [one.kind for one in asked] == ["roll"]
    assert found.state.wrestlers["B"].freed


# ---------- dropped


def test_suplex_20_to_22_the_dropped_one_falls_beyond_the_holder_on_the_strikers_line() -> None:
    found = hoisting(at={"C": figure("C", 0, -7, 90)})
    drive(drop(found, "B", "C", "OPEN_PHASE"))
    b, a = found.state.wrestlers["B"], found.state.wrestlers["A"]
    assert (b.stamina, b.knocked_down, b.hoisted_by, a.hoists, a.stamina) == (16, 2, None, None, 20)
    fallen = found.state.scene.figures["B"]
    assert fallen.x == pytest.approx(0, abs=0.01)
    assert fallen.y == pytest.approx(6, abs=0.2)


def test_suplex_20_beyond_the_ropes_he_falls_to_ringside() -> None:
    at = {"A": figure("A", 0, 31, 0), "B": figure("B", 0, 31, 0), "C": figure("C", 0, 24, 90)}
    found = hoisting(at=at)
    drive(drop(found, "B", "C", "OPEN_PHASE"))
    b = found.state.wrestlers["B"]
    assert (b.stamina, b.at_ringside, b.knocked_down) == (14, True, 2)


def test_ruling_56_a_spot_taken_by_somebody_is_passed_over() -> None:
    at = {"C": figure("C", -7, 0, 0), "D": figure("D", 7, 0, 180)}
    found = table("ABCD", at={**pair(), **at})
    found.record("hoisted", "SUPLEX-02", fighter="B", by="A")
    drive(drop(found, "B", "C", "OPEN_PHASE"))
    fallen, others = found.state.scene.figures["B"], ("A", "C", "D")
    assert fallen.x > 10
    assert all(gap(fallen, found.state.scene.figures[one])[0].value < 40 for one in others)
    assert inside_ring(found, "B").answer


def test_at_ringside_nobody_is_dropped_back_into_the_ring() -> None:
    at = {"A": figure("A", 0, 40, 0), "B": figure("B", 0, 40, 0), "C": figure("C", 0, 47, 270)}
    given = {name: {"at_ringside": True} for name in "ABC"}
    found = hoisting(given, at=at)
    drive(drop(found, "B", "C", "OPEN_PHASE"))
    b = found.state.wrestlers["B"]
    assert (b.at_ringside, b.stamina) == (True, 14)
    assert not inside_ring(found, "B").answer


def test_ruling_58_a_holder_who_is_out_sets_his_rival_down_unhurt() -> None:
    found = hoisting()
    drive(drop(found, "B", None, "Z4"))
    b = found.state.wrestlers["B"]
    assert (b.hoisted_by, b.stamina, b.upright) == (None, 20, True)
    assert facts(found, "set_down")


@pytest.mark.parametrize(("said", "outside", "stamina"), [("yes", True, 14), ("no", False, 16)])
def test_without_a_camera_the_referee_says_where_he_fell(said: str, outside: bool, stamina: int) -> None:
    found = hoisting()
    found.state.scene.figures.clear()
    drive(drop(found, "B", "C", "OPEN_PHASE"), choose=answers(said))
    b = found.state.wrestlers["B"]
    assert (b.at_ringside, b.stamina) == (outside, stamina)


def test_earlier_edition_a_drop_is_always_on_the_mat() -> None:
    at = {"A": figure("A", 0, 31, 0), "B": figure("B", 0, 31, 0), "C": figure("C", 0, 24, 90)}
    found = hoisting(at=at, book=EARLIER)
    drive(drop(found, "B", "C", "OPEN_PHASE"))
    b = found.state.wrestlers["B"]
    assert (b.at_ringside, b.stamina) == (False, 16)
    assert inside_ring(found, "B").answer


@pytest.mark.parametrize(("apart", "codes"), [(2.4, []), (2.7, ["not_beside"])])
def test_suplex_17_beside_the_holder_is_as_far_as_one_can_be_adjacent(apart: float, codes: list[str]) -> None:
    found = hoisting({"A": {"suplex": 1}})
    asked: list[Request] = []
    drive(upkeep(found, "Z1"), {"A.suplex": [1]}, asked=asked)
    (place,) = [one for one in asked if one.kind == "place"]
    holder = found.state.scene.figures["A"]
    assert place.check is not None
    assert [one.code for one in place.check(figure("B", holder.x, holder.y + 6 + apart, 270))] == codes


def test_win_05_a_holder_knocked_over_the_ropes_as_he_keeps_a_rival_up_ends_the_turn_for_all() -> None:
    """B counters from above with two sixes on Strength: A goes over the top, and with him the match."""
    at = {"A": figure("A", 0, 31.5, 90), "B": figure("B", 0, 31.5, 90), "C": figure("C", 0, -20, 90)}
    given = {"A": {"suplex": 1}, "B": {"counter": 2, "strength": 1}}
    found = hoisting(given, at=at, rulings={"over_the_top": True})
    found.state.wrestlers["C"].out = "pin"
    asked: list[Request] = []
    dice = {"A.suplex": [4], "B.counter": [6, 6], "B.strength": [6, 6]}
    drive(upkeep(found, "Z1"), dice, asked=asked)
    assert found.state.outcome is not None
    assert (found.state.outcome.ending, found.state.outcome.winners) == ("over_the_top", ("B",))
    assert found.facts[-1].kind == "match_over"


def test_win_05_with_the_match_over_nobody_else_has_to_keep_his_rival_up() -> None:
    at = {"A": figure("A", 0, 31.5, 90), "B": figure("B", 0, 31.5, 90), "C": figure("C", 0, -20, 90),
          "D": figure("D", 0, -20, 90)}  # fmt: skip
    given = {"A": {"suplex": 1}, "B": {"counter": 2, "strength": 1}}
    teams = {"A": "red", "B": "blue", "C": "blue", "D": "blue"}
    found = hoisting(given, at=at, names="ABCD", rulings={"over_the_top": True}, teams=teams)
    found.record("hoisted", "SUPLEX-02", fighter="D", by="C")
    found.state.wrestlers["C"].hoisted_in = 1
    drive(upkeep(found, "Z1"), {"A.suplex": [4], "B.counter": [6, 6], "B.strength": [6, 6]})
    assert found.state.outcome is not None
    assert found.state.wrestlers["C"].hoists == "D"
