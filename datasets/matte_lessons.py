"""What the matte is taught with: crops with exact silhouettes, and how its network sees them.

The crops are rendered by `datasets.matte_samples`; here they are kept, changed by lot and read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.colour.space import levels, linear
from vision.measuring.matte import Crop, MatteError
from vision.measuring.shadows import Shadows

Float = NDArray[np.float32]
Mask = NDArray[np.bool_]

# What is changed by lot, and how often: light, noise, ropes in front, hats, and what the colour table saw.
_GAIN_SD, _WHITE_SD, _NOISE, _BLUR_PX = 0.2, 0.06, 1.5, 0.7
_MORE_ROPES, _MORE_HATS, _UNSEEN, _MISTAKEN = 0.35, 0.6, 0.3, 0.3
_ROPES_APART_PX = 12.0


@dataclass(frozen=True, eq=False)
class Sample:
    """A crop: what is seen of it (as in `Fragment`), `unknown` (H, W) furniture and the `exact` share (H, W)
    of each pixel that is its figure."""

    mean: Float
    support: Float
    unknown: Mask
    others: Mask
    exact: Float


@dataclass(frozen=True, eq=False)
class Lesson:
    """A crop as the network sees it: `planes` (PLANES, H, W), the classical and the exact matte (H, W)."""

    planes: NDArray[np.float16]
    alpha: Float
    exact: Float


def save(found: Sequence[Sample], path: Path) -> None:
    """Keep the crops of one still."""
    arrays: dict[str, NDArray[np.generic]] = {}
    for number, one in enumerate(found):
        arrays[f"mean{number}"] = one.mean.astype(np.float16)
        arrays[f"support{number}"] = one.support.astype(np.float16)
        arrays[f"masks{number}"] = np.stack([one.unknown, one.others])
        arrays[f"exact{number}"] = np.round(255 * one.exact).astype(np.uint8)
    unfinished = path.with_suffix(".part.npz")
    np.savez_compressed(unfinished, count=np.array(len(found)), **dict[str, Any](arrays))
    unfinished.replace(path)


def load(path: Path) -> list[Sample]:
    """The crops of one still."""
    with np.load(path) as kept:
        return [_kept(kept, number) for number in range(int(kept["count"]))]


def _kept(kept: Mapping[str, NDArray[np.generic]], number: int) -> Sample:
    mean, support, exact = (
        np.asarray(kept[f"{name}{number}"], np.float32) for name in ("mean", "support", "exact")
    )
    unknown, others = np.asarray(kept[f"masks{number}"], np.bool_)
    return Sample(mean, support, unknown, others, exact / np.float32(255))


def lessons(found: Sequence[Sample], rng: np.random.Generator | None = None) -> list[Lesson]:
    """The crops of a still as the network sees them: as they are, or changed by lot."""
    if rng is not None:
        light = np.exp(rng.normal(0, _GAIN_SD) + rng.normal(0, _WHITE_SD, 3))
        found = [_changed(one, light, rng) for one in found]
    shadows, crops = Shadows(), list[tuple[Crop, Sample]]()
    for number, one in enumerate(found):
        try:
            crop = Crop(one.mean, one.support, one.unknown, one.others)
        except MatteError:
            continue
        crop.teach(shadows, number)
        crops.append((crop, one))
    read = ((crop.read(shadows), one) for crop, one in crops)
    return [Lesson(r.planes.astype(np.float16), r.alpha, one.exact) for r, one in read]


def _changed(one: Sample, light: NDArray[np.float64], rng: np.random.Generator) -> Sample:
    """A crop in other light, with more noise, other luck of the colour table, perhaps a hat and ropes."""
    mean = np.asarray(levels(linear(one.mean) * light), np.float32)
    if rng.random() < 0.5:
        mean = np.asarray(cv2.GaussianBlur(mean, (0, 0), rng.uniform(0.2, _BLUR_PX)), np.float32)
    mean = np.clip(mean + rng.normal(0, rng.uniform(0, _NOISE), mean.shape), 0, 255).astype(np.float32)
    support, patch = one.support.copy(), _cloud(one.support.shape, rng)
    if rng.random() < _UNSEEN:
        support[patch > rng.uniform(0.8, 1.6)] *= np.float32(rng.uniform(0, 0.6))
    if rng.random() < _MISTAKEN:
        beside = cv2.dilate((one.exact > 0.5).astype(np.uint8), np.ones((15, 15))) > 0
        taken = beside & (patch < -rng.uniform(0.8, 1.6))
        support[taken] = np.maximum(support[taken], np.float32(rng.uniform(0.2, 1.0)))
    changed = replace(one, mean=mean, support=support)
    if rng.random() < _MORE_HATS:
        changed = _hatted(changed, rng)
    return _roped(changed, rng) if rng.random() < _MORE_ROPES else changed


def _hatted(one: Sample, rng: np.random.Generator) -> Sample:
    """A crop whose figure is of another colour on one side, mostly on top, which the table was not taught."""
    v, u = np.indices(one.exact.shape)
    angle = -np.pi / 2 if rng.random() < 0.6 else rng.uniform(-np.pi, np.pi)
    along, inside = u * np.cos(angle) + v * np.sin(angle), one.exact > 0.5
    hat = along > np.quantile(along[inside], rng.uniform(0.6, 0.95))
    light = linear(one.mean)
    own = np.median(light[hat & inside], axis=0) + 0.01
    grey = rng.choice([0.02, 0.1, 0.7])
    colour = np.full(3, grey) if rng.random() < 0.5 else np.exp(rng.uniform(-3.5, -0.4, 3))
    share = (one.exact * hat)[..., None]
    # a saturated figure's darkest channel is mostly noise
    shade = np.clip(light / own, 0, 2).mean(axis=-1, keepdims=True)
    mean = np.asarray(levels(light + share * (shade * colour - light)), np.float32)
    support = np.where(hat & inside, np.float32(rng.uniform(0, 0.2)) * one.support, one.support)
    return replace(one, mean=mean, support=support)


def _roped(one: Sample, rng: np.random.Generator) -> Sample:
    """A crop with ropes in front of its figure, as they run on the near side."""
    mean, unknown = one.mean.copy(), one.unknown.astype(np.uint8)
    inside = np.argwhere(one.exact > 0.5)
    v, u = inside[rng.integers(len(inside))]
    slope, far = rng.uniform(-0.4, 0.4), float(sum(mean.shape))
    colour, thick = rng.uniform(20, 230, 3).tolist(), int(rng.integers(1, 5))
    for number in range(int(rng.integers(1, 4))):
        left, right = (
            (round(u + side * far), round(v + side * far * slope + _ROPES_APART_PX * number))
            for side in (-1, 1)
        )
        cv2.line(mean, left, right, colour, thick, cv2.LINE_AA)
        cv2.line(unknown, left, right, (1.0,), thick + 3)
    support = np.where(unknown > 0, np.float32(0), one.support)
    return replace(one, mean=mean, support=support, unknown=unknown > 0)


def _cloud(shape: tuple[int, ...], rng: np.random.Generator) -> Float:
    """Smooth noise (H, W) of unit variance."""
    noise = cv2.GaussianBlur(rng.normal(size=shape).astype(np.float32), (0, 0), rng.uniform(3, 9))
    return np.asarray(noise / noise.std(), np.float32)
