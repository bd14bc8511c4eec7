"""A referee asks why, and reads the rule with the house rules as they are agreed."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from overlay.i18n import LANGUAGES, entries
from palmo.cli import app
from palmo.errors import SaidError
from palmo.play.asked import asked, sheet_lines
from rules.smackkatz.book import CURRENT

ROOT = Path(__file__).resolve().parents[3]


def sheet(rule: str, lang: str = "en", **agreed: object) -> str:
    found = asked(rule, CURRENT, CURRENT.catalogue.resolve(agreed))
    return "\n".join(line for line, _ in sheet_lines(found, lang))


def test_a_rule_is_read_with_its_house_rules_and_rulings() -> None:
    read = sheet("STRIKE-06")
    assert read.startswith("STRIKE-06: Two criticals knock the rival down.")
    assert "knockdown_criticals: strength_dice by default; it could be strike_dice (RULING-37)" in read
    assert "RULING-38: Two criticals are enough" in read


def test_what_is_agreed_stands_beside_the_default() -> None:
    assert "fatigue_cap: 3 as agreed, 4 by default; it could be off" in sheet("FATIGUE-01", fatigue_cap=3)


def test_a_number_is_read_with_its_bounds() -> None:
    assert "adjacent_gap_cm: 2.0 por defecto; podría ser cualquier valor entre 0.1 y 10" in sheet(
        "RULING-30", "es"
    )


def test_an_unknown_rule_is_refused_with_the_nearest_ids() -> None:
    with pytest.raises(SaidError, match="STRKE-06; the nearest ones are STRIKE-06"):
        asked("STRKE-06", CURRENT)


def test_the_command_says_a_rule_in_either_edition() -> None:
    runner = CliRunner()
    now = runner.invoke(app, ["match", "rule", "win-3", "--lang", "es"])
    before = runner.invoke(app, ["match", "rule", "win-3", "--lang", "es", "--edition", "earlier"])
    assert (now.exit_code, before.exit_code) == (0, 0)
    assert "4 turnos" in now.output
    assert "WIN-03 (edición anterior)" in before.output
    assert "5 turnos" in before.output


def test_the_command_gives_the_same_as_data() -> None:
    found = CliRunner().invoke(app, ["match", "rule", "STRIKE-06", "--json", "--lang", "en"])
    data = json.loads(found.stdout)
    assert (data["rule"], data["edition"]) == ("STRIKE-06", "current")
    assert data["house_rules"][0]["values"] == ["strength_dice", "strike_dice"]
    assert [one["rule"] for one in data["related"]] == ["RULING-37", "RULING-38"]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_sentence_about_looking_up_is_left_over(lang: str) -> None:
    sources = "".join(
        path.read_text(encoding="utf-8")
        for folder, kind in (("palmo", "*.py"), ("overlay/web", "*.js"))
        for path in (ROOT / folder).rglob(kind)
    )
    keys = [key for key, entry in entries(lang).items() if entry.file == "lookup.po"]
    assert len(keys) > 5
    assert [key for key in keys if not re.search(rf"[\"']{re.escape(key)}[\"']", sources)] == []
