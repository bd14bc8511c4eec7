"""A move measured and judged: centimetres, palms of the mover's own player, and the verdict."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from palmo.convert import EVEN_POINTS, hand
from palmo.errors import SaidError
from palmo.event import Event, FighterSection, PlayerSection
from palmo.scene import figure
from palmo.stays import Move, Stay
from rules.annotations import Annotation, Banner, Ruler, Tone
from rules.measured import Measured
from rules.scene import Figure
from rules.smackkatz.movement.judge import MoveVerdict, judge_move, settled
from rules.text import Text, listed
from vision.measuring.displacement import Displacement, Placement, displacement
from vision.measuring.readings import readings

TONES: dict[str, Tone] = {"within": "legal", "beyond": "illegal", "too_close": "doubt"}


@dataclass(frozen=True)
class Judgement:
    """One move of one fighter: how far in cm with its error, how far it turned, and the verdict.

    `player` is whose hand it was measured with.
    """

    fighter: FighterSection
    palm_cm: float
    move: Move
    displacement: Displacement
    turn_deg: float
    facing_assumed: bool
    ruling: MoveVerdict
    player: str

    @property
    def length(self) -> Measured:
        """The length in cm with its standard deviation."""
        return Measured(self.displacement.length_cm, self.displacement.sd_cm)

    @property
    def verdict(self) -> Text:
        """The verdict as a sentence, marked when the camera had moved."""
        text = self.ruling.text
        return Text("guard.judgement", {"judgement": text}) if self.move.camera_moved else text

    @property
    def palms_interval(self) -> tuple[float, float]:
        """The 95 % interval in palms, never below 0."""
        low, high = self.ruling.palms.interval()
        return max(low, 0.0), high


def judge(
    event: Event,
    move: Move,
    *,
    allow_palms: float | None = None,
    by: PlayerSection | None = None,
    terms: Mapping[str, Any] | None = None,
) -> Judgement:
    """Judge a move against so many palms, or against the Speed on the fighter's sheet.

    It is measured with the hand of the fighter's own player (MOVE-02), or for comparison with that of `by`.
    `terms` are what a match knew at that moment, as `judge_move` takes it: speed, rulings, what was left of
    the turn. Raises PalmoError when the event file has no such fighter.
    """
    fighter = fighter_called(event, move.fighter)
    owner = by or event.owner(fighter.id)
    agreed = {"speed": speed_of(fighter), **(terms or {})} if allow_palms is None else {}

    def ruled(start: Figure, end: Figure, gone: Displacement) -> MoveVerdict:
        length = Measured(gone.length_cm, gone.sd_cm)
        return judge_move(start, end, hand(owner), allow_palms=allow_palms, distance=length, **agreed)

    before, after = (_figure(fighter, stay) for stay in (move.before, move.after))
    way = _measured(move)
    possible = () if move.still else product(_readings(move.before, before), _readings(move.after, after))
    ruling = settled(
        ruled(before, after, way),
        (ruled(start, end, displacement(one, two)) for (start, one), (end, two) in possible),
    )
    turn = (
        (move.after.track.facing_deg or 0.0) - (move.before.track.facing_deg or 0.0) + 180.0
    ) % 360.0 - 180.0
    assumed = before.facing_assumed or after.facing_assumed
    return Judgement(fighter, owner.palm_cm, move, way, turn, assumed, ruling, owner.id)


def fighter_called(event: Event, called: str) -> FighterSection:
    """The fighter of that id or name, in small or capital letters.

    Raises PalmoError when there is none, or when two share the name.
    """
    wanted = called.strip().casefold()
    for what in ("id", "name"):
        found = [one for one in event.fighter if str(getattr(one, what)).casefold() == wanted]
        if len(found) == 1:
            return found[0]
        if found:
            ids = listed([one.id for one in found])
            raise SaidError("error.fighter.two", ids=ids, called=called)
    known = ", ".join(f"{one.id} ({one.name})" for one in event.fighter)
    raise SaidError("error.fighter.unknown", called=called, known=known)


def speed_of(fighter: FighterSection) -> int:
    """The points of Speed a fighter may spend, by its sheet."""
    return EVEN_POINTS if fighter.sheet is None else fighter.sheet.speed


def as_json(judgement: Judgement) -> dict[str, Any]:
    """Plain data for programs."""
    ruling, (low, high) = judgement.ruling, judgement.displacement.interval95_cm
    before, after = judgement.move.before, judgement.move.after
    return {
        "fighter": judgement.fighter.id,
        "player": judgement.player,
        "from_s": [round(before.first_t, 3), round(before.last_t, 3)],
        "to_s": [round(after.first_t, 3), round(after.last_t, 3)],
        "cm": round(judgement.length.value, 3),
        "sd_cm": round(judgement.length.sd, 3),
        "interval95_cm": [round(low, 3), round(high, 3)],
        "palms": round(ruling.palms.value, 4),
        "sd_palms": round(ruling.palms.sd, 4),
        "interval95_palms": [round(bound, 4) for bound in judgement.palms_interval],
        "turn_deg": round(judgement.turn_deg, 1),
        "facing_assumed": judgement.facing_assumed,
        "camera_moved": judgement.move.camera_moved,
        "verdict": ruling.verdict,
        "limit": ruling.limit,
        "speed_needed": ruling.cost,
        "rules": list(ruling.rules),
    }


def headline(judgement: Judgement) -> Text:
    """The move in one line: when, who, the verdict with its numbers."""
    before, after = judgement.move.before, judgement.move.after
    return Text(
        "measure.headline",
        {
            "start": before.last_t,
            "end": after.first_t,
            "name": judgement.fighter.name,
            "verdict": judgement.verdict,
        },
    )


def stillness(judgement: Judgement, start: float, end: float) -> Text:
    """That a fighter did not move between two times in seconds, and from when to when it stood."""
    stay, fighter = judgement.move.before, judgement.fighter
    values = {"start": start, "end": end, "first": stay.first_t, "last": stay.last_t}
    return Text("measure.still", {"name": fighter.name, "fighter": fighter.id, **values})


def sentences(judgement: Judgement) -> tuple[Text, ...]:
    """The move in sentences: who, how far in cm and in palms, how it turned, the verdict and its rules."""
    low, high = judgement.displacement.interval95_cm
    low_palms, high_palms = judgement.palms_interval
    palms = judgement.ruling.palms
    before, after = judgement.move.before, judgement.move.after
    lines = [
        Text("measure.who", {"name": judgement.fighter.name, "start": before.last_t, "end": after.first_t}),
        Text(
            "measure.cm",
            {"value": judgement.length.value, "sd": judgement.length.sd, "low": low, "high": high},
        ),
        Text(
            "measure.palms",
            {
                "value": palms.value,
                "sd": palms.sd,
                "low": low_palms,
                "high": high_palms,
                "player": judgement.player,
                "palm": judgement.palm_cm,
            },
        ),
        Text(
            "measure.turn.assumed" if judgement.facing_assumed else "measure.turn",
            {"turn": round(judgement.turn_deg)},  # never "-0°"
        ),
        Text("measure.verdict", {"verdict": judgement.ruling.text}),
        Text("measure.rules", {"rules": ", ".join(judgement.ruling.rules)}),
    ]
    if judgement.move.camera_moved:
        lines.append(Text("guard.measured"))
    return tuple(lines)


def move_annotations(judgement: Judgement) -> tuple[Annotation, ...]:
    """The move as a ruler with palm ticks, and the verdict as a sentence across the picture."""
    ruling = judgement.ruling
    tone = "doubt" if judgement.move.camera_moved else TONES[ruling.verdict]
    ends = tuple(
        (stay.track.x or 0.0, stay.track.y or 0.0) for stay in (judgement.move.before, judgement.move.after)
    )
    length = Text("length.cm", {"length": judgement.length.value, "error": judgement.length.error95})
    sentence = Text("judgement", {"name": judgement.fighter.name, "verdict": judgement.verdict})
    return (
        Ruler(points=ends, tick=judgement.palm_cm, sd=judgement.length.sd, tone=tone, label=length),
        Banner(text=sentence, tone=tone, rules=ruling.rules),
    )


def _measured(move: Move) -> Displacement:
    """The way from one stay to the other; within one stay zero, as far as the camera can tell.

    A stay is measured once, so its two ends have no difference to be wrong about. What the camera would not
    have noticed is what two measurements of the same place differ by.
    """
    start, end = (Placement.of_track(stay.track) for stay in (move.before, move.after))
    if move.still and end.error is not None:
        end = replace(end, error={**end.error, "fragment": None})
    return displacement(start, end)


def _figure(fighter: FighterSection, stay: Stay) -> Figure:
    return figure(fighter, stay.track, stay.outline)


def _readings(stay: Stay, shown: Figure) -> list[tuple[Figure, Placement]]:
    """The figure as it may face and stand, each way as if it were known; it alone when it faces but one way.

    A facing that is assumed without any reading stays assumed: then nothing can be settled.
    """
    ways = [
        (
            replace(
                shown,
                x=float(one.placement.xy[0]),
                y=float(one.placement.xy[1]),
                facing=math.radians(one.facing_deg),
                facing_sd=math.radians(one.facing_sd_deg),
                facing_assumed=False,
            ),
            one.placement,
        )
        for one in readings(stay.track)
    ]
    return ways or [(shown, Placement.of_track(stay.track))]
