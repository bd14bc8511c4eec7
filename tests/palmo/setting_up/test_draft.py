"""An event file in the making: begun from nothing, never worse than what was there."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from overlay.i18n import translate
from overlay.setup.desk import NotSo, Person, Wrestler
from palmo.calibrating.event_text import Draft
from palmo.demo_files import DEMO_EVENT
from palmo.errors import SaidError
from palmo.event import EventError, load_event
from palmo.event.edit import with_keys, with_new_table, without_key, without_table
from palmo.setting_up.lacking import lacking
from palmo.setting_up.people import EventPeople


def test_a_new_file_is_begun_and_says_what_is_missing(tmp_path: Path) -> None:
    path = tmp_path / "club" / "new.toml"
    draft = Draft(path)
    assert not path.exists()
    draft.write(with_keys(draft.read(), ("ring",), {"width_cm": "70"}))
    assert "width_cm = 70" in path.read_text(encoding="utf-8")
    problems = [translate(one, "en") for one in draft.problems()]
    assert any("corners_px" in one for one in problems)
    assert any("player" in one for one in problems)


def test_a_whole_file_is_only_replaced_by_a_whole_one(tmp_path: Path) -> None:
    path = tmp_path / "event.toml"
    path.write_bytes(DEMO_EVENT.read_bytes())
    draft = Draft(path)
    people = EventPeople(draft)
    people.put_player(Person("nadia"))
    assert not draft.whole
    assert "nadia" not in path.read_text(encoding="utf-8")
    people.put_player(Person("nadia", 19.0, 8.0))
    assert load_event(path).player[-1].id == "nadia"


def test_what_is_not_whole_yet_stands_beside_a_whole_file_and_the_next_set_up_goes_on_with_it(
    tmp_path: Path,
) -> None:
    path = tmp_path / "event.toml"
    path.write_bytes(DEMO_EVENT.read_bytes())
    draft = Draft(path)
    people = EventPeople(draft)
    assert draft.written == path
    people.put_player(Person("nadia"))
    assert draft.written == tmp_path / "event.draft.toml"
    assert "nadia" in draft.written.read_text(encoding="utf-8")
    again = Draft(path)
    assert [one.id for one in EventPeople(again).players()][-1] == "nadia"
    EventPeople(again).put_player(Person("nadia", 19.0, 8.0))
    assert again.written == path
    assert load_event(path).player[-1].id == "nadia"
    assert not (tmp_path / "event.draft.toml").exists()


def test_a_draft_older_than_the_event_file_is_not_gone_on_with(tmp_path: Path) -> None:
    path, beside = tmp_path / "event.toml", tmp_path / "event.draft.toml"
    path.write_bytes(DEMO_EVENT.read_bytes())
    EventPeople(Draft(path)).put_player(Person("nadia"))
    later = beside.stat().st_mtime + 5
    os.utime(path, (later, later))
    assert "nadia" not in Draft(path).read()
    # nor is one that is broken
    beside.write_text("[ring", encoding="utf-8")
    os.utime(beside, (later + 5, later + 5))
    assert "nadia" not in Draft(path).read()


def test_a_fighter_of_a_player_who_is_gone_is_refused(tmp_path: Path) -> None:
    people = EventPeople(Draft(tmp_path / "event.toml"))
    people.put_player(Person("nadia"))
    people.drop_player("nadia")
    with pytest.raises(NotSo):
        people.put_fighter(Wrestler("", "Otro", "nadia", "beast", 9.0))
    assert not people.fighters()


def test_what_is_no_event_file_is_refused_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "event.toml"
    path.write_text("[ring\nwidth_cm = 70\n", encoding="utf-8")
    with pytest.raises(EventError, match="line 1"):
        Draft(path)


def test_any_name_can_be_written_and_read_again(tmp_path: Path) -> None:
    people = EventPeople(Draft(tmp_path / "event.toml"))
    people.put_player(Person("Ελένη"))
    name = 'El "Bruto" \\ 力 # [x] = y'
    people.put_fighter(Wrestler("", name, "Ελένη", "absurd", 12.0))
    people.put_fighter(Wrestler("", "Otro", "Ελένη", "beast", 9.0))
    again = EventPeople(Draft(tmp_path / "event.toml"))
    assert [(one.id, one.name, one.kind) for one in again.fighters()] == [
        ("F1", name, "absurd"),
        ("F2", "Otro", "beast"),
    ]
    again.put_fighter(Wrestler("F1", "Nuevo", "Ελένη", "humanoid", 13.0))
    again.drop_fighter("F2")
    with pytest.raises(NotSo) as refused:
        again.drop_player("Ελένη")
    assert "Ελένη" in translate(refused.value.text, "es")
    again.drop_fighter("F1")
    again.drop_player("Ελένη")
    assert "[[" not in (tmp_path / "event.toml").read_text(encoding="utf-8")


def test_a_table_goes_with_what_is_in_it_and_without_its_neighbours() -> None:
    text = (
        '[[fighter]]\nid = "A"\n[fighter.sheet]\ncombat = 2\n\n# B is new\n[[fighter]]\nid = "B"\n\n[match]\n'
    )
    without = without_table(text, ("fighter", 0))
    assert without == '# B is new\n[[fighter]]\nid = "B"\n\n[match]\n'
    assert without_table(without, ("fighter", 0)) == "# B is new\n[match]\n"
    assert with_new_table(without, "fighter", {"id": '"C"'}).endswith('[match]\n\n[[fighter]]\nid = "C"\n')


def test_lists_of_several_lines_are_replaced_and_taken_out_whole() -> None:
    text = "[ring]\ncorners_px = [[1, 2],  # far\n  [3, 4]]\nwidth_cm = 70\n"
    assert with_keys(text, ("ring",), {"corners_px": "[]"}) == "[ring]\ncorners_px = []\nwidth_cm = 70\n"
    assert without_key(text, ("ring",), "corners_px") == "[ring]\nwidth_cm = 70\n"
    assert without_key(text, ("ring",), "depth_cm") == text


def test_what_is_saved_by_hand_meanwhile_holds_and_is_not_gone_over(tmp_path: Path) -> None:
    path = tmp_path / "event.toml"
    path.write_bytes(DEMO_EVENT.read_bytes())
    people = EventPeople(Draft(path))
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("height_cm = 14.3", "height_cm = 14.9  # by hand"), encoding="utf-8")
    people.put_player(Person("nadia", 19.0, 8.0))
    event = load_event(path)
    assert (event.fighter[0].height_cm, event.player[-1].id) == (14.9, "nadia")
    path.write_text("[ring\nhalf = written", encoding="utf-8")
    with pytest.raises(NotSo) as refused:
        people.put_player(Person("pedro", 19.0, 8.0))
    assert "somebody else" in translate(refused.value.text, "en")
    assert path.read_text(encoding="utf-8") == "[ring\nhalf = written"
    path.unlink()
    people.put_player(Person("pedro", 19.0, 8.0))
    assert load_event(path).player[-1].id == "pedro"


def test_two_browsers_at_once_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "event.toml"
    people = EventPeople(Draft(path))
    names = [f"p{number}" for number in range(24)]
    with ThreadPoolExecutor(8) as browsers:
        list(browsers.map(lambda name: people.put_player(Person(name, 19.0)), names))
    assert sorted(one.id for one in EventPeople(Draft(path)).players()) == sorted(names)


@pytest.mark.parametrize(
    ("text", "header"),
    [
        ("ring = { width_cm = 70 }\n", "[ring]"),
        ("ring.width_cm = 70\n", "[ring]"),
        ('player = [{ id = "ana" }]\n[ring]\n', "[[player]]"),
    ],
)
def test_tables_on_one_line_are_refused_with_what_to_write(tmp_path: Path, text: str, header: str) -> None:
    path = tmp_path / "event.toml"
    path.write_text(text, encoding="utf-8")
    draft = Draft(path)
    table: tuple[str | int, ...] = ("player", 0) if "player" in header else ("ring",)
    with pytest.raises(SaidError, match="table of its own") as refused:
        without_table(draft.read(), table)
    with pytest.raises(SaidError, match="table of its own"):
        with_keys(draft.read(), table, {"width_cm": "71"})
    assert header in str(refused.value)


def test_a_ring_that_is_no_table_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "event.toml"
    path.write_text("ring = 3\n", encoding="utf-8")
    with pytest.raises(EventError, match="ring"):
        Draft(path)


def test_what_a_set_up_lacks_is_said_as_what_to_do_in_which_step(tmp_path: Path) -> None:
    draft = Draft(tmp_path / "new.toml")

    def said() -> list[str]:
        with pytest.raises(EventError) as refused:
            draft.event()
        return [translate(one, "en") for one in lacking(refused.value, {"F1": "Ñandú"})]

    assert said() == [
        "Step “Ring”: say how big the mat is and how high the posts are",
        "Step “Ring”: point at the mat's four corners and write them into the file",
        "Step “Who plays”: write down who plays",
        "Step “Who plays”: write down the fighters",
    ]
    draft.write("[ring]\nwidth_cm = 70\ndepth_cm = 70\npost_height_cm = 14\n")
    people = EventPeople(draft)
    people.put_player(Person("ana"))
    people.put_fighter(Wrestler("", "Ñandú", "ana", "beast", 12.0))
    assert said() == [
        "Step “Ring”: point at the mat's four corners and write them into the file",
        "Step “Hands”: measure both hands of ana, the open one and the closed one",
        "Step “Fighters”: point at Ñandú in the picture: its colour, its feet and where it looks",
    ]
    # What is wrong rather than missing stays as it is said of any file.
    draft.write(draft.read().replace("height_cm = 12", "height_cm = 200"))
    assert "height_cm" in said()[0]
