"""The set-up page's other steps in a real Chromium, on a phone: people, hands, fighters, the beginning."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient
from playwright.sync_api import Browser, Page, expect

from overlay.setup.app import create_setup_app
from overlay.setup.desk import HandKind, HandView, Person, Points, Wrestler
from rules.text import Text
from tests.overlay.browsing import box_of, needs_chromium, serving
from tests.overlay.setup_desk import CORNERS, Desk

PHONE = {"width": 390, "height": 844}
LYING = {"width": 844, "height": 390}
HEAD = {"x-palmo": "1", "origin": "http://127.0.0.1"}


@pytest.fixture
def desk() -> Desk:
    return Desk(("ring", "people", "hands", "fighters", "begin"))


def test_the_server_takes_nothing_it_does_not_know(desk: Desk) -> None:
    client = TestClient(create_setup_app(desk), base_url="http://127.0.0.1")
    state = client.get("/api/setup?lang=en").json()
    assert state["sizes"] == {"width_cm": 70.0, "depth_cm": 70.0, "post_height_cm": 16.0}
    assert state["missing"] == ["point at a fighter first"]
    for path, body in (
        ("sizes", {"width_cm": -1, "depth_cm": 1, "post_height_cm": 1}),
        ("fighter", {"name": "A", "player": "ana", "kind": "giant", "height_cm": 10}),
        ("player", {"id": "ana", "more": 1}),
        ("point", {"id": "F1", "box": [1, 2, 3], "foot": [1, 2], "nose": [1, 2]}),
    ):
        assert client.post(f"/api/setup/{path}", json=body, headers=HEAD).status_code == 422
    assert client.post("/api/setup/begin", json={}).status_code == 403
    desk.wrestlers = [Wrestler("F1", "A", "ana", "humanoid")]
    refused = client.post("/api/setup/player/drop?lang=en", json={"id": "ana"}, headers=HEAD)
    assert refused.status_code == 409
    assert "take these out first" in refused.json()["error"]


def opened(browser: Browser, address: str, size: dict[str, int]) -> Page:
    context = browser.new_context(viewport=size, has_touch=True, device_scale_factor=2)  # type: ignore[arg-type]
    page = context.new_page()
    page.goto(f"{address}/?lang=en")
    page.wait_for_selector("body[data-ready]")
    return page


@pytest.fixture
def page(browser: Browser, desk: Desk) -> Iterator[Page]:
    with serving(create_setup_app(desk)) as address:
        page = opened(browser, address, PHONE)
        yield page
        page.context.close()


def tap(page: Page, point: tuple[float, float]) -> None:
    page.touchscreen.tap(*on_screen(page, point))


def on_screen(page: Page, point: tuple[float, float]) -> tuple[float, float]:
    box = box_of(page.locator("#picture"))
    scale = min(box["width"] / 1280, box["height"] / 720)
    return (
        box["x"] + box["width"] / 2 + (point[0] + 0.5 - 640) * scale,
        box["y"] + box["height"] / 2 + (point[1] + 0.5 - 360) * scale,
    )


@pytest.mark.browser
@needs_chromium
def test_people_are_added_changed_and_taken_out_with_fingers(page: Page, desk: Desk) -> None:
    page.locator("#tab-people").tap()
    expect(page.locator("#fighter-add")).to_be_disabled()
    page.locator("#player-id").fill("Ελένη")
    page.get_by_role("button", name="Add the player").tap()
    page.locator("#fighter-name").fill("力 <b>Bruto</b>")
    page.locator("#fighter-kind").select_option("beast")
    page.locator("#fighter-height").fill("12.5")
    page.locator("#fighter-add").tap()
    expect(page.locator("#fighters-list")).to_contain_text("力 <b>Bruto</b> (Ελένη)")
    page.locator("#fighters-list .name").tap()
    page.locator("#fighter-height").fill("13")
    page.get_by_role("button", name="Change the fighter").tap()
    expect(page.locator("#fighter-add")).to_have_text("Add the fighter")
    assert desk.wrestlers == [Wrestler("F1", "力 <b>Bruto</b>", "Ελένη", "beast", 13.0)]
    page.locator("#players .drop").tap()
    expect(page.locator("#message")).to_contain_text("Ελένη still has fighters")
    page.locator("#fighters-list .drop").tap()
    expect(page.locator("#fighters-list li")).to_have_count(0)


@pytest.mark.browser
@needs_chromium
@pytest.mark.parametrize(("lang", "says"), [("es", "una sola palabra"), ("en", "one word")])
def test_why_a_name_of_two_words_is_refused_is_said_in_the_pages_language(
    page: Page, desk: Desk, lang: str, says: str
) -> None:
    desk.persons = [Person("ana")]
    page.goto(page.url.replace("lang=en", f"lang={lang}"))
    page.locator("#tab-people").tap()
    page.locator("#player-id").fill("Ana Mari")
    page.locator("#player-form button").tap()
    expect(page.locator("#message")).to_contain_text(says)
    page.locator("#player-id").fill("Mari")
    page.locator("#player-form button").tap()
    expect(page.locator("#message")).to_be_empty()
    page.locator("#fighter-name").fill("El Santo")
    page.locator("#fighter-height").fill("13")
    page.locator("#fighter-team").fill("los rojos")
    page.locator("#fighter-add").tap()
    expect(page.locator("#message")).to_contain_text(says)
    assert [one.id for one in desk.persons] == ["ana", "Mari"]
    assert desk.wrestlers == []


@pytest.mark.browser
@needs_chromium
@pytest.mark.parametrize("size", [PHONE, LYING])
def test_a_fighter_is_pointed_at_with_three_taps(browser: Browser, desk: Desk, size: dict[str, int]) -> None:
    desk.wrestlers = [Wrestler(f"F{n}", f"Nº {n}", "ana", "humanoid", 14.0) for n in (1, 2)]
    with serving(create_setup_app(desk)) as address:
        page = opened(browser, address, size)
        page.locator("#tab-fighters").tap()
        expect(page.locator("#hint")).to_contain_text("Nº 1: tap its colour")
        for point in ((500.0, 200.0), (510.0, 260.0), (540.0, 300.0)):
            tap(page, point)
        expect(page.locator("#rated")).to_have_text("written into rated")
        expect(page.locator("#rated")).to_have_class("verdict usable")
        expect(page.locator("#mixed")).to_be_visible()
        # The next one follows by itself; there a box is drawn.
        expect(page.locator("#hint")).to_contain_text("Nº 2: tap its colour")
        page.mouse.move(*on_screen(page, (700.0, 300.0)))
        page.mouse.down()
        page.mouse.move(*on_screen(page, (720.0, 310.0)))
        page.mouse.move(*on_screen(page, (760.0, 330.0)))
        page.mouse.up()
        expect(page.locator("#hint")).to_contain_text("middle of its feet")
        for point in ((730.0, 360.0), (680.0, 360.0)):
            tap(page, point)
        expect(page.locator("#hint")).to_contain_text("drag what is not right")
        page.context.close()
    (one, box, foot, nose), (other, drawn, _, _) = desk.pointed
    assert (one, other) == ("F1", "F2")
    assert box == pytest.approx((497.0, 197.0, 6.0, 6.0), abs=3)
    assert foot == pytest.approx((510.0, 260.0), abs=3)
    assert nose == pytest.approx((540.0, 300.0), abs=3)
    assert drawn == pytest.approx((700.0, 300.0, 60.0, 30.0), abs=3)


@pytest.mark.browser
@needs_chromium
def test_a_finger_that_holds_a_point_moves_it_slowly(page: Page, desk: Desk) -> None:
    page.get_by_role("button", name="Propose corners and post tops").tap()
    expect(page.locator("#verdict")).to_have_class("verdict good")
    x, y = on_screen(page, CORNERS[0])
    touch = page.context.new_cdp_session(page)
    for kind, points in (
        ("touchStart", [{"x": x + 3, "y": y}]),
        ("touchMove", [{"x": x + 13, "y": y}]),
        ("touchEnd", []),
    ):
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    page.locator("#save").tap()
    expect(page.locator("#tab-people")).to_have_attribute("aria-current", "true")
    corner = desk.saved[-1][0][0]
    # Ten pixels of the screen would be more than thirty of the picture.
    assert corner == pytest.approx((CORNERS[0][0] + 10, CORNERS[0][1]), abs=1.0)


@pytest.mark.browser
@needs_chromium
def test_a_hand_is_photographed_tapped_found_and_forgotten(page: Page, desk: Desk) -> None:
    desk.persons = [Person("ana"), Person("leo", 18.0, 8.0)]
    page.reload()
    page.wait_for_selector("body[data-ready]")
    page.locator("#tab-hands").tap()
    page.locator("#hand-look").tap()
    expect(page.locator("#hint")).to_contain_text("tap the tip of the thumb")
    assert desk.looked == 1
    tap(page, (400.0, 300.0))
    expect(page.locator("#hint")).to_have_text("Tap the tip of the little finger")
    tap(page, (600.0, 320.0))
    expect(page.locator("#laid li")).to_have_count(1)
    assert desk.laid[0].ends[0] == pytest.approx((400.0, 300.0), abs=3)
    page.locator("#hand-find").tap()
    expect(page.locator("#laid li")).to_have_count(2)
    expect(page.locator("#laid")).to_contain_text("20.0 ± 0.2 cm")
    page.locator("#laid .drop").first.tap()
    expect(page.locator("#laid li")).to_have_count(1)
    page.get_by_role("button", name="leo").tap()
    page.get_by_role("button", name="Closed hand").tap()
    expect(page.locator("#hand-said")).to_have_text("written into leo closed")
    expect(page.locator("#hand-now")).to_have_text("leo: 18.0 / 8.0 cm")


@pytest.mark.browser
@needs_chromium
def test_the_match_begins_when_nothing_is_missing(page: Page, desk: Desk) -> None:
    page.locator("#tab-begin").tap()
    expect(page.locator("#begin")).to_be_disabled()
    expect(page.locator("#missing")).to_have_text("point at a fighter first")
    desk.pointed = [("F1", (1.0, 1.0, 4.0, 4.0), (1.0, 1.0), (2.0, 2.0))]
    page.locator("#tab-ring").tap()
    page.locator("#tab-begin").tap()
    page.locator("#begin").tap()
    expect(page.locator("#begin-said")).to_have_text("The match begins…")
    assert desk.begun


@pytest.mark.browser
@needs_chromium
def test_what_stopped_the_match_is_said_when_the_page_comes_again(page: Page, desk: Desk) -> None:
    desk.refusal = Text("setup.no_ring")
    page.reload()
    expect(page.locator("#message")).to_contain_text("click on corners")


@pytest.mark.browser
@needs_chromium
def test_what_is_said_stands_within_its_box_on_a_lying_tablet(browser: Browser, desk: Desk) -> None:
    desk.refusal = Text("page.again.hands")
    with serving(create_setup_app(desk)) as address:
        page = opened(browser, address, {"width": 1024, "height": 768})
        message = page.locator("#message")
        expect(message).not_to_be_empty()
        # Whatever else the step shows: much more than there is room for.
        page.locator("#lines").evaluate("(list) => { list.innerHTML = '<li>…</li>'.repeat(60); }")
        page.locator("#message").evaluate("(one) => { one.textContent += ' ' + one.textContent; }")
        assert message.evaluate("(one) => one.scrollHeight <= one.clientHeight")
        page.context.close()


@pytest.mark.browser
@needs_chromium
def test_a_page_that_comes_again_comes_back_to_its_step(page: Page) -> None:
    page.locator("#tab-hands").tap()
    expect(page.locator("#tab-hands")).to_have_attribute("aria-current", "true")
    page.reload()
    expect(page.locator("#tab-hands")).to_have_attribute("aria-current", "true")
    expect(page.locator("#hand-find")).to_be_visible()
    page.locator("#languages a", has_text="es").tap()
    expect(page.locator("#hand-find")).to_contain_text("Buscar la mano")
    page.goto(page.url.split("#")[0] + "#nowhere")
    page.reload()
    expect(page.locator("#tab-ring")).to_have_attribute("aria-current", "true")


@pytest.mark.browser
@needs_chromium
def test_a_tab_tapped_while_a_hand_is_looked_for_is_gone_to_afterwards(
    page: Page, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.persons = [Person("ana")]
    found, lay = threading.Event(), desk.lay

    def slowly(player: str, kind: HandKind, ends: Points | None) -> HandView:
        assert found.wait(10)
        return lay(player, kind, ends)

    monkeypatch.setattr(desk, "lay", slowly)
    page.reload()
    page.locator("#tab-hands").tap()
    page.locator("#hand-find").tap()
    expect(page.locator("#hand-find")).to_be_disabled()
    page.locator("#tab-people").tap()
    expect(page.locator("#tab-hands")).to_have_attribute("aria-current", "true")
    found.set()
    expect(page.locator("#tab-people")).to_have_attribute("aria-current", "true")
    expect(page.locator("#player-form")).to_be_visible()
    assert len(desk.laid) == 1
