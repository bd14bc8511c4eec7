"""What the set-up pages ask of whoever runs them, and the types that pass between."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from rules.smackkatz.lookup import HouseRule
from rules.text import Text

Point = tuple[float, float]
Points = Sequence[Point]
Image = NDArray[np.uint8]
HandKind = Literal["open", "closed"]
FighterKind = Literal["humanoid", "beast", "absurd"]
Step = Literal["ring", "people", "rules", "fighters", "hands", "begin"]


class NotSo(ValueError):
    """What was asked cannot be done; `text` says why."""

    def __init__(self, text: Text) -> None:
        self.text = text
        super().__init__(text.key)


@dataclass(frozen=True)
class RingCheck:
    """What is said of some clicks: sentences, the verdict ("good", "usable", "redo"), and chains of pixels
    that must lie on the mat's edge, its grid and the posts."""

    lines: Sequence[Text]
    verdict: str
    chains: Sequence[Points]


@dataclass(frozen=True)
class StickCheck:
    """A stick of known length measured on the mat: its sentence and verdict."""

    line: Text
    verdict: str


class RingDesk(Protocol):
    """Who knows the picture, the sizes and the event file. Every act raises NotSo with the reason."""

    @property
    def image(self) -> Image:
        """The picture (H, W, 3) BGR, averaged over some frames."""
        ...

    def clicks(self) -> tuple[Points, Points]:
        """Corners and tops as the event file has them; either may be empty."""
        ...

    def propose(self) -> tuple[Points, Points]:
        """Corners and tops as the picture shows them."""
        ...

    def check(self, corners: Points, tops: Points) -> RingCheck:
        """How good a camera from these clicks is."""
        ...

    def stick(self, corners: Points, tops: Points, ends: Points, length_cm: float) -> StickCheck:
        """How long a stick on the mat is by these clicks."""
        ...

    def save(self, corners: Points, tops: Points) -> Text:
        """Take the clicks over, leaving everything else as it is; what was done."""
        ...


@dataclass(frozen=True)
class Sizes:
    """What is measured at the ring with a ruler, in cm; None while nobody has."""

    width_cm: float | None = None
    depth_cm: float | None = None
    post_height_cm: float | None = None


@dataclass(frozen=True)
class Person:
    """A player with the hand as far as it is known, in cm."""

    id: str
    palm_cm: float | None = None
    half_palm_cm: float | None = None
    palm_sd_cm: float | None = None


@dataclass(frozen=True)
class Offer:
    """Something that may be chosen, and how it is called."""

    id: str
    name: Text


@dataclass(frozen=True)
class SheetForm:
    """The sheet of the edition that is played: the abilities of both halves, each from 0 to `highest`, and
    the positions of a rival that allow a finisher."""

    main: Sequence[Offer]
    fighting: Sequence[Offer]
    highest: int
    triggers: Sequence[tuple[str, Text]]


@dataclass(frozen=True)
class FilledIn:
    """A sheet as it was filled in: points by ability, the finisher's name and what allows it, or ""."""

    scores: Mapping[str, int]
    finisher: str = ""
    trigger: str = ""


@dataclass(frozen=True)
class Wrestler:
    """A fighter as far as it is known: whose, and where it was pointed at, in pixels.

    `box` is u, v, width, height of its colour; `nose` a point in front of its feet. Without a `sheet` it has
    the same points everywhere.
    """

    id: str
    name: str
    player: str
    kind: FighterKind
    height_cm: float | None = None
    box: tuple[float, float, float, float] | None = None
    colour: str | None = None
    foot: Point | None = None
    nose: Point | None = None
    team: str | None = None
    sheet: FilledIn | None = None


@dataclass(frozen=True)
class Agreed:
    """What is agreed before a match besides its house rules."""

    edition: str
    mode: str
    modifiers: tuple[str, ...] = ()


@dataclass(frozen=True)
class Proposal:
    """A proposal of the players that may be agreed by its id, and whether it is."""

    id: str
    agreed: bool


@dataclass(frozen=True)
class Offered:
    """All that may be chosen before a match. Proposals and house rules name the rules that explain them."""

    editions: Sequence[Offer]
    modes: Sequence[Offer]
    modifiers: Sequence[Offer]
    house_rules: Sequence[HouseRule]
    proposals: Sequence[Proposal]


