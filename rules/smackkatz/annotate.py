"""What a match wants drawn: tags with cards, the legal region of whoever moves, rulers, ghosts, banners."""

from __future__ import annotations

import math
from collections.abc import Mapping

from rules.annotations import Annotation, Arrow, Banner, Card, FighterTag, Ghost, Ruler, Tone
from rules.engine.cite import cite
from rules.engine.request import Request
from rules.scene import Figure
from rules.smackkatz.abilities import Ring, fatigued, speed_left
from rules.smackkatz.annotations.holds import draw_holds
from rules.smackkatz.annotations.overhead import draw_overhead
from rules.smackkatz.annotations.whip import draw_whip
from rules.smackkatz.legality import options as legality
from rules.smackkatz.movement.moving import hand_of, in_the_way, may_step_back, may_turn, verdict_on
from rules.smackkatz.movement.region import legal_region, region_annotations
from rules.smackkatz.state import Wrestler
from rules.smackkatz.turn.places import proposed
from rules.text import Text

THERE_CM = 10.0
"""A figure this near to where it was proposed needs no ghost: the starting places are advice."""
_TONES: dict[str, Tone] = {"within": "legal", "beyond": "illegal", "too_close": "doubt"}


@cite("STATUS-08", "STATUS-32", "STATUS-43")
def cards(wrestler: Wrestler) -> tuple[Card, ...]:
    """Green for out cold, red for knocked down, yellow in a hold; the higher one covers the lower (5.1)."""
    if wrestler.unconscious:
        return ("green",)
    if wrestler.knocked_down is not None:
        return ("red",)
    return ("yellow",) if wrestler.held_by is not None else ()


@cite("RULING-61", "FATIGUE-01")
def statuses(table: Ring, wrestler: Wrestler) -> tuple[Text, ...]:
    """The statuses of a wrestler, most important first (priority of catalogue 5.1)."""
    group = table.state.group_of(wrestler.id)
    flags = (
        ("out", wrestler.out is not None),
        ("sits_out", wrestler.in_match and wrestler.sits_out is not None),
        ("no_tag", wrestler.in_match and not wrestler.legal),
        ("unconscious", wrestler.unconscious),
        ("helpless", wrestler.helpless),
        ("knocked_down", wrestler.knocked_down is not None),
        ("hoisted", wrestler.hoisted_by is not None),
        ("hoisting", wrestler.hoists is not None),
        ("on_post", wrestler.on_post is not None),
        ("in_submission", wrestler.held_by is not None),
        ("pinned", wrestler.pinned_by is not None),
        ("resting", wrestler.resting and not wrestler.taunting),
        ("taunting", wrestler.taunting),
        ("applying_submission", wrestler.holds is not None),
        ("pinning", wrestler.pins is not None),
        ("lying", wrestler.lying),
        ("at_ringside", wrestler.at_ringside),
        ("lock_up", len(group) == 2),
        ("melee", len(group) > 2),
        ("finisher_active", wrestler.finisher_bonus or wrestler.unlimited_defence),
        ("fatigued", wrestler.playing and fatigued(table, wrestler)),
        ("wound", any(count == 1 for count in wrestler.wounds.values())),
        ("injury", table.state.edition.wounds.injured(wrestler)),
        ("defended", wrestler.defended),
    )
    return tuple(Text(f"status.{name}") for name, on in flags if on)


def _tag(table: Ring, wrestler: Wrestler, figure: Figure, active: bool) -> FighterTag:
    return FighterTag(
        figure=wrestler.id,
        anchor=(figure.x, figure.y),
        name=table.roster[wrestler.id].name,
        stamina=wrestler.stamina,
        cards=cards(wrestler),
        statuses=statuses(table, wrestler),
        active=active,
        facing=figure.facing,
        facing_assumed=figure.facing_assumed,
        outline=figure.outline,
        tone="active" if active else "neutral",
    )


def draw(table: Ring, request: Request | None, figures: Mapping[str, Figure]) -> tuple[Annotation, ...]:
    """Everything to draw over the figures as they stand now."""
    acting = request.fighter if request is not None else None
    found: list[Annotation] = []
    if acting is not None and acting == table.state.active:
        found += _movement(table, acting, figures)
    if request is not None and request.proposal is not None and acting is not None:
        found.append(Ghost(acting, request.proposal.outline, request.text))
    if request is not None and request.kind == "ruling":
        found += _doubt(request)
    found += draw_whip(table, request, figures)
    found += draw_holds(table, request, figures)
    found += draw_overhead(table, request, figures)
    if table.state.phase == "SETUP" and table.state.outcome is None:
        found += _starting_places(table, figures)
    for wrestler in table.state.wrestlers.values():
        if wrestler.id in figures:
            found.append(_tag(table, wrestler, figures[wrestler.id], wrestler.id == acting))
    outcome = table.state.outcome
    if outcome is not None:
        found.append(Banner(outcome.text, "active", (outcome.rule,)))
    return tuple(found)


@cite("SETUP-01", "SETUP-02")
def _starting_places(table: Ring, figures: Mapping[str, Figure]) -> list[Annotation]:
    """Ghosts where the wrestlers should stand who are not there yet."""
    return [
        Ghost(name, place.outline, Text("ghost.starting_place", {"fighter": name}))
        for name, place in proposed(table).items()
        if name not in figures or math.dist((figures[name].x, figures[name].y), (place.x, place.y)) > THERE_CM
    ]


@cite("MOVE-01", "MOVE-02", "MOVE-04")
def _movement(table: Ring, fighter: str, figures: Mapping[str, Figure]) -> list[Annotation]:
    """The legal region from where the block began, and the move so far with its ruler."""
    start = table.state.block or table.state.scene.figures.get(fighter)
    if start is None or legality.movement_reasons(table, fighter):
        return []
    wrestler = table.state.wrestlers[fighter]
    region = legal_region(
        start,
        hand_of(table, fighter),
        speed_left(table, fighter),
        ring=table.state.scene.ring,
        others=in_the_way(table, fighter),
        rulings=table.rulings,
        may_turn=may_turn(table, fighter),
        may_step_back=may_step_back(table, fighter),
        escape=bool(wrestler.left) and not wrestler.stepped_back,
        at_ringside=wrestler.at_ringside,
    )
    found: list[Annotation] = list(region_annotations(region, Text("region.move", {"fighter": fighter})))
    now = figures.get(fighter)
    if now is not None and max(abs(now.x - start.x), abs(now.y - start.y)) > 0.5:
        verdict = verdict_on(table, fighter, now)
        away, tone = verdict.distance, _TONES[verdict.verdict]
        if away.value > away.error95:
            # The whole sentence stands on the banner; beside the ruler there is room for the length.
            length = Text("length.cm", {"length": away.value, "error": away.error95})
            path = ((start.x, start.y), (now.x, now.y))
            found.append(Ruler(path, hand_of(table, fighter).palm, away.sd, tone, length))
            found.append(Banner(verdict.text, tone, verdict.rules))
    return found


@cite("RULING-30", "RULING-32", "RULING-33")
def _doubt(request: Request) -> list[Annotation]:
    """The question to the referee, and the pair of points it hangs on."""
    found: list[Annotation] = [Banner(request.text, "doubt", request.rules)]
    if request.finding is not None and request.finding.points is not None:
        found.append(Arrow(*request.finding.points, tone="doubt"))
    return found
