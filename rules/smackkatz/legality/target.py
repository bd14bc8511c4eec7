"""A target's status and what may be done to it: the matrix of catalogue 5.3.

One posture row holds at a time, the first that applies; the other rows then only forbid more.
"""

from __future__ import annotations

from rules.engine.cite import cite
from rules.engine.request import Reason
from rules.smackkatz.abilities import Ring
from rules.smackkatz.legality.matrix import MEANINGLESS, YES, Cells, Matrix, Unless, ruling
from rules.smackkatz.legality.reasons import standing_reason
from rules.smackkatz.state import Wrestler

ATTACKS = ("strike", "irish_whip", "suplex", "submission")
_ALL = (*ATTACKS, "fin_strike", "fin_submission", "hit_downed", "pin")

_STRIKES_THE_DOWNED = ruling("downed_rule", "strike_vs_counter_minus_1")
_LIKE_ANY_OTHER = ruling("downed_rule", "ordinary_attacks")

TARGET = Matrix(
    """
    5.3          strike    irish_whip suplex    submission hit_downed pin       fin_strike fin_submission
    standing     Y         Y          Y         Y          -          TURN-07   Y          Y
    lying        Y         Y          STATUS-25 Y          -          Y         Y          Y
    knocked_down STATUS-34 STATUS-34  STATUS-34 STATUS-34  Y          Y         Y          Y
    unconscious  FOUL-05   FOUL-05    FOUL-05   FOUL-05    FOUL-05    Y         FOUL-05    FOUL-05
    hoisting     Y         SUPLEX-23  SUPLEX-23 SUPLEX-23  -          TURN-07   Y          SUPLEX-23
    hoisted      RULING-58 RULING-58  RULING-58 RULING-58  RULING-58  RULING-81 RULING-58  RULING-58
    applying     Y         RULING-51  STATUS-25 RULING-65  -          RULING-65 Y          RULING-65
    held         Y         RULING-51  STATUS-25 RULING-65  -          RULING-65 Y          RULING-65
    pinning      Y         Y          Y         Y          -          TURN-07   Y          Y
    pinned       Y         RULING-51  STATUS-25 RULING-79  -          RULING-81 Y          Y
    on_post      Y         RULING-93  RULING-93 RULING-93  -          TURN-07   Y          RULING-93
    """,
    """
    besides      strike    irish_whip suplex    submission hit_downed pin       fin_strike fin_submission
    ringside     Y         RULING-51  Y         RULING-66  Y          STATUS-51 FIN-01     FIN-01
    across       RULING-31 RULING-31  RULING-31 RULING-31  RULING-31  STATUS-51 FIN-01     FIN-01
    team_mate    RULING-98 RULING-98  RULING-98 RULING-98  RULING-98  RULING-98 RULING-98  RULING-98
    just_left    LOCK-10   LOCK-10    LOCK-10   LOCK-10    LOCK-10    Y         LOCK-10    LOCK-10
    target_limit STATUS-27 STATUS-27  STATUS-27 STATUS-27  STATUS-27  Y         STATUS-27  STATUS-27
    bound        Y         RULING-51  STATUS-25 RULING-79  Y          RULING-81 Y          Y
    kept         Y         RULING-51  STATUS-25 RULING-65  Y          RULING-65 Y          RULING-65
    """,
    exceptions=(
        Unless(_STRIKES_THE_DOWNED, ("knocked_down",), ("strike",)),
        Unless(_STRIKES_THE_DOWNED, ("knocked_down",), ("hit_downed",), MEANINGLESS),
        Unless(_LIKE_ANY_OTHER, ("knocked_down",), ATTACKS),
        Unless(_LIKE_ANY_OTHER, ("knocked_down",), ("hit_downed",), MEANINGLESS),
        Unless(ruling("disqualification", "off"), ("unconscious",), ("hit_downed",)),
        Unless(ruling("attack_across_ropes", True), ("across",), (*ATTACKS, "hit_downed")),
        Unless(ruling("attack_left_rival", True), ("just_left",), _ALL),
        Unless(ruling("whip_at_ringside", True), ("ringside",), ("irish_whip",)),
        Unless(ruling("submission_at_ringside", True), ("ringside",), ("submission",)),
        Unless(ruling("pin_held_wrestler", True), ("held", "kept"), ("pin",)),
        Unless(lambda table: table.state.edition.lying_may_be_suplexed, ("lying",), ("suplex",)),
        Unless(lambda table: not table.state.edition.suplex.holder_protected, ("hoisting",), ATTACKS),
    ),
)
"""Target status x what is done to it."""

