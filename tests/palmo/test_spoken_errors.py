"""What is wrong is said in the reader's language, whole: no sentence is half translated."""

from __future__ import annotations

import ast
import json
import logging
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from calibration.sentences import Said
from overlay.i18n import entries, translate
from palmo.cli import _OneLine, run
from palmo.demo_files import DEMO_CLIP, DEMO_EVENT
from palmo.errors import SaidError, Spoken, said, sentence
from palmo.evaluate import TruthError, load_truth
from palmo.event import EventError, load_event, model
from palmo.event.problems import help_key
from palmo.usage import spoken
from rules.text import Text

ROOT = Path(__file__).resolve().parents[2]
SECTIONS = [one for one in vars(model).values() if isinstance(one, type) and issubclass(one, model.Section)]


def raised_below() -> dict[str, str]:
    """Key and template of every sentence of calibration and vision."""
    found: dict[str, str] = {}
    for floor in ("calibration", "vision"):
        for path in (ROOT / floor).rglob("*.py"):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            for call in ast.walk(tree):
                if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "Said":
                    key, template = call.args
                    if isinstance(key, ast.Constant) and isinstance(template, ast.Constant):
                        found[str(key.value)] = str(template.value)
    return found


def test_the_catalogues_english_is_what_calibration_and_vision_say() -> None:
    english = entries("en")
    below = raised_below()
    assert len(below) > 70
    assert {key: english[key].forms[0] for key in below} == below


def test_every_key_of_the_event_file_is_explained_in_both_languages() -> None:
    explained = {
        help_key(section, name): field.description
        for section in SECTIONS
        for name, field in section.model_fields.items()
        if field.description
    }
    assert {key: translate(Text(key), "en") for key in explained} == explained
    known = {key for key in entries("es") if key.startswith("event.help.")}
    assert known == set(explained)


def test_no_sentence_of_errors_is_left_unused() -> None:
    sources = "".join(
        path.read_text(encoding="utf-8")
        for floor in ("palmo", "vision", "calibration", "rules")
        for path in (ROOT / floor).rglob("*.py")
    )
    families = (
        *("event.help.", "os.", "error.corner.", "error.toml.", "error.type.", "error.unit.", "error.table."),
        *("error.input.", "error.event.least", "error.event.most", "error.palm.seen."),
    )
    unused = [
        key
        for key, entry in entries("en").items()
        if (entry.file == "errors.po" or (entry.file == "calibrate.po" and key.startswith("error.")))
        and f'"{key}"' not in sources
        and not key.startswith(families)
    ]
    assert unused == []


def test_a_sentence_below_keeps_its_english_and_gets_its_spanish() -> None:
    inner = Said("error.told.again", "tap the middle of its feet again (foot_px)")
    outer = Said(
        "error.told.tap_beside",
        "the tap at {u}, {v} lies {away_px:.0f} px beside the figure; {again}",
        u=12.5, v=40.0, away_px=7.4, again=inner,
    )  # fmt: skip
    assert (
        outer == "the tap at 12.5, 40 lies 7 px beside the figure; tap the middle of its feet again (foot_px)"
    )
    spanish = translate(said(outer), "es")
    assert spanish.startswith("el toque en 12,5, 40 queda a 7 px de la figura; toca otra vez")


@pytest.mark.parametrize(
    ("given", "lang"),
    [(["track", "--lang", "es"], "es"), (["--lang=es"], "es"), (["--lang", "en"], "en"), ([], "en"),
     (["--lang", "fr"], "en"), (["--lang"], "en")],
)  # fmt: skip
def test_the_language_is_found_on_a_command_line_that_is_not_understood(
    given: list[str], lang: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PALMO_LANG", "en")
    assert spoken(given) == lang


# Words that no Spanish sentence of ours has; keys and options of the event file are English in any language.
ENGLISH = {
    "the",
    "is",
    "it",
    "not",
    "must",
    "be",
    "and",
    "there",
    "this",
    "file",
    "cannot",
    "of",
    "with",
    "or",
}


def is_spanish(line: str) -> bool:
    return not {word.strip(".,;:()\"'") for word in line.lower().split()} & ENGLISH


CHANGES = [
    ("height_cm = 14.3", "height_cm = 0"),
    ("height_cm = 14.3", 'height_cm = "14"'),
    ("height_cm = 14.3", "height_cm = nan"),
    ("height_cm = 14.3", "hight_cm = 14"),
    ("height_cm = 14.3", "colours = 3"),
    ("height_cm = 14.3", "height_cm = "),
    ("height_cm = 14.3", ""),
    ("height_cm = 14.3", "height_cm = 14.3\nheight_cm = 14.3"),
    ('class = "humanoid"', 'class = "robot"'),
    ("palm_cm = 20.5", "palm_cm = 5.5"),
    ('player = "ana"', 'player = "eva"'),
    ('id = "F2"', 'id = "F1"'),
    ('rulebook = "smackkatz"', "rulebook = [1"),
    ("width_cm = 70", "width_cm = [70]"),
    ("[[fighter]]", "[fighter]"),
    ('name = "', 'name = "\\u001b'),
]


@pytest.mark.parametrize(("before", "after"), CHANGES)
def test_every_mistake_in_an_event_file_is_told_in_spanish(before: str, after: str, tmp_path: Path) -> None:
    content = DEMO_EVENT.read_text(encoding="utf-8")
    assert before in content
    path = tmp_path / "event.toml"
    path.write_text(content.replace(before, after, 1), encoding="utf-8")
    with pytest.raises(EventError) as caught:
        load_event(path)
    lines = sentence(caught.value, "es").splitlines()
    assert len(lines) == len(caught.value.problems)
    assert all(is_spanish(line) and "⟨" not in line for line in lines), lines


@pytest.fixture
def palmo() -> Callable[..., str]:
    def run(*arguments: object) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "palmo", *map(str, arguments), "--lang", "es"],
            capture_output=True, text=True, timeout=120, check=False,
        )  # fmt: skip
        assert done.returncode == 2, done.stderr
        assert "Traceback" not in done.stderr
        return done.stderr

    return run


