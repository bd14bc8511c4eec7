"""Figures that fell, by experience: whether a figure lies, where it then is, and where its head points.

A small convolutional network in plain numpy looks at the figure as it stood, when it was seen so, and as it
is now: silhouettes and what their shading tells. Its weights (`fallen_weights.npz`, half precision) were
trained on modelled figures of many makers that fell over any side by `datasets.train_fall`; the command
stands in the file, under `made`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from vision.shape.layers import conv, read_weights, relu
from vision.shape.look import ANGLES, Look
from vision.shape.network import DIRECTIONS, conditions, log_share, root_of_middle
from vision.shape.upright import CELLS

Array = NDArray[np.float64]
Picture = NDArray[np.float32]

# Parts of the circle between which it is told where a head points.
HEADS = 24
_SUPPORT = slice(5, 5 + DIRECTIONS)
_HEAD = slice(5 + 2 * DIRECTIONS, 5 + 2 * DIRECTIONS + HEADS)
_STRIDES = (3, 2, 1, 2)


@dataclass(frozen=True, eq=False)
class Fallen:
    """What is believed of a figure in a look: `odds`, the log odds that it lies when half of all do, `shown`,
    how large it is there beside how large it was as it stood (1 when it was not seen so), and how it lies if
    it does.

    `xy` (2,) is the middle of its plan view's bounding box in ring cm with a `covariance`; `reach`
    (DIRECTIONS,) how far that view reaches from it, anticlockwise from the ring's x, in cm; `head` (HEADS,)
    log probabilities of where its head points, evenly spaced from the ring's x on."""

    odds: float
    shown: float
    xy: Array
    covariance: Array
    reach: Array
    head: Array


def fallen(before: Look | None, facing: float, after: Look) -> Fallen:
    """What is believed of a figure that stood in the look `before`, where it was seen, facing so (rad)."""
    plain = _answer(before, facing, after, mirrored=False)
    mirror = _answer(before, facing, after, mirrored=True)
    stand = after.stand
    cm, axes = stand.height_cm, stand.axes
    middle = (plain[:2] + mirror[:2] * [1, -1]) / 2
    root = (root_of_middle(plain) + root_of_middle(mirror) * [[1, 1], [-1, 1]]) / 2
    root = cm * axes @ root
    support = (plain[_SUPPORT] + np.roll(mirror[_SUPPORT][::-1], 1)) / 2
    about = support - np.column_stack([np.cos(ANGLES), np.sin(ANGLES)]) @ middle
    away = float(np.arctan2(stand.away[1], stand.away[0]))
    head = log_share((plain[_HEAD] + mirror[_HEAD][-np.arange(HEADS)]) / 2)
    heads = 2 * np.pi * np.arange(HEADS) / HEADS
    return Fallen(
        float(plain[-1] + mirror[-1]) / 2,
        1.0 if before is None else float(after.picture.sum() / max(float(before.picture.sum()), 1.0)),
        stand.middle + cm * axes @ middle,
        root @ root.T,
        cm * np.interp(ANGLES - away, ANGLES, about, period=2 * np.pi),
        log_share(np.interp(heads - away, heads, head, period=2 * np.pi)),
    )


def _answer(before: Look | None, facing: float, after: Look, *, mirrored: bool) -> Array:
    """The raw answers of one run, for the pictures or for their mirror images."""
    w = _weights()
    looks = [_before(before, facing, mirrored=mirrored), (after, None)]
    seen = np.concatenate([part for look, azimuth in looks for part in _seen(look, azimuth, mirrored)])
    for layer in ("1", "2"):
        seen = relu(w[f"both{layer}.weight"] @ seen + w[f"both{layer}.bias"])
    return np.asarray(w["both3.weight"] @ seen + w["both3.bias"], np.float64)


def _before(before: Look | None, facing: float, *, mirrored: bool) -> tuple[Look | None, float | None]:
    if before is None:
        return None, None
    azimuth = before.azimuth(facing)
    return before, -azimuth if mirrored else azimuth


def _seen(look: Look | None, azimuth: float | None, mirrored: bool) -> tuple[Picture, Picture]:
    """What the network makes of one look, and what it is told with it."""
    w = _weights()
    if look is None:
        told = np.zeros(w["hidden.weight"].shape[1] - 36 * len(w["conv4.bias"]), np.float32)
        planes = np.zeros((2, CELLS, CELLS), np.float32)
    else:
        told = conditions(look.stand.tilt, look.stand.distance, azimuth, look.kind)
        planes = np.stack([look.picture, look.relief])
        planes = planes[..., ::-1] if mirrored else planes
    for number, stride in enumerate(_STRIDES, 1):
        planes = relu(conv(planes, w[f"conv{number}.weight"], w[f"conv{number}.bias"], stride))
    return relu(w["hidden.weight"] @ np.concatenate([planes.ravel(), told]) + w["hidden.bias"]), told


def ready() -> None:
    """Read what was learned, before anything waits for it. Raises ShapeError."""
    _weights()


@cache
def _weights() -> dict[str, Picture]:
    return read_weights(files(__package__) / "fallen_weights.npz")
