"""From tracks to the scene the rules read."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from palmo.convert import hand, rules_ring
from palmo.event import Event, FighterSection
from rules.scene import Figure, Point, Scene
from vision.tracks import Track, TrackFrame

# States in which a figure certainly stands on the table where it was measured.
_ON_THE_TABLE = ("placed", "covered", "merged")
# What is drawn for a figure whose outline is not known yet: a disc of this share of its height.
_DISC_OF_HEIGHT = 0.25
_DISC_SD_CM = 1.0
OUTLINE_SD_CM = 0.3
# A position without an error bar is worth a careless glance.
_UNMEASURED_SD_CM = 2.0


class SceneBuilder:
    """Turns track frames into scenes; remembers outlines, which tracks leave out while they do not change."""

    def __init__(self, event: Event) -> None:
        self._outlines: dict[str, tuple[Point, ...]] = {}
        self.use(event)

    def use(self, event: Event) -> None:
        """Go on with another event file of the same fighters."""
        self._ring = rules_ring(event)
        self._hands = {fighter.id: hand(event.owner(fighter.id)) for fighter in event.fighter}
        self._fighters = {fighter.id: fighter for fighter in event.fighter}

    def scene(self, frame: TrackFrame) -> Scene:
        """The table in a frame: every fighter of the event that stands or lies where it was measured."""
        figures = {}
        for id_, fighter in self._fighters.items():
            track = frame.fighters.get(id_)
            if track is None:
                continue
            if track.outline is not None:
                self._outlines[id_] = track.outline
            if track.state in _ON_THE_TABLE and track.x is not None:
                figures[id_] = figure(fighter, track, self._outlines.get(id_))
        return Scene(self._ring, figures, self._hands, frame.t)


def figure(fighter: FighterSection, track: Track, outline: tuple[Point, ...] | None) -> Figure:
    """One tracked fighter as the rules see it; a disc stands in for an outline never measured.

    Raises ValueError when the track has no position.
    """
    if track.x is None or track.y is None:
        raise ValueError(f"{fighter.id} has no position in this frame")
    return Figure(
        id=fighter.id,
        x=track.x,
        y=track.y,
        facing=math.radians(track.facing_deg or 0.0),
        outline=outline or _disc(track.x, track.y, _DISC_OF_HEIGHT * fighter.height_cm),
        covariance=_covariance(track),
        facing_sd=math.radians(track.facing_sd_deg if track.facing_sd_deg is not None else 180.0),
        outline_sd=OUTLINE_SD_CM if outline else _DISC_SD_CM,
        posture=track.posture,
        zone=track.zone,
        facing_assumed=track.facing_deg is None
        or (track.facing_source == "assumed" and not entered(fighter, track)),
        outline_covariance=outline_covariance(track.error) if outline else None,
    )


def outline_covariance(error: Mapping[str, Any] | None) -> tuple[float, float, float] | None:
    """How far the outline of an error record may be off (xx, xy, yy in cm^2), where it says so."""
    if error is None or "outline" not in error:
        return None
    xx, xy, yy = error["outline"]
    return float(xx), float(xy), float(yy)


def entered(fighter: FighterSection, track: Track) -> bool:
    """Whether a facing is the one a person entered for the first picture: that was no assumption."""
    return (
        track.fragment == 0
        and track.facing_deg is not None
        and _apart(track.facing_deg, fighter.facing_deg) < 0.1
    )


def _apart(a_deg: float, b_deg: float) -> float:
    return abs((a_deg - b_deg + 180.0) % 360.0 - 180.0)


def _covariance(track: Track) -> tuple[float, float, float]:
    sx = _UNMEASURED_SD_CM if track.sx is None else track.sx
    sy = _UNMEASURED_SD_CM if track.sy is None else track.sy
    return sx**2, track.sxy or 0.0, sy**2


def _disc(x: float, y: float, radius: float, corners: int = 16) -> tuple[Point, ...]:
    turns = (2 * math.pi * step / corners for step in range(corners))
    return tuple((x + radius * math.cos(turn), y + radius * math.sin(turn)) for turn in turns)
