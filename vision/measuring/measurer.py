"""Measures fragments: a figure's ground point, its error split by source, facing, posture and plan view."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.result import RingCalibration
from calibration.sentences import Said
from vision.fighters import FighterSpec, about
from vision.fragments import Fragment
from vision.measuring.builds import BUILDS, shape_of
from vision.measuring.carry import carried_costs
from vision.measuring.displacement import error_record, total_covariance
from vision.measuring.experience import Experience
from vision.measuring.facing import Known
from vision.measuring.facing_belief import Facing, Rival, believed, undecided
from vision.measuring.ground import (
    FigureModel,
    GroundPoint,
    camera_root,
    ground_point,
    stood,
    taught,
    untaught,
)
from vision.measuring.matte import soft_matte
from vision.measuring.outline import lying, standing_outline
from vision.measuring.outline_error import outline_covariance
from vision.measuring.poses import FragmentPose
from vision.measuring.posture import Stance, judge
from vision.measuring.readings import records
from vision.measuring.registration import FragmentView
from vision.measuring.sight import Middle
from vision.measuring.silhouette import SHARE_OF_HEIGHT, Silhouette, near_rim_px
from vision.tracks import Posture

Array = NDArray[np.float64]

# How far light and shadow on its edges move the middle of even a clear silhouette, in px.
EDGE_SD_PX = 0.5
# A facing that nothing measured.
_ASSUMED_SD_DEG = 60.0
# Silhouettes that overlap by more than this (intersection over union) show a figure that was not touched.
_SAME_PLACE = 0.85
# How many of the last views a new one is judged against.
_VIEWS = 3
# A growing fragment is registered again when it has this many times the frames of the last time.
_AGAIN = 3
# Stands for so many frames that no picture outdoes what somebody at the table said.
_TOLD = 1_000_000
# The tap was made on the first frame: a fragment that starts later than this many frames is another one.
_TAP_FRAMES = 3


@dataclass(frozen=True, eq=False)
class _Seen:
    """What was seen of a figure in one fragment; its facing was found with `facing_frames` frames."""

    fragment: Fragment
    silhouette: Silhouette
    posture: Posture
    facing: Facing
    facing_frames: int


class Measurer:
    """Measures the fragments of all fighters of one event, and remembers what it learned of each.

    `dont_care` (H, W) marks ropes and posts in the whole picture; `edge_sd_px` is how far light and shadow
    move the middle of a silhouette. Fragments of one fighter are numbered
    from its first; the same number again means the same fragment with more frames.
    """

    def __init__(
        self,
        calibration: RingCalibration,
        fighters: Sequence[FighterSpec],
        dont_care: NDArray[np.bool_] | None = None,
        edge_sd_px: float = EDGE_SD_PX,
    ) -> None:
        self._calibration = calibration
        self._specs = {fighter.id: fighter for fighter in fighters}
        self._dont_care = dont_care
        self._edge_sd_px = edge_sd_px
        self._seen: dict[str, dict[int, _Seen]] = {fighter.id: {} for fighter in fighters}
        # How far a tap that is not believed lies from the feet, in cm; None where it is.
        self._disputed: dict[str, float | None] = {}

    def measure(
        self,
        number: int,
        fragment: Fragment,
        *,
        facing: Facing | None = None,
        posture: Posture | None = None,
    ) -> FragmentPose:
        """The pose of a fragment. A facing or posture that is known (the referee) overrides the pictures.

        Raises MatteError when no figure can be cut out of the fragment.
        """
        spec = self._specs[fragment.fighter]
        silhouette = Silhouette(fragment.origin, self._matte(fragment))
        last = self._seen[spec.id].get(number)
        frames = fragment.frames_used
        if facing is not None:
            found: tuple[Posture, Facing] = ("standing", facing)
            frames = _TOLD
        elif last is not None and frames < _AGAIN * last.facing_frames:
            found, frames = (last.posture, last.facing), last.facing_frames
        else:
            found = self._stance(spec, number, fragment, silhouette)
        seen = _Seen(fragment, silhouette, posture or found[0], found[1], frames)
        self._seen[spec.id][number] = seen
        _forget_old(self._seen[spec.id])
        return self._pose(spec, number, seen)

    @property
    def warnings(self) -> list[Said]:
        """What was told of the fighters and is contradicted by what was measured, as sentences."""
        return [_disputed_tap(fighter, away) for fighter, away in self._disputed.copy().items() if away]

    def stance(self, fighter: str, number: int) -> tuple[Posture, Facing]:
        """Posture and facing of the fragment measured last, or shortly before. Raises KeyError for others."""
        seen = self._seen[fighter][number]
        return seen.posture, seen.facing

    def forget(self, fighter: str) -> None:
        """Forget everything learned of a fighter."""
        self._seen[fighter].clear()
        self._disputed.pop(fighter, None)

    def _matte(self, fragment: Fragment) -> NDArray[np.float32]:
        unknown = None
        if self._dont_care is not None:
            u, v = fragment.origin
            height, width = fragment.support.shape
            unknown = self._dont_care[v : v + height, u : u + width]
        return soft_matte(fragment.mean, fragment.support, unknown)

    def _stance(
        self, spec: FighterSpec, number: int, fragment: Fragment, silhouette: Silhouette
    ) -> tuple[Posture, Facing]:
        """Posture and facing, judged against the fragments before in which the figure stood."""
        seen = {n: s for n, s in self._seen[spec.id].items() if n < number}
        if not seen:
            return "standing", Facing(spec.facing_deg, spec.facing_sd_deg, "assumed")
        last = seen[max(seen)]
        if _overlap(last.silhouette, silhouette) > _SAME_PLACE:
            return last.posture, last.facing
        stood = [seen[n] for n in sorted(seen) if not _lies(seen[n])]
        # a facing that was only assumed is no ground to build on, unless there is nothing else
        sure = [s for s in stood if s is seen[min(seen)] or s.facing.source != "assumed"] or stood
        if not sure:
            return last.posture, Facing(last.facing.deg, _ASSUMED_SD_DEG, "assumed")
        known = [Known(self._view(spec, s.fragment, s.silhouette), s.facing.deg) for s in sure[-_VIEWS:]]
        after = self._view(spec, fragment, silhouette)
        camera = self._calibration.camera
        stance = judge(known, after, camera, spec.height_cm, Experience(camera, spec.height_cm, spec.kind))
        carried = None
        if sure[-1] is seen.get(number - 1) and undecided(stance):
            carried = self._carried(spec, stance, known[-1].view, after, fragment)
        return stance.posture, believed(sure[-1].facing, stance, carried)

    def _carried(
        self, spec: FighterSpec, stance: Stance, before: FragmentView, after: FragmentView, fragment: Fragment
    ) -> list[float] | None:
        """How badly each mode of a turn explains what was seen of the carry, when enough of it was."""
        if fragment.carry is None:
            return None
        camera, modes = self._calibration.camera, stance.turn.modes
        return carried_costs(modes, before, after, fragment.carry, fragment.first, camera, spec.height_cm)

    def _view(self, spec: FighterSpec, fragment: Fragment, silhouette: Silhouette) -> FragmentView:
        """A silhouette for registration, turned about its steady middle: that point moves with the body.

        Ropes in it are painted in already, so that nothing is left to be ignored.
        """
        z = SHARE_OF_HEIGHT * spec.height_cm
        axis = self._calibration.camera.to_plane(silhouette.steady_centroid.reshape(1, 2), z)[0]
        return FragmentView(silhouette.origin, silhouette.alpha, None, axis, fragment.mean)

    def _pose(self, spec: FighterSpec, number: int, seen: _Seen) -> FragmentPose:
        model = self._model(spec)
        self._disputed[spec.id] = model.disputed_cm
        if _lies(seen):
            point, outline = self._lying(spec, number, seen)
            # its rim is where its middle is: both are read off the same silhouette
            rims = point.own + point.camera @ point.camera.T
        else:
            point, outline = self._standing(spec, model, number, seen)
            middle = seen.silhouette.steady_centroid
            rims = outline_covariance(self._calibration, middle, spec.height_cm, spec.kind)
        basis = f"{spec.id}:{'tap' if model.tapped else 'height'}"
        error = error_record(number, point.own, point.camera, point.figure, basis, rims)
        ways = self._readings(spec, model, number, seen)
        if ways:
            error["readings"] = ways
        return FragmentPose(
            fragment=number,
            xy=point.xy,
            covariance=total_covariance(error),
            facing_deg=seen.facing.deg,
            facing_sd_deg=seen.facing.sd_deg,
            facing_source=seen.facing.source,
            facing_margin=seen.facing.margin,
            posture=seen.posture,
            outline=outline,
            error=error,
        )

    def _model(self, spec: FighterSpec) -> FigureModel:
        """What is known of a figure: its class and height, the tap when its first fragment was tapped, and
        what the first fragment shows in which it stands."""
        seen, build = self._seen[spec.id], BUILDS[spec.kind]
        standing = self._first_standing(spec)
        if standing is None:
            return untaught(self._calibration, spec.height_cm, build, height_sd_cm=spec.height_sd_cm)
        camera, sight = self._calibration.camera, seen[standing]
        shape = shape_of(camera, sight.silhouette, spec.height_cm, sight.facing.deg)
        model = untaught(self._calibration, spec.height_cm, build, shape, height_sd_cm=spec.height_sd_cm)
        middle = self._middle(spec, sight)
        if spec.foot_px is not None and standing == min(seen) and sight.fragment.first <= _TAP_FRAMES:
            model = taught(self._calibration, model, middle, np.asarray(spec.foot_px), spec.foot_sd_px)
        return stood(self._calibration, model, middle)

    def _first_standing(self, spec: FighterSpec) -> int | None:
        """The number of the first fragment in which the figure stands, when there is one."""
        return min((n for n, seen in self._seen[spec.id].items() if not _lies(seen)), default=None)

    def _standing(
        self, spec: FighterSpec, model: FigureModel, number: int, seen: _Seen
    ) -> tuple[GroundPoint, Array]:
        known = number == self._first_standing(spec)
        point = ground_point(self._calibration, model, self._middle(spec, seen), learned=known)
        return point, standing_outline(self._calibration.camera, seen.silhouette, spec.height_cm)

    def _readings(
        self, spec: FighterSpec, model: FigureModel, number: int, seen: _Seen
    ) -> list[dict[str, Any]]:
        """Where a standing figure is for every facing that remains, when it was assumed."""
        facing = seen.facing
        if not facing.rivals or _lies(seen):
            return []
        rest = 1 - sum(rival.share for rival in facing.rivals)
        ways = [Rival(facing.deg, facing.sd_deg, rest), *facing.rivals]
        known = number == self._first_standing(spec)
        views = [replace(seen, facing=Facing(way.deg, way.sd_deg, facing.source)) for way in ways]
        points = [
            ground_point(self._calibration, model, self._middle(spec, view), learned=known) for view in views
        ]
        return records(zip(ways, points, strict=True))

    def _middle(self, spec: FighterSpec, seen: _Seen) -> Middle:
        silhouette, facing = seen.silhouette, seen.facing
        fragment = seen.fragment
        jitter = fragment.centroid_sd_px**2 / max(fragment.frames_used, 1) + fragment.drift_px**2
        return Middle(
            silhouette.steady_centroid,
            np.outer(silhouette.centroid_doubt, silhouette.centroid_doubt)
            + (jitter + silhouette.edge_sd**2 + self._edge_sd_px**2) * np.eye(2),
            float(np.radians(facing.deg)),
            float(np.radians(facing.sd_deg)),
            float(np.radians(facing.rival_deg or 0.0)),
            facing.rival_share,
            near_rim_px(self._calibration.camera, silhouette, spec.height_cm),
            silhouette.edge_sd,
            float(np.radians(min(spec.facing_sd_deg, facing.sd_deg))),
        )

    def _lying(self, spec: FighterSpec, number: int, seen: _Seen) -> tuple[GroundPoint, Array]:
        found = lying(
            self._calibration.camera,
            seen.silhouette,
            spec.height_cm,
            float(np.radians(seen.facing.deg)),
            self._stood(spec, number),
        )
        jacobian = self._calibration.plane_jacobian(found.px.reshape(1, 2), found.z)[0]
        by_camera = jacobian @ camera_root(self._calibration)
        return GroundPoint(found.xy, by_camera, np.zeros((2, 0)), found.covariance), found.outline

    def _stood(self, spec: FighterSpec, number: int) -> Array | None:
        """The plan view of the figure when it last stood, turned to a facing of zero."""
        before = {n: s for n, s in self._seen[spec.id].items() if n < number and not _lies(s)}
        if not before:
            return None
        last = before[max(before)]
        return _unturned(
            standing_outline(self._calibration.camera, last.silhouette, spec.height_cm), last.facing.deg
        )


def _unturned(outline: Array, facing_deg: float) -> Array:
    """An outline (N, 2) turned from a facing to a facing of zero."""
    angle = np.radians(facing_deg)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    return np.asarray(outline @ turn)


def _overlap(a: Silhouette, b: Silhouette) -> float:
    """Intersection over union of two silhouettes in the picture."""
    first, second = ({tuple(px) for px in s.pixels.astype(int).tolist()} for s in (a, b))
    return len(first & second) / max(len(first | second), 1)


def _forget_old(seen: dict[int, _Seen]) -> None:
    """Drop what no later fragment is compared with: a match has hundreds, and each holds a picture."""
    numbers = sorted(seen)
    stood = [number for number in numbers if not _lies(seen[number])]
    sure = [number for number in stood if seen[number].facing.source != "assumed"]
    # the first one was told or tapped, the first standing one tells the build
    kept = {numbers[0], *stood[:1], *(n for last in (numbers, stood, sure) for n in last[-_VIEWS:])}
    for number in set(numbers) - kept:
        del seen[number]


def _disputed_tap(fighter: str, away_cm: float) -> Said:
    return about(
        fighter,
        Said(
            "warning.tap",
            "foot_px lies {away:.1f} cm from where its silhouette and its height_cm put its feet; the tap is "
            "not used, and its error bars are wider for it: tap its feet again on the first picture, or "
            "measure its height again",
            away=away_cm,
        ),
    )


def _lies(seen: _Seen) -> bool:
    """Whether the figure lay in that fragment."""
    return seen.posture == "lying"
