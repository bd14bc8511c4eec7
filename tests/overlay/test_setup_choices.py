"""Sheets, teams and house rules on the set-up page, and what is said of a body that cannot be."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient
from playwright.sync_api import Browser, Page, expect

from overlay.setup.app import create_setup_app
from overlay.setup.desk import Agreed, FilledIn, Person
from tests.overlay.browsing import needs_chromium, serving
from tests.overlay.setup_desk import Desk

HEAD = {"x-palmo": "1", "origin": "http://127.0.0.1", "content-type": "application/json"}
SIZES = {"width_cm": 70, "depth_cm": 70, "post_height_cm": 16}
CLICKS = {"corners": [[1, 2]] * 4, "tops": [[1, 2]] * 4}
FIGHTER = {"name": "A", "player": "ana", "kind": "beast", "height_cm": 12}


@pytest.fixture
def desk() -> Desk:
    return Desk(("ring", "people", "rules", "hands", "fighters", "begin"))


@pytest.mark.parametrize(
    ("path", "body", "told"),
    [
        ("setup/sizes", SIZES | {"width_cm": None}, "Mat, left to right (cm): this is missing"),
        ("setup/sizes", SIZES | {"depth_cm": -3}, "Mat, near to far (cm): -3 is too small"),
        ("setup/sizes", SIZES | {"post_height_cm": 4000}, "must be at most 1000"),
        ("setup/sizes", SIZES | {"post_height_cm": "x"}, "Height of the posts (cm): x is no number"),
        ("setup/sizes", {"width_cm": 70}, "Mat, near to far (cm): this is missing"),
        ("setup/sizes", SIZES | {"more\u2028": 1}, "Palmo knows no"),
        ("setup/sizes", [], "JSON"),
        ("setup/player", {"id": "x" * 33}, "at most 32 characters"),
        ("setup/player", {"id": "ana", "palm_cm": "\ud800"}, "Open hand (cm)"),
        ("setup/fighter", FIGHTER | {"kind": "giant"}, "giant is none of humanoid, beast"),
        ("setup/fighter", FIGHTER | {"sheet": {"scores": {"combat": 9}}}, "Combat: 9 is too large"),
        ("setup/fighter", FIGHTER | {"sheet": {"scores": {"combat": 1.5}}}, "no whole number"),
        ("setup/point", {"id": "F1", "box": [1], "foot": [1, 2], "nose": [1, 2]}, "4 values"),
        ("setup/agree", {"edition": "current"}, "Kind of match"),
        ("setup/house_rule", {"name": "a", "value": "\ud800"}, "“value”"),
        ("setup/player", {"id": "\ud800"}, "Name, one word"),
        ("ring/stick", CLICKS | {"ends": [[1, 2]] * 2}, "length of what lies on the mat"),
    ],
)
def test_a_refused_body_says_which_field_and_what_may_stand_there(
    desk: Desk, path: str, body: object, told: str
) -> None:
    client = TestClient(create_setup_app(desk), base_url="http://127.0.0.1")
    said = {}
    for lang in ("en", "es"):
        answer = client.post(f"/api/{path}?lang={lang}", content=json.dumps(body), headers=HEAD)
        assert answer.status_code == 422
        said[lang] = answer.json()["error"]
    assert told in said["en"]
    assert said["en"] != said["es"]


@pytest.fixture
def page(browser: Browser, desk: Desk) -> Iterator[Page]:
    desk.persons = [Person("ana")]
    with serving(create_setup_app(desk)) as address:
        context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
        page = context.new_page()
        page.goto(f"{address}/?lang=en")
        page.wait_for_selector("body[data-ready]")
        yield page
        context.close()


@pytest.mark.browser
@needs_chromium
def test_a_sheet_and_a_team_are_chosen_with_fingers(page: Page, desk: Desk) -> None:
    page.locator("#tab-people").tap()
    expect(page.locator("#sheet-title")).to_have_text("Sheet: two points in everything")
    page.locator("#fighter-name").fill("Uno")
    page.locator("#fighter-height").fill("12")
    page.locator("#fighter-team").fill("rojo")
    page.locator("#sheet-title").tap()
    page.locator("select[name=combat]").select_option("4")
    expect(page.locator("#sheet-title")).to_have_text("Sheet: 12/10 · 10/10")
    page.locator("select[name=speed]").select_option("0")
    page.locator("#sheet-finisher").fill("El Ladrillazo")
    page.locator("#sheet-trigger").select_option("on_ropes")
    page.locator("#fighter-add").tap()
    expect(page.locator("#fighters-list")).to_contain_text("Uno (ana, rojo)")
    (one,) = desk.wrestlers
    names = ("combat", "speed", "strength", "technique", "resistance", "strike", "irish_whip", "suplex")
    scores = dict.fromkeys((*names, "submission", "counter"), 2)
    assert one.team == "rojo"
    assert one.sheet == FilledIn(scores | {"combat": 4, "speed": 0}, "El Ladrillazo", "on_ropes")
    # Somebody who is only renamed keeps the sheet.
    page.locator("#fighters-list .name").tap()
    expect(page.locator("select[name=combat]")).to_have_value("4")
    page.locator("#fighter-name").fill("Otro")
    page.locator("#fighter-add").tap()
    expect(page.locator("#fighters-list")).to_contain_text("Otro")
    assert desk.wrestlers[0].sheet is None


@pytest.mark.browser
@needs_chromium
def test_house_rules_are_looked_for_chosen_and_given_up_again(page: Page, desk: Desk) -> None:
    page.locator("#tab-rules").tap()
    expect(page.locator("#changed-title")).to_be_hidden()
    page.locator("#mode").select_option("elimination")
    page.locator("#modifiers input[value=tag]").tap()
    page.locator("#house-box summary").tap()
    page.locator("#find-rule").fill("count out")
    expect(page.locator("#house-rules .ruling")).to_have_count(1)
    page.locator("#house-rules select").select_option(label="5")
    expect(page.locator("#changed-rules")).to_contain_text("Turns at ringside that lose")
    page.locator("#find-rule").fill("rope gap")
    page.locator("#house-rules input").fill("1.5")
    page.locator("#house-rules input").blur()
    expect(page.locator("#changed-rules")).to_contain_text("At the ropes up to this gap")
    page.locator("#find-rule").fill("nothing like it")
    expect(page.locator("#no-rule")).to_be_visible()
    assert desk.is_agreed == Agreed("current", "elimination", ("tag",))
    assert desk.house == {"count_out_limit": 5, "rope_gap_cm": 1.5}
    page.locator("#changed-rules select").select_option("0")
    expect(page.locator("#changed-rules")).not_to_contain_text("Turns at ringside that lose")
    # What is refused is said, and the page shows what holds.
    page.locator("#modifiers input[value=no_dq]").tap()
    expect(page.locator("#message")).to_contain_text("click on corners")
    expect(page.locator("#modifiers input[value=no_dq]")).not_to_be_checked()


@pytest.mark.browser
@needs_chromium
def test_what_is_chosen_while_the_last_choice_is_being_kept_is_kept_too(page: Page, desk: Desk) -> None:
    page.locator("#tab-rules").tap()
    tag = page.locator("#modifiers input[value=tag]")
    expect(tag).to_be_visible()
    page.evaluate(
        """() => {
          const mode = document.querySelector("#mode");
          mode.value = "elimination";
          mode.dispatchEvent(new Event("change"));
          document.querySelector("#modifiers input[value=tag]").click();
        }"""
    )
    wanted = Agreed("current", "elimination", ("tag",))
    for _ in range(100):
        if desk.is_agreed == wanted:
            break
        page.wait_for_timeout(50)
    assert desk.is_agreed == wanted
    expect(tag).to_be_checked()


def test_what_palmo_stumbles_over_is_one_sentence(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(desk, "look", lambda: 1 / 0)
    client = TestClient(create_setup_app(desk), "http://127.0.0.1", raise_server_exceptions=False)
    answer = client.post("/api/setup/look?lang=en", json={}, headers=HEAD)
    assert answer.status_code == 500
    assert "ZeroDivisionError" in answer.json()["error"]


def test_a_wrong_method_and_a_question_that_lacks_something_are_said(desk: Desk) -> None:
    client = TestClient(create_setup_app(desk), "http://127.0.0.1")
    refused = client.get("/api/setup/sizes?lang=en", headers=HEAD)
    assert refused.status_code == 405
    assert "cannot be asked with GET" in refused.json()["error"]
    long = client.get(f"/api/setup?lang={'x' * 60}", headers=HEAD)
    assert long.status_code == 422
    assert "“lang”" in long.json()["error"]
