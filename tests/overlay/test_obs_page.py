"""The page for OBS in a real Chromium: transparent, told what to leave out, never stale on air."""

from __future__ import annotations

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from overlay.palette import bgr
from overlay.server import create_app
from tests.overlay.browsing import needs_chromium, serving
from tests.overlay.feed import TestFeed, plain_region
from tests.overlay.seen import at, overlay_of
from tests.overlay.table import fighter

pytestmark = [pytest.mark.browser, needs_chromium]


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


def test_the_overlay_leaves_the_air_when_the_server_dies_and_comes_back_with_it(
    page: Page, feed: TestFeed
) -> None:
    with serving(create_app(feed)) as address:
        overlay_of(page, address)
        port = int(address.rsplit(":", 1)[1])
    expect(page.locator("#overlay > g")).to_have_count(0)
    with serving(create_app(feed), port):
        expect(page.locator("#overlay > g")).to_have_count(3, timeout=15_000)


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
