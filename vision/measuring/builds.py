"""What is believed of a figure of a class before anybody tapped it: where its middle is over its sole, and
how far its sole reaches towards the camera.

The table was fitted, by maximum likelihood, to where 360 modelled figures (`datasets/figures.py`), slim
and on long legs, and the stout ones of the rendered clips, each of these with the weight of ten, stood in
two or three views: both are plasticine. Lengths are in heights of the figure.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera
from vision.fighters import FighterClass
from vision.measuring.outline import standing_outline
from vision.measuring.silhouette import SHARE_OF_HEIGHT, STRAY, Silhouette, view_at

Array = NDArray[np.float64]

# How many cm per cm of height the view leans away where the table below holds as it stands; seen more
# steeply than this the numbers "by steepness" come in.
OBLIQUE = 0.75
# The share of a silhouette's length, along the view, that lies nearer than its middle, of a usual figure.
_USUAL_LOW = 0.47


@dataclass(frozen=True)
class Build:
    """The figures of a class. Means and standard deviations of the unknowns of `vision.measuring.ground`.

    The middle is `share` higher than SHARE_OF_HEIGHT (more by `share_by_low` for silhouettes that are long
    below it), and `front` in front of the sole's middle (more by `front_by_length` for every e-fold of
    length over width). The rim of the sole, as seen at an angle p off the facing, is the four of `rim` times
    (1, cos 2p, cos p, sin p) nearer than its middle, each with the sd in `rim_spread`, and `rim_sd` about it.
    `wander` are the sds of the linear and the quadratic coefficients. All `_by_steep` are per unit of
    steepness; those of the share's sd and of the wandering are exponents.
    """

    share: float
    share_by_low: float
    share_by_steep: float
    share_sd: float
    share_sd_by_steep: float
    front: float
    front_by_length: float
    front_sd: float
    side_sd: float
    wander: tuple[float, float]
    wander_by_steep: float
    rim: tuple[float, float, float, float]
    rim_spread: tuple[float, float, float, float]
    rim_by_steep: float
    rim_sd: float
    rim_sd_by_steep: float

    def mean(self, shape: Shape) -> Array:
        """The expected unknowns (17,), in heights, of a figure of a shape."""
        mean = np.zeros(17)
        mean[0] = self.front + self.front_by_length * np.log(shape.elongation)
        mean[2] = self.share + self.share_by_low * (shape.low - _USUAL_LOW)
        mean[13:] = self.rim
        return mean

    def spread(self) -> Array:
        """The standard deviations (17,) of the unknowns, in heights."""
        linear, quadratic = self.wander
        return np.array(
            [self.front_sd, self.side_sd, self.share_sd, *[linear] * 4, *[quadratic] * 6, *self.rim_spread]
        )


@dataclass(frozen=True)
class Shape:
    """What one silhouette tells of a figure: how many times longer (along its facing) than wide its plan view
    is, and the share of the silhouette's length, along the view, that lies nearer than its middle."""

    elongation: float = 1.0
    low: float = _USUAL_LOW


def shape_of(camera: Camera, silhouette: Silhouette, height_cm: float, facing_deg: float) -> Shape:
    """The shape of a standing figure that faces facing_deg."""
    angle = np.radians(facing_deg)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    length, width = np.ptp(standing_outline(camera, silhouette, height_cm) @ turn, axis=0)
    z = SHARE_OF_HEIGHT * height_cm
    middle = camera.to_plane(silhouette.steady_centroid.reshape(1, 2), z)[0]
    along = (camera.to_plane(silhouette.pixels, z) - middle) @ view_at(camera, middle).away
    near, far = np.percentile(along, [STRAY, 100 - STRAY])
    return Shape(float(length / width), float(-near / max(far - near, 1e-9)))


BUILDS: Mapping[FighterClass | None, Build] = MappingProxyType(
    {
        "humanoid": Build(
            share=0.033,
            share_by_low=0.053,
            share_by_steep=0.052,
            share_sd=0.044,
            share_sd_by_steep=0.36,
            front=0.021,
            front_by_length=0.028,
            front_sd=0.026,
            side_sd=0.014,
            wander=(0.014, 0.014),
            wander_by_steep=0.577,
            rim=(0.106, -0.044, -0.011, 0.0),
            rim_spread=(0.026, 0.02, 0.019, 0.024),
            rim_by_steep=0.166,
            rim_sd=0.01,
            rim_sd_by_steep=0.08,
        ),
        "beast": Build(
            share=0.033,
            share_by_low=0.643,
            share_by_steep=0.088,
            share_sd=0.074,
            share_sd_by_steep=-0.577,
            front=0.087,
            front_by_length=-0.02,
            front_sd=0.031,
            side_sd=0.01,
            wander=(0.021, 0.018),
            wander_by_steep=0.536,
            rim=(0.325, 0.19, -0.013, 0.0),
            rim_spread=(0.06, 0.084, 0.032, 0.021),
            rim_by_steep=0.323,
            rim_sd=0.026,
            rim_sd_by_steep=0.057,
        ),
        "absurd": Build(
            share=-0.01,
            share_by_low=-0.041,
            share_by_steep=-0.013,
            share_sd=0.052,
            share_sd_by_steep=0.183,
            front=0.005,
            front_by_length=-0.02,
            front_sd=0.086,
            side_sd=0.081,
            wander=(0.014, 0.019),
            wander_by_steep=0.216,
            rim=(0.157, -0.002, 0.02, 0.0),
            rim_spread=(0.081, 0.054, 0.051, 0.059),
            rim_by_steep=0.355,
            rim_sd=0.042,
            rim_sd_by_steep=0.135,
        ),
        None: Build(
            share=0.036,
            share_by_low=0.261,
            share_by_steep=0.016,
            share_sd=0.058,
            share_sd_by_steep=0.433,
            front=0.016,
            front_by_length=0.041,
            front_sd=0.059,
            side_sd=0.051,
            wander=(0.011, 0.022),
            wander_by_steep=0.964,
            rim=(0.199, 0.047, -0.008, 0.0),
            rim_spread=(0.13, 0.11, 0.059, 0.029),
            rim_by_steep=0.26,
            rim_sd=0.024,
            rim_sd_by_steep=0.106,
        ),
    }
)
