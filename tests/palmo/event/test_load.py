from __future__ import annotations

import re
from pathlib import Path

import pytest

from palmo.event import EventError, EventWatcher, event_error, load_event

GOOD = """[ring]
width_cm = 70
depth_cm = 70
post_height_cm = 16
corners_px = [[397.9, 135.9], [896.3, 124.6], [967.0, 594.9], [328.9, 603.9]]
[[player]]
id = "ana"
palm_cm = 20.5
half_palm_cm = 8.4
[[fighter]]
id = "F1"
name = "El Santo de Barro"
player = "ana"
class = "humanoid"
colour_box_px = [457, 169, 6, 6]
height_cm = 14
facing_deg = -45
[fighter.sheet]
combat = 2
speed = 2
strength = 2
technique = 2
resistance = 2
strike = 2
irish_whip = 2
suplex = 2
submission = 2
counter = 2
[match]
rulebook = "smackkatz"
"""


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "event.toml"
    path.write_text(text, encoding="utf-8")
    return path


def refusal(tmp_path: Path, text: str) -> EventError:
    with pytest.raises(EventError) as caught:
        load_event(written(tmp_path, text))
    return caught.value


def test_a_good_event_is_read_with_its_defaults(tmp_path: Path) -> None:
    event = load_event(written(tmp_path, GOOD))
    assert event.fighter[0].kind == "humanoid"
    assert event.fighter[0].sheet is not None
    assert event.owner("F1").palm_cm == 20.5
    assert event.match.mode == "wrestling_match"


@pytest.mark.parametrize(
    ("old", "new", "line", "key", "words"),
    [
        ("height_cm = 14", "height_cm = 0", 16, "fighter.0.height_cm", "must be at least 2 cm"),
        ("height_cm = 14", "height_cm = 200", 16, "fighter.0.height_cm", "must be at most 40 cm"),
        ("height_cm = 14", "height_cm = nan", 16, "fighter.0.height_cm", "not a finite number"),
        ("height_cm = 14", "height_cm = inf", 16, "fighter.0.height_cm", "finite|at most"),
        ("height_cm = 14", 'height_cm = "14"', 16, "fighter.0.height_cm", "must be a number"),
        ("height_cm = 14", "height_cm = true", 16, "fighter.0.height_cm", "must be a number"),
        ("palm_cm = 20.5", "palm_cm = 205", 8, "player.0.palm_cm", "must be at most 30 cm"),
        ("palm_cm = 20.5", "palm_cm = 3", 8, "player.0.palm_cm", "must be at least 10 cm"),
        ("half_palm_cm = 8.4", "half_palm_cm = 9\npalm_sd_cm = -1", 10, "player.0.palm_sd_cm", "at least 0"),
        ("20.5\nhalf_palm_cm = 8.4", "12\nhalf_palm_cm = 13", 9, "player.0.half_palm_cm", "smaller"),
        ("width_cm", "widht_cm", 2, "ring.widht_cm", 'did you mean "width_cm"'),
        ('player = "ana"', 'player = "eva"', 13, "fighter.0.player", r"no \[\[player\]\] has that id"),
        ("colour_box_px = [457, 169, 6, 6]\n", "", 10, "fighter.0", "neither colour_box_px nor colour"),
        ("[457, 169, 6, 6]", "[457, 169, 0, 6]", 15, "fighter.0.colour_box_px", "at least 2 by 2"),
        ("[457, 169, 6, 6]", "[457, 169, 6]", 15, "fighter.0.colour_box_px", "must have 4"),
        ("counter = 2", "countre = 2", 28, "fighter.0.sheet.countre", 'did you mean "counter"'),
        ("= 16\n", "= 16\npost_offset_cm = 25\n", 5, "ring.post_offset_cm", "must be at most 20 cm"),
        ("= 16\n", "= 16\npost_offset_cm = -9\n", 5, "ring.post_offset_cm", "must be at least -5 cm"),
        ("= 16\n", '= 16\npost_offset_cm = "2"\n', 5, "ring.post_offset_cm", "must be a number"),
        ("= 16\n", "= 16\npost_ofset_cm = 2\n", 5, "ring.post_ofset_cm", 'did you mean "post_offset_cm"'),
        ('"smackkatz"', '"chess"', 30, "match.rulebook", "must be 'smackkatz'"),
        ("[match]", "[referee]", 29, "referee", "not a key of the file"),
    ],
)  # fmt: skip
def test_a_wrong_key_is_named_with_its_line(
    tmp_path: Path, old: str, new: str, line: int, key: str, words: str
) -> None:
    error = refusal(tmp_path, GOOD.replace(old, new, 1))
    problem = next(problem for problem in error.problems if problem.key == key)
    assert problem.line == line
    assert re.search(words, problem.sentence)
    assert f"event.toml, line {line}: " in str(error)
    assert all("\n" not in problem.sentence for problem in error.problems)


