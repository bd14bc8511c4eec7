"""What the types cannot say: repeated ids, references that lead nowhere, hands that cannot be.

Works on the raw data, so that these are reported together with the typing errors of the same file.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from palmo.errors import CONTROL, text
from palmo.event.lines import KeyPath
from rules.smackkatz.weigh_in import same_colours
from rules.text import Text

Finding = tuple[KeyPath, Text]


def cross_checks(data: dict[str, Any]) -> Iterator[Finding]:
    """Yield (key path, what is wrong and what to do) for everything that involves more than one key."""
    players, fighters = _tables(data, "player"), _tables(data, "fighter")
    yield from _repeated("player", players)
    yield from _repeated("fighter", fighters)
    known = [player["id"] for _, player in players if isinstance(player.get("id"), str)]
    for number, player in players:
        open_hand, closed = player.get("palm_cm"), player.get("half_palm_cm")
        if isinstance(open_hand, int | float) and isinstance(closed, int | float) and closed >= open_hand:
            yield (
                ("player", number, "half_palm_cm"),
                text("error.check.hand", closed=f"{closed:g}", open=f"{open_hand:g}"),
            )
    for number, fighter in fighters:
        owner = fighter.get("player")
        if isinstance(owner, str) and owner not in known:
            there = ", ".join(known) or text("error.check.none")
            yield ("fighter", number, "player"), text("error.check.player", owner=owner, known=there)
        yield from _colour(number, fighter)
        yield from _unseen(("fighter", number, "name"), fighter.get("name"))
        sheet = fighter.get("sheet")
        if isinstance(sheet, dict):
            yield from _unseen(("fighter", number, "sheet", "finisher"), sheet.get("finisher"))
            yield from _of_edition(number, sheet, data)
    yield from _same_colours(fighters)
    yield from _agreed(data)


def _same_colours(fighters: list[tuple[int, dict[str, Any]]]) -> Iterator[Finding]:
    """Every wrestler has a colour of its own (a box on the picture is compared by the camera)."""
    colours = {
        str(number): fighter["colour"]
        for number, fighter in fighters
        if isinstance(fighter.get("colour"), str)
    }
    for first, second in same_colours(colours):
        other = fighters[int(first)][1].get("id", "")
        yield ("fighter", int(second), "colour"), text("error.check.same_colour", other=str(other))


def _of_edition(number: int, sheet: dict[str, Any], data: dict[str, Any]) -> Iterator[Finding]:
    """Technique is of the current edition, Spirit of the earlier one."""
    match = data.get("match")
    earlier = isinstance(match, dict) and match.get("edition") == "earlier"
    wanted, other = ("spirit", "technique") if earlier else ("technique", "spirit")
    edition = "earlier" if earlier else "current"
    if wanted not in sheet:
        yield ("fighter", number, "sheet"), text("error.check.no_ability", ability=wanted, edition=edition)
    if other in sheet:
        yield (
            ("fighter", number, "sheet", other),
            text("error.check.other_ability", ability=wanted, edition=edition),
        )


def _agreed(data: dict[str, Any]) -> Iterator[Finding]:
    """A modifier and a house rule that say the contrary."""
    match = data.get("match")
    if not isinstance(match, dict):
        return
    modifiers, rulings = match.get("modifiers"), match.get("rulings")
    if not isinstance(modifiers, list) or not isinstance(rulings, dict):
        return
    for modifier, name, value in (("no_dq", "disqualification", "on"), ("tag", "tag_rules", "off")):
        if modifier in modifiers and rulings.get(name) == value:
            yield (
                ("match", "modifiers"),
                text("error.check.modifier", modifier=modifier, ruling=name, value=value),
            )


def _colour(number: int, fighter: dict[str, Any]) -> Iterator[Finding]:
    has_box, has_colour = "colour_box_px" in fighter, "colour" in fighter
    if not has_box and not has_colour:
        yield (
            ("fighter", number),
            text("error.check.no_colour"),
        )
    if has_box and has_colour:
        yield ("fighter", number, "colour"), text("error.check.two_colours")
    box = fighter.get("colour_box_px")
    if isinstance(box, list) and len(box) == 4 and all(isinstance(n, int | float) for n in box[2:]):
        width, height = box[2:]
        if width < 2 or height < 2:
            yield (
                ("fighter", number, "colour_box_px"),
                text("error.check.small_box", width=f"{width:g}", height=f"{height:g}"),
            )


def _unseen(key: KeyPath, name: Any) -> Iterator[Finding]:
    """A name goes to terminals, pages and pictures: nothing in it may steer them."""
    found = CONTROL.search(name) if isinstance(name, str) else None
    if found is not None:
        yield key, text("error.check.control", code=f"U+{ord(found[0]):04X}")


def _repeated(kind: str, tables: list[tuple[int, dict[str, Any]]]) -> Iterator[Finding]:
    seen: set[str] = set()
    for number, table in tables:
        name = table.get("id")
        if isinstance(name, str):
            if name in seen:
                yield (kind, number, "id"), text("error.check.repeated", id=name, table=f"[[{kind}]]")
            seen.add(name)


def _tables(data: dict[str, Any], kind: str) -> list[tuple[int, dict[str, Any]]]:
    tables = data.get(kind)
    if not isinstance(tables, list):
        return []
    return [(number, table) for number, table in enumerate(tables) if isinstance(table, dict)]
