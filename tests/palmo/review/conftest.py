"""Match folders for reviews: the first seconds of the bundled clip, followed once for all tests."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

from palmo.demo_files import DEMO_CLIP, DEMO_EVENT
from palmo.event import load_event
from palmo.play.table import MatchTable, open_table
from palmo.recorder import VideoWriter
from palmo.review.desk import ReviewDesk
from palmo.review.evidence import open_evidence
from palmo.review.from_clip import folder_of_clip
from vision.sources.open import open_source

# F1 is moved from 1.5 to 3 s.
FRAMES = 45


@pytest.fixture(scope="session")
def short_clip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("clip") / "short.mp4"
    with open_source(str(DEMO_CLIP)) as source, VideoWriter(path, source.size, source.fps) as writer:
        for frame in islice(source, FRAMES):
            writer.write(frame.image, frame.t)
    return path


@pytest.fixture(scope="session")
def original(short_clip: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A match folder made of the clip; not to be changed."""
    folder = tmp_path_factory.mktemp("original") / "match"
    folder_of_clip(str(short_clip), DEMO_EVENT, folder)
    return folder


@pytest.fixture
def folder(original: Path, tmp_path: Path) -> Path:
    """A copy of it for one test."""
    return Path(shutil.copytree(original, tmp_path / "match"))


@pytest.fixture
def desk(folder: Path) -> Iterator[ReviewDesk]:
    opened = ReviewDesk(folder)
    yield opened
    opened.close()


def played(folder: Path, fighter: str = "F1") -> MatchTable:
    """A match in the folder, its answers given at second 1, up to the request for a fighter's move."""
    table = open_table(DEMO_EVENT, load_event(DEMO_EVENT), folder / "match.jsonl", seed=1)
    figures = open_evidence(folder).scene(0).figures
    for _ in range(60):
        request = table.match.request
        assert request is not None
        if (request.text.key, request.fighter) == ("ask.move", fighter):
            return table
        if request.kind == "observe":
            table.answer(dict(figures), "camera", at=1.0)
        elif request.kind == "roll":
            table.roll(at=1.0)
        else:
            legal = [option.id for option in request.options if option.legal]
            wanted = "move" if request.fighter == fighter else "pass" if "pass" in legal else "go_on"
            table.answer(wanted, "referee", at=1.0)
    pytest.fail(f"{fighter} was not asked to move")
