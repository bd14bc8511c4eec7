"""The report as one PDF page, byte for byte the same from the same evidence.

ReportLab draws it: it is old, well kept and small, and with `invariant` it writes neither a date nor a random
id. A browser's print-out carries its version and the time and changes with every update of the system.
"""

from __future__ import annotations

import io
from collections.abc import Iterable

from reportlab.lib.colors import Color, HexColor
from reportlab.lib.pagesizes import A4
from reportlab.lib.units import mm
from reportlab.lib.utils import ImageReader, simpleSplit
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

from palmo.review import letters
from palmo.review import strip as ruler
from palmo.review.facts import Facts, Shown

_PLAIN, _BOLD, _MONO = "Helvetica", "Helvetica-Bold", "Courier"
_MARGIN, _GAP = 12.0, 3.0
# So many lines of a reason fit on the sheet.
_MOST_WORDS = 6
_INK, _GREY = HexColor(ruler.INK), HexColor(ruler.GREY)


def pdf_report(facts: Facts) -> bytes:
    """The page."""
    data = io.BytesIO()
    canvas = Canvas(data, pagesize=A4, invariant=1, lang=facts.lang)
    title = f"{facts.say('report.title')}: {facts.name}"
    canvas.setTitle(title)
    canvas.setCreator("Palmo")
    _Page(canvas, facts).draw()
    canvas.showPage()
    canvas.save()
    return data.getvalue()


