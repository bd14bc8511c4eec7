from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import av
import cv2
import numpy as np
import pytest

from palmo.live.buffer import Limits, RingBuffer
from palmo.recorder import Recorder
from rules.scene import Figure
from tests.palmo.live.tables import tracked
from vision.sources.frames import Frame
from vision.sources.open import open_source
from vision.tracks import TrackFrame
from vision.tracks_file import read_tracks

SIZE = (64, 48)


def picture(number: int, look: int | None = None) -> Frame:
    """Noise that no encoder makes small, of `look` where it is to be the same as another one's."""
    rng = np.random.default_rng(number if look is None else look)
    return Frame(number, number / 10, rng.integers(0, 255, (SIZE[1], SIZE[0], 3), np.uint8))


def session(folder: Path, number: int = 1) -> Path:
    path = folder / "evidence" / str(number)
    path.mkdir(parents=True)
    return path


def on_disk(folder: Path) -> int:
    return sum(path.stat().st_size for path in (folder / "evidence").rglob("*") if path.is_file())


def seconds(folder: Path) -> float:
    """How much time the pictures that are left tell of."""
    files = sorted((folder / "evidence").rglob("*.jsonl"))
    return sum((frames := read_tracks(path))[-1].t - frames[0].t for path in files if path.stat().st_size)


def test_so_many_minutes_are_kept_and_no_more(tmp_path: Path, figures: dict[str, Figure]) -> None:
    path = session(tmp_path)
    buffer = RingBuffer(path, SIZE, 10.0, Limits(minutes=0.1))
    for number in range(300):
        buffer.write(picture(number, number % 3), tracked(number, figures))
        assert 0.8 * len(list(path.glob("*.mp4"))) <= 6.0 + 0.8, "at any time"
    buffer.close()
    frames = [frame for file in sorted(path.glob("*.jsonl")) for frame in read_tracks(file)]
    assert frames[-1].frame == 299, "the newest picture is there"
    assert 4.5 <= frames[-1].t - frames[0].t <= 6.0
    assert [frame.frame for frame in frames] == list(range(frames[0].frame, 300)), (
        "nothing in between is missing"
    )


def test_so_much_room_is_taken_and_no_more(tmp_path: Path, figures: dict[str, Figure]) -> None:
    buffer = RingBuffer(session(tmp_path), SIZE, 10.0, Limits(megabytes=0.4))
    largest = 0
    for number in range(400):
        buffer.write(picture(number), tracked(number, figures))
        largest = max(largest, on_disk(tmp_path))
    buffer.close()
    assert on_disk(tmp_path) <= 400_000
    assert 200_000 < largest <= 400_000, "the room is used, and never more of it"


def test_the_oldest_session_goes_first(tmp_path: Path, figures: dict[str, Figure]) -> None:
    for number in (9, 10):
        buffer = RingBuffer(session(tmp_path, number), SIZE, 10.0, Limits(minutes=0.1))
        for one in range(40):
            buffer.write(picture(one, one % 3), tracked(one, figures))
        buffer.close()
    left = {path.parent.name: len(list(path.parent.glob("*.mp4"))) for path in tmp_path.rglob("*.mp4")}
    assert left["9"] < left["10"]
    assert 3.0 <= seconds(tmp_path) <= 6.0


def test_every_file_tells_everything_by_itself(tmp_path: Path, figures: dict[str, Figure]) -> None:
    """A tracker tells an outline only when it changes; a file whose forerunner is gone still has it."""
    path = session(tmp_path)
    buffer = RingBuffer(path, SIZE, 10.0, Limits(minutes=1.0))
    for number in range(200):
        frame = tracked(number, figures)
        if number:
            frame = TrackFrame(
                frame.frame,
                frame.t,
                {id_: replace(track, outline=None) for id_, track in frame.fighters.items()},
            )
        buffer.write(picture(number, number % 3), frame)
    buffer.close()
    files = sorted(path.glob("*.jsonl"))
    assert len(files) > 2
    for file in files:
        first = read_tracks(file)[0]
        assert all(track.outline is not None and track.error for track in first.fighters.values())


def test_each_picture_has_its_line(tmp_path: Path, figures: dict[str, Figure]) -> None:
    path = session(tmp_path)
    buffer = RingBuffer(path, SIZE, 10.0, Limits())
    for number in range(130):
        shade = np.full((SIZE[1], SIZE[0], 3), number * 29 % 256, np.uint8)
        buffer.write(Frame(number, number / 10, shade), tracked(number, figures))
    buffer.close()
    for file in sorted(path.glob("*.mp4")):
        lines = read_tracks(file.with_suffix(".jsonl"))
        with open_source(str(file)) as source:
            shown = [float(frame.image.mean()) for frame in source]
        assert shown == pytest.approx([line.frame * 29 % 256 for line in lines], abs=4)


def test_a_still_table_costs_five_pictures_a_second_and_a_cut_off_file_loses_none(
    tmp_path: Path, figures: dict[str, Figure]
) -> None:
    path = session(tmp_path)
    buffer = RingBuffer(path, SIZE, 10.0, Limits())
    for number in range(20):
        buffer.write(picture(number, 0), tracked(number, figures))
    with open_source(str(path / "000000.mp4")) as source:
        assert len(list(source)) >= 9, "before the file is finished"
    buffer.close()
    assert [line.frame for line in read_tracks(path / "000000.jsonl")] == list(range(0, 20, 2))


def test_a_jpeg_of_the_camera_is_kept_as_it_came(tmp_path: Path, figures: dict[str, Figure]) -> None:
    path = session(tmp_path)
    buffer = RingBuffer(path, SIZE, 10.0, Limits())
    sent = [
        bytes(cv2.imencode(".jpg", picture(n).image, [cv2.IMWRITE_JPEG_QUALITY, 40])[1]) for n in range(5)
    ]
    for number, jpeg in enumerate(sent):
        buffer.write(replace(picture(number), sent=jpeg), tracked(number, figures))
    buffer.close()
    with av.open(str(path / "000000.mp4")) as file:
        assert [bytes(packet) for packet in file.demux() if packet.size] == sent


def test_a_disk_that_fails_stops_the_pictures_and_nothing_else(
    tmp_path: Path, figures: dict[str, Figure], monkeypatch: pytest.MonkeyPatch
) -> None:
    recorder = Recorder(RingBuffer(session(tmp_path), SIZE, 10.0, Limits()))

    def broken(self: object, frame: TrackFrame) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("vision.tracks_file.TracksWriter.write", broken)
    monkeypatch.setattr("shutil.disk_usage", lambda _: SimpleNamespace(free=10**9))
    for number in range(30):
        recorder.offer(picture(number), tracked(number, figures))
    recorder.close()
    assert recorder.problem is not None
    assert recorder.problem.key == "error.recording"
