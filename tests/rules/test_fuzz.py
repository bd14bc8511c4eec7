"""A few random matches of every mode and edition, watched as the nightly run watches thousands."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from datasets.fuzz_invariants import Broken, Watch
from datasets.fuzz_match import GAMES, FuzzSparring, Huddle, drawn
from datasets.fuzz_rules import Tally, chunk, page, play
from rules.engine.facts import Fact
from rules.engine.match import Match
from rules.engine.request import Request
from rules.scene import Figure
from rules.smackkatz.consequences.landing import inside
from rules.smackkatz.state import MatchState

EACH = 19
"""Matches of each game: a little more than two hundred in all."""


@pytest.mark.parametrize(("edition", "mode"), GAMES, ids=[f"{edition}-{mode}" for edition, mode in GAMES])
def test_random_matches_keep_the_invariants_and_end(edition: str, mode: str) -> None:
    tally = chunk((edition, mode, 1000, 1000 + EACH, 7))
    assert tally.failures == []
    assert tally.matches == EACH == tally.endings.total()
    assert len(tally.rules) > 100


@pytest.mark.parametrize(
    ("edition", "mode", "number"),
    [
        # a whip had run over one who held somebody up when the referee broke it off
        ("current", "survivor_series", 331),
        # no die was left of the counter that was being rolled
        ("current", "katz_rumble", 294),
        # one about to be whipped was taken out of the match, and still asked for his defence
        ("current", "survivor_series", 1531),
        # struck while held up, he fell out of the ring and his holder did not
        ("current", "iron_man", 1563),
        ("current", "last_man_standing", 1548),
        # refused a word of the referee while a question named numbers and texts
        ("current", "wrestling_match", 15),
        # let climb a post from ringside
        ("earlier", "last_man_standing", 2109),
        # let climb a post while he lay
        ("earlier", "iron_man", 8822),
    ],
)
def test_a_match_that_broke_once_keeps_the_invariants(edition: str, mode: str, number: int) -> None:
    tally = Tally()
    play(edition, mode, number, 1, tally)
    assert tally.endings.total() == 1


def test_a_match_is_the_same_every_time() -> None:
    def played() -> list[str]:
        sparring = FuzzSparring(drawn("current", "iron_man", 5, 3))
        sparring.play()
        return sparring.match.log_lines()

    assert played() == played()


def _out_of_nowhere(state: MatchState) -> None:
    state.wrestlers["F1"].stamina -= 1


def _one_sided(state: MatchState) -> None:
    state.wrestlers["F1"].holds = "F2"


def _two_postures(state: MatchState) -> None:
    state.wrestlers["F1"].lying = state.wrestlers["F1"].unconscious = True


def _two_places(state: MatchState) -> None:
    one, other = state.wrestlers["F1"], state.wrestlers["F2"]
    one.holds, other.held_by = "F2", "F1"
    one.on_post = 2


def _locked_up_on_the_mat(state: MatchState) -> None:
    state.groups = (("F1", "F2"),)
    state.wrestlers["F2"].lying = True


def _asleep(state: MatchState) -> None:
    state.groups = ()
    for wrestler in state.wrestlers.values():
        wrestler.unconscious = True


@pytest.mark.parametrize(
    ("plant", "words"),
    [
        (_out_of_nowhere, "the facts leave 20"),
        (_one_sided, "knows nothing of it"),
        (_two_postures, "two postures"),
        (_two_places, "bound twice"),
        (_locked_up_on_the_mat, "not on his feet"),
        (_asleep, "cannot move"),
    ],
)
def test_what_is_wrong_is_found(plant: Callable[[MatchState], None], words: str) -> None:
    sparring = _to_somebodys_slot()
    watch = Watch(sparring.match)
    watch.look()
    plant(sparring.match.state)
    with pytest.raises(Broken, match=words):
        watch.look()


def test_pools_that_do_not_add_up_or_pass_a_cap_are_found() -> None:
    sparring = _to_somebodys_slot()
    match: Any = sparring.match
    while match.request.kind != "roll" or match.request.dice[0].ability is None:
        sparring.step()
    watch = Watch(match)
    watch._stamina = {one.id: one.stamina for one in match.state.wrestlers.values()}
    match.table.facts = []
    watch.look()
    dice = match.request.dice
    match.request.dice = (replace(dice[0], count=dice[0].count + 1), *dice[1:])
    with pytest.raises(Broken, match="the terms make"):
        watch.look()


def test_stamina_lost_twice_over_is_found() -> None:
    sparring = _to_somebodys_slot()
    watch = Watch(sparring.match)
    lost = Fact("stamina_lost", ("STRIKE-04",), "F1", {"points": 3, "to": 17})
    sparring.match.state.apply(lost)
    sparring.match.table.facts = [lost, lost]
    with pytest.raises(Broken, match="has 17 Stamina, the facts leave 14"):
        watch.look()


def _to_somebodys_slot() -> FuzzSparring:
    """A match in which somebody is asked what he does, and nobody has lost anything yet."""
    for number in range(100):
        sparring = FuzzSparring(drawn("current", "wrestling_match", number, 11))
        while sparring.match.request is not None and "D-04" not in sparring.match.request.step:
            sparring.step()
        if all(one.stamina == 20 and one.upright for one in sparring.match.state.wrestlers.values()):
            return sparring
    raise AssertionError("no such match")


def test_the_page_says_what_broke() -> None:
    broken = Tally(2, 30, 4, 0.5, 1, failures=["current:iron_man:1: Broken('a body in two places')"])
    broken.endings["time"] += 1
    broken.rules |= {"STRIKE-04", "STRIKE-10", "LOCK-01"}
    text = page({"current iron_man": broken}, 2, 5)
    assert "| current iron_man | 2 | 30 | 4 | 0 | 4.0 | time 1 | 3 | 1 |" in text
    assert "a body in two places" in text
    assert "LOCK-01, STRIKE-04, STRIKE-10" in text
    assert "2 matches wanted of each mode and edition." in text
    later = page({"current iron_man": Tally(3)}, 3, 5, "abc1234", text)
    assert later.startswith(text.rstrip())
    assert later.count("# SmackKatz under fuzz") == later.count("## Since then") == 1
    assert "3 matches wanted of each mode and edition, with the rules of commit abc1234." in later


@pytest.mark.parametrize(("edition", "mode"), GAMES, ids=[f"{edition}-{mode}" for edition, mode in GAMES])
def test_whoever_is_put_somewhere_stands_on_the_side_of_the_ropes_he_counts_on(
    edition: str, mode: str
) -> None:
    put: set[str] = set()
    looked = 0
    for number in range(6):
        sparring = FuzzSparring(drawn(edition, mode, number, 55))
        match = sparring.match
        while match.request is not None and sparring.answers < 400:
            request = match.request
            sparring.step()
            if sparring.overruled:
                # What the referee says of the ropes need not be what is seen.
                break
            put |= {str(request.fighter)} if request.kind == "place" else set()
            if match.request is not None and "D-04" in match.request.step:
                for one in [match.state.wrestlers[name] for name in put]:
                    if one.playing and one.hoisted_by is None and one.on_post is None:
                        looked += 1
                        assert inside(match.scene.figures[one.id], match.scene.ring) != one.at_ringside
                put.clear()
        put.clear()
    assert looked > 0


class Blinking(Huddle):
    """A table of which now and then somebody, or everybody, is not seen."""

    missed = 0.0
    """How likely that is; 1: nobody ever is."""

    def view(self, match: Match[Any], request: Request) -> dict[str, Figure]:
        """What is seen."""
        if self.missed >= 1.0:
            return {}
        return {
            one: seen
            for one, seen in super().view(match, request).items()
            if self._rng.random() >= self.missed
        }


@pytest.mark.parametrize("missed", [1.0, 0.5, 0.1])
@pytest.mark.parametrize(("edition", "mode"), GAMES, ids=[f"{edition}-{mode}" for edition, mode in GAMES])
def test_matches_of_which_little_is_seen_keep_the_invariants_too(
    edition: str, mode: str, missed: float
) -> None:
    for number in range(3):
        sparring = FuzzSparring(drawn(edition, mode, number, 99))
        match, watch = sparring.match, Watch(sparring.match)
        table = Blinking(random.Random(number), sparring.huddle.crowded)
        table.missed = missed
        sparring._tabletop = sparring.huddle = table
        while match.request is not None and sparring.answers < 600:
            said = sparring.overruled
            sparring.step()
            watch.look(anew=sparring.overruled > said)
        assert match.state.turn > 0
        if missed == 1.0 and not sparring.overruled:
            assert match.scene.figures == {}
