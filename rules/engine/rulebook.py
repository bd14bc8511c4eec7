"""What the engine needs from a rulebook, and the table a rulebook's procedures work on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, Self, TypeVar

from rules.annotations import Annotation
from rules.engine.facts import Fact
from rules.engine.overrule import Correction
from rules.engine.request import Option, Outcome, Procedure, Reason, Request
from rules.engine.rulings import Catalogue, Rulings
from rules.roster import Roster
from rules.scene import Figure, Scene


class State(Protocol):
    """A rulebook's state of the match. Changed by `apply` alone."""

    scene: Scene
    outcome: Outcome | None

    def copy(self) -> Self:
        """An independent copy (frozen parts may be shared)."""
        ...

    def apply(self, fact: Fact) -> None:
        """Carry out one fact."""
        ...

    def to_json(self) -> dict[str, Any]:
        """The whole state as plain data: equal states give equal data."""
        ...


S = TypeVar("S", bound=State)


@dataclass
class Table(Generic[S]):
    """What a procedure sees: the state to read, the agreed rulings, and `record` to change things.

    `accepted` is the answer the referee lets stand against the rules, while what follows from it is played.
    `constants` is for what hangs on the rulings and the edition alone, worked out once. `recorded` counts the
    facts: what was found out about the state holds while it stays the same.
    """

    state: S
    roster: Roster
    rulings: Rulings
    mode: str
    facts: list[Fact] = field(default_factory=list)
    accepted: Any = None
    constants: dict[Any, Any] = field(default_factory=dict, repr=False, compare=False)
    recorded: int = field(default=0, repr=False, compare=False)

    def record(self, kind: str, *rules: str, fighter: str | None = None, **values: Any) -> None:
        """State that something happened, by which rules; the state changes accordingly."""
        assert rules, f"the fact {kind} cites no rule"
        fact = Fact(kind, rules, fighter, values)
        self.state.apply(fact)
        self.facts.append(fact)
        self.recorded += 1


class Rulebook(Protocol[S]):
    """One edition of a game.

    `stage` returns the next stretch of play, which must depend on the state alone: the engine keeps a
    copy of the state before each stage and undoes by replaying the answers since.
    """

    name: str
    edition: str
    modes: tuple[str, ...]
    catalogue: Catalogue

    def mode_rulings(self, mode: str) -> Mapping[str, Any]:
        """The settings a mode brings along, under the house rules given."""
        ...

    def open(self, roster: Roster, rulings: Rulings, mode: str) -> S:
        """The state before anything happened; raises ValueError for a roster the rules refuse."""
        ...

    def stage(self, table: Table[S]) -> Procedure[None]:
        """The next stretch of play."""
        ...

    def end(self, table: Table[S], winners: tuple[str, ...]) -> None:
        """Record that the referee ends the match with these winners."""
        ...

    def explain(self, table: Table[S], fighter: str) -> tuple[Option, ...]:
        """Every action for a fighter, whoever's turn it is, with all that speaks against it."""
        ...

    def corrections(self, table: Table[S]) -> tuple[Correction, ...]:
        """Every field the referee may set now, with its value and what it may become."""
        ...

    def correct(self, table: Table[S], correction: Correction, value: Any, reason: str) -> None:
        """Record that the referee sets a field, and whatever must follow so that the state stays sound."""
        ...

    def still_asked(self, table: Table[S], request: Request, correction: Correction) -> bool:
        """Whether an open request makes sense after a correction; it is brought up to date if it does.

        When it does not, the engine leaves the stage and asks for the next one: `leave` is told first.
        """
        ...

    def leave(self, table: Table[S]) -> None:
        """Record that a stage is left before its end; `stage` goes on from the state."""
        ...

    def accept(self, table: Table[S], request: Request, reasons: tuple[Reason, ...], reason: str) -> None:
        """Record that the referee lets an answer (`table.accepted`) stand that the rules do not allow."""
        ...

    def annotations(
        self, table: Table[S], request: Request | None, figures: Mapping[str, Figure]
    ) -> tuple[Annotation, ...]:
        """What to draw for this state over the figures as they stand now."""
        ...
