"""Lock-ups and melees: detected at the snapshot (S4), ordered by Combat, played before everybody else."""

from __future__ import annotations

from itertools import combinations

from rules.engine.cite import cite
from rules.engine.request import REFEREE, Modifier, Option, Procedure, Request
from rules.smackkatz import sight
from rules.smackkatz.abilities import Ring, effective, pool
from rules.smackkatz.asking import roll
from rules.smackkatz.state import Wrestler
from rules.smackkatz.turn.order import by_successes, roll_off
from rules.smackkatz.turn.slots import slot
from rules.text import Text, listed

STEP = "LOCKUP_PHASE"


@cite("RULING-16", "RULING-103")
def _free(wrestler: Wrestler) -> bool:
    """Upright and unbound; whoever rests or will have to is not (RULING-103)."""
    still = wrestler.resting or wrestler.must_rest or wrestler.helpless
    return wrestler.playing and wrestler.upright and not (wrestler.engaged or still)


@cite("LOCK-01", "RULING-16")
def _linked(table: Ring, a: str, b: str) -> Procedure[bool]:
    """Whether two free wrestlers are engaged: adjacent, no team-mates, one facing the other."""
    first, second = table.state.wrestlers[a], table.state.wrestlers[b]
    if first.team is not None and first.team == second.team:
        return False
    if first.at_ringside != second.at_ringside:
        # Not even where attacks across the ropes are allowed.
        return False
    needs = table.rulings["lock_up_needs"]
    if needs == "adjacency_and_prior_attack" and frozenset((a, b)) not in table.state.fought:
        return False
    near = yield from sight.settle(table, sight.adjacent(table, a, b), "S4")
    if not near or table.rulings["lock_up_facing"] == "none":
        return near
    views = sight.in_front(table, a, b), sight.in_front(table, b, a)
    if table.rulings["lock_up_facing"] == "either":
        # One clear look is enough: nobody is asked about the other one.
        for view in sorted(views, key=lambda view: (view.too_close, not view.answer)):
            if (yield from sight.settle(table, view, "S4")):
                return True
        return False
    for view in views:
        if not (yield from sight.settle(table, view, "S4")):
            return False
    return True


@cite("LOCK-01", "MELEE-01", "INIT-05", "RULING-16", "RULING-17")
def detect(table: Ring) -> Procedure[None]:
    """Build the turn's lock-ups (two) and melees (three or more) from the snapshot."""
    free = [one.id for one in table.state.playing if _free(one)]
    links = set()
    for a, b in combinations(free, 2):
        if (yield from _linked(table, a, b)):
            links.add(frozenset((a, b)))
    # Meanwhile the referee may have corrected somebody.
    free = [one for one in free if _free(table.state.wrestlers[one])]
    for group in groups_of(free, links, str(table.rulings["melee_link"])):
        rule = "LOCK-01" if len(group) == 2 else "MELEE-01"
        table.record("locked_up", rule, "RULING-16", members=list(group))
    _expire_tie_dice(table)


@cite("RULING-17")
def groups_of(fighters: list[str], links: set[frozenset[str]], link: str) -> list[tuple[str, ...]]:
    """Groups of linked wrestlers: connected ones, or (all_mutual) largest sets where all are linked."""
    left, groups = list(fighters), []
    while left:
        group = [left.pop(0)]
        grown = True
        while grown:
            grown = False
            for one in list(left):
                ties = [frozenset((one, member)) in links for member in group]
                if all(ties) if link == "all_mutual" else any(ties):
                    group.append(one)
                    left.remove(one)
                    grown = True
        if len(group) > 1:
            groups.append(tuple(one for one in fighters if one in group))
    return groups


@cite("COUNTER-08", "RULING-25")
def _expire_tie_dice(table: Ring) -> None:
    """A tie die is lost unless the same two are in one group again."""
    for wrestler in table.state.playing:
        if wrestler.tie_die:
            group = table.state.group_of(wrestler.id)
            kept = [one for one in wrestler.tie_die if one in group]
            if not kept:
                table.record("tie_die_lost", "RULING-25", fighter=wrestler.id)


