"""`palmo calibrate lens` on photos, recordings and cameras: report, picture, block, event file, refusals."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.boards import Board
from calibration.intrinsics import Intrinsics
from palmo.calibrating import views as collecting
from palmo.cli import run
from palmo.convert import intrinsics
from palmo.event import load_event
from tests.calibration.board_pictures import photographed, poses, webcam
from tests.palmo.conftest import EVENT
from vision.sources.frames import Frame, FrameSource

BOARD = Board()


@pytest.fixture(scope="module")
def photos(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("photos")
    for number, pose in enumerate(poses(BOARD, 10)):
        cv2.imwrite(str(folder / f"{number}.png"), photographed(BOARD, webcam(), *pose, seed=number))
    cv2.imwrite(str(folder / "nothing.png"), np.full((480, 640), 90, np.uint8))
    smaller = cv2.resize(photographed(BOARD, webcam(), *poses(BOARD, 1)[0]), (600, 450))
    cv2.imwrite(str(folder / "smaller.png"), smaller)
    (folder / "broken.png").write_bytes(b"no picture")
    return folder


def test_photos_become_a_lens_a_picture_and_a_report(
    photos: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sheet = tmp_path / "lens.png"
    assert run(["calibrate", "lens", str(photos), "--json", "--picture", str(sheet)]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["verdict"] in ("good", "usable")
    assert np.allclose(report["K"], webcam().K, atol=2.5)
    assert {(one["name"], one["why"]) for one in report["not_used"]} >= {
        ("nothing.png", "no_board"),
        ("smaller.png", "size"),
        ("broken.png", "unread"),
    }
    assert np.linalg.eigvalsh(report["covariance"])[0] > 0
    image = cv2.imread(str(sheet))
    assert image is not None
    assert image.shape[1] > 1200
    assert image.std() > 20


def test_the_lens_is_written_into_the_event_file_and_nothing_else_changes(
    photos: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    event = tmp_path / "event.toml"
    event.write_text("# our table\n" + EVENT, encoding="utf-8")
    for _ in range(2):
        assert run(["calibrate", "lens", str(photos), "--event", str(event), "--lang", "es"]) == 0
    assert "BIEN" in (said := capsys.readouterr().out) or "SIRVE" in said
    text = event.read_text(encoding="utf-8")
    assert text.count("[camera]") == 1
    block = text[text.index("[camera]") : text.index("# our table")]
    assert text.replace(block, "") == "# our table\n" + EVENT
    lens = intrinsics(load_event(event))
    assert isinstance(lens, Intrinsics)
    assert lens.size == (640, 480)
    assert lens.covariance is not None
    assert np.allclose(lens.K, webcam().K, atol=2.5)


def test_the_printed_block_can_be_pasted(photos: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["calibrate", "lens", str(photos), "--lang", "en"]) == 0
    out = capsys.readouterr().out
    assert "nothing.png" in out
    block = tomllib.loads(out[out.index("[camera]") :])["camera"]
    assert len(block["covariance"]) == 9
    assert block["size"] == [640, 480]


class Film(FrameSource):
    """Pictures as a recording or a camera gives them: every pose held for four pictures, then a swing."""

    def __init__(self, live: bool) -> None:
        super().__init__("film")
        self.live = live
        self.size = (640, 480)

    def _frames(self) -> Iterator[Frame]:
        t = 0.0
        for number, (rvec, tvec) in enumerate(poses(BOARD, 8)):
            still = cv2.cvtColor(photographed(BOARD, webcam(), rvec, tvec, seed=number), cv2.COLOR_GRAY2BGR)
            for _ in range(4):
                yield Frame(round(t * 10), t, np.asarray(still, np.uint8))
                t += 0.1
            swing = photographed(BOARD, webcam(), rvec, tvec + np.array([2.5, 0.0, 0.0]), seed=number)
            after = photographed(BOARD, webcam(), rvec, tvec + np.array([3.5, 0.0, 0.0]), seed=number)
            for image in (swing, after):
                colour = np.asarray(cv2.cvtColor(image, cv2.COLOR_GRAY2BGR), np.uint8)
                yield Frame(round(t * 10), t + 0.3, colour)
            t += 0.4


@pytest.mark.parametrize("live", [False, True])
def test_a_film_gives_a_view_for_every_place_the_board_was_held_still_at(
    live: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(collecting, "open_source", lambda _: Film(live))
    told: list[int] = []
    found = collecting.collect(["0"], BOARD, 60.0, lambda so_far: told.append(len(so_far.views)))
    assert len(found.views) == 8
    assert found.counts["moving"] >= 3
    assert told == (list(range(1, 9)) if live else [])
    assert found.coverage.share > 0.3


def test_a_camera_that_never_sees_the_board_ends_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    class Nothing(FrameSource):
        live = True

        def _frames(self) -> Iterator[Frame]:
            number = 0
            while True:
                yield Frame(number, number / 2, np.full((480, 640, 3), 80, np.uint8))
                number += 1

    monkeypatch.setattr(collecting, "open_source", lambda _: Nothing("nothing"))
    found = collecting.collect(["0"], BOARD, 0.3, lambda _: None)
    assert found.views == []
    assert found.counts["no_board"] >= 1


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--board", "dartboard"], "there is no such board"),
        (["--squares", "many"], "how many squares"),
        (["--squares", "10x1"], "between 3 and 40"),
        (["--square-mm", "0"], "measure the side of a square"),
        (["--board", "chessboard", "--squares", "5x5"], "pictures show the board well enough"),
    ],
)
def test_what_cannot_be_is_one_sentence(
    photos: Path, arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["calibrate", "lens", str(photos / "nothing.png"), *arguments, "--lang", "en"]) == 2
    assert told in (said := capsys.readouterr().err)
    assert len(said.splitlines()) == 1


def test_an_event_file_that_is_not_there_is_said_before_any_work(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    missing = tmp_path / "none.toml"
    assert run(["calibrate", "lens", "nowhere.png", "--event", str(missing)]) == 2
    assert "none.toml" in capsys.readouterr().err


def test_the_same_photo_again_and_again_is_one_view(
    photos: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for number in range(9):
        (tmp_path / f"{number}.png").write_bytes((photos / "0.png").read_bytes())
    assert run(["calibrate", "lens", str(tmp_path), "--lang", "en"]) == 2
    said = " ".join(capsys.readouterr().err.split())
    assert "only 1 pictures" in said
    assert "8 (hardly other than a view already used)" in said


def test_too_few_views_are_refused_with_the_reasons_of_the_others(
    photos: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("0.png", "1.png", "nothing.png", "broken.png"):
        (tmp_path / name).write_bytes((photos / name).read_bytes())
    cv2.imwrite(str(tmp_path / "strip.png"), np.full((3, 5000), 90, np.uint8))
    assert run(["calibrate", "lens", str(tmp_path), "--lang", "en"]) == 2
    said = " ".join(capsys.readouterr().err.split())
    assert "only 2 pictures" in said
    assert "2 (no whole board was found in it)" in said
    assert "1 (it cannot be read as a picture)" in said
