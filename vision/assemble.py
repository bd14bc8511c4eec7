"""From sightings and measured poses to the tracks of a frame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from calibration.camera import Camera
from vision.arrays import Floats
from vision.fighters import FighterSpec
from vision.finding.following import Sighting
from vision.measuring.poses import FragmentPose
from vision.tracks import State, Track
from vision.zones import Zones

# The silhouette's centroid lies over the ground point at this share of the height (tried on clips).
CENTROID_HEIGHT = 0.44
# The sd of a place guessed from a silhouette: while standing, and in a hand, where the lift is unknown.
_STANDING_SD_CM = 1.0
_HELD_SD_CM = 4.0
_HELD_FACING_SD_DEG = 60.0


@dataclass(frozen=True)
class Remark:
    """What is kept of a fighter's sighting: state, guessed place (x, y) in cm, fragment number, touched."""

    state: State
    guess: tuple[float, float] | None
    fragment: int | None
    touched: bool


class Assembler:
    """Turns remarks and poses into tracks."""

    def __init__(self, camera: Camera, zones: Zones, fighters: Sequence[FighterSpec]) -> None:
        self._camera = camera
        self._zones = zones
        self._specs = {spec.id: spec for spec in fighters}

    def remark(self, sighting: Sighting) -> Remark:
        """What to keep of a sighting."""
        guess = None
        if sighting.blob is not None:
            z = CENTROID_HEIGHT * self._specs[sighting.fighter].height_cm
            x, y = self._camera.to_plane(sighting.blob.centroid[None], z)[0]
            if np.isfinite(x) and np.isfinite(y):
                guess = (float(x), float(y))
        return Remark(sighting.state, guess, sighting.fragment, sighting.touched)

    def track(
        self, fighter: str, remark: Remark, pose: FragmentPose | None, last: FragmentPose | None
    ) -> Track:
        """The track of a fighter: `pose` is its present fragment's once measured, `last` the one before."""
        if remark.state == "lost":
            return self._nowhere(fighter, last)
        if pose is not None and remark.state != "in_hand":
            return self._measured(remark, pose)
        return self._guessed(fighter, remark, pose or last)

    def _measured(self, remark: Remark, pose: FragmentPose) -> Track:
        x, y = (float(c) for c in pose.xy)
        outline = _points(pose.outline)
        return Track(
            state=remark.state,
            x=x,
            y=y,
            sx=float(np.sqrt(pose.covariance[0, 0])),
            sy=float(np.sqrt(pose.covariance[1, 1])),
            sxy=float(pose.covariance[0, 1]),
            facing_deg=pose.facing_deg,
            facing_sd_deg=pose.facing_sd_deg,
            facing_source=pose.facing_source,
            posture=pose.posture,
            zone=self._zones.of((x, y), outline),
            outline=outline,
            fragment=remark.fragment,
            error=pose.error or None,
        )

    def _guessed(self, fighter: str, remark: Remark, pose: FragmentPose | None) -> Track:
        place = remark.guess or (None if pose is None else (float(pose.xy[0]), float(pose.xy[1])))
        if place is None:
            return self._nowhere(fighter, pose)
        standing = remark.state == "placed"
        sd = _STANDING_SD_CM if standing else _HELD_SD_CM
        facing, facing_sd = self._facing(fighter, pose)
        return Track(
            state=remark.state,
            x=place[0],
            y=place[1],
            sx=sd,
            sy=sd,
            sxy=0.0,
            facing_deg=facing,
            facing_sd_deg=facing_sd if standing else max(facing_sd, _HELD_FACING_SD_DEG),
            posture="standing" if pose is None else pose.posture,
            zone=self._zones.of(place),
            fragment=remark.fragment,
        )

    def _nowhere(self, fighter: str, pose: FragmentPose | None) -> Track:
        facing, _ = self._facing(fighter, pose)
        zone = "off_table" if pose is None else self._zones.of(pose.xy)
        return Track("lost", facing_deg=facing, facing_sd_deg=_HELD_FACING_SD_DEG, zone=zone)

    def _facing(self, fighter: str, pose: FragmentPose | None) -> tuple[float, float]:
        if pose is None:
            return self._specs[fighter].facing_deg, _HELD_FACING_SD_DEG
        return pose.facing_deg, pose.facing_sd_deg


def _points(outline: Floats) -> tuple[tuple[float, float], ...] | None:
    if len(outline) < 3:
        return None
    return tuple((float(x), float(y)) for x, y in outline)