POSTURES = (
    ("held", "held_by"),
    ("applying", "holds"),
    ("hoisted", "hoisted_by"),
    ("hoisting", "hoists"),
    ("pinned", "pinned_by"),
    ("pinning", "pins"),
    ("on_post", "on_post"),
)
"""Posture rows after unconscious and knocked down, in the order they come first (5.3)."""
WHY = {
    "TURN-07": "not_down",
    "FOUL-05": "target_unconscious",
    "STATUS-34": "target_knocked_down",
    "RULING-31": "other_zone",
    "FIN-01": "not_in_ring",
    "RULING-98": "team_mate",
    "LOCK-10": "just_left",
    "STATUS-27": "target_limit",
    "STATUS-51": "target_at_ringside",
}
"""Rules whose refusal has its own words; others are told by the target's row."""


@cite("STATUS-14", "STATUS-25", "RULING-58", "RULING-65", "RULING-72")
def posture(rival: Wrestler) -> str:
    """The posture row of a target: the first that applies."""
    if rival.unconscious:
        return "unconscious"
    if rival.knocked_down is not None:
        return "knocked_down"
    for row, field in POSTURES:
        if getattr(rival, field) is not None:
            return row
    return "lying" if rival.lying else "standing"


@cite("RULING-81", "RULING-98", "LOCK-10", "LOCK-11", "STATUS-27", "STATUS-51", "RULING-23", "RULING-31")
def rows(table: Ring, wrestler: Wrestler, rival: Wrestler) -> list[str]:
    """Every row of 5.3 that holds for this target."""
    found = [posture(rival)]
    if wrestler.at_ringside != rival.at_ringside:
        found.append("across")
    elif rival.at_ringside:
        found.append("ringside")
    if wrestler.team is not None and wrestler.team == rival.team:
        found.append("team_mate")
    if rival.id in wrestler.left:
        found.append("just_left")
    if wrestler.may_only_attack is not None and rival.id not in wrestler.may_only_attack:
        found.append("target_limit")
    if rival.pinned_by is not None or rival.hoisted_by is not None:
        found.append("bound")
    if rival.held_by is not None:
        found.append("kept")
    return found


@cite(
    "STATUS-07", "STATUS-25", "STATUS-33", "STATUS-34", "FOUL-05", "FOUL-06", "FOUL-07", "SUPLEX-23",
    "TURN-07", "RULING-51", "RULING-58", "RULING-65", "RULING-66", "RULING-72", "RULING-79", "RULING-81",
    "RULING-84", "RULING-85", "RULING-93",
)  # fmt: skip
def target_reasons(cells: Cells, action: str, rival: Wrestler, held: list[str]) -> list[Reason]:
    """What the target's rows refuse, each rule once; `cells` are `TARGET.under` this match."""
    found: list[Reason] = []
    for row in held:
        cell = cells[row][action]
        if cell not in (YES, MEANINGLESS) and all(cell != one.rule for one in found):
            found.append(standing_reason(WHY.get(cell, f"target_{row}"), cell, rival.id))
    return found


@cite("FIN-04")
def finishing_column(attack: str) -> str:
    """The column of a finishing attack; other editions' finishers ask for what the attack itself asks for."""
    column = f"fin_{attack}"
    return column if column in TARGET.printed["standing"] else attack
