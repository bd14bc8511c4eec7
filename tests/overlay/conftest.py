"""A feed, its server and a page of a real Chromium."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from overlay.server import create_app
from tests.overlay.browsing import serving
from tests.overlay.feed import TestFeed
from tests.overlay.seen import SIZE


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
