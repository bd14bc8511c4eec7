"""`palmo calibrate palm`: from pictures of a hand on the mat to the player's numbers in the event file."""

from __future__ import annotations

import json
import os
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.palm import HEIGHTS_CM
from calibration.solve import calibrate
from palmo.calibrating import palms
from palmo.cli import run
from palmo.convert import ring_spec
from palmo.demo_files import DEMO_CLIP, DEMO_EVENT
from palmo.event import load_event
from palmo.pictures import first_picture, write_picture
from vision.arrays import Image

RING = calibrate(ring_spec(load_event(DEMO_EVENT)), (1280, 720), image=first_picture(str(DEMO_CLIP)))


@pytest.fixture
def event(tmp_path: Path) -> Path:
    path = tmp_path / "event.toml"
    path.write_text(DEMO_EVENT.read_text(encoding="utf-8"), encoding="utf-8")
    return path


def tips(place: tuple[float, float], length: float, kind: str = "open") -> list[str]:
    heights = HEIGHTS_CM["open" if kind == "open" else "closed"]
    points = np.array(
        [[place[0] - length / 2, place[1], heights[0]], [place[0] + length / 2, place[1], heights[1]]]
    )
    return [part for u, v in RING.camera.project(points) for part in ("--tip", f"{u:.2f},{v:.2f}")]


def test_two_points_per_picture_become_the_players_palm(
    event: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line = ["calibrate", "palm", "-e", str(event), "--player", "leo"]
    photos = [part for _ in range(3) for part in ("--photo", str(DEMO_CLIP))]
    drawn = event.with_name("palm.png")
    ends = tips((0, 0), 18.3) + tips((10, -8), 18.5) + tips((-12, 10), 18.7)
    assert run([*line, *photos, *ends, "--json", "--picture", str(drawn)]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["cm"] == pytest.approx(18.5, abs=0.05)
    assert report["scatter_cm"] == pytest.approx(0.2, abs=0.05)
    assert [one["by"] for one in report["placements"]] == ["tips"] * 3
    assert cv2.imread(str(drawn)) is not None
    assert (
        run([*line, "--photo", str(DEMO_CLIP), *tips((0, 0), 7.9, "closed"), "--closed", "--lang", "es"]) == 0
    )
    assert "Medio palmo de leo: 7,9" in capsys.readouterr().out
    leo = next(player for player in load_event(event).player if player.id == "leo")
    assert leo.palm_cm == pytest.approx(18.5, abs=0.05)
    assert leo.half_palm_cm == pytest.approx(7.9, abs=0.05)
    assert 0.2 < leo.palm_sd_cm < 0.5
    assert event.read_text().count("\n") == DEMO_EVENT.read_text().count("\n")


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (["--player", "nobody", *tips((0, 0), 18.0)], "no player nobody"),
        (["--player", "leo", *tips((0, 0), 18.0)[:2]], "ends pointed at: 1, pictures: 1;"),
        (["--player", "", *tips((0, 0), 18.0)], "whose hand it is"),
        (["--player", " ", *tips((0, 0), 18.0)], "whose hand it is"),
        (["--player", "leo", *tips((0, 0), 5.0)], "a hand measures 10 to 30"),
        (["--player", "leo", *tips((0, 0), 12.5)], "half open"),
        (["--player", "leo", "--tip", "a,b", "--tip", "1,2"], "give a point"),
    ],
)
def test_what_cannot_be_is_refused_and_nothing_is_written(
    event: Path, more: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    before = event.read_text()
    assert run(["calibrate", "palm", "-e", str(event), "--photo", str(DEMO_CLIP), *more, "--lang", "en"]) == 2
    assert told in capsys.readouterr().err
    assert event.read_text() == before


def laid_on_the_mat(middle: tuple[float, float], span_cm: float) -> Image:
    """The bundled table with a real hand of a known span on its mat, seen at the height of a hand's edges."""
    root = os.environ.get("PALMO_DATA")
    if root is None or not (Path(root) / "real" / "c_hands").is_dir():
        pytest.skip("PALMO_DATA with the photographs of hands is not set")
    folder = Path(root) / "real" / "c_hands" / "tfjs_hands"
    hand = cv2.imread(str(folder / "hands.jpg"))
    assert hand is not None
    hand = hand[:, :360]
    labelled = json.loads((folder / "GROUND_TRUTH.json").read_text())["images"]["hands.jpg"]["tips_by_hand"][
        0
    ]
    px = np.linalg.norm(np.subtract(labelled["thumb_tip_px"], labelled["little_finger_tip_px"]))
    corners = np.array([[0, 0], [360, 0], [360, 382], [0, 382]], np.float32)
    flat = (corners - corners.mean(axis=0)) * [1, -1] * span_cm / px + np.array(middle)
    height = float(np.mean(HEIGHTS_CM["open"]))
    there = RING.camera.project(np.column_stack([flat, np.full(4, height)])).astype(np.float32)
    warp = cv2.getPerspectiveTransform(corners, there)
    table = first_picture(str(DEMO_CLIP)).copy()
    skin = cv2.warpPerspective(hand, warp, (1280, 720), flags=cv2.INTER_AREA, borderValue=(255, 255, 255))
    inside = (skin.min(axis=2) < 225)[..., None]
    return np.asarray(np.where(inside, skin, table), np.uint8)


def test_a_hand_on_the_mat_is_found_and_measured_without_pointing(
    event: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    photos = []
    for number, middle in enumerate([(2.0, 1.0), (-8.0, -4.0)]):
        path = event.with_name(f"hand{number}.png")
        write_picture(path, laid_on_the_mat(middle, 19.5))
        photos += ["--photo", str(path)]
    line = ["calibrate", "palm", "-e", str(event), "--player", "ana", *photos]
    assert run([*line, "--json", "--dry", "--picture", str(event.with_name("found.png"))]) == 0
    report = json.loads(capsys.readouterr().out)
    assert [one["by"] for one in report["placements"]] == ["marks", "marks"]
    assert report["hand"] == "left"
    assert report["cm"] == pytest.approx(19.5, abs=0.45)
    assert event.read_text() == DEMO_EVENT.read_text()
    assert run([*line[:-2], "--closed", "--lang", "es"]) == 2
    assert "la mano está abierta: junta los dedos" in capsys.readouterr().err


def test_an_empty_mat_says_how_to_point(event: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        run(
            [
                "calibrate",
                "palm",
                "-e",
                str(event),
                "--player",
                "ana",
                "--photo",
                str(DEMO_CLIP),
                "--lang",
                "en",
            ]
        )
        == 2
    )
    assert "--tip u,v --tip u,v" in capsys.readouterr().err


def test_without_landmarks_the_outline_is_measured(
    event: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(palms, "find_hand", lambda *_: None)
    path = event.with_name("hand.png")
    write_picture(path, laid_on_the_mat((2.0, 1.0), 19.5))
    line = ["calibrate", "palm", "-e", str(event), "--player", "ana", "--photo", str(path), "--json", "--dry"]
    assert run(line) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["placements"][0]["by"] == "outline"
    assert report["hand"] is None
    assert report["cm"] == pytest.approx(19.5, abs=0.5)
