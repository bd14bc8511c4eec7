"""The rulebooks that can be played."""

from __future__ import annotations

from typing import Any, Protocol

from palmo.errors import SaidError
from rules.engine.rulebook import Rulebook
from rules.smackkatz.book import CURRENT, EARLIER

_BOOKS: tuple[Rulebook[Any], ...] = (CURRENT, EARLIER)


class Named(Protocol):
    """Whatever names a rulebook and its edition: the event file's [match] or a log's header."""

    @property
    def rulebook(self) -> str:
        """The rulebook's name."""
        ...

    @property
    def edition(self) -> str:
        """Its edition."""
        ...


def rulebook(wanted: Named) -> Rulebook[Any]:
    """The rulebook of that name and edition. Raises PalmoError."""
    return _found(wanted.rulebook, wanted.edition)


def edition_of(edition: str) -> Rulebook[Any]:
    """SmackKatz in an edition. Raises PalmoError."""
    return _found(CURRENT.name, edition)


def _found(name: str, edition: str) -> Rulebook[Any]:
    for book in _BOOKS:
        if (book.name, book.edition) == (name, edition):
            return book
    known = ", ".join(f"{book.name} ({book.edition})" for book in _BOOKS)
    raise SaidError("error.rulebook.unknown", rulebook=name, edition=edition, known=known)
