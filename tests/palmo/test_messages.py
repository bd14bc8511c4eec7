from __future__ import annotations

import re
from pathlib import Path

import pytest

from overlay.i18n import LANGUAGES, entries

PALMO = Path(__file__).resolve().parents[2] / "palmo"
SOURCES = "".join(path.read_text(encoding="utf-8") for path in PALMO.rglob("*.py"))
# Keys put together from parts: what stands before the last dot is in the sources.
FAMILIES = (
    "ring.verdict.",
    "ring.assumed.",
    "ring.note.",
    "ring.name.",
    "ring.warning.",
    "terminal.origin.",
    "explain.gate.",
    "simulate.",
    "colours.",
    "live.detected.",
    "palm.by.",
    "palm.hand.",
    "palm.result.",
    "sheet.board.",
    "lens.verdict.",
    "lens.lean.",
    "lens.part.",
    "lens.why.",
)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_key_palmo_speaks_of_is_in_the_catalogue(lang: str) -> None:
    said = set(re.findall(r'(?:Text|SaidError|tell|remark|_refused|head)\((?:\d, )?\s*"([\w.]+)"', SOURCES))
    assert len(said) > 40
    assert said <= set(entries(lang))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_gate_of_the_tracker_is_explained(lang: str) -> None:
    finding = PALMO.parent / "vision" / "finding"
    source = "".join(path.read_text(encoding="utf-8") for path in finding.glob("*.py"))
    named = re.findall(r'Refusal\(\s*self\.fighter,\s*("?\w+"?)', source)
    gates = {one.strip('"') if '"' in one else _constant(source, one) for one in named}
    explained = {key.rsplit(".", 1)[1] for key in entries(lang) if key.startswith("explain.gate.")}
    assert len(gates) > 3
    assert gates == explained


def _constant(source: str, name: str) -> str:
    found = re.search(rf'^{name} = "(\w+)"$', source, re.MULTILINE)
    assert found is not None
    return found[1]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_sentence_of_palmos_is_left_unused(lang: str) -> None:
    for key, entry in entries(lang).items():
        if entry.file in ("palmo.po", "calibrate.po") and not key.startswith("error."):
            stem = next((family for family in FAMILIES if key.startswith(family)), None)
            assert (stem or f'"{key}"') in SOURCES, f"nothing says {key}"


def test_both_languages_need_the_same_values() -> None:
    spanish = entries("es")
    for key, entry in entries("en").items():
        if entry.file in ("palmo.po", "calibrate.po"):
            assert entry.placeholders == spanish[key].placeholders, key
