"""What a table looks like where a figure keeps a lamp's light from it: darker, and of another hue.

A shadow is lit by what is left, the sky or the ceiling, and that is bluer than a warm lamp, by up to 0.6 in
log B/R. Red and blue then part by an amount that all shadows of a table share, whatever they fall on: its
*tint*. It cannot be told from one figure's surroundings, and is sharply known from those of a few: what is
darker there than the lit mat must be its shadow for the right tint. Two lamps of two colours leave two
tints, and both are believed.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable

import numpy as np

from vision.arrays import Floats
from vision.colour.mixture import Mixture
from vision.measuring.materials import chosen

# Tints that are tried, what is believed of them before anything was seen (mean, sd), and how a tint parts
# red and blue: along the colours of lamps and skies.
TINTS = np.arange(-3, 10) * 0.1
_BELIEF = (0.15, 0.3)
_PARTED = np.array([-0.75, 0.0, 0.9])
# The light of which no lamp is part, in the middle of a shadow, over all of the light.
_AMBIENT = 0.3
# How much of the lamp is left from the rim of a shadow to its middle, and how much darker still it is
# (log) under the figure itself.
_LEFT, _UNDER = (0.7, 0.45, 0.2, 0.0), (0.4,)
# The likelihood of each of these, over the lit ground's.
_SHARE = 0.08
# How far shadows scatter in hue: lit ground, how much more the darker they are, and how much with the light
# that a figure throws back, whose hue is as far from the ground's as said last; and how far in light.
_HUE_SD, _PURE, _TINGED, _OTHER_HUE = 0.012, 0.02, 0.08, 0.5
_LIGHT_SD = 0.12
# A ground that is less than this share of the surroundings throws no shadows worth modelling, and less than
# that teaches no tint.
_LEAST, _MAIN = 0.05, 0.15
# Pixels that no tint explains count at most so much (nats), and neighbouring pixels say the same: so many
# are one observation.
_WORST, _ALIKE = -4.0, 100.0
_NEGLIGIBLE = 0.04


class Shadows:
    """The tints of a table's shadows, learned from the surroundings of its figures."""

    def __init__(self) -> None:
        self._scores: dict[Hashable, Floats] = {}

    def learn(self, key: Hashable, points: Floats, ground: Mixture) -> None:
        """Learn from pixels (N, 3) that are no figure, on a ground of these materials, once for every key.

        Materials that are seldom among them say nothing.
        """
        main = ground.weights >= _MAIN
        if not main.any():
            return
        lit = chosen(ground, main)
        likely = [_shadowed(lit, [(tint, 1.0)], _PURE).log_likelihood(points) for tint in TINTS.tolist()]
        self._scores[key] = np.array([np.maximum(one, _WORST).sum() for one in likely]) / _ALIKE

    def tints(self) -> list[tuple[float, float]]:
        """The tints that are believed, each with its share."""
        mean, sd = _BELIEF
        scores = np.sum([-0.5 * ((TINTS - mean) / sd) ** 2, *self._scores.values()], axis=0)
        shares = np.exp(scores - scores.max())
        shares[shares < _NEGLIGIBLE * shares.sum()] = 0.0
        believed = zip(TINTS.tolist(), (shares / shares.sum()).tolist(), strict=True)
        return [(tint, share) for tint, share in believed if share > 0]

    def on(self, ground: Mixture, hue_gap: float) -> Mixture:
        """A lit ground with the shadows on it of a figure whose hue is so far from the ground's."""
        reflected = min(hue_gap / _OTHER_HUE, 1.0)
        return _shadowed(ground, self.tints(), _PURE + reflected * (_TINGED - _PURE))

    def steps(self) -> Floats:
        """What the likeliest shadow takes from a ground's features, (K, 3) from its rim to under a figure."""
        return _steps(max(self.tints(), key=lambda one: one[1])[0])


def _steps(tint: float) -> Floats:
    ambient = np.minimum(_AMBIENT * np.exp(_PARTED * tint), 0.95)
    logs = np.log(ambient + (1 - ambient) * np.array(_LEFT)[:, None])
    steps = np.column_stack([logs[:, 0] - logs[:, 1], logs[:, 2] - logs[:, 1], logs.mean(axis=1)])
    return np.concatenate([steps, [steps[-1] - [0.0, 0.0, under] for under in _UNDER]])


def _shadowed(ground: Mixture, tints: Iterable[tuple[float, float]], slope: float) -> Mixture:
    """A ground, lit, a little darker beside things, and in shadows of these tints."""
    large = chosen(ground, ground.weights >= _LEAST) if (ground.weights >= _LEAST).any() else ground
    means = [ground.means, ground.means - [0.0, 0.0, 0.2]]
    beside = np.diag([0.0, 0.0, 0.1**2])
    covariances = [ground.covariances, ground.covariances + beside]
    weights = [ground.weights, _SHARE * ground.weights]
    for tint, share in tints:
        for step in _steps(tint):
            hue = _HUE_SD - slope * step[2]
            means.append(large.means + step)
            covariances.append(large.covariances + np.diag([hue**2, hue**2, _LIGHT_SD**2]))
            weights.append(_SHARE * share * large.weights)
    total = np.concatenate(weights)
    return Mixture(np.concatenate(means), np.concatenate(covariances), total / total.sum())
