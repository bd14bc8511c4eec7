"""Plasticine wrestlers on two legs, in units of their height, front along +x: build, stance, arms, head."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from datasets.render.clay import Clay
from datasets.render.meshes import Array

_HIP, _SHOULDER = 0.4, 0.68


def humanoid(rng: np.random.Generator) -> Clay:
    """A wrestler: slim to stout, upright to hunched, in one of several poses."""
    clay, u = Clay(), rng.uniform
    girth, lean = u(0.8, 1.45), u(-0.01, 0.1)
    wide, deep = 0.105 * girth, 0.075 * girth
    hip, chest = np.array([0.0, 0.0, _HIP]), np.array([lean, 0.0, _SHOULDER - 0.05])
    clay.lump((hip + chest) / 2 + (0.02 * girth, 0, -0.02), (deep * 1.1, wide * 0.95, 0.15))
    clay.lump(chest, (deep * 1.05, wide * 1.2, 0.1))
    clay.lump(hip, (deep, wide, 0.08))
    if rng.random() < 0.4:
        clay.lump(hip + (0.0, 0.0, 0.04), (deep * 1.12, wide * 1.1, 0.03), tint=1)
    _legs(clay, rng, hip, wide, girth)
    pose = _ARMS[int(rng.integers(len(_ARMS)))]
    for side in (-1.0, 1.0):
        _arm(clay, chest + (0.0, side * wide * 1.15, 0.03), pose(rng, side), u(0.042, 0.055) * girth**0.5)
    _head(clay, rng, chest + (0.03, 0.0, 0.15))
    return clay


def _legs(clay: Clay, rng: np.random.Generator, hip: Array, wide: float, girth: float) -> None:
    u = rng.uniform
    stance, thick = u(0.085, 0.16), u(0.055, 0.07) * girth**0.5
    stride = u(-0.07, 0.07)
    for side in (-1.0, 1.0):
        foot = np.array([side * stride, side * stance, 0.06])
        knee = (hip + foot) / 2 + (u(0.01, 0.05), side * u(0.0, 0.03), 0.0)
        clay.roll(hip + (0.0, side * wide * 0.55, -0.02), knee, thick * 1.25, thick)
        clay.roll(knee, foot, thick, thick * 0.9)
        toe = foot + (u(0.05, 0.09), side * u(0.0, 0.03), -0.015)
        clay.roll(foot + (-0.02, 0.0, -0.015), toe, 0.05, 0.045, tint=1 if girth > 1.2 else 0)


def _flexed(rng: np.random.Generator, side: float) -> tuple[Array, Array]:
    return np.array([0.0, side * 0.13, 0.02]), np.array([0.02, side * 0.02, 0.15])


def _raised(rng: np.random.Generator, side: float) -> tuple[Array, Array]:
    return np.array([rng.uniform(0, 0.05), side * 0.1, 0.1]), np.array(
        [0.0, side * rng.uniform(0, 0.06), 0.14]
    )


def _grappling(rng: np.random.Generator, side: float) -> tuple[Array, Array]:
    return np.array([0.07, side * 0.08, -0.07]), np.array([0.13, -side * 0.02, rng.uniform(-0.01, 0.08)])


def _hanging(rng: np.random.Generator, side: float) -> tuple[Array, Array]:
    return np.array([0.0, side * 0.07, -0.13]), np.array([0.06, side * 0.01, -0.12])


def _akimbo(rng: np.random.Generator, side: float) -> tuple[Array, Array]:
    return np.array([-0.03, side * 0.11, -0.11]), np.array([0.05, -side * 0.07, -0.08])


def _mixed(rng: np.random.Generator, side: float) -> tuple[Array, Array]:
    return (_flexed if side > 0 else _grappling)(rng, side)


_ARMS: tuple[Callable[[np.random.Generator, float], tuple[Array, Array]], ...] = (
    _flexed, _raised, _grappling, _hanging, _akimbo, _mixed,
)  # fmt: skip


def _arm(clay: Clay, shoulder: Array, bones: tuple[Array, Array], thick: float) -> None:
    elbow = shoulder + bones[0]
    hand = elbow + bones[1]
    clay.lump(shoulder, thick * 1.25)
    clay.roll(shoulder, elbow, thick * 1.1, thick * 0.85)
    clay.roll(elbow, hand, thick * 0.9, thick * 0.75)
    clay.lump(hand, thick * 1.05)


def _head(clay: Clay, rng: np.random.Generator, middle: Array) -> None:
    u = rng.uniform
    size = u(0.085, 0.115)
    clay.roll(middle - (0.02, 0.0, 0.12), middle, 0.05, 0.05)
    clay.lump(middle, (size, size * u(0.85, 1.0), size * u(1.0, 1.2)))
    face = middle + (0.92 * size, 0.0, 0.0)
    clay.lump(face + (0.0, 0.0, -0.01), (0.025, 0.02, 0.025))
    for side in (-1.0, 1.0):
        clay.lump(middle + (0.8 * size, side * 0.42 * size, 0.3 * size), 0.018, tint=2)
    kind = rng.integers(4)
    if kind == 0:
        for side in (-1.0, 1.0):
            horn = middle + (0.0, side * 0.7 * size, 0.7 * size)
            clay.roll(horn, horn + (0.0, side * 0.05, 0.08), 0.035, 0.02)
    elif kind == 1:
        clay.lump(middle + (-0.01, 0.0, 0.85 * size), (size * 1.15, size * 1.15, 0.03), tint=1)
    elif kind == 2:
        clay.lump(middle + (-0.02, 0.0, size), (size * 0.9, 0.025, 0.05), tint=1)
