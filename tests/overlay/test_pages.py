"""The pages in a real Chromium: they draw what the picture renderer draws, and a tap does what it says."""

from __future__ import annotations

import re
from collections.abc import Iterator

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from playwright.sync_api import Browser, Page, expect, sync_playwright

from overlay.feed import Notice
from overlay.palette import bgr
from overlay.picture import draw
from overlay.server import create_app
from rules.engine.overrule import Correction
from rules.text import Text
from tests.overlay.browsing import ARGUMENTS, CHROMIUM, needs_chromium, serving
from tests.overlay.feed import TestFeed, painted, plain_region
from tests.overlay.table import everything, fighter, picture

pytestmark = [pytest.mark.browser, needs_chromium]
SIZE = (1280, 720)
Image = NDArray[np.uint8]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def feed() -> TestFeed:
    feed = TestFeed(SIZE)
    feed.show()
    return feed


@pytest.fixture
def address(feed: TestFeed) -> Iterator[str]:
    with serving(create_app(feed)) as address:
        yield address


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page of the picture's size; anything it complains about fails the test."""
    page = browser.new_page(viewport={"width": SIZE[0], "height": SIZE[1]})
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on(
        "console", lambda said: complaints.append(said.text) if said.type in ("error", "warning") else None
    )
    yield page
    page.close()
    assert [c for c in complaints if "409" not in c and "WebSocket" not in c and "ERR_" not in c] == []


def overlay_of(page: Page, address: str, query: str = "lang=es") -> Image:
    """The OBS page's picture with its transparency, (h, w, 4) BGRA."""
    page.goto(f"{address}/obs?{query}")
    page.wait_for_selector("#overlay > g", state="attached")
    shot = np.frombuffer(page.screenshot(omit_background=True), np.uint8)
    return np.asarray(cv2.imdecode(shot, cv2.IMREAD_UNCHANGED), np.uint8)


def over(overlay: Image, image: Image) -> Image:
    alpha = overlay[:, :, 3:] / 255.0
    return np.rint(overlay[:, :, :3] * alpha + image * (1 - alpha)).astype(np.uint8)


def at(feed: TestFeed, image: Image, x: float, y: float) -> NDArray[np.int64]:
    u, v = np.rint(feed.camera.project(np.array([[x, y, 0.0]]))[0]).astype(int)
    return image[v, u].astype(int)


def test_the_browser_projects_as_the_camera_model_does(page: Page, feed: TestFeed, address: str) -> None:
    page.goto(f"{address}/obs")
    camera = feed.camera
    rng = np.random.default_rng(3)
    points = np.column_stack([rng.uniform(-60, 60, 400), rng.uniform(-50, 50, 400), rng.uniform(0, 20, 400)])
    projection = {name: getattr(camera, name).tolist() for name in ("K", "dist", "rvec", "tvec")}
    pixels = page.evaluate(
        "async ([projection, points]) => (await import('/web/projection.js')).projector(projection)(points)",
        [projection, points.tolist()],
    )
    np.testing.assert_allclose(pixels, camera.project(points), atol=1e-6)


def test_page_and_picture_renderer_draw_the_same_things_at_the_same_places(
    page: Page, feed: TestFeed, address: str
) -> None:
    plain = feed.table()
    shown, drawn = over(overlay_of(page, address), plain), painted(feed, "es")
    touched = [np.abs(image.astype(int) - plain).max(axis=2) > 24 for image in (shown, drawn)]
    shared = np.logical_and(*touched).sum() / np.logical_or(*touched).sum()
    assert shared > 0.96, "the same pixels are drawn on"
    # Letters differ with the fonts; apart from them colours agree. A blur forgives half a pixel.
    blurred = [cv2.GaussianBlur(image, (0, 0), 2.0).astype(int) for image in (shown, drawn)]
    apart = np.abs(blurred[0] - blurred[1]).max(axis=2)
    assert np.median(apart[touched[1]]) < 5
    assert (apart > 60).mean() < 0.01


def test_a_label_bears_its_fighters_colour_in_both_renderers(
    page: Page, feed: TestFeed, address: str
) -> None:
    tags = [fighter("F1", -15.0, 0.0, 30.0), fighter("F2", 15.0, 0.0, 30.0)]
    feed.board.post(7, 0.7, feed.table(), tuple(tags), feed.camera, {}, {"F1": "#7f3fbf"})
    page.goto(f"{address}/obs?lang=es")
    page.wait_for_selector("#overlay > g", state="attached")
    chips = page.locator("#overlay rect[fill='#7f3fbf']")
    expect(chips).to_have_count(1)
    box = chips.bounding_box()
    assert box is not None
    u, v = round(box["x"] + box["width"] / 2), round(box["y"] + box["height"] / 2)
    drawn = draw(feed.table(), tags, feed.camera, "es", {"F1": "#7f3fbf"})
    for shown in (over(overlay_of(page, address), feed.table()), drawn):
        assert np.abs(shown[v, u].astype(int) - (0xBF, 0x3F, 0x7F)).max() < 6


