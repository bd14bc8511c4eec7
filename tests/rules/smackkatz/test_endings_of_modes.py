"""Every ending of every mode in both editions (catalogue 8.1, 8.2), reached the way it is reached in play.

A and B meet, or two teams of two where the mode asks for teams; what is not on by default is agreed first.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from rules.smackkatz.abilities import Ring
from rules.smackkatz.attacks.pin import pin, second_counts
from rules.smackkatz.attacks.submission import submission
from rules.smackkatz.book import CURRENT, EARLIER, SmackKatz
from rules.smackkatz.modes.endings import check_endings, eliminate_together
from rules.smackkatz.modes.fouls import called
from rules.smackkatz.modes.iron_man import look_at_clock
from rules.smackkatz.turn.phases import count_ringside
from rules.smackkatz.turn.waking import wake_ups
from tests.rules.smackkatz.harness import drive, pair, table
from tests.rules.smackkatz.test_suplex import answers

STEP = "OPEN_PHASE"


def pinned(found: Ring) -> None:
    """B is out cold: both counts fail without dice."""
    found.state.wrestlers["B"].unconscious, found.state.wrestlers["B"].stamina = True, -15
    drive(pin(found, "A", "B", STEP))
    assert found.state.outcome is None
    found.state.wrestlers["B"].begin_turn()
    drive(second_counts(found))


def tapped_out(found: Ring) -> None:
    """The hold costs B what he has left, and ten on the die do not save him."""
    b = found.state.wrestlers["B"]
    b.stamina = -19
    rolled = found.state.edition.defences.against["submission"]
    dice = {"A.submission": [4, 1], f"B.{rolled}": "declined", "B.d10": [10]}
    drive(submission(found, "A", "B", STEP), dice, answers("lying", "decline"))


def disqualified(found: Ring) -> None:
    """B has attacked A, who was out cold, and the referee has seen it."""
    drive(called(found, "B", "A", "unconscious", STEP), choose=answers("confirm"))


def counted_out(found: Ring) -> None:
    """B stays outside until the count is full."""
    b = found.state.wrestlers["B"]
    for _ in range(int(found.rulings["count_out_limit"])):
        assert found.state.outcome is None
        b.begin_turn()
        b.at_ringside = b.began_at_ringside = True
        count_ringside(found)
        check_endings(found)


def knocked_out(found: Ring) -> None:
    """B does not wake."""
    b = found.state.wrestlers["B"]
    b.unconscious, b.stamina = True, -60
    for _ in range(int(found.rulings["knockout_count"])):
        assert found.state.outcome is None
        b.begin_turn()
        drive(wake_ups(found), {"B.d10": [10]})


def over_the_top(found: Ring) -> None:
    """B has gone over the ropes."""
    found.record("fell_to_ringside", "STRIKE-07", fighter="B")
    check_endings(found)


def all_at_once(found: Ring) -> None:
    """Nobody is left."""
    eliminate_together(found, [one.id for one in found.state.playing], "count_out", "WIN-03")
    check_endings(found)


def ahead_when_time_is_up(found: Ring) -> None:
    """A has one fall more than B when the hour is over."""
    found.state.wrestlers["A"].falls = 1
    drive(look_at_clock(found), choose=answers("time_up"))


def level_when_time_is_up(found: Ring) -> None:
    """Both have as many."""
    drive(look_at_clock(found), choose=answers("time_up"))


def fouled_and_ahead(found: Ring) -> None:
    """B's foul scores for A, who leads by it when the hour is over."""
    disqualified(found)
    assert found.state.outcome is None
    drive(look_at_clock(found), choose=answers("time_up"))


