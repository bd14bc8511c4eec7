from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

from palmo.demo_files import DEMO_CLIP, DEMO_EVENT
from palmo.errors import PalmoError
from palmo.live.folder import Start
from palmo.live.pacing import again_and_again
from palmo.live.session import run_live
from palmo.live.watching import MoveWatch
from palmo.play.table import replayed
from palmo.review.desk import ReviewDesk
from palmo.storage import MatchFile
from palmo.workbench import open_workbench
from vision.sources.frames import Frame
from vision.sources.open import open_source


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A match folder of the bundled clip played to its end."""
    path = tmp_path_factory.mktemp("live")
    said: list[str] = []
    run_live(
        str(DEMO_CLIP), DEMO_EVENT, port=0, folder=path, record=True, seed=9, until_end=True, say=said.append
    )
    assert sum("http://127.0.0.1:" in line for line in said) == 3
    return path


@pytest.mark.slow
def test_a_match_folder_has_everything_to_judge_it_again(folder: Path) -> None:
    names = {path.name for path in folder.iterdir()}
    assert names == {"match.jsonl", "tracks.jsonl", "clip.mp4", "evidence"}
    assert replayed(folder / "match.jsonl").request is not None
    review = ReviewDesk(folder)
    assert review.picture(0).shape == (720, 1280, 3)
    assert {moment.fighter for moment in review.opened.moments} >= {"F1", "F2", "F4", "F6"}


@pytest.mark.slow
def test_the_log_says_what_was_measured_with_and_the_seed_of_the_dice(folder: Path) -> None:
    lines = (folder / "match.jsonl").read_text(encoding="utf-8").splitlines()
    notes = [json.loads(line)["note"] for line in lines if line.startswith('{"note"')]
    assert {"dice_seed": 9} in notes
    (camera,) = [note["calibration"] for note in notes if "calibration" in note]
    assert camera["size"] == [1280, 720]
    assert len(camera["sha256"]) == 64


@pytest.mark.slow
def test_a_folder_another_session_writes_to_is_refused_and_left_alone(tmp_path: Path) -> None:
    other = MatchFile(tmp_path / "match.jsonl")
    with pytest.raises(PalmoError, match="this match is already open"):
        run_live(str(DEMO_CLIP), DEMO_EVENT, port=0, folder=tmp_path, until_end=True)
    other.close()
    assert [path.name for path in tmp_path.iterdir()] == ["match.jsonl"]


@pytest.mark.parametrize(
    ("host", "said"), [("", "--host is empty"), ("192.0.2.7", "cannot listen"), ("127.0.0.1", "is in use")]
)
def test_a_door_that_cannot_be_opened_is_said_before_the_source_is_looked_at(
    host: str, said: str, tmp_path: Path
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other, pytest.raises(PalmoError, match=said):
        run_live(
            "no clip at all", DEMO_EVENT, host=host, port=other.getsockname()[1], folder=tmp_path / "match"
        )
    assert not (tmp_path / "match").exists()


@pytest.mark.slow
@pytest.mark.parametrize("was_there", [False, True])
def test_a_start_that_fails_at_the_recording_leaves_nothing_in_the_next_ones_way(
    was_there: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "club" / "match"
    if was_there:
        folder.mkdir(parents=True)
        (folder / "notes.txt").write_text("ours")

    def full(path: Path, *_: object, **__: object) -> None:
        path.write_bytes(b"half a head")
        raise PalmoError(f"{path}: the video cannot be written (No space left on device)")

    with monkeypatch.context() as patched:
        patched.setattr("palmo.live.folder.VideoWriter", full)
        with pytest.raises(PalmoError, match="No space left"):
            run_live(str(DEMO_CLIP), DEMO_EVENT, port=0, folder=folder, record=True)
    left = [path.name for path in tmp_path.rglob("*")]
    assert sorted(left) == (["club", "match", "notes.txt"] if was_there else [])


def test_a_failed_start_takes_no_log_of_another_session(tmp_path: Path) -> None:
    log = tmp_path / "match" / "match.jsonl"
    start = Start(log.parent)
    log.parent.mkdir()
    log.write_text("another session's")
    start.__exit__(PalmoError, PalmoError("this match is already open"), None)
    assert log.read_text() == "another session's"


@pytest.mark.nightly
def test_at_the_seam_of_a_repeated_clip_nobody_is_sure_and_nobody_moved() -> None:
    """The figures are back at their first places all at once; that is a gap and no move."""

    def anew() -> Iterator[Frame]:
        with open_source(str(DEMO_CLIP)) as again:
            yield from again

    with open_workbench(str(DEMO_CLIP), DEMO_EVENT) as bench:
        pipeline, watch = bench.pipeline(), MoveWatch(bench.event)
        places, moves = {}, []
        for frame in islice(again_and_again(bench.frames(), anew), 175):
            tracked = pipeline.update(frame)
            if frame.gap:
                watch.forget()
                assert {track.state for track in tracked.fighters.values()} == {"unsure"}
            moves += [(judgement.fighter.id, frame.index) for judgement in watch.see(tracked)]
            places[frame.index] = tracked.fighters
    assert [fighter for fighter, _ in moves] == ["F1", "F2", "F4", "F6"]
    for fighter, track in places[150].items():
        before = places[10][fighter]
        assert track.state == "placed"
        assert track.x == pytest.approx(before.x, abs=0.3)
        assert track.y == pytest.approx(before.y, abs=0.4)
