"""Pages of the match opened while the table is set up: they wait, and are the wanted page when it begins."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest
from fastapi.testclient import TestClient
from playwright.sync_api import Browser, expect

from overlay.server import create_app
from overlay.setup.app import create_setup_app
from tests.overlay.browsing import needs_chromium, serving
from tests.overlay.feed import TestFeed
from tests.overlay.setup_desk import Desk


def test_the_set_up_says_of_the_match_that_there_is_nothing_yet() -> None:
    client = TestClient(create_setup_app(Desk()), base_url="http://127.0.0.1")
    asked = client.get("/api/panel")
    assert (asked.status_code, asked.content) == (204, b"")
    for address in ("/obs", "/panel"):
        assert client.get(address).headers["content-type"].startswith("text/html")


@pytest.mark.browser
@needs_chromium
@pytest.mark.parametrize(("lang", "says"), [("es", "preparando la mesa"), ("en", "being set up")])
def test_pages_opened_early_go_over_to_the_match(browser: Browser, lang: str, says: str) -> None:
    obs, panel, table = (browser.new_page() for _ in range(3))
    with serving(create_setup_app(Desk())) as address:
        obs.goto(f"{address}/obs?lang={lang}")
        panel.goto(f"{address}/panel?lang={lang}")
        table.goto(f"{address}/?lang={lang}")
        table.wait_for_selector("body[data-ready]")
        expect(panel.locator("p")).to_contain_text(says)
        clear = "getComputedStyle(document.documentElement).backgroundColor"
        assert obs.evaluate("document.body.innerText").strip() == ""
        assert obs.evaluate(clear) == "rgba(0, 0, 0, 0)"
    feed = TestFeed()
    feed.show()
    with serving(create_app(feed), urlsplit(address).port or 0):
        expect(obs.locator("#overlay > g").first).to_be_attached()
        expect(panel.locator("button.answer")).to_have_count(3)
        # So does the set-up's own page, whoever has begun the match.
        expect(table.locator("button.answer")).to_have_count(3)
    for page in (obs, panel, table):
        page.close()
