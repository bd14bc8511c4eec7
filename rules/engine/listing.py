"""Options worked out one after another, as far as somebody reads them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from rules.engine.request import Option
from rules.engine.rulebook import Table


class Listing:
    """The options of one question. Whoever only wants to know whether there is any reads no further.

    What has been worked out holds until something is recorded; then it is worked out anew.
    """

    def __init__(self, table: Table[Any], work: Callable[[], Iterable[Option]]) -> None:
        self._table = table
        self._work = work
        self._start()

    def all(self) -> tuple[Option, ...]:
        """Every option."""
        self._keep_up()
        self._known += self._rest
        return tuple(self._known)

    def offers_more_than(self, *names: str) -> bool:
        """Whether there is a legal option besides those of these ids."""
        return any(one.legal and one.id not in names for one in self)

    def __iter__(self) -> Iterator[Option]:
        self._keep_up()
        yield from self._known
        for one in self._rest:
            self._known.append(one)
            yield one

    def _keep_up(self) -> None:
        if self._table.recorded != self._at:
            self._start()

    def _start(self) -> None:
        self._at = self._table.recorded
        self._known: list[Option] = []
        self._rest = iter(self._work())
