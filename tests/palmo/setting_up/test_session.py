"""`palmo live --setup` in a real Chromium: an event file that lacks something, put right, and the match."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from palmo.demo_files import DEMO_CLIP, DEMO_EVENT
from palmo.event import load_event
from palmo.live.serving import Door, free_port
from palmo.live.session import run_live
from palmo.setting_up import session
from tests.overlay.browsing import needs_chromium


@pytest.mark.browser
@pytest.mark.slow
@needs_chromium
def test_the_page_leads_from_the_set_up_into_the_match_and_back_when_it_cannot_begin(
    browser: Browser, tmp_path: Path
) -> None:
    event, port, tried = tmp_path / "event.toml", free_port(8123), list[str]()
    text = DEMO_EVENT.read_text(encoding="utf-8")
    event.write_text(text.replace("foot_px = [468, 206]\n", "").replace("height_cm = 14.3\n", ""), "utf-8")

    def match(door: Door, on_start: Callable[[], None]) -> None:
        tried.append("match")
        # The first time somebody has put a file where the match wants its folder.
        folder = event if len(tried) == 1 else tmp_path / "match"
        run_live(
            str(DEMO_CLIP),
            event,
            folder=folder,
            door=door,
            on_start=on_start,
            until_end=True,
            say=said.append,
        )

    said: list[str] = []
    served = threading.Thread(
        target=lambda: session.set_up_and_play(
            str(DEMO_CLIP), event, host="127.0.0.1", port=port, lang="en", say=said.append, match=match
        ),
        daemon=True,
    )
    served.start()
    context = browser.new_context(viewport={"width": 1024, "height": 768}, has_touch=True)
    page = context.new_page()
    for _ in range(50):
        try:
            page.goto(f"http://127.0.0.1:{port or 8123}/?lang=en")
            break
        except Exception:
            page.wait_for_timeout(200)
    page.wait_for_selector("body[data-ready]")
    page.locator("#tab-begin").tap()
    expect(page.locator("#missing")).to_contain_text("height_cm")
    expect(page.locator("#begin")).to_be_disabled()
    page.locator("#tab-people").tap()
    page.locator("#fighters-list .name").first.tap()
    page.locator("#fighter-height").fill("14.3")
    page.get_by_role("button", name="Change the fighter").tap()
    expect(page.locator("#fighter-add")).to_have_text("Add the fighter")
    page.locator("#tab-begin").tap()
    expect(page.locator("#begin")).to_be_enabled()
    page.locator("#begin").tap()
    # The match could not begin: the set-up is back and says why.
    expect(page.locator("#message")).to_contain_text("event.toml", timeout=60_000)
    page.locator("#tab-begin").tap()
    page.locator("#begin").tap()
    expect(page.locator(".panel h1")).to_be_visible(timeout=60_000)
    assert page.url.startswith(f"http://127.0.0.1:{port}/")
    context.close()
    assert tried == ["match", "match"]
    assert load_event(event).fighter[0].height_cm == 14.3
    assert (tmp_path / "match" / "match.jsonl").is_file()
