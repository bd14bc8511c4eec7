"""The uncertainty map on the picture: bands and contour lines of the error in mm, over the table.

One transparent picture of the camera's size: the page lays it over the live one, `calibrate ring` over the
photo. Dark blue is sure, yellow is not (viridis turned round: it reads without colours, too).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated

import cv2
import numpy as np
from fastapi import FastAPI, Query
from fastapi.responses import Response
from numpy.typing import NDArray

from calibration.camera import Array
from calibration.map_error import ErrorMap, error_map
from calibration.result import RingCalibration
from overlay.i18n import language, translate
from overlay.lettering import BOLD, FONT, width_of
from rules.text import Text

Image = NDArray[np.uint8]

_STEPS_MM = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0)
_MOST_LEVELS = 6
_COARSE = 4  # the error is smooth: it is worked out at every fourth pixel
_FILL, _LINE, _PLATE = 0.38, 0.95, 0.88  # opacities
_PAPER, _INK = (255, 255, 255), (26, 15, 11)
_LABEL_PX, _LABEL_ROOM = 20, 1.9  # the size of a label at 720 lines, and the room around it in label widths
_MARGIN_PX = 14
_BY_LINES = 720


@dataclass(frozen=True, eq=False)
class Field:
    """The error in mm at every pixel (H, W), NaN off the table."""

    mm: Array

    @property
    def levels(self) -> list[float]:
        """Round numbers of mm between which the error lies, at most a handful."""
        low, high = float(np.nanmin(self.mm)), float(np.nanmax(self.mm))
        step = next((s for s in _STEPS_MM if (high - low) / s <= _MOST_LEVELS), _STEPS_MM[-1])
        return [float(level) for level in np.arange(np.ceil(low / step), high / step + 1e-9) * step]


def field_of(calibration: RingCalibration, around_cm: float) -> Field:
    """The error in the picture over the mat and so much table around it."""
    table = error_map(calibration, around_cm)
    width, height = calibration.size
    u, v = np.meshgrid(np.arange(0, width + _COARSE, _COARSE), np.arange(0, height + _COARSE, _COARSE))
    xy = calibration.camera.to_plane(np.column_stack([u.ravel(), v.ravel()]).astype(np.float64))
    mm = _read(table, xy.reshape(*u.shape, 2))
    # NaN must not spread when the field is made as fine as the picture: it is cut out again afterwards.
    known = np.isfinite(mm)
    filled = np.where(known, mm, np.nanmedian(mm))
    where_u, where_v = np.meshgrid(
        np.arange(width, dtype=np.float32) / _COARSE, np.arange(height, dtype=np.float32) / _COARSE
    )
    fine = cv2.remap(filled.astype(np.float32), where_u, where_v, cv2.INTER_CUBIC)
    inside = _on_table(calibration, around_cm)
    return Field(np.where(inside, fine, np.nan).astype(np.float64))


def map_layer(
    calibration: RingCalibration, lang: str, *, around_cm: float = 12.0, caption: bool = True
) -> Image:
    """The map as a transparent picture (H, W, 4) BGRA of the camera's size; without its `caption` for a page
    that has room for one below the picture."""
    field = field_of(calibration, around_cm)
    size = calibration.size[1] / _BY_LINES
    layer = np.zeros((*field.mm.shape, 4), dtype=np.uint8)
    inside = np.isfinite(field.mm)
    levels = field.levels
    bands = np.searchsorted(np.array(levels), np.where(inside, field.mm, 0.0))
    colours = _colours(len(levels) + 1)
    layer[inside, :3] = colours[bands[inside]]
    layer[inside, 3] = round(255 * _FILL)
    _draw_lines(layer, field, levels, size)
    title = _Plate.of(translate(Text("page.map.legend"), lang), size)
    height, width = field.mm.shape
    title_at = (width // 2, height - round(_MARGIN_PX * size) - title.high // 2)
    taken = title.box(title_at) if caption else (*title_at, *title_at)
    for at, mm in _labels(field, levels, size, taken):
        _Plate.of(_said(mm, levels, lang), size).draw(layer, at)
    if caption:
        title.draw(layer, title_at)
    return layer


def add_map(app: FastAPI, draw: Callable[[str], Image]) -> None:
    """Let the pages have the map as /map.png."""

    @app.get("/map.png")
    def map_png(lang: Annotated[str | None, Query(max_length=40)] = None) -> Response:
        """How sure a place on the table is, as a transparent picture of the camera's size."""
        layer = draw(language(lang))
        return Response(bytes(cv2.imencode(".png", layer)[1]), media_type="image/png")


