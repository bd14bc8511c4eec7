"""In a real Chromium the page draws what the picture renderer draws."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from playwright.sync_api import Page, expect

from overlay.picture import draw
from tests.overlay.browsing import box_of, needs_chromium
from tests.overlay.feed import TestFeed, painted, plain_region
from tests.overlay.seen import over, overlay_of
from tests.overlay.table import everything, fighter

pytestmark = [pytest.mark.browser, needs_chromium]


def test_the_browser_projects_as_the_camera_model_does(page: Page, feed: TestFeed, address: str) -> None:
    page.goto(f"{address}/obs")
    rng = np.random.default_rng(3)
    points = np.column_stack([rng.uniform(-60, 60, 400), rng.uniform(-50, 50, 400), rng.uniform(0, 20, 400)])
    bend = np.array([0.05, -0.02, 0.004, -0.001, 0.0])
    in_page = "async ([seen, points]) => (await import('/web/projection.js')).projector(seen)(points)"
    for camera in (feed.camera, replace(feed.camera, dist=bend, wide=True)):
        projection = {name: getattr(camera, name).tolist() for name in ("K", "dist", "rvec", "tvec")}
        pixels = page.evaluate(in_page, [projection | {"wide": camera.wide}, points.tolist()])
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
    box = box_of(chips)
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


def test_everything_that_is_drawn_has_its_element(page: Page, feed: TestFeed, address: str) -> None:
    overlay_of(page, address)
    figures = page.evaluate(
        "[...document.querySelectorAll('#overlay g[data-figure]')].map((e) => e.dataset.figure)"
    )
    assert set(figures) == {entry.figure for entry in everything() if hasattr(entry, "figure")}
