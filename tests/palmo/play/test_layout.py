from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palmo.convert import roster
from palmo.errors import PalmoError
from palmo.event import Event
from palmo.play.layout import put, standing, starting_figures, starting_layout, typed
from rules.engine.match import Match
from rules.roster import Entrant, Roster
from rules.scene import Hand, Ring
from rules.smackkatz.book import CURRENT

ANGLE = st.floats(-6, 6)
PLACE = st.floats(-30, 30)


def crowd(count: int) -> Roster:
    return Roster(tuple(Entrant(f"F{n}", f"F{n}", "ana", Hand(20, 8)) for n in range(count)), Ring(70, 60))


@pytest.mark.parametrize("count", range(2, 21))
def test_everybody_starts_inside_apart_and_facing_the_middle(count: int) -> None:
    figures = list(starting_layout(crowd(count)).values())
    assert len(figures) == count
    for figure in figures:
        assert abs(figure.x) < 35
        assert abs(figure.y) < 30
        assert figure.x * math.cos(figure.facing) + figure.y * math.sin(figure.facing) < 0
    gaps = [math.dist((a.x, a.y), (b.x, b.y)) for i, a in enumerate(figures) for b in figures[:i]]
    assert min(gaps) > 6


@given(x=PLACE, y=PLACE, facing=ANGLE, to_x=PLACE, to_y=PLACE, to_facing=ANGLE)
def test_a_figure_put_elsewhere_and_back_is_the_same(
    x: float, y: float, facing: float, to_x: float, to_y: float, to_facing: float
) -> None:
    figure = standing("F1", x, y, facing)
    back = put(put(figure, to_x, to_y, to_facing), x, y, facing)
    for was, now in zip(figure.outline, back.outline, strict=True):
        assert now == pytest.approx(was, abs=1e-9)


def test_a_typed_line_puts_a_figure(event: Event) -> None:
    figures = starting_layout(roster(event))
    moved = typed(figures, "F2 10,5 -5 90")
    assert (moved.id, moved.x, moved.y) == ("F2", 10.5, -5)
    assert moved.facing == pytest.approx(math.pi / 2)
    assert typed(figures, "F2 1 2").facing == figures["F2"].facing


@pytest.mark.parametrize("line", ["F9 1 2", "F1", "F1 1", "F1 a b", "F1 1 2 3 4", "F1 nan 2"])
def test_a_line_that_makes_no_sense_gets_a_sentence(event: Event, line: str) -> None:
    with pytest.raises(PalmoError, match="F1"):
        typed(starting_layout(roster(event)), line)


def test_a_partner_without_the_tag_starts_outside_the_ropes() -> None:
    sheet = dict.fromkeys(CURRENT.rules.form.abilities, 2)
    entrants = tuple(
        Entrant(f"F{n}", f"F{n}", "ana", Hand(20, 8), sheet=sheet, team=f"T{n % 2}") for n in range(4)
    )
    match = Match(CURRENT, Roster(entrants, Ring(70, 60)), rulings={"tag_rules": "on"})
    outside = [name for name, one in starting_figures(match).items() if abs(one.y) > 30]
    assert outside == [one.id for one in match.state.wrestlers.values() if not one.legal]
