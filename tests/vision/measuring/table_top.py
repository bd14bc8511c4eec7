"""Crops of a figure on a mat under a warm lamp and a cool sky, with exact truth: what a matte has to cut."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.colour.space import levels

SHAPE, FINER = (90, 110), 4
# Linear light in B, G, R that falls on the mat: of the sky, and of the lamp where nothing hides it.
SKY, LAMP = np.array([0.34, 0.26, 0.20]), np.array([0.42, 0.60, 0.72])
MAT = np.array([0.45, 0.52, 0.58])
_ROWS, _COLUMNS = (
    (places + 0.5) / FINER - 0.5 for places in np.indices((SHAPE[0] * FINER, SHAPE[1] * FINER)).astype(float)
)
BODY = np.hypot((_ROWS - 45.3) / 1.4, _COLUMNS - 55.2) < 15
HAT = np.hypot((_ROWS - 25) / 0.8, _COLUMNS - 55.2) < 11
SHADOW = ((_ROWS - 64) / 11) ** 2 + ((_COLUMNS - 76) / 19) ** 2


@dataclass(frozen=True, eq=False)
class Seen:
    """An averaged crop (H, W, 3), 0-255, the figure's true share of its pixels (H, W), where its colour was
    seen (H, W), and where its shadow is and the figure is not."""

    mean: np.ndarray
    truth: np.ndarray
    support: np.ndarray
    shadow: np.ndarray

    @property
    def inside(self):
        return self.truth > 0.5


def seen(figure, *, hat=None, mat=MAT, table_saw_shadow=False, lens_px=0.6, seed=0):
    """A figure of an albedo (B, G, R) that throws a shadow, perhaps with a hat of another."""
    lamp = np.clip(4 * (SHADOW - 0.8), 0, 1)[..., None]
    light = np.asarray(mat) * (SKY + lamp * LAMP)
    shade = (0.25 + 0.75 * np.clip((75 - _COLUMNS) / 40, 0, 1))[..., None]
    solid = BODY | HAT if hat is not None else BODY
    for part, albedo in ((BODY, figure), (HAT, hat)):
        if albedo is not None:
            light = np.where(part[..., None], np.asarray(albedo) * (SKY + shade * LAMP), light)
    mean = levels(cv2.GaussianBlur(_coarse(light), (0, 0), lens_px))
    mean += np.random.default_rng(seed).normal(0, 0.8, mean.shape)
    truth = cv2.GaussianBlur(_coarse(solid), (0, 0), lens_px)
    shadow = (_coarse(SHADOW < 0.9) > 0.9) & (truth < 0.05)
    support = (_coarse(BODY) > 0.6) | (shadow if table_saw_shadow else False)
    return Seen(mean.astype(np.float32), truth.astype(np.float32), support.astype(np.float32), shadow)


def _coarse(fine):
    """The mean of the FINER x FINER rays of every pixel."""
    size = (SHAPE[1], SHAPE[0])
    return np.asarray(cv2.resize(fine.astype(np.float64), size, interpolation=cv2.INTER_AREA))
