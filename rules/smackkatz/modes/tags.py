"""Tag matches (relevo): one legal member per team, and the swap with the partner across the ropes."""

from __future__ import annotations

from rules.engine.cite import cite
from rules.engine.request import Option, Procedure, Reason
from rules.smackkatz import sight
from rules.smackkatz.abilities import Ring, speed_left
from rules.smackkatz.consequences import landing
from rules.smackkatz.legality.reasons import reason
from rules.smackkatz.movement.moving import close_block
from rules.smackkatz.state import MatchState, Wrestler
from rules.text import Text


def with_tags(table: Ring) -> bool:
    """Whether only one member of each team may wrestle at a time."""
    return bool(table.rulings["tag_rules"] == "on")


@cite("MODE-13", "RULING-98")
def hand_out(state: MatchState) -> None:
    """The first of each team begins with the tag, the others wait at ringside."""
    taken: set[str] = set()
    for wrestler in state.wrestlers.values():
        if wrestler.team is not None and wrestler.team in taken:
            wrestler.legal, wrestler.at_ringside = False, True
        taken.add(wrestler.team or wrestler.id)


@cite("MODE-13", "RULING-98")
def pass_on(table: Ring, fighter: str) -> None:
    """The legal one has gone out: the tag goes to the next of his team."""
    wrestler = table.state.wrestlers[fighter]
    if not with_tags(table) or wrestler.team is None or not wrestler.legal:
        return
    waiting = [one.id for one in table.state.remaining if one.team == wrestler.team and not one.legal]
    if waiting:
        table.record("has_tag", "MODE-13", "RULING-98", fighter=waiting[0])


def waiting_partners(table: Ring, fighter: str) -> list[str]:
    """The team-mates he could tag."""
    wrestler = table.state.wrestlers[fighter]
    if not with_tags(table) or wrestler.team is None or not wrestler.legal:
        return []
    return [one.id for one in table.state.playing if one.team == wrestler.team and not one.legal]


@cite("RULING-98", "TURN-03", "LOCK-05")
def tag_reasons(table: Ring, fighter: str, partner: str) -> tuple[Reason, ...]:
    """Why he cannot swap with this partner now."""
    wrestler, other = table.state.wrestlers[fighter], table.state.wrestlers[partner]
    reasons = []
    if wrestler.at_ringside or not other.at_ringside:
        reasons.append(reason("tag_across_ropes", "RULING-98", target=partner))
    if not _able(other):
        reasons.append(reason("partner_down", "RULING-98", target=partner))
    if wrestler.lying:
        reasons.append(reason("lying", "RULING-98"))
    if table.state.group_of(fighter):
        reasons.append(reason("locked_up", "LOCK-05"))
    if speed_left(table, fighter) - table.state.block_cost < 1:
        reasons.append(reason("no_speed", "RULING-98"))
    near = sight.across_ropes(table, fighter, partner)
    if not near.too_close and not near.answer:
        reasons.append(reason("partner_far", "RULING-98", target=partner))
    return tuple(reasons)


def _able(wrestler: Wrestler) -> bool:
    return wrestler.upright and not (wrestler.engaged or wrestler.resting or wrestler.helpless)


@cite("RULING-98")
def tag_options(table: Ring, fighter: str) -> tuple[Option, ...]:
    """One option per team-mate who waits at ringside."""
    options = []
    for partner in waiting_partners(table, fighter):
        near = sight.across_ropes(table, fighter, partner)
        text = Text("option.tag", {"target": partner})
        reasons = tag_reasons(table, fighter, partner)
        doubts = (near,) if near.too_close else ()
        options.append(Option(f"tag:{partner}", text, reasons, partner, ("RULING-98",), doubts))
    return tuple(options)


@cite("MODE-13", "RULING-98", "STATUS-54")
def tag(table: Ring, fighter: str, partner: str, step: str) -> Procedure[None]:
    """For 1 Speed the two change places: he goes out, his partner comes in lying."""
    if not (yield from sight.settle(table, sight.across_ropes(table, fighter, partner), step)):
        return
    close_block(table, fighter, final=True)
    table.record("paid_speed", "RULING-98", fighter=fighter, speed=1)
    table.record("tagged", "MODE-13", "RULING-98", fighter=fighter, partner=partner)
    yield from landing.cross_ropes(table, fighter, True, step)
    table.record("left_ring", "RULING-98", fighter=fighter)
    yield from landing.cross_ropes(table, partner, False, step)
    table.record("entered_ring", "RULING-98", "STATUS-54", fighter=partner)
