"""One random match for the fuzzer: wrestlers, house rules, a crowded table and players who try everything.

A match first is as wild as its chance; then it is hurried to its end with loaded dice and players who only
attack, so that ten thousand of them can be played. Dice are answers: loaded ones are as good as any.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from datasets.fuzz_referee import Referee
from palmo.play.layout import put, standing
from palmo.play.sparring import Bout, Sparring, sparring_roster
from palmo.play.tabletop import Tabletop
from rules.engine.match import Match
from rules.engine.request import Option, Origin, Pool, Request
from rules.engine.rulings import Choice, RulingError
from rules.roster import Entrant, Roster
from rules.scene import Figure
from rules.smackkatz.book import CURRENT, EARLIER
from rules.smackkatz.modes import table as modes
from rules.smackkatz.sheet import FIGHTING, TRIGGERS

BOOKS = {book.edition: book for book in (CURRENT, EARLIER)}
GAMES = [(edition, mode) for edition, book in BOOKS.items() for mode in book.modes]
"""Every edition with each of its modes."""
MOST_ANSWERS = 10_000
BODY_CM = 6.0
"""How broad the figures of a made-up table are."""
ATTACKS = ("strike", "charge", "whip", "suplex", "submission", "hit_downed", "throw", "dive", "finisher")
WILD = {"pass": 0.3, "move": 0.7, "time_up": 0.01, "stay": 0.5, "taunt": 0.5, "rest": 0.3}
"""How likely a kind of option is while the match is wild; attacks twice as likely as anything else."""
HURRIED = {"pin": 0.5, "time_up": 90.0, "yes": 3.0, "foul": 5.0, "keep_hold": 9.0, "get_up": 4.0,
           "rest": 0.01, "taunt": 0.01, "counter": 0.01, "technique": 0.01, "climb_post": 0.05, "pass": 4.0,
           "play_on": 0.01, "leave_ring": 0.3, "move": 0.2, "enter_ring": 20.0, "again": 0.1, "stands": 3.0,
           "break_lock_up": 0.1, "dodge": 0.1}  # fmt: skip

OVER_THE_TOP = {"hit_downed": 0.1, "leave_ring": 30.0, "keep_hold": 0.2, "submission": 2.0}

_NEEDED = {"last_man_standing": ("knockout_counts",), "katz_rumble": ("over_the_top",)}
"""Without these nothing would ever end a match of the mode but the referee's word."""


@dataclass(frozen=True)
class Drawn:
    """What chance made of match number so-and-so of a game."""

    bout: Bout
    number: int
    hurry_after: int
    meddling: float = 0.0
    """How likely the referee is to say a word of his own before an answer."""
    whistle: int = 0
    """Seed of what he says."""


def drawn(edition: str, mode: str, number: int, seed: int) -> Drawn:
    """The match of that number: its house rules, its wrestlers, how long it is left alone."""
    rng = random.Random(f"{seed}:{edition}:{mode}:{number}")
    settings = _settings(edition, mode, rng)
    roster = _roster(edition, mode, settings, rng)
    bout = Bout(roster, mode, "smackkatz", edition, rulings=settings, seed=rng.getrandbits(40),
                most_answers=MOST_ANSWERS)  # fmt: skip
    patience = rng.choice((0, 0, 10, 20, 40)) if rng.random() < 0.98 else 300
    referee = random.Random(f"{seed}:{edition}:{mode}:{number}:referee")
    meddling = referee.choice((0.0, 0.0, 0.02, 0.1))
    return Drawn(bout, number, patience, meddling, referee.getrandbits(40))


def _settings(edition: str, mode: str, rng: random.Random) -> dict[str, Any]:
    """Some house rules agreed at random; every other match has a third of them changed, others a few."""
    book = BOOKS[edition]
    share = rng.choice((0.0, 0.03, 0.1, 0.35))
    while True:
        found = {one.name: value_of(one, rng) for one in book.catalogue.choices if rng.random() < share}
        if rng.random() < {"katz_rumble": 0.98, "survivor_series": 0.95}.get(mode, 0.0):
            # Twenty at once are a long match; house rules allow two.
            found["participant_cap"] = "always_8"
        for decides in _NEEDED.get(mode, ()):
            found.pop(decides, None)
        try:
            book.catalogue.resolve({**book.mode_rulings(mode), **found})
        except RulingError:
            continue
        return found


def value_of(choice: Choice, rng: random.Random) -> Any:
    """Any value the choice allows."""
    if choice.values:
        return rng.choice(choice.values)
    if isinstance(choice.default, list):
        return rng.choice(([60, 80], [40, 55], [90, 120]))
    low, high = choice.check.low, choice.check.high  # type: ignore[union-attr]
    value = rng.choice((low, high, rng.uniform(low, high), choice.default))
    return round(value) if choice.check.whole else value  # type: ignore[union-attr]


