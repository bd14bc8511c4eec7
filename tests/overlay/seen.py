"""What a page shows, as a picture that can be looked at."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray
from playwright.sync_api import Page

from tests.overlay.feed import TestFeed

SIZE = (1280, 720)
Image = NDArray[np.uint8]


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
