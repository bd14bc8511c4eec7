"""What the calibration remarks is said in the referee's language, also later, beside the tracks."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from calibration.edges import SIDE_NAMES
from calibration.remarks import REMARK_KEYS, Remark
from calibration.ring import CORNER_NAMES
from overlay.i18n import LANGUAGES, entries, translate
from palmo.errors import PalmoError
from palmo.ring_file import load_doubts, load_warning, ring_path, save_ring
from palmo.ring_report import said
from rules.text import Text

NAMES = [*SIDE_NAMES, *(f"{post} {what}" for post in CORNER_NAMES for what in ("corner", "post top", "post"))]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_remark_and_name_is_in_the_catalogue(lang: str) -> None:
    known = entries(lang)
    assert {f"ring.note.{key}" for key in REMARK_KEYS} <= set(known)
    for name in NAMES:
        text = translate(said(Remark("click_off", {"px": 5.2}, {"click": name})), lang)
        assert "⟨" not in text
        assert "5" in text


def test_a_remark_is_spanish_in_spanish() -> None:
    remark = Remark("click_off", {"px": 5.2}, {"click": "far-right post top"})
    assert translate(said(remark), "en") == "the far-right post top is 5 px off: click it again"
    assert "post top" not in translate(said(remark), "es")


def test_the_warning_lies_beside_the_tracks(tmp_path: Path) -> None:
    tracks = tmp_path / "tracks.jsonl"
    assert load_warning(tracks) is None
    remark = said(Remark("click_off", {"px": 5.0}, {"click": "far-left corner"}))
    warning = Text("ring.warning.redo.advice", {"mm": 12.5, "advice": remark})
    save_ring(tracks, "redo", warning)
    assert load_warning(tracks) == warning
    assert json.loads(ring_path(tracks).read_text())["verdict"] == "redo"
    save_ring(tracks, "good", None)
    assert load_warning(tracks) is None


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"warning": {"key": "x"}}', '{"warning": 5}'])
def test_a_strange_file_beside_the_tracks_gets_a_sentence(tmp_path: Path, content: str) -> None:
    tracks = tmp_path / "tracks.jsonl"
    ring_path(tracks).write_text(content)
    with pytest.raises(PalmoError, match="track the recording again"):
        load_warning(tracks)


def test_what_was_doubtful_of_a_fighter_is_kept_beside_the_tracks_and_told_of_it_alone(
    tmp_path: Path,
) -> None:
    tracks = tmp_path / "tracks.jsonl"
    doubt = Text("error.about", {"fighter": "F1", "what": Text("warning.colour.two")})
    pair = Text("warning.colour.pair", {"one": "F1", "two": "F3"})
    save_ring(tracks, "good", None, [doubt, pair])
    assert load_doubts(tracks, "F1") == [doubt, pair]
    assert load_doubts(tracks, "F2") == []
    assert load_doubts(tracks, "F3") == [pair]
    ring_path(tracks).write_text('{"verdict": "good", "warning": null}', encoding="utf-8")
    assert load_doubts(tracks, "F1") == []
