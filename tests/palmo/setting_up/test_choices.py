"""Sheets, teams, kinds of match and house rules chosen on the set-up page and written down."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from overlay.i18n import translate
from overlay.setup.desk import Agreed, FilledIn, NotSo, Person, Sizes, Wrestler
from palmo.calibrating.event_text import Draft
from palmo.demo_files import DEMO_CLIP, DEMO_EVENT
from palmo.event import load_event
from palmo.event.edit import with_subtable
from palmo.setting_up.desk import EventSetup
from palmo.setting_up.people import EventPeople
from palmo.setting_up.rules import EventRules
from palmo.setting_up.shots import Photos

EVEN = dict.fromkeys(
    (
        "combat", "speed", "strength", "technique", "resistance",
        "strike", "irish_whip", "suplex", "submission", "counter",
    ),
    2,
)  # fmt: skip


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "event.toml"
    path.write_bytes(DEMO_EVENT.read_bytes())
    return path


def first(path: Path) -> Wrestler:
    return EventPeople(Draft(path)).fighters()[0]


def refusal(act: object, *given: object) -> str:
    with pytest.raises(NotSo) as refused:
        act(*given)  # type: ignore[operator]
    return translate(refused.value.text, "en")


def test_a_sheet_is_written_and_what_the_page_does_not_show_stays(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    title = 'titles = [{ title = "Campeón", ability = "combat" }]\n'
    path.write_text(text.replace("[fighter.sheet]\n", f"[fighter.sheet]\n{title}", 1), encoding="utf-8")
    people, one = EventPeople(Draft(path)), first(path)
    sheet = FilledIn(EVEN | {"combat": 3, "speed": 1}, "La Siesta", "on_ropes")
    people.put_fighter(replace(one, team="rojo", sheet=sheet))
    event = load_event(path)
    written = event.fighter[0]
    assert written.sheet is not None
    assert (written.sheet.combat, written.sheet.speed, written.sheet.finisher) == (3, 1, "La Siesta")
    assert (written.sheet.titles[0].title, written.team) == ("Campeón", "rojo")
    assert written.foot_px is not None
    # Without a sheet the one it has stays; without a team it leaves its team.
    people.put_fighter(replace(one, sheet=None))
    people.put_fighter(replace(one, sheet=FilledIn(EVEN)))
    written = load_event(path).fighter[0]
    assert written.team is None
    assert written.sheet is not None
    assert (written.sheet.combat, written.sheet.finisher, written.sheet.trigger) == (2, None, None)


def test_a_fighter_without_a_sheet_gets_one_in_its_own_table(tmp_path: Path) -> None:
    people = EventPeople(Draft(tmp_path / "new.toml"))
    people.put_player(Person("ana"))
    fast = EVEN | {"combat": 1, "speed": 3}
    for name in ("Uno", "Dos"):
        people.put_fighter(Wrestler("", name, "ana", "beast", 12.0))
    people.put_fighter(Wrestler("F1", "Uno", "ana", "beast", 12.0, sheet=FilledIn(EVEN)))
    people.put_fighter(Wrestler("", "Tres", "ana", "beast", 12.0, sheet=FilledIn(fast)))
    sheets = [one.sheet for one in EventPeople(Draft(tmp_path / "new.toml")).fighters()]
    assert [None if sheet is None else sheet.scores["speed"] for sheet in sheets] == [2, None, 3]


def test_a_sheet_the_rules_refuse_changes_nothing(path: Path) -> None:
    people, one = EventPeople(Draft(path)), first(path)
    before = path.read_bytes()
    for scores, told in (
        ({"combat": 4}, "Combat adds up to 12"),
        ({"strike": 0, "counter": 4}, "SHEET-10"),
        ({"combat": 9}, "Combat"),
    ):
        changed = Wrestler(one.id, "Otro", one.player, one.kind, 9.0, sheet=FilledIn(EVEN | scores))
        assert told in refusal(people.put_fighter, changed)
    new = Wrestler("", "Nuevo", one.player, one.kind, 9.0, sheet=FilledIn({}))
    refusal(people.put_fighter, new)
    assert path.read_bytes() == before


def test_what_cannot_be_is_refused_with_the_field_and_its_bounds(path: Path) -> None:
    draft = Draft(path)
    people, one = EventPeople(draft), first(path)
    with Photos([str(DEMO_CLIP)]) as photos:
        desk = EventSetup(draft, photos, steps=("ring",))
        told = refusal(desk.put_sizes, Sizes(5.0, 70.0, 16.0))
    assert "width_cm" in told
    assert "20" in told
    told = refusal(people.put_player, Person("ana", 99.0, 8.0))
    assert "palm_cm of player ana" in told
    assert "30" in told
    refusal(people.put_player, Person("ana", 12.0, 13.0))
    assert "height_cm" in refusal(people.put_fighter, Wrestler(one.id, "A", one.player, one.kind, 400.0))
    assert "nobody" in refusal(people.put_fighter, Wrestler(one.id, "A", "nobody", one.kind, 14.0))
    assert "F77" in refusal(people.put_fighter, Wrestler("F77", "A", one.player, one.kind, 14.0))
    assert path.read_bytes() == DEMO_EVENT.read_bytes()


def test_house_rules_are_written_on_one_line_or_in_their_own_table(path: Path) -> None:
    rules = EventRules(Draft(path))
    rules.agree(Agreed("current", "elimination", ("tag",)))
    rules.rule("count_out_limit", 5)
    rules.rule("PROP-07", True)
    rules.rule("rope_gap_cm", 1.5)
    rules.rule("count_out_limit", None)
    match = load_event(path).match
    assert (match.mode, match.modifiers) == ("elimination", ["tag"])
    assert match.rulings == {"PROP-07": True, "rope_gap_cm": 1.5}
    offered = rules.offered()
    assert next(one for one in offered.house_rules if one.name == "rope_gap_cm").now == 1.5
    assert [one.id for one in offered.proposals if one.agreed] == ["PROP-07"]
    rules.rule("PROP-07", None)
    rules.rule("rope_gap_cm", None)
    assert "rulings" not in path.read_text(encoding="utf-8")
    path.write_text(
        path.read_text(encoding="utf-8") + "\n[match.rulings]  # ours\npost_damage = 4\n", "utf-8"
    )
    rules.rule("count_out_limit", 5)
    rules.rule("post_damage", None)
    assert load_event(path).match.rulings == {"count_out_limit": 5}
    assert "# ours" in path.read_text(encoding="utf-8")


def test_what_the_rulebook_refuses_is_said_and_not_written(path: Path) -> None:
    rules = EventRules(Draft(path))
    before = path.read_bytes()
    for name, value in (
        ("count_out_limit", 7),
        ("rope_gap_cm", -1),
        ("no_such_rule", True),
        ("PROP-07", "perhaps"),
        ("weapons_foul", [1, 2]),
    ):
        assert name in refusal(rules.rule, name, value)
    assert "katz_rumble" in refusal(rules.agree, Agreed("earlier", "katz_rumble"))
    refusal(rules.agree, Agreed("medieval", "elimination"))
    refusal(rules.agree, Agreed("current", "elimination", ("no_such",)))
    assert path.read_bytes() == before
    rules.rule("disqualification", "off")
    refusal(rules.rule, "weapons_foul", True)
    assert load_event(path).match.rulings == {"disqualification": "off"}


def test_keys_with_points_in_them_are_refused_with_what_to_write(path: Path) -> None:
    path.write_text(path.read_text(encoding="utf-8").rstrip() + "\nrulings.post_damage = 4\n", "utf-8")
    assert "[match.rulings]" in refusal(EventRules(Draft(path)).rule, "count_out_limit", 5)


def test_a_match_the_rules_refuse_is_said_before_it_begins(path: Path) -> None:
    with Photos([str(DEMO_CLIP)]) as photos:
        desk = EventSetup(Draft(path), photos)
        assert desk.missing() == []
        desk.rules.agree(Agreed("current", "survivor_series"))
        (told,) = desk.missing()
        assert "survivor_series" in translate(told, "en")
        desk.rules.agree(Agreed("earlier", "wrestling_match"))
        assert all("spirit" in translate(one, "en") for one in desk.missing())
        assert [one.id for one in desk.people.sheet_form().main][3] == "spirit"


def test_a_table_in_a_table_is_put_behind_its_keys() -> None:
    text = '[[fighter]]\nid = "A"\n\n[[fighter]]\nid = "B"\n'
    once = with_subtable(text, ("fighter", 0, "sheet"), "fighter.sheet")
    assert once == '[[fighter]]\nid = "A"\n[fighter.sheet]\n\n[[fighter]]\nid = "B"\n'
    assert with_subtable(once, ("fighter", 0, "sheet"), "fighter.sheet") == once
