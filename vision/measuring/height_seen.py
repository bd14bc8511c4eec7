"""How tall a silhouette looks for a figure of its class, and how likely a height is that somebody told.

From the silhouette's length along the view, its width across it and its area, all on the table's plane, the
height follows with an error that depends on the class and on how obliquely it is seen: a tenth for people
seen obliquely, a quarter to a third for beasts and absurd shapes from above. What was learned of this comes
from `python -m datasets.heights`, on figures of the makers of `datasets.makers`; no clip shows one of them.

A height that was told is compared with a height typed wrongly, which may be any: the odds say how many times
likelier it is that it was told right.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import gamma, pi, sqrt

import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera
from vision.fighters import FighterClass
from vision.measuring.silhouette import view_at

Array = NDArray[np.float64]

# Of log(height / root of the area), per class: the weights of `looks`, and the error's sd from above and
# obliquely.
_LEARNED: dict[FighterClass, tuple[tuple[float, ...], float, float]] = {
    "humanoid": ((0.589, 0.344, 0.395, -0.084, -0.344, 0.247, -0.754, 0.083), 0.161, 0.095),
    "beast": ((0.499, -0.350, -0.461, -0.098, -0.131, 0.942, -0.734, 0.788), 0.285, 0.203),
    "absurd": ((0.390, 0.572, 0.419, 0.201, -0.782, 0.404, -1.033, 0.071), 0.368, 0.183),
}
# What is from above, and what is oblique: the view's angle from the vertical, in radians.
_ABOVE, _OBLIQUE = np.radians(20.0), np.radians(45.0)
# Errors beyond the usual happen more often than a normal distribution has them (Student's t).
_FREEDOM = 4
# Heights of figures as the catalogue and the table have them: median in cm, and sd of the logarithm.
_USUAL_CM, _USUAL_SD = 10.5, 0.33
# Heights that can be typed, in cm.
_TYPED_CM = np.geomspace(2.0, 40.0, 150)
# Percent of a silhouette's pixels at either end that may be stray.
_STRAY = 1.0


@dataclass(frozen=True)
class HeightSeen:
    """What a silhouette says of a figure's height: ways to see it, each the log of cm and its sd."""

    ways: tuple[tuple[float, float], ...]

    def likelihood(self, height_cm: Array) -> Array:
        """How likely the silhouette is at heights (N,) in cm, up to a factor."""
        told = np.log(height_cm)
        return np.asarray(np.mean([_student((told - seen) / sd) / sd for seen, sd in self.ways], axis=0))

    def log_odds(self, height_cm: Array) -> Array:
        """The decimal log of the odds (N,) that heights in cm were told right and not typed wrongly."""
        usual = _usual(_TYPED_CM) / _usual(_TYPED_CM).sum()
        if_wrong = (self.likelihood(_TYPED_CM) * usual).sum() / np.log(_TYPED_CM[-1] / _TYPED_CM[0])
        return np.asarray(np.log10(self.likelihood(height_cm) * _usual(height_cm) / if_wrong))

    def believed(self, least: float) -> tuple[float, float]:
        """The lowest and the highest height in cm whose `log_odds` are at least this, or the likeliest."""
        odds = self.log_odds(_TYPED_CM)
        good = _TYPED_CM[odds >= min(least, float(odds.max()))]
        return float(good[0]), float(good[-1])


def height_seen(camera: Camera, pixels: Array, kind: FighterClass | None) -> HeightSeen:
    """What the pixels (N, 2) of a standing figure say of its height; all are averaged for no class."""
    points = camera.to_plane(pixels, 0.0)
    middle = points.mean(axis=0)
    view = view_at(camera, middle)
    length, width = (
        float(np.ptp(np.percentile((points - middle) @ way, [_STRAY, 100 - _STRAY])))
        for way in (view.away, view.across)
    )
    centre = pixels.mean(axis=0)
    one, right, below = camera.to_plane(centre + np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]), 0.0)
    side = sqrt(len(pixels) * abs(float(np.linalg.det([right - one, below - one]))))
    tilt = float(np.arctan(view.slope))
    seen = looks(np.array([tilt]), np.array([length / side]), np.array([width / side]))[0]
    kinds = _LEARNED if kind is None else (kind,)
    ways = []
    for name in kinds:
        weights, above, oblique = _LEARNED[name]
        sd = float(np.interp(tilt, [_ABOVE, _OBLIQUE], [above, oblique]))
        ways.append((float(seen @ np.array(weights)) + float(np.log(side)), sd))
    return HeightSeen(tuple(ways))


def looks(tilt: Array, length: Array, width: Array) -> Array:
    """The terms (N, 8) from which heights follow: tilt (N,) of the view from the vertical in radians, length
    along it and width across it (N,), both over the root of the area."""
    a, b = np.log(width), np.log(length)
    return np.column_stack([np.ones_like(tilt), a, b, tilt, a * tilt, b * tilt, tilt**2, a * b])


def _usual(height_cm: Array) -> Array:
    z = (np.log(height_cm) - np.log(_USUAL_CM)) / _USUAL_SD
    return np.asarray(np.exp(-0.5 * z**2) / (_USUAL_SD * sqrt(2 * pi)))


def _student(z: Array) -> Array:
    scale = gamma((_FREEDOM + 1) / 2) / (gamma(_FREEDOM / 2) * sqrt(_FREEDOM * pi))
    return np.asarray(scale * (1 + z**2 / _FREEDOM) ** (-(_FREEDOM + 1) / 2))