@pytest.mark.parametrize("shift", [(0, 0), (3, 0), (0, 3)])
def test_the_comparison_would_notice_three_pixels(
    page: Page, feed: TestFeed, address: str, shift: tuple[int, int]
) -> None:
    """Lines of page and picture coincide to better than a pixel, seen by matching one in the other."""
    feed.show([*plain_region(), fighter("A", 5.0, -20.0, 30.0)])
    shown, drawn = over(overlay_of(page, address), feed.table()), painted(feed, "es")
    moved = np.roll(shown, shift, axis=(1, 0))
    best = cv2.matchTemplate(moved, drawn[200:600, 300:1000], cv2.TM_SQDIFF)
    _, _, corner, _ = cv2.minMaxLoc(best)
    assert (corner[0] - 300, corner[1] - 200) == shift


def test_the_obs_page_is_transparent_where_nothing_is_drawn(page: Page, feed: TestFeed, address: str) -> None:
    feed.show(plain_region())
    overlay = overlay_of(page, address)
    assert at(feed, overlay, 25.0, -25.0)[3] == 0
    assert tuple(overlay[2, 2]) == (0, 0, 0, 0)
    inside = at(feed, overlay, -5.0, 5.0)
    assert 50 <= inside[3] <= 72, "the region is translucent"
    assert np.abs(inside[:3] - bgr("legal")).max() < 8
    edge = at(feed, overlay, -5.0, -10.0)
    assert edge[3] == 255
    assert np.abs(edge[:3] - bgr("legal")).max() < 8
    assert (overlay[:, :, 3] == 0).mean() > 0.5


def test_the_obs_page_leaves_out_what_it_is_told_to(page: Page, feed: TestFeed, address: str) -> None:
    overlay_of(page, address, "hide=region,banner,fighter")
    kinds = page.evaluate("[...document.querySelectorAll('[data-kind]')].map((e) => e.dataset.kind)")
    assert set(kinds) == {"ring", "ruler", "ghost"}


def test_words_on_the_overlay_follow_the_language(page: Page, feed: TestFeed, address: str) -> None:
    overlay_of(page, address, "lang=es")
    assert "DEMASIADO" in (page.locator("#overlay").text_content() or "").upper()
    overlay_of(page, address, "lang=en")
    assert "TOO CLOSE" in (page.locator("#overlay").text_content() or "").upper()


def test_names_are_text_and_never_markup(page: Page, feed: TestFeed, address: str) -> None:
    feed.show([fighter("<script>alert(1)</script><b>x", 0.0, 0.0, 0.0)])
    overlay_of(page, address)
    assert page.locator("#overlay b, #overlay script").count() == 0
    assert "<script>" in (page.locator("#overlay").text_content() or "")


def test_the_overlay_leaves_the_air_when_the_server_dies_and_comes_back_with_it(
    page: Page, feed: TestFeed
) -> None:
    with serving(create_app(feed)) as address:
        overlay_of(page, address)
        port = int(address.rsplit(":", 1)[1])
    expect(page.locator("#overlay > g")).to_have_count(0)
    with serving(create_app(feed), port):
        expect(page.locator("#overlay > g")).to_have_count(3, timeout=15_000)


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


def test_a_tap_answers_and_the_next_question_appears(page: Page, feed: TestFeed, address: str) -> None:
    page.goto(f"{address}/panel?lang=es")
    page.get_by_role("button", name="2 dados de 6 caras").click()
    expect(page.locator("[data-part=question]")).to_have_text("Inconsciente")
    assert feed.acts == [("answer", "move")]


def test_a_disabled_option_says_why_with_its_rule_and_does_nothing(
    page: Page, feed: TestFeed, address: str
) -> None:
    page.goto(f"{address}/panel?lang=es")
    button = page.locator("button[data-id=strike]")
    expect(button).to_contain_text("31,5 ± 0,4 cm")
    expect(button).to_contain_text("TURN-04")
    expect(button).to_have_attribute("aria-disabled", "true")
    button.click(force=True)
    page.wait_for_timeout(200)
    assert feed.acts == []


