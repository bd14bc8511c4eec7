"""A move measured in a review: any two moments, anyone's palm, hand-made points, on the match's own terms."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from overlay.review.desk import Asked
from palmo.annotating import tags, with_heights
from palmo.convert import hand, rules_ring
from palmo.errors import SaidError
from palmo.event import PlayerSection
from palmo.judging import Judgement, fighter_called, judge, move_annotations, speed_of
from palmo.review.corrections import FootPoint, corrected, point_for, unseen
from palmo.review.evidence import Evidence
from palmo.review.past import Past, Terms
from palmo.scene import figure
from palmo.stays import Move, Stay, stay_at
from rules.annotations import Annotation, FighterTag, Ghost, Region, RingEdge
from rules.scene import Figure, Point, Scene
from rules.smackkatz.movement.region import legal_region, region_annotations
from rules.text import Text

# Corners of the circle that is drawn when so many palms are allowed.
_ROUND = 72


@dataclass(frozen=True, eq=False)
class Measurement:
    """A move measured: the judgement, on what terms of the match (None: the sheet's), with which points.

    `by` is the player whose hand it is measured with, as it was then.
    """

    asked: Asked
    judgement: Judgement
    terms: Terms | None
    by_hand: tuple[FootPoint, ...]
    by: PlayerSection

    @property
    def ids(self) -> tuple[str, ...]:
        """Whom it is about."""
        return (self.judgement.fighter.id,)

    @property
    def name(self) -> str:
        """The mover's name."""
        return self.judgement.fighter.name

    @property
    def places(self) -> tuple[Point, ...]:
        """Where it stood before and after, in cm."""
        move = self.judgement.move
        return tuple((stay.track.x or 0.0, stay.track.y or 0.0) for stay in (move.before, move.after))

    @property
    def rests_on(self) -> tuple[float, float]:
        """The times in seconds between which the evidence for it lies."""
        move = self.judgement.move
        return move.before.last_t, move.after.last_t


def measure(evidence: Evidence, past: Past, points: list[FootPoint], asked: Asked) -> Measurement:
    """Measure a move. Raises PalmoError, saying what to choose, when it cannot be measured."""
    event = evidence.setup.event
    fighter = fighter_called(event, asked.fighter).id
    last = len(evidence.frames) - 1
    if max(asked.before, asked.after) > last:
        raise SaidError("error.review.beyond", last=last)
    if not 0 <= asked.before < asked.after:
        raise SaidError("error.review.order")
    before, one = end_of(evidence, points, fighter, asked.before)
    after, other = end_of(evidence, points, fighter, asked.after)
    move = Move(before, after)
    times = (min(before.last_t, evidence.times[asked.after]), after.first_t, after.last_t)
    terms = past.terms(fighter, times) if past.known else None
    owner = asked.player or event.owner(fighter).id
    by = _player_at(evidence, past, owner, evidence.times[asked.before])
    judgement = judge(
        event,
        move,
        allow_palms=asked.allow,
        by=by,
        terms=None if terms is None else _agreed(terms),
    )
    used = dict.fromkeys(point for point in (one, other) if point is not None)
    return Measurement(asked, judgement, terms, tuple(used), by)


def end_of(
    evidence: Evidence, points: list[FootPoint], fighter: str, number: int
) -> tuple[Stay, FootPoint | None]:
    """Where a fighter stood in a frame, and the point put by hand when there is one.

    Raises PalmoError, naming the times that work, when nobody measured it there and no hand did.
    """
    t, track = evidence.times[number], evidence.frames[number].fighters.get(fighter)
    fragment = None if track is None else track.fragment
    point = point_for(points, fighter, fragment, t)
    if point is None:
        return stay_at(evidence.frames, fighter, t), None
    stood = evidence.stays.get(fighter, [])
    stay = next((one for one in stood if one.first_t <= t <= one.last_t), None)
    if stay is None:
        last = next((one for one in reversed(stood) if one.last_t < t), None)
        stay = unseen(fighter, t, last)
    return corrected(stay, point, evidence.setup.calibration), point


def shown(evidence: Evidence, past: Past, number: int, found: Measurement | None) -> tuple[Annotation, ...]:
    """What is drawn over a frame: who stands where, and the measured move with region, ruler and verdict."""
    event = evidence.setup.event
    drawn: list[Annotation] = [RingEdge(rules_ring(event).corners)]
    labels = labels_of(evidence, past, number)
    if found is not None:
        mover = found.judgement.fighter.id
        drawn += region_of(evidence, found)
        drawn += start_of(found)
        drawn += move_annotations(found.judgement)
        labels = [replace(one, active=one.figure == mover) for one in labels]
    return with_heights([*drawn, *labels], event)


def labels_of(evidence: Evidence, past: Past, number: int) -> list[FighterTag]:
    """Everybody's label in a frame, with what the match knew of them then; without a match nothing."""
    scene = evidence.scene(number)
    known = past.labels(scene)
    if known is not None:
        return known
    drawn = (one for one in tags(scene, evidence.setup.event) if isinstance(one, FighterTag))
    return [replace(one, stamina=None) for one in drawn]


def start_of(found: Measurement) -> list[Annotation]:
    """Where the figure stood before, as its outline."""
    before = found.judgement.move.before
    if before.outline is None:
        return []
    label = Text("review.stood", {"t": before.last_t})
    return [Ghost(found.judgement.fighter.id, before.outline, label)]


def region_of(evidence: Evidence, found: Measurement) -> list[Annotation]:
    """Where the figure could have gone at that moment: by the match, else among those who stood there."""
    judgement, asked = found.judgement, found.asked
    event, fighter = evidence.setup.event, judgement.fighter
    player = found.by
    before = judgement.move.before
    start = figure(fighter, before.track, before.outline)
    label = Text("region.move", {"fighter": fighter.name})
    if asked.allow is not None:
        return [Region(_circle((start.x, start.y), asked.allow * player.palm_cm), (), "legal", label)]
    terms = found.terms
    if terms is None:
        scene = evidence.scene(evidence.number_at(before.last_t))
        shape = legal_region(
            start, hand(player), speed_of(fighter), ring=rules_ring(event), others=_others(scene, fighter.id)
        )
    else:
        shape = legal_region(
            start,
            hand(player),
            terms.speed,
            ring=rules_ring(event),
            others=terms.others,
            rulings=terms.rulings,
            may_turn=terms.may_turn,
            may_step_back=terms.may_step_back,
            escape=terms.escape,
            at_ringside=terms.at_ringside,
        )
    return list(region_annotations(shape, label))


def _agreed(terms: Terms) -> dict[str, object]:
    names = ("speed", "rulings", "may_turn", "may_step_back", "escape", "turns_freely", "blockers")
    return {name: getattr(terms, name) for name in names}


def _others(scene: Scene, fighter: str) -> tuple[Figure, ...]:
    return tuple(one for id_, one in scene.figures.items() if id_ != fighter)


def _player(evidence: Evidence, called: str) -> PlayerSection:
    for player in evidence.setup.event.player:
        if player.id == called:
            return player
    known = ", ".join(player.id for player in evidence.setup.event.player)
    raise SaidError("error.review.player", player=called, known=known)


def _player_at(evidence: Evidence, past: Past, called: str, t: float) -> PlayerSection:
    """A player with the hand that the match measured with at a time in seconds."""
    player = _player(evidence, called)
    fighters = (one.id for one in evidence.setup.event.fighter if one.player == player.id)
    hand = next((found for one in fighters if (found := past.hand(one, t)) is not None), None)
    if hand is None:
        return player
    measures = {"palm_cm": hand.palm, "half_palm_cm": hand.half_palm, "palm_sd_cm": hand.palm_sd}
    return player.model_copy(update=measures)


def _circle(middle: Point, radius: float) -> tuple[Point, ...]:
    turns = (2 * math.pi * step / _ROUND for step in range(_ROUND))
    return tuple((middle[0] + radius * math.cos(turn), middle[1] + radius * math.sin(turn)) for turn in turns)
