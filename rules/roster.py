"""Who takes part, with whose hand and which sheet, in which ring: what a match is opened with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from rules.scene import Hand, Ring


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
        """The inverse of `to_json`."""
        entrants = tuple(Entrant(**{**one, "hand": Hand(**one["hand"])}) for one in data["entrants"])
        return cls(entrants, Ring(**data["ring"]))
