"""The panel in a real Chromium: a tap does what it says, and what is off says why."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from overlay.feed import Notice
from rules.engine.overrule import Correction
from rules.text import Text
from tests.overlay.browsing import box_of, needs_chromium
from tests.overlay.feed import TestFeed
from tests.vision.sources.made import wait_until

pytestmark = [pytest.mark.browser, needs_chromium]


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
    box = box_of(button)
    page.mouse.move(box["x"] + 30, box["y"] + 20)
    page.mouse.down()
    feed.answer(0, "pass")
    page.wait_for_timeout(300)
    assert box_of(button) == box
    expect(page.locator("[data-part=question]")).to_have_text("Derribado")
    page.mouse.up()
    expect(page.locator("[data-part=question]")).to_have_text("Inconsciente")
    assert feed.acts == [("answer", "pass")]


def test_a_second_tap_does_not_hit_the_question_that_has_just_appeared(
    page: Page, feed: TestFeed, address: str
) -> None:
    page.goto(f"{address}/panel?lang=es")
    box = box_of(page.get_by_role("button", name="2 dados de 6 caras"))
    page.mouse.dblclick(box["x"] + 30, box["y"] + 20, delay=30)
    page.wait_for_timeout(300)
    assert feed.acts == [("answer", "move")]


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
    wait_until(lambda: len(feed.acts) == 2)
    said = [value["correct"] for _, value in feed.acts]
    assert said == [
        {"fighter": "F1", "field": "posture", "value": "lying", "reason": "fell over"},
        {"fighter": "F2", "field": "position", "value": [1.5, 7.25], "reason": ""},
    ]


def test_the_referee_lets_stand_what_was_done_against_the_rules(
    page: Page, feed: TestFeed, address: str
) -> None:
    feed.corrections = [Correction("F1", "stamina", "number", 20, (), -99, 99)]
    page.goto(f"{address}/panel?lang=es")
    page.locator(".corrections summary").click()
    expect(page.locator("[data-correct=illegal] option")).to_have_text(["Inconsciente"])
    page.fill("[data-correct=because]", "nadie lo paró")
    page.click("[data-correct=accept]")
    expect(page.locator("[data-part=question]")).to_have_text("Inconsciente")
    assert feed.acts == [("answer", {"accept": {"answer": "strike", "reason": "nadie lo paró"}})]
    # Dice cannot be against the rules.
    expect(page.locator("[data-correct=stands]")).to_be_hidden()


def test_when_the_match_is_over_it_is_said_how_to_correct_something(
    page: Page, feed: TestFeed, address: str
) -> None:
    feed.corrections = [Correction("F1", "stamina", "number", 20, (), -99, 99)]
    feed.turn = 3
    page.goto(f"{address}/panel?lang=en")
    page.locator(".corrections summary").click()
    expect(page.locator("[data-correct=over]")).to_have_text(
        "The match is over. Undo the last answer to correct something."
    )
    expect(page.locator("[data-correct=fighter]")).to_be_hidden()
    expect(page.locator("[data-part=standings] li")).to_have_count(1)


def test_a_single_term_is_not_said_beside_the_number_of_dice(
    page: Page, feed: TestFeed, address: str
) -> None:
    feed.answer(0, "move")
    page.goto(f"{address}/panel?lang=en")
    terms = page.locator(".dice .note").first
    expect(terms).to_contain_text("STRIKE-02")
    expect(terms).not_to_contain_text("+1")


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


@pytest.mark.parametrize("lang", ["es", "en"])
@pytest.mark.parametrize("size", [(390, 844), (820, 1180), (1280, 800), (1280, 720)])
def test_what_is_folded_can_be_opened_and_the_correction_looks_like_the_page(
    browser: Browser, feed: TestFeed, address: str, size: tuple[int, int], lang: str
) -> None:
    feed.corrections = [Correction("F1", "stamina", "number", 20, (), -99, 99)]
    page = browser.new_page(viewport={"width": size[0], "height": size[1]})
    page.goto(f"{address}/?lang={lang}")
    for folded in page.locator("summary").all():
        box = box_of(folded)
        assert box["y"] + box["height"] <= size[1]
    page.locator(".corrections summary").click()
    assert page.locator(".stage").evaluate("(one) => one.scrollTop") == 0, "the picture stays in sight"
    why = page.locator("[data-correct=reason]")
    assert why.evaluate("(one) => getComputedStyle(one).backgroundColor") == "rgb(11, 15, 26)"
    why.evaluate("(one) => { one.value = one.placeholder; }")
    assert why.evaluate("(one) => one.scrollWidth <= one.clientWidth"), "the hint is not cut"
    page.close()
