"""Where a fighter stood, between its moves: the stretches of tracks that measurements are made from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from palmo.errors import SaidError
from rules.scene import Point
from rules.text import Text, listed
from vision.tracks import Track, TrackFrame


@dataclass(frozen=True)
class Stay:
    """A stretch in which a fighter was left alone. Times in seconds; `track` is its last frame's entry.

    camera_moved: for a part of it the camera did not stand where it was calibrated.
    """

    fighter: str
    first_t: float
    last_t: float
    track: Track
    outline: tuple[Point, ...] | None
    camera_moved: bool = False

    @property
    def fragment(self) -> int | None:
        """The fragment it was measured on."""
        return self.track.fragment


@dataclass(frozen=True)
class Move:
    """A fighter's way from one stay to a later one, or to the same one when it stood still."""

    before: Stay
    after: Stay

    @property
    def fighter(self) -> str:
        """Who moved."""
        return self.before.fighter

    @property
    def still(self) -> bool:
        """Whether it never left: both ends are the same stay."""
        return self.before.first_t == self.after.first_t

    @property
    def camera_moved(self) -> bool:
        """Whether one of its ends was measured with a camera that had moved."""
        return self.before.camera_moved or self.after.camera_moved


def stays(frames: Sequence[TrackFrame], fighter: str) -> list[Stay]:
    """Every stay of a fighter in order. Frames of one fragment belong together even when some are missing."""
    found: list[Stay] = []
    outline: tuple[Point, ...] | None = None
    open_stretch = False
    for frame in frames:
        track = frame.fighters.get(fighter)
        if track is None or track.state != "placed" or track.x is None:
            open_stretch = False
            continue
        outline = track.outline or outline
        # Without fragment numbers, leaving `placed` is what ends a stay.
        numbered = track.fragment is not None
        same = bool(found) and (found[-1].fragment == track.fragment if numbered else open_stretch)
        first_t = found[-1].first_t if same else frame.t
        moved = frame.camera_moved or (same and found[-1].camera_moved)
        stay = Stay(fighter, first_t, frame.t, track, outline, moved)
        if same:
            found[-1] = stay
        else:
            found.append(stay)
        open_stretch = True
    return found


def moves(frames: Sequence[TrackFrame]) -> list[Move]:
    """Every move of every fighter, in the order in which they ended."""
    return sorted(_moves(frames), key=lambda move: move.after.first_t)


def stay_at(frames: Sequence[TrackFrame], fighter: str, t: float) -> Stay:
    """The stay a fighter was in at a time in seconds.

    Raises PalmoError, naming the nearest times that work, when it was not standing then.
    """
    if not frames:
        raise SaidError("error.tracks.no_frames")
    if all(fighter not in frame.fighters for frame in frames):
        known = ", ".join(dict.fromkeys(id_ for frame in frames for id_ in frame.fighters))
        raise SaidError("error.stays.unknown", fighter=fighter, known=known)
    if not frames[0].t - 0.5 <= t <= frames[-1].t + 0.5:
        raise SaidError("error.stays.outside", t=t, first=frames[0].t, last=frames[-1].t)
    known_stays = stays(frames, fighter)
    # A frame's time stamp stands for the time until the next frame.
    step = (frames[-1].t - frames[0].t) / max(len(frames) - 1, 1)
    for stay in known_stays:
        if stay.first_t - step / 2 <= t <= stay.last_t + step / 2:
            return stay
    if not known_stays:
        raise SaidError("error.stays.never", fighter=fighter)
    spans = [Text("error.stays.span", {"first": one.first_t, "last": one.last_t}) for one in known_stays]
    raise SaidError("error.stays.not_standing", t=t, fighter=fighter, listed=listed(spans))


def _moves(frames: Sequence[TrackFrame]) -> Iterator[Move]:
    for fighter in dict.fromkeys(id_ for frame in frames for id_ in frame.fighters):
        for before, after in pairwise(stays(frames, fighter)):
            yield Move(before, after)
