"""Clips and folders: exact frames, and what is missing or does not fit is left out and said."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision.sources.made import (
    COUNT,
    number_of,
    picture,
    write_folder,
    write_video,
)
from vision.sources.open import open_source


def test_file_frames_are_exact_and_carry_their_own_time_stamps(tmp_path: Path) -> None:
    with open_source(str(write_video(tmp_path / "clip.mp4"))) as source:
        frames = list(source)
    assert [number_of(frame.image) for frame in frames] == list(range(COUNT))
    assert [frame.t for frame in frames] == pytest.approx([n / 25 for n in range(COUNT)])
    assert source.fps == pytest.approx(25.0)


def test_a_folder_counts_ten_after_nine(tmp_path: Path) -> None:
    with open_source(str(write_folder(tmp_path / "pictures"))) as source:
        assert [number_of(frame.image) for frame in source] == list(range(COUNT))


def test_a_single_picture_is_a_source_of_one_frame(tmp_path: Path) -> None:
    path = tmp_path / "table.jpg"
    cv2.imwrite(str(path), picture(7))
    with open_source(str(path)) as source:
        assert [frame.index for frame in source] == [0]


def test_a_truncated_clip_delivers_what_it_has_and_says_how_much(tmp_path: Path) -> None:
    whole = write_video(tmp_path / "whole.mp4", 60, movflags="faststart").read_bytes()
    path = tmp_path / "cut.mp4"
    path.write_bytes(whole[: int(len(whole) * 0.8)])
    with open_source(str(path)) as source:
        frames = list(source)
    assert 1 < len(frames) < 60
    assert [frame.index for frame in frames] == list(range(len(frames)))
    assert source.warnings == [f"{path}: the clip breaks off; {len(frames)} of 60 frames could be read"]


def test_pictures_that_do_not_fit_into_a_folder_are_left_out_named_and_a_gap(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "pictures", 8)
    (folder / "img2.png").write_text("no picture")
    cv2.imwrite(str(folder / "img5.png"), np.zeros((10, 10, 3), np.uint8))
    (folder / "img6.png").write_text("")
    with open_source(str(folder)) as source:
        frames = list(source)
    assert [number_of(frame.image) for frame in frames] == [0, 1, 3, 4, 7]
    assert [frame.index for frame in frames] == list(range(5))
    assert [frame.t for frame in frames] == pytest.approx([0.0, 0.1, 0.3, 0.4, 0.7])
    assert [frame.gap for frame in frames] == [False, False, True, False, True]
    first, second = source.warnings
    assert first == f"{folder / 'img2.png'}: it cannot be read; it was left out"
    assert "img5.png: it has 10 x 10 px instead of 96 x 64" in second
    assert second.endswith("it was left out (and 1 more after it)")


def test_a_folder_that_begins_with_a_bad_picture_begins_at_the_next(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "pictures", 3)
    (folder / "img0.png").write_text("no picture")
    with open_source(str(folder)) as source:
        frames = list(source)
    assert [(frame.index, frame.gap) for frame in frames] == [(0, False), (1, False)]
    assert len(source.warnings) == 1


def test_frames_of_another_size_within_a_clip_are_left_out_as_a_gap(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_source(str(write_video(tmp_path / "clip.mp4"))) as source:
        fits = iter([True] * 4 + [False] * 3 + [True] * (COUNT - 7))
        monkeypatch.setattr(source, "_fits", lambda image: next(fits))
        frames = list(source)
    assert [frame.index for frame in frames] == list(range(COUNT - 3))
    assert [frame.index for frame in frames if frame.gap] == [4]
    assert frames[4].t == pytest.approx(7 / 25)
    assert "after frame 3 come frames of" in source.warnings[0]
