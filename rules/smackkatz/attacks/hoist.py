"""Holding a rival overhead: lifting him, the free palms with him up there, and his getting loose."""

from __future__ import annotations

from rules.engine.cite import cite
from rules.engine.request import Option, Procedure
from rules.smackkatz.abilities import Ring
from rules.smackkatz.asking import choose
from rules.smackkatz.consequences.drops import put_beside
from rules.smackkatz.consequences.harm import leave_group
from rules.smackkatz.movement.moving import carry, walk_free
from rules.text import Text


@cite("SUPLEX-02", "SUPLEX-05", "SUPLEX-06", "STATUS-14")
def lift(table: Ring, holder: str, hoisted: str, *rules: str) -> None:
    """A grab: from now on he is up there, out of any lock-up, and cannot act."""
    table.record("hoisted", *rules, "SUPLEX-05", "STATUS-14", fighter=hoisted, by=holder)
    leave_group(table, hoisted, "SUPLEX-05")
    carry(table, holder)


@cite("SUPLEX-04", "RULING-53")
def free_palms(table: Ring, holder: str, palms: int, step: str) -> Procedure[None]:
    """D-12: one free palm for each surviving six, used at once or not at all."""
    if palms < 1 or table.state.outcome is not None:
        return
    options = (
        Option("walk", Text("option.walk_free", {"palms": palms}), rules=("SUPLEX-04",)),
        Option("stay", Text("option.stay_there"), rules=("RULING-53",)),
    )
    text = Text("ask.use_free_palms", {"fighter": holder, "palms": palms})
    chosen = yield from choose(table, holder, f"{step} D-12", text, options, "SUPLEX-04", "RULING-53")
    if chosen == "walk":
        yield from walk_free(table, holder, palms, f"{step} D-12")


@cite("SUPLEX-17", "SUPLEX-18", "SUPLEX-19", "COUNTER-12", "RULING-57", "RULING-114")
def get_loose(table: Ring, hoisted: str, step: str) -> Procedure[None]:
    """He gets loose: on his feet next to the holder, to act once everybody else has; the holder is done."""
    holder = str(table.state.wrestlers[hoisted].hoisted_by)
    table.record("got_loose", "SUPLEX-17", fighter=hoisted, holder=holder)
    yield from put_beside(table, hoisted, holder, step, "SUPLEX-17")
    if table.state.edition.suplex.freed_acts:
        table.record("freed", "SUPLEX-18", "RULING-57", "RULING-114", fighter=hoisted)
        table.record("turn_over", "SUPLEX-19", fighter=holder)
