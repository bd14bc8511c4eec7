from __future__ import annotations

import json
import shutil
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from overlay.i18n import translate
from palmo.demo_files import DEMO_CLIP, DEMO_EVENT
from palmo.errors import PalmoError
from palmo.live.buffer import Limits
from palmo.live.folder import MatchFolder
from palmo.review.evidence import open_evidence
from palmo.review.setup_file import load_setup, sessions
from palmo.workbench import open_workbench
from rules.text import Text
from tests.palmo.review.conftest import FRAMES
from vision.sources.open import open_source
from vision.tracks_file import read_tracks


def test_a_clip_becomes_evidence_that_needs_nothing_else(folder: Path, short_clip: Path) -> None:
    session = folder / "evidence" / "1"
    assert (session / "000000.mp4").read_bytes() == short_clip.read_bytes()
    assert (session / "event.toml").read_bytes() == DEMO_EVENT.read_bytes()
    evidence = open_evidence(folder)
    assert len(evidence.frames) == len(evidence.pictures) == FRAMES
    assert [fighter.id for fighter in evidence.setup.event.fighter] == ["F1", "F2", "F3", "F4", "F5", "F6"]
    assert all(track.outline for track in evidence.frames[-1].fighters.values())
    assert "/" not in evidence.setup.source


def test_the_calibration_that_is_kept_measures_like_the_one_of_the_match(
    folder: Path, short_clip: Path
) -> None:
    kept = load_setup(folder / "evidence" / "1").calibration
    with open_workbench(str(short_clip), DEMO_EVENT) as bench:
        match = bench.calibration
    pixels = np.array([[500.0, 300.0], [800.0, 500.0]])
    for one, other in zip(kept.plane_points(pixels, 3.0), match.plane_points(pixels, 3.0), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-9)


@pytest.mark.parametrize("what", ["camera", "event"])
def test_evidence_that_was_changed_is_refused(folder: Path, what: str) -> None:
    session = folder / "evidence" / "1"
    if what == "event":
        path = session / "event.toml"
        path.write_text(path.read_text().replace("palm_cm = 20.5", "palm_cm = 29.5"))
    else:
        path = session / "setup.json"
        data = json.loads(path.read_text())
        data["calibration"]["values"][3] += 0.5
        path.write_text(json.dumps(data))
    with pytest.raises(PalmoError, match="was changed after the match"):
        open_evidence(folder)


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"format": 1', "\x00"])
def test_a_set_up_that_is_none_is_one_sentence(folder: Path, content: str) -> None:
    path = folder / "evidence" / "1" / "setup.json"
    path.write_text(content)
    with pytest.raises(PalmoError, match="not the set-up"):
        open_evidence(folder)


def test_a_folder_without_evidence_says_where_to_get_some(tmp_path: Path) -> None:
    with pytest.raises(PalmoError, match="palmo live"):
        open_evidence(tmp_path)


def test_a_session_that_is_not_there_names_those_that_are(folder: Path) -> None:
    with pytest.raises(PalmoError, match="there are 1"):
        open_evidence(folder, 3)


def test_the_newest_session_with_pictures_is_opened(folder: Path) -> None:
    under = folder / "evidence"
    shutil.copytree(under / "1", under / "10")
    shutil.copytree(under / "1", under / "11")
    for path in (under / "11").glob("0*"):
        path.unlink()
    assert open_evidence(folder).folder.name == "10"
    assert open_evidence(folder, 1).folder.name == "1"


