"""Measures fragments: a figure's ground point, its error split by source, facing, posture and plan view."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.result import RingCalibration
from vision.displacement import error_record, total_covariance
from vision.fighters import FighterSpec
from vision.fragments import Fragment
from vision.ground import FigureModel, GroundPoint, Middle, camera_root, ground_point, taught, untaught
from vision.matte import soft_matte
from vision.outline import lying_middle, lying_outline, standing_outline
from vision.poses import FragmentPose
from vision.silhouette import Silhouette
from vision.tracks import FacingSource, Posture

Array = NDArray[np.float64]

# The facing of the event file: as a person judges it at the table.
_EVENT_FACING_SD_DEG = 3.0
# A facing that nothing measured: half a turn off is possible.
_ASSUMED_SD_DEG = 60.0
# The tap was made on the first frame: a fragment that starts later than this many frames is another one.
_TAP_FRAMES = 3


@dataclass(frozen=True)
class Facing:
    """A facing in degrees with its sd, where it came from, and the margin of its registration (0-1)."""

    deg: float
    sd_deg: float
    source: FacingSource
    margin: float | None = None


@dataclass(frozen=True, eq=False)
class _Seen:
    """What was seen of a figure in one fragment."""

    fragment: Fragment
    silhouette: Silhouette
    posture: Posture
    facing: Facing


class Measurer:
    """Measures the fragments of all fighters of one event, and remembers what it learned of each.

    `dont_care` (H, W) marks ropes and posts in the whole picture. Fragments of one fighter are numbered
    from its first; the same number again means the same fragment with more frames.
    """

    def __init__(
        self,
        calibration: RingCalibration,
        fighters: Sequence[FighterSpec],
        dont_care: NDArray[np.bool_] | None = None,
    ) -> None:
        self._calibration = calibration
        self._specs = {fighter.id: fighter for fighter in fighters}
        self._dont_care = dont_care
        self._seen: dict[str, dict[int, _Seen]] = {fighter.id: {} for fighter in fighters}

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
        seen = _Seen(fragment, silhouette, posture or "standing", facing or self._facing(spec, number))
        self._seen[spec.id][number] = seen
        return self._pose(spec, number, seen)

    def forget(self, fighter: str) -> None:
        """Forget everything learned of a fighter."""
        self._seen[fighter].clear()

    def _matte(self, fragment: Fragment) -> NDArray[np.float32]:
        unknown = None
        if self._dont_care is not None:
            u, v = fragment.origin
            height, width = fragment.support.shape
            unknown = self._dont_care[v : v + height, u : u + width]
        return soft_matte(fragment.mean, fragment.support, unknown)

    def _facing(self, spec: FighterSpec, number: int) -> Facing:
        before = [n for n in self._seen[spec.id] if n < number]
        if not before:
            return Facing(spec.facing_deg, _EVENT_FACING_SD_DEG, "assumed")
        return Facing(self._seen[spec.id][max(before)].facing.deg, _ASSUMED_SD_DEG, "assumed")

    def _pose(self, spec: FighterSpec, number: int, seen: _Seen) -> FragmentPose:
        if seen.posture == "lying":
            point = self._lying(spec, seen)
            outline = lying_outline(self._calibration.camera, seen.silhouette, spec.height_cm)
        else:
            point = ground_point(self._calibration, self._model(spec), _middle(seen))
            outline = standing_outline(self._calibration.camera, seen.silhouette, spec.height_cm)
        basis = f"{spec.id}:{'tap' if spec.foot_px is not None else 'height'}"
        error = error_record(number, point.own, point.camera, point.figure, basis)
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
        """What is known of a figure: its height, and the tap when its first fragment was tapped."""
        model = untaught(self._calibration, spec.height_cm)
        seen = self._seen[spec.id]
        first = seen.get(min(seen))
        if spec.foot_px is None or first is None or first.fragment.first > _TAP_FRAMES:
            return model
        if first.posture == "lying":
            return model
        return taught(self._calibration, model, _middle(first), np.asarray(spec.foot_px))

    def _lying(self, spec: FighterSpec, seen: _Seen) -> GroundPoint:
        middle = lying_middle(
            self._calibration.camera, seen.silhouette, spec.height_cm, np.radians(seen.facing.deg)
        )
        jacobian = self._calibration.plane_jacobian(middle.px.reshape(1, 2), middle.height_cm)[0]
        root = camera_root(self._calibration)
        return GroundPoint(middle.xy, jacobian @ root, np.zeros((2, 0)), middle.covariance)


def _middle(seen: _Seen) -> Middle:
    return Middle(
        seen.silhouette.steady_centroid,
        seen.fragment.centroid_sd_px / np.sqrt(max(seen.fragment.frames_used, 1)),
        float(np.radians(seen.facing.deg)),
        float(np.radians(seen.facing.sd_deg)),
    )
