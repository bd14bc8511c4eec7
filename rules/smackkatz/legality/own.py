"""A wrestler's own status and what it lets him do: the matrices of catalogue 5.2a, 5.2b and 5.2c.

Columns are statuses, rows actions. A cell is Y, - (meaningless) or the rule that refuses; `*` before a rule
means: but for the roll that keeps him in a hoist or hold.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter

from rules.engine.cite import cite
from rules.engine.request import Reason
from rules.smackkatz.abilities import Ring
from rules.smackkatz.legality.matrix import MEANINGLESS, YES, Matrix, Unless, ruling
from rules.smackkatz.legality.reasons import standing_reason
from rules.smackkatz.state import Wrestler

ATTACKS = ("strike", "charge", "irish_whip", "suplex", "submission", "hit_downed")
_FROM_THE_MAT = tuple(one for one in ATTACKS if one != "suplex")

OWN = Matrix(
    """
    5.2a          standing   lock_up    melee_last lying      knocked_down unconscious resting    at_ringside
    move          Y          LOCK-05    LOCK-05    RULING-87  STATUS-30    STATUS-03   STATUS-11  Y
    turn          Y          LOCK-05    LOCK-05    RULING-87  STATUS-30    STATUS-03   STATUS-11  Y
    step_back     Y          LOCK-05    LOCK-05    RULING-87  STATUS-30    STATUS-03   STATUS-11  Y
    get_up        -          -          -          Y          STATUS-30    STATUS-05   STATUS-11  -
    enter_ring    -          -          -          Y          STATUS-30    STATUS-03   STATUS-11  Y
    leave_ring    Y          LOCK-05    LOCK-05    RULING-87  STATUS-30    STATUS-03   STATUS-11  -
    climb_post    Y          LOCK-05    LOCK-05    RULING-87  STATUS-30    STATUS-03   STATUS-11  RULING-93
    dive          SPECIAL-03 SPECIAL-03 SPECIAL-03 SPECIAL-03 SPECIAL-03   SPECIAL-03  SPECIAL-03 SPECIAL-03
    break_lock_up -          Y          Y          -          -            -           -          -
    strike        Y          Y          MELEE-03   RULING-87  STATUS-30    STATUS-03   STATUS-11  Y
    charge        Y          LOCK-05    MELEE-03   RULING-87  STATUS-30    STATUS-03   STATUS-11  Y
    irish_whip    Y          Y          MELEE-03   RULING-87  STATUS-30    STATUS-03   STATUS-11  RULING-51
    suplex        Y          Y          MELEE-03   RULING-87  STATUS-30    STATUS-03   STATUS-11  Y
    submission    Y          Y          MELEE-03   RULING-87  STATUS-30    STATUS-03   STATUS-11  RULING-66
    hit_downed    Y          Y          MELEE-03   RULING-87  STATUS-30    STATUS-03   STATUS-11  Y
    pin           Y          Y          Y          RULING-81  STATUS-30    STATUS-03   STATUS-11  STATUS-51
    rest          Y          STATUS-10  STATUS-10  Y          Y            STATUS-03   -          Y
    taunt         Y          STATUS-10  STATUS-10  Y          Y            STATUS-03   -          Y
    finisher      Y          Y          MELEE-03   RULING-87  STATUS-30    STATUS-03   STATUS-11  FIN-01
    counter       Y          Y          Y          Y          RULING-85    STATUS-03   STATUS-11  Y
    technique     Y          Y          Y          Y          RULING-85    STATUS-03   STATUS-11  -
    dodge         Y          LOCK-05    LOCK-05    Y          STATUS-30    STATUS-03   STATUS-11  Y
    """,
    """
    5.2b          hoisting  hoisted    applying   held       pinning    pinned     on_post
    move          RULING-53 TURN-02    RULING-87  SUBM-04    RULING-79  RULING-79  RULING-93
    turn          RULING-53 TURN-02    RULING-87  SUBM-04    RULING-79  RULING-79  RULING-93
    step_back     RULING-53 TURN-02    RULING-87  SUBM-04    RULING-79  RULING-79  RULING-93
    get_up        -         -          RULING-63  SUBM-04    -          RULING-79  -
    climb_down    -         -          -          -          -          -          Y
    enter_ring    RULING-53 TURN-02    RULING-87  SUBM-04    RULING-79  RULING-79  RULING-93
    leave_ring    RULING-53 TURN-02    RULING-87  SUBM-04    RULING-79  RULING-79  RULING-93
    climb_post    RULING-58 SUPLEX-05  RULING-87  SUBM-04    RULING-79  RULING-79  -
    dive          RULING-58 SUPLEX-05  SPECIAL-03 SPECIAL-03 SPECIAL-03 SPECIAL-03 Y
    throw         Y         -          -          -          -          -          -
    keep_hoisting Y         -          -          -          -          -          -
    keep_hold     -         -          Y          -          -          -          -
    strike        RULING-58 SUPLEX-05  RULING-63  SUBM-04    RULING-79  RULING-79  RULING-93
    charge        RULING-58 SUPLEX-05  RULING-63  SUBM-04    RULING-79  RULING-79  RULING-93
    irish_whip    RULING-58 SUPLEX-05  RULING-63  SUBM-04    RULING-79  RULING-79  RULING-93
    suplex        RULING-58 SUPLEX-05  RULING-63  SUBM-04    RULING-79  RULING-79  RULING-93
    submission    RULING-58 SUPLEX-05  RULING-63  SUBM-04    RULING-79  RULING-79  RULING-93
    hit_downed    RULING-58 SUPLEX-05  RULING-63  SUBM-04    RULING-79  RULING-79  RULING-93
    pin           RULING-58 SUPLEX-05  RULING-81  SUBM-04    TURN-07    RULING-79  RULING-93
    rest          RULING-88 STATUS-10  RULING-88  STATUS-10  RULING-88  RULING-88  RULING-93
    taunt         RULING-88 STATUS-10  RULING-88  STATUS-10  RULING-88  RULING-88  RULING-93
    finisher      RULING-58 SUPLEX-05  RULING-87  SUBM-04    RULING-12  RULING-79  FIN-04
    counter       SUPLEX-24 *SUPLEX-16 Y          RULING-65  Y          RULING-79  RULING-93
    technique     -         SUPLEX-05  -          *SUBM-10   Y          RULING-79  -
    dodge         SUPLEX-24 RULING-15  RULING-15  RULING-15  RULING-15  RULING-15  RULING-93
    """,
    exceptions=(
        # A Suplex is not one of them: nobody holds a rival overhead while he lies.
        Unless(ruling("lying_may_attack", True), _FROM_THE_MAT, ("lying",)),
        Unless(ruling("whip_at_ringside", True), ("irish_whip",), ("at_ringside",)),
        Unless(ruling("submission_at_ringside", True), ("submission",), ("at_ringside",)),
        Unless(ruling("holder_walks", True), ("move", "turn", "step_back"), ("hoisting",)),
        Unless(ruling("rest_while_knocked_down", False), ("rest", "taunt"), ("knocked_down",), "RULING-88"),
        Unless(ruling("downed_rule", "strike_vs_counter_minus_1"), ("counter",), ("knocked_down",)),
        Unless(lambda table: table.state.edition.checks.resting_may_pin, ("pin",), ("resting",)),
        Unless(lambda table: not table.state.edition.suplex.holder_protected, ("counter",), ("hoisting",)),
    ),
)
"""Own status x action."""

FLAGS = Matrix(
    """
    5.2c          defended  attacked  moved
    move          TURN-03   Y         RULING-12
    turn          TURN-03   Y         RULING-12
    step_back     TURN-03   Y         RULING-12
    get_up        RULING-13 Y         Y
    climb_down    RULING-13 Y         Y
    enter_ring    RULING-13 Y         RULING-12
    leave_ring    RULING-13 Y         RULING-12
    climb_post    RULING-13 TURN-04   Y
    break_lock_up RULING-13 RULING-21 Y
    strike        TURN-05   TURN-04   Y
    charge        TURN-05   TURN-04   Y
    irish_whip    TURN-05   TURN-04   Y
    suplex        TURN-05   TURN-04   Y
    submission    TURN-05   TURN-04   Y
    hit_downed    TURN-05   TURN-04   Y
    throw         TURN-05   TURN-04   Y
    keep_hoisting Y         Y         Y
    dive          TURN-05   TURN-04   Y
    finisher      TURN-05   Y         Y
    keep_hold     Y         TURN-04   Y
    pin           Y         Y         Y
    rest          Y         Y         Y
    taunt         Y         Y         Y
    counter       TURN-06   Y         Y
    technique     TURN-06   Y         Y
    dodge         Y         WHIP-08   WHIP-08
    """,
    exceptions=(
        Unless(ruling("pin_after_defending", False), ("pin",), ("defended",), "RULING-13"),
        Unless(ruling("climb_cost", "speed_1"), ("climb_post",), ("attacked",)),
        Unless(ruling("finisher_timing", "instead_of_next_attack"), ("finisher",), ("attacked",), "TURN-04"),
        Unless(
            lambda table: not table.state.edition.defences.forfeits_movement,
            (
                "move",
                "turn",
                "step_back",
                "get_up",
                "climb_down",
                "enter_ring",
                "leave_ring",
                "break_lock_up",
            ),
            ("defended",),
        ),
    ),
)
"""What he has done this turn x action; the columns that hang on a rival stand in `target`."""

WHY = {
    "LOCK-05": "locked_up",
    "MELEE-03": "melee_last",
    "SPECIAL-03": "not_on_post",
    "WHIP-08": "acted",
}
"""Rules whose refusal has its own words; others are told by the status that refuses."""
FLAG_WHY = {
    ("defended", "TURN-03"): "defended_move",
    ("defended", "RULING-13"): "defended_move",
    ("defended", "TURN-05"): "defended_attack",
    ("attacked", "RULING-21"): "escape_after_attack",
}
LOOKED_AT = ("helpless", "freed", "attacked", "defended", "moved", "cannot_attack", "turn_over")
"""The fields of a wrestler that `own_reasons` reads; besides his columns nothing but these matters."""
ENDED_BY_TURN_OVER = frozenset(
    (*ATTACKS, "finisher", "pin", "move", "turn", "step_back", "get_up", "enter_ring", "leave_ring",
     "climb_post", "climb_down", "dive", "throw", "break_lock_up")
)  # fmt: skip
"""RULING-22, STATUS-23: everything but the defence and what was kept up before."""


@cite("STATUS-13", "RULING-15", "RULING-16", "RULING-22", "MELEE-03", "MELEE-05", "RULING-112")
def columns(wrestler: Wrestler, locked: bool) -> list[str]:
    """The columns of 5.2a and 5.2b that hold for a wrestler. `locked`: still engaged in a lock-up."""
    bound = [name for name, one in zip(_BOUND, _BONDS(wrestler), strict=True) if one is not None]
    found = []
    if wrestler.unconscious or wrestler.helpless:
        found.append("unconscious")
    elif wrestler.knocked_down is not None:
        found.append("knocked_down")
    elif wrestler.lying:
        found.append("lying")
    elif locked:
        found.append("melee_last" if wrestler.cannot_attack else "lock_up")
    if wrestler.at_ringside:
        found.append("at_ringside")
    if wrestler.resting:
        found.append("resting")
    found += bound
    return found or ["standing"]


_BOUND = ("hoisting", "hoisted", "applying", "held", "pinning", "pinned", "on_post")
"""The columns of 5.2b..."""
_BONDS = attrgetter("hoists", "hoisted_by", "holds", "held_by", "pins", "pinned_by", "on_post")
"""... and the fields of a wrestler they stand for."""


@cite(
    "TURN-02", "TURN-03", "TURN-04", "TURN-05", "LOCK-05", "STATUS-03", "STATUS-05", "STATUS-10", "STATUS-11",
    "STATUS-30", "RULING-12", "RULING-13", "RULING-53", "RULING-58", "RULING-63", "RULING-79", "RULING-81",
    "RULING-86", "RULING-87", "RULING-88", "RULING-93", "SUPLEX-05", "SUBM-04", "STATUS-14",
    "STATUS-28", "MOVE-06",
)  # fmt: skip
def own_reasons(
    table: Ring, wrestler: Wrestler, action: str, held: Sequence[str], *, upkeep: bool = False
) -> list[Reason]:
    """Everything about himself that keeps a wrestler from an action; `held` are his columns.

    `upkeep`: a defence at the roll that keeps him in a hoist or hold.
    """
    found = status_reasons(table, wrestler, action, held, upkeep=upkeep)
    rules = {one.rule for one in found}
    return found + [one for one in flag_reasons(table, wrestler, action) if one.rule not in rules]


def status_reasons(
    table: Ring, wrestler: Wrestler, action: str, held: Sequence[str], *, upkeep: bool = False
) -> list[Reason]:
    """What his statuses refuse (5.2a, 5.2b), each rule once."""
    cells = OWN.under(table)[action]
    found: list[Reason] = []
    for column in held:
        cell = cells.get(column, MEANINGLESS)
        if cell in (YES, MEANINGLESS) or (upkeep and cell[0] == "*"):
            continue
        rule = cell.lstrip("*")
        if all(rule != one.rule for one in found):
            code = "helpless" if column == "unconscious" and wrestler.helpless else WHY.get(rule, column)
            found.append(standing_reason(code, rule))
    return found


@cite("LOCK-07", "STATUS-23", "RULING-22", "RULING-57", "TURN-07", "PIN-09", "FIN-03", "FIN-09", "RULING-14")
def flag_reasons(table: Ring, wrestler: Wrestler, action: str) -> list[Reason]:
    """What he has already done this turn refuses (5.2c)."""
    found = []
    cells = FLAGS.under(table)[action]
    spent = wrestler.freed and table.rulings["freed_turn_full"]
    for flag in ("attacked", "defended", "moved"):
        if flag == "defended" and spent and action not in ("counter", "technique"):
            # SUPLEX-18: he acts normally though he has just defended; the defence stays spent.
            continue
        if getattr(wrestler, flag) and cells[flag] not in (YES, MEANINGLESS):
            rule = cells[flag]
            found.append(standing_reason(FLAG_WHY.get((flag, rule), flag), rule))
    if wrestler.cannot_attack and action in (*ATTACKS, "finisher"):
        found.append(standing_reason("melee_last", "MELEE-03"))
    if wrestler.turn_over and action in ENDED_BY_TURN_OVER:
        found.append(standing_reason("turn_over", "STATUS-23" if action == "get_up" else "LOCK-07"))
    return found
