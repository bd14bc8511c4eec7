"""The referee's phone says who has how much Stamina, above the question, in a real Chromium."""

from __future__ import annotations

from dataclasses import replace

import pytest
from playwright.sync_api import Browser, expect

from overlay.feed import Panel
from overlay.server import create_app
from rules.engine.overrule import Correction
from tests.overlay.browsing import box_of, needs_chromium, serving
from tests.overlay.feed import TestFeed

pytestmark = [pytest.mark.browser, needs_chromium]


def test_the_phone_says_the_stamina_and_who_is_down_and_keeps_both_when_the_match_is_over(
    browser: Browser,
) -> None:
    feed = TestFeed((640, 360))
    feed.corrections = [
        Correction("F1", "stamina", "number", 20, low=-99, high=99),
        Correction("F1", "posture", "choice", "standing", ("standing", "lying")),
        Correction("F2", "stamina", "number", 7, low=-99, high=99),
        Correction("F2", "posture", "choice", "lying", ("standing", "lying")),
    ]
    with serving(create_app(feed)) as address:
        page = browser.new_page(viewport={"width": 390, "height": 844})
        page.goto(f"{address}/panel?lang=es")
        standings = page.locator("[data-part=standings] li")
        expect(standings).to_have_text(["20 Ñandú", "7 Coco Tumbado"])
        links = box_of(page.locator(".links"))
        for item in standings.all():
            box = box_of(item)
            assert box["x"] + box["width"] <= links["x"] + links["width"]
            assert box["y"] + box["height"] <= links["y"] + links["height"]
        feed.corrections = []
        feed.board.panel_changed()
        # The feed's match goes on: nothing can be corrected and nothing is said about an end.
        expect(page.locator(".corrections")).to_be_hidden()
        expect(standings).to_have_count(2)
        page.close()


NAMES = ["Ñandú Furioso", "El Santo", "Bestia Negra del Sur", "Huracán Ramírez", "Mil Máscaras", "Coco"]


@pytest.mark.parametrize(
    ("count", "width", "height"), [(2, 390, 844), (3, 390, 844), (4, 390, 844), (6, 390, 844), (6, 1024, 768)]
)
def test_no_name_is_cut_on_a_phone_or_a_tablet_however_many_fight(
    browser: Browser, count: int, width: int, height: int
) -> None:
    feed = Crowd((640, 360))
    feed.corrections = [
        one
        for number in range(1, count + 1)
        for one in (
            Correction(f"F{number}", "stamina", "number", 21 - number, low=-99, high=99),
            Correction(f"F{number}", "posture", "choice", "lying", ("standing", "lying")),
        )
    ]
    with serving(create_app(feed)) as address:
        page = browser.new_page(viewport={"width": width, "height": height})
        page.goto(f"{address}/panel?lang=es")
        names = page.locator("[data-part=standings] span")
        expect(names).to_have_text(NAMES[:count])
        cut = "one => one.scrollWidth > one.clientWidth || one.scrollHeight > one.clientHeight + 1"
        assert not any(one.evaluate(cut) for one in names.all())
        wide, tall = page.evaluate(
            "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
        )
        assert (wide <= width, tall <= height) == (True, True)
        page.close()


class Crowd(TestFeed):
    """A feed of fighters with names as people give them."""

    __test__ = False

    def panel(self) -> Panel:
        names = {f"F{number}": name for number, name in enumerate(NAMES, start=1)}
        return replace(super().panel(), names=names)
