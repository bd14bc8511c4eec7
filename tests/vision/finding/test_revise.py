"""Looking back: hand events are judged by what the figure did."""

from __future__ import annotations

from vision.assemble import Remark
from vision.finding.following import Stand
from vision.finding.revise import fill_guesses, revise
from vision.tracks import State


def remarks(*states: tuple[State, int | None]) -> list[Remark]:
    return [Remark(state, (float(i), 0.0), fragment, False) for i, (state, fragment) in enumerate(states)]


def test_a_figure_is_in_the_hand_from_the_last_frame_before_it_moved() -> None:
    live = remarks(
        ("placed", 0), ("placed", 0), ("placed", 0), ("in_hand", None), ("in_hand", None), ("in_hand", None),
        ("in_hand", None), ("placed", 1),
    )  # fmt: skip
    found = revise(live, 100, [Stand(0, 100, 102, True), Stand(1, 105, 107, False)])
    assert [r.state for r in found] == ["placed"] * 2 + ["in_hand"] * 3 + ["placed"] * 3
    assert [r.fragment for r in found] == [0, 0, None, None, None, 1, 1, 1]


def test_a_hand_that_moved_nothing_held_nothing() -> None:
    live = remarks(("placed", 0), ("covered", 0), ("in_hand", None), ("placed", 0))
    found = revise(live, 0, [Stand(0, 0, 3, False)])
    assert [r.state for r in found] == ["placed"] * 4


def test_a_fall_without_a_hand_is_not_put_into_one() -> None:
    live = remarks(("placed", 0), ("unsure", None), ("unsure", None), ("placed", 1))
    found = revise(live, 0, [Stand(0, 0, 0, False), Stand(1, 3, 3, False)])
    assert [r.state for r in found] == ["placed", "unsure", "unsure", "placed"]


def test_what_a_gap_hid_and_what_was_lost_stays_so() -> None:
    live = remarks(
        ("placed", 0), ("unsure", None), ("placed", 0), ("in_hand", None), ("lost", None), ("placed", 1)
    )
    found = revise(live, 0, [Stand(0, 0, 2, True), Stand(1, 5, 5, False)])
    assert [r.state for r in found] == ["placed", "unsure", "in_hand", "in_hand", "lost", "placed"]


def test_a_last_carry_that_never_ended_stays_in_the_hand() -> None:
    live = remarks(("placed", 0), ("placed", 0), ("in_hand", None), ("in_hand", None))
    found = revise(live, 0, [Stand(0, 0, 1, True)])
    assert [r.state for r in found][-3:] == ["in_hand"] * 3


def test_guesses_are_filled_in_on_a_straight_line() -> None:
    gappy = [Remark("in_hand", place, None, True) for place in ((0.0, 2.0), None, None, (3.0, 8.0), None)]
    assert [r.guess for r in fill_guesses(gappy)] == [
        (0.0, 2.0),
        (1.0, 4.0),
        (2.0, 6.0),
        (3.0, 8.0),
        (3.0, 8.0),
    ]
    nothing = [Remark("lost", None, None, False)]
    assert fill_guesses(nothing) == nothing


def test_a_figure_hidden_until_it_was_gone_was_in_the_hand_that_hid_it() -> None:
    live = remarks(
        ("placed", 0), ("covered", 0), ("placed", 0), ("covered", 0), ("covered", 0), ("in_hand", None),
        ("placed", 1),
    )  # fmt: skip
    found = revise(live, 0, [Stand(0, 0, 4, True), Stand(1, 6, 6, False)])
    assert [r.state for r in found] == ["placed", "placed", *["in_hand"] * 4, "placed"]


def test_a_figure_that_turns_out_to_have_never_moved_stood_all_the_time() -> None:
    live = remarks(("placed", 0), ("in_hand", None), ("unsure", None), ("placed", 0))
    found = revise(live, 0, [Stand(0, 0, 3, False, hidden=((1, 2),))])
    assert [r.state for r in found] == ["placed"] * 4
    assert {r.fragment for r in found} == {0}
