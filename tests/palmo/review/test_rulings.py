from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import cv2
import numpy as np
import pytest
from playwright.sync_api import Browser

from overlay.review.desk import Asked, Refused
from palmo.cli import run
from palmo.errors import PalmoError
from palmo.review.bundle import bundle, pathless
from palmo.review.desk import ReviewDesk
from palmo.review.facts import facts_of
from palmo.review.report import report
from palmo.review.rulings import load_ruling
from tests.overlay.browsing import needs_chromium
from tests.palmo.review.conftest import played

MOVE = Asked("F1", 10, 40)
WHY = "La mano tapaba el pie: se repite. <b>Ñ</b>"


@pytest.fixture(scope="module")
def ruled_match(original: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A match with a log, one point put by hand and a ruling; not to be changed."""
    folder = Path(shutil.copytree(original, tmp_path_factory.mktemp("ruled") / "match"))
    table = played(folder)
    table.answer(dict(ReviewDesk(folder).evidence.scene(40).figures), "camera", at=3.9)
    table.close()
    desk = ReviewDesk(folder)
    u, v = desk.measure(MOVE).foot[1]
    desk.put_point("F1", 40, (u + 2.0, v), "Ana")
    assert desk.rule(MOVE, "again", WHY, "Marta") == 1
    return folder


@pytest.fixture
def match(ruled_match: Path, tmp_path: Path) -> Path:
    """A copy of it for one test."""
    return Path(shutil.copytree(ruled_match, tmp_path / "ruled"))


@pytest.fixture
def ruled(match: Path) -> Path:
    """The folder of its ruling."""
    return match / "rulings" / "001"


@pytest.mark.slow
def test_a_report_is_the_same_bytes_in_another_process(ruled: Path, tmp_path: Path) -> None:
    """Somewhere else, at another time, with other hashes of strings and another language around it."""
    elsewhere = Path(shutil.copytree(ruled, tmp_path / "elsewhere" / "001"))
    code = (
        "import sys, hashlib; from pathlib import Path; from palmo.review.report import report;"
        "print(*(hashlib.sha256(report(Path(sys.argv[1]), kind, lang)).hexdigest()"
        " for kind in ('html', 'pdf') for lang in ('es', 'en')))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(elsewhere)],
        capture_output=True, text=True, check=True,
        env={"PYTHONHASHSEED": "77", "LANG": "es_ES.UTF-8", "TZ": "Asia/Tokyo", "PATH": ""},
    )  # fmt: skip
    kinds = [(kind, lang) for kind in ("html", "pdf") for lang in ("es", "en")]
    kept = [(ruled / f"report.{lang}.{kind}").read_bytes() for kind, lang in kinds]
    assert done.stdout.split() == [hashlib.sha256(data).hexdigest() for data in kept]
    assert len(set(done.stdout.split())) == 4


def test_a_report_tells_what_was_measured_ruled_and_put_right_by_whom(ruled: Path) -> None:
    page = report(ruled, "html", "es").decode("utf-8")
    facts = facts_of(ruled, "es")
    assert "La cámara dice: se pasa" in page
    assert "±" in facts.say("report.number", palms=facts.verdict.palms, error=facts.verdict.error)
    assert "&lt;b&gt;Ñ&lt;/b&gt;" in page, "words of people are no markup"
    assert "decidió Marta" in page
    assert "puesto a mano por Ana" in page
    assert "MOVE-01" in page
    assert "entrada" in page, "judged by the match as it was"
    for name, digest in facts.hashes:
        assert name in page
        assert digest in page


@pytest.mark.browser
@needs_chromium
@pytest.mark.parametrize("lang", ["es", "en"])
def test_a_report_is_no_wider_than_a_phone_and_says_its_hashes_whole(
    browser: Browser, ruled: Path, lang: str
) -> None:
    page = browser.new_context(viewport={"width": 390, "height": 844}, is_mobile=True).new_page()
    page.set_content(report(ruled, "html", lang).decode("utf-8"))
    assert page.evaluate("[innerWidth, document.documentElement.scrollWidth]") == [390, 390]
    for digest in page.locator("td:last-child").all():
        assert digest.evaluate("(one) => one.scrollWidth <= one.clientWidth")
    page.context.close()


def test_the_hashes_are_those_of_the_evidence(ruled: Path) -> None:
    hashes = dict(facts_of(ruled, "en").hashes)
    for name in (
        "ruling.json",
        "evidence/1/000000.mp4",
        "evidence/1/event.toml",
        "match.jsonl",
        "review.jsonl",
    ):
        assert hashes[name] == hashlib.sha256((ruled / name).read_bytes()).hexdigest()
    setup = json.loads((ruled / "evidence" / "1" / "setup.json").read_text())
    assert hashes["calibration"] == setup["calibration"]["camera"]["sha256"]


def test_both_pictures_show_the_move_on_the_right_place(ruled: Path) -> None:
    """The cut and enlarged picture is drawn on by a camera that would have taken it so."""
    facts = facts_of(ruled, "en")
    for shown in (facts.before, facts.after):
        image = cv2.imdecode(np.frombuffer(shown.jpeg, np.uint8), cv2.IMREAD_COLOR)
        assert image.shape[1::-1] == shown.size
        assert "picture" in shown.caption
    # The ruler's end, orange, lies on the red figure's feet: both colours are near the picture's middle.
    after = cv2.imdecode(np.frombuffer(facts.after.jpeg, np.uint8), cv2.IMREAD_COLOR).astype(int)
    orange = np.abs(after - (0x1A, 0x5A, 0xFF)).max(axis=2) < 50
    assert 200 < orange.sum() < 0.1 * orange.size


def test_a_ruling_stands_by_itself(ruled: Path, match: Path) -> None:
    """What the match goes on to drop, to correct or to log changes nothing about it."""
    before = report(ruled, "pdf", "es")
    desk = ReviewDesk(match)
    desk.withdraw_point(0, "Ana")
    shutil.rmtree(match / "evidence")
    with (match / "match.jsonl").open("a") as log:
        log.write('{"note": {"later": true}}\n')
    assert report(ruled, "pdf", "es") == before
    assert ReviewDesk(ruled).measure(MOVE).verdict == "beyond", "it can be reviewed again"


def test_a_report_fits_on_one_page_whatever_people_write(ruled: Path) -> None:
    path = ruled / "ruling.json"
    data = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**data, "words": "Porque sí, señora. 木 " * 90}), encoding="utf-8")
    page = report(ruled, "pdf", "es")
    assert page.count(b"/Type /Page\n") == 1
    assert page.startswith(b"%PDF-")


@pytest.mark.parametrize("change", [{"decision": "burn"}, {"format": 9}, {"more": 1}])
def test_a_ruling_that_is_none_is_one_sentence(ruled: Path, change: dict[str, object]) -> None:
    path = ruled / "ruling.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    with pytest.raises(PalmoError, match="no ruling"):
        load_ruling(ruled)


def test_what_steers_a_terminal_or_turns_a_line_is_kept_spelled_out(desk: ReviewDesk) -> None:
    desk.rule(MOVE, "again", "bad\u202eword \x1b[2J", "Mar\x00ta")
    (kept,) = desk.rulings()
    assert kept.words == "bad\\u202eword \\u001b[2J"
    assert kept.by == "Mar\\u0000ta"


def test_what_cannot_be_measured_cannot_be_ruled_on(desk: ReviewDesk, folder: Path) -> None:
    with pytest.raises(Refused):
        desk.rule(Asked("F1", 40, 10), "stands", "", "")
    assert not (folder / "rulings").exists()
    with pytest.raises(Refused):
        desk.report(7, "pdf", "es")


@pytest.mark.slow
def test_the_bundle_is_the_same_bytes_and_holds_everything(ruled: Path, match: Path, tmp_path: Path) -> None:
    one, other = tmp_path / "one.zip", tmp_path / "other.zip"
    bundle(match, one)
    for path in match.rglob("*"):
        path.touch()
    bundle(Path(shutil.copytree(match, tmp_path / "elsewhere" / "match")), other)
    assert one.read_bytes() == other.read_bytes()
    with zipfile.ZipFile(one) as archive:
        names = archive.namelist()
        assert archive.testzip() is None
        assert archive.read("rulings/001/report.es.pdf") == report(ruled, "pdf", "es")
        told = archive.read("doctor.json").decode() + archive.read("versions.json").decode()
    assert names == sorted(names)
    assert {
        "match.jsonl",
        "review.jsonl",
        "rulings/001/ruling.json",
        "rulings/001/evidence/1/000000.mp4",
    } <= set(names)
    assert not any(name.startswith("evidence/") for name in names), "only what was ruled on"
    assert str(Path.home()) not in told
    assert "palmo" in told


def test_a_folder_called_by_a_dot_is_bundled_beside_itself(
    ruled: Path, match: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(match)
    assert run(["report", "."]) == 0
    assert match.with_name(f"{match.name}.zip").is_file()
    assert not list(match.rglob("*.zip"))


def test_all_of_a_match_can_be_bundled(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["report", str(folder), "--out", str(tmp_path / "all.zip"), "--lang", "en"]) == 0
    assert "rulings 0" in capsys.readouterr().out
    with zipfile.ZipFile(tmp_path / "all.zip") as archive:
        assert "evidence/1/000000.mp4" in archive.namelist()


@pytest.mark.parametrize("inside", ["tracks.jsonl", "evidence/1/000000.mp4", "new.zip"])
def test_an_archive_never_goes_over_what_it_is_made_of(
    folder: Path, capsys: pytest.CaptureFixture[str], inside: str
) -> None:
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    assert run(["report", str(folder), "--out", str(folder / inside), "--lang", "en"]) == 2
    assert "outside of it" in capsys.readouterr().err.replace("\n", " ")
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize(
    ("said", "plain"),
    [
        ("found /home/ana/clips/one.mp4 here", "found one.mp4 here"),
        ("C:\\Users\\Ana\\palmo\\clip.mp4: broken", "clip.mp4: broken"),
        ("found /dev/video0; 12 / 3 px", "found video0; 12 / 3 px"),
        ("Python 3.11, numpy 2.4", "Python 3.11, numpy 2.4"),
    ],
)
def test_what_is_sent_names_no_folders_of_this_machine(said: str, plain: str) -> None:
    assert pathless(said) == plain


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["review"], "either a match folder or a clip"),
        (["review", "{folder}", "--clip", "x.mp4"], "either a match folder or a clip"),
        (["review", "--clip", "x.mp4"], "--event"),
        (["review", "{folder}/nothing"], "no evidence in this folder"),
        (["report", "{folder}/nothing"], "no evidence in this folder"),
        (["review", "{folder}", "--session", "4"], "there is no session 4"),
    ],
)
def test_a_command_that_cannot_work_says_why(
    arguments: list[str], said: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = [one.format(folder=folder) for one in arguments]
    assert run([*given, "--lang", "en"]) == 2
    assert said in capsys.readouterr().err