@dataclass(frozen=True, eq=False)
class Rating:
    """How well the fighters' colours can be told apart, worst pair first: "apart", "strays" (mat or table
    would be taken for a fighter), "close", "same"; "some" when those pointed at can be and others must still
    be pointed at. The last line sums it up.

    `picture` draws, in a language, what would be mixed up.
    """

    lines: Sequence[Text]
    verdict: str
    picture: Callable[[str], Image]


@dataclass(frozen=True)
class Laid:
    """One placement of a hand: its two ends in pixels of its picture, its length and sd in cm, found how."""

    ends: Points
    cm: float
    sd_cm: float
    by: Text


@dataclass(frozen=True)
class HandView:
    """A player's hand as it was laid so far; `lines` say what comes of it, `verdict` how good it is."""

    laid: Sequence[Laid] = field(default_factory=tuple)
    lines: Sequence[Text] = field(default_factory=tuple)
    verdict: str = ""


class PeopleDesk(Protocol):
    """Who plays, with whom. Every act raises NotSo."""

    def players(self) -> Sequence[Person]:
        """The players."""
        ...

    def fighters(self) -> Sequence[Wrestler]:
        """The fighters."""
        ...

    def put_player(self, player: Person) -> None:
        """Add a player, or change the hand of one that is there."""
        ...

    def drop_player(self, player: str) -> None:
        """Take a player without fighters out."""
        ...

    def put_fighter(self, fighter: Wrestler) -> None:
        """Add a fighter (its id is ""), or change what is said of one; not where it was pointed at.

        Without a sheet the one it has stays.
        """
        ...

    def sheet_form(self) -> SheetForm:
        """The sheet to fill in."""
        ...

    def drop_fighter(self, fighter: str) -> None:
        """Take a fighter out."""
        ...


class RulesDesk(Protocol):
    """What is agreed before the match. Every act raises NotSo."""

    def agreed(self) -> Agreed:
        """What is agreed."""
        ...

    def offered(self) -> Offered:
        """What may be."""
        ...

    def agree(self, agreed: Agreed) -> None:
        """Agree on edition, kind of match and modifiers."""
        ...

    def rule(self, name: str, value: Any) -> None:
        """Agree on a house rule or a proposal; None leaves it as the rulebook has it."""
        ...


class FightersDesk(Protocol):
    """Fighters pointed at in the table's picture. Every act raises NotSo."""

    def point(self, fighter: str, box: Sequence[float], foot: Point, nose: Point) -> None:
        """A fighter's colour, the middle of its feet and where it looks, pointed at."""
        ...

    def rate(self) -> Rating:
        """The colours of all fighters that were pointed at."""
        ...


class HandsDesk(Protocol):
    """Hands laid on the mat. Every act raises NotSo."""

    @property
    def image(self) -> Image:
        """The picture of the hand that is pointed at."""
        ...

    def look(self) -> None:
        """Take a new picture."""
        ...

    def view(self, player: str, kind: HandKind) -> HandView:
        """What was laid so far."""
        ...

    def lay(self, player: str, kind: HandKind, ends: Points | None) -> HandView:
        """Measure the hand in the picture between two ends, or look for it; and write it down."""
        ...

    def lift(self, player: str, kind: HandKind, number: int) -> HandView:
        """Forget a placement."""
        ...


class SetupDesk(Protocol):
    """The whole of a set-up."""

    @property
    def steps(self) -> Sequence[Step]:
        """What is to be done here, in order."""
        ...

    @property
    def image(self) -> Image:
        """The table as it is when the match begins."""
        ...

    @property
    def refusal(self) -> Text | None:
        """Why the match could not begin when it was tried last."""
        ...

    @property
    def ring(self) -> RingDesk:
        """The ring's. Raises NotSo while its sizes are not known."""
        ...

    @property
    def people(self) -> PeopleDesk:
        """Who plays."""
        ...

    @property
    def rules(self) -> RulesDesk:
        """What is agreed."""
        ...

    @property
    def pointing(self) -> FightersDesk:
        """The fighters in the picture."""
        ...

    @property
    def hands(self) -> HandsDesk:
        """The hands."""
        ...

    def sizes(self) -> Sizes:
        """The ring's sizes."""
        ...

    def put_sizes(self, sizes: Sizes) -> None:
        """Write the ring's sizes down."""
        ...

    def look(self) -> None:
        """Take a new picture of the table."""
        ...

    def missing(self) -> Sequence[Text]:
        """What stands between this set-up and a match."""
        ...

    def begin(self) -> None:
        """End the set-up and begin the match."""
        ...
