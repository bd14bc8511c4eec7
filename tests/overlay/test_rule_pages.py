"""Why? In a real Chromium: every rule id on the pages opens what the rule says, and nothing goes astray."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.overlay.browsing import box_of, needs_chromium
from tests.overlay.feed import TestFeed

pytestmark = [pytest.mark.browser, needs_chromium]
SETTLED_MS = 450
"""Longer than the moment in which the panel lets no tap through."""
VIEWS = [("/panel", 390, 780), ("/", 390, 780), ("/", 1280, 720)]


@pytest.fixture
def feed() -> TestFeed:
    feed = TestFeed()
    feed.show()
    return feed


@pytest.fixture(params=VIEWS, ids=lambda view: f"{view[0]}-{view[1]}")
def page(request: pytest.FixtureRequest, browser: Browser, address: str) -> Iterator[Page]:
    path, width, height = request.param
    page = browser.new_page(viewport={"width": width, "height": height}, has_touch=True)
    page.goto(f"{address}{path}?lang=es")
    expect(page.locator("button.answer")).to_have_count(3)
    yield page
    page.close()


@pytest.fixture
def phone(browser: Browser, address: str) -> Iterator[Page]:
    page = browser.new_page(viewport={"width": 390, "height": 780}, has_touch=True)
    page.goto(f"{address}/panel?lang=es")
    yield page
    page.close()


def sheet(page: Page) -> Locator:
    return page.locator(".rule-sheet")


def box(element: Locator) -> tuple[float, float, float, float]:
    """Left, top, right and bottom on the page."""
    found = box_of(element)
    return found["x"], found["y"], found["x"] + found["width"], found["y"] + found["height"]


def test_a_rule_of_the_question_opens_below_it_and_closes_on_a_tap(page: Page, feed: TestFeed) -> None:
    places = [page.locator(f"[data-part={part}]") for part in ("step", "question", "who", "undo")]
    before = [box(place) for place in places]
    page.locator("[data-part=rules] [data-rules=TURN-01]").tap()
    expect(sheet(page)).to_contain_text("TURN-01")
    expect(sheet(page)).to_contain_text("En cada turno un luchador puede hacer todo esto")
    expect(sheet(page)).to_contain_text("El movimiento se puede partir: no")
    assert [box(place) for place in places] == before, "nothing moved"
    assert box(sheet(page))[1] >= box(places[2])[3], "the question stays to be read"
    left, _, right, bottom = box(sheet(page))
    view = page.viewport_size
    assert view is not None
    assert left >= 0
    assert right <= view["width"]
    assert bottom <= view["height"]
    page.wait_for_timeout(SETTLED_MS)
    sheet(page).locator("h2").tap()
    expect(sheet(page)).to_be_hidden()
    assert feed.acts == []


def test_what_cannot_be_answered_says_by_which_rule(page: Page, feed: TestFeed) -> None:
    page.locator("button[data-id=strike]").tap(force=True)
    expect(sheet(page)).to_contain_text("Se tiene un ataque por turno")
    assert feed.acts == []


def test_a_tap_that_closes_the_sheet_answers_nothing_below_it(phone: Page, feed: TestFeed) -> None:
    middle = box(phone.locator("button[data-id=pass]"))
    phone.locator("[data-part=rules] button").tap()
    expect(sheet(phone)).to_be_visible()
    phone.wait_for_timeout(SETTLED_MS)
    left, top, right, _ = box(sheet(phone))
    # At once, one after the other: the moment is short.
    phone.mouse.dblclick((left + right) / 2, top + 8, delay=20)
    phone.mouse.click((middle[0] + middle[2]) / 2, (middle[1] + middle[3]) / 2)
    expect(sheet(phone)).to_be_hidden()
    assert feed.acts == [], "for a moment nothing under it reacts"
    phone.wait_for_timeout(SETTLED_MS)
    phone.locator("button[data-id=pass]").tap()
    expect(phone.locator("[data-part=question]")).to_have_text("Inconsciente")
    assert feed.acts == [("answer", "pass")]


def test_the_second_tap_of_two_does_not_close_what_the_first_opened(phone: Page) -> None:
    left, top, right, bottom = box(phone.locator("button[data-id=strike]"))
    phone.mouse.dblclick((left + right) / 2, (top + bottom) / 2, delay=20)
    expect(sheet(phone)).to_be_visible()
    phone.wait_for_timeout(SETTLED_MS)
    expect(sheet(phone)).to_be_visible()


def test_the_sheet_leads_on_to_related_rulings_and_says_what_is_agreed(phone: Page, feed: TestFeed) -> None:
    feed.answer(0, "move")
    phone.locator(".dice [data-rules=STRIKE-02]").first.tap()
    expect(sheet(phone)).to_contain_text("Si los dos ya estaban en Toma de Nuca")
    phone.wait_for_timeout(SETTLED_MS)
    sheet(phone).locator("[data-rules=RULING-18]").tap()
    expect(sheet(phone).locator("h2")).to_have_text("RULING-18")
    assert (
        phone.evaluate(
            "fetch('/api/rule?id=RULING-38&lang=es').then((a) => a.json()).then((r) => r.house_rules[0].now)"
        )
        == "wound_only"
    )
    phone.keyboard.press("Escape")
    expect(sheet(phone)).to_be_hidden()


def test_what_happened_leads_to_its_rules(page: Page, feed: TestFeed) -> None:
    feed.answer(0, "move")
    line = page.locator("[data-part=history] .said")
    expect(line).to_be_attached()
    page.evaluate("document.querySelector('details').open = true")
    line.tap()
    expect(sheet(page).locator("h2")).to_have_text("TURN-01")


def test_a_long_history_does_not_run_over_what_stands_below_it(
    browser: Browser, feed: TestFeed, address: str
) -> None:
    feed.turn = 3
    page = browser.new_page(viewport={"width": 1280, "height": 720})
    page.goto(f"{address}/?lang=es")
    expect(page.locator(".said")).to_have_count(3)
    for opened in (False, True):
        page.evaluate("(open) => { document.querySelector('details.explain').open = open; }", opened)
        lists = [box(one) for one in page.locator(".stage details:visible").all()]
        assert len(lists) > 1
        assert all(above[3] <= below[1] for above, below in pairwise(lists))
        # What does not fit is reached by scrolling.
        spills = page.locator(".stage details:visible").evaluate_all(
            "(all) => all.filter((one) => one.scrollHeight > one.clientHeight + 1"
            " && getComputedStyle(one).overflowY !== 'auto').length"
        )
        assert spills == 0
    page.close()


@pytest.mark.parametrize("size", [(390, 780), (1280, 720)])
def test_a_verdict_on_the_picture_leads_to_its_rules_while_pictures_go_on(
    browser: Browser, feed: TestFeed, address: str, size: tuple[int, int]
) -> None:
    page = browser.new_page(viewport={"width": size[0], "height": size[1]}, has_touch=True)
    page.goto(f"{address}/?lang=es")
    banner = page.locator("#overlay g[data-kind=banner][data-box]")
    left, top, right, bottom = box(banner)
    page.mouse.move(left + 10, (top + bottom) / 2)
    page.mouse.down()
    feed.show()
    page.wait_for_timeout(200)
    page.mouse.up()
    expect(sheet(page)).to_contain_text("MOVE-02")
    expect(sheet(page)).to_contain_text("RULING-30")
    page.keyboard.press("Escape")
    page.touchscreen.tap((left + right) / 2, bottom + 8 if bottom + 8 < size[1] else top - 8)
    expect(sheet(page)).to_be_visible()
    page.keyboard.press("Escape")
    page.touchscreen.tap((left + right) / 2, top - 60)
    page.wait_for_timeout(200)
    expect(sheet(page)).to_be_hidden()
    page.close()


def test_every_place_to_ask_is_as_big_as_a_finger(page: Page, feed: TestFeed) -> None:
    feed.answer(0, "move")
    feed.undo(1)
    page.wait_for_timeout(SETTLED_MS)
    page.locator("[data-part=rules] button").first.tap()
    expect(sheet(page)).to_be_visible()
    for button in page.locator("button[data-rules]:visible").all():
        left, top, right, bottom = box(button)
        assert right - left >= 44
        assert bottom - top >= 44


def test_a_refusal_names_its_rule_and_the_rule_can_be_read(phone: Page, feed: TestFeed) -> None:
    feed_refuses(phone)
    asked = phone.locator("[data-part=message] [data-rules=TURN-04]")
    expect(asked).to_be_visible()
    asked.tap()
    expect(sheet(phone)).to_contain_text("Se tiene un ataque por turno")


def feed_refuses(page: Page) -> None:
    """Send an answer that the feed refuses, as another phone's late tap would be."""
    page.route("**/api/answer?**", lambda route: route.continue_(post_data='{"turn": 0, "value": "strike"}'))
    page.locator("button[data-id=pass]").tap()
