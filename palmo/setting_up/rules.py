"""What is agreed before a match: edition, kind of match, house rules, chosen from what the rulebook knows."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from overlay.setup.desk import Agreed, NotSo, Offer, Offered, Proposal
from palmo.calibrating.event_text import Draft
from palmo.calibrating.ring_desk import refusing
from palmo.errors import SaidError
from palmo.event.edit import with_keys, with_section, without_key
from palmo.event.lines import key_lines
from palmo.play.rulebooks import edition_of
from palmo.setting_up.checked import write
from rules.engine.rulebook import Rulebook
from rules.engine.rulings import RulingError
from rules.smackkatz.book import CURRENT, EDITIONS
from rules.smackkatz.discussion import PROPOSALS
from rules.smackkatz.lookup import HouseRule, house_rules
from rules.smackkatz.modes.table import MODIFIERS, participants
from rules.text import Text

_MATCH = ("match",)
_RULINGS = ("match", "rulings")


class EventRules:
    """Implements `overlay.setup.desk.RulesDesk` over an event file in the making."""

    def __init__(self, draft: Draft) -> None:
        self._draft = draft

    def agreed(self) -> Agreed:
        """What stands in the file; the usual where it says nothing or what is not known."""
        match = self._match()
        book = self._book(match)
        modifiers = match.get("modifiers", [])
        given = modifiers if isinstance(modifiers, list) else []
        return Agreed(
            book.edition,
            str(match.get("mode", book.modes[0])),
            tuple(one for one in MODIFIERS if one in given),
        )

    def offered(self) -> Offered:
        """Everything that may be chosen in the edition that is agreed, and what is chosen."""
        match = self._match()
        book, set_here = self._book(match), self._rulings(match)
        return Offered(
            editions=[Offer(name, Text(f"edition.{name}")) for name in EDITIONS],
            modes=[Offer(one, _mode(one)) for one in book.modes],
            modifiers=[Offer(one, Text(f"modifier.{one}")) for one in MODIFIERS],
            house_rules=self._house_rules(book, set_here),
            proposals=[
                Proposal(name, set_here.get(name) is True)
                for name, one in book.catalogue.named.items()
                if name in PROPOSALS and not one.fixed
            ],
        )

    def agree(self, agreed: Agreed) -> None:
        """Write edition, kind of match and modifiers. Raises NotSo for a match that cannot be."""
        with self._draft.lock, refusing():
            match = self._match()
            book = edition_of(agreed.edition)
            if agreed.mode not in book.modes:
                raise SaidError("error.match.mode", mode=agreed.mode, modes=", ".join(book.modes))
            _resolved(book, agreed.mode, self._rulings(match))
            values = {
                "edition": _toml(agreed.edition),
                "mode": _toml(agreed.mode),
                "modifiers": _toml(list(agreed.modifiers)),
            }
            content = with_keys(with_section(self._draft.read(), "match"), _MATCH, values)
            write(self._draft, content, [(*_MATCH, key) for key in values])

    def rule(self, name: str, value: Any) -> None:
        """Agree on a house rule; None leaves it as the rulebook has it. Raises NotSo."""
        with self._draft.lock, refusing():
            match = self._match()
            book, rulings = self._book(match), dict(self._rulings(match))
            rulings.pop(name, None)
            if value is not None:
                rulings[name] = value
            _resolved(book, self.agreed().mode, rulings)
            content = _with_ruling(with_section(self._draft.read(), "match"), rulings, name)
            write(self._draft, content, [_RULINGS, (*_MATCH, "modifiers")])

    def _match(self) -> Mapping[str, Any]:
        match = self._draft.data.get("match", {})
        return match if isinstance(match, dict) else {}

    def _rulings(self, match: Mapping[str, Any]) -> Mapping[str, Any]:
        rulings = match.get("rulings", {})
        return rulings if isinstance(rulings, dict) else {}

    def _book(self, match: Mapping[str, Any]) -> Rulebook[Any]:
        return EDITIONS.get(str(match.get("edition")), CURRENT)

    def _house_rules(self, book: Rulebook[Any], set_here: Mapping[str, Any]) -> Sequence[HouseRule]:
        """Those there is something to choose of, with what is set in the file or comes with the match."""
        in_force = {one.name: one.default for one in book.catalogue.choices}
        in_force |= {name: value for name, value in set_here.items() if name in in_force}
        return [
            one for one in house_rules(book.catalogue, in_force) if len(one.values) > 1 or one.low is not None
        ]


def _mode(mode: str) -> Text:
    """A kind of match with how many it is for."""
    fewest, most = participants(mode, "by_mode")
    key = "setup.mode" if fewest < most else "setup.mode.exactly"
    return Text(key, {"mode": Text(f"mode.{mode}"), "fewest": fewest, "most": most})


def _resolved(book: Rulebook[Any], mode: str, rulings: Mapping[str, Any]) -> None:
    """Let the rulebook look at house rules. Raises NotSo with what it refuses."""
    known = book.mode_rulings(mode) if mode in book.modes else {}
    try:
        book.catalogue.resolve({**known, **rulings})
    except RulingError as error:
        raise NotSo(error.text) from error


def _with_ruling(content: str, rulings: Mapping[str, Any], name: str) -> str:
    """The text with one house rule changed, written as its owner writes them. Raises PalmoError."""
    known = key_lines(content)
    line = known.get(_RULINGS)
    if line is not None and content.split("\n")[line - 1].lstrip().startswith("["):
        if name in rulings:
            return with_keys(content, _RULINGS, {name: _toml(rulings[name])})
        return without_key(content, _RULINGS, name)
    if line is None and any(path[:2] == _RULINGS for path in known):
        raise SaidError("error.event.inline", name="match.rulings", header="[match.rulings]")
    if not rulings:
        return without_key(content, _MATCH, "rulings")
    listed = ", ".join(f"{key} = {_toml(value)}" for key, value in rulings.items())
    return with_keys(content, _MATCH, {"rulings": f"{{ {listed} }}"})


def _toml(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
