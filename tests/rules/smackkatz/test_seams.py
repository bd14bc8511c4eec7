"""Where the subjects of the rules meet: cases that random matches have found."""

from __future__ import annotations

from typing import Any

import pytest

from rules.smackkatz.attacks.whip import whip
from rules.smackkatz.consequences.aftermath import settle
from tests.rules.playing import figure
from tests.rules.smackkatz.harness import drive, facts, pair, table
from tests.rules.smackkatz.whipping import answering


def test_tech_09_a_defender_with_nothing_behind_him_only_avoids_the_whip() -> None:
    # B stands astride the ropes with his centre over the line: no direction from A leads behind him.
    at = {"A": figure("A", -30, 0, 180), "B": figure("B", -37, 0, 0)}
    found = table("ABC", {"A": {"irish_whip": 1}, "B": {"technique": 2}}, at=at)
    drive(
        whip(found, "A", "B", "OPEN_PHASE"),
        {"A.irish_whip": [4], "B.technique": [6, 6]},
        answering({"D-05": "turn:0"}),
    )
    assert not facts(found, "launched")
    assert facts(found, "no_effect")


@pytest.mark.parametrize("fields", [{"unconscious": True}, {"helpless": True}, {"knocked_down": 1}], ids=str)
def test_status_03_whoever_can_do_nothing_keeps_nobody(fields: dict[str, Any]) -> None:
    for bond in ({"holds": "B"}, {"pins": "B"}):
        other = {"held_by": "A"} if "holds" in bond else {"pinned_by": "A"}
        given = {"A": bond | fields, "B": other | {"lying": True}}
        found = table("ABC", given, at=pair())
        drive(settle(found, "OPEN_PHASE"))
        assert not found.state.wrestlers["B"].engaged
