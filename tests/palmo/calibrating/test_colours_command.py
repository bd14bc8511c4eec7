"""`palmo calibrate colours`: alike figures are named before the match, and what would be mixed is drawn."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import cv2
import numpy as np
import pytest

from palmo.cli import run
from palmo.demo_files import DEMO_CLIP, DEMO_EVENT
from palmo.pictures import first_picture
from vision.arrays import Image


def repainted(image: Image, window: tuple[int, int, int, int]) -> Image:
    """The picture with the yellow figure in a window made of the red figure's very pixels."""
    u0, v0, u1, v1 = window
    part = image[v0:v1, u0:u1].astype(np.float64)
    yellow = (part[..., 2] > 1.5 * part[..., 0]) & (part[..., 1] > 1.4 * part[..., 0])
    reds = image[160:190, 447:470].reshape(-1, 3)
    reds = reds[reds[:, 2] > 2.0 * reds[:, 0]]
    copy = image.copy()
    copy[v0:v1, u0:u1][yellow] = np.random.default_rng(0).choice(reds, int(yellow.sum()))
    return copy


def test_the_bundled_clips_fighters_can_be_told_apart(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    drawn = tmp_path / "colours.png"
    line = [
        "calibrate",
        "colours",
        "-e",
        str(DEMO_EVENT),
        "-s",
        str(DEMO_CLIP),
        "--json",
        "--picture",
        str(drawn),
    ]
    assert run(line) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["verdict"] == "apart"
    assert all(one["pixels"] > 500 for one in report["fighters"].values())
    assert all(sum(one["taken_for"].values()) < 0.02 * one["pixels"] for one in report["fighters"].values())
    picture = cv2.imread(str(drawn))
    assert picture is not None
    assert picture.shape[1] == 1200


def test_two_figures_of_one_colour_are_named_drawn_and_a_finding(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    photo, drawn = tmp_path / "table.png", tmp_path / "colours.png"
    cv2.imwrite(str(photo), repainted(first_picture(str(DEMO_CLIP)), (770, 125, 890, 270)))
    line = ["calibrate", "colours", "-e", str(DEMO_EVENT), "-s", str(photo), "--picture", str(drawn)]
    assert run([*line, "--json"]) == 1
    report = json.loads(capsys.readouterr().out)
    worst = report["pairs"][0]
    assert {worst["fighter"], worst["other"]} == {"F1", "F2"}
    assert worst["verdict"] == "same"
    taken = report["fighters"]
    mixed = max(
        taken["F1"]["taken_for"]["F2"] / taken["F1"]["pixels"],
        taken["F2"]["taken_for"]["F1"] / taken["F2"]["pixels"],
    )
    assert mixed > 0.2
    assert run([*line, "--lang", "es"]) == 1
    said = capsys.readouterr().out
    assert said.splitlines()[0].startswith("El Santo de Barro y Mantequilla no se distinguen")
    assert "REPITE" in said


def test_a_fighters_colour_on_the_mat_is_not_called_good(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    photo = tmp_path / "table.png"
    picture = first_picture(str(DEMO_CLIP)).copy()
    # a card as red as the red figure
    picture[390:430, 620:660] = np.median(picture[165:185, 450:465].reshape(-1, 3), axis=0)
    cv2.imwrite(str(photo), picture)
    line = ["calibrate", "colours", "-e", str(DEMO_EVENT), "-s", str(photo)]
    assert run([*line, "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["verdict"] == "strays"
    assert run([*line, "--lang", "es"]) == 0
    assert "SIRVE, el color de 1 luchador" in capsys.readouterr().out


def test_pointing_at_a_fighter_writes_its_box(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    event = tmp_path / "event.toml"
    text = DEMO_EVENT.read_text(encoding="utf-8")
    event.write_text(text, encoding="utf-8")
    assert run(["calibrate", "colours", "-e", str(event), "-s", str(DEMO_CLIP), "--at", "F1=460.4,172"]) == 0
    assert tomllib.loads(event.read_text())["fighter"][0]["colour_box_px"] == [457, 169, 6, 6]
    capsys.readouterr()
    for given, told in (
        ("F9=1,2", "no fighter F9"),
        ("F1=here", "give a point"),
        ("F1=nan,2", "give a point"),
        ("F1", "give a fighter with its point"),
        ("=1,2", "give a fighter with its point"),
    ):
        assert run(["calibrate", "colours", "-e", str(event), "-s", str(DEMO_CLIP), "--at", given]) == 2
        assert told in capsys.readouterr().err


@pytest.mark.parametrize("place", ["0,0", "-5,3", "5000,100"])
def test_a_point_beside_the_picture_is_refused_and_the_event_file_stays(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], place: str
) -> None:
    event = tmp_path / "event.toml"
    event.write_bytes(DEMO_EVENT.read_bytes())
    asked = ["calibrate", "colours", "-s", str(DEMO_CLIP), "-e", str(event), "--at", f"F1={place}"]
    assert run([*asked, "--lang", "en"]) == 2
    said = capsys.readouterr().err
    assert "outside the picture" in " ".join(said.split())
    assert "Warning" not in said
    assert event.read_bytes() == DEMO_EVENT.read_bytes()


def test_the_event_file_is_not_touched_before_the_points_are_checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    event = tmp_path / "event.toml"
    event.write_bytes(DEMO_EVENT.read_bytes())
    writes: list[Path] = []
    monkeypatch.setattr("palmo.calibrating.pointing.rewrite", lambda path, _text: writes.append(path))
    asked = ["calibrate", "colours", "-e", str(event), "--at"]
    assert run([*asked, "F1=640,360", "-s", str(DEMO_CLIP)]) == 2
    assert run([*asked, "F1=460,172", "-s", str(tmp_path / "nowhere.mp4")]) == 2
    assert not writes
    assert run([*asked, "F1=460,172", "-s", str(DEMO_CLIP)]) == 0
    assert writes == [event]
