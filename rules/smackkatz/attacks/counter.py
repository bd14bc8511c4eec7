"""Counter (Contra): the defender's answer to a Strike he has seen rolled."""

from __future__ import annotations

from rules.engine.cite import cite
from rules.engine.request import Modifier, Option, Pool, Procedure, Reason
from rules.smackkatz import sight
from rules.smackkatz.abilities import Ring, pool, sixes, successes
from rules.smackkatz.asking import choose, roll
from rules.smackkatz.legality.options import reason
from rules.text import Text


@cite(
    "COUNTER-09",
    "TURN-06",
    "MELEE-05",
    "RULING-14",
    "RULING-70",
    "RULING-85",
    "STATUS-03",
    "STATUS-11",
    "LOG-08",
)
def counter_reasons(table: Ring, defender: str, behind: bool) -> tuple[Reason, ...]:
    """Why he may not Counter now (nothing: he may)."""
    wrestler = table.state.wrestlers[defender]
    reasons = []
    if behind and table.rulings["back_counter"] == "none":
        reasons.append(reason("back_turned", "COUNTER-09"))
    if wrestler.defended:
        reasons.append(reason("defended", "TURN-06"))
    if wrestler.resting:
        reasons.append(reason("resting", "STATUS-11"))
    if wrestler.unconscious:
        reasons.append(reason("unconscious", "STATUS-03"))
    elif wrestler.helpless:
        reasons.append(reason("helpless", "STATUS-03"))
    elif wrestler.knocked_down is not None and table.rulings["downed_rule"] == "auto_hit":
        reasons.append(reason("knocked_down", "RULING-85"))
    if _pool(table, defender, 4, behind).count < 1:
        reasons.append(reason("no_dice", "RULING-62"))
    return tuple(reasons)


@cite("COUNTER-02", "COUNTER-04", "STATUS-22", "RULING-107", "LOG-08")
def _pool(table: Ring, defender: str, threshold: int, behind: bool) -> Pool:
    extra = [Modifier(Text("term.from_behind"), -2, "RULING-70")] if behind else []
    if table.state.wrestlers[defender].knocked_down is not None:
        extra.append(Modifier(Text("term.knocked_down"), -1, "LOG-08"))
    return pool(table, defender, "counter", threshold, tuple(extra))


@cite(
    "COUNTER-01",
    "COUNTER-02",
    "COUNTER-03",
    "COUNTER-05",
    "COUNTER-07",
    "COUNTER-10",
    "RULING-44",
    "RULING-104",
)
def defend(
    table: Ring, attacker: str, defender: str, hits: int, threshold: int, step: str
) -> Procedure[tuple[int, int]]:
    """The reaction window after an attack roll with at least one success.

    Returns the attacker's net hits and the hits of the defender's counter blow (one of them is 0).
    """
    barred = counter_reasons(table, defender, False)
    # Nobody is asked which way he looks when he could not defend anyway.
    turned = sight.back_turned(table, defender, attacker)
    behind = False if barred else (yield from sight.settle(table, turned, step))
    if barred or counter_reasons(table, defender, behind):
        _got_through(table, defender, rolled=False)
        return hits, 0
    options = (
        Option("counter", Text("option.counter"), rules=("COUNTER-02",)),
        Option("decline", Text("option.decline"), rules=("RULING-13",)),
    )
    text = Text("ask.defend", {"fighter": defender, "attacker": attacker, "hits": hits})
    chosen = yield from choose(table, defender, f"{step} D-06", text, options, "COUNTER-02", "TURN-06")
    if chosen == "decline":
        return hits, 0
    return (yield from _counter(table, attacker, defender, hits, threshold, behind, step))


@cite(
    "COUNTER-03", "COUNTER-05", "COUNTER-06", "COUNTER-10", "TURN-06", "STATUS-23", "RULING-67", "RULING-68"
)
def _counter(
    table: Ring, attacker: str, defender: str, hits: int, threshold: int, behind: bool, step: str
) -> Procedure[tuple[int, int]]:
    lying = table.state.wrestlers[defender].lying
    dice = _pool(table, defender, threshold, behind)
    table.record("defended", "TURN-06", "COUNTER-02", fighter=defender, ability="counter")
    text = Text("ask.counter", {"fighter": defender, "attacker": attacker, "threshold": threshold})
    rule = "COUNTER-04" if threshold == 3 else "COUNTER-03"
    thrown = yield from roll(table, f"{step} D-06", text, (dice,), "COUNTER-02", rule)
    stopped = successes(thrown[defender], threshold)
    _decay(table, attacker, defender, stopped >= hits)
    if stopped < hits:
        return hits - stopped, 0
    table.record("no_effect", "COUNTER-05", fighter=attacker, target=defender)
    if stopped == hits:
        _tie_die(table, attacker, defender)
    if lying:
        table.record("stood_up", "STATUS-23", fighter=defender)
        table.record("turn_over", "STATUS-23", fighter=defender)
    if stopped == hits or (lying and not table.rulings["lying_counter_blow"]):
        return 0, 0
    return 0, counter_hits(str(table.rulings["counter_hits"]), thrown[defender], stopped, hits)


@cite("COUNTER-10", "PROP-07", "LOG-16", "RULING-67")
def counter_hits(reading: str, faces: tuple[int, ...], stopped: int, hits: int) -> int:
    """Hits of the counter blow: all sixes, the sixes not needed for avoiding, or the excess."""
    spare = max(0, stopped - hits)
    if spare == 0:
        return 0
    return {"all_sixes": sixes(faces), "spare_sixes": min(sixes(faces), spare), "excess": spare}[reading]


@cite("COUNTER-08", "RULING-25")
def _tie_die(table: Ring, attacker: str, defender: str) -> None:
    """Equalling the rival's successes in a lock-up: one extra Combat die at its next initiative."""
    if attacker in table.state.group_of(defender):
        known = table.state.wrestlers[defender].tie_die
        rivals = [*known, attacker] if attacker not in known else list(known)
        table.record("tie_die", "COUNTER-08", fighter=defender, rivals=rivals)


def _decays(table: Ring) -> bool:
    """Whether Counter dice wear off in this match (RULING-69)."""
    if table.rulings["counter_decay"] == "off":
        return False
    two_left = table.rulings["counter_decay_scope"] == "two_left" and len(table.state.playing) == 2
    return table.state.started_one_on_one or two_left


@cite("COUNTER-13", "COUNTER-14", "COUNTER-15", "COUNTER-16", "RULING-69")
def _decay(table: Ring, attacker: str, defender: str, avoided: bool) -> None:
    """One on one: a use costs a die for the next; own failure or the rival's Counter brings all back."""
    if not _decays(table):
        return
    used = table.state.wrestlers[defender].counters_used
    if avoided:
        table.record("counter_dice_lost", "COUNTER-13", fighter=defender, lost=used + 1)
    else:
        _got_through(table, defender, rolled=True)
    if table.state.wrestlers[attacker].counters_used:
        table.record("counter_dice_back", "COUNTER-14", "COUNTER-16", fighter=attacker)


@cite("COUNTER-15", "COUNTER-16", "RULING-69")
def _got_through(table: Ring, defender: str, rolled: bool) -> None:
    """An attack gets through: a failed roll, or no dice left for one, brings the lost dice back."""
    wrestler = table.state.wrestlers[defender]
    if _decays(table) and wrestler.counters_used and (rolled or pool(table, defender, "counter").count < 1):
        table.record("counter_dice_back", "COUNTER-15", "COUNTER-16", fighter=defender)