def test_a_file_that_was_cut_off_gives_what_is_whole(folder: Path) -> None:
    video = folder / "evidence" / "1" / "000000.mp4"
    data = video.read_bytes()
    video.write_bytes(data[: len(data) // 2])
    evidence = open_evidence(folder)
    assert 5 < len(evidence.frames) < FRAMES
    assert evidence.pictures.picture(len(evidence.frames) - 1).shape == (720, 1280, 3)


def test_pictures_come_by_number_whatever_the_order(folder: Path, short_clip: Path) -> None:
    pictures = open_evidence(folder).pictures
    with open_source(str(short_clip)) as source:
        shown = {frame.index: frame.image for frame in source}
    for number in (40, 3, 4, 2, 44, 0, 31):
        np.testing.assert_array_equal(pictures.picture(number), shown[number])
    with pytest.raises(IndexError):
        pictures.picture(FRAMES)


@pytest.mark.slow
def test_what_the_live_loop_keeps_is_what_it_saw(tmp_path: Path) -> None:
    """Two files, a gap in the frame numbers and a remark, read back as they were written."""
    folder = MatchFolder(tmp_path)
    with open_workbench(str(DEMO_CLIP), DEMO_EVENT) as bench:
        folder.keep(bench, Limits(minutes=0.5), entries=4)
        pipeline = bench.pipeline()
        shown = {}
        for frame in islice(bench.frames(), 60):
            if frame.index % 7:
                tracked = pipeline.update(frame)
                folder.write(frame, tracked)
                shown[frame.index] = frame.image
        folder.remark(Text("live.gap", {"t": 2.0}), 2.0)
    folder.close()
    evidence = open_evidence(tmp_path)
    assert len(list(evidence.folder.glob("*.mp4"))) > 1
    assert evidence.setup.entries == 4
    assert [remark.text for remark in evidence.remarks] == [Text("live.gap", {"t": 2.0})]
    whole = read_tracks(tmp_path / "tracks.jsonl")
    told = {frame.frame: frame for frame in whole}
    assert evidence.frames[0].frame == whole[0].frame
    # While nobody moves a picture is left out here and there, never two in a row.
    assert max(np.diff([whole.index(told[frame.frame]) for frame in evidence.frames])) <= 2
    assert len(evidence.frames) > 0.8 * len(whole)
    for number in (0, 20, len(evidence.frames) - 1):
        kept, seen = evidence.pictures.picture(number), shown[evidence.frames[number].frame]
        assert np.abs(kept.astype(int) - seen).mean() < 6, "the picture of that very frame"
        frame = evidence.frames[number]
        assert frame.fighters["F1"].x == told[frame.frame].fighters["F1"].x


def changed(folder: Path, *keys: str, value: object) -> None:
    path = folder / "evidence" / "1" / "setup.json"
    data = inner = json.loads(path.read_text(encoding="utf-8"))
    for key in keys[:-1]:
        inner = inner[key]
    inner[keys[-1]] = value
    path.write_text(json.dumps(data), encoding="utf-8")


@pytest.mark.parametrize(
    ("keys", "value"),
    [
        (("entries",), float("inf")),
        (("entries",), "many"),
        (("calibration", "covariance"), [[1.0, 2.0], [3.0, 4.0]]),
        (("calibration", "covariance"), [[float("nan")]]),
        (("calibration", "camera"), None),
        (("colours",), ["#000000"]),
        (("ring_warning",), 7),
    ],
)
def test_a_set_up_that_cannot_be_what_was_kept_is_refused(
    folder: Path, keys: tuple[str, ...], value: object
) -> None:
    changed(folder, *keys, value=value)
    with pytest.raises(PalmoError, match=r"setup\.json"):
        open_evidence(folder)


def test_negative_variances_are_no_calibration(folder: Path) -> None:
    data = json.loads((folder / "evidence" / "1" / "setup.json").read_text(encoding="utf-8"))
    rows = [[-value for value in row] for row in data["calibration"]["covariance"]]
    changed(folder, "calibration", "covariance", value=rows)
    with pytest.raises(PalmoError, match="was changed after the match"):
        open_evidence(folder)


def test_a_set_up_nested_beyond_reason_is_refused(folder: Path) -> None:
    (folder / "evidence" / "1" / "setup.json").write_text("[" * 100_000, encoding="utf-8")
    with pytest.raises(PalmoError, match=r"setup\.json"):
        open_evidence(folder)


def test_remarks_that_are_no_text_and_folders_with_odd_names_are_left_out(folder: Path) -> None:
    session = folder / "evidence" / "1"
    remark = json.dumps({"t": 1.0, "text": {"key": "live.gap", "values": {"t": 1.0}}}).encode()
    (session / "remarks.jsonl").write_bytes(b"\xff\xfe\n" + b"[" * 100_000 + b"\n" + remark + b"\n")
    for name in ("\u00b2", "\u0663", "0007"):
        shutil.copytree(session, folder / "evidence" / name)
    assert sessions(folder) == [1]
    assert [one.text.key for one in open_evidence(folder).remarks] == ["live.gap"]


def test_a_file_that_cannot_be_read_is_left_out_and_said_so(folder: Path) -> None:
    session = folder / "evidence" / "1"
    whole = open_evidence(folder)
    for ending in (".mp4", ".jsonl"):
        shutil.copy(session / f"000000{ending}", session / f"000001{ending}")
    torn = session / "000001.jsonl"
    torn.write_bytes(torn.read_bytes()[:3000])
    left = open_evidence(folder)
    assert len(left.frames) == len(whole.frames)
    (said,) = [translate(one.text, "en") for one in left.remarks if one.text.key == "review.left_out"]
    assert said.startswith("000001.jsonl is left out")
    torn.unlink()
    (said,) = [translate(one.text, "en") for one in open_evidence(folder).remarks if one.t is None]
    assert said == "000001.mp4 is left out: its file of positions is not there"
    shutil.copy(session / "000000.jsonl", torn)
    (session / "000001.mp4").write_bytes(b"no video" * 999)
    (said,) = [translate(one.text, "en") for one in open_evidence(folder).remarks if one.t is None]
    assert said == "000001.mp4 is left out: no picture of it can be read"


def test_the_only_file_there_is_has_to_be_readable(folder: Path) -> None:
    torn = folder / "evidence" / "1" / "000000.jsonl"
    torn.write_bytes(torn.read_bytes()[:3000])
    with pytest.raises(PalmoError, match="line 1"):
        open_evidence(folder)
