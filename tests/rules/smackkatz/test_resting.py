"""Resting, the taunt and the rest nobody chose."""

from __future__ import annotations

from typing import Any

import pytest

from rules.engine.request import Request
from rules.smackkatz.turn import resting
from tests.rules.smackkatz.harness import drive, facts, lock, pair, table


def absurd(given: dict[str, Any] | None = None, **settings: Any) -> Any:
    """A is an absurd."""
    return table("ABC", given or {}, at=pair(), classes={"A": "absurd"}, **settings)


def saying(*answers: str) -> Any:
    left = iter(answers)

    def choose(request: Request) -> str:
        return next(left)

    return choose


def test_special_14_only_an_absurd_is_offered_the_taunt() -> None:
    ids = [one.id for one in resting.rest_options(absurd())]
    assert ids == ["rest:A", "taunt:A", "rest:B", "rest:C", "go_on"]


@pytest.mark.parametrize(("faces", "gain"), [([3, 5], 5), ([4, 4], 6), ([1, 1], 0), ([6, 2], 6)])
def test_special_15_and_16_what_a_taunt_gives(faces: list[int], gain: int) -> None:
    found = absurd({"A": {"stamina": 10}})
    drive(resting.rests(found), {"A.taunt": faces}, saying("taunt:A", "go_on"))
    assert found.state.wrestlers["A"].stamina == 10 + gain
    assert found.state.wrestlers["A"].resting


def test_special_14_a_taunt_replaces_the_rest() -> None:
    found = absurd({"A": {"stamina": 10}})
    drive(resting.rests(found), {"A.taunt": [1, 1]}, saying("taunt:A", "go_on"))
    assert {one.id: bool(one.reasons) for one in resting.rest_options(found) if one.target == "A"} == {
        "rest:A": True, "taunt:A": True,
    }  # fmt: skip


def test_ruling_88_a_taunt_may_heal_late_and_is_a_taunt_still() -> None:
    found = absurd({"A": {"stamina": 10}}, rulings={"rest_heals_at": "own_activation"})
    drive(resting.rests(found), {}, saying("taunt:A", "go_on"))
    drive(resting.late_heals(found), {"A.taunt": [2, 2]})
    assert found.state.wrestlers["A"].stamina == 16


@pytest.mark.parametrize(
    ("fields", "rule"),
    [
        ({"hoisted_by": "B"}, "STATUS-10"), ({"held_by": "B", "lying": True}, "STATUS-10"),
        ({"hoists": "B"}, "RULING-88"), ({"holds": "B", "lying": True}, "RULING-88"),
        ({"pins": "B"}, "RULING-88"), ({"pinned_by": "B", "lying": True}, "RULING-88"),
        ({"on_post": 1}, "RULING-93"), ({"unconscious": True}, "STATUS-03"), ({"resting": True}, "STATUS-11"),
    ],
)  # fmt: skip
def test_status_10_who_may_neither_rest_nor_taunt(fields: dict[str, Any], rule: str) -> None:
    found = absurd({"A": fields})
    for action in ("rest", "taunt"):
        assert rule in [one.rule for one in resting.rest_reasons(found, "A", action)]


def test_ruling_88_the_knocked_down_may_be_denied_their_rest() -> None:
    allowed = absurd({"A": {"knocked_down": 1}})
    assert resting.rest_reasons(allowed, "A") == ()
    denied = absurd({"A": {"knocked_down": 1}}, rulings={"rest_while_knocked_down": False})
    assert [one.rule for one in resting.rest_reasons(denied, "A")] == ["RULING-88"]


def test_status_10_nobody_rests_in_a_lock_up() -> None:
    found = lock(absurd(), "A", "B")
    assert [one.rule for one in resting.rest_reasons(found, "A")] == ["STATUS-10"]


@pytest.mark.parametrize("heals", [True, False])
def test_fin_08_a_failed_finisher_is_paid_with_a_turn_of_rest(heals: bool) -> None:
    found = absurd({"A": {"stamina": 9, "must_rest": True}}, rulings={"failed_finisher_heals": heals})
    resting.force_rests(found)
    wrestler = found.state.wrestlers["A"]
    assert wrestler.resting
    assert not wrestler.must_rest
    drive(resting.rests(found), {"A.rest": [2]} if heals else {}, saying("go_on"))
    assert wrestler.stamina == (11 if heals else 9)
    resting.end_rests(found)
    assert not wrestler.resting
    assert [one.fighter for one in facts(found, "rest_ended")] == ["A"]


def test_status_12_a_rest_heals_once_however_often_the_turn_is_taken_up_again() -> None:
    found = absurd({"A": {"stamina": 10}})
    drive(resting.rests(found), {"A.rest": [4]}, saying("rest:A", "go_on"))
    drive(resting.rests(found), {}, saying("go_on"))
    assert found.state.wrestlers["A"].stamina == 14
