"""The wrestler whose options are asked for, with what all of them need looked up once."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import cached_property
from operator import attrgetter
from typing import Any, TypeVar

from rules.engine.cite import cite
from rules.engine.request import Reason
from rules.questions import Finding
from rules.smackkatz import sight
from rules.smackkatz.abilities import Ring, speed_left
from rules.smackkatz.legality.own import LOOKED_AT, columns, own_reasons
from rules.smackkatz.state import Wrestler

T = TypeVar("T")
_STATUS = attrgetter(*LOOKED_AT)


class Actor:
    """One wrestler and the columns of catalogue 5.2 that hold for him."""

    def __init__(self, table: Ring, wrestler: Wrestler, columns: tuple[str, ...]) -> None:
        self.table = table
        self.wrestler = wrestler
        self.columns = columns
        self.id = wrestler.id
        # What was found in this match about anybody in the very same status.
        self._known: dict[Any, Any] = table.constants.setdefault((Actor, columns, _STATUS(wrestler)), {})

    def reasons(self, action: str, *, upkeep: bool = False) -> list[Reason]:
        """What about himself keeps him from an action (5.2a to 5.2c)."""
        return list(self.known((action, upkeep), lambda: self._reasons(action, upkeep)))

    def _reasons(self, action: str, upkeep: bool) -> list[Reason]:
        return own_reasons(self.table, self.wrestler, action, self.columns, upkeep=upkeep)

    def known(self, asked: Hashable, work: Callable[[], T]) -> T:
        """What hangs on his status and on what is `asked`, worked out once a match."""
        found: T | None = self._known.get(asked)
        if found is None:
            found = self._known[asked] = work()
        return found

    @cached_property
    def unspent(self) -> int:
        """Speed points left, an open block of movement not counted."""
        return speed_left(self.table, self.id)

    @property
    def speed(self) -> int:
        """Speed points left, an open block of movement counted."""
        state = self.table.state
        return self.unspent - (state.block_cost if state.active == self.id else 0)


@cite("STATUS-13", "RULING-18", "RULING-112")
def locked_with(table: Ring, fighter: str) -> list[str]:
    """The members of his lock-up or melee he is still engaged with: near him, or not known to be away."""
    group = table.state.group_of(fighter)
    return [one for one in group if one != fighter and _linked(sight.adjacent(table, fighter, one))]


def _linked(finding: Finding) -> bool:
    return finding.answer or (finding.too_close and finding.distance is None)


def actor(table: Ring, fighter: str) -> Actor:
    """Look a wrestler up."""
    wrestler = table.state.wrestlers[fighter]
    return Actor(table, wrestler, tuple(columns(wrestler, bool(locked_with(table, fighter)))))
