"""What the types cannot say: repeated ids, references that lead nowhere, hands that cannot be.

Works on the raw data, so that these are reported together with the typing errors of the same file.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from palmo.errors import CONTROL
from palmo.event.lines import KeyPath

Finding = tuple[KeyPath, str]


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
                f"is {closed:g} but palm_cm, the open hand, is {open_hand:g}; the closed hand is the smaller",
            )
    for number, fighter in fighters:
        owner = fighter.get("player")
        if isinstance(owner, str) and owner not in known:
            listed = ", ".join(known) or "none"
            yield (
                ("fighter", number, "player"),
                f'is "{owner}", and no [[player]] has that id (there is: {listed})',
            )
        yield from _colour(number, fighter)
        yield from _unseen(("fighter", number, "name"), fighter.get("name"))
        sheet = fighter.get("sheet")
        if isinstance(sheet, dict):
            yield from _unseen(("fighter", number, "sheet", "finisher"), sheet.get("finisher"))


def _colour(number: int, fighter: dict[str, Any]) -> Iterator[Finding]:
    has_box, has_colour = "colour_box_px" in fighter, "colour" in fighter
    if not has_box and not has_colour:
        yield (
            ("fighter", number),
            "has neither colour_box_px nor colour; give a box of its colour on the first picture",
        )
    if has_box and has_colour:
        yield ("fighter", number, "colour"), "is given together with colour_box_px; keep one of the two"
    box = fighter.get("colour_box_px")
    if isinstance(box, list) and len(box) == 4 and all(isinstance(n, int | float) for n in box[2:]):
        width, height = box[2:]
        if width < 2 or height < 2:
            yield (
                ("fighter", number, "colour_box_px"),
                f"is {width:g} by {height:g} pixels; draw a box of at least 2 by 2 inside the fighter",
            )


def _unseen(key: KeyPath, text: Any) -> Iterator[Finding]:
    """A name goes to terminals, pages and pictures: nothing in it may steer them."""
    found = CONTROL.search(text) if isinstance(text, str) else None
    if found is not None:
        yield key, f"has a control character in it (U+{ord(found[0]):04X}); write it without"


def _repeated(kind: str, tables: list[tuple[int, dict[str, Any]]]) -> Iterator[Finding]:
    seen: set[str] = set()
    for number, table in tables:
        name = table.get("id")
        if isinstance(name, str):
            if name in seen:
                yield (kind, number, "id"), f'"{name}" is used by an earlier [[{kind}]]; ids must differ'
            seen.add(name)


def _tables(data: dict[str, Any], kind: str) -> list[tuple[int, dict[str, Any]]]:
    tables = data.get(kind)
    if not isinstance(tables, list):
        return []
    return [(number, table) for number, table in enumerate(tables) if isinstance(table, dict)]
