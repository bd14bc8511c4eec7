from __future__ import annotations

import multiprocessing
import resource
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from overlay.i18n import translate
from palmo.errors import PalmoError, SaidError
from palmo.recorder import AGAIN_S, RESERVE_BYTES, Recorder, VideoWriter


def picture(number: int, size: tuple[int, int] = (320, 240)) -> NDArray[np.uint8]:
    rng = np.random.default_rng(number)
    return rng.integers(0, 255, (size[1], size[0], 3), dtype=np.uint8)


def frames_in(path: Path) -> int:
    capture = cv2.VideoCapture(str(path))
    count = 0
    while capture.read()[0]:
        count += 1
    return count


def test_a_video_has_every_picture_and_its_time(tmp_path: Path) -> None:
    path = tmp_path / "out" / "v.mp4"
    with VideoWriter(path, (320, 240), 10.0) as writer:
        for number in range(25):
            writer.write(picture(number), number / 10)
    assert frames_in(path) == 25
    capture = cv2.VideoCapture(str(path))
    assert capture.get(cv2.CAP_PROP_FPS) == pytest.approx(10, rel=0.1)


def test_odd_sizes_lose_one_row_and_column(tmp_path: Path) -> None:
    path = tmp_path / "v.mp4"
    with VideoWriter(path, (321, 241), 10.0) as writer:
        writer.write(picture(0, (321, 241)), 0.0)
    capture = cv2.VideoCapture(str(path))
    assert (capture.get(cv2.CAP_PROP_FRAME_WIDTH), capture.get(cv2.CAP_PROP_FRAME_HEIGHT)) == (320, 240)


def test_a_time_that_goes_back_is_written_all_the_same(tmp_path: Path) -> None:
    path = tmp_path / "v.mp4"
    with VideoWriter(path, (320, 240), 10.0) as writer:
        for t in (0.0, 0.5, 0.2, 0.2):
            writer.write(picture(1), t)
    assert frames_in(path) == 4


def test_another_size_is_refused(tmp_path: Path) -> None:
    with (
        VideoWriter(tmp_path / "v.mp4", (320, 240), 10.0) as writer,
        pytest.raises(PalmoError, match="320 x 240"),
    ):
        writer.write(picture(0, (640, 480)), 0.0)


def test_a_place_that_cannot_be_written_gets_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(PalmoError, match="cannot be written"):
        VideoWriter(tmp_path / "file" / "v.mp4", (320, 240), 10.0)


def _record_on_a_small_disk(
    path: str, limit: int, answer: multiprocessing.Queue[tuple[str | None, int]]
) -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    recorder = Recorder(VideoWriter(Path(path), (320, 240), 10.0), waiting=100)
    for number in range(60):
        recorder.offer(picture(number), number / 10)
    recorder.close()
    answer.put((recorder.problem, recorder.dropped))


def test_a_full_disk_stops_the_recording_with_a_sentence_and_keeps_what_was_written(tmp_path: Path) -> None:
    path = tmp_path / "v.mp4"
    context = multiprocessing.get_context("spawn")
    answer = context.Queue()
    process = context.Process(target=_record_on_a_small_disk, args=(str(path), 2_000_000, answer))
    process.start()
    problem, dropped = answer.get(timeout=60)
    process.join()
    assert problem is not None
    assert "recording stopped" in translate(problem, "en")
    assert "space" in translate(problem, "en")
    assert dropped == 0
    assert 5 < frames_in(path) < 60


def test_recording_leaves_the_last_of_the_disk_to_the_match_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    free = [RESERVE_BYTES + 1]
    monkeypatch.setattr("shutil.disk_usage", lambda _: SimpleNamespace(free=free[0]))
    path = tmp_path / "v.mp4"
    recorder = Recorder(VideoWriter(path, (320, 240), 10.0), waiting=100)
    for number in range(20):
        recorder.offer(picture(number), number / 10)
    deadline = time.monotonic() + 60
    while not recorder._queue.empty():
        assert time.monotonic() < deadline
        time.sleep(0.01)
    free[0] = RESERVE_BYTES - 1
    recorder.offer(picture(20), 2.0)
    recorder.close()
    assert recorder.problem is not None
    assert "recording stopped" in translate(recorder.problem, "en")
    assert "8.0 MB are free, and they are kept for the match log" in translate(recorder.problem, "en")
    assert 19 <= frames_in(path) <= 20


class Sink:
    """A writer that fails while there is no room."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.room = True
        self.taken: list[int] = []

    def write(self, number: int) -> None:
        if not self.room:
            raise SaidError("error.folder.unwritten", path=self.path, why="no space")
        self.taken.append(number)

    def close(self) -> None:
        pass


@pytest.mark.parametrize("recovers", [True, False])
def test_only_what_can_go_on_in_another_file_is_tried_again_when_there_is_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, recovers: bool, caplog: pytest.LogCaptureFixture
) -> None:
    now, clock = [0.0], time.monotonic
    monkeypatch.setattr("palmo.recorder.time.monotonic", lambda: now[0])
    sink = Sink(tmp_path / "x")
    recorder: Recorder[[int]] = Recorder(sink, recovers=recovers)

    def until(done: Callable[[], bool]) -> None:
        deadline = clock() + 30
        while not done():
            assert clock() < deadline
            time.sleep(0.001)

    recorder.offer(0)
    until(lambda: sink.taken == [0])
    sink.room = False
    for number, fails in ((1, True), (2, recovers)):
        recorder.offer(number)
        until(lambda fails=fails: not fails or recorder._again_at == now[0] + AGAIN_S)  # type: ignore[misc]
        now[0] += AGAIN_S / 2
        recorder.offer(9)  # too early
        now[0] += AGAIN_S / 2
    sink.room = True
    recorder.offer(4)
    until(lambda: recorder.problem is None or not recovers)
    recorder.offer(5)
    recorder.close()
    assert sink.taken == ([0, 4, 5] if recovers else [0])
    assert (recorder.problem is None) == recovers
    assert len(caplog.records) == 1
