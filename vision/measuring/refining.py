"""The learned refinement of a matte: what local colour models say of a crop is read once more as a whole.

A small convolutional network in plain numpy (a U-Net: Ronneberger, Fischer & Brox, MICCAI 2015) corrects the
log odds of the classical matte. White on cream, a shadow under a chin and legs behind ropes cannot be told by
colour alone, but by what figures look like. Its weights (`matte_weights.npz`, half precision) were trained on
rendered figures of many makers by `datasets.train_matte`; the command stands in the file, under `made`.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

import numpy as np

from vision.shape.layers import Planes, conv, doubled, read_weights, relu

# Planes of a crop, see `vision.measuring.matte.Reading.planes`.
PLANES = 14
# Log odds beyond which the classical matte is sure.
MOST_LOG_ODDS = 6.0
# The network looks at the crop in resolutions down to one over this.
COARSEST = 8


def log_odds(share: Planes) -> Planes:
    """Shares 0-1 (any shape) as log odds, cut off at MOST_LOG_ODDS."""
    least = 1 / (1 + np.exp(MOST_LOG_ODDS))
    kept = np.clip(share, least, 1 - least)
    return np.asarray(np.log(kept / (1 - kept)), np.float32)


def refined(planes: Planes, alpha: Planes) -> Planes:
    """The log odds (H, W) that a pixel is the figure's, from a crop's planes (PLANES, H, W) and its matte."""
    height, width = alpha.shape
    framed = np.pad(planes, ((0, 0), (0, -height % COARSEST), (0, -width % COARSEST)))
    return log_odds(alpha) + _correction(framed)[:height, :width]


def ready() -> None:
    """Read what was learned, before anything waits for it. Raises ShapeError."""
    _weights()


def _correction(planes: Planes) -> Planes:
    """What is added to the log odds (H, W); H and W are multiples of COARSEST."""
    here = _layer("full", planes)
    half = _layer("half2", _layer("half1", here, 2))
    quarter = _layer("quarter2", _layer("quarter1", half, 2))
    eighth = _layer("eighth3", _layer("eighth2", _layer("eighth1", quarter, 2)))
    up = _layer("up1", np.concatenate([doubled(eighth), quarter]))
    up = _layer("up2", np.concatenate([doubled(up), half]))
    up = _layer("up3", np.concatenate([doubled(up), here]))
    return np.asarray(_conv("out", up)[0])


def _layer(name: str, planes: Planes, stride: int = 1) -> Planes:
    return relu(_conv(name, planes, stride))


def _conv(name: str, planes: Planes, stride: int = 1) -> Planes:
    w = _weights()
    return conv(planes, w[f"{name}.weight"], w[f"{name}.bias"], stride)


@cache
def _weights() -> dict[str, Planes]:
    return read_weights(files(__package__) / "matte_weights.npz")
