from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from palmo.event import Event
from palmo.live.feed import LiveFeed
from palmo.play.layout import starting_layout
from palmo.play.table import MatchTable, open_table
from rules.scene import Figure
from tests.palmo.live.tables import CAMERA


@pytest.fixture
def table(event: Event, tmp_path: Path) -> Iterator[MatchTable]:
    opened = open_table(tmp_path / "event.toml", event, tmp_path / "match.jsonl", seed=5)
    yield opened
    opened.close()


@pytest.fixture
def feed(event: Event, table: MatchTable) -> LiveFeed:
    return LiveFeed(event, table, CAMERA)


@pytest.fixture
def figures(table: MatchTable) -> dict[str, Figure]:
    return starting_layout(table.match.log.header.roster)
