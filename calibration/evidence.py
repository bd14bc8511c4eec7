"""What was clicked and found, as observations with honest weights."""

from __future__ import annotations

import numpy as np

from calibration.adjust import Observations
from calibration.camera import Array, Camera
from calibration.edges import EdgeFinds
from calibration.lens_model import project_with_derivatives
from calibration.ring import CORNER_SIGNS, RingSpec

# Slips of the real ring from the ideal one, standard deviations in cm.
_EDGES = tuple(f"{side}_{what}" for what in ("offset", "bow") for side in ("far", "right", "near", "left"))
SLIPS = ("post_outward", "post_height", *_EDGES)
POST_OUTWARD_SD_CM = 0.1  # all posts stand a little out from, or in over, their corners
POST_HEIGHT_SD_CM = 0.05  # the posts were measured with a ruler
POST_LEAN_SD_CM = 0.1  # every post's own lean
EDGE_OFFSET_SD_CM = 0.03  # a cut edge against the line through its corners
EDGE_BOW_SD_CM = 0.02  # its bend in the middle


def slip_sds(post_outward_sd_cm: float = POST_OUTWARD_SD_CM) -> Array:
    """The beliefs' standard deviations in the order of SLIPS, cm."""
    edges = [EDGE_OFFSET_SD_CM] * 4 + [EDGE_BOW_SD_CM] * 4
    return np.array([post_outward_sd_cm, POST_HEIGHT_SD_CM, *edges])


def corner_clicks(spec: RingSpec, sd_px: float) -> Observations:
    """The four mat corners."""
    return Observations(
        spec.corners(), spec.corners_px, np.tile(np.eye(2) / sd_px, (4, 1, 1)), np.zeros((4, 3, len(SLIPS)))
    )


def top_clicks(spec: RingSpec, sd_px: float) -> Observations:
    """The four post tops: a click's noise and the post's own lean, in pixels, together."""
    assert spec.post_tops_px is not None
    slips = np.zeros((4, 3, len(SLIPS)))
    slips[:, :2, SLIPS.index("post_outward")] = CORNER_SIGNS
    slips[:, 2, SLIPS.index("post_height")] = 1.0
    px_per_cm = np.linalg.norm(spec.corners_px[1] - spec.corners_px[3]) / np.hypot(
        spec.width_cm, spec.depth_cm
    )
    sd = np.hypot(sd_px, POST_LEAN_SD_CM * px_per_cm)
    return Observations(spec.post_tops(), spec.post_tops_px, np.tile(np.eye(2) / sd, (4, 1, 1)), slips)


def edge_observations(spec: RingSpec, camera: Camera, finds: EdgeFinds, sd_px: float) -> Observations:
    """Edge points: each measures the distance of its pixel from the edge, along the edge's normal."""
    corners = spec.corners()
    begin, end = corners[finds.side], corners[(finds.side + 1) % 4]
    along = end - begin
    length = np.linalg.norm(along, axis=1)
    direction = along / length[:, None]
    # The mat's outward normal: turn the direction (clockwise round the ring) to its left.
    outward = np.column_stack([-direction[:, 1], direction[:, 0]])
    plane = camera.to_plane(finds.pixels, 0.0)
    reach = np.einsum("ni,ni->n", plane - begin[:, :2], direction[:, :2])
    points = begin + reach[:, None] * direction
    _, _, by_point = project_with_derivatives(camera, points)
    tangent = np.einsum("nij,nj->ni", by_point, direction)
    normal = np.column_stack([-tangent[:, 1], tangent[:, 0]])
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    weights = np.zeros((len(points), 2, 2))
    weights[:, 0, :] = normal / sd_px
    slips = np.zeros((len(points), 3, len(SLIPS)))
    rows = np.arange(len(points))
    where = 2 * reach / length - 1
    slips[rows, :2, 2 + finds.side] = outward
    slips[rows, :2, 6 + finds.side] = outward * (1.0 - np.square(where))[:, None]
    return Observations(points, finds.pixels, weights, slips)
