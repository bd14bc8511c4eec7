"""The panel with the longest questions there are, in a real Chromium: nothing spills out, nothing jumps."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise

import pytest
from playwright.sync_api import Browser, Page, expect

from overlay.feed import Notice, Panel
from overlay.i18n import entries, translate
from overlay.panel import in_order
from overlay.server import create_app
from rules.engine.request import Option, Reason, Request
from rules.text import Text
from tests.overlay.browsing import box_of, needs_chromium, serving
from tests.overlay.feed import TestFeed

pytestmark = [pytest.mark.browser, needs_chromium]
LONG_NAME = "El Santo de Barro Enmascarado"
VIEWS = [("/panel", 390, 844), ("/", 390, 844), ("/", 1280, 800)]


def longest_reasons(lang: str, count: int) -> tuple[Reason, ...]:
    """The longest reasons of the catalogue in a language, with a long name and long numbers."""
    known = entries(lang)
    keys = [key for key in known if key.startswith("why.")]
    numbers = ("distance", "error", "limit")
    texts = [
        Text(key, {one: 46.2 if one in numbers else LONG_NAME for one in known[key].placeholders})
        for key in keys
    ]
    texts.sort(key=lambda text: -len(translate(text, lang)))
    return tuple(Reason(text.key, text, "RULING-33") for text in texts[:count])


class LongFeed(TestFeed):
    """Asks the same long question over and over; remarks can be put up while it stands."""

    def __init__(self, lang: str) -> None:
        super().__init__((640, 360))
        self.lang = lang
        reasons = longest_reasons(lang, 3)
        names = {"target": LONG_NAME}
        self.notices: list[Notice] = []
        self.options = (
            Option("move", Text("option.move"), reasons[:1]),
            Option("leave_ring", Text("option.leave_ring"), reasons),
            *(Option(f"strike:{k}", Text("option.strike", names), reasons[: 1 + k % 3]) for k in range(6)),
            Option("break_lock_up", Text("option.break_lock_up")),
            Option("pass", Text("option.pass")),
        )

    def panel(self) -> Panel:
        request = Request(
            "choose",
            "LOCKUP_PHASE D-04",
            "ana",
            Text("ask.act", {"fighter": LONG_NAME}),
            options=self.options,
            rules=("TURN-01",),
        )
        return replace(super().panel(), request=request, outcome=None, notices=self.notices)


@pytest.fixture(params=["es", "en"])
def feed(request: pytest.FixtureRequest) -> LongFeed:
    feed = LongFeed(request.param)
    feed.show()
    return feed


def opened(browser: Browser, address: str, feed: LongFeed, view: tuple[str, int, int]) -> Page:
    path, width, height = view
    page = browser.new_page(viewport={"width": width, "height": height})
    page.goto(f"{address}{path}?lang={feed.lang}")
    expect(page.locator("button.answer")).to_have_count(len(feed.options))
    return page


@pytest.mark.parametrize("view", VIEWS)
def test_no_answer_spills_out_of_its_box_or_over_another(
    browser: Browser, feed: LongFeed, view: tuple[str, int, int]
) -> None:
    with serving(create_app(feed)) as address:
        page = opened(browser, address, feed, view)
        boxes = page.evaluate(
            """[...document.querySelectorAll("button.answer")].map((button) => {
                const { top, bottom, left, right } = button.getBoundingClientRect();
                const words = [...button.children].map((line) => line.getBoundingClientRect());
                return {
                    top, bottom, left, right,
                    over: button.scrollHeight - button.clientHeight,
                    wide: button.scrollWidth - button.clientWidth,
                    lowest: Math.max(...words.map((w) => w.bottom)),
                    highest: Math.min(...words.map((w) => w.top)),
                };
            })"""
        )
        page.close()
    for box in boxes:
        assert box["over"] <= 0
        assert box["wide"] <= 0
        assert box["top"] <= box["highest"]
        assert box["lowest"] <= box["bottom"]
    for above, below in pairwise(boxes):
        assert above["bottom"] <= below["top"]


def test_a_new_question_begins_at_its_top_and_a_standing_one_does_not_move(
    browser: Browser, feed: LongFeed
) -> None:
    with serving(create_app(feed)) as address:
        page = opened(browser, address, feed, VIEWS[0])
        answers = page.locator("[data-part=answers]")
        answers.evaluate("(list) => { list.scrollTop = 300; }")
        shown = page.locator("button.answer").nth(5)
        before = box_of(shown)
        feed.notices = [Notice(Text("status.lying"), "doubt")]
        feed.board.panel_changed()
        expect(page.locator("[data-part=notices] li")).to_have_count(1)
        assert answers.evaluate("(list) => list.scrollTop") == 300
        assert box_of(shown) == before
        feed.answer(feed.turn, "pass")
        expect(answers).to_have_js_property("scrollTop", 0)
        page.close()


def test_on_a_lying_tablet_four_answers_are_seen_with_the_history_open(
    browser: Browser, feed: LongFeed
) -> None:
    feed.options = tuple(Option(f"go:{k}", Text("option.pass")) for k in range(4))
    with serving(create_app(feed)) as address:
        page = opened(browser, address, feed, ("/panel", 1024, 768))
        history = page.locator("[data-part=history]")
        history.evaluate("(list) => { list.innerHTML = '<li>…</li>'.repeat(40); }")
        answers = box_of(page.locator("[data-part=answers]"))
        last = box_of(page.locator("button.answer").last)
        shown = box_of(history)
        page.close()
    assert last["y"] + last["height"] <= answers["y"] + answers["height"] + 1
    assert shown["height"] > 40


@pytest.mark.parametrize("width", [1000, 1024, 1280])
def test_the_languages_of_the_live_page_are_in_sight(browser: Browser, feed: LongFeed, width: int) -> None:
    with serving(create_app(feed)) as address:
        page = opened(browser, address, feed, ("/", width, 768))
        page.locator("#again, #show-map").evaluate_all(
            "(all) => all.forEach((one) => { one.hidden = false; })"
        )
        page.locator("#remark").evaluate("(one) => { one.textContent = 'x'.repeat(300); }")
        panel = box_of(page.locator("#panel"))
        boxes = [box_of(one) for one in page.locator(".links > *").all()]
        page.close()
    for box in boxes:
        assert box["width"] > 50
        assert box["x"] + box["width"] <= panel["x"]


@pytest.mark.parametrize("view", VIEWS[:1])
def test_what_may_be_answered_is_reached_without_scrolling(
    browser: Browser, feed: LongFeed, view: tuple[str, int, int]
) -> None:
    with serving(create_app(feed)) as address:
        page = opened(browser, address, feed, view)
        assert page.locator("button.answer").evaluate_all("(all) => all.map((one) => one.dataset.id)")[
            :2
        ] == [
            "break_lock_up",
            "pass",
        ]
        list_box = box_of(page.locator("[data-part=answers]"))
        last = box_of(page.locator("button[data-id=pass]"))
        assert last["y"] + last["height"] <= list_box["y"] + list_box["height"]
        page.close()


def test_of_many_answers_the_commonest_comes_first() -> None:
    rests = [Option(f"rest:{k}", Text("option.pass")) for k in range(6)]
    nobody = Option("go_on", Text("option.go_on"))
    assert [option.id for option in in_order([*rests, nobody])][:2] == ["go_on", "rest:0"]
    assert [option.id for option in in_order([*rests[:2], nobody])] == ["rest:0", "rest:1", "go_on"]


class BlockedFeed(LongFeed):
    """Asks for an observation while a hand is over somebody; without the camera there are two ways on."""

    def __init__(self, lang: str) -> None:
        super().__init__(lang)
        self.options = (Option("start", Text("live.at_the_start")), Option("nobody", Text("live.decide")))

    def panel(self) -> Panel:
        request = Request("observe", "SETUP", "referee", Text("ask.setup_shift"), options=self.options)
        blocked = Text("live.in_hand", {"who": LONG_NAME})
        return replace(super().panel(), request=request, sighting=blocked)


@pytest.mark.parametrize("lang", ["es", "en"])
def test_on_a_phone_the_ways_on_without_the_camera_are_seen_or_an_arrow_says_where_they_are(
    browser: Browser, lang: str
) -> None:
    feed = BlockedFeed(lang)
    feed.show()
    with serving(create_app(feed)) as address:
        page = browser.new_page(viewport={"width": 390, "height": 844})
        page.goto(f"{address}/?lang={lang}")
        last, answers = page.locator("button.answer").last, page.locator("[data-part=answers]")
        expect(last).to_contain_text("decid")
        seen, within = box_of(last), box_of(answers)
        assert seen["y"] + seen["height"] <= within["y"] + within["height"]
        expect(answers).not_to_have_class(re.compile("below"))
        page.set_viewport_size({"width": 390, "height": 640})
        expect(answers).to_have_class(re.compile("below"))
        arrow = answers.evaluate("(list) => getComputedStyle(list, '::after').content")
        height = answers.evaluate("(list) => list.scrollHeight")
        last.scroll_into_view_if_needed()
        expect(answers).not_to_have_class(re.compile("below"))
        assert arrow == '"▼"'
        assert answers.evaluate("(list) => list.scrollHeight") == height, "the arrow takes no room"
        page.close()


@pytest.mark.parametrize("lang", ["es", "en"])
def test_on_a_phone_the_links_stand_in_two_rows(browser: Browser, lang: str) -> None:
    feed = LongFeed(lang)
    feed.show()
    with serving(create_app(feed)) as address:
        page = opened(browser, address, feed, VIEWS[1])
        page.locator("#again, #show-map").evaluate_all(
            "(all) => all.forEach((one) => { one.hidden = false; })"
        )
        boxes = [box_of(one) for one in page.locator(".links > :visible").all()]
        page.close()
    assert len(boxes) == 5
    rows = {round((box["y"] + box["height"] / 2) / 12) for box in boxes}
    assert len(rows) == 2


def test_a_warning_on_the_live_page_is_read_to_its_end(browser: Browser) -> None:
    feed = LongFeed("es")
    feed.notices = [Notice(Text("live.tracks", {"text": "no queda sitio en el disco " * 4}), "illegal")]
    feed.show()
    with serving(create_app(feed)) as address:
        page = opened(browser, address, feed, VIEWS[2])
        remark = page.locator("#remark")
        assert remark.evaluate("(one) => one.scrollHeight <= one.clientHeight")
        assert remark.evaluate("(one) => one.scrollWidth <= one.clientWidth")
        page.close()
