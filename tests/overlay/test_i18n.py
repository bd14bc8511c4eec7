"""The catalogue: both languages say the same things, and every key that the code uses is there."""

from __future__ import annotations

import ast
import re
from collections import Counter
from pathlib import Path

import pytest

from overlay import i18n
from rules.text import Text, listed

ROOT = Path(__file__).resolve().parents[2]
FLOORS = ("palmo", "overlay", "vision", "calibration", "rules")


def test_both_languages_have_the_same_keys_and_placeholders() -> None:
    spanish, english = i18n.entries("es"), i18n.entries("en")
    assert set(spanish) == set(english)
    for key, entry in spanish.items():
        assert entry.placeholders == english[key].placeholders, key
        assert all(entry.forms), f"{key} is empty in Spanish"
        assert all(english[key].forms), f"{key} is empty in English"


@pytest.mark.parametrize("lang", i18n.LANGUAGES)
def test_every_sentence_can_be_formatted_with_numbers(lang: str, caplog: pytest.LogCaptureFixture) -> None:
    for key, entry in i18n.entries(lang).items():
        for n in (1, 2):
            sentence = i18n.translate(Text(key, {**dict.fromkeys(entry.placeholders, 1.5), "n": n}), lang)
            assert "⟨" not in sentence, f"{key} in {lang}"
    assert not caplog.records


def text_calls() -> list[tuple[str, str, set[str] | None]]:
    """(place, key or prefix ending in *, names of the literal values or None) of every Text(...)."""
    calls = []
    for floor in FLOORS:
        for path in (ROOT / floor).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if (
                    isinstance(node, ast.Call)
                    and isinstance(node.func, ast.Name)
                    and node.func.id == "Text"
                    and node.args
                ):
                    key = literal_or_prefix(node.args[0])
                    if key is not None:
                        calls.append((f"{path.relative_to(ROOT)}:{node.lineno}", key, given_values(node)))
    return calls


def literal_or_prefix(node: ast.expr) -> str | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr) and isinstance(node.values[0], ast.Constant):
        return f"{node.values[0].value}*"
    return None


def given_values(call: ast.Call) -> set[str] | None:
    if len(call.args) == 1 and not call.keywords:
        return set()
    values = call.args[1] if len(call.args) > 1 else call.keywords[0].value
    if not isinstance(values, ast.Dict) or any(not isinstance(k, ast.Constant) for k in values.keys):
        return None
    return {str(k.value) for k in values.keys if isinstance(k, ast.Constant)}


def test_every_key_used_in_the_code_is_in_the_catalogue_with_the_values_it_needs() -> None:
    known = i18n.entries("es")
    for place, key, values in text_calls():
        if key.endswith("*"):
            assert any(k.startswith(key[:-1]) for k in known), f"{place}: no key begins with {key[:-1]!r}"
            continue
        assert key in known, f"{place}: {key!r} is not in the catalogue"
        if values is not None:
            assert known[key].placeholders <= values, (
                f"{place}: {key!r} needs {known[key].placeholders - values}"
            )


def test_every_key_used_by_the_pages_is_in_the_catalogue() -> None:
    known = i18n.entries("es")
    used = set()
    for path in (ROOT / "overlay" / "web").rglob("*.js"):
        used |= set(re.findall(r'\bt\("([a-z_.]+)"', path.read_text(encoding="utf-8")))
    for path in (ROOT / "overlay" / "web").rglob("*.html"):
        used |= set(re.findall(r'data-t="([a-z_.]+)"', path.read_text(encoding="utf-8")))
    assert used, "the pages use no message at all"
    assert used <= set(known), sorted(used - set(known))


def test_numbers_follow_the_language() -> None:
    text = Text("length.cm", {"length": 12.34, "error": 0.5})
    assert i18n.translate(text, "es") == "12,3 ± 0,5 cm"
    assert i18n.translate(text, "en") == "12.3 ± 0.5 cm"


def test_counts_choose_the_plural() -> None:
    dice = [Text("dice.pool", {"n": n, "faces": 6}) for n in (0, 1, 2)]
    assert [i18n.translate(one, "es")[:7] for one in dice] == ["0 dados", "1 dado ", "2 dados"]
    assert [i18n.translate(one, "en")[:6] for one in dice] == ["0 dice", "1 die ", "2 dice"]


def test_texts_inside_texts_are_translated_first() -> None:
    inner = Text("status.knocked_down")
    outer = Text("dice.pool", {"n": 2, "faces": inner})
    assert i18n.translate(outer, "es") == "2 dados de Derribado caras"
    assert i18n.translate(outer, "en") == "2 dice with Knocked down faces"


