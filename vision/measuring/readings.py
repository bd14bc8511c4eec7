"""The ways a figure may stand while its facing is only assumed: one reading for each facing that remains.

Place and facing hang together: turned the other way, the figure stands a few millimetres elsewhere. A single
error bar over all of it would be too wide for each, so that what is decided in the same way however the
figure faces could not be called. In a line of tracks.jsonl the `error` of such a figure has

    "readings": [{"share": 0.9,              its probability
                  "facing_deg": 30.0, "facing_sd_deg": 4.0,
                  "x": 1.0, "y": 2.0,        cm
                  "own": ..., "camera": ..., "figure": ...}, ...]   as in `vision.measuring.displacement`

the likeliest first; facings that together have no more than LEFT_OUT are left out.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from vision.measuring.displacement import Placement, error_record, total_covariance
from vision.measuring.facing_belief import Rival
from vision.measuring.ground import GroundPoint
from vision.tracks import Track

LEFT_OUT = 0.025


@dataclass(frozen=True, eq=False)
class Reading:
    """A facing in degrees with its sd and probability, and where the figure stands if it faces so."""

    share: float
    facing_deg: float
    facing_sd_deg: float
    placement: Placement


def records(facings: Iterable[tuple[Rival, GroundPoint]]) -> list[dict[str, Any]]:
    """The JSON objects of facings, the likeliest first, with the places that go with them."""
    kept: list[dict[str, Any]] = []
    left = 1.0
    for facing, point in facings:
        if left <= LEFT_OUT:
            break
        kept.append(_record(facing, point))
        left -= facing.share
    return kept


def readings(track: Track) -> list[Reading]:
    """The readings of a measured track, none when its facing was called or nothing is known of it."""
    error = track.error or {}
    return [_read(record, error) for record in error.get("readings", ())]


def _record(facing: Rival, point: GroundPoint) -> dict[str, Any]:
    split = error_record(0, point.own, point.camera, point.figure, "")
    return {
        "share": round(facing.share, 4),
        "facing_deg": round(facing.deg, 2),
        "facing_sd_deg": round(facing.sd_deg, 2),
        "x": round(float(point.xy[0]), 4),
        "y": round(float(point.xy[1]), 4),
        **{key: split[key] for key in ("own", "camera", "figure")},
    }


def _read(record: dict[str, Any], error: dict[str, Any]) -> Reading:
    split = {**record, "fragment": error["fragment"], "basis": error["basis"]}
    place = Placement(np.array([record["x"], record["y"]]), total_covariance(split), split)
    return Reading(record["share"], record["facing_deg"], record["facing_sd_deg"], place)
