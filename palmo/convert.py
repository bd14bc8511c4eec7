"""The event file's data in the types of the floors below."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from calibration.intrinsics import Intrinsics
from calibration.ring import RingSpec
from palmo.event import Event, FighterSection, PlayerSection, event_error
from palmo.event.model import CameraSection, RingSection
from rules.roster import Entrant, Roster
from rules.scene import Hand, Ring
from rules.smackkatz.book import EDITIONS
from rules.text import Text
from vision.fighters import FighterSpec

# A fighter without a sheet plays with two points in each ability, the only even way to spend ten on five.
EVEN_POINTS = 2


def ring_spec(event: Event) -> RingSpec:
    """The ring as calibration wants it. Raises CalibrationError."""
    return ring_section_spec(event.ring)


def ring_section_spec(ring: RingSection) -> RingSpec:
    """The ring of an event file's [ring]. Raises CalibrationError."""
    tops = None if ring.post_tops_px is None else np.asarray(ring.post_tops_px, float)
    return RingSpec(
        width_cm=ring.width_cm,
        depth_cm=ring.depth_cm,
        post_height_cm=ring.post_height_cm,
        corners_px=np.asarray(ring.corners_px, float),
        post_tops_px=tops,
        post_offset_cm=ring.post_offset_cm,
    )


def check_resolution(event_path: Path, event: Event, size: tuple[int, int]) -> None:
    """Refuse pictures (width, height) of another size than the ring was set up on. Raises EventError."""
    if event.ring.picture_px is not None and tuple(event.ring.picture_px) != size:
        was, now = (f"{width} x {height} px" for width, height in (event.ring.picture_px, size))
        what = Text("error.event.resolution", {"was": was, "now": now})
        raise event_error(event_path, ("ring", "picture_px"), what)


def intrinsics(event: Event) -> Intrinsics | None:
    """The lens, when the event file has one. Raises CalibrationError."""
    return None if event.camera is None else lens(event.camera)


def lens(camera: CameraSection) -> Intrinsics:
    """The lens of an event file's [camera]. Raises CalibrationError."""
    return Intrinsics(
        K=np.asarray(camera.K, float),
        dist=np.asarray(camera.dist, float),
        size=(camera.size[0], camera.size[1]),
        covariance=_covariance(camera),
        wide=camera.model == "fisheye",
    )


def _covariance(camera: CameraSection) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]] | None:
    """The covariance as written; rows of different lengths are no matrix, which the lens then says."""
    rows = camera.covariance
    if rows is None:
        return None
    square = all(len(row) == len(rows) for row in rows)
    return np.asarray(rows, dtype=np.float64) if square else np.empty((0, 0))


def fighter_specs(event: Event) -> list[FighterSpec]:
    """The fighters as the camera is told of them."""
    return [
        FighterSpec(
            id=fighter.id,
            height_cm=fighter.height_cm,
            facing_deg=fighter.facing_deg,
            colour_box_px=None if fighter.colour_box_px is None else _four(fighter.colour_box_px),
            colour=fighter.colour,
            foot_px=None if fighter.foot_px is None else (fighter.foot_px[0], fighter.foot_px[1]),
            kind=fighter.kind,
        )
        for fighter in event.fighter
    ]


def hand(player: PlayerSection) -> Hand:
    """A player's hand."""
    return Hand(player.palm_cm, player.half_palm_cm, player.palm_sd_cm, player.palm_sd_cm)


def rules_ring(event: Event) -> Ring:
    """The ring as the rules see it."""
    ring = event.ring
    known = {} if ring.ringside_cm is None else {"ringside": ring.ringside_cm}
    return Ring(width=ring.width_cm, depth=ring.depth_cm, **known)


def sheet(fighter: FighterSection, edition: str) -> dict[str, Any]:
    """A fighter's sheet as the rulebook wants it; two points in each ability when it has none."""
    if fighter.sheet is None:
        return dict.fromkeys(EDITIONS[edition].rules.form.abilities, EVEN_POINTS)
    given = fighter.sheet.model_dump(exclude_none=True)
    return {key: value for key, value in given.items() if value not in ([], {})}


def roster(event: Event) -> Roster:
    """Who takes part, in the order of the event file."""
    entrants = tuple(
        Entrant(
            id=fighter.id,
            name=fighter.name,
            player=fighter.player,
            hand=hand(event.owner(fighter.id)),
            kind=fighter.kind,
            sheet=sheet(fighter, event.match.edition),
            team=fighter.team,
        )
        for fighter in event.fighter
    )
    return Roster(entrants, rules_ring(event))


def _four(box: list[float]) -> tuple[float, float, float, float]:
    u, v, width, height = box
    return u, v, width, height
