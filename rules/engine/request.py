"""What the engine asks of the table: a choice, dice, an observation, a placement or a ruling."""

from __future__ import annotations

from collections.abc import Callable, Generator
from functools import cached_property
from typing import Any, Literal, TypeVar

from rules.questions import Finding
from rules.scene import Figure
from rules.text import Text
from rules.value_type import value_type

Kind = Literal["choose", "roll", "observe", "place", "ruling"]
Origin = Literal["referee", "player", "camera", "dice", "clock", "engine"]
ORIGINS: tuple[Origin, ...] = ("referee", "player", "camera", "dice", "clock", "engine")
REFEREE = "referee"


@value_type
class Reason:
    """Why something is not allowed: a code for programs, a sentence for people, the rule."""

    code: str
    text: Text
    rule: str


@value_type
class Option:
    """One possible answer. It is legal when nothing speaks against it.

    `doubts` are measurements too close to call on which its legality hangs: choosing it makes the
    engine ask the referee first.
    """

    id: str
    text: Text
    reasons: tuple[Reason, ...] = ()
    target: str | None = None
    rules: tuple[str, ...] = ()
    doubts: tuple[Finding, ...] = ()

    @property
    def legal(self) -> bool:
        """Whether the option may be answered."""
        return not self.reasons


@value_type
class Modifier:
    """One term of a pool: what it is, how many dice it adds or takes, which rule says so."""

    text: Text
    value: int
    rule: str


@value_type
class Pool:
    """Dice one fighter rolls: `count` dice of `faces` sides; faces >= `threshold` are successes.

    `ability` is the score rolled (None for a plain die); `modifiers` add up to `count`.
    """

    fighter: str
    count: int
    faces: int = 6
    ability: str | None = None
    threshold: int | None = None
    modifiers: tuple[Modifier, ...] = ()


class Request:
    """A question put to the table. It stays open until `Match.answer` accepts an answer.

    Answers by kind: `choose` and `ruling` take an option's id; `roll` the faces of all pools as one
    flat list; `observe` a Scene or a mapping of figure id to Figure; `place` the Figure of `fighter`, or
    "as_proposed" when it stands where it was wanted.

    `finding` is the doubtful measurement a ruling is about. `proposal` is where a `place` request wants
    the figure, `check` refuses placements that will not do.

    Options are computed when first looked at, so that replaying a log does not pay for them.
    """

    def __init__(
        self,
        kind: Kind,
        step: str,
        who: str,
        text: Text,
        *,
        fighter: str | None = None,
        options: Callable[[], tuple[Option, ...]] | tuple[Option, ...] = (),
        rules: tuple[str, ...] = (),
        dice: tuple[Pool, ...] = (),
        finding: Finding | None = None,
        proposal: Figure | None = None,
        check: Callable[[Any], tuple[Reason, ...]] | None = None,
    ) -> None:
        self.kind: Kind = kind
        self.step = step
        self.who = who
        self.text = text
        self.fighter = fighter
        self.rules = rules
        self.dice = dice
        self.finding = finding
        self.proposal = proposal
        self.check = check
        self._options = options

    @cached_property
    def options(self) -> tuple[Option, ...]:
        """Every option, the illegal ones with all reasons."""
        return self._options if isinstance(self._options, tuple) else self._options()

    def renew(self) -> None:
        """Forget options already worked out: the state behind them has changed."""
        self.__dict__.pop("options", None)

    @property
    def settled(self) -> bool:
        """Whether the options were fixed when the question was put, so that no change can reach them."""
        return isinstance(self._options, tuple)

    @property
    def dice_count(self) -> int:
        """How many faces a `roll` answer must have."""
        return sum(pool.count for pool in self.dice)

    def option(self, name: str) -> Option | None:
        """The option of that id, legal or not."""
        return next((option for option in self.options if option.id == name), None)

    def signature(self) -> dict[str, Any]:
        """What the log keeps of a request: enough to notice that a replay asks something else."""
        signature: dict[str, Any] = {"kind": self.kind, "step": self.step, "who": self.who}
        if self.fighter is not None:
            signature["fighter"] = self.fighter
        if self.text.values:
            signature["about"] = {k: v for k, v in self.text.values.items() if not isinstance(v, Text)}
        signature["ask"] = self.text.key
        if self.dice:
            signature["dice"] = [[pool.fighter, pool.count, pool.faces, pool.ability] for pool in self.dice]
        signature["rules"] = list(self.rules)
        return signature

    def __repr__(self) -> str:
        return f"Request({self.kind}, {self.step}, who={self.who}, fighter={self.fighter}, {self.text.key})"


T = TypeVar("T")
Procedure = Generator[Request, Any, T]
"""A stretch of the rulebook: yields requests, receives their answers, returns what it found."""


class Rejected(ValueError):
    """An answer that was not accepted; the match is exactly as before."""

    def __init__(self, reasons: tuple[Reason, ...]) -> None:
        self.reasons = reasons
        super().__init__("; ".join(f"{reason.code} ({reason.rule})" for reason in reasons))


@value_type
class Outcome:
    """How a match ended: the ending's name, who won (nobody in a draw), the rule."""

    ending: str
    winners: tuple[str, ...]
    rule: str
    text: Text
