"""Measures fragments: a figure's ground point, its error split by source, facing, posture and plan view."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.result import RingCalibration
from calibration.sentences import Said
from vision.fighters import FighterSpec, about
from vision.fragments import Fragment
from vision.measuring.agreement import corrected, first_look, standing
from vision.measuring.belief import FigureModel, camera_root, untaught
from vision.measuring.carry import carried_costs
from vision.measuring.displacement import error_record, total_covariance
from vision.measuring.experience import Experience
from vision.measuring.facing import Known
from vision.measuring.facing_belief import Facing, Rival, believed, undecided
from vision.measuring.ground import GroundPoint, ground_point, known, taught
from vision.measuring.matte import Crop
from vision.measuring.memory import Memory
from vision.measuring.outline_error import outline_covariance
from vision.measuring.poses import FragmentPose
from vision.measuring.posture import Stance, judge
from vision.measuring.readings import records
from vision.measuring.registration import FragmentView
from vision.measuring.shadows import Shadows
from vision.measuring.sight import Shown
from vision.measuring.silhouette import SHARE_OF_HEIGHT, Silhouette
from vision.measuring.stacked import Below, Stacked, stacked_on, top_of
from vision.shape.look import ANGLES, Faced, Look, look_at
from vision.shape.plan import plan_view, polygon, rim_sds
from vision.tracks import Posture

Array = NDArray[np.float64]

# How far light and shadow on its edges move the middle of even a clear silhouette, in px.
EDGE_SD_PX = 0.5
# Rims so undecided were trained with: what that does to a guess is in its covariance already.
_TRAINED_RIM_SD_PX = 0.7
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
    look: Look
    posture: Posture
    facing: Facing
    facing_frames: int
    stacked: Stacked | None = None

    @cached_property
    def faced(self) -> Faced:
        """What is believed of the figure, with its facing."""
        return self.look.facing(float(np.radians(self.facing.deg)))

    def facing_as(self, facing: float) -> Faced:
        """What is believed of the figure if it faces so (radians)."""
        own = facing == float(np.radians(self.facing.deg))
        return self.faced if own else self.look.facing(facing)


class Measurer:
    """Measures the fragments of all fighters of one event, and remembers what it learned of each.

    `dont_care` (H, W) marks ropes and posts in the whole picture; `edge_sd_px` is how far light and shadow
    move the middle of a silhouette; `first` is the index of the frame on which feet were tapped. Fragments of
    one fighter are numbered from its first; the same number again means the same fragment with more frames.
    """

    def __init__(
        self,
        calibration: RingCalibration,
        fighters: Sequence[FighterSpec],
        dont_care: NDArray[np.bool_] | None = None,
        edge_sd_px: float = EDGE_SD_PX,
        first: int = 0,
    ) -> None:
        self._first = first
        self._calibration = calibration
        self._specs = {fighter.id: fighter for fighter in fighters}
        self._dont_care = dont_care
        self._edge_sd_px = edge_sd_px
        self._shadows = Shadows()
        self._seen: dict[str, dict[int, _Seen]] = {fighter.id: {} for fighter in fighters}
        self._learned = {fighter.id: Memory() for fighter in fighters}
        # How far a tap that is not believed lies from the feet, in cm; None where it is.
        self._disputed: dict[str, float | None] = {}

    def measure(
        self,
        number: int,
        fragment: Fragment,
        *,
        facing: Facing | None = None,
        posture: Posture | None = None,
        beside: Mapping[str, int] | None = None,
    ) -> FragmentPose:
        """The pose of a fragment. A facing or posture that is known (the referee) overrides the pictures.

        `beside` are the other fighters that stand or lie there at the same time, each with the number of its
        fragment: this one may be on top of one of them.
        Raises MatteError when no figure can be cut out of the fragment.
        """
        spec = self._specs[fragment.fighter]
        silhouette = Silhouette(fragment.origin, self._matte(number, fragment))
        last = self._seen[spec.id].get(number)
        frames = fragment.frames_used
        if facing is not None:
            found: tuple[Posture, Facing] = ("standing", facing)
            frames = _TOLD
        elif last is not None and frames < _AGAIN * last.facing_frames:
            found, frames = (last.posture, last.facing), last.facing_frames
        else:
            found = self._stance(spec, number, fragment, silhouette)
        stacked = None
        if posture is None and facing is None:
            stacked = self._on_top(spec, silhouette, beside or {}) if last is None else last.stacked
        if stacked is not None:
            found = "stacked", replace(found[1], source="assumed", rivals=())
        look = look_at(self._calibration.camera, silhouette, spec.height_cm, spec.kind)
        seen = _Seen(fragment, silhouette, look, posture or found[0], found[1], frames, stacked)
        self._seen[spec.id][number] = seen
        self._learn(spec, number, seen)
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
        self._learned[fighter] = Memory()
        self._disputed.pop(fighter, None)

    def look_around(self, number: int, fragment: Fragment) -> None:
        """Learn from a fragment, before anything is measured, what shadows look like on this table.

        Raises MatteError when too little of its figure was seen.
        """
        self._crop(number, fragment)

    def _matte(self, number: int, fragment: Fragment) -> NDArray[np.float32]:
        return self._crop(number, fragment).coverage(self._shadows)

    def _crop(self, number: int, fragment: Fragment) -> Crop:
        """A fragment's crop, from which the table's shadows have learned."""
        unknown = None
        if self._dont_care is not None:
            u, v = fragment.origin
            height, width = fragment.support.shape
            unknown = self._dont_care[v : v + height, u : u + width]
        crop = Crop(fragment.mean, fragment.support, unknown, fragment.others)
        crop.teach(self._shadows, (fragment.fighter, number))
        return crop

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
        stood = [seen[n] for n in sorted(seen) if _stands(seen[n])]
        # a facing that was only assumed is no ground to build on, unless there is nothing else
        sure = [s for s in stood if s is seen[min(seen)] or s.facing.source != "assumed"] or stood
        if not sure:
            return last.posture, Facing(last.facing.deg, _ASSUMED_SD_DEG, "assumed")
        known = [Known(self._view(spec, s.fragment, s.silhouette), s.facing.deg) for s in sure[-_VIEWS:]]
        after = self._view(spec, fragment, silhouette)
        stance = judge(known, after, self._calibration.camera, spec.height_cm, self._experience(spec))
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
        memory = self._learned[spec.id]
        model = memory.model(number) or self._untaught(spec)
        self._disputed[spec.id] = model.disputed_cm
        if not _stands(seen):
            point, outline = self._off_its_feet(spec, number, seen)
            # its rim is where its middle is: both are read off the same silhouette
            rims = point.own + point.camera @ point.camera.T
        else:
            point, outline, rims = self._standing(spec, model, number, seen)
        basis = f"{spec.id}:{'tap' if model.tapped else 'height'}{memory.bent or ''}"
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

    def _learn(self, spec: FighterSpec, number: int, seen: _Seen) -> None:
        """Learn the figure from a fragment in which it stands and is known to face somewhere."""
        memory = self._learned[spec.id]
        memory.drop(number)
        assumed = seen.facing.source == "assumed" and number != min(self._seen[spec.id])
        if not _stands(seen) or assumed:
            return
        shown, model = self._shown(spec, seen), self._untaught(spec)
        look = known(self._calibration, model, shown)
        bent = memory.contradicts(number, seen.faced)
        if memory.before(number) and not bent:
            memory.add(number, look)
        elif number == self._tapped(spec):
            foot = np.asarray(spec.foot_px)
            memory.start(number, look, taught(self._calibration, model, shown, foot, spec.foot_sd_px))
        else:
            memory.start(number, look, first_look(model, look), bent=bent)

    def _untaught(self, spec: FighterSpec) -> FigureModel:
        return untaught(self._calibration, spec.height_cm, spec.height_sd_cm)

    def _tapped(self, spec: FighterSpec) -> int | None:
        """The number of the fragment in which the feet were tapped, when they were and the figure stood."""
        seen = self._seen[spec.id]
        first = min(seen)
        told = spec.foot_px is not None and seen[first].fragment.first - self._first <= _TAP_FRAMES
        return first if told and _stands(seen[first]) else None

    def _standing(
        self, spec: FighterSpec, model: FigureModel, number: int, seen: _Seen
    ) -> tuple[GroundPoint, Array, Array]:
        """Where a standing figure is, its plan view, and how far a point of that may be off."""
        point, shown = self._point(spec, model, number, seen), self._shown(spec, seen)
        here = standing(known(self._calibration, model, shown), point.xy)
        before = self._learned[spec.id].before(number)
        looks = [here, *(corrected(one.known, model, place) for place, one in enumerate(before))]
        outline = plan_view(looks, here, point.xy, shown.facing)
        rims = outline_covariance(self._calibration, shown.px, here.look.stand, rim_sds(looks, here))
        return point, outline, rims

    def _point(self, spec: FighterSpec, model: FigureModel, number: int, seen: _Seen) -> GroundPoint:
        memory = self._learned[spec.id]
        before = [lesson.known for lesson in memory.before(number)]
        learned = memory.lesson(number) is not None
        return ground_point(self._calibration, model, self._shown(spec, seen), before, learned=learned)

    def _readings(
        self, spec: FighterSpec, model: FigureModel, number: int, seen: _Seen
    ) -> list[dict[str, Any]]:
        """Where a standing figure is for every facing that remains, when it was assumed."""
        facing = seen.facing
        if not facing.rivals or not _stands(seen):
            return []
        rest = 1 - sum(rival.share for rival in facing.rivals)
        ways = [Rival(facing.deg, facing.sd_deg, rest), *facing.rivals]
        views = [replace(seen, facing=Facing(way.deg, way.sd_deg, facing.source)) for way in ways]
        return records(zip(ways, (self._point(spec, model, number, view) for view in views), strict=True))

    def _shown(self, spec: FighterSpec, seen: _Seen) -> Shown:
        silhouette, facing = seen.silhouette, seen.facing
        fragment = seen.fragment
        jitter = fragment.centroid_sd_px**2 / max(fragment.frames_used, 1) + fragment.drift_px**2
        rim = max(silhouette.edge_sd**2 - _TRAINED_RIM_SD_PX**2, 0.0)
        return Shown(
            silhouette.steady_centroid,
            np.outer(silhouette.centroid_doubt, silhouette.centroid_doubt)
            + (jitter + rim + self._edge_sd_px**2) * np.eye(2),
            seen.facing_as,
            float(np.radians(facing.deg)),
            float(np.radians(facing.sd_deg)),
            float(np.radians(min(spec.facing_sd_deg, facing.sd_deg))),
            float(np.radians(facing.rival_deg or 0.0)),
            facing.rival_share,
        )

    def _off_its_feet(self, spec: FighterSpec, number: int, seen: _Seen) -> tuple[GroundPoint, Array]:
        if seen.stacked is not None:
            return self._held_up(spec, seen, seen.stacked)
        return self._lying(spec, number, seen)

    def _lying(self, spec: FighterSpec, number: int, seen: _Seen) -> tuple[GroundPoint, Array]:
        """Where a lying figure is, by what it looks like beside how it stood, when it was seen so."""
        before = {n: s for n, s in self._seen[spec.id].items() if n < number and _stands(s)}
        stood = before[max(before)] if before else None
        known = None if stood is None else self._view(spec, stood.fragment, stood.silhouette)
        facing = 0.0 if stood is None else stood.facing.deg
        view = self._view(spec, seen.fragment, seen.silhouette)
        found = self._experience(spec).fallen(known, facing, view)
        px = seen.silhouette.steady_centroid.reshape(1, 2)
        jacobian = self._calibration.plane_jacobian(px, SHARE_OF_HEIGHT * spec.height_cm)[0]
        by_camera = jacobian @ camera_root(self._calibration)
        outline = polygon(ANGLES, found.reach) + found.xy
        return GroundPoint(found.xy, by_camera, np.zeros((2, 0)), found.covariance), outline

    def _experience(self, spec: FighterSpec) -> Experience:
        return Experience(self._calibration.camera, spec.height_cm, spec.kind)

    def _on_top(self, spec: FighterSpec, silhouette: Silhouette, beside: Mapping[str, int]) -> Stacked | None:
        """Whom a figure is on top of, of those that stand or lie there."""
        below = []
        for fighter, number in beside.items():
            other = self._seen[fighter].get(number)
            if other is not None and other.posture != "stacked" and fighter != spec.id:
                top = top_of(self._specs[fighter].height_cm, other.posture == "lying")
                below.append(Below(fighter, other.silhouette, _alone(other), top))
        return stacked_on(silhouette, spec.height_cm, self._calibration.camera, below)

    def _held_up(self, spec: FighterSpec, seen: _Seen, stacked: Stacked) -> tuple[GroundPoint, Array]:
        """Where a stacked figure is in the plan, and its plan view there."""
        px = seen.silhouette.steady_centroid.reshape(1, 2)
        z = SHARE_OF_HEIGHT * spec.height_cm + stacked.lift_cm
        by_camera = self._calibration.plane_jacobian(px, z)[0] @ camera_root(self._calibration)
        own = stacked.covariance(self._calibration.camera, spec.height_cm)
        moved = _alone(seen) + (stacked.xy - seen.look.stand.middle)
        return GroundPoint(stacked.xy, by_camera, np.zeros((2, 0)), own), moved


def _overlap(a: Silhouette, b: Silhouette) -> float:
    """Intersection over union of two silhouettes in the picture."""
    first, second = ({tuple(px) for px in s.pixels.astype(int).tolist()} for s in (a, b))
    return len(first & second) / max(len(first | second), 1)


def _forget_old(seen: dict[int, _Seen]) -> None:
    """Drop what no later fragment is compared with: a match has hundreds, and each holds a picture."""
    numbers = sorted(seen)
    stood = [number for number in numbers if _stands(seen[number])]
    sure = [number for number in stood if seen[number].facing.source != "assumed"]
    # the first one was told or tapped
    kept = {numbers[0], *(n for last in (numbers, stood, sure) for n in last[-_VIEWS:])}
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


def _stands(seen: _Seen) -> bool:
    """Whether the figure stood on the table in that fragment."""
    return seen.posture == "standing"


def _alone(seen: _Seen) -> Array:
    """The plan view (N, 2) of a figure, as if it stood on the table, by one look alone."""
    return plan_view([seen.faced], seen.faced, seen.faced.xy, float(np.radians(seen.facing.deg)))
