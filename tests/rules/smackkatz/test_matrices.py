"""Every cell of catalogue 5.2 and 5.3, written down here anew and looked up in what a slot offers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from rules.engine.request import Option
from rules.roster import Roster
from rules.scene import Figure
from rules.smackkatz.attacks.defence import defence_reasons
from rules.smackkatz.book import EARLIER
from rules.smackkatz.legality.options import explain
from tests.rules.playing import figure
from tests.rules.smackkatz.harness import lock, table

ANY = "the rule is not printed"

# ---------- 5.2a and 5.2b: own status x action. "Y" may, "-" no such thing, else the rule that refuses.

ATTACKS = ("strike", "charge", "whip", "suplex", "submission", "hit_downed")
MOVES = ("move", "leave_ring", "climb_post")


def all_of(actions: tuple[str, ...], cell: str) -> dict[str, str]:
    return dict.fromkeys(actions, cell)


OWN: dict[str, dict[str, str]] = {
    "standing": all_of(
        (*MOVES, *ATTACKS, "pin", "rest", "taunt", "finisher", "counter", "technique", "dodge"), "Y",
    )
    | {"get_up": "-", "enter_ring": "-", "dive": ANY, "break_lock_up": "-", "throw": "-"},
    "lock_up": all_of(MOVES, "LOCK-05")
    | all_of(("break_lock_up", *ATTACKS, "pin", "finisher", "counter", "technique"), "Y")
    | {"get_up": "-", "enter_ring": "-", "dive": ANY, "charge": "LOCK-05", "rest": "STATUS-10",
       "taunt": "STATUS-10", "dodge": "LOCK-05"},
    "melee_last": all_of(MOVES, "LOCK-05")
    | all_of((*ATTACKS, "finisher"), "MELEE-03")
    | all_of(("break_lock_up", "pin", "counter", "technique"), "Y")
    | {"get_up": "-", "enter_ring": "-", "dive": ANY, "rest": "STATUS-10", "taunt": "STATUS-10",
       "dodge": "LOCK-05"},
    "lying": all_of((*MOVES, *ATTACKS, "finisher"), "RULING-87")
    | all_of(("get_up", "rest", "taunt", "counter", "technique", "dodge"), "Y")
    | {"enter_ring": "-", "dive": ANY, "break_lock_up": "-", "pin": "RULING-81"},
    "lying_at_ringside": {"get_up": "Y", "enter_ring": "Y", "leave_ring": "-", "strike": "RULING-87"},
    "knocked_down": all_of((*MOVES, "get_up", *ATTACKS, "pin", "finisher", "dodge"), "STATUS-30")
    | {"enter_ring": "-", "dive": ANY, "break_lock_up": "-", "rest": "Y", "taunt": "Y",
       "counter": "RULING-85", "technique": "RULING-85"},
    "knocked_down_at_ringside": {"enter_ring": "STATUS-30", "leave_ring": "-"},
    "unconscious": all_of(
        (*MOVES, *ATTACKS, "pin", "finisher", "rest", "taunt", "counter", "technique", "dodge"), "STATUS-03"
    )
    | {"get_up": "STATUS-05", "enter_ring": "-", "dive": ANY, "break_lock_up": "-"},
    "unconscious_at_ringside": {"enter_ring": "STATUS-03", "leave_ring": "-"},
    "resting": all_of((*MOVES, *ATTACKS, "pin", "finisher", "counter", "technique", "dodge"), "STATUS-11")
    | {"get_up": "-", "enter_ring": "-", "dive": ANY, "break_lock_up": "-"},
    "resting_lying": {"get_up": "STATUS-11"},
    "resting_at_ringside": {"enter_ring": "STATUS-11", "leave_ring": "-"},
    "at_ringside": all_of(
        ("move", "enter_ring", "strike", "charge", "suplex", "hit_downed", "rest", "taunt", "counter",
         "technique", "dodge"), "Y",
    )
    | {"get_up": "-", "leave_ring": "-", "climb_post": "RULING-93", "dive": ANY, "break_lock_up": "-",
       "whip": "RULING-51", "submission": "RULING-66", "pin": "STATUS-51", "finisher": "FIN-01"},
    "hoisting": all_of((*ATTACKS, "climb_post", "dive", "pin", "finisher"), "RULING-58")
    | all_of(("move", "leave_ring"), "RULING-53")
    | {"get_up": "-", "throw": "Y", "keep_hoisting": "Y", "rest": "RULING-88", "taunt": "RULING-88",
       "counter": "SUPLEX-24", "technique": "Y", "dodge": "SUPLEX-24"},
    "hoisted": all_of((*ATTACKS, "climb_post", "dive", "pin", "finisher", "technique"), "SUPLEX-05")
    | all_of(("move", "leave_ring"), "TURN-02")
    | {"get_up": "-", "throw": "-", "rest": "STATUS-10", "taunt": "STATUS-10", "counter": "SUPLEX-16",
       "dodge": "RULING-15"},
    "applying": all_of((*MOVES, "finisher"), "RULING-87")
    | all_of((*ATTACKS, "get_up"), "RULING-63")
    | {"dive": ANY, "throw": "-", "pin": "RULING-81", "rest": "RULING-88", "taunt": "RULING-88",
       "counter": "Y", "technique": "Y", "dodge": "RULING-15"},
    "held": all_of((*MOVES, *ATTACKS, "get_up", "pin", "finisher"), "SUBM-04")
    | {"dive": ANY, "throw": "-", "rest": "STATUS-10", "taunt": "STATUS-10", "counter": "RULING-65",
       "technique": "SUBM-10", "dodge": "RULING-15"},
    "pinning": all_of((*MOVES, *ATTACKS), "RULING-79")
    | {"get_up": "-", "dive": ANY, "throw": "-", "pin": "TURN-07", "rest": "RULING-88",
       "taunt": "RULING-88", "finisher": "RULING-12", "counter": "Y", "technique": "Y", "dodge": "RULING-15"},
    "pinned": all_of((*MOVES, *ATTACKS, "get_up", "pin", "finisher", "counter", "technique"), "RULING-79")
    | {"dive": ANY, "throw": "-", "rest": "RULING-88", "taunt": "RULING-88", "dodge": "RULING-15"},
    "on_post": all_of(
        (*ATTACKS, "move", "leave_ring", "pin", "rest", "taunt", "counter", "dodge"), "RULING-93",
    )
    | {"get_up": "-", "climb_down": "Y", "climb_post": "-", "dive": "Y", "throw": "-", "finisher": "FIN-04",
       "technique": "Y"},
}  # fmt: skip
"""The Technique of a holder, of one applying a hold or on a post is meaningless: nothing refuses it."""

FIELDS: dict[str, dict[str, Any]] = {
    "lying": {"lying": True},
    "knocked_down": {"knocked_down": 1},
    "unconscious": {"unconscious": True},
    "resting": {"resting": True},
    "at_ringside": {"at_ringside": True},
    "hoisting": {"hoists": "C"},
    "hoisted": {"hoisted_by": "C"},
    "applying": {"holds": "C", "lying": True},
    "held": {"held_by": "C", "lying": True},
    "pinning": {"pins": "C"},
    "pinned": {"pinned_by": "C", "lying": True},
    "on_post": {"on_post": 1},
}
OTHER_SIDE: dict[str, dict[str, Any]] = {
    "hoisting": {"hoisted_by": "A"},
    "hoisted": {"hoists": "A"},
    "applying": {"held_by": "A", "lying": True},
    "held": {"holds": "A", "lying": True},
    "pinning": {"pinned_by": "A", "lying": True},
    "pinned": {"pins": "A"},
}
DOWN: dict[str, dict[str, Any]] = {"pin": {"lying": True}, "hit_downed": {"knocked_down": 1}}
"""How the target D has to be for what is done to the downed; B stands."""
KIND = {"charge": "beast", "taunt": "absurd"}


def fields_of(status: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, fields in FIELDS.items():
        if status == name or status in (f"{name}_at_ringside", f"resting_{name}"):
            found |= fields
    return (
        found
        | ({"at_ringside": True} if status.endswith("at_ringside") else {})
        | ({"resting": True} if status.startswith("resting") else {})
    )


def places(outside: bool) -> dict[str, Figure]:
    """A in a corner on the ropes, the others next to him; or all of them outside a rope."""
    if outside:
        spots = {"A": (0, 39.5), "B": (7, 39.5), "C": (0, 46.5), "D": (-7, 39.5)}
    else:
        spots = {"A": (31, 31), "B": (24, 31), "C": (26, 26), "D": (31, 24)}
    return {name: figure(name, x, y, 180) for name, (x, y) in spots.items()}


def of_kind(found: Any, kind: str) -> Any:
    entrants = tuple(replace(one, kind=kind) for one in found.roster.entrants)
    found.roster = Roster(entrants, found.roster.ring)
    return found


def actor_with(status: str, action: str, **rulings: Any) -> Any:
    """A table where A has a status and nothing else keeps him from the action."""
    outside = status.endswith("at_ringside")
    given: dict[str, dict[str, Any]] = {
        "A": {"palms_walked": 1} | fields_of(status),
        "B": {},
        "C": OTHER_SIDE.get(status, {}),
        "D": DOWN.get(action, {}),
    }
    if outside:
        for name in "BCD":
            given[name] = given[name] | {"at_ringside": True}
    if action == "finisher":
        given["A"] |= {"finisher_on": "B", "finisher_bonus": True}
    found = table("ABCD", given, at=places(outside), rulings=rulings)
    if action in ("rest", "taunt"):
        found.state.phase = "TURN_START"
    if status == "lock_up":
        lock(found, "A", "B")
    if status == "melee_last":
        lock(found, "A", "B", "C")
        found.state.wrestlers["A"].cannot_attack = True
    return of_kind(found, KIND.get(action, "humanoid"))


IDS = dict.fromkeys(("pin", "hit_downed"), "D") | dict.fromkeys(ATTACKS[:5], "B") | {"finisher": "strike"}


def looked_up(found: Any, action: str) -> Option | None:
    name = f"{action}:{IDS[action]}" if action in IDS else action
    return {one.id: one for one in explain(found, "A")}.get(name)


def cell(option: Option | None) -> str:
    return "-" if option is None else "Y" if option.legal else ""


CASES = [(status, action, wanted) for status, cells in OWN.items() for action, wanted in cells.items()]


@pytest.mark.parametrize(("status", "action", "wanted"), CASES)
def test_own_status_and_action(status: str, action: str, wanted: str) -> None:
    option = looked_up(actor_with(status, action), action)
    if wanted in ("Y", "-"):
        assert cell(option) == wanted, option and option.reasons
        return
    assert option is not None
    rules = [one.rule for one in option.reasons]
    assert rules, "it should be refused"
    assert wanted == ANY or wanted in rules


# ---------- 5.2c: what he has done this turn

DONE: dict[str, dict[str, str]] = {
    "defended": {"move": "TURN-03", "get_up": "RULING-13", "enter_ring": "RULING-13",
                 "leave_ring": "RULING-13", "climb_post": "RULING-13", "break_lock_up": "RULING-13",
                 "strike": "TURN-05", "whip": "TURN-05", "suplex": "TURN-05", "submission": "TURN-05",
                 "charge": "TURN-05", "hit_downed": "TURN-05", "finisher": "TURN-05", "pin": "Y",
                 "counter": "TURN-06", "technique": "TURN-06", "dodge": "Y"},
    "attacked": {"move": "Y", "get_up": "Y", "enter_ring": "Y", "leave_ring": "Y", "climb_post": "TURN-04",
                 "break_lock_up": "RULING-21", "strike": "TURN-04", "whip": "TURN-04", "suplex": "TURN-04",
                 "submission": "TURN-04", "charge": "TURN-04", "hit_downed": "TURN-04", "finisher": "Y",
                 "pin": "Y", "counter": "Y", "technique": "Y", "dodge": "WHIP-08"},
    "moved": {"move": "RULING-12", "get_up": "Y", "enter_ring": "RULING-12", "leave_ring": "RULING-12",
              "climb_post": "Y", "break_lock_up": "Y", "strike": "Y", "whip": "Y", "suplex": "Y",
              "submission": "Y", "charge": "Y", "hit_downed": "Y", "finisher": "Y", "pin": "Y",
              "counter": "Y", "technique": "Y", "dodge": "WHIP-08"},
}  # fmt: skip
POSTURE_FOR = {"get_up": "lying", "enter_ring": "at_ringside", "break_lock_up": "lock_up"}


@pytest.mark.parametrize(
    ("done", "action", "wanted"), [(done, *pair) for done, row in DONE.items() for pair in row.items()]
)
def test_what_he_has_done_and_action(done: str, action: str, wanted: str) -> None:
    found = actor_with(POSTURE_FOR.get(action, "standing"), action)
    setattr(found.state.wrestlers["A"], done, True)
    option = looked_up(found, action)
    assert option is not None
    if wanted == "Y":
        assert option.legal, option.reasons
    else:
        assert [one.rule for one in option.reasons] == [wanted]


def test_the_back_turned_takes_both_defences_and_no_attack() -> None:
    found = actor_with("standing", "strike")
    for defence, against, rule in (
        ("counter", "strike", "COUNTER-09"),
        ("technique", "irish_whip", "TECH-08"),
    ):
        refused = defence_reasons(found, "A", defence, against, behind=True)  # type: ignore[arg-type]
        assert [one.rule for one in refused] == [rule]
    assert looked_up(found, "strike").legal  # type: ignore[union-attr]


EXPLAINED = [
    ({"defended": True, "unlimited_defence": True}, {}, {"counter": None, "technique": None}),
    ({"defended": True, "counters": 1}, {"defences_per_turn": "2_one_each"},
     {"counter": "TURN-06", "technique": None}),
    ({"counters_used": 9}, {}, {"counter": "RULING-62", "technique": None}),
    ({"defended": True}, {"dodge_uses_defence": True}, {"dodge": "TURN-06"}),
    ({"turn_over": True}, {}, {"dodge": "WHIP-08", "counter": None}),
    ({}, {}, {"rest": "STATUS-10", "taunt": "STATUS-10"}),
]  # fmt: skip


@pytest.mark.parametrize(("fields", "rulings", "wanted"), EXPLAINED)
def test_what_is_explained_of_defences_dodges_and_rests_is_what_the_rules_would_say(
    fields: dict[str, Any], rulings: dict[str, Any], wanted: dict[str, str | None]
) -> None:
    found = of_kind(table("AB", {"A": fields}, rulings=rulings), "absurd")
    for action, rule in wanted.items():
        option = looked_up(found, action)
        assert option is not None
        assert [one.rule for one in option.reasons] == ([] if rule is None else [rule]), action


def test_who_has_acted_is_told_that_the_earlier_edition_lets_him_counter_no_more() -> None:
    option = looked_up(table("AB", {"A": {"acted": True}}, book=EARLIER), "counter")
    assert option is not None
    assert [one.rule for one in option.reasons] == ["COUNTER-07"]


def test_an_active_finisher_defends_without_limit_and_the_late_freed_act_in_full() -> None:
    found = actor_with("standing", "strike")
    one = found.state.wrestlers["A"]
    one.defended = True
    one.unlimited_defence = True
    assert not defence_reasons(found, "A", "counter", "strike")
    one.unlimited_defence, one.freed = False, True
    assert looked_up(found, "strike").legal  # type: ignore[union-attr]
    assert looked_up(found, "move").legal  # type: ignore[union-attr]
    assert defence_reasons(found, "A", "counter", "strike")


# ---------- 5.3: target status x attack

COLUMNS = ("strike", "charge", "whip", "suplex", "submission", "hit_downed", "pin", "finisher:strike",
           "finisher:submission")  # fmt: skip


def row(cells: str) -> dict[str, str]:
    return dict(zip(COLUMNS, cells.split(), strict=True))


TARGET = {
    "standing": row("Y Y Y Y Y - TURN-07 Y Y"),
    "lying": row("Y Y Y STATUS-25 Y - Y Y Y"),
    "knocked_down": row("STATUS-34 STATUS-34 STATUS-34 STATUS-34 STATUS-34 Y Y Y Y"),
    "unconscious": row("FOUL-05 FOUL-05 FOUL-05 FOUL-05 FOUL-05 Y Y FOUL-05 FOUL-05"),
    "resting": row("Y Y Y Y Y - TURN-07 Y Y"),
    "hoisting": row("Y Y SUPLEX-23 SUPLEX-23 SUPLEX-23 - TURN-07 Y SUPLEX-23"),
    "hoisted": row(
        "RULING-58 RULING-58 RULING-58 RULING-58 RULING-58 RULING-58 RULING-81 RULING-58 RULING-58"
    ),
    "applying": row("Y Y RULING-51 STATUS-25 RULING-65 - RULING-65 Y RULING-65"),
    "held": row("Y Y RULING-51 STATUS-25 RULING-65 - RULING-65 Y RULING-65"),
    "pinning": row("Y Y Y Y Y - TURN-07 Y Y"),
    "pinned": row("Y Y RULING-51 STATUS-25 RULING-79 - RULING-81 Y Y"),
    "on_post": row("Y Y RULING-93 RULING-93 RULING-93 - TURN-07 Y RULING-93"),
    "at_ringside": row("Y Y RULING-51 Y RULING-66 - STATUS-51 FIN-01 FIN-01"),
    "knocked_down_at_ringside": row(
        "STATUS-34 STATUS-34 STATUS-34 STATUS-34 STATUS-34 Y STATUS-51 FIN-01 FIN-01"
    ),
    "across": row("RULING-31 RULING-31 RULING-31 RULING-31 RULING-31 - STATUS-51 FIN-01 FIN-01"),
    "team_mate": row("RULING-98 RULING-98 RULING-98 RULING-98 RULING-98 - RULING-98 RULING-98 RULING-98"),
    "just_left": row("LOCK-10 LOCK-10 LOCK-10 LOCK-10 LOCK-10 - TURN-07 LOCK-10 LOCK-10"),
    "target_limit": row("STATUS-27 STATUS-27 STATUS-27 STATUS-27 STATUS-27 - TURN-07 STATUS-27 STATUS-27"),
}
"""A hit on the unconscious is refused nobody: he is warned of the foul first (D-22)."""


def target_with(status: str, **rulings: Any) -> Any:
    """A stands free next to B, who has the status; C is who B is bound to."""
    both_outside = status.endswith("at_ringside")
    fields = fields_of("at_ringside" if status == "across" else status)
    other = {key: "B" if value == "A" else value for key, value in OTHER_SIDE.get(status, {}).items()}
    given: dict[str, dict[str, Any]] = {
        "A": {"palms_walked": 1, "finisher_on": "B", "finisher_bonus": True},
        "B": fields,
        "C": other,
    }
    if both_outside:
        given["A"]["at_ringside"] = True
    if status == "just_left":
        given["A"]["left"] = ("B",)
    if status == "target_limit":
        given["A"]["may_only_attack"] = ("C",)
    teams = {"A": "red", "B": "red", "C": "blue"} if status == "team_mate" else None
    at = places(both_outside)
    here = {name: at[name] for name in "ABC"}
    found = table("ABC", given, at=here, rulings=rulings, teams=teams)
    return of_kind(found, "beast")


@pytest.mark.parametrize(
    ("status", "action", "wanted"),
    [(status, *pair) for status, cells in TARGET.items() for pair in cells.items()],
)
def test_target_status_and_attack(status: str, action: str, wanted: str) -> None:
    found = target_with(status)
    name = action if ":" in action else f"{action}:B"
    option = {one.id: one for one in explain(found, "A")}.get(name)
    if wanted in ("Y", "-"):
        assert cell(option) == wanted, option and option.reasons
        return
    assert option is not None
    assert wanted in [one.rule for one in option.reasons]


NO_DEFENCE = [
    ("resting", "counter", "STATUS-11"), ("resting", "technique", "STATUS-11"),
    ("hoisting", "counter", "SUPLEX-24"), ("held", "counter", "RULING-65"),
    ("pinned", "counter", "RULING-79"), ("pinned", "technique", "RULING-79"),
    ("on_post", "counter", "RULING-93"),
    ("knocked_down", "counter", "RULING-85"), ("knocked_down", "technique", "RULING-85"),
    ("unconscious", "counter", "STATUS-03"), ("standing", "counter", None), ("lying", "counter", None),
    ("applying", "counter", None), ("pinning", "counter", None), ("pinning", "technique", None),
]  # fmt: skip


@pytest.mark.parametrize(("status", "defence", "rule"), NO_DEFENCE)
def test_which_targets_have_a_defence(status: str, defence: Any, rule: str | None) -> None:
    found = target_with(status)
    against = "strike" if defence == "counter" else "irish_whip"
    refused = [one.rule for one in defence_reasons(found, "B", defence, against)]
    assert refused == [] if rule is None else rule in refused


def test_the_roll_that_keeps_him_is_his_moment_to_get_away() -> None:
    hoisted, held = target_with("hoisted"), target_with("held")
    assert not defence_reasons(hoisted, "B", "counter", "suplex", upkeep=True)
    assert not defence_reasons(held, "B", "technique", "submission", upkeep=True)


# ---------- house rules that change a cell

CHANGED = [
    ({"lying_may_attack": True}, "own", "lying", "strike", True),
    ({"whip_at_ringside": True}, "own", "at_ringside", "whip", True),
    ({"submission_at_ringside": True}, "own", "at_ringside", "submission", True),
    ({"holder_walks": True}, "own", "hoisting", "move", True),
    ({"rest_while_knocked_down": False}, "own", "knocked_down", "rest", False),
    ({"downed_rule": "strike_vs_counter_minus_1"}, "own", "knocked_down", "counter", True),
    ({"attack_left_rival": True}, "target", "just_left", "strike", True),
    ({"attack_across_ropes": True}, "target", "across", "strike", True),
    ({"pin_held_wrestler": True}, "target", "held", "pin", True),
    ({"downed_rule": "strike_vs_counter_minus_1"}, "target", "knocked_down", "strike", True),
    ({"voluntary_exit": "forbidden"}, "own", "standing", "leave_ring", False),
]  # fmt: skip


@pytest.mark.parametrize(("rulings", "matrix", "status", "action", "legal"), CHANGED)
def test_house_rules_change_their_cells(
    rulings: dict[str, Any], matrix: str, status: str, action: str, legal: bool
) -> None:
    if matrix == "own":
        option = looked_up(actor_with(status, action, **rulings), action)
    else:
        found = target_with(status, **rulings)
        option = {one.id: one for one in explain(found, "A")}[f"{action}:B"]
    assert option is not None
    assert option.legal == legal, option.reasons


def test_pinning_after_a_defence_is_a_house_rule() -> None:
    found = actor_with("standing", "pin", pin_after_defending=False)
    found.state.wrestlers["A"].defended = True
    option = looked_up(found, "pin")
    assert option is not None
    assert [one.rule for one in option.reasons] == ["RULING-13"]