def test_dice_are_tapped_in_and_sent_as_one_list(page: Page, feed: TestFeed, address: str) -> None:
    feed.answer(0, "move")
    page.goto(f"{address}/panel?lang=es")
    rows = page.locator(".die")
    expect(rows).to_have_count(2)
    expect(rows.nth(1).locator("button")).to_have_count(10)
    send = page.get_by_role("button", name="Enviar los dados")
    expect(send).to_have_attribute("aria-disabled", "true")
    rows.nth(0).get_by_text("5", exact=True).click()
    rows.nth(0).get_by_text("3", exact=True).click()
    rows.nth(1).get_by_text("10", exact=True).click()
    send.click()
    expect(page.locator("[data-part=question]")).to_have_text("Tumbado")
    assert feed.acts[-1] == ("answer", [3, 10])


def test_digital_dice_undo_and_redo_are_one_tap_each(page: Page, feed: TestFeed, address: str) -> None:
    feed.answer(0, "move")
    page.goto(f"{address}/panel?lang=en")
    page.get_by_role("button", name="Roll digital dice").click()
    expect(page.locator("[data-part=question]")).to_have_text("Grounded")
    undo = page.locator("[data-part=undo]")
    expect(undo).to_contain_text("Knocked down")
    page.wait_for_timeout(400)
    undo.click()
    expect(page.locator("[data-part=question]")).to_have_text("Out cold")
    expect(page.locator("[data-part=redo]")).to_have_attribute("aria-disabled", "true")
    assert [name for name, _ in feed.acts] == ["answer", "roll", "undo"]


def test_the_camera_button_says_why_it_cannot(page: Page, feed: TestFeed, address: str) -> None:
    feed.turn = 2
    feed.sighting = Text("status.knocked_down")
    page.goto(f"{address}/panel?lang=es")
    look = page.locator("button[data-id=look]")
    expect(look).to_contain_text("La cámara no puede ahora: Derribado")
    expect(look).to_have_attribute("aria-disabled", "true")
    feed.sighting = None
    feed.board.panel_changed()
    expect(look).to_have_attribute("data-id", "look")
    expect(look).not_to_have_attribute("aria-disabled", "true")
    look.click()
    expect(page.locator("[data-part=who]")).to_have_text("Fin del combate")
    assert feed.acts == [("look", None)]


def test_nothing_moves_under_a_finger_and_a_late_tap_is_refused_with_a_sentence(
    page: Page, feed: TestFeed, address: str
) -> None:
    page.goto(f"{address}/panel?lang=es")
    button = page.get_by_role("button", name="2 dados de 6 caras")
    box = button.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 30, box["y"] + 20)
    page.mouse.down()
    feed.answer(0, "pass")
    page.wait_for_timeout(300)
    assert button.bounding_box() == box
    expect(page.locator("[data-part=question]")).to_have_text("Derribado")
    page.mouse.up()
    expect(page.locator("[data-part=question]")).to_have_text("Inconsciente")
    assert feed.acts == [("answer", "pass")]


def test_a_second_tap_does_not_hit_the_question_that_has_just_appeared(
    page: Page, feed: TestFeed, address: str
) -> None:
    page.goto(f"{address}/panel?lang=es")
    box = page.get_by_role("button", name="2 dados de 6 caras").bounding_box()
    assert box is not None
    page.mouse.dblclick(box["x"] + 30, box["y"] + 20, delay=30)
    page.wait_for_timeout(300)
    assert feed.acts == [("answer", "move")]


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
        box = button.bounding_box()
        assert box is not None
        assert box["height"] >= 44
        assert box["width"] >= 44
    page.close()


def test_the_page_changes_language_by_a_link(page: Page, feed: TestFeed, address: str) -> None:
    page.goto(f"{address}/panel?lang=es")
    expect(page.locator("[data-part=undo]")).to_contain_text("Deshacer")
    page.locator("#languages a", has_text=re.compile("en", re.IGNORECASE)).click()
    expect(page.locator("[data-part=undo]")).to_contain_text("Undo")
    assert page.evaluate("document.documentElement.lang") == "en"


def test_everything_that_is_drawn_has_its_element(page: Page, feed: TestFeed, address: str) -> None:
    overlay_of(page, address)
    figures = page.evaluate(
        "[...document.querySelectorAll('#overlay g[data-figure]')].map((e) => e.dataset.figure)"
    )
    assert set(figures) == {entry.figure for entry in everything() if hasattr(entry, "figure")}


def test_dice_can_be_typed_and_zero_means_ten(page: Page, feed: TestFeed, address: str) -> None:
    feed.answer(0, "move")
    page.goto(f"{address}/panel?lang=en")
    expect(page.locator(".die")).to_have_count(2)
    for key in ("0", "7", "2", "Backspace", "4", "0"):
        page.keyboard.press(key)
    expect(page.locator("[aria-checked=true]")).to_have_text(["4", "10"])
    page.keyboard.press("Enter")
    expect(page.locator("[data-part=question]")).to_have_text("Grounded")
    assert feed.acts[-1] == ("answer", [4, 10])
    page.keyboard.press("Enter")
    assert len(feed.acts) == 2


