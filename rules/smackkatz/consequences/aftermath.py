"""What a resolved event entails for those bound to each other: who lets go of whom.

`struck` is for attacks that connect and for bodies that run into somebody; `settle` restores what must
always hold, whatever happened.
"""

from __future__ import annotations

from rules.engine.cite import cite
from rules.engine.request import Procedure
from rules.smackkatz.abilities import Ring
from rules.smackkatz.attacks.pin import break_pin, release
from rules.smackkatz.consequences.drops import drop, knock_off
from rules.smackkatz.consequences.release import break_hold
from rules.smackkatz.modes.endings import check_endings
from rules.smackkatz.state import Wrestler


@cite(
    "SUPLEX-06", "SUPLEX-20", "SUPLEX-21", "PIN-08", "PIN-10", "RULING-41", "RULING-56", "RULING-58",
    "RULING-65", "RULING-82", "RULING-93",
)  # fmt: skip
def struck(table: Ring, attacker: str, target: str, step: str, damage: int | None) -> Procedure[None]:
    """An attack on somebody who is engaged has connected, or a body has hit him.

    `damage` is the Stamina it took; None for an attack that takes none of its own (a grab, a whip).
    """
    victim = table.state.wrestlers[target]
    connects = damage is None or damage > 0 or table.rulings["connects"] == "net_success"
    drops = connects if table.rulings["drop_trigger"] == "hit" else bool(damage)
    if victim.hoists is not None and drops and table.state.outcome is None:
        yield from drop(table, victim.hoists, attacker, step)
    if not connects or table.state.outcome is not None:
        return
    if victim.pins is not None:
        yield from break_pin(table, target, attacker, step, push=damage is not None)
    if victim.holds is not None and table.rulings["hold_broken_by_hit"]:
        yield from break_hold(table, target, step, "RULING-65")
    if victim.on_post is not None and table.state.outcome is None:
        yield from knock_off(table, target, attacker, step)


@cite("RULING-58", "RULING-65", "RULING-75", "RULING-102", "PIN-11", "STATUS-03", "STATUS-07", "STATUS-51")
def settle(table: Ring, step: str) -> Procedure[None]:
    """Whoever can no longer hold, hoist or pin lets go, until nothing changes; then the endings."""
    check_endings(table)
    while table.state.outcome is None:
        for wrestler in table.state.wrestlers.values():
            if (yield from _lets_go(table, wrestler, step)):
                break
        else:
            break
        check_endings(table)


def _lets_go(table: Ring, wrestler: Wrestler, step: str) -> Procedure[bool]:
    """Whether one of his bonds had to end. One at a time: each may end others."""
    # STATUS-03: whoever is helpless does nothing any more, keeping somebody included.
    down = wrestler.unconscious or wrestler.helpless or wrestler.knocked_down is not None
    unable = down or not wrestler.playing
    if wrestler.hoists is not None and (unable or wrestler.lying):
        yield from drop(table, wrestler.hoists, None, step)
        return True
    if wrestler.holds is not None and (unable or _cannot_hold(table, wrestler)):
        yield from break_hold(table, wrestler.id, step, "RULING-65")
        return True
    if wrestler.pins is not None and (unable or wrestler.lying or _cannot_be_pinned(table, wrestler.pins)):
        release(table, wrestler.id, "PIN-10")
        return True
    if not wrestler.playing and wrestler.engaged:
        rivals = [one for one in (wrestler.hoisted_by, wrestler.held_by, wrestler.pinned_by) if one]
        table.record("bonds_ended", "RULING-102", fighter=wrestler.id, rivals=rivals)
        return True
    if wrestler.playing and not wrestler.upright and table.state.group_of(wrestler.id):
        table.record("left_group", "STATUS-24", fighter=wrestler.id)
    return False


@cite("SUBM-06", "STATUS-23", "RULING-65", "RULING-66")
def _cannot_hold(table: Ring, holder: Wrestler) -> bool:
    """A victim out cold is let go of (except in matches without DQ), one across the ropes always.

    So is everybody when the holder has got up, unless the edition lets holds be standing.
    """
    held = table.state.wrestlers[str(holder.holds)]
    out_cold = held.unconscious and table.rulings["disqualification"] == "on"
    up = holder.upright and not table.state.edition.hold.standing
    return out_cold or up or not held.playing or held.at_ringside != holder.at_ringside


def _cannot_be_pinned(table: Ring, victim: str) -> bool:
    """Nobody is pinned standing or at ringside."""
    pinned = table.state.wrestlers[victim]
    return pinned.upright or pinned.at_ringside or not pinned.playing
