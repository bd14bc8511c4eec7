"""What is drawn of holds, pins, finishers and fouls."""

from __future__ import annotations

from typing import Any

from rules.annotations import Arrow, Banner, Region
from rules.engine.request import REFEREE, Request
from rules.smackkatz.annotate import cards, statuses
from rules.smackkatz.annotations.holds import draw_holds
from rules.text import Text
from tests.rules.smackkatz.harness import pair, table


def drawn(found: Any, request: Request | None = None) -> tuple[Any, ...]:
    return draw_holds(found, request, found.state.scene.figures)


def test_subm_11_a_hold_shows_its_turns_and_what_the_next_one_costs() -> None:
    found = table("ABC", {"A": {"strength": 2}}, at=pair())
    found.record("hold_began", "SUBM-04", fighter="A", target="B", turns=1, lying=True)
    (arrow,) = drawn(found)
    assert isinstance(arrow, Arrow)
    assert (arrow.start, arrow.end) == ((0.0, 0.0), (7.0, 0.0))
    assert arrow.label == Text("note.hold", {"turns": 1, "next": 4})


def test_pin_03_a_pin_shows_its_count() -> None:
    found = table("ABC", {"B": {"lying": True}}, at=pair())
    found.record("pinned", "TURN-07", fighter="A", target="B")
    found.record("pin_counted", "PIN-03", fighter="B", count=1)
    (arrow,) = drawn(found)
    assert arrow.label == Text("note.pin", {"count": 1, "needed": 2})


def test_fin_02_an_active_finisher_glows_and_points_at_its_rival() -> None:
    found = table("ABC", at=pair())
    found.record("finisher_activated", "FIN-01", fighter="A", target="B")
    glow, arrow = drawn(found)
    assert isinstance(glow, Region)
    assert max(x for x, _ in glow.exterior) > 4.4
    assert arrow.label == Text("note.finisher_target", {"target": "B"})


def test_ruling_83_a_foul_is_warned_of_across_the_picture() -> None:
    found = table("ABC", at=pair())
    request = Request("ruling", "OPEN_PHASE D-22", REFEREE, Text("ask.confirm_foul"), rules=("FOUL-01",))
    (banner,) = drawn(found, request)
    assert banner == Banner(Text("ask.confirm_foul"), "illegal", ("FOUL-01",))


def test_nothing_is_drawn_of_figures_nobody_sees() -> None:
    found = table("ABC", {"A": {"holds": "B", "finisher_bonus": True}, "C": {"pins": "B"}}, at=pair())
    assert draw_holds(found, None, {}) == ()


def test_status_43_a_held_wrestler_wears_the_yellow_card_under_the_red_one() -> None:
    found = table("ABC", at=pair())
    found.record("hold_began", "SUBM-04", fighter="A", target="B", turns=1, lying=True)
    b = found.state.wrestlers["B"]
    assert cards(b) == ("yellow",)
    assert statuses(found, b)[0] == Text("status.in_submission")
    b.knocked_down = 1
    assert cards(b) == ("red",)