def on_picture(picture: Image, layer: Image) -> Image:
    """A copy of a BGR picture with a transparent layer over it."""
    share = layer[..., 3:].astype(np.float32) / 255
    mixed = picture.astype(np.float32) * (1 - share) + layer[..., :3].astype(np.float32) * share
    return np.round(mixed).astype(np.uint8)


def _read(table: ErrorMap, xy: Array) -> Array:
    """The map's values at points (H, W, 2) in cm, (H, W); NaN where there is none."""
    lost = np.isnan(xy.sum(axis=-1))
    across, along = np.moveaxis(np.where(lost[..., None], 0.0, xy), -1, 0)
    # A place beyond the rim is read as the rim: where the table ends is cut out of the picture exactly.
    last = len(table.x) - 1
    j = np.clip((across - table.x[0]) / (table.x[1] - table.x[0]), 0, last).astype(np.float32)
    i = np.clip((along - table.y[0]) / (table.y[1] - table.y[0]), 0, last).astype(np.float32)
    values = cv2.remap(table.mm.astype(np.float32), j, i, cv2.INTER_LINEAR).astype(np.float64)
    values[lost] = np.nan
    return values


def _on_table(calibration: RingCalibration, around_cm: float) -> NDArray[np.bool_]:
    """(H, W) True over the mat and so much table around it."""
    half = calibration.spec.half + around_cm
    corners = np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]]) * half
    share = np.linspace(0, 1, 40, endpoint=False)[:, None]
    rim = np.concatenate([a + share * (b - a) for a, b in pairwise([*corners, corners[0]])])
    seen = calibration.camera.project(np.column_stack([rim, np.zeros(len(rim))]))
    canvas = np.zeros((calibration.size[1], calibration.size[0]), dtype=np.uint8)
    cv2.fillPoly(canvas, [np.round(seen * 16).astype(np.int32)], 255, cv2.LINE_8, 4)
    return np.asarray(canvas > 0, dtype=np.bool_)


def _colours(count: int) -> NDArray[np.uint8]:
    """BGR colours from sure to unsure."""
    shades = np.linspace(30, 245, count).round().astype(np.uint8).reshape(-1, 1)
    return np.asarray(cv2.applyColorMap(shades, cv2.COLORMAP_VIRIDIS)[:, 0], dtype=np.uint8)