WAYS: dict[str, dict[str, tuple[Callable[[Ring], None], dict[str, Any]]]] = {
    "wrestling_match": {
        "pin": (pinned, {}), "tap_out": (tapped_out, {}), "disqualification": (disqualified, {}),
        "count_out": (counted_out, {"count_out": True}), "knockout": (knocked_out, {"knockout_counts": True}),
        "over_the_top": (over_the_top, {"over_the_top": True}), "draw": (all_at_once, {}),
    },
    "elimination": {
        "pin": (pinned, {}), "tap_out": (tapped_out, {}), "disqualification": (disqualified, {}),
        "count_out": (counted_out, {}), "knockout": (knocked_out, {}),
        "over_the_top": (over_the_top, {"over_the_top": True, "count_out": False}), "draw": (all_at_once, {}),
    },
    "iron_man": {
        "time": (ahead_when_time_is_up, {}), "time by a foul": (fouled_and_ahead, {}),
        "draw": (level_when_time_is_up, {}), "count_out": (counted_out, {"count_out": True}),
        "knockout": (knocked_out, {"knockout_counts": True}),
        "over_the_top": (over_the_top, {"over_the_top": True}),
    },
    "survivor_series": {
        "pin": (pinned, {}), "tap_out": (tapped_out, {}), "disqualification": (disqualified, {}),
        "count_out": (counted_out, {"count_out": True}), "knockout": (knocked_out, {"knockout_counts": True}),
        "over_the_top": (over_the_top, {"over_the_top": True}), "draw": (all_at_once, {}),
    },
    "katz_rumble": {
        "over_the_top": (over_the_top, {}), "draw": (all_at_once, {}), "pin": (pinned, {"rumble_pins": True}),
        "tap_out": (tapped_out, {"rumble_pins": True}),
        "disqualification": (disqualified, {"disqualification": "on"}),
        "knockout": (knocked_out, {"knockout_counts": True}),
    },
    "last_man_standing": {
        "knockout": (knocked_out, {}), "draw": (all_at_once, {}),
        "count_out": (counted_out, {"count_out": True}),
        "over_the_top": (over_the_top, {"over_the_top": True}),
        "disqualification": (disqualified, {"disqualification": "on"}),
    },
}  # fmt: skip
"""Mode -> ending -> how it comes about, and what has to be agreed for it."""


def opened(book: SmackKatz, mode: str, agreed: dict[str, Any]) -> Ring:
    """A against B; in a match of teams C and D are with them, and B's partner has gone out before."""
    given: dict[str, dict[str, Any]] = {"A": {"submission": 2, "strength": 1}}
    if mode == "survivor_series":
        teams = {"A": "red", "C": "red", "B": "blue", "D": "blue"}
        given["D"] = {"out": "pin"}
        settings = {"participant_cap": "always_8", **agreed}
        return table("ABCD", given, at=pair(), mode=mode, rulings=settings, teams=teams, book=book)
    settings = {"participant_cap": "always_8", **agreed} if mode == "katz_rumble" else agreed
    return table("AB", given, at=pair(), mode=mode, rulings=settings, book=book)


CASES = [
    (book, mode, ending)
    for book in (CURRENT, EARLIER)
    for mode, ways in WAYS.items()
    if mode in book.modes
    for ending in ways
]


@pytest.mark.parametrize(("book", "mode", "ending"), CASES, ids=[f"{b.edition}-{m}-{e}" for b, m, e in CASES])
def test_each_ending_of_each_mode(book: SmackKatz, mode: str, ending: str) -> None:
    happens, agreed = WAYS[mode][ending]
    # What an edition says itself need not be agreed on.
    agreed = {k: v for k, v in agreed.items() if book.mode_rulings(mode).get(k) != v}
    found = opened(book, mode, agreed)
    happens(found)
    outcome = found.state.outcome
    assert outcome is not None
    winners = () if ending == "draw" else ("A", "C") if mode == "survivor_series" else ("A",)
    assert (outcome.ending, outcome.winners) == (ending.partition(" ")[0], winners)


def test_every_mode_of_both_editions_is_here() -> None:
    assert {mode for book in (CURRENT, EARLIER) for mode in book.modes} == set(WAYS)
