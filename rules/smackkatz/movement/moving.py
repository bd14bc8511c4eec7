"""A wrestler's block of movement: the figure is moved, observed and judged (section 6)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from shapely.geometry.base import BaseGeometry

from rules.engine.cite import cite
from rules.engine.request import REFEREE, Option, Procedure, Request
from rules.geometry import moved, outline_shape, posts
from rules.questions import inside_ring
from rules.scene import Figure, Hand
from rules.smackkatz.abilities import Ring, speed_left
from rules.smackkatz.asking import lose_sight, see
from rules.smackkatz.movement.forced import charge_palms
from rules.smackkatz.movement.judge import MoveVerdict, Verdict, judge_move
from rules.text import Text


def hand_of(table: Ring, fighter: str) -> Hand:
    """The hand of the fighter's own player (MOVE-02)."""
    return table.state.scene.hands[fighter]


@cite("FACE-03")
def may_turn(table: Ring, fighter: str) -> bool:
    """Whether a facing change is left to him this turn."""
    return table.state.edition.movement.turns_freely or not table.state.wrestlers[fighter].facing_changed


@cite("MOVE-05", "RULING-27")
def may_step_back(table: Ring, fighter: str) -> bool:
    """Whether a step back is left to him this turn."""
    if not table.state.edition.movement.steps_back:
        return False
    return table.rulings["step_back_max"] == "unlimited" or not table.state.wrestlers[fighter].stepped_back


@cite("LOCK-08", "LOCK-09", "RULING-24")
def verdict_on(table: Ring, fighter: str, after: Figure) -> MoveVerdict:
    """The whole open block judged from where it began to `after`."""
    state = table.state
    wrestler = state.wrestlers[fighter]
    before = state.block if state.block is not None else state.scene.figures[fighter]
    escape = bool(wrestler.left) and not wrestler.stepped_back
    return _verdict(table, fighter, before, after, speed_left(table, fighter), escape=escape)


