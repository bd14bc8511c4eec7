"""A tracks file read for an event, refused when it cannot be of its table."""

from __future__ import annotations

import math
from pathlib import Path

from palmo.errors import SaidError
from palmo.event import Event
from vision.tracks import TrackFrame
from vision.tracks_file import read_tracks

# No camera that sees the ring sees so many times its longer side.
_FARTHEST_RINGS = 3.0


def tracks_of(event: Event, path: Path) -> list[TrackFrame]:
    """The frames of a file. Raises TracksError, or PalmoError for other fighters or another unit."""
    frames = read_tracks(path)
    known = {fighter.id for fighter in event.fighter}
    tracked = dict.fromkeys(id_ for frame in frames for id_ in frame.fighters)
    if not known & tracked.keys():
        raise SaidError(
            "error.tracks.others", path=path, tracked=", ".join(tracked), known=", ".join(sorted(known))
        )
    farthest = _FARTHEST_RINGS * max(event.ring.width_cm, event.ring.depth_cm)
    for frame in frames:
        for fighter, track in frame.fighters.items():
            if track.x is None or track.y is None or track.state != "placed":
                continue
            away = math.hypot(track.x, track.y)
            if away > farthest:
                raise SaidError("error.tracks.table", path=path, fighter=fighter, t=frame.t, cm=away)
    return frames
