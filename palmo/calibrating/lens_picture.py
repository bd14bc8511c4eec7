"""The picture to check a lens by: where the board was, lines that must be straight, what was not used."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from calibration.intrinsics import Intrinsics
from calibration.lens_cover import PARTS
from calibration.projection import straightened, tangents
from overlay.i18n import translate
from palmo.calibrating.drawing import (
    GREEN,
    ORANGE,
    RED,
    YELLOW,
    Colour,
    captioned,
    rows_of,
    shrunk,
    stacked,
    write_on_plate,
)
from palmo.calibrating.lens_report import LensReport, reason_text
from palmo.calibrating.views import Collected
from rules.text import Text
from vision.arrays import Floats, Image, as_bytes

_PANEL_PX, _SMALL_PX, _COLUMNS = 640, 316, 4
# Residuals are drawn so many times as long as they are.
_TIMES = 30
# From good to bad: half a pixel of a picture 1280 wide is a bad corner.
_BAD_PX = 0.5


def lens_picture(report: LensReport, lang: str) -> Image:
    """The whole sheet, (H, W, 3) BGR."""
    top = rows_of([_coverage(report, lang), _straightened(report, lang)], 2)
    rest = _left_out(report, lang)
    return top if rest is None else stacked([top, rest])


def guidance_picture(collected: Collected, lang: str) -> Image | None:
    """What has been covered so far, while views are still being collected; None before the first one."""
    if collected.sample is None:
        return None
    panel = _faded(collected.sample)
    scale = _PANEL_PX / collected.sample.shape[1]
    for view in collected.views:
        for pixel in view.pixels:
            cv2.circle(panel, _px(pixel * scale), 2, GREEN, -1, cv2.LINE_AA)
    _mark_empty(panel, collected.coverage.empty, lang)
    return panel


def _coverage(report: LensReport, lang: str) -> Image:
    assert report.collected.sample is not None
    panel = _faded(report.collected.sample)
    scale = _PANEL_PX / report.collected.sample.shape[1]
    bad = _BAD_PX * max(report.fit.intrinsics.size) / 1280
    for fitted in report.fit.views:
        for pixel, off in zip(fitted.view.pixels, fitted.residual_px, strict=True):
            colour = _grade(float(np.hypot(*off)) / bad)
            cv2.circle(panel, _px(pixel * scale), 2, colour, -1, cv2.LINE_AA)
            cv2.line(panel, _px(pixel * scale), _px((pixel + _TIMES * off) * scale), colour, 1, cv2.LINE_AA)
    _mark_empty(panel, report.coverage.empty, lang)
    return captioned(panel, translate(Text("lens.sheet.coverage", {"times": _TIMES}), lang))


def _straightened(report: LensReport, lang: str) -> Image:
    """The sample as a lens without distortion would show it, with straight lines through the board's rows."""
    sample = report.collected.sample
    assert sample is not None
    lens = _shrunk_lens(report.fit.intrinsics, _PANEL_PX / sample.shape[1])
    small = shrunk(sample, _PANEL_PX)
    wider = lens.K.copy()
    wider[0, 0] *= 0.8
    wider[1, 1] *= 0.8
    flat = straightened(small, lens.K, lens.dist, wider, wide=lens.wide)
    best = max(report.fit.views, key=lambda one: cv2.contourArea(one.view.hull()))
    pixels = (best.view.pixels + 0.5) * (_PANEL_PX / sample.shape[1]) - 0.5
    rays = tangents(pixels, lens.K, lens.dist, wide=lens.wide)
    ends = rays * [wider[0, 0], wider[1, 1]] + wider[:2, 2]
    columns = report.collected.board.inner[0]
    for row in np.unique(best.view.ids // columns):
        line = ends[best.view.ids // columns == row]
        if len(line) > 1:
            cv2.line(flat, _px(line[0]), _px(line[-1]), YELLOW, 1, cv2.LINE_AA)
    return captioned(flat, translate(Text("lens.sheet.straight"), lang))


def _left_out(report: LensReport, lang: str) -> Image | None:
    """Small pictures of what was not used, each with the reason."""
    told = [(one.name, reason_text(one.why)) for one in report.collected.not_used]
    told += [(one.view.name, Text("lens.why.outlier_px", {"px": one.rms_px})) for one in report.fit.odd]
    panels = [
        captioned(shrunk(report.collected.small[name], _SMALL_PX), f"{name}: {translate(why, lang)}", 13)
        for name, why in told
        if name in report.collected.small
    ]
    return rows_of(panels, _COLUMNS) if panels else None


def _mark_empty(panel: Image, empty: tuple[str, ...], lang: str) -> None:
    """Outline the parts of the picture that the board has not been in."""
    height, width = panel.shape[:2]
    for number, part in enumerate(PARTS):
        if part not in empty:
            continue
        row, column = divmod(number, 3)
        corner = (column * width // 3, row * height // 3)
        far = ((column + 1) * width // 3 - 2, (row + 1) * height // 3 - 2)
        cv2.rectangle(panel, corner, far, RED, 2)
        write_on_plate(
            panel, translate(Text("lens.sheet.empty"), lang), (corner[0] + 6, corner[1] + 6), 13, plate=RED
        )


def _shrunk_lens(lens: Intrinsics, scale: float) -> Intrinsics:
    K = lens.K.copy()
    K[:2] *= scale
    K[:2, 2] += 0.5 * (scale - 1.0)
    size = (round(lens.size[0] * scale), round(lens.size[1] * scale))
    return replace(lens, K=K, size=size, covariance=None)


def _faded(image: Image) -> Image:
    return as_bytes(
        cv2.addWeighted(shrunk(image, _PANEL_PX), 0.45, np.full_like(shrunk(image, _PANEL_PX), 255), 0.55, 0)
    )


def _grade(share: float) -> Colour:
    return GREEN if share < 0.5 else ORANGE if share < 1.0 else RED


def _px(point: Floats) -> tuple[int, int]:
    return round(float(point[0])), round(float(point[1]))
