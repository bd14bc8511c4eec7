"""What is drawn over recorded tracks: names and facings, and each move with its region, ruler and verdict."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from palmo.convert import hand, rules_ring
from palmo.event import Event
from palmo.judging import Judgement, judge, move_annotations, speed_of
from palmo.scene import SceneBuilder, figure
from palmo.stays import Move, moves
from rules.annotations import Annotation, FighterTag, RingEdge
from rules.scene import Figure, Scene
from rules.smackkatz.movement.region import legal_region, region_annotations
from rules.smackkatz.state import START_STAMINA
from rules.text import Text
from vision.tracks import TrackFrame

# How long a fighter's legal region is shown before it is touched, and a verdict after it stands.
_REGION_S = 1.0
_VERDICT_S = 2.5
# So many moves are told at once, the latest: more of them would hide the ring.
_AT_ONCE = 2


def with_heights(annotations: Sequence[Annotation], event: Event) -> tuple[Annotation, ...]:
    """The same annotations; fighters' labels hang over their heads, which the rules know nothing of."""
    heights = {fighter.id: fighter.height_cm for fighter in event.fighter}
    return tuple(
        replace(one, height=heights.get(one.figure, 0.0)) if isinstance(one, FighterTag) else one
        for one in annotations
    )


def tags(scene: Scene, event: Event) -> list[Annotation]:
    """A label for everybody on the table, as before a match."""
    names = {fighter.id: fighter.name for fighter in event.fighter}
    return [
        FighterTag(
            figure=one.id,
            anchor=(one.x, one.y),
            name=names.get(one.id, one.id),
            stamina=START_STAMINA,
            statuses=() if one.posture == "standing" else (Text(f"status.{one.posture}"),),
            facing=one.facing,
            facing_assumed=one.facing_assumed,
            outline=one.outline,
        )
        for one in scene.figures.values()
    ]


@dataclass(frozen=True, eq=False)
class _Act:
    """One judged move and when its region and its verdict are shown, in seconds."""

    judgement: Judgement
    region: tuple[Annotation, ...]
    verdict: tuple[Annotation, ...]

    def at(self, t: float) -> tuple[Annotation, ...]:
        start, end = self.judgement.move.before.last_t, self.judgement.move.after.first_t
        if end <= t < end + _VERDICT_S:
            return (*self.region, *self.verdict)
        return self.region if start - _REGION_S <= t < end else ()


def latest(moves: Iterable[Sequence[Annotation]]) -> list[Annotation]:
    """What is told of moves, the oldest first, when as many are told at once as leave the ring to be seen."""
    told = [shown for shown in moves if shown]
    return list(chain.from_iterable(told[-_AT_ONCE:]))


class Annotator:
    """Annotations for every frame of recorded tracks. `judgements` are all its moves in order."""

    def __init__(self, event: Event, frames: Sequence[TrackFrame]) -> None:
        self._event = event
        self._scenes = SceneBuilder(event)
        self._edge = RingEdge(rules_ring(event).corners)
        self.judgements = [judge(event, move) for move in moves(frames)]
        by_t = SceneBuilder(event)
        scenes = [by_t.scene(frame) for frame in frames]
        self._acts = [self._act(judgement, scenes) for judgement in self.judgements]

    def annotations(self, frame: TrackFrame) -> tuple[Annotation, ...]:
        """What to draw over a frame; to be called in the order of the frames."""
        scene = self._scenes.scene(frame)
        found: list[Annotation] = [self._edge, *tags(scene, self._event)]
        found += latest(act.at(frame.t) for act in self._acts)
        return with_heights(found, self._event)

    def _act(self, judgement: Judgement, scenes: Sequence[Scene]) -> _Act:
        move = judgement.move
        scene = min(scenes, key=lambda one: abs(one.t - move.before.last_t))
        return _Act(judgement, region(self._event, judgement, scene), move_annotations(judgement))


def region(event: Event, judgement: Judgement, scene: Scene) -> tuple[Annotation, ...]:
    """Where the fighter could have gone from where it stood, among the others of the scene."""
    move: Move = judgement.move
    fighter = judgement.fighter
    start = figure(fighter, move.before.track, move.before.outline)
    others: tuple[Figure, ...] = tuple(one for id_, one in scene.figures.items() if id_ != fighter.id)
    shape = legal_region(
        start, hand(event.owner(fighter.id)), speed_of(fighter), ring=scene.ring, others=others
    )
    return region_annotations(shape, Text("region.move", {"fighter": fighter.name}))
