"""The review's page in a real Chromium, on a tablet: scrub, measure, put a point, rule, fetch the report."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from overlay.review.server import create_review_app
from palmo.review.desk import ReviewDesk
from tests.overlay.browsing import box_of, needs_chromium, serving
from tests.palmo.review.conftest import FRAMES

pytestmark = [pytest.mark.browser, needs_chromium]
TABLET = {"width": 1180, "height": 820}


@pytest.fixture
def address(desk: ReviewDesk) -> Iterator[str]:
    with serving(create_review_app(lambda _: desk)) as address:
        yield address


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    """The page opened in English; anything it complains about fails the test."""
    page = browser.new_page(viewport=TABLET, has_touch=True)  # type: ignore[arg-type]
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on(
        "console", lambda said: complaints.append(said.text) if said.type in ("error", "warning") else None
    )
    page.goto(f"{address}/?lang=en")
    page.wait_for_selector("body[data-ready]")
    shown(page, 0)
    yield page
    page.close()
    assert [one for one in complaints if "409" not in one] == []


def shown(page: Page, frame: int) -> None:
    """Wait until the picture of a frame is on the page."""
    page.wait_for_selector(f"#picture[data-frame='{frame}']")


def number_of(page: Page) -> str:
    return page.locator("#verdict .number").inner_text()


def first_move(page: Page) -> None:
    page.locator("#moves button").first.click()
    expect(page.locator("#verdict.illegal")).to_be_visible()


def test_pictures_are_stepped_through_by_keys_buttons_and_slider(page: Page) -> None:
    page.keyboard.press("ArrowRight")
    shown(page, 1)
    page.locator("#on-ten").tap()
    shown(page, 11)
    page.locator("#back").tap()
    shown(page, 10)
    page.keyboard.press("Shift+ArrowLeft")
    shown(page, 0)
    page.keyboard.press("ArrowLeft")
    shown(page, 0)
    page.keyboard.press("End")
    shown(page, FRAMES - 1)
    page.locator("#slider").fill("20")
    shown(page, 20)
    expect(page.locator("#clock")).to_contain_text("20")


def test_a_finger_on_the_timeline_goes_there(page: Page) -> None:
    row = page.locator(".row[data-fighter=F1]")
    assert row.locator(".span.in_hand").count() >= 1
    assert row.locator(".span.placed").count() >= 2
    box = box_of(row)
    page.touchscreen.tap(box["x"] + box["width"] * 30 / (FRAMES - 1), box["y"] + box["height"] / 2)
    shown(page, 30)


def test_a_moment_shows_its_verdict_in_one_word_on_the_page_and_on_the_picture(page: Page) -> None:
    first_move(page)
    expect(page.locator("#verdict .word")).to_have_text("BEYOND")
    expect(page.locator("#verdict .number")).to_contain_text("±")
    expect(page.locator("#verdict")).to_contain_text("MOVE-01")
    expect(page.locator("#overlay [data-kind=ruler]").first).to_be_attached()
    expect(page.locator("#overlay [data-kind=banner]").first).to_be_attached()
    expect(page.locator("#overlay [data-kind=region]").first).to_be_attached()
    assert page.locator("#verdict svg rect").count() == 1, "the interval"


def test_before_and_after_are_chosen_by_hand_and_measured_in_anyones_palm(page: Page) -> None:
    page.locator("#on-ten").tap()
    shown(page, 10)
    page.locator("#before").tap()
    for _ in range(3):
        page.locator("#on-ten").tap()
    shown(page, 40)
    page.locator("#after").tap()
    expect(page.locator("#verdict .word")).to_have_text("BEYOND")
    own = number_of(page)
    page.locator("#palm").select_option("inigo")
    expect(page.locator("#verdict .number")).not_to_have_text(own)
    page.locator("#allow").select_option("2")
    expect(page.locator("#verdict .word")).to_have_text("WITHIN")
    page.locator("#verdict summary").tap()
    expect(page.locator("#verdict details")).to_contain_text("its own player is ana")


def test_the_move_around_a_picture_is_suggested(page: Page) -> None:
    page.locator("#slider").fill("24")
    shown(page, 24)
    page.locator("#around").tap()
    expect(page.locator("#verdict .word")).to_have_text("BEYOND")
    expect(page.locator(".row[data-fighter=F1] .end-line:not([hidden])")).to_have_count(2)


def test_what_cannot_be_measured_says_why(page: Page) -> None:
    page.locator("#fighter").select_option("F1")
    page.locator("#before").tap()
    page.locator("#slider").fill("22")
    shown(page, 22)
    page.locator("#after").tap()
    expect(page.locator("#verdict .word")).to_have_text("Cannot be measured")
    expect(page.locator("#verdict")).to_contain_text("was not standing")


def test_a_foot_point_is_dragged_with_a_magnifier_saved_and_withdrawn(page: Page, folder: Path) -> None:
    first_move(page)
    measured = number_of(page)
    page.locator("#foot-mode").tap()
    box = box_of(page.locator("#picture"))
    cross = box_of(page.locator("#foot path").first)
    u, v = cross["x"] + cross["width"] / 2, cross["y"] + cross["height"] / 2
    page.mouse.move(u + 5, v + 5)
    page.mouse.down()
    page.mouse.move(u + 15, v + 5, steps=4)
    expect(page.locator("#magnifier")).to_be_visible()
    page.mouse.up()
    expect(page.locator("#magnifier")).to_be_hidden()
    page.keyboard.press("ArrowRight")
    page.locator("#by").fill("Ana")
    page.locator("#foot-save").tap()
    expect(page.locator("#points li")).to_have_count(1)
    expect(page.locator("#points li")).to_contain_text("Ana")
    expect(page.locator("#verdict .number")).not_to_have_text(measured)
    (line,) = [json.loads(one) for one in (folder / "review.jsonl").read_text().splitlines()]
    scale = 1280 / box["width"]
    assert line["px"][0] == pytest.approx((u - box["x"] + 10) * scale, abs=1.0)
    assert line["px"][1] == pytest.approx((v - box["y"]) * scale - 0.5, abs=1.0)
    page.locator("#points button").tap()
    expect(page.locator("#points li")).to_have_count(0)
    expect(page.locator("#verdict .number")).to_have_text(measured)


def test_a_ruling_is_saved_and_its_report_fetched(page: Page, folder: Path) -> None:
    page.locator("#save").tap()
    expect(page.locator("#message")).to_contain_text("Choose a move")
    first_move(page)
    page.locator("#decisions [data-decision=again]").tap()
    expect(page.locator("#decisions [data-decision=again]")).to_have_attribute("aria-checked", "true")
    page.locator("#by").fill("Marta")
    page.locator("#words").fill("¡Se pasa!")
    page.locator("#save").tap()
    expect(page.locator("#rulings li")).to_have_count(1, timeout=60_000)
    with page.expect_download() as fetched:
        page.locator("#rulings a", has_text="PDF").click()
    assert fetched.value.path().read_bytes() == (folder / "rulings" / "001" / "report.en.pdf").read_bytes()
    assert json.loads((folder / "rulings" / "001" / "ruling.json").read_text())["words"] == "¡Se pasa!"


@pytest.mark.parametrize(
    "size", [(1180, 820), (820, 1180), (390, 844)], ids=["landscape", "portrait", "phone"]
)
def test_fingers_find_everything(page: Page, size: tuple[int, int]) -> None:
    """Nothing is wider than the screen, and whatever is touched is large enough for a finger."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    first_move(page)
    page.locator("#foot-mode").tap()
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    for target in page.locator("button:visible, select:visible, input:visible, textarea:visible").all():
        box = box_of(target)
        assert box["height"] >= 44, target.evaluate("node => node.outerHTML")
        assert box["width"] >= 44
    picture = box_of(page.locator("#picture"))
    assert picture["width"] / picture["height"] == pytest.approx(1280 / 720, rel=0.01)


def test_the_page_speaks_spanish_too(page: Page, address: str) -> None:
    page.goto(f"{address}/?lang=es")
    page.wait_for_selector("body[data-ready]")
    assert "⟨" not in page.locator("body").inner_text()
    page.locator("#moves button").first.click()
    expect(page.locator("#verdict .word")).to_have_text("SE PASA")


def test_the_gap_to_another_figure_is_measured_in_the_picture_that_is_looked_at(page: Page) -> None:
    page.locator("#slider").fill("40")
    shown(page, 40)
    page.locator("#other").select_option("F4")
    expect(page.locator("#verdict .word")).to_have_text("NOT ADJACENT")
    expect(page.locator("#verdict .number")).to_contain_text("cm")
    expect(page.locator("#overlay [data-kind=ghost]").first).to_be_attached()
    page.locator("#other").select_option("F1")
    expect(page.locator("#verdict")).to_contain_text("two different fighters")
    page.locator("#other").select_option("")
    expect(page.locator("#verdict .word")).not_to_have_text("NOT ADJACENT")
