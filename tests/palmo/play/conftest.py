from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from palmo.event import Event
from palmo.play.table import MatchTable, open_table


@pytest.fixture
def table(event: Event, tmp_path: Path) -> Iterator[MatchTable]:
    opened = open_table(tmp_path / "event.toml", event, tmp_path / "match.jsonl", seed=4)
    yield opened
    opened.close()