def _roster(edition: str, mode: str, settings: Mapping[str, Any], rng: random.Random) -> Roster:
    kind, form = modes.mode(mode), BOOKS[edition].rules.form
    fewest, most = modes.participants(mode, settings.get("participant_cap", "by_mode"))
    tag = settings.get("tag_rules") == "on"
    paired = kind.teams_of is not None or tag or rng.random() < 0.1
    if most > 8:
        count = fewest
    else:
        count = max(fewest, min(most, rng.choice((2, 2, 2, 2, 2, 2, 3, 3, 4, 6))))
        count = max(4, count + count % 2) if paired else 8 if rng.random() < 0.02 else count
    roster = sparring_roster(count, form.main, form.fighting, rng.getrandbits(30),
                             count // 2 if paired else None)  # fmt: skip
    entrants = tuple(replace(one, sheet=_dressed(one, edition, rng)) for one in roster.entrants)
    return replace(roster, entrants=entrants)


def _dressed(entrant: Entrant, edition: str, rng: random.Random) -> dict[str, Any]:
    """His sheet with a finisher, and what it may carry from earlier matches."""
    form = BOOKS[edition].rules.form
    sheet = dict(entrant.sheet) | {"finisher": "Palmazo", "trigger": rng.choice(TRIGGERS)}
    if form.titles and rng.random() < 0.1:
        sheet["titles"] = [{"title": "Gold", "ability": rng.choice(FIGHTING)}]
    if form.carries_injuries and rng.random() < 0.1:
        sheet["carry_malus"] = {rng.choice(form.abilities): -1}
    return sheet


class FuzzPlayer:
    """Any kind of option first, then any target; in a hurry, whatever ends matches."""

    eager = True

    def __init__(self, rng: random.Random, novelty: Counter[str] | None = None) -> None:
        self._rng = rng
        self.novelty = novelty
        self.hurried = False

    def choose(self, match: Match[Any], request: Request, legal: list[Option]) -> Option:
        """One of the legal options."""
        kinds: dict[str, list[Option]] = {}
        for option in legal:
            kinds.setdefault(option.id.partition(":")[0], []).append(option)
        if self.hurried and "again" in kinds and "ropes" in request.text.key:
            # Whoever is let walk through the ropes is neither in nor out.
            return kinds["again"][0]
        names = list(kinds)
        if self.novelty is not None and len(names) > 1 and not self.hurried:
            chosen = self._newest(match, request, names)
        else:
            weights = [self._weight(one) for one in names]
            if self.hurried and match.table.rulings["over_the_top"]:
                # Who lies cannot be thrown out; whoever leaves by himself is out too.
                weights = [OVER_THE_TOP.get(one, weights[at]) for at, one in enumerate(names)]
            if self.hurried and "pin" in kinds:
                beaten = [one for one in kinds["pin"] if _beaten(match, one.target)]
                weights[names.index("pin")] = 40.0 if beaten else HURRIED["pin"]
                kinds["pin"] = beaten or kinds["pin"]
            chosen = self._rng.choices(names, weights)[0]
        return self._rng.choice(kinds[chosen])

    def _weight(self, kind: str) -> float:
        if self.hurried:
            return 20.0 if kind in ATTACKS else HURRIED.get(kind, 1.0)
        return 2.0 if kind in ATTACKS else WILD.get(kind, 1.0)

    def _newest(self, match: Match[Any], request: Request, names: list[str]) -> str:
        """What has been tried least in such a place so far."""
        assert self.novelty is not None
        if "time_up" in names and self._rng.random() < 0.98:
            return "play_on"
        place = f"{request.step}/{self._status(match, request.fighter)}/"
        tried = [self.novelty[place + one] + self._rng.random() for one in names]
        chosen = names[tried.index(min(tried))]
        self.novelty[place + chosen] += 1
        return chosen

    @staticmethod
    def _status(match: Match[Any], fighter: str | None) -> str:
        one = match.state.wrestlers.get(fighter)
        if one is None:
            return ""
        tied = [tie for tie in ("hoists", "holds", "pins", "hoisted_by", "held_by") if getattr(one, tie)]
        flags = [flag for flag in ("lying", "at_ringside", "finisher_bonus") if getattr(one, flag)]
        return ",".join((*tied, *flags, "locked" if match.state.group_of(one.id) else ""))


def _beaten(match: Match[Any], fighter: str | None) -> bool:
    """Whether he will hardly kick out."""
    wrestler = match.state.wrestlers.get(fighter)
    return wrestler is not None and (wrestler.unconscious or wrestler.stamina < -3)


class Huddle(Tabletop):
    """A table on which everybody stands close to everybody, near the middle, the ropes or a corner."""

    margin_cm = 4.5
    """From the ropes to the middle of whoever stands nearest to them."""

    def __init__(self, rng: random.Random, crowded: float) -> None:
        super().__init__(rng, True)
        self.crowded = crowded

    def view(self, match: Match[Any], request: Request) -> dict[str, Figure]:
        """What is seen; now and then everybody is found in a huddle as a turn starts."""
        figures = super().view(match, request)
        if request.step != "S4" and match.scene.figures:
            return figures
        if self._rng.random() >= self.crowded:
            return figures
        free = [
            one for one in match.state.wrestlers.values() if one.playing and one.legal and not one.engaged
        ]
        inside = [one.id for one in free if not one.at_ringside]
        outside = [one.id for one in free if one.at_ringside]
        return figures | self._huddle(match, inside) | self._along_the_ropes(match, outside)

    def _along_the_ropes(self, match: Match[Any], names: list[str]) -> dict[str, Figure]:
        """Those at ringside, side by side behind the near ropes, not twice on the same spot: what was settled
        about somebody (that he does not touch the ropes, say) holds until he is seen elsewhere."""
        y = -(match.log.header.roster.ring.depth + BODY_CM) / 2
        spacing = self._spacing(match)
        start = self._rng.uniform(-2.0, 2.0) - spacing * (len(names) - 1) / 2
        return {
            name: put(self._standing(match, name), start + number * spacing, y, math.pi / 2)
            for number, name in enumerate(names)
        }

    @staticmethod
    def _standing(match: Match[Any], name: str) -> Figure:
        return match.scene.figures.get(name) or standing(name, 0.0, 0.0, 0.0)

    @staticmethod
    def _spacing(match: Match[Any]) -> float:
        """From one to the next: near enough to be adjacent however little the house allows."""
        gap: float = match.table.rulings["adjacent_gap_cm"]
        return BODY_CM + min(1.0, gap / 2 - 0.2)

    def _huddle(self, match: Match[Any], names: list[str]) -> dict[str, Figure]:
        ring = match.log.header.roster.ring
        across = math.ceil(math.sqrt(len(names)))
        edge = ring.width / 2 - self.margin_cm, ring.depth / 2 - self.margin_cm
        spacing = self._spacing(match)
        far = (across - 1) * spacing
        x = self._rng.choice((-edge[0], edge[0] - far, -far / 2, -far / 2))
        y = self._rng.choice((-edge[1], edge[1] - far, -far / 2, -far / 2))
        order = self._rng.sample(names, len(names))
        found = {}
        for number, name in enumerate(order):
            row, column = divmod(number, across)
            facing = self._rng.uniform(-math.pi, math.pi)
            old = self._standing(match, name)
            found[name] = put(old, x + column * spacing, y + row * spacing, facing)
        return found


class FuzzSparring(Sparring):
    """A match of the fuzzer; `step` by `step`, or played to its end."""

    def __init__(self, what: Drawn, novelty: Counter[str] | None = None) -> None:
        super().__init__(what.bout, what.number)
        self._hurry_after = what.hurry_after
        self._player = self._fuzzer = FuzzPlayer(self._rng, novelty)
        self._tabletop = self.huddle = Huddle(self._rng, self._rng.choice((0.1, 0.5, 0.9)))
        self._referee = Referee(random.Random(what.whistle), what.meddling)
        self.overruled = 0
        """How often the referee said a word of his own."""

    @property
    def answers(self) -> int:
        """How many have been given."""
        return self._answers

    def step(self) -> None:
        """Give one answer, or hear the referee instead."""
        if self._referee.speaks(self.match):
            self.overruled += 1
        else:
            super().step()

    def answer(self, request: Request) -> tuple[Any, Origin]:
        """As in any simulated match, but hurried after a while."""
        if self._answers == self._hurry_after:
            self.huddle.crowded = 1.0
        # Now and then a hurried match is left alone again: haste alone may lead round in circles.
        self._fuzzer.hurried = self._answers >= self._hurry_after and self._answers % 1000 < 700
        if request.kind == "roll" and self._fuzzer.hurried and self._rng.random() < 0.97:
            hurts = self._face_that_hurts if "D-06" not in request.step else lambda pool: 1
            return [hurts(pool) for pool in request.dice for _ in range(pool.count)], "dice"
        return super().answer(request)

    def _face_that_hurts(self, pool: Pool) -> int:
        """Attacks hit, defences and checks fail; but whoever lies cannot be thrown over the top: he wakes."""
        if pool.faces == 10:
            return 10 if self.match.table.rulings["over_the_top"] else 1
        if pool.ability in ("counter", "technique", "resistance"):
            return 1
        if pool.ability in (None, "speed", "combat", "charisma"):
            return self._rng.randint(1, pool.faces)
        return 6 if self._rng.random() < 0.8 else 5
