from __future__ import annotations

import pytest

from overlay.i18n import translate
from palmo.errors import PalmoError, SaidError
from palmo.stays import moves, stay_at, stays
from vision.tracks import State, Track, TrackFrame

SQUARE = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0))


def frames(script: str, fragments: str | None = None) -> list[TrackFrame]:
    """One frame per letter: a digit stands there, h is in a hand, l is lost; `fragments` numbers them."""
    made = []
    for number, letter in enumerate(script):
        fragment = int(fragments[number]) if fragments and fragments[number].isdigit() else None
        state: State = "placed" if letter.isdigit() else "in_hand" if letter == "h" else "lost"
        x = float(letter) if letter.isdigit() else None
        outline = SQUARE if number == 0 else None
        made.append(
            TrackFrame(
                number,
                number / 10,
                {"F1": Track(state=state, x=x, y=0.0, fragment=fragment, outline=outline)},
            )
        )
    return made


def test_a_carry_separates_two_stays() -> None:
    first, second = stays(frames("111hh555", "000..111"), "F1")
    assert (first.first_t, first.last_t, first.track.x) == (0.0, pytest.approx(0.2), 1.0)
    assert (second.first_t, second.track.x) == (0.5, 5.0)
    assert second.outline == SQUARE


def test_a_fragment_that_a_passing_hand_covered_is_one_stay() -> None:
    (stay,) = stays(frames("111ll111", "000..000"), "F1")
    assert (stay.first_t, stay.last_t) == (0.0, 0.7)


def test_tracks_without_fragment_numbers_end_a_stay_where_the_fighter_leaves() -> None:
    assert [stay.track.x for stay in stays(frames("11hh55"), "F1")] == [1.0, 5.0]


def test_a_new_fragment_without_a_gap_is_a_new_stay() -> None:
    assert len(stays(frames("115", "001"), "F1")) == 2


def test_moves_are_the_ways_between_stays() -> None:
    (move,) = moves(frames("111hh555", "000..111"))
    assert (move.fighter, move.before.track.x, move.after.track.x) == ("F1", 1.0, 5.0)


def test_a_time_between_two_frames_belongs_to_the_nearer_one() -> None:
    assert stay_at(frames("111hh555", "000..111"), "F1", 0.24).track.x == 1.0


@pytest.mark.parametrize(
    ("fighter", "t", "words"),
    [
        ("F1", 0.4, "at 0.4 s F1 was not standing; it stood from 0.0 to 0.2 s and 0.5 to 0.7 s"),
        ("F9", 0.1, "know no fighter F9; they have F1"),
        ("F1", 60.0, "outside the tracks"),
    ],
)
def test_a_time_at_which_nothing_can_be_measured_gets_a_sentence(fighter: str, t: float, words: str) -> None:
    with pytest.raises(PalmoError, match=words):
        stay_at(frames("111hh555", "000..111"), fighter, t)


def test_tracks_without_frames_get_a_sentence() -> None:
    with pytest.raises(PalmoError, match="no frames"):
        stay_at([], "F1", 0.0)


def test_when_it_stood_is_said_in_the_readers_language() -> None:
    with pytest.raises(SaidError) as caught:
        stay_at(frames("111hh555", "000..111"), "F1", 0.4)
    assert "lo estuvo de 0,0 a 0,2 s y 0,5 a 0,7 s" in translate(caught.value.text, "es")
