"""The compiled colours: one label per BGR565 colour, and its remapping when the light changes.

Label 0 is nobody; labels 1.. are the taught fighters in order (of those of one colour, the first); MAT is
what can only be the bare mat, SKIN what was thought to be a fighter's colour until a hand showed that it is
skin.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.arrays import Bytes, Floats, Image, as_bytes
from vision.colour.mixture import Mixture, by_shading
from vision.colour.models import LOG_PRIOR, REJECT_SD
from vision.colour.space import COLOURS_565, centres_565, codes_565, features, levels, linear
from vision.colour.teaching import Palette

Labels = Bytes

MAT = 255
SKIN = 254
# A colour closer to the mat's than this (in sd), shadows included, is the mat's.
_MAT_SD = 3.0
# The share of its own colour that a fighter gives up to the skin of a hand.
_YIELDS_TO_SKIN = 0.03
# What a step of 565 and the picture's noise add to a colour's spread.
_BLUR = 0.03


class ColourTable:
    """The label table of a palette: `labels` (65536,) for the present light."""

    def __init__(self, palette: Palette) -> None:
        self._points = features(centres_565())
        self._fighters = [taught.model.blurred(_BLUR) for taught in palette.fighters]
        self._samples = [taught.sample for taught in palette.fighters]
        self._scores = np.stack(
            [
                self._score(model, self._points) - taught.margin
                for model, taught in zip(self._fighters, palette.fighters, strict=True)
            ]
        )
        # Of fighters who share a label the first one has all colours.
        for number, label in enumerate(palette.labels):
            self._scores[label - 1] = np.maximum(self._scores[label - 1], self._scores[number])
        # Blurred like the rest: else what lies between two narrow clusters of a smooth ground is a fighter's.
        ground = palette.background.blurred(_BLUR).log_likelihood(self._points)
        best = self._scores.max(axis=0, initial=-np.inf)
        self._bare = as_bytes(np.where(best > ground, self._scores.argmax(axis=0) + 1, 0))
        mat = palette.mat.blurred(_BLUR).nearest(self._points) < _MAT_SD
        self._bare[(self._bare == 0) & mat] = MAT
        self._taught = self._bare
        self._gain = np.ones(3)
        self.labels = self._taught

    def follow(self, gain: Floats) -> None:
        """Adapt to a light whose linear BGR gains (3,) over the taught light are `gain`."""
        self._gain = gain.copy()
        self.labels = remap_table(self._taught, gain)

    def teach_skin(self, pixels: Floats) -> None:
        """Learn a hand's colour from its pixels (N, 3) BGR, seen under the present light.

        No fighter loses more than a few percent of its own colour to the skin: plasticine of the colour of
        skin stays a fighter, and place and size must tell it from a hand.
        """
        light = levels(linear(pixels) / self._gain)
        skin = by_shading(features(light)).blurred(_BLUR)
        labels = self._bare.copy()
        for number, (model, sample) in enumerate(zip(self._fighters, self._samples, strict=True), start=1):
            lead = model.log_likelihood(sample) - skin.log_likelihood(sample)
            yields = min(0.0, float(np.quantile(lead, _YIELDS_TO_SKIN)))
            mine = np.flatnonzero(labels == number)
            score = self._score(skin, self._points[mine])
            labels[mine[self._scores[number - 1, mine] - score < yields]] = SKIN
        self._taught = labels
        self.follow(self._gain)

    @staticmethod
    def _score(model: Mixture, points: Floats) -> Floats:
        score = model.log_likelihood(points) + LOG_PRIOR
        score[model.nearest(points) > REJECT_SD] = -np.inf
        return score


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
