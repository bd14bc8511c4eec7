"""The page about the engine: its example runs and prints what it says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

PAGE = Path(__file__).resolve().parents[2] / "docs" / "rules-engine.md"


def test_the_example_of_the_page_runs_and_prints_what_it_says(capsys: pytest.CaptureFixture[str]) -> None:
    blocks = re.findall(r"```(?:python)?\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    program, printed = blocks[:2]
    exec(compile(program, str(PAGE), "exec"), {})
    assert capsys.readouterr().out == printed
