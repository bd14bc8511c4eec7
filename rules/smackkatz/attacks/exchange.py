"""An attack roll with its reaction window (catalogue 4.3): roll, defence, comparison.

What follows from the comparison is the attack's own affair; here nobody is hurt yet.
"""

from __future__ import annotations

from dataclasses import replace

from rules.engine.cite import cite
from rules.engine.request import Modifier, Option, Procedure
from rules.smackkatz import sight
from rules.smackkatz.abilities import Ring, pool, sixes, successes
from rules.smackkatz.asking import choose, roll
from rules.smackkatz.attacks.defence import (
    counter_hits,
    decay,
    defence_pool,
    defence_reasons,
    got_through,
    rolled,
    tie_die,
)
from rules.smackkatz.consequences.aftermath import settle
from rules.smackkatz.consequences.blow import land
from rules.smackkatz.consequences.harm import leave_group
from rules.smackkatz.edition import Defence
from rules.text import Text
from rules.value_type import value_type

THRESHOLD = 4
"""STRIKE-01, WHIP-03, SUPLEX-02, SUBM-01."""
LOCKED_THRESHOLD = 3
"""STRIKE-02, WHIP-04, SUPLEX-03, SUBM-02, COUNTER-04, TECH-04."""

_RULES = {
    "strike": ("STRIKE-01", "STRIKE-02", "STRIKE-01"),
    "irish_whip": ("WHIP-03", "WHIP-04", "WHIP-03"),
    "suplex": ("SUPLEX-02", "SUPLEX-03", "SUPLEX-14"),
    "submission": ("SUBM-01", "SUBM-02", "SUBM-09"),
}
"""The rule of the attack roll: at 4+, inside the lock-up at 3+, and to keep up a hoist or hold."""


@value_type
class Exchange:
    """An attack roll and the answer to it.

    `successes` are the attacker's before, `net` after the defence; `sixes` those of the surviving
    successes that are natural sixes (RULING-44). `defence` is what was rolled against it, if anything.
    """

    attacker: str
    target: str
    ability: str
    threshold: int
    faces: tuple[int, ...]
    successes: int
    net: int
    sixes: int
    defence: Defence | None = None
    defence_faces: tuple[int, ...] = ()
    stopped: int = 0
    was_lying: bool = False
    """The defender was lying when he answered (STATUS-23)."""

    @property
    def tried(self) -> bool:
        """A defence was rolled (WHIP-10)."""
        return self.defence is not None

    @property
    def beaten(self) -> bool:
        """The defender had more successes: a reversal may follow (COUNTER-10, TECH-09, TECH-10)."""
        return self.tried and self.successes > 0 and self.stopped > self.successes


@cite(
    "STRIKE-02", "WHIP-04", "SUPLEX-03", "SUBM-02", "COUNTER-04", "TECH-04", "RULING-18", "RULING-106",
    "RULING-112",
)  # fmt: skip
def threshold_between(table: Ring, a: str, b: str) -> int:
    """What a die must show between these two: 3 inside their lock-up while still adjacent, else 4."""
    group = table.state.group_of(a)
    if b not in group or not sight.adjacent(table, a, b).answer:
        return THRESHOLD
    bonus = len(group) == 2 or table.rulings["melee_threshold_bonus"]
    return LOCKED_THRESHOLD if bonus else THRESHOLD


@cite("ATK-01", "TURN-04")
def declare(table: Ring, attacker: str, target: str, action: str, rule: str) -> None:
    """State that an attack is made: it is the attacker's one attack of the turn."""
    table.record("attacked", rule, fighter=attacker, target=target, action=action)


@cite("STRIKE-01", "WHIP-03", "SUPLEX-02", "SUBM-01", "ATK-01")
def exchange(
    table: Ring,
    attacker: str,
    target: str,
    ability: str,
    step: str,
    *,
    extra: tuple[Modifier, ...] = (),
    defended_by: Defence | None,
    declared: bool = True,
    threshold: int | None = None,
) -> Procedure[Exchange]:
    """Roll an attack, let the target answer, compare.

    `declared` is False for the roll that keeps up a hoist or a hold: 4+, and the one who is kept may
    answer. `defended_by` None: there is no defence against it (RULING-104). `extra` are more dice.
    """
    if threshold is None:
        threshold = threshold_between(table, attacker, target) if declared else THRESHOLD
    faces = yield from attack_roll(
        table, attacker, target, ability, step, threshold, extra=extra, declared=declared
    )
    return (
        yield from answered(
            table, attacker, target, ability, faces, threshold, step, defended_by, declared=declared
        )
    )