def test_sources_calibration_and_the_command_line_speak_spanish_too(
    palmo: Callable[..., str], tmp_path: Path
) -> None:
    crossed = DEMO_EVENT.read_text(encoding="utf-8").replace("corners_px = [[", "corners_px = [[9", 1)
    path = tmp_path / "event.toml"
    path.write_text(crossed, encoding="utf-8")
    (tmp_path / "empty.mp4").touch()
    told = [
        palmo("track", tmp_path / "none.mp4", "--event", DEMO_EVENT),
        palmo("track", tmp_path / "empty.mp4", "--event", DEMO_EVENT),
        palmo("live", "--source", "http://127.0.0.1:9/", "--event", DEMO_EVENT, "--port", 0),
        palmo("live", "--source", DEMO_CLIP, "--event", DEMO_EVENT, "--host", ""),
        palmo("calibrate", "ring", DEMO_CLIP, "--event", path),
        palmo("track", DEMO_CLIP, "--event", DEMO_EVENT, "--out", tmp_path),
        palmo("live", "--sauce", 0),
        palmo("live", "--port", 99999),
        palmo("track"),
    ]
    assert all(is_spanish(line) for line in told), told


def test_what_is_wrong_with_tracks_and_with_a_truth_is_told_in_spanish(
    palmo: Callable[..., str], tmp_path: Path
) -> None:
    torn, other = tmp_path / "torn.jsonl", tmp_path / "truth.json"
    torn.write_text('{"frame": 0, "t": 0.0, "fighters": {"F1": {"state": "flying"}}}\n')
    other.write_text('{"frames": NaN}')
    measure = ("measure", "--event", DEMO_EVENT, "--fighter", "F1", "--from", 1, "--to", 2, "--tracks")
    told = [palmo(*measure, torn), palmo(*measure, tmp_path / "none.jsonl")]
    for path in (other, torn, tmp_path / "none.json"):
        with pytest.raises(TruthError) as caught:
            load_truth(path)
        told.append(sentence(caught.value, "es"))
    assert all(is_spanish(line.replace(str(tmp_path), "")) for line in told), told
    assert "torn.jsonl, línea 1, F1: falta" in told[0]
    assert "none.jsonl: el archivo o la carpeta no existe" in told[1]


def test_the_doctor_speaks_spanish_to_people_and_to_programs(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("palmo.diagnosis._speed", lambda: 1 / 0)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        assert run(["doctor", "--lang", "es", "--port", port]) == 1
        shown = capsys.readouterr().out
        assert run(["doctor", "--lang", "es", "--json", "--port", port]) == 1
        checks = json.loads(capsys.readouterr().out)
    lines = [line for line in shown.splitlines() if "division by zero" not in line]
    assert all(is_spanish(line) and "⟨" not in line for line in lines), lines
    assert "puerto" in shown
    assert f"el {port} no se puede usar (la dirección está ocupada)" in shown
    assert [check["name"] for check in checks][-2:] == ["browser", "speed"]
    assert "el clip incluido se descodifica" in checks[1]["sentence"]


@pytest.mark.parametrize(
    ("logged", "shown"),
    [
        (Spoken("fault.move"), "no se ha podido juzgar un movimiento"),
        (Said("error.tracks.no_text", "this is not text"), "esto no es texto"),
        ("a library says 100 %", "a library says 100 %"),
    ],
)
def test_what_is_logged_is_shown_in_the_language_spoken(logged: str, shown: str) -> None:
    record = logging.LogRecord("palmo", logging.WARNING, "file.py", 1, logged, (), None)
    assert _OneLine("es").format(record) == f"palmo: {shown}"
    assert _OneLine("en").format(record) == f"palmo: {logged}"


def test_a_refusal_by_the_disk_is_in_words() -> None:
    refused = OSError(28, "No space left on device", "out/match.jsonl")
    assert sentence(refused) == "out/match.jsonl: No space left on device"
    assert sentence(refused, "es") == "out/match.jsonl: no queda espacio en el disco"
    assert isinstance(SaidError("error.host.empty"), ValueError)