def test_ids_are_said_by_their_names() -> None:
    names = {"F1": "Ñandú"}
    assert (
        i18n.translate(Text("dice.pool", {"n": 2, "faces": "F1"}), "en", names) == "2 dice with Ñandú faces"
    )
    nested = Text("dice.pool", {"n": 2, "faces": Text("server.host", {"host": "F1"})})
    assert "Ñandú" in i18n.translate(nested, "es", names)


def test_a_missing_key_is_shown_and_logged_but_stops_nothing(caplog: pytest.LogCaptureFixture) -> None:
    assert i18n.translate(Text("no.such.key"), "es") == "⟨no.such.key⟩"
    assert i18n.translate(Text("length.cm", {"length": 1.0}), "en") == "⟨length.cm⟩"
    assert [record.levelname for record in caplog.records] == ["ERROR", "ERROR"]


def test_an_unknown_language_is_refused_with_the_ones_there_are() -> None:
    with pytest.raises(i18n.CatalogueError, match="es, en"):
        i18n.translate(Text("card.red"), "fr")


@pytest.mark.parametrize(
    ("wanted", "lang"), [("en-GB", "en"), ("es_ES.UTF-8", "es"), (None, "es"), ("fr", "es")]
)
def test_the_nearest_language_is_spoken(wanted: str | None, lang: str) -> None:
    assert i18n.language(wanted) == lang


def literals() -> tuple[set[str], set[str]]:
    """Every string of the code and pages that could be a key, and every beginning of one."""
    whole, beginnings = set(), set()
    for floor in FLOORS:
        for path in (ROOT / floor).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    whole.add(node.value)
                elif isinstance(node, ast.JoinedStr) and isinstance(node.values[0], ast.Constant):
                    beginnings.add(str(node.values[0].value))
    for path in (ROOT / "overlay" / "web").rglob("*.*"):
        text = path.read_text(encoding="utf-8")
        whole |= set(re.findall(r'\bt\("([a-z_.]+)"', text)) | set(re.findall(r'data-t="([a-z_.]+)"', text))
    return whole, {start for start in beginnings if re.fullmatch(r"[a-z_]+\.[a-z_.]*", start)}


def test_no_sentence_of_the_overlay_is_left_over() -> None:
    whole, beginnings = literals()
    ours = [key for key, entry in i18n.entries("es").items() if entry.file == "overlay.po"]
    left = [key for key in ours if key not in whole and not key.startswith(tuple(beginnings))]
    assert left == []


@pytest.mark.parametrize(("hits", "start"), [(1, "1 golpe de F2:"), (2, "2 golpes de F2:")])
def test_a_sentence_can_name_its_own_count(hits: int, start: str) -> None:
    asked = Text("ask.defend", {"attacker": "F2", "fighter": "F1", "hits": hits})
    assert i18n.translate(asked, "es").startswith(start)


@pytest.mark.parametrize(
    ("last", "said"),
    [
        ("Íñigo", "Santo e Íñigo"),
        ("Hilda", "Santo e Hilda"),
        ("Hierro", "Santo y Hierro"),
        ("Ana", "Santo y Ana"),
    ],
)
def test_lists_end_in_the_and_that_spanish_wants(last: str, said: str) -> None:
    both = listed(["Santo", last])
    assert isinstance(both, Text)
    assert i18n.translate(both, "es") == said
    assert i18n.translate(both, "en") == f"Santo and {last}"


@pytest.mark.parametrize("value", [1e308, -1e308, 1e15, float("inf")])
def test_a_number_beyond_all_measure_can_still_be_said(value: float) -> None:
    assert i18n.number(value, 1, "es") == f"{value:g}"
    said = i18n.translate(Text("terminal.outside", {"t": value, "first": 0.0, "last": 1.0}), "en")
    assert f"{value:g}" in said


@pytest.mark.parametrize("lang", i18n.LANGUAGES)
def test_no_key_is_given_twice_in_a_file_where_one_would_silently_win(lang: str) -> None:
    folder = Path(i18n.__file__).parent / "locale" / lang / "LC_MESSAGES"
    for path in folder.glob("*.po"):
        keys = re.findall(r'^msgid "(.+)"$', path.read_text(encoding="utf-8"), re.MULTILINE)
        assert [key for key, many in Counter(keys).items() if many > 1] == [], path.name


@pytest.mark.parametrize("lang", i18n.LANGUAGES)
def test_what_stands_alone_on_a_page_begins_with_a_capital_letter(lang: str) -> None:
    known = i18n.entries(lang)
    for key in ("setup.page", "live.redo", "page.map", "page.map.legend", "page.review.here"):
        assert not known[key].forms[0][0].islower(), key
    assert not [key for key in i18n.keys(lang, "page.") if any("..." in form for form in known[key].forms)]