def _draw_lines(layer: Image, field: Field, levels: list[float], size: float) -> None:
    inside = np.isfinite(field.mm)
    ink = np.zeros(field.mm.shape, dtype=np.uint8)
    # The rim of the region is no line of equal error: lines end a little before it.
    room = cv2.erode(_framed(inside), np.ones((9, 9), np.uint8)) > 0
    for level in levels:
        above = np.where(inside, field.mm, level + 1) > level
        lines, _ = cv2.findContours(above.astype(np.uint8), cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
        cv2.drawContours(ink, lines, -1, 255, max(1, round(2 * size)), cv2.LINE_AA)
    ink[~room] = 0
    share = ink.astype(np.float32)[..., None] / 255
    layer[..., :3] = np.round(layer[..., :3] * (1 - share) + 255 * share).astype(np.uint8)
    layer[..., 3] = np.maximum(layer[..., 3], (ink * _LINE).astype(np.uint8))


def _framed(inside: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """The mask with the picture's rim outside it, as the table's is."""
    framed = np.zeros(inside.shape, dtype=np.uint8)
    framed[1:-1, 1:-1] = inside[1:-1, 1:-1]
    return framed


def _labels(
    field: Field, levels: list[float], size: float, taken: tuple[int, int, int, int]
) -> list[tuple[tuple[int, int], float]]:
    """Where to write how many mm: at the surest place, and on every line away from the others."""
    room = _LABEL_ROOM * _LABEL_PX * size
    free = _framed(np.isfinite(field.mm))
    left, top, right, bottom = taken
    free[top:bottom, left:right] = 0
    deep = cv2.distanceTransform(free, cv2.DIST_L2, 5) > room
    if not deep.any():
        return []
    v, u = np.unravel_index(int(np.argmin(np.where(deep, field.mm, np.inf))), deep.shape)
    found: list[tuple[tuple[int, int], float]] = []
    best = float(field.mm[v, u])
    # Half a step away from a line, its own number says something new.
    if not levels or min(abs(best - level) for level in levels) > _step(levels) / 2:
        found.append(((int(u), int(v)), best))
    slope = np.hypot(*np.gradient(field.mm))
    for level in levels:
        v_all, u_all = np.nonzero(deep & (np.abs(field.mm - level) <= slope))
        if len(u_all) == 0:
            continue
        placed = np.array([at for at, _ in found] or [(left, top)])
        away = np.hypot(u_all[:, None] - placed[:, 0], v_all[:, None] - placed[:, 1]).min(axis=1)
        choice = int(np.argmax(away))
        if away[choice] > 2 * room:
            found.append(((int(u_all[choice]), int(v_all[choice])), level))
    return found


def _said(mm: float, levels: list[float], lang: str) -> str:
    return translate(Text("map.mm" if _step(levels) >= 1.0 else "map.mm.tenths", {"mm": mm}), lang)


def _step(levels: list[float]) -> float:
    return levels[1] - levels[0] if len(levels) > 1 else 1.0


@dataclass(frozen=True)
class _Plate:
    """White words on a dark pill, so many px large."""

    words: str
    letters: int
    wide: int
    high: int

    @classmethod
    def of(cls, words: str, size: float) -> _Plate:
        letters = round(_LABEL_PX * size)
        return cls(words, letters, round(width_of(words, letters, BOLD) + letters), round(1.5 * letters))

    def box(self, middle: tuple[int, int]) -> tuple[int, int, int, int]:
        """Its left, top, right and bottom when its middle is there."""
        left, top = middle[0] - self.wide // 2, middle[1] - self.high // 2
        return left, top, left + self.wide, top + self.high

    def draw(self, layer: Image, middle: tuple[int, int]) -> None:
        """Draw it, in place."""
        left, top, right, bottom = self.box(middle)
        pill = np.zeros((self.high, self.wide, 3), dtype=np.uint8)
        half = self.high // 2
        cv2.line(pill, (half, half), (self.wide - half, half), _PAPER, 2 * half - 2, cv2.LINE_AA)
        letters = np.zeros_like(pill)
        origin = (self.letters // 2, round(1.1 * self.letters))
        cv2.putText(letters, self.words, origin, _PAPER, FONT, self.letters, BOLD)
        height, width = layer.shape[:2]
        rows, columns = slice(max(top, 0), min(bottom, height)), slice(max(left, 0), min(right, width))
        cut = np.s_[rows.start - top : rows.stop - top, columns.start - left : columns.stop - left]
        under, white = (one[cut][..., :1].astype(np.float32) / 255 for one in (pill, letters))
        part = layer[rows, columns].astype(np.float32)
        part[..., :3] = part[..., :3] * (1 - under) + np.array(_INK, np.float32) * under
        part[..., :3] = part[..., :3] * (1 - white) + 255 * white
        part[..., 3:] = np.maximum(part[..., 3:], np.maximum(255 * _PLATE * under, 255 * white))
        layer[rows, columns] = np.round(part).astype(np.uint8)