def attack_roll(
    table: Ring,
    attacker: str,
    target: str,
    ability: str,
    step: str,
    threshold: int,
    *,
    extra: tuple[Modifier, ...] = (),
    declared: bool = True,
) -> Procedure[tuple[int, ...]]:
    """The attacker's dice."""
    plain, locked, upkeep = _RULES[ability]
    rule = upkeep if not declared else locked if threshold == LOCKED_THRESHOLD else plain
    dice = pool(table, attacker, ability, threshold, extra)
    key = f"ask.{ability}" if declared else f"ask.{ability}_kept"
    text = Text(key, {"fighter": attacker, "target": target, "threshold": threshold})
    thrown = yield from roll(table, step, text, (dice,), rule)
    return thrown[attacker]


@cite("COUNTER-05", "COUNTER-06", "TECH-05", "RULING-104")
def answered(
    table: Ring,
    attacker: str,
    target: str,
    ability: str,
    faces: tuple[int, ...],
    threshold: int,
    step: str,
    defended_by: Defence | None,
    *,
    declared: bool = True,
) -> Procedure[Exchange]:
    """Dice already rolled against this target: his answer, and the comparison."""
    hits = successes(faces, threshold)
    found = Exchange(attacker, target, ability, threshold, faces, hits, hits, sixes(faces))
    if hits == 0:
        if declared:
            table.record("missed", _RULES[ability][0], fighter=attacker, target=target)
        return found
    if defended_by is None:
        return found
    defence = table.state.edition.defences.against[ability]
    behind = yield from _reaction(table, found, defence, step, upkeep=not declared)
    if behind is None:
        return found
    return (yield from _defended(table, found, defence, behind, step, declared))


@cite("COUNTER-01", "COUNTER-02", "TECH-01", "TECH-02", "COUNTER-07", "TECH-06", "TURN-06", "PROP-10")
def _reaction(
    table: Ring, attack: Exchange, defence: Defence, step: str, *, upkeep: bool
) -> Procedure[bool | None]:
    """D-06. Returns None when there is no defence, else whether it is one from behind."""
    defender = attack.target
    barred = defence_reasons(table, defender, defence, attack.ability, upkeep=upkeep)
    behind = False
    if not (barred or upkeep):
        # Nobody is asked which way he looks when he could not defend anyway.
        turned = sight.back_turned(table, defender, attack.attacker)
        behind = yield from sight.settle(table, turned, step)
        barred = defence_reasons(table, defender, defence, attack.ability, behind=behind)
    if barred:
        if defence == "counter":
            got_through(table, defender, rolled=False)
        return None
    first, key = ("COUNTER-02", "ask.defend") if defence == "counter" else ("TECH-02", "ask.defend_technique")
    options = (
        Option(defence, Text(f"option.{defence}"), rules=(first,)),
        Option("decline", Text("option.decline"), rules=("RULING-13",)),
    )
    text = Text(key, {"fighter": defender, "attacker": attack.attacker, "hits": attack.successes})
    chosen = yield from choose(table, defender, f"{step} D-06", text, options, first, "TURN-06")
    return None if chosen == "decline" else behind