@cite("INIT-05", "INIT-06", "LOCK-02", "LOCK-03", "MELEE-02", "RULING-10", "RULING-112")
def lockup_phase(table: Ring) -> Procedure[None]:
    """All groups roll Combat, then act group by group, member by member."""
    orders: dict[tuple[str, ...], list[str]] = {}
    scores: dict[str, int] = {}
    waiting = [one for one in table.state.groups if not all(table.state.wrestlers[f].acted for f in one)]
    for group in waiting:
        scores |= yield from _roll_combat(table, group)
        orders[group] = yield from by_successes(table, {one: scores[one] for one in group}, STEP)
        table.record("order", "LOCK-03", order=orders[group])
        _name_last(table, group, orders[group])
    for group in (yield from _group_order(table, list(orders), scores)):
        for fighter in orders[group]:
            # A member displaced, lifted or freed before his slot keeps it, if he still stands (RULING-112).
            yield from slot(table, fighter, STEP)


@cite("LOCK-02", "COUNTER-08", "RULING-25")
def _roll_combat(table: Ring, group: tuple[str, ...]) -> Procedure[dict[str, int]]:
    pools = []
    for fighter in group:
        tied = table.state.wrestlers[fighter].tie_die
        extra = (Modifier(Text("term.tie_die"), 1, "COUNTER-08"),) if tied else ()
        pools.append(pool(table, fighter, "combat", 4, extra))
    text = Text("ask.combat", {"fighters": listed(group)})
    thrown = yield from roll(table, f"{STEP} combat", text, tuple(pools), "LOCK-02")
    for fighter in group:
        if table.state.wrestlers[fighter].tie_die:
            table.record("tie_die_used", "RULING-25", fighter=fighter)
    return {fighter: table.state.edition.combat_order(thrown[fighter]) for fighter in group}


@cite("MELEE-03", "MELEE-04", "MELEE-05", "RULING-20")
def _name_last(table: Ring, group: tuple[str, ...], order: list[str]) -> None:
    """The worst of a melee cannot attack this turn, why so is the commentator's; he can still defend.

    An order that is rolled again, after the referee corrected something, names no second one.
    """
    if len(group) < 3 or any(table.state.wrestlers[one].cannot_attack for one in group):
        return
    last = order[-1]
    if table.rulings["melee_worst"] == "ability":
        # The lowest ability; among equals the one who came out last in the roll.
        last = min(reversed(order), key=lambda one: effective(table, one, "combat"))
    table.record("cannot_attack", "MELEE-03", fighter=last)


@cite("RULING-10")
def _group_order(
    table: Ring, groups: list[tuple[str, ...]], scores: dict[str, int]
) -> Procedure[list[tuple[str, ...]]]:
    """Several groups: the one with the best roller first, ties by 1d6 (or at random, or by the referee)."""
    if len(groups) < 2:
        return groups
    method = table.rulings["group_order"]
    if method == "referee":
        return (yield from _referee_order(table, groups))
    heads = {group[0]: group for group in groups}
    if method == "random":
        order = yield from roll_off(table, list(heads), STEP, "RULING-10")
    else:
        best = {group[0]: max(scores[one] for one in group) for group in groups}
        order = yield from by_successes(table, best, STEP)
    return [heads[head] for head in order]


def _referee_order(table: Ring, groups: list[tuple[str, ...]]) -> Procedure[list[tuple[str, ...]]]:
    order, left = [], list(groups)
    while len(left) > 1:
        names = {"+".join(group): group for group in left}
        options = tuple(
            Option(name, Text("option.first", {"fighter": name}), rules=("RULING-10",)) for name in names
        )
        text = Text("ask.who_first", {"fighters": listed(list(names))})
        chosen = yield Request("ruling", STEP, REFEREE, text, options=options, rules=("RULING-10",))
        order.append(names[chosen])
        left.remove(names[chosen])
    return order + left
