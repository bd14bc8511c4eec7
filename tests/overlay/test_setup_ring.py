"""The ring's step of the set-up page: in a real Chromium with mouse, keys and touch."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from fastapi.testclient import TestClient
from playwright.sync_api import Browser, Page, expect

from overlay.setup.app import create_setup_app
from tests.overlay.browsing import box_of, needs_chromium, serving
from tests.overlay.setup_desk import CORNERS, TOPS, Desk


@pytest.fixture
def desk() -> Desk:
    return Desk()


def test_the_server_gives_picture_clicks_and_verdicts(desk: Desk) -> None:
    client = TestClient(create_setup_app(desk), base_url="http://127.0.0.1")
    assert client.get("/ring/picture.jpg").headers["content-type"] == "image/jpeg"
    assert client.get("/api/ring/clicks").json() == {"corners": [], "tops": []}
    head = {"x-palmo": "1", "origin": "http://127.0.0.1"}
    given = {"corners": CORNERS, "tops": TOPS}
    checked = client.post("/api/ring/check?lang=en", json=given, headers=head).json()
    assert checked["verdict"] == "good"
    assert checked["lines"][-1] == "written into y"
    for bad in (
        {"corners": CORNERS[:3], "tops": TOPS},
        {**given, "more": 1},
        {"corners": [["a", 1]] * 4, "tops": TOPS},
    ):
        assert client.post("/api/ring/check", json=bad, headers=head).status_code == 422
    wrong = {"corners": [(1.0, 1.0), *CORNERS[1:]], "tops": TOPS}
    refused = client.post("/api/ring/check?lang=en", json=wrong, headers=head)
    assert refused.status_code == 409
    assert refused.json()["error"]
    assert client.post("/api/ring/save", json=given).status_code == 403


@pytest.fixture
def page(browser: Browser, desk: Desk) -> Iterator[Page]:
    with serving(create_setup_app(desk)) as address:
        context = browser.new_context(viewport={"width": 1280, "height": 900}, has_touch=True)
        page = context.new_page()
        page.goto(f"{address}/?lang=en")
        page.wait_for_selector("body[data-ready]")
        yield page
        context.close()


def on_screen(page: Page, point: tuple[float, float]) -> tuple[float, float]:
    box = box_of(page.locator("#picture"))
    return (
        box["x"] + (point[0] + 0.5) / 1280 * box["width"],
        box["y"] + (point[1] + 0.5) / 720 * box["height"],
    )


@pytest.mark.browser
@needs_chromium
def test_proposed_points_are_dragged_under_a_magnifier_and_saved(page: Page, desk: Desk) -> None:
    expect(page.locator("#save")).to_be_disabled()
    page.get_by_role("button", name="Propose corners and post tops").click()
    expect(page.locator("#verdict")).to_have_class("verdict good")
    expect(page.locator("#marks polyline.chain")).to_have_count(1)
    # Taken hold of 10 px beside the point, it moves by what the hand moves.
    page.mouse.move(*on_screen(page, (310.0, 100.0)))
    page.mouse.down()
    page.mouse.move(*on_screen(page, (330.0, 115.0)))
    expect(page.locator("#magnifier")).to_be_visible()
    expect(page.locator("#marks polyline.chain")).to_have_count(0)
    page.mouse.up()
    expect(page.locator("#magnifier")).to_be_hidden()
    page.keyboard.press("ArrowLeft")
    page.locator("#save").click()
    expect(page.locator("#message")).to_have_text("written into event.toml")
    corners, tops = desk.saved[-1]
    assert corners[0] == pytest.approx((320.0 - 0.25, 115.0), abs=1.0)
    assert np.array(corners[1:]) == pytest.approx(np.array(CORNERS[1:]))
    assert np.array(tops) == pytest.approx(np.array(TOPS))


@pytest.mark.browser
@needs_chromium
def test_a_finger_can_click_all_eight_points_one_by_one(page: Page, desk: Desk) -> None:
    page.get_by_role("button", name="Click all eight points anew").click()
    expect(page.locator("#hint")).to_have_text("Click: far left corner of the mat")
    for number, point in enumerate([*CORNERS, *TOPS]):
        page.touchscreen.tap(*on_screen(page, point))
        if number == 3:
            expect(page.locator("#hint")).to_have_text("Click: top of the far left post")
    expect(page.locator("#verdict")).to_have_text("written into y")
    corners, tops = desk.checked[-1]
    assert np.array(corners) == pytest.approx(np.array(CORNERS), abs=1.5)
    assert np.array(tops) == pytest.approx(np.array(TOPS), abs=1.5)


@pytest.mark.browser
@needs_chromium
def test_two_taps_and_a_length_check_it_all(page: Page, desk: Desk) -> None:
    page.get_by_role("button", name="Propose corners and post tops").click()
    expect(page.locator("#verdict")).to_have_class("verdict good")
    page.locator("#length").fill("29.7")
    page.get_by_role("button", name="Mark its two ends").click()
    for point in ((500.0, 300.0), (700.0, 320.0)):
        page.mouse.click(*on_screen(page, point))
    expect(page.locator("#verdict")).to_have_text("written into stick")
    expect(page.locator("#verdict")).to_have_class("verdict usable")
    ends, length = desk.sticks[-1]
    assert length == 29.7
    assert np.array(ends) == pytest.approx(np.array([(500.0, 300.0), (700.0, 320.0)]), abs=1.5)


@pytest.mark.browser
@needs_chromium
def test_a_refusal_is_said_and_nothing_is_lost(page: Page, desk: Desk) -> None:
    page.get_by_role("button", name="Click all eight points anew").click()
    for point in [(5.0, 5.0), *CORNERS[1:], *TOPS]:
        page.mouse.click(*on_screen(page, point))
    expect(page.locator("#message")).not_to_be_empty()
    expect(page.locator("#save")).to_be_enabled()
