"""What is written never takes the place of what was given, nor of an earlier file before it is whole."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from palmo.errors import PalmoError
from palmo.outputs import keep_apart, replacing


@pytest.fixture
def clip(tmp_path: Path) -> Path:
    path = tmp_path / "clip.mp4"
    path.write_text("clip")
    return path


def test_an_output_that_is_an_input_is_refused(clip: Path) -> None:
    with pytest.raises(PalmoError, match=r"--out .*clip\.mp4 is the clip itself"):
        keep_apart({"clip": str(clip)}, {"--out": clip, "--video": None})


def test_an_input_behind_links_is_seen(clip: Path, tmp_path: Path) -> None:
    (tmp_path / "soft").symlink_to(clip)
    (tmp_path / "hard").hardlink_to(clip)
    for name in ("soft", "hard", "../" + tmp_path.name + "/clip.mp4"):
        with pytest.raises(PalmoError, match="is the clip itself"):
            keep_apart({"clip": str(clip)}, {"--out": tmp_path / name})


def test_two_outputs_in_one_file_are_refused(clip: Path, tmp_path: Path) -> None:
    same = tmp_path / "x" / ".." / "new.mp4"
    with pytest.raises(PalmoError, match="--out and --video are the same file"):
        keep_apart({"clip": clip}, {"--out": tmp_path / "new.mp4", "--video": same})


def test_a_folder_is_no_output_and_a_source_folder_takes_no_pictures(clip: Path, tmp_path: Path) -> None:
    with pytest.raises(PalmoError, match="is a folder"):
        keep_apart({"clip": clip}, {"--out": tmp_path})
    with pytest.raises(PalmoError, match="among the pictures of the clip"):
        keep_apart({"clip": tmp_path}, {"--picture": tmp_path / "new.png"})


def test_other_files_and_sources_that_are_no_files_are_fine(clip: Path, tmp_path: Path) -> None:
    for source in (clip, "0", "http://127.0.0.1/x", "a\0b", ""):
        keep_apart({"source": source}, {"--out": tmp_path / "new", "--video": None})


def test_an_earlier_file_stays_until_the_new_one_is_whole(clip: Path, tmp_path: Path) -> None:
    def stopped() -> None:
        with replacing(clip) as place:
            place.write_text("half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        stopped()
    assert clip.read_text() == "clip"
    clip.chmod(0o640)
    with replacing(clip) as place:
        place.write_text("whole")
        assert clip.read_text() == "clip"
    assert clip.read_text() == "whole"
    assert clip.stat().st_mode & 0o777 == 0o640
    assert [path.name for path in tmp_path.iterdir()] == ["clip.mp4"]


def test_a_link_stays_a_link_and_a_device_a_device(clip: Path, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(clip)
    with replacing(link) as place:
        place.write_text("new")
    assert link.is_symlink()
    assert clip.read_text() == "new"
    with replacing(Path(os.devnull)) as place:
        assert place == Path(os.devnull)


def test_none_of_several_photos_is_overwritten(tmp_path: Path) -> None:
    photos = [str(tmp_path / name / "photo.png") for name in ("a", "b")]
    for photo in photos:
        Path(photo).parent.mkdir()
        Path(photo).write_bytes(b"picture")
        with pytest.raises(PalmoError, match=r"photo\.png"):
            keep_apart({"source": photos}, {"--picture": Path(photo)})
    keep_apart({"source": photos}, {"--picture": tmp_path / "new.png"})
    # nor is one of a folder of them
    with pytest.raises(PalmoError, match="--picture"):
        keep_apart({"source": [str(tmp_path / "a"), photos[1]]}, {"--picture": tmp_path / "a" / "1.png"})
