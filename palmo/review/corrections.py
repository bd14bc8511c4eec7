"""What people put right in a review: foot points, beside the measurement and never over it.

`review.jsonl` in the match folder, one line each, nothing is ever taken away:

    {"point": 0, "session": 1, "fighter": "F1", "fragment": 2, "t": 12.3, "px": [u, v], "sd_px": 1.5,
     "by": "Ana"}
    {"withdrawn": 0, "by": "Ana"}

A point holds for the fragment it was put in; without a fragment (nobody measured there) for its frame only.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from calibration.result import RingCalibration
from palmo.errors import SaidError
from palmo.review.kept_json import as_kept
from palmo.stays import Stay
from palmo.storage import MatchFile, read_log_lines
from vision.fighters import TAP_SD_PX
from vision.measuring.belief import camera_root
from vision.measuring.displacement import error_record, total_covariance
from vision.tracks import Track

REVIEW = "review.jsonl"
# Where the middle of the feet is, a person sees no better than this on a figure of plasticine, in cm.
_MIDDLE_SD_CM = 0.1
# A frame's own point is looked up by its time.
_SAME_T = 1e-3


@dataclass(frozen=True)
class FootPoint:
    """A foot point put by hand: `px` (u, v) with its standard deviation in pixels; who says so."""

    point: int
    session: int
    fighter: str
    fragment: int | None
    t: float
    px: tuple[float, float]
    sd_px: float
    by: str


class Corrections:
    """The hand-made points of a match folder that hold. Raises PalmoError for a file that is none of ours."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / REVIEW
        self.points, self._count = _read(self.path)

    def of(self, session: int) -> list[FootPoint]:
        """The points of a session, the newest last."""
        return [one for one in self.points if one.session == session]

    def add(
        self, session: int, fighter: str, fragment: int | None, t: float, px: tuple[float, float], by: str
    ) -> FootPoint:
        """Put a point; an earlier one for the same fragment gives way to it. Raises PalmoError."""
        u, v = px
        place = (round(u, 2), round(v, 2))
        point = FootPoint(self._count, session, fighter, fragment, round(t, 4), place, TAP_SD_PX, by)
        self._append(asdict(point))
        self.points = [one for one in self.points if not _same_place(one, point)] + [point]
        self._count += 1
        return point

    def withdraw(self, number: int, by: str) -> None:
        """Let a point no longer hold. Raises PalmoError when there is none such."""
        if all(one.point != number for one in self.points):
            raise SaidError("error.review.no_point", number=number)
        self._append({"withdrawn": number, "by": by})
        self.points = [one for one in self.points if one.point != number]

    def _append(self, line: dict[str, Any]) -> None:
        file = MatchFile(self.path)
        try:
            file.append([json.dumps(line, ensure_ascii=False)])
        finally:
            file.close()


def corrected(stay: Stay, point: FootPoint, calibration: RingCalibration) -> Stay:
    """A stay with the ground point a person put, its own error bar, and the outline moved along."""
    px = np.array([point.px])
    xy = calibration.camera.to_plane(px)[0]
    by_px = calibration.plane_jacobian_px(px, 0.0)[0] * point.sd_px
    by_camera = calibration.plane_jacobian(px, 0.0)[0] @ camera_root(calibration)
    own = by_px @ by_px.T + _MIDDLE_SD_CM**2 * np.eye(2)
    number = -1 - point.point
    error = error_record(number, own, by_camera, np.zeros((2, 0)), f"{point.fighter}:hand")
    covariance = total_covariance(error)
    before, x, y = stay.track, float(xy[0]), float(xy[1])
    outline = stay.outline
    if outline is not None and before.x is not None and before.y is not None:
        dx, dy = x - before.x, y - before.y
        outline = tuple((float(u + dx), float(v + dy)) for u, v in outline)
    track = replace(
        before,
        state="placed",
        x=x,
        y=y,
        sx=float(np.sqrt(covariance[0, 0])),
        sy=float(np.sqrt(covariance[1, 1])),
        sxy=float(covariance[0, 1]),
        outline=outline,
        error=error,
    )
    return replace(stay, track=track, outline=outline)


def point_for(points: Sequence[FootPoint], fighter: str, fragment: int | None, t: float) -> FootPoint | None:
    """The point that holds for a fighter's fragment, or for the frame of a time without one."""
    for one in reversed(points):
        if one.fighter != fighter:
            continue
        if one.fragment is None and abs(one.t - t) < _SAME_T:
            return one
        if one.fragment is not None and one.fragment == fragment:
            return one
    return None


def unseen(fighter: str, t: float, last: Stay | None) -> Stay:
    """A stay for a frame in which nobody was measured, to be put right by hand; it looks where it looked."""
    facing = None if last is None else last.track.facing_deg
    posture = "standing" if last is None else last.track.posture
    track = Track(state="placed", facing_deg=facing, facing_source="assumed", posture=posture)
    return Stay(fighter, t, t, track, None)


def _same_place(one: FootPoint, other: FootPoint) -> bool:
    same = (one.session, one.fighter, one.fragment) == (other.session, other.fighter, other.fragment)
    return same and (one.fragment is not None or abs(one.t - other.t) < _SAME_T)


def _read(path: Path) -> tuple[list[FootPoint], int]:
    """The points that hold, and how many were ever put."""
    points: list[FootPoint] = []
    count = 0
    if not path.is_file() or path.stat().st_size == 0:
        return points, count
    for place, line in enumerate(read_log_lines(path), start=1):
        if not line.strip():
            continue
        try:
            data = json.loads(line)
            if "withdrawn" in data:
                points = [one for one in points if one.point != data["withdrawn"]]
                continue
            point = as_kept(FootPoint, data)
        except (ValueError, TypeError, RecursionError):
            raise SaidError("error.review.line", path=path, line=place) from None
        points = [one for one in points if not _same_place(one, point)] + [point]
        count = max(count, point.point + 1)
    return points, count
