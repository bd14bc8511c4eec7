"""Points, rulings and evidence that were damaged: a sentence with the place, and nothing of them is used."""

from __future__ import annotations

import json
import shutil
import zipfile
from pathlib import Path

import pytest

from overlay.i18n import translate
from palmo.errors import PalmoError
from palmo.review.bundle import bundle
from palmo.review.corrections import REVIEW, Corrections
from palmo.review.desk import ReviewDesk
from palmo.review.evidence import open_evidence
from palmo.review.rulings import folder_of, rulings

POINT = {
    "point": 0, "session": 1, "fighter": "F1", "fragment": 3, "t": 1.5, "px": [400.0, 300.0], "sd_px": 2.0,
    "by": "Ana",
}  # fmt: skip
RULING = {
    "format": 1, "number": 1, "session": 1, "fighter": "F1", "before_t": 1.0, "after_t": 3.0, "player": None,
    "allow": 2.0, "decision": "within", "words": "", "by": "Ana",
}  # fmt: skip
NESTED = "[" * 100_000


@pytest.mark.parametrize(
    "line",
    [
        json.dumps(POINT | {"point": "x"}),
        json.dumps(POINT | {"px": [1.0]}),
        json.dumps(POINT | {"px": [1.0, float("nan")]}),
        json.dumps(POINT | {"t": None}),
        json.dumps(POINT | {"more": 1}),
        json.dumps(POINT | {"fragment": [1]}),
        "{}",
        "[1]",
        "7",
        NESTED,
    ],
)
def test_a_point_that_is_none_is_said_with_its_line(tmp_path: Path, line: str) -> None:
    (tmp_path / REVIEW).write_text(f"{json.dumps(POINT)}\n{line}\n", encoding="utf-8")
    with pytest.raises(PalmoError, match=f"{REVIEW}.*2"):
        Corrections(tmp_path)


def test_points_are_read_back_as_they_were_put(tmp_path: Path) -> None:
    (tmp_path / REVIEW).write_text(json.dumps(POINT) + "\n", encoding="utf-8")
    (point,) = Corrections(tmp_path).of(1)
    assert (point.px, point.fragment, point.t) == ((400.0, 300.0), 3, 1.5)


@pytest.mark.parametrize(
    "content",
    [
        json.dumps(RULING | {"number": "one"}),
        json.dumps(RULING | {"before_t": [1]}),
        json.dumps(RULING | {"after_t": float("inf")}),
        json.dumps(RULING | {"decision": "perhaps"}),
        json.dumps(RULING | {"fighter": None}),
        json.dumps(RULING | {"more": 1}),
        json.dumps(RULING | {"format": 2}),
        "[]",
        "",
        NESTED,
    ],
)
def test_a_ruling_that_is_none_is_said(tmp_path: Path, content: str) -> None:
    folder = folder_of(tmp_path, 1)
    folder.mkdir(parents=True)
    (folder / "ruling.json").write_text(content, encoding="utf-8")
    with pytest.raises(PalmoError, match=r"ruling\.json"):
        rulings(tmp_path)


def test_pictures_that_are_missing_in_the_middle_are_told_of(folder: Path) -> None:
    session = folder / "evidence" / "1"
    for ending in (".mp4", ".jsonl"):
        shutil.copy(session / f"000000{ending}", session / f"000001{ending}")
        shutil.copy(session / f"000000{ending}", session / f"000002{ending}")
    torn = session / "000001.jsonl"
    torn.write_bytes(b"")
    (said,) = [translate(one, "en") for one in open_evidence(folder).left_out]
    assert said == "000001.mp4 is left out: its file of positions is not there"
    # fewer pictures than positions
    lines = (session / "000000.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    last = json.loads(lines[-1])
    one_more = json.dumps(last | {"frame": last["frame"] + 1, "t": last["t"] + 0.1})
    torn.write_text("".join([*lines, one_more + "\n"]), encoding="utf-8")
    (said,) = [translate(one, "en") for one in open_evidence(folder).left_out]
    assert said == f"only {len(lines)} of the {len(lines) + 1} pictures of 000001.mp4 can be read"


def test_an_archive_says_what_of_its_evidence_is_damaged_and_follows_no_link_out_of_the_folder(
    folder: Path, tmp_path: Path
) -> None:
    session, secret = folder / "evidence" / "1", tmp_path / "secret"
    secret.write_text("nobody's business", encoding="utf-8")
    (session / "link").symlink_to(secret)
    out = tmp_path / "match.zip"
    assert not bundle(folder, out, whole=True).damage
    with zipfile.ZipFile(out) as archive:
        assert "evidence/1/setup.json" in archive.namelist()
        assert "evidence/1/link" not in archive.namelist()
    shutil.copy(session / "000000.mp4", session / "000001.mp4")
    (said,) = bundle(folder, out, whole=True).damage
    assert translate(said, "en").startswith("000001.mp4 is left out")


def test_a_set_up_of_another_format_is_not_read(folder: Path) -> None:
    setup = folder / "evidence" / "1" / "setup.json"
    data = json.loads(setup.read_text(encoding="utf-8"))
    setup.write_text(json.dumps(data | {"format": 99}), encoding="utf-8")
    with pytest.raises(PalmoError, match="format 99"):
        open_evidence(folder)


def test_a_match_log_that_is_gone_is_told_of(folder: Path) -> None:
    setup = folder / "evidence" / "1" / "setup.json"
    data = json.loads(setup.read_text(encoding="utf-8"))
    setup.write_text(json.dumps(data | {"live": True}), encoding="utf-8")
    (folder / "match.jsonl").unlink(missing_ok=True)
    desk = ReviewDesk(folder)
    assert "match.jsonl is not there" in translate(desk.remarks[-1], "en")
    desk.close()
