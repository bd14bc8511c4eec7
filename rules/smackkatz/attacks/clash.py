"""The clash (envite) when a rebound brings a wrestler back to his launcher, and its free Strike."""

from __future__ import annotations

from rules.engine.cite import cite
from rules.engine.request import Modifier, Option, Procedure
from rules.smackkatz.abilities import Ring, effective, pool
from rules.smackkatz.asking import choose, roll
from rules.smackkatz.attacks.exchange import THRESHOLD, exchange
from rules.smackkatz.consequences.aftermath import struck
from rules.smackkatz.consequences.blow import finisher_damage, land
from rules.smackkatz.consequences.harm import lose_stamina
from rules.smackkatz.turn.order import roll_off
from rules.text import Text


@cite("WHIP-16", "WHIP-17", "WHIP-18", "WHIP-19", "RULING-49")
def clash(table: Ring, launcher: str, runner: str, decider: str, step: str) -> Procedure[None]:
    """The clash (envite): both roll Combat, one die more for whoever decided the rebound."""
    both = (launcher, runner)
    one_more = (Modifier(Text("term.decided_rebound"), 1, "WHIP-17"),)
    pools = tuple(pool(table, one, "combat", THRESHOLD, one_more if one == decider else ()) for one in both)
    text = Text("ask.clash", {"fighter": launcher, "runner": runner})
    thrown = yield from roll(table, f"{step} clash", text, pools, "WHIP-16", "WHIP-17")
    scores = {one: table.state.edition.whip.clash(thrown[one]) for one in both}
    winner = max(both, key=lambda one: scores[one])
    if scores[launcher] == scores[runner]:
        if table.rulings["clash_tie"] == "nobody":
            table.record("clash_tied", "RULING-49", fighter=runner, rival=launcher)
            return
        winner = (yield from roll_off(table, both, step, "RULING-49"))[0]
    loser = launcher if winner == runner else runner
    table.record("clash", "WHIP-18", fighter=winner, rival=loser, own=scores[winner], theirs=scores[loser])
    if _may_strike(table, winner):
        yield from _free_strike(table, winner, loser, step)


@cite("WHIP-19", "STATUS-11", "RULING-87")
def _may_strike(table: Ring, winner: str) -> bool:
    """Whether the winner's posture lets him attack at all."""
    wrestler = table.state.wrestlers[winner]
    down = not wrestler.upright and not (wrestler.lying and table.rulings["lying_may_attack"])
    return not (down or wrestler.resting or wrestler.helpless)


@cite("WHIP-19", "RULING-49", "RULING-104")
def _free_strike(table: Ring, winner: str, loser: str, step: str) -> Procedure[None]:
    """D-30: a Strike at 4+ without defence that costs no attack; by house rule an automatic hit."""
    options = (
        Option("free_strike", Text("option.free_strike", {"target": loser}), rules=("WHIP-19",)),
        Option("no", Text("option.no"), rules=("WHIP-19",)),
    )
    text = Text("ask.free_strike", {"fighter": winner, "target": loser})
    if (yield from choose(table, winner, f"{step} D-30", text, options, "WHIP-19", "RULING-49")) == "no":
        return
    table.record("free_strike", "WHIP-19", "RULING-49", fighter=winner, target=loser)
    if table.rulings["clash_strike"] == "auto_strength":
        points = effective(table, winner, "strength")
        lose_stamina(table, loser, points, "RULING-49")
        lose_stamina(table, loser, finisher_damage(table, winner), "FIN-10")
        yield from struck(table, winner, loser, step, points)
        return
    found = yield from exchange(table, winner, loser, "strike", step, defended_by=None, threshold=THRESHOLD)
    if found.net > 0:
        yield from land(table, winner, loser, found.net, step, found.faces)