def test_all_problems_come_at_once_in_the_order_of_the_file(tmp_path: Path) -> None:
    text = GOOD.replace("width_cm = 70", "width_cm = 1").replace('"ana"', '"eva"', 1).replace("14", "140", 1)
    error = refusal(tmp_path, text)
    assert [problem.key for problem in error.problems] == [
        "ring.width_cm",
        "fighter.0.player",
        "fighter.0.height_cm",
    ]


def test_ids_that_repeat_are_refused(tmp_path: Path) -> None:
    fighter = GOOD[GOOD.index("[[fighter]]") : GOOD.index("[match]")]
    error = refusal(tmp_path, GOOD.replace("[match]", fighter + "[match]"))
    assert "used by an earlier [[fighter]]" in str(error)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is empty"),
        (b"[ring\nwidth_cm = 3", "not valid TOML.*line 1"),
        (b"\xff\xfe\x00\x01", "not a text file"),
    ],
)
def test_a_file_that_is_no_event_file_gets_a_sentence(tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "event.toml"
    path.write_bytes(content)
    with pytest.raises(EventError, match=words):
        load_event(path)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('rulebook = "smackkatz"', "rulings = { a = " + "[" * 5000 + "]" * 5000 + " }", "nested too deeply"),
        ("width_cm = 70", "width_cm = " + "9" * 5000, "a number in it has thousands of digits"),
        ("width_cm = 70", "width_cm = 0x" + "f" * 5000, "line 2: width_cm of .ring. is "),
        ("El Santo de Barro", "a\\u001b[31mred", r"line 12: name of fighter F1 has a control.*U\+001B"),
        ("El Santo de Barro", "a\\nb", r"line 12: name of fighter F1 has a control.*U\+000A"),
        ("El Santo de Barro", "a\\u202eb", r"line 12: name of fighter F1 has a control.*U\+202E"),
        ("counter = 2", 'counter = 2\nfinisher = "x\\u0007"', "line 29: finisher of the sheet .* control"),
    ],
)
def test_what_steers_a_terminal_or_breaks_a_reader_is_refused(
    tmp_path: Path, old: str, new: str, words: str
) -> None:
    assert old in GOOD
    with pytest.raises(EventError, match=words) as caught:
        load_event(written(tmp_path, GOOD.replace(old, new)))
    assert len(str(caught.value)) < 500


def test_names_in_any_writing_are_fine(tmp_path: Path) -> None:
    for name in ("Ñandú", "🐱 漢字", "👩‍🚀", 'Ω\'mega \\"x\\"'):
        load_event(written(tmp_path, GOOD.replace("El Santo de Barro", name)))


def test_a_missing_file_gets_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(EventError, match="there is no such event file"):
        load_event(tmp_path / "none.toml")


def test_a_later_finding_is_blamed_on_its_line(tmp_path: Path) -> None:
    error = event_error(written(tmp_path, GOOD), ("fighter", 0, "colour_box_px"), "lies on the mat")
    assert str(error).endswith("event.toml, line 15: colour_box_px of fighter F1: lies on the mat")


def test_the_watcher_keeps_the_old_values_while_the_file_is_wrong(tmp_path: Path) -> None:
    path = written(tmp_path, GOOD)
    watcher = EventWatcher(path)
    assert not watcher.poll()
    path.write_text(GOOD.replace("height_cm = 14", "height_cm = 1400"), encoding="utf-8")
    assert watcher.poll()
    assert watcher.error is not None
    assert watcher.event.fighter[0].height_cm == 14
    path.unlink()
    assert watcher.poll()
    assert watcher.event.fighter[0].height_cm == 14
    path.write_text(GOOD.replace("height_cm = 14", "height_cm = 15.5"), encoding="utf-8")
    assert watcher.poll()
    assert watcher.error is None
    assert watcher.event.fighter[0].height_cm == 15.5