@cite("FACE-03", "MOVE-05")
def _verdict(
    table: Ring, fighter: str, before: Figure, after: Figure, palms: int, *, escape: bool = False
) -> MoveVerdict:
    """A walk of so many palms judged with what is left of the turn's facing change and step back."""
    wrestler = table.state.wrestlers[fighter]
    judged = judge_move(
        before,
        after,
        hand_of(table, fighter),
        speed=palms,
        rulings=table.rulings,
        may_turn=may_turn(table, fighter),
        may_step_back=may_step_back(table, fighter),
        escape=escape,
        turns_freely=table.state.edition.movement.turns_freely,
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
    found: dict[str, BaseGeometry] = {other.id: outline_shape(other) for other in in_the_way(table, fighter)}
    return found | {f"post {one + 1}": post for one, post in enumerate(posts(table.state.scene.ring))}


@cite("RULING-29", "STATUS-14")
def in_the_way(table: Ring, fighter: str) -> tuple[Figure, ...]:
    """The figures a move may not pass through: nobody who is held up or stands on a post is one of them."""
    figures = table.state.scene.figures
    over_lying = table.rulings["pass_over_lying"]
    return tuple(
        figures[other.id]
        for other in table.state.playing
        if other.id != fighter
        and other.id in figures
        and (other.upright or not over_lying)
        and other.hoisted_by is None
        and other.on_post is None
    )


@cite("MOVE-01", "MOVE-02", "MOVE-04", "FACE-01", "RULING-26", "RULING-29")
def move(table: Ring, fighter: str, step: str) -> Procedure[None]:
    """Have the figure moved and observed until the move stands: measured, allowed or put right."""
    figure = table.state.scene.figures.get(fighter)
    if table.state.block is None and figure is not None:
        table.record("block_opened", "RULING-12", fighter=fighter)

    def judge(after: Figure) -> MoveVerdict | None:
        # When nobody saw where the block began the referee, who watched the hand, has to say.
        return verdict_on(table, fighter, after) if table.state.block is not None else None

    text = Text("ask.move", {"fighter": fighter, "speed": speed_left(table, fighter)})
    verdict, by = yield from _until_it_stands(table, fighter, step, text, judge, "MOVE-01", "MOVE-02")
    _moved(table, fighter, verdict, by)
    if table.roster[fighter].kind == "beast":
        yield from _advance(table, fighter, verdict, step)
    carry(table, fighter)


Judge = Callable[[Figure], MoveVerdict | None]


def _until_it_stands(
    table: Ring, fighter: str, step: str, text: Text, judge: Judge, *rules: str
) -> Procedure[tuple[MoveVerdict | None, str]]:
    """Observe the figure until its move stands; the verdict, and whether it was measured or allowed."""
    while True:
        figures = yield Request("observe", step, REFEREE, text, fighter=fighter, rules=rules)
        after = figures.get(fighter)
        verdict = judge(after) if after is not None else None
        measured = verdict is not None and verdict.verdict == "within"
        if measured or (yield from _ruled(table, fighter, verdict, step)):
            see(table, figures, rules[0])
            if after is None:
                # He and whoever he carries are somewhere else now: the rules must not measure from there.
                carried = table.state.wrestlers[fighter].hoists
                lose_sight(table, fighter, *(() if carried is None else (carried,)))
            return verdict, "measured" if measured else "referee"


@cite("SUPLEX-04", "RULING-36", "RULING-53")
def walk_free(table: Ring, holder: str, palms: int, step: str) -> Procedure[None]:
    """D-12: up to so many free palms with the rival overhead, of the holder's own hand, Speed untouched."""
    before = table.state.scene.figures.get(holder)

    def judge(after: Figure) -> MoveVerdict | None:
        return None if before is None else _verdict(table, holder, before, after, palms)

    text = Text("ask.free_palms", {"fighter": holder, "palms": palms})
    verdict, by = yield from _until_it_stands(table, holder, step, text, judge, "SUPLEX-04", "RULING-53")
    table.record(
        "carried",
        "SUPLEX-04",
        "RULING-53",
        fighter=holder,
        palms=palms,
        turned=verdict is not None and verdict.turned,
        stepped_back=verdict is not None and verdict.stepped_back,
        by=by,
    )
    carry(table, holder)


@cite("STATUS-14", "SUPLEX-05")
def carry(table: Ring, holder: str) -> None:
    """Whoever he holds up stands on top of him: the same place on the table."""
    hoisted = table.state.wrestlers[holder].hoists
    figures = table.state.scene.figures
    if hoisted is None or hoisted not in figures or holder not in figures:
        return
    over, under = figures[hoisted], figures[holder]
    if (over.x, over.y) != (under.x, under.y):
        see(table, {hoisted: moved(over, under.x, under.y)}, "STATUS-14")


@cite("SPECIAL-11", "RULING-95")
def _advance(table: Ring, fighter: str, verdict: MoveVerdict | None, step: str) -> Procedure[None]:
    """Count the whole forward palms of the open block, which a charge adds to Strike."""
    hand = hand_of(table, fighter)
    if verdict is None:
        palms = yield from _told_palms(table, fighter, step)
    else:
        before, after = [*(length for _, length in verdict.legs), 0.0, 0.0][:2]
        if table.rulings["turn_order"] == "move_first":
            before, after = after, before
        palms = charge_palms(before, after, hand.palm, hand.half_palm)
    if palms != table.state.block_palms:
        table.record("advanced", "SPECIAL-11", "RULING-95", fighter=fighter, palms=palms)


@cite("SPECIAL-11")
def _told_palms(table: Ring, fighter: str, step: str) -> Procedure[int]:
    """Nobody saw the move: the referee says how many whole palms forward it was."""
    options = tuple(
        Option(f"palms:{count}", Text("option.palms", {"palms": count}), rules=("SPECIAL-11",))
        for count in range(speed_left(table, fighter) + 1)
    )
    text = Text("ask.palms_advanced", {"fighter": fighter})
    said = yield Request(
        "ruling", f"{step} D-28", REFEREE, text, fighter=fighter, options=options, rules=("SPECIAL-11",)
    )
    return int(said.partition(":")[2])


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
