"""Sheets to print: boards and corner tags as PDF, exact in millimetres, the same bytes every time."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass

from reportlab.lib.pagesizes import A3, A4, LETTER
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from shapely import MultiPolygon, Polygon, box, unary_union

from calibration.boards import Board, Rectangle
from calibration.boards_tags import CornerTags
from calibration.ring import CORNER_NAMES
from overlay.i18n import translate
from palmo.errors import SaidError
from rules.text import Text

PAPERS = {"a4": A4, "a3": A3, "letter": LETTER}
"""Sheets by name: width and height in points, upright."""

# Printers leave this much of every edge white; below a board there is room for the words and the bar.
_MARGIN_MM, _FOOT_MM = 8.0, 22.0
_BAR_MM = 100
_FONT, _BOLD = "Helvetica", "Helvetica-Bold"
# As ReportLab numbers it; its type stubs leave the name out.
_EVEN_ODD = 0


@dataclass(frozen=True)
class Page:
    """A page being filled, in millimetres from its upper left, y down."""

    canvas: Canvas
    width_mm: float
    height_mm: float

    def dark(self, rectangles: Sequence[Rectangle], x: float, y: float) -> None:
        """Fill rectangles at a place as one shape: no seam shows between neighbours on any screen."""
        shape = unary_union([box(x + a, y + b, x + a + w, y + b + h) for a, b, w, h in rectangles])
        path = self.canvas.beginPath()
        for polygon in shape.geoms if isinstance(shape, MultiPolygon) else [shape]:
            assert isinstance(polygon, Polygon)
            for ring in (polygon.exterior, *polygon.interiors):
                points = [(a * mm, self._up(b)) for a, b in ring.coords[:-1]]
                path.moveTo(*points[0])
                for point in points[1:]:
                    path.lineTo(*point)
                path.close()
        self.canvas.setFillGray(0)
        self.canvas.drawPath(path, stroke=0, fill=1, fillMode=_EVEN_ODD)

    def line(self, start: tuple[float, float], end: tuple[float, float], *, grey: float = 0.0) -> None:
        """A thin line."""
        self.canvas.setStrokeGray(grey)
        self.canvas.setLineWidth(0.2 * mm)
        self.canvas.line(start[0] * mm, self._up(start[1]), end[0] * mm, self._up(end[1]))

    def words(self, text: str, x: float, y: float, points: float = 9, *, bold: bool = False) -> None:
        """A line of text with its baseline at y."""
        self.canvas.setFillGray(0)
        self.canvas.setFont(_BOLD if bold else _FONT, points)
        self.canvas.drawString(x * mm, self._up(y), text)

    def corner_mark(self, x: float, y: float, into: tuple[float, float]) -> None:
        """A small pale triangle in a corner of the paper, reaching into it."""
        path = self.canvas.beginPath()
        path.moveTo(x * mm, self._up(y))
        path.lineTo((x + into[0]) * mm, self._up(y))
        path.lineTo(x * mm, self._up(y + into[1]))
        path.close()
        self.canvas.setFillGray(0.7)
        self.canvas.drawPath(path, stroke=0, fill=1)

    def scale_bar(self, x: float, y: float, lang: str) -> None:
        """A bar of exactly 100 mm with a tick every 10 mm, and what it is for."""
        self.line((x, y), (x + _BAR_MM, y))
        for tick in range(0, _BAR_MM + 1, 10):
            self.line((x + tick, y), (x + tick, y - (4.0 if tick % 50 == 0 else 2.0)))
        self.words("0", x - 0.8, y + 3.5, 7)
        self.words(f"{_BAR_MM} mm", x + _BAR_MM - 3, y + 3.5, 7)
        self.words(translate(Text("sheet.bar", {"mm": _BAR_MM}), lang), x + 8, y + 3.5, 7)

    def _up(self, y: float) -> float:
        return (self.height_mm - y) * mm


def board_pdf(board: Board, paper: str, lang: str) -> bytes:
    """A calibration board on a sheet. Raises PalmoError when it does not fit."""
    columns, rows = board.squares
    width, height = columns * board.square_mm, rows * board.square_mm
    name = Text(f"sheet.board.{board.kind}", {"columns": columns, "rows": rows, "mm": board.square_mm})
    buffer, page = _page(paper, translate(name, lang), lying=width > height)
    room = page.width_mm - 2 * _MARGIN_MM, page.height_mm - _MARGIN_MM - _FOOT_MM
    if width > room[0] or height > room[1]:
        most = int(min(room[0] / columns, room[1] / rows))
        raise SaidError(
            "error.sheet.room", columns=columns, rows=rows, mm=board.square_mm, paper=paper.upper(), most=most
        )
    left = (page.width_mm - width) / 2
    page.dark(board.dark(), left, _MARGIN_MM + (room[1] - height) / 2)
    foot = page.height_mm - _FOOT_MM + 8
    page.words(translate(name, lang), left, foot, bold=True)
    page.words(_usage(board), left, foot + 5, 8)
    page.scale_bar(max(left, page.width_mm - left - _BAR_MM), foot + 2, lang)
    return _finished(page, buffer)


def tags_pdf(tags: CornerTags, paper: str, lang: str) -> bytes:
    """The four corner tags on a sheet, each named by its corner. Raises PalmoError when they do not fit."""
    buffer, page = _page(paper, translate(Text("sheet.tags"), lang), lying=False)
    step = tags.paper_mm + 22.0
    left, top = (page.width_mm - step - tags.paper_mm) / 2, 38.0
    if left < _MARGIN_MM or top + step + tags.paper_mm + _FOOT_MM > page.height_mm:
        raise SaidError("error.sheet.tags", mm=tags.side_mm, paper=paper.upper())
    page.words(translate(Text("sheet.tags"), lang), left, 18, 14, bold=True)
    page.words(translate(Text("sheet.tags.how"), lang), left, 25, 9)
    # Laid out like the corners of the mat: far-left, far-right, near-right, near-left.
    for number, (column, row) in enumerate(((0, 0), (1, 0), (1, 1), (0, 1))):
        _tag(page, tags, number, (left + column * step, top + row * step), lang)
    page.scale_bar(left, page.height_mm - _FOOT_MM + 8, lang)
    return _finished(page, buffer)


def _tag(page: Page, tags: CornerTags, number: int, at: tuple[float, float], lang: str) -> None:
    x, y = at
    side = tags.paper_mm
    outline = [(x, y), (x + side, y), (x + side, y + side), (x, y + side)]
    for start, end in zip(outline, [*outline[1:], outline[0]], strict=True):
        page.line(start, end, grey=0.6)
    corner = tags.touching(number)
    inwards = tuple(-4.0 if value > 0 else 4.0 for value in corner)
    page.corner_mark(x + corner[0], y + corner[1], (inwards[0], inwards[1]))
    page.dark(tags.dark(number), x, y)
    where = translate(Text(f"ring.name.{CORNER_NAMES[number]}_corner"), lang)
    page.words(f"{number}: {where}", x, y - 2, 10, bold=True)


def _usage(board: Board) -> str:
    columns, rows = board.squares
    kind = "" if board.kind == "charuco" else f" --board {board.kind}"
    return f"palmo calibrate lens ...{kind} --squares {columns}x{rows} --square-mm {board.square_mm:g}"


def _page(paper: str, title: str, *, lying: bool) -> tuple[io.BytesIO, Page]:
    if paper not in PAPERS:
        raise SaidError("error.sheet.paper", given=paper, known=", ".join(PAPERS))
    width, height = sorted(PAPERS[paper], reverse=lying)
    buffer = io.BytesIO()
    # No date, no random id, and nothing that depends on the version of a compressor.
    canvas = Canvas(buffer, (width, height), pageCompression=0, invariant=1)
    canvas.setTitle(title)
    canvas.setCreator("Palmo")
    return buffer, Page(canvas, width / mm, height / mm)


def _finished(page: Page, buffer: io.BytesIO) -> bytes:
    page.canvas.showPage()
    page.canvas.save()
    return buffer.getvalue()
