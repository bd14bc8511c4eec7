"""The uncertainty map as it is drawn and as the page shows it."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from fastapi.testclient import TestClient
from numpy.typing import NDArray
from playwright.sync_api import Browser, expect

from calibration.map_error import error_mm
from calibration.result import RingCalibration
from calibration.solve import calibrate
from overlay.error_map import field_of, map_layer, on_picture
from overlay.server import create_app
from tests.calibration.rings import ideal_spec, looking_at
from tests.overlay.browsing import box_of, needs_chromium, serving
from tests.overlay.feed import TestFeed

CAMERA = looking_at((10.0, -60.0, 95.0), focal=1000.0)


@pytest.fixture(scope="module")
def calibration() -> RingCalibration:
    return calibrate(ideal_spec(CAMERA), (1280, 720))


@pytest.fixture(scope="module")
def layer(calibration: RingCalibration) -> NDArray[np.uint8]:
    return map_layer(calibration, "es")


def test_the_field_is_the_error_at_every_pixel_of_the_table(calibration: RingCalibration) -> None:
    field = field_of(calibration, 10.0)
    places = np.array([[0.0, 0.0], [-31.0, 30.0], [33.0, -33.0]])
    u, v = np.round(calibration.camera.project(np.column_stack([places, np.zeros(3)]))).astype(int).T
    assert field.mm[v, u] == pytest.approx(error_mm(calibration, places), rel=0.01)
    off = np.round(calibration.camera.project(np.array([[0.0, 60.0, 0.0]]))[0]).astype(int)
    assert np.isnan(field.mm[off[1], off[0]])
    low, high = np.nanmin(field.mm), np.nanmax(field.mm)
    assert 1 <= len(field.levels) <= 7
    assert all(low <= level <= high for level in field.levels)


def test_what_is_off_the_table_stays_as_it_is(layer: NDArray[np.uint8]) -> None:
    picture = np.full((720, 1280, 3), 120, np.uint8)
    drawn = on_picture(picture, layer)
    assert (drawn[layer[..., 3] == 0] == 120).all()
    assert (layer[..., 3] > 0).mean() > 0.2
    assert np.abs(drawn[360, 640].astype(int) - 120).max() > 10


def test_both_languages_write_their_own_words(calibration: RingCalibration, layer: NDArray[np.uint8]) -> None:
    assert (map_layer(calibration, "en") != layer).any()


def test_a_page_that_says_it_below_has_no_caption_in_the_picture(
    calibration: RingCalibration, layer: NDArray[np.uint8]
) -> None:
    bare = map_layer(calibration, "es", caption=False)
    foot = np.s_[680:706, 620:660, 3]
    assert layer[foot].min() > 200
    assert bare[foot].max() < 200


def test_the_server_has_it_only_when_there_is_one(layer: NDArray[np.uint8]) -> None:
    without = TestClient(create_app(TestFeed((1280, 720))), base_url="http://127.0.0.1")
    assert without.get("/map.png").status_code == 404
    assert without.get("/api/boot").json()["map"] is False
    having = TestClient(
        create_app(TestFeed((1280, 720)), error_map=lambda _: layer), base_url="http://127.0.0.1"
    )
    sent = having.get("/map.png?lang=es")
    assert sent.headers["content-type"] == "image/png"
    decoded = cv2.imdecode(np.frombuffer(sent.content, np.uint8), cv2.IMREAD_UNCHANGED)
    assert (decoded == layer).all()
    assert having.get("/api/boot").json()["map"] is True


@pytest.mark.browser
@needs_chromium
def test_a_tap_lays_the_map_over_the_picture_and_takes_it_away(
    layer: NDArray[np.uint8], browser: Browser
) -> None:
    feed = TestFeed((1280, 720))
    feed.show()
    app = create_app(feed, error_map=lambda _: layer)
    with serving(app) as address:
        page = browser.new_page()
        page.goto(f"{address}/?lang=es")
        button = page.get_by_role("button", name="mapa de errores")
        expect(page.locator("#map")).to_be_hidden()
        button.click()
        expect(page.locator("#map")).to_be_visible()
        expect(page.locator("#map")).to_have_js_property("naturalWidth", 1280)
        below = box_of(page.locator(".view"))
        caption = page.get_by_text("Error al 95 %")
        assert box_of(caption)["y"] >= below["y"] + below["height"], "no verdict and no name covers it"
        assert page.evaluate(
            "document.querySelector('#overlay').compareDocumentPosition(document.querySelector('#map'))"
            " === Node.DOCUMENT_POSITION_FOLLOWING"
        ), "no name covers a number"
        button.click()
        expect(page.locator("#map")).to_be_hidden()
        expect(caption).to_be_hidden()
        page.close()
