"""Who takes part, with whose hand and which sheet, in which ring: what a match is opened with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from rules.scene import FARTHEST_CM, Hand, Ring


@dataclass(frozen=True)
class Entrant:
    """One fighter as registered. `sheet` is checked by the rulebook, `kind` is its class there."""

    id: str
    name: str
    player: str
    hand: Hand
    kind: str = "humanoid"
    sheet: Mapping[str, Any] = field(default_factory=dict)
    team: str | None = None


@dataclass(frozen=True)
class Roster:
    """All entrants in the order of the event file, and the ring they meet in."""

    entrants: tuple[Entrant, ...]
    ring: Ring

    def __getitem__(self, fighter: str) -> Entrant:
        for entrant in self.entrants:
            if entrant.id == fighter:
                return entrant
        raise KeyError(fighter)

    def to_json(self) -> dict[str, Any]:
        """The roster as plain data for the log's header."""
        entrants = [{**asdict(entrant), "sheet": dict(entrant.sheet)} for entrant in self.entrants]
        return {"entrants": entrants, "ring": asdict(self.ring)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Roster:
        """The inverse of `to_json`. Raises KeyError or TypeError for what is missing or of another kind."""
        entrants = tuple(_entrant(one) for one in data["entrants"])
        return cls(entrants, Ring(**_lengths("ring", data["ring"], ("width", "depth"))))


_WORDS = ("id", "name", "player", "kind")


def _entrant(data: Mapping[str, Any]) -> Entrant:
    for name in _WORDS:
        if not isinstance(data.get(name, ""), str):
            raise TypeError(f"'{name}' of an entrant")
    if not isinstance(data.get("team"), str | None):
        raise TypeError("'team' of an entrant")
    if not isinstance(data.get("sheet", {}), Mapping):
        raise TypeError("'sheet' of an entrant")
    hand = Hand(**_lengths("hand", data["hand"], ("palm", "half_palm")))
    return Entrant(**{**data, "hand": hand})


def _lengths(what: str, data: Mapping[str, Any], positive: tuple[str, ...]) -> Mapping[str, Any]:
    """The data, when all of it are lengths in cm; those named are more than nothing."""
    for name, value in data.items():
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if not number or not 0 <= value <= FARTHEST_CM or (name in positive and value == 0):
            raise TypeError(f"'{name}' of the {what}")
    return data
