"""The compiled colours: one label per BGR565 colour, and its remapping when the light changes.

Label 0 is nobody; labels 1.. are the taught fighters in order; the skin, once seen, is the last label.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.arrays import Bytes, Floats, Image, as_bytes
from vision.colour_space import COLOURS_565, centres_565, codes_565, features, levels, linear
from vision.colours import REJECT_SD
from vision.mixture import Mixture

Labels = Bytes

# The share of pixels a fighter has a priori against the background: a figure is found or lost by this.
_LOG_PRIOR = -1.0


def quantisation_sd(centres: Floats) -> Floats:
    """The sd (N,) of a colour feature from the 565 steps at colours (N, 3): dark colours are coarse."""
    step = np.array([8.0, 4.0, 8.0]) / np.sqrt(12.0)
    slope = (linear(centres + 1.0) - linear(np.maximum(centres - 1.0, 0.0))) / 2.0 / (linear(centres) + 0.012)
    return np.asarray(np.sqrt(np.mean((slope * step) ** 2, axis=1)))


def compile_table(fighters: Sequence[Mixture], background: Mixture) -> Labels:
    """The (65536,) label table of taught fighters against the background."""
    points = features(centres_565())
    scores = [background.log_likelihood(points)]
    for model in fighters:
        blurred = model.blurred(0.03)
        score = blurred.log_likelihood(points) + _LOG_PRIOR
        score[blurred.nearest(points) > REJECT_SD] = -np.inf
        scores.append(score)
    return as_bytes(np.argmax(np.stack(scores), axis=0))


def remap_table(table: Labels, gain: Floats) -> Labels:
    """The table for a light whose linear BGR gains (3,) over the taught light are `gain`."""
    cube = table.reshape(32, 64, 32)
    index = []
    for steps, channel in ((32, 2), (64, 1), (32, 0)):
        centre = (np.arange(steps) + 0.5) * 256.0 / steps
        taught = levels(linear(centre) / gain[channel])
        index.append(np.clip((taught * steps / 256.0).astype(np.intp), 0, steps - 1))
    return np.ascontiguousarray(cube[np.ix_(*index)]).reshape(COLOURS_565)


def label_picture(bgr: Image, table: Labels) -> Labels:
    """The label (H, W) of every pixel: one conversion and one look-up."""
    return as_bytes(cv2.LUT(codes_565(bgr), table)).reshape(bgr.shape[:2])
