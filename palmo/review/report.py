"""The report of a ruling, as HTML or PDF, from its folder alone."""

from __future__ import annotations

from pathlib import Path

from overlay.i18n import LANGUAGES
from overlay.review.desk import Kind
from palmo.errors import SaidError
from palmo.errors import reason as why_of
from palmo.outputs import replacing
from palmo.review.facts import facts_of
from palmo.review.report_html import html_report
from palmo.review.report_pdf import pdf_report

_MAKERS = {"html": html_report, "pdf": pdf_report}


def report(folder: Path, kind: Kind, lang: str) -> bytes:
    """A ruling's report. The same evidence gives the same bytes. Raises PalmoError or EventError."""
    return _MAKERS[kind](facts_of(folder, lang))


def reports(folder: Path) -> dict[str, bytes]:
    """A ruling's reports in every language and both kinds, by file name."""
    made = {}
    for lang in LANGUAGES:
        facts = facts_of(folder, lang)
        for kind, make in _MAKERS.items():
            made[f"report.{lang}.{kind}"] = make(facts)
    return made


def keep_reports(folder: Path) -> None:
    """Write a ruling's reports beside its evidence. Raises PalmoError."""
    for name, data in reports(folder).items():
        try:
            with replacing(folder / name) as place:
                place.write_bytes(data)
        except OSError as error:
            raise SaidError("error.folder.unwritten", path=folder, why=why_of(error)) from None