def test_the_referee_corrects_a_field_and_says_why(page: Page, feed: TestFeed, address: str) -> None:
    feed.corrections = [
        Correction("F1", "stamina", "number", 20, (), -99, 99),
        Correction("F1", "posture", "choice", "standing", ("standing", "lying")),
        Correction("F2", "position", "point", [1.5, -2.0]),
        Correction("F2", "attacked", "flag", False),
    ]
    page.goto(f"{address}/panel?lang=en")
    page.locator(".corrections summary").click()
    page.select_option("[data-correct=field]", "posture")
    page.locator("select[data-correct=value]").select_option("lying")
    page.fill("[data-correct=reason]", "fell over")
    page.click("[data-correct=correct]")
    expect(page.locator("[data-part=question]")).to_have_text("Out cold")
    page.select_option("[data-correct=fighter]", "F2")
    page.locator("input[data-correct=value]").nth(1).fill("7.25")
    page.click("[data-correct=correct]")
    said = [value["correct"] for _, value in feed.acts]
    assert said == [
        {"fighter": "F1", "field": "posture", "value": "lying", "reason": "fell over"},
        {"fighter": "F2", "field": "position", "value": [1.5, 7.25], "reason": ""},
    ]


def test_anybody_can_be_asked_about_and_the_panel_says_why_not(
    page: Page, feed: TestFeed, address: str
) -> None:
    page.goto(f"{address}/panel?lang=en")
    page.locator(".explain summary").click()
    page.select_option("[data-explain=fighter]", "F2")
    lines = page.locator(".explain .answer")
    expect(lines).to_have_count(2)
    expect(lines.nth(0)).to_contain_text("He may do that now.")
    expect(lines.nth(1)).to_contain_text("TURN-04")
    lines.nth(0).click(force=True)
    assert not feed.acts


def test_what_the_camera_proposes_is_confirmed_with_one_tap(page: Page, feed: TestFeed, address: str) -> None:
    said = {"correct": {"fighter": "F1", "field": "posture", "value": "lying"}}
    feed.notices = [Notice(Text("status.lying"), "doubt", said), Notice(Text("live.ended"))]
    page.goto(f"{address}/panel?lang=es")
    expect(page.locator("[data-id=confirm]")).to_have_count(1)
    page.click("[data-id=confirm]")
    expect(page.locator("[data-part=question]")).not_to_have_text("Derribado")
    assert feed.acts == [("answer", said)]


def test_the_history_stands_newest_first_with_its_rules(page: Page, feed: TestFeed, address: str) -> None:
    page.goto(f"{address}/?lang=en")
    feed.answer(0, "move")
    item = page.locator("[data-part=history] li")
    expect(item).to_have_count(1)
    expect(item).to_be_visible()
    expect(item).to_contain_text("TURN-01")


def test_a_hidden_page_keeps_one_frame_and_not_all_that_come(
    page: Page, feed: TestFeed, address: str
) -> None:
    # A hidden tab gets no animation frames; here they are only collected.
    page.add_init_script(
        "window.asked = []; window.requestAnimationFrame = (draw) => window.asked.push(draw)"
    )
    page.goto(f"{address}/")
    for _ in range(3):
        feed.show([fighter("Viejo", 0.0, 0.0, 0.0)])
        page.wait_for_timeout(1100)
    feed.show([fighter("Nuevo", 0.0, 0.0, 0.0)])
    page.wait_for_timeout(1200)
    assert page.evaluate("window.asked.length") == 1
    page.evaluate("window.asked[0]()")
    expect(page.locator("#overlay text").first).to_have_text("Nuevo")


@pytest.mark.parametrize(("lang", "says"), [("es", "no se escriben"), ("en", "no longer written")])
def test_what_is_not_as_it_should_be_stands_on_the_picture_and_on_the_panel_but_not_on_air(
    page: Page, feed: TestFeed, address: str, lang: str, says: str
) -> None:
    wrong = Notice(Text("live.tracks", {"text": "x"}), "illegal")
    feed.notices = [Notice(Text("status.lying"), "doubt"), wrong, Notice(Text("live.ended"), "neutral")]
    page.goto(f"{address}/?lang={lang}")
    remark = page.locator("#remark")
    expect(remark).to_contain_text(says)
    view, box = page.locator(".view").bounding_box(), remark.bounding_box()
    assert view is not None
    assert box is not None
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
