"""The live page in a real Chromium: the newest picture, on a phone too, in both languages."""

from __future__ import annotations

import re

import cv2
import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from overlay.feed import Notice
from rules.text import Text
from tests.overlay.browsing import box_of, needs_chromium
from tests.overlay.feed import TestFeed
from tests.overlay.seen import SIZE
from tests.overlay.table import fighter, picture

pytestmark = [pytest.mark.browser, needs_chromium]


def test_the_live_page_shows_the_newest_picture_under_its_overlay(
    page: Page, feed: TestFeed, address: str
) -> None:
    page.goto(f"{address}/?lang=es")
    page.wait_for_selector("#overlay > g", state="attached")
    blue = picture(SIZE)
    blue[:] = (200, 60, 20)
    feed.show([fighter("Ñandú", 0.0, 0.0, 0.0)], blue)
    expect(page.locator("#overlay text").first).to_have_text("Ñandú")
    view = page.locator(".view")
    image = cv2.imdecode(np.frombuffer(view.screenshot(), np.uint8), cv2.IMREAD_COLOR)
    assert np.abs(image[30, image.shape[1] // 2].astype(int) - (200, 60, 20)).max() < 12
    # The cross under the fighter lies where the camera sees the ring's middle, scaled to the page.
    u, v = (feed.camera.project(np.zeros((1, 3)))[0] + 0.5) * image.shape[1] / SIZE[0]
    assert image[round(v) - 1 : round(v) + 2, round(u) - 1 : round(u) + 2].min(axis=2).max() > 180


def test_frames_keep_coming_and_old_ones_are_skipped(page: Page, feed: TestFeed, address: str) -> None:
    page.goto(f"{address}/")
    for k in range(40):
        feed.show([fighter(f"Cuadro {k}", 0.0, 0.0, 0.0)])
    expect(page.locator("#overlay text").first).to_have_text("Cuadro 39")


@pytest.mark.parametrize("where", ["/", "/panel"])
def test_on_a_phone_everything_fits_and_targets_are_big(
    browser: Browser, feed: TestFeed, address: str, where: str
) -> None:
    page = browser.new_page(viewport={"width": 390, "height": 780})
    page.goto(f"{address}{where}?lang=es")
    expect(page.locator("button.answer")).to_have_count(3)
    wide, tall = page.evaluate(
        "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
    )
    assert wide <= 390
    assert tall <= 780
    for button in page.locator("button:visible").all():
        box = box_of(button)
        assert box["height"] >= 44
        assert box["width"] >= 44
    page.close()


def test_labels_can_be_read_on_a_phone_and_are_no_bigger_than_before_where_there_is_room(
    browser: Browser, feed: TestFeed, address: str
) -> None:
    tall = {}
    for width in (390, 1280):
        page = browser.new_page(viewport={"width": width, "height": 780})
        page.goto(f"{address}/?lang=es")
        feed.show([fighter("Ñandú", -20.0, 0.0, 0.0), fighter("Coco", 20.0, 0.0, 180.0)])
        name = page.locator("#overlay text", has_text="Ñandú").first
        expect(name).to_be_visible()
        box = box_of(name)
        tall[width] = box["height"]
        plates = [box_of(one) for one in page.locator("#overlay g[data-box]").all()]
        left, right = sorted(plates, key=lambda one: one["x"])
        assert left["x"] + left["width"] <= right["x"]
        page.close()
    assert tall[390] >= 11
    assert tall[1280] < 2.5 * tall[390]


def test_the_page_changes_language_by_a_link(page: Page, feed: TestFeed, address: str) -> None:
    page.goto(f"{address}/panel?lang=es")
    expect(page.locator("[data-part=undo]")).to_contain_text("Deshacer")
    page.locator("#languages a", has_text=re.compile("en", re.IGNORECASE)).click()
    expect(page.locator("[data-part=undo]")).to_contain_text("Undo")
    assert page.evaluate("document.documentElement.lang") == "en"


@pytest.mark.parametrize(("lang", "says"), [("es", "no se escriben"), ("en", "no longer written")])
def test_what_is_not_as_it_should_be_stands_on_the_picture_and_on_the_panel_but_not_on_air(
    page: Page, feed: TestFeed, address: str, lang: str, says: str
) -> None:
    wrong = Notice(Text("live.tracks", {"text": "x"}), "illegal")
    feed.notices = [Notice(Text("status.lying"), "doubt"), wrong, Notice(Text("live.ended"), "neutral")]
    page.goto(f"{address}/?lang={lang}")
    remark = page.locator("#remark")
    expect(remark).to_contain_text(says)
    view, box = box_of(page.locator(".view")), box_of(remark)
    assert box["height"] < 0.08 * view["height"], "one quiet line"
    assert box["y"] >= view["y"] + view["height"], "nothing of the picture is covered"
    expect(page.locator("[data-part=notices] li")).to_have_count(3)
    page.goto(f"{address}/panel?lang={lang}")
    expect(page.locator("[data-part=notices]")).to_contain_text(says)
    page.goto(f"{address}/obs?lang={lang}")
    page.wait_for_selector("#overlay > g", state="attached")
    assert says not in page.evaluate("document.body.innerText")
    feed.notices = []
    feed.board.panel_changed()
    page.goto(f"{address}/?lang={lang}")
    expect(page.locator("[data-part=question]")).not_to_be_empty()
    expect(remark).to_be_hidden()