class _Page:
    """One sheet filled from top to bottom; lengths in millimetres from its upper left corner."""

    def __init__(self, canvas: Canvas, facts: Facts) -> None:
        self._canvas = canvas
        self._facts = facts
        self._width, self._height = A4[0] / mm, A4[1] / mm
        self._room = self._width - 2 * _MARGIN
        self._y = _MARGIN

    def draw(self) -> None:
        """Everything, in order."""
        self._head()
        self._ruled()
        self._strip()
        self._pictures()
        facts = self._facts
        self._lines((*facts.numbers, *facts.notes), 9, _INK)
        self._titled("report.rules", ["  ".join(facts.verdict.rules)])
        self._titled("report.by_hand", facts.by_hand or [facts.say("report.nobody")])
        self._hashes()
        self._lines([facts.made], 7, _GREY)

    def _head(self) -> None:
        facts, verdict, top = self._facts, self._facts.verdict, self._y
        unit = ruler.SUFFIX[verdict.unit]
        tone = HexColor(ruler.TONES.get(verdict.tone, ruler.INK))
        number = facts.say(f"report.number{unit}", palms=verdict.palms, error=verdict.error)
        words = verdict.interval
        self._words(number, self._width - _MARGIN, top + 6, 17, _BOLD, _INK, right=True)
        interval = facts.say("report.interval", low=words[0], high=words[1])
        self._words(interval, self._width - _MARGIN, top + 11, 8, _PLAIN, _GREY, right=True)
        left, room = _MARGIN + 8, self._room - 8 - 62
        y = top
        for line in _wrapped(facts.headline, _BOLD, 19, room):
            y += 7.5
            self._words(line, left, y - 1, 19, _BOLD, tone)
        for line in _wrapped(f"{facts.name}: {facts.sentence}", _PLAIN, 10, room):
            y += 4.4
            self._words(line, left, y, 10, _PLAIN, _INK)
        y = max(y, top + 12)
        self._canvas.setFillColor(tone)
        low, high = (self._height - y - 1) * mm, (y + 1 - top) * mm
        self._canvas.rect(_MARGIN * mm, low, 4 * mm, high, stroke=0, fill=1)
        self._y = y + 4

    def _ruled(self) -> None:
        facts, ruling = self._facts, self._facts.ruling
        who = facts.say("report.by", who=ruling.by or facts.say("page.referee"))
        words = _wrapped(ruling.words, _PLAIN, 9, self._room - 8)
        if len(words) > _MOST_WORDS:
            # The whole of it stands in the HTML and in ruling.json.
            words = [*words[: _MOST_WORDS - 1], f"{words[_MOST_WORDS - 1]} …"]
        high = 10 + 4 * len(words)
        self._canvas.setStrokeColor(_INK)
        self._canvas.setLineWidth(0.6 * mm)
        self._canvas.roundRect(
            _MARGIN * mm, (self._height - self._y - high) * mm, self._room * mm, high * mm, 2 * mm
        )
        decision = facts.say(f"report.ruled.{ruling.decision}")
        self._words(decision, _MARGIN + 4, self._y + 6.5, 14, _BOLD, _INK)
        self._words(f"({who})", self._width - _MARGIN - 4, self._y + 6.5, 9, _PLAIN, _GREY, right=True)
        for place, line in enumerate(words):
            self._words(line, _MARGIN + 4, self._y + 11.2 + 4 * place, 9, _PLAIN, _INK)
        self._y += high + _GAP

    def _strip(self) -> None:
        facts, limit = self._facts, self._facts.verdict.limit
        label = (
            "" if limit is None else facts.say(f"report.limit{ruler.SUFFIX[facts.verdict.unit]}", limit=limit)
        )
        scale = self._room / ruler.WIDTH
        for part in ruler.strip(facts.verdict, facts.lang, label):
            self._part(part, scale)
        self._y += ruler.HEIGHT * scale
        self._lines([facts.measured_by], 8, _GREY)
        self._y += 2

    def _part(self, part: ruler.Part, scale: float) -> None:
        canvas = self._canvas

        def at(x: float, y: float) -> tuple[float, float]:
            return (_MARGIN + x * scale) * mm, (self._height - self._y - y * scale) * mm

        match part:
            case ruler.Stroke():
                canvas.setStrokeColor(HexColor(part.colour))
                canvas.setLineWidth(part.width * scale * mm)
                canvas.line(*at(part.x1, part.y1), *at(part.x2, part.y2))
            case ruler.Box():
                canvas.setStrokeColor(HexColor(part.colour))
                canvas.setLineWidth(0.3 * scale * mm)
                canvas.setFillColor(HexColor(part.colour), alpha=0.4)
                size = part.width * scale * mm, part.height * scale * mm
                canvas.rect(*at(part.x, part.y + part.height), *size, stroke=1, fill=1)
                canvas.setFillAlpha(1.0)
            case ruler.Label():
                font = _BOLD if part.bold else _PLAIN
                self._line(
                    part.text, *at(part.x, part.y), part.size * scale * mm, font, HexColor(part.colour), 0.5
                )

    def _pictures(self) -> None:
        wide = (self._room - _GAP) / 2
        highest = 0.0
        for place, shown in enumerate((self._facts.before, self._facts.after)):
            high = wide * shown.size[1] / shown.size[0]
            self._picture(shown, _MARGIN + place * (wide + _GAP), wide, high)
            highest = max(highest, high)
        self._y += highest + 5.5

    def _picture(self, shown: Shown, x: float, wide: float, high: float) -> None:
        place = x * mm, (self._height - self._y - high) * mm
        self._canvas.drawImage(ImageReader(io.BytesIO(shown.jpeg)), *place, wide * mm, high * mm)
        self._words(shown.caption, x, self._y + high + 3.6, 8, _PLAIN, _GREY)

    def _titled(self, key: str, lines: Iterable[str]) -> None:
        self._y += 1.5
        self._lines([self._facts.say(key)], 8, _GREY, _BOLD)
        self._lines(lines, 9, _INK)

    def _hashes(self) -> None:
        facts = self._facts
        self._y += 1.5
        self._lines([facts.say("report.evidence")], 8, _GREY, _BOLD)
        # What does not fit above the last line is in the bundle, and in its own file of hashes.
        fits = max(int((self._height - _MARGIN - 10 - self._y) / 2.6), 1)
        kept = facts.hashes if len(facts.hashes) <= fits else [*facts.hashes[: fits - 1], ("…", "")]
        for name, digest in kept:
            self._y += 2.6
            self._words(name, _MARGIN, self._y, 6.2, _MONO, _INK)
            self._words(digest, _MARGIN + 52, self._y, 6.2, _MONO, _INK)
        self._y += 2

    def _lines(self, lines: Iterable[str], size: float, colour: Color, font: str = _PLAIN) -> None:
        for text in lines:
            for line in _wrapped(text, font, size, self._room):
                self._y += 0.44 * size
                self._words(line, _MARGIN, self._y, size, font, colour)

    def _words(
        self, text: str, x: float, y: float, size: float, font: str, colour: Color, *, right: bool = False
    ) -> None:
        """A line of text with its baseline at y, from x on or up to it."""
        self._line(text, x * mm, (self._height - y) * mm, size, font, colour, 1.0 if right else 0.0)

    def _line(
        self, text: str, x: float, y: float, size: float, font: str, colour: Color, share: float
    ) -> None:
        """A line with its baseline at y points; x is where this share of it lies to the left."""
        canvas = self._canvas
        if letters.everywhere(text):
            canvas.setFillColor(colour)
            canvas.setFont(font, size)
            canvas.drawString(x - share * stringWidth(text, font, size), y, text)
            return
        bold = font == _BOLD
        wide = letters.width(text, size, bold=bold)
        rgb = (round(255 * colour.red), round(255 * colour.green), round(255 * colour.blue))
        drawn = ImageReader(letters.picture(text, size, rgb, bold=bold))
        low, high = y - letters.BELOW * size, (letters.ABOVE + letters.BELOW) * size
        canvas.drawImage(drawn, x - share * wide, low, wide, high, mask="auto")


def _wrapped(text: str, font: str, size: float, room: float) -> list[str]:
    """A text broken into lines of so many millimetres."""
    if letters.everywhere(text):
        lines: list[str] = simpleSplit(text, font, size, room * mm)
        return lines
    return letters.wrapped(text, size, room * mm, bold=font == _BOLD)
