"""Counter (Contra) and Technique (Técnica): the two answers to an attack one has seen rolled."""

from __future__ import annotations

from rules.engine.cite import cite
from rules.engine.request import Modifier, Pool, Reason
from rules.smackkatz.abilities import Ring, pool, sixes
from rules.smackkatz.edition import Defence
from rules.smackkatz.legality.own import columns, status_reasons
from rules.smackkatz.legality.reasons import reason
from rules.text import Text


@cite("PROP-04", "SHEET-07", "SHEET-16")
def rolled(table: Ring, defence: Defence, against: str) -> str:
    """The ability rolled for a defence (by house rule Resistance answers a Submission)."""
    if defence == "technique" and against == "submission":
        return str(table.rulings["submission_defence"])
    return defence


@cite(
    "COUNTER-09", "TECH-08", "TURN-06", "FIN-03", "FIN-09", "MELEE-05", "PROP-10", "PROP-11", "RULING-14",
    "RULING-65", "RULING-70", "RULING-79", "RULING-85", "RULING-93", "STATUS-03", "STATUS-11", "SUPLEX-16",
    "SUPLEX-24", "LOG-08", "LOG-14",
)  # fmt: skip
def defence_reasons(
    table: Ring, defender: str, defence: Defence, against: str, *, behind: bool = False, upkeep: bool = False
) -> tuple[Reason, ...]:
    """Why he may not answer an attack now (nothing: he may).

    `upkeep`: the roll that keeps him in a hoist or hold, which is his moment to get away.
    """
    wrestler = table.state.wrestlers[defender]
    reasons = []
    if behind and not _from_behind(table, defence):
        reasons.append(reason("back_turned", "COUNTER-09" if defence == "counter" else "TECH-08"))
    if not _has_one_left(table, defender, defence):
        reasons.append(reason("defended", "TURN-06"))
    if wrestler.acted and not (table.state.edition.defences.after_acting or wrestler.unlimited_defence):
        reasons.append(reason("acted", "COUNTER-07"))
    # Out cold, down, resting, or bound to somebody: the columns of 5.2a and 5.2b.
    reasons += status_reasons(table, wrestler, defence, columns(wrestler, False), upkeep=upkeep)
    if defence_pool(table, defender, defence, against, 4, behind).count < 1:
        reasons.append(reason("no_dice", "RULING-62"))
    return tuple(reasons)


@cite("RULING-70", "PROP-11")
def _from_behind(table: Ring, defence: Defence) -> bool:
    if defence == "counter":
        return bool(table.rulings["back_counter"] != "none")
    return bool(table.rulings["technique_from_behind"])


@cite("TURN-06", "FIN-03", "FIN-09", "RULING-14")
def _has_one_left(table: Ring, defender: str, defence: Defence) -> bool:
    """One defence a turn, or by house rule one of each; a finisher makes them unlimited."""
    wrestler = table.state.wrestlers[defender]
    if wrestler.unlimited_defence:
        return True
    if table.rulings["defences_per_turn"] == 1:
        return not wrestler.defended
    return (wrestler.counters if defence == "counter" else wrestler.techniques) == 0


@cite("COUNTER-02", "TECH-02", "COUNTER-04", "TECH-04", "STATUS-22", "RULING-107", "LOG-08", "PROP-04")
def defence_pool(
    table: Ring, defender: str, defence: Defence, against: str, threshold: int, behind: bool
) -> Pool:
    """The dice of a defence, with what being hit from behind or lying takes away."""
    extra = []
    if behind and defence == "counter":
        extra.append(Modifier(Text("term.from_behind"), -2, "RULING-70"))
    if defence == "counter" and table.state.wrestlers[defender].knocked_down is not None:
        extra.append(Modifier(Text("term.knocked_down"), -1, "LOG-08"))
    return pool(table, defender, rolled(table, defence, against), threshold, tuple(extra))


@cite("COUNTER-10", "PROP-07", "PROP-09", "LOG-16", "RULING-67")
def counter_hits(reading: str, faces: tuple[int, ...], stopped: int, hits: int) -> int:
    """Hits a defence with more successes gives back: all sixes, those not needed to avoid, or the excess."""
    spare = stopped - hits
    return {"all_sixes": sixes(faces), "spare_sixes": min(sixes(faces), spare), "excess": spare}[reading]


@cite("COUNTER-08", "TECH-07", "LOG-15", "RULING-25")
def tie_die(table: Ring, attacker: str, defender: str, defence: Defence) -> None:
    """Equalling the rival's successes in a lock-up: one extra Combat die at its next initiative."""
    if attacker in table.state.group_of(defender):
        known = table.state.wrestlers[defender].tie_die
        rivals = [*known, attacker] if attacker not in known else list(known)
        rule = "COUNTER-08" if defence == "counter" else "TECH-07"
        table.record("tie_die", rule, fighter=defender, rivals=rivals)


def _decays(table: Ring) -> bool:
    """Whether Counter dice wear off in this match (RULING-69)."""
    if table.rulings["counter_decay"] == "off":
        return False
    two_left = table.rulings["counter_decay_scope"] == "two_left" and len(table.state.playing) == 2
    return table.state.started_one_on_one or two_left


@cite("COUNTER-13", "COUNTER-14", "COUNTER-15", "COUNTER-16", "LOG-18", "RULING-69")
def decay(table: Ring, attacker: str, defender: str, avoided: bool) -> None:
    """One on one: a use costs a die for the next; own failure or the rival's Counter brings all back."""
    if not _decays(table):
        return
    used = table.state.wrestlers[defender].counters_used
    if avoided:
        table.record("counter_dice_lost", "COUNTER-13", fighter=defender, lost=used + 1)
    else:
        got_through(table, defender, rolled=True)
    if table.state.wrestlers[attacker].counters_used:
        table.record("counter_dice_back", "COUNTER-14", "COUNTER-16", fighter=attacker)


@cite("COUNTER-15", "COUNTER-16", "RULING-69")
def got_through(table: Ring, defender: str, rolled: bool) -> None:
    """An attack gets through: a failed roll, or no dice left for one, brings the lost dice back."""
    wrestler = table.state.wrestlers[defender]
    if _decays(table) and wrestler.counters_used and (rolled or pool(table, defender, "counter").count < 1):
        table.record("counter_dice_back", "COUNTER-15", "COUNTER-16", fighter=defender)
