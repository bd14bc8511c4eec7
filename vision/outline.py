"""The plan view of a figure (straight down) from one oblique silhouette.

A silhouette shows the figure stretched away from the camera by its height. Parallax first: the steady
middle is put over the table at its own height, and the silhouette is gathered about it along the viewing
direction until the stretch is gone: what lies far up in the picture is taken to stand high. The result is
the convex outline, the shape that gaps between figures are measured between.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera
from vision.ground import SHARE_OF_HEIGHT
from vision.silhouette import Silhouette, view_at

Array = NDArray[np.float64]

# Share of the height by which the upper rim of a standing figure is really higher than the lower one:
# backs, arms and tails are in the upper rim as often as heads (set on rendered figures).
_RISE = 0.5
# No standing figure is thinner along the view than this share of its height.
_LEAST_DEPTH = 0.6
# A lying figure: the height of its rim over its standing height (mean over modelled fallen humanoids), and
# how far its plan view's middle is then misjudged along and across the view, in standing heights.
_LYING_RIM = 0.2
_LYING_ALONG_SD, _LYING_ACROSS_SD = 0.045, 0.035
# Rim pixels that may be stray, in percent, when the extent of a silhouette is taken.
_STRAY = 1.0


@dataclass(frozen=True, eq=False)
class LyingMiddle:
    """The middle (2,) in cm of a lying figure's bounding box, its own covariance, its centre (2,) in px."""

    xy: Array
    covariance: Array
    px: Array
    height_cm: float


def standing_outline(camera: Camera, silhouette: Silhouette, height_cm: float) -> Array:
    """The plan view (N, 2) in ring cm, convex, counter-clockwise, of a standing figure."""
    z = SHARE_OF_HEIGHT * height_cm
    middle = camera.to_plane(silhouette.steady_centroid.reshape(1, 2), z)[0]
    view = view_at(camera, middle)
    slope = view.slope * camera.centre[2] / (camera.centre[2] - z)
    gaps = camera.to_plane(silhouette.pixels, z) - middle
    along, across = gaps @ view.away, gaps @ view.across
    low, high = np.percentile(along, [_STRAY, 100 - _STRAY])
    length = max(float(high - low), 1e-6)
    depth = max(length - _RISE * slope * height_cm, _LEAST_DEPTH * height_cm)
    along = along * min(depth / length, 1.0)
    return _hull(middle + np.outer(along, view.away) + np.outer(across, view.across))


def lying_outline(camera: Camera, silhouette: Silhouette, height_cm: float) -> Array:
    """The plan view (N, 2) in ring cm, convex, counter-clockwise, of a figure that lies on the table."""
    return _hull(camera.to_plane(silhouette.pixels, _LYING_RIM * height_cm))


def lying_middle(camera: Camera, silhouette: Silhouette, height_cm: float, facing: float) -> LyingMiddle:
    """The middle of the bounding box, axes turned with the facing (radians), of a lying figure's plan."""
    outline = lying_outline(camera, silhouette, height_cm)
    c, s = np.cos(facing), np.sin(facing)
    rotation = np.array([[c, -s], [s, c]])
    body = outline @ rotation
    xy = rotation @ ((body.min(axis=0) + body.max(axis=0)) / 2)
    view = view_at(camera, xy)
    axes = np.column_stack([view.away, view.across])
    # straight from above nothing is misjudged by height: what is left is the ragged rim
    along = _LYING_ALONG_SD * min(view.slope / 0.7, 1.0) + 0.01
    spread = axes * (height_cm * np.array([along, _LYING_ACROSS_SD * min(view.slope / 0.7, 1.0) + 0.01]))
    z = _LYING_RIM * height_cm
    px = camera.project(np.array([[xy[0], xy[1], z]]))[0]
    return LyingMiddle(xy, spread @ spread.T, px, z)


def _hull(points: Array) -> Array:
    """The convex hull (N, 2), counter-clockwise, without corners that stand out by less than 0.3 mm."""
    hull = cv2.convexHull(np.ascontiguousarray(points, np.float32), clockwise=False)
    simple = cv2.approxPolyDP(hull, 0.03, closed=True).reshape(-1, 2)
    return np.asarray(simple if len(simple) >= 3 else hull.reshape(-1, 2), dtype=np.float64)
