"""Plasticine things that wrestle, in units of about their height, front (the eyes) along +x."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np

from datasets.render.clay import Clay


def absurd(rng: np.random.Generator) -> Clay:
    """A mushroom, teapot, cactus, snail shell of balls, octopus, hand, or a heap of lumps."""
    clay = Clay()
    _THINGS[int(rng.integers(len(_THINGS)))](clay, rng)
    return clay


def _eyes(clay: Clay, x: float, apart: float, z: float, size: float = 0.04) -> None:
    for side in (-1.0, 1.0):
        clay.lump((x, side * apart, z), size, tint=2)


def _mushroom(clay: Clay, rng: np.random.Generator) -> None:
    u = rng.uniform
    clay.roll((0, 0, 0.16), (0, 0, 0.6), u(0.2, 0.26), 0.17)
    clay.lump((u(-0.05, 0.05), 0, 0.72), (u(0.36, 0.48), u(0.36, 0.48), 0.27), tint=0)
    for _ in range(6):
        angle, out = u(0, 2 * np.pi), u(0.1, 0.3)
        z = 0.72 + 0.27 * np.sqrt(1 - (out / 0.42) ** 2)
        clay.lump((out * np.cos(angle), out * np.sin(angle), z - 0.01), 0.06, tint=1)
    _eyes(clay, 0.19, 0.08, 0.42)
    for side in (-1.0, 1.0):
        clay.roll((0.02, side * 0.18, 0.38), (u(0.1, 0.3), side * u(0.3, 0.4), u(0.25, 0.5)), 0.06, 0.05)


def _teapot(clay: Clay, rng: np.random.Generator) -> None:
    u = rng.uniform
    clay.lump((0, 0, 0.4), (u(0.36, 0.44), u(0.34, 0.42), 0.4))
    clay.lump((0, 0, 0.82), (0.2, 0.2, 0.06), tint=1)
    clay.lump((0, 0, 0.93), 0.08, tint=1)
    clay.roll((0.28, 0, 0.35), (0.5, 0, 0.5), 0.13, 0.09)
    clay.roll((0.5, 0, 0.5), (0.62, 0, 0.74), 0.085, 0.065)
    handle = [(-0.36, 0.58), (-0.6, 0.55), (-0.64, 0.38), (-0.38, 0.24)]
    for (xa, za), (xb, zb) in itertools.pairwise(handle):
        clay.roll((xa, 0, za), (xb, 0, zb), 0.06, 0.06)
    _eyes(clay, 0.31, 0.17, 0.6)


def _cactus(clay: Clay, rng: np.random.Generator) -> None:
    u = rng.uniform
    clay.lump((0, 0, 0.14), (0.26, 0.26, 0.16), tint=1)
    clay.roll((0, 0, 0.2), (0, 0, 0.86), 0.17, 0.14)
    for side in (-1.0, 1.0):
        z, out = u(0.35, 0.55), u(0.24, 0.34)
        clay.roll((0, 0, z), (u(-0.05, 0.1), side * out, z + 0.03), 0.08, 0.085)
        clay.roll((0.02, side * out, z + 0.03), (0.02, side * out, z + u(0.18, 0.33)), 0.085, 0.07)
    clay.lump((u(0.0, 0.08), 0, 0.99), (0.08, 0.08, 0.05), tint=1)
    _eyes(clay, 0.155, 0.06, 0.68)


def _snowman(clay: Clay, rng: np.random.Generator) -> None:
    u = rng.uniform
    clay.lump((0, 0, 0.23), (0.29, 0.29, 0.25))
    clay.lump((u(-0.03, 0.03), 0, 0.58), 0.21)
    clay.lump((u(-0.02, 0.04), 0, 0.86), 0.15)
    clay.roll((0.12, 0, 0.87), (u(0.28, 0.38), 0, 0.85), 0.045, 0.02, tint=1)
    _eyes(clay, 0.13, 0.055, 0.93, 0.025)
    for side in (-1.0, 1.0):
        clay.roll((0, side * 0.17, 0.62), (u(-0.1, 0.25), side * u(0.38, 0.5), u(0.5, 0.85)), 0.05, 0.04)
    if rng.random() < 0.6:
        clay.roll((0, 0, 0.97), (0, 0, 1.15), 0.12, 0.11, tint=2)
        clay.lump((0, 0, 0.98), (0.2, 0.2, 0.03), tint=2)


def _octopus(clay: Clay, rng: np.random.Generator) -> None:
    u = rng.uniform
    clay.lump((0, 0, 0.68), (0.27, 0.27, 0.32))
    clay.lump((0, 0, 0.4), (0.22, 0.22, 0.14))
    count = int(rng.integers(5, 8))
    for i in range(count):
        angle = 2 * np.pi * (i + 0.5 + u(-0.15, 0.15)) / count
        way = np.array([np.cos(angle), np.sin(angle), 0.0])
        knee, tip = way * u(0.33, 0.42) + (0, 0, 0.16), way * u(0.5, 0.78) + (0, 0, 0.06)
        clay.roll(way * 0.12 + (0, 0, 0.4), knee, 0.1, 0.08)
        clay.roll(knee, tip, 0.08, 0.055)
    _eyes(clay, 0.24, 0.11, 0.72, 0.06)


def _fist(clay: Clay, rng: np.random.Generator) -> None:
    u = rng.uniform
    clay.lump((0, 0, 0.22), (0.24, 0.28, 0.24))
    clay.lump((0, 0, 0.48), (0.16, 0.26, 0.22))
    for i in range(4):
        y = -0.2 + 0.13 * i
        base = np.array([0.0, y, 0.6])
        joint = base + (u(-0.02, 0.05), 0.05 * (i - 1.5), u(0.12, 0.2))
        clay.roll(base, joint, 0.08, 0.07)
        clay.roll(joint, joint + (u(0.0, 0.15), 0.02 * (i - 1.5), u(0.02, 0.16)), 0.07, 0.06)
    clay.roll((0.05, 0.2, 0.4), (u(0.15, 0.3), 0.4, 0.55), 0.09, 0.075)
    _eyes(clay, 0.16, 0.1, 0.5, 0.045)


def _heap(clay: Clay, rng: np.random.Generator) -> None:
    u = rng.uniform
    clay.lump((0, 0, 0.2), (u(0.28, 0.4), u(0.28, 0.4), 0.22))
    top = np.array([0.0, 0.0, 0.3])
    for _ in range(int(rng.integers(2, 5))):
        top = top + (u(-0.12, 0.12), u(-0.12, 0.12), u(0.1, 0.22))
        clay.lump(top, rng.uniform(0.14, 0.27, 3))
    for _ in range(int(rng.integers(1, 4))):
        angle = u(0, 2 * np.pi)
        way = np.array([np.cos(angle), np.sin(angle), u(0.0, 0.8)])
        clay.roll(top, top + 0.42 * way / np.linalg.norm(way), 0.09, 0.06)
    clay.lump(top + (0.2, 0.0, 0.06), 0.1, tint=1)
    clay.lump(top + (0.28, 0.0, 0.08), 0.045, tint=2)


_THINGS: tuple[Callable[[Clay, np.random.Generator], None], ...] = (
    _mushroom, _teapot, _cactus, _snowman, _octopus, _fist, _heap,
)  # fmt: skip
