"""Matrices of the rulebook (catalogue 5.2, 5.3) as tables that are printed as they are read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rules.engine.rulebook import Table
    from rules.smackkatz.state import MatchState

YES = "Y"
"""Allowed as far as this column goes."""
MEANINGLESS = "-"
"""There is no such thing in this state: nothing to offer and nothing to refuse."""
Cells = Mapping[str, Mapping[str, str]]
"""Row -> column -> YES, MEANINGLESS, or the rule that refuses."""


@dataclass(frozen=True)
class Unless:
    """A house rule or an edition that changes cells: `cell` in these rows and columns when it holds."""

    when: Callable[[Table[MatchState]], bool]
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cell: str = YES


class Matrix:
    """A printed table and its exceptions."""

    def __init__(self, *blocks: str, exceptions: Iterable[Unless] = ()) -> None:
        """`blocks` are tables with the columns' names in their first line; a row may stand in several."""
        self.printed: dict[str, dict[str, str]] = {}
        self.exceptions = tuple(exceptions)
        for block in blocks:
            lines = [line.split() for line in block.strip().splitlines()]
            columns = lines[0][1:]
            for row, *cells in lines[1:]:
                assert len(cells) == len(columns), f"row {row} has {len(cells)} cells for {len(columns)}"
                self.printed.setdefault(row, {}).update(zip(columns, cells, strict=True))
        self._under = lru_cache(maxsize=256)(self._changed)

    def under(self, table: Table[MatchState]) -> Cells:
        """The cells in this match."""
        # House rules and editions do not change in a match.
        cells: Cells | None = table.constants.get(self)
        if cells is None:
            cells = table.constants[self] = self._under(tuple(one.when(table) for one in self.exceptions))
        return cells

    def _changed(self, holding: tuple[bool, ...]) -> Cells:
        cells = {row: dict(columns) for row, columns in self.printed.items()}
        for one, holds in zip(self.exceptions, holding, strict=True):
            for row in one.rows if holds else ():
                cells[row].update(dict.fromkeys(one.columns, one.cell))
        return cells


def ruling(name: str, value: object) -> Callable[[Table[MatchState]], bool]:
    """Holds when a house rule has this value."""

    def holds(table: Table[MatchState]) -> bool:
        return bool(table.rulings[name] == value)

    return holds
