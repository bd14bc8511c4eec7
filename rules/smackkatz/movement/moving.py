"""A wrestler's block of movement: the figure is moved, observed and judged (section 6)."""

from __future__ import annotations

from dataclasses import replace

from shapely.geometry.base import BaseGeometry

from rules.engine.cite import cite
from rules.engine.request import REFEREE, Option, Procedure, Request
from rules.geometry import outline_shape, posts
from rules.questions import inside_ring
from rules.scene import Figure, Hand
from rules.smackkatz.abilities import Ring, speed_left
from rules.smackkatz.asking import see
from rules.smackkatz.movement.judge import MoveVerdict, Verdict, judge_move
from rules.text import Text


def hand_of(table: Ring, fighter: str) -> Hand:
    """The hand of the fighter's own player (MOVE-02)."""
    return table.roster[fighter].hand


@cite("LOCK-08", "LOCK-09", "RULING-24", "FACE-03")
def verdict_on(table: Ring, fighter: str, after: Figure) -> MoveVerdict:
    """The whole open block judged from where it began to `after`."""
    state = table.state
    wrestler = state.wrestlers[fighter]
    before = state.block if state.block is not None else state.scene.figures[fighter]
    unlimited = table.rulings["step_back_max"] == "unlimited"
    judged = judge_move(
        before,
        after,
        hand_of(table, fighter),
        speed=speed_left(table, fighter),
        rulings=table.rulings,
        may_turn=not wrestler.facing_changed,
        may_step_back=unlimited or not wrestler.stepped_back,
        escape=bool(wrestler.left) and not wrestler.stepped_back,
        blockers=blockers(table, fighter),
    )
    return _over_the_ropes(table, wrestler.at_ringside, after, judged)


@cite("RULING-29", "RULING-34")
def _over_the_ropes(table: Ring, at_ringside: bool, after: Figure, judged: MoveVerdict) -> MoveVerdict:
    """A move does not cross the ropes: that is leaving or entering the ring, another action."""
    inside = inside_ring(after, table.state.scene.ring)
    if inside.answer != at_ringside or inside.distance is None:
        return judged
    low, high = inside.distance.interval()
    verdict: Verdict = "too_close" if low <= 0 <= high else "beyond"
    text = Text(f"verdict.ropes.{verdict}", judged.text.values)
    return replace(judged, verdict=verdict, text=text, rules=(*judged.rules, "RULING-29", "RULING-34"))


@cite("RULING-29")
def blockers(table: Ring, fighter: str) -> dict[str, BaseGeometry]:
    """What a move may not pass through: the other figures on the table and the posts."""
    state = table.state
    over_lying = table.rulings["pass_over_lying"]
    found: dict[str, BaseGeometry] = {
        other.id: outline_shape(state.scene.figures[other.id])
        for other in state.playing
        if other.id != fighter and other.id in state.scene.figures and (other.upright or not over_lying)
    }
    return found | {f"post {one + 1}": post for one, post in enumerate(posts(state.scene.ring))}


@cite("MOVE-01", "MOVE-02", "MOVE-04", "FACE-01", "RULING-26", "RULING-29")
def move(table: Ring, fighter: str, step: str) -> Procedure[None]:
    """Have the figure moved and observed until the move stands: measured, allowed or put right."""
    figure = table.state.scene.figures.get(fighter)
    if table.state.block is None and figure is not None:
        table.record("block_opened", "RULING-12", fighter=fighter)
    while True:
        figures = yield Request(
            "observe",
            step,
            REFEREE,
            Text("ask.move", {"fighter": fighter, "speed": speed_left(table, fighter)}),
            fighter=fighter,
            rules=("MOVE-01", "MOVE-02"),
        )
        after = figures.get(fighter)
        # When nobody saw the figure the referee, who watched the hand, has to say.
        seen = after is not None and table.state.block is not None
        verdict = verdict_on(table, fighter, after) if seen and after is not None else None
        if verdict is not None and verdict.verdict == "within":
            see(table, figures, "MOVE-01")
            _moved(table, fighter, verdict, "measured")
            return
        if (yield from _ruled(table, fighter, verdict, step)):
            see(table, figures, "MOVE-01")
            _moved(table, fighter, verdict, "referee")
            return


@cite("RULING-28", "RULING-29")
def _ruled(table: Ring, fighter: str, verdict: MoveVerdict | None, step: str) -> Procedure[bool]:
    """A move that is beyond, too close to call or unseen: the referee lets it stand or has it redone."""
    options = (
        Option("stands", Text("option.move_stands"), rules=("MOVE-01",)),
        Option("again", Text("option.move_again"), rules=("MOVE-01",)),
    )
    text = Text("verdict.unseen", {"fighter": fighter}) if verdict is None else verdict.text
    rules = ("MOVE-01",) if verdict is None else verdict.rules
    said = yield Request(
        "ruling", f"{step} D-28", REFEREE, text, fighter=fighter, options=options, rules=rules
    )
    return bool(said == "stands")


def _moved(table: Ring, fighter: str, verdict: MoveVerdict | None, by: str) -> None:
    """Record a move that stands; a move allowed beyond the limit costs all the Speed there is."""
    left = speed_left(table, fighter)
    if verdict is None:
        table.record("moved_unseen", "MOVE-01", fighter=fighter, cost=left, turned=True, stepped_back=False)
        return
    cost = left if verdict.cost is None else min(verdict.cost, left)
    table.record(
        "moved",
        *verdict.rules,
        fighter=fighter,
        cost=cost,
        cm=round(verdict.distance.value, 2),
        palms=round(verdict.palms.value, 3),
        turned=verdict.turned,
        stepped_back=verdict.stepped_back,
        verdict=verdict.verdict,
        by=by,
    )


@cite("RULING-12")
def close_block(table: Ring, fighter: str, final: bool) -> None:
    """End the block of movement: its cost is spent; `final` when no more movement may follow."""
    wrestler = table.state.wrestlers[fighter]
    if table.state.block is not None or (final and wrestler.walked and not wrestler.moved):
        final = final and (wrestler.walked or table.state.block_cost > 0)
        table.record("block_closed", "RULING-12", fighter=fighter, final=final)
