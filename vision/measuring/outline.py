"""The plan view of a lying figure (straight down) from its silhouette: it lies flat, as thick as it was
deep."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera
from vision.measuring.silhouette import Silhouette, view_at

Array = NDArray[np.float64]

# A lying figure's rim is seen about half way up its thickness, and the figure is as thick as it was deep
# when it stood. An unknown figure is this thick in standing heights (rendered figures, and modelled ones that
# fell).
_RIM_OF_THICKNESS, LYING_THICKNESS = 0.475, 0.42
# A figure that lies along its facing is as long as it was high. What the silhouette is longer than that is,
# in the main, a head or an arm that sticks up at the far end: so much of it (modelled figures that fell).
_FAR_SHARE, _MOST_LONGER = 0.5, 0.6
# How far the middle of the lying plan view is then misjudged, in standing heights (two thirds of fallen
# wrestlers are nearer); more without a standing view to tell the thickness.
_LYING_SD, _LYING_SD_UNKNOWN = 0.04, 0.06


@dataclass(frozen=True, eq=False)
class Lying:
    """A lying figure: the middle xy (2,) in cm of its plan view's bounding box (axes turned with its facing),
    its covariance but for the camera's, the middle's px (2,) and height z in cm, and the outline (N, 2)."""

    xy: Array
    covariance: Array
    px: Array
    z: float
    outline: Array


def lying(
    camera: Camera, silhouette: Silhouette, height_cm: float, facing: float, standing: Array | None = None
) -> Lying:
    """The plan view of a lying figure; `standing` is its outline when it stood, turned to a facing of 0.

    Falling on its face or back (long along the facing, in radians) it is as thick as it was deep; on its
    side, as thick as it was wide.
    """
    rotation = _rotation(facing)
    thickness, sd = LYING_THICKNESS * height_cm, _LYING_SD_UNKNOWN
    if standing is not None:
        box = np.ptp(lying_box(camera, silhouette, thickness, rotation), axis=0)
        depth, width = np.ptp(standing, axis=0)
        thickness, sd = float(depth if box[0] >= box[1] else width), _LYING_SD
    body = lying_box(camera, silhouette, thickness, rotation)
    middle = (body.min(axis=0) + body.max(axis=0)) / 2
    length, width = np.ptp(body, axis=0)
    if length >= width:
        longer = min(float(length) - height_cm, _MOST_LONGER * height_cm)
        away = float(view_at(camera, rotation @ middle).away @ rotation[:, 0])
        middle[0] -= _FAR_SHARE * longer / 2 * away
    xy = rotation @ middle
    z = _RIM_OF_THICKNESS * thickness
    px = camera.project(np.array([[xy[0], xy[1], z]]))[0]
    return Lying(xy, (sd * height_cm) ** 2 * np.eye(2), px, z, _hull(body @ rotation.T))


def lying_box(camera: Camera, silhouette: Silhouette, thickness: float, rotation: Array) -> Array:
    """The silhouette's pixels (N, 2) on the plane of a lying figure's rim, in body axes, cm."""
    return camera.to_plane(silhouette.pixels, _RIM_OF_THICKNESS * thickness) @ rotation


def _rotation(angle: float) -> Array:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s], [s, c]])


def _hull(points: Array) -> Array:
    """The convex hull (N, 2), counter-clockwise, without corners that stand out by less than 0.3 mm."""
    hull = cv2.convexHull(np.ascontiguousarray(points, np.float32), clockwise=False)
    simple = cv2.approxPolyDP(hull, 0.03, closed=True).reshape(-1, 2)
    return np.asarray(simple if len(simple) >= 3 else hull.reshape(-1, 2), dtype=np.float64)
