"""What a simulation plays: edition, mode and made-up wrestlers, checked with the user's own words."""

from __future__ import annotations

from palmo.errors import SaidError, texts
from palmo.play.players import PLAYERS
from palmo.play.rulebooks import edition_of
from palmo.play.sparring import Bout, sparring_roster
from rules.engine.match import Match
from rules.smackkatz.book import CURRENT, EARLIER
from rules.smackkatz.modes import table as modes
from rules.text import listed

USUAL = 4
"""Wrestlers in a simulated match whose mode allows it."""

_FORMS = {book.edition: book.rules.form for book in (CURRENT, EARLIER)}


def bout_of(*, players: str, edition: str, mode: str | None, fighters: int | None, seed: int) -> Bout:
    """The bout of these options. Raises PalmoError, naming the option, for what there is not."""
    name = next((known for known in PLAYERS if known == players), None)
    if name is None:
        raise SaidError("error.bout.players", given=players, known=listed(list(PLAYERS)))
    book = edition_of(edition)
    mode = book.modes[0] if mode is None else mode
    if mode not in book.modes:
        raise SaidError("error.bout.mode", given=mode, known=", ".join(book.modes))
    kind = modes.mode(mode)
    count = fighters or min(kind.most, max(kind.fewest, USUAL))
    form = _FORMS[edition]
    roster = sparring_roster(count, form.main, form.fighting, seed, kind.teams_of)
    try:
        Match(book, roster, mode=mode)
    except ValueError as error:
        raise SaidError("error.bout.fighters", given=count, why=texts(error)[0]) from None
    return Bout(roster, mode, book.name, edition, name, seed=seed)