@cite("COUNTER-03", "TECH-03", "COUNTER-05", "TECH-05", "STATUS-23", "RULING-68", "RULING-13")
def _defended(
    table: Ring, attack: Exchange, defence: Defence, behind: bool, step: str, declared: bool
) -> Procedure[Exchange]:
    """Roll the defence and take its successes away from the attack's."""
    attacker, defender = attack.attacker, attack.target
    counter = defence == "counter"
    ability = rolled(table, defence, attack.ability)
    lying = table.state.wrestlers[defender].lying
    dice = defence_pool(table, defender, defence, attack.ability, attack.threshold, behind)
    asked, plain, locked = (
        ("COUNTER-02", "COUNTER-03", "COUNTER-04") if counter else ("TECH-02", "TECH-03", "TECH-04")
    )
    table.record("defended", "TURN-06", asked, fighter=defender, ability=ability)
    values: dict[str, float | int | str | Text] = {
        "fighter": defender, "attacker": attacker, "threshold": attack.threshold
    }  # fmt: skip
    text = Text("ask.counter" if counter else f"ask.{ability}", values)
    rule = locked if attack.threshold == LOCKED_THRESHOLD else plain
    thrown = yield from roll(table, f"{step} D-06", text, (dice,), asked, rule)
    faces = thrown[defender]
    stopped = successes(faces, attack.threshold)
    avoided = stopped >= attack.successes
    if counter:
        decay(table, attacker, defender, avoided)
    left = yield from _sixes_left(table, attack, stopped, step)
    found = replace(
        attack, net=max(0, attack.successes - stopped), sixes=left, defence=defence,
        defence_faces=faces, stopped=stopped, was_lying=lying,
    )  # fmt: skip
    if not avoided:
        return found
    if declared:
        table.record("no_effect", "COUNTER-05" if counter else "TECH-05", fighter=attacker, target=defender)
    if stopped == attack.successes:
        tie_die(table, attacker, defender, defence)
    if lying and counter and declared:
        yield from _rises(table, attacker, defender, step)
    return found


@cite("STATUS-23", "RULING-68", "RULING-111")
def _rises(table: Ring, attacker: str, defender: str, step: str) -> Procedure[None]:
    """A lying wrestler's Counter puts him on his feet: his turn ends, or (edition) they change places."""
    table.record("stood_up", "STATUS-23", fighter=defender)
    if not table.state.edition.defences.swaps_when_lying:
        table.record("turn_over", "STATUS-23", fighter=defender)
    elif table.state.wrestlers[attacker].upright:
        table.record("fell", "STATUS-23", fighter=attacker)
        leave_group(table, attacker, "STATUS-23")
    yield from settle(table, step)


@cite("RULING-44", "PROP-07")
def _sixes_left(table: Ring, attack: Exchange, stopped: int, step: str) -> Procedure[int]:
    """How many of the surviving successes are sixes: plain ones are cancelled first (a house rule)."""
    high, plain = sixes(attack.faces), attack.successes - sixes(attack.faces)
    if stopped >= attack.successes:
        return 0
    fewest, most = max(0, high - stopped), high - max(0, stopped - plain)
    order = table.rulings["cancel_order"]
    if order == "sixes_first":
        return fewest
    if order == "plain_first" or fewest == most or attack.ability == "strike":
        return most
    options = tuple(
        Option(f"sixes:{left}", Text("option.sixes_left", {"sixes": left}), rules=("RULING-44",))
        for left in range(fewest, most + 1)
    )
    text = Text("ask.cancel", {"fighter": attack.target})
    chosen = yield from choose(table, attack.target, f"{step} D-06", text, options, "RULING-44")
    return int(chosen.partition(":")[2])


@cite("COUNTER-10", "COUNTER-11", "PROP-08", "PROP-09", "RULING-67", "RULING-68", "RULING-104")
def counter_blow(table: Ring, attack: Exchange, step: str) -> Procedure[None]:
    """The blow of a defender who out-countered: one hit for each six; no defence against it."""
    if not attack.beaten or attack.defence != "counter" or table.state.outcome is not None:
        return
    defences = table.state.edition.defences
    if attack.ability not in defences.blow_against:
        return
    if attack.was_lying and (defences.swaps_when_lying or not table.rulings["lying_counter_blow"]):
        return
    reading = str(table.rulings["counter_hits"])
    hits = counter_hits(reading, attack.defence_faces, attack.stopped, attack.successes)
    if hits == 0:
        return
    rules = ("COUNTER-11",) if attack.ability == "suplex" else ("COUNTER-10",)
    table.record(
        "counter_blow", *rules, "RULING-67", fighter=attack.target, target=attack.attacker, hits=hits
    )
    yield from land(table, attack.target, attack.attacker, hits, step, ())
