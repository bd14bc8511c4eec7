"""The learned prior: what one upright silhouette, the facing and the class tell of a figure.

A small convolutional network in plain numpy. Its weights (`weights.npz`, half precision) were trained on
modelled figures of many makers by `datasets.train_shape`; the command stands in the file, under `made`.
It answers with means and covariances, not with points: what cannot be told from one side, it says so.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from vision.fighters import FighterClass
from vision.shape.layers import conv, doubled, read_weights, relu

Array = NDArray[np.float64]
Picture = NDArray[np.float32]

# Directions of the support function, anticlockwise from `away` to `across`.
DIRECTIONS = 32
# Parts of the circle between which it is told how far a figure has turned.
TURNS = 48
# Cells a side, and layers over the height, of the solid.
SOLID_CELLS, LAYERS = 24, 12
_KINDS = ("humanoid", "beast", "absurd")
_SUPPORT = slice(5, 5 + DIRECTIONS)
_SPREAD = slice(5 + DIRECTIONS, 5 + 2 * DIRECTIONS)
# As in training.
_LEAST_SD, _SD_START, _SKEW = 0.004, 3.0, 0.1


@dataclass(frozen=True, eq=False)
class Run:
    """What one run of the network was told (C,), what it made of it (H,), and its raw answers; for
    `vision.shape.pairs`."""

    told: Picture
    hidden: Picture
    answer: Array

    @property
    def sole(self) -> Array:
        """The sole's middle (2,) by this run alone."""
        return self.answer[:2]

    @property
    def root(self) -> Array:
        """The lower root (2, 2) of the covariance that it gives its sole."""
        return root_of_middle(self.answer)

    @property
    def seen(self) -> Picture:
        """A look as the parts of the network want it that compare two."""
        return np.concatenate([self.hidden, self.told, self.answer[:5].astype(np.float32)])


@dataclass(frozen=True, eq=False)
class Guess:
    """What is believed of a figure from one silhouette, lengths in heights, axes away and across the view.

    `sole` (2,) is the sole's middle from the stand's middle and `sole_root` (2, 2) a lower root of its
    covariance; `support` (DIRECTIONS,) is how far the plan view reaches from the stand's middle, with its
    `support_sd`; `solid` (LAYERS, SOLID_CELLS, SOLID_CELLS) are log odds of clay, rows along away, columns
    along across. `runs` are those on the picture and on its mirror image.
    """

    sole: Array
    sole_root: Array
    support: Array
    support_sd: Array
    solid: Picture
    runs: tuple[Run, Run]


def conditions(tilt: float, distance: float, azimuth: float | None, kind: FighterClass | None) -> Picture:
    """What the network is told beside the picture: `azimuth` (rad) of the front from `away` to `across`."""
    known = azimuth is not None
    angle = azimuth or 0.0
    facing = [known * f(m * angle) for m in (1, 2) for f in (np.cos, np.sin)]
    view = [float(known), np.sin(tilt), np.cos(tilt), 10 / distance]
    return np.array([*facing, *view, *(float(kind == k) for k in _KINDS)], np.float32)


def guess(
    picture: Picture, tilt: float, distance: float, azimuth: float | None, kind: FighterClass | None = None
) -> Guess:
    """What is believed of the figure in an upright picture (CELLS, CELLS).

    The mean of the picture and of its mirror image: a figure seen in a mirror is as probable.
    """
    flipped = None if azimuth is None else -azimuth
    plain, solid = _run(picture, conditions(tilt, distance, azimuth, kind))
    mirror, mirror_solid = _run(picture[:, ::-1], conditions(tilt, distance, flipped, kind))
    support, support_sd = (
        (plain.answer[part] + np.roll(mirror.answer[part][::-1], 1)) / 2 for part in (_SUPPORT, _SPREAD)
    )
    return Guess(
        (plain.sole + mirror.sole * [1, -1]) / 2,
        (plain.root + mirror.root * [[1, 1], [-1, 1]]) / 2,
        support,
        _sd(support_sd),
        np.asarray((solid + mirror_solid[..., ::-1]) / 2, np.float32),
        (plain, mirror),
    )


def compared(head: str, both: Picture) -> Array:
    """What the part of the network called `head` answers about two looks."""
    w = _weights()
    for layer in ("1", "2"):
        both = relu(w[f"{head}{layer}.weight"] @ both + w[f"{head}{layer}.bias"])
    return np.asarray(w[f"{head}3.weight"] @ both + w[f"{head}3.bias"], np.float64)


def root_of_middle(answer: Array) -> Array:
    """The lower root (2, 2) of the covariance that raw answers give the middle that they begin with."""
    first, second = _sd(answer[2:4])
    return np.array([[first, 0.0], [_SKEW * answer[4] * second, second]])


def log_share(raw: Array) -> Array:
    """Log odds (N,) as log probabilities."""
    return np.asarray(raw - np.logaddexp.reduce(raw))


def _sd(raw: Array) -> Array:
    return np.asarray(_LEAST_SD + np.logaddexp(0.0, raw - _SD_START))


def _run(picture: Picture, told: Picture) -> tuple[Run, Picture]:
    """The answers and log odds of the solid."""
    w = _weights()
    one = relu(conv(picture[None], w["conv1.weight"], w["conv1.bias"], 3))
    planes = np.broadcast_to(told[:, None, None], (len(told), *one.shape[1:]))
    two = relu(conv(np.concatenate([one, planes]), w["conv2.weight"], w["conv2.bias"], 2))
    three = relu(conv(two, w["conv3.weight"], w["conv3.bias"], 1))
    four = relu(conv(three, w["conv4.weight"], w["conv4.bias"], 2))
    hidden = relu(w["hidden.weight"] @ np.concatenate([four.ravel(), told]) + w["hidden.bias"])
    answer = np.asarray(w["answer.weight"] @ hidden + w["answer.bias"], np.float64)
    up = relu(conv(np.concatenate([doubled(four), three]), w["up1.weight"], w["up1.bias"], 1))
    up = relu(conv(np.concatenate([doubled(up), one]), w["up2.weight"], w["up2.bias"], 1))
    return Run(told, hidden, answer), conv(up, w["layers.weight"], w["layers.bias"], 1)


def ready() -> None:
    """Read what was learned, before anything waits for it. Raises ShapeError."""
    _weights()


@cache
def _weights() -> dict[str, Picture]:
    return read_weights(files(__package__) / "weights.npz")
