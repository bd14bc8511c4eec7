"""What was clicked and found, as observations with honest weights."""

from __future__ import annotations

import numpy as np

from calibration.adjust import Observations
from calibration.camera import Array, Camera
from calibration.edges import EdgeFinds
from calibration.lens_model import project_with_derivatives
from calibration.ring import CORNER_SIGNS, RingSpec
from calibration.ropes import RopeFinds, rope_line

# The ring's outward directions of its far, right, near and left side.
OUTWARD = np.array([[0.0, 1.0], [1.0, 0.0], [0.0, -1.0], [-1.0, 0.0]])
# Slips of the real ring from the ideal one, standard deviations in cm.
_EDGES = tuple(f"{side}_{what}" for what in ("offset", "bow") for side in ("far", "right", "near", "left"))
SLIPS = ("post_outward", "post_height", *_EDGES)
POST_OUTWARD_SD_CM = 0.2  # all posts stand a little out from, or in over, their corners
BESIDE_SD_CM = 1.5  # the same where posts may stand beside the mat
POST_HEIGHT_SD_CM = 0.05  # the posts were measured with a ruler
POST_LEAN_SD_CM = 0.1  # every post's own lean
EDGE_OFFSET_SD_CM = 0.03  # a cut edge against the line through its corners
EDGE_BOW_SD_CM = 0.02  # its bend in the middle
# After SLIPS, with ropes: one offset per side, the sag all share, and from here every rope's height.
ROPE_SAG, ROPE_HEIGHT = 4, 5
ROPE_HEIGHT_SD_CM = 1.0  # a rope's height is as good as unknown
ROPE_OFFSET_SD_CM = 0.1  # a rope over its mat edge, every side
ROPE_SAG_SD_CM = 0.1  # all ropes' sag in the middle


def slip_sds(post_outward_sd_cm: float = POST_OUTWARD_SD_CM) -> Array:
    """The beliefs' standard deviations in cm, in the order of SLIPS."""
    edges = [EDGE_OFFSET_SD_CM] * 4 + [EDGE_BOW_SD_CM] * 4
    return np.array([post_outward_sd_cm, POST_HEIGHT_SD_CM, *edges])


def rope_slip_sds(ropes: int) -> Array:
    """The further slips of so many ropes: their offset over every side, their sag, and every height, cm."""
    return np.array([ROPE_OFFSET_SD_CM] * 4 + [ROPE_SAG_SD_CM] + [ROPE_HEIGHT_SD_CM] * ropes)


def corner_clicks(spec: RingSpec, sd_px: float) -> Observations:
    """The four mat corners."""
    return Observations(
        spec.corners(), spec.corners_px, np.tile(np.eye(2) / sd_px, (4, 1, 1)), np.zeros((4, 3, len(SLIPS)))
    )


def top_clicks(spec: RingSpec, sd_px: float, camera: Camera | None) -> Observations:
    """The four post tops: a click's noise and the post's own lean, together.

    A lean moves the top in the ring's x and y; what that is in pixels needs a camera. Without one the ring's
    own size in the picture has to do.
    """
    assert spec.post_tops_px is not None
    slips = np.zeros((4, 3, len(SLIPS)))
    slips[:, :2, SLIPS.index("post_outward")] = CORNER_SIGNS
    slips[:, 2, SLIPS.index("post_height")] = 1.0
    if camera is None:
        diagonal = np.linalg.norm(spec.corners_px[1] - spec.corners_px[3])
        by_lean = np.tile(np.eye(2) * diagonal / np.hypot(spec.width_cm, spec.depth_cm), (4, 1, 1))
    else:
        by_lean = project_with_derivatives(camera, spec.post_tops())[2][:, :, :2]
    covariance = sd_px**2 * np.eye(2) + POST_LEAN_SD_CM**2 * by_lean @ by_lean.transpose(0, 2, 1)
    weights = np.linalg.cholesky(np.linalg.inv(covariance)).transpose(0, 2, 1)
    return Observations(spec.post_tops(), spec.post_tops_px, weights, slips)


def edge_observations(spec: RingSpec, camera: Camera, finds: EdgeFinds, sd_px: float) -> Observations:
    """Edge points: each measures the distance of its pixel from the edge, along the edge's normal."""
    corners = spec.corners()
    lines = np.stack([corners, np.roll(corners, -1, axis=0)], axis=1)[finds.side]
    seen, where = _across(lines, camera, finds.pixels, sd_px, len(SLIPS))
    rows = np.arange(len(where))
    seen.slips[rows, :2, SLIPS.index("far_offset") + finds.side] = OUTWARD[finds.side]
    bow = OUTWARD[finds.side] * (1.0 - np.square(where))[:, None]
    seen.slips[rows, :2, SLIPS.index("far_bow") + finds.side] = bow
    return seen


def rope_observations(spec: RingSpec, camera: Camera, finds: RopeFinds, sd_px: float) -> Observations:
    """Rope points, likewise; the ropes hang between the posts."""
    lines = np.array(
        [
            rope_line(spec, int(side), float(finds.heights_cm[rope]))
            for side, rope in zip(finds.side, finds.rope, strict=True)
        ]
    )
    count = len(SLIPS) + len(rope_slip_sds(len(finds.heights_cm)))
    seen, where = _across(lines, camera, finds.pixels, sd_px, count)
    rows = np.arange(len(where))
    seen.slips[:, :2, SLIPS.index("post_outward")] = OUTWARD[finds.side]
    seen.slips[rows, :2, len(SLIPS) + finds.side] = OUTWARD[finds.side]
    seen.slips[:, 2, len(SLIPS) + ROPE_SAG] = np.square(where) - 1.0
    seen.slips[rows, 2, len(SLIPS) + ROPE_HEIGHT + finds.rope] = 1.0
    return seen


def _across(
    lines: Array, camera: Camera, pixels: Array, sd_px: float, slips: int
) -> tuple[Observations, Array]:
    """Pixels (N, 2) against level lines (N, 2, 3): observations across them and where on them (-1 to 1)."""
    begin, along = lines[:, 0], lines[:, 1] - lines[:, 0]
    length = np.linalg.norm(along, axis=1)
    direction = along / length[:, None]
    plane = camera.to_plane(pixels, begin[:, 2])
    reach = np.einsum("ni,ni->n", plane - begin[:, :2], direction[:, :2])
    points = begin + reach[:, None] * direction
    _, _, by_point = project_with_derivatives(camera, points)
    tangent = np.einsum("nij,nj->ni", by_point, direction)
    weights = np.zeros((len(points), 2, 2))
    weights[:, 0, 0], weights[:, 0, 1] = -tangent[:, 1], tangent[:, 0]
    weights /= np.linalg.norm(tangent, axis=1)[:, None, None] * sd_px
    return Observations(points, pixels, weights, np.zeros((len(points), 3, slips))), 2 * reach / length - 1
