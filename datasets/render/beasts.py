"""Plasticine beasts in units of about their height, front along +x: dog, dragon, turtle, crab, cat, bird."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from datasets.render.clay import Clay
from datasets.render.meshes import Array


def beast(rng: np.random.Generator) -> Clay:
    """One of six animals, each of its own proportions."""
    clay = Clay()
    _ANIMALS[int(rng.integers(len(_ANIMALS)))](clay, rng)
    return clay


def _legs(clay: Clay, at: list[tuple[float, float]], top: float, thick: float, splay: float) -> None:
    for x, y in at:
        foot = np.array([x + 0.02, y + np.sign(y) * splay, 0.06])
        clay.roll((x, y * 0.8, top), foot, thick * 1.2, thick)
        clay.lump(foot + (0.03, 0.0, -0.01), (thick * 1.3, thick * 1.1, 0.05))


def _eyes(clay: Clay, head: Array, ahead: float, apart: float, up: float, size: float) -> None:
    for side in (-1.0, 1.0):
        clay.lump(head + (ahead, side * apart, up), size, tint=2)


def _dog(clay: Clay, rng: np.random.Generator) -> None:
    u = rng.uniform
    long, thick, back = u(0.36, 0.5), u(0.15, 0.21), u(0.5, 0.58)
    clay.roll((-long, 0, back), (long, 0, back + u(-0.02, 0.07)), thick * u(0.85, 1.05), thick)
    spread = thick * 0.85
    _legs(clay, [(x, y) for x in (-long * 0.9, long * 0.85) for y in (-spread, spread)], back, 0.075, 0.03)
    head = np.array([long + u(0.14, 0.22), u(-0.06, 0.06), back + u(0.18, 0.28)])
    clay.roll((long, 0, back + 0.03), head, thick * 0.7, 0.11)
    clay.lump(head, (0.16, 0.14, 0.14))
    clay.roll(head, head + (u(0.17, 0.26), 0, -0.05), 0.09, 0.065)
    clay.lump(head + (0.27, 0, -0.03), 0.045, tint=2)
    _eyes(clay, head, 0.11, 0.08, 0.07, 0.03)
    for side in (-1.0, 1.0):
        ear = head + (-0.03, side * 0.1, 0.09)
        clay.roll(ear, ear + (-0.03, side * u(0.02, 0.1), u(-0.1, 0.14)), 0.055, 0.035, tint=1)
    tail = np.array([-long - thick * 0.7, 0, back + 0.05])
    clay.roll(tail, tail + (-u(0.08, 0.3), u(-0.1, 0.1), u(0.05, 0.3)), 0.055, 0.035)


def _dragon(clay: Clay, rng: np.random.Generator) -> None:
    u = rng.uniform
    clay.lump((0, 0, 0.36), (0.3, 0.22, 0.24))
    points = [np.array(p) for p in ((0.2, 0, 0.5), (0.32, 0, 0.68), (0.36, u(-0.05, 0.05), 0.84))]
    for a, b, r in zip(points, points[1:], (0.12, 0.09), strict=False):
        clay.roll(a, b, r, r * 0.85)
    head = points[-1] + (0.03, 0, 0.02)
    clay.lump(head, (0.13, 0.1, 0.1))
    clay.roll(head, head + (0.2, 0, -0.04), 0.075, 0.055)
    _eyes(clay, head, 0.07, 0.07, 0.06, 0.027)
    bend = u(-0.3, 0.3)
    tail = [np.array(p) for p in ((-0.2, 0, 0.3), (-0.5, bend * 0.4, 0.14), (-0.78, bend, 0.09))]
    for a, b, r in zip(tail, tail[1:], (0.15, 0.09), strict=False):
        clay.roll(a, b, r, r * 0.6)
    for i in range(6):
        x = 0.2 - 0.13 * i
        z = 0.63 - 0.32 * max(0.0, (0.05 - x)) ** 0.8
        clay.lump((x, bend * max(0.0, -x - 0.2) * 0.6, z), (0.05, 0.025, 0.06), tint=1)
    _legs(clay, [(x, y) for x in (-0.16, 0.17) for y in (-0.17, 0.17)], 0.3, 0.09, 0.06)
    if rng.random() < 0.5:
        for side in (-1.0, 1.0):
            clay.lump((-0.05, side * 0.34, 0.6), (0.16, 0.2, 0.035), tint=1)


def _turtle(clay: Clay, rng: np.random.Generator) -> None:
    u = rng.uniform
    clay.lump((0, 0, 0.5), (u(0.5, 0.62), u(0.42, 0.52), u(0.4, 0.48)))
    clay.lump((0, 0, 0.36), (0.64, 0.54, 0.11), tint=1)
    head = np.array([u(0.75, 0.9), u(-0.1, 0.1), u(0.5, 0.75)])
    clay.roll((0.4, 0, 0.4), head, 0.13, 0.12)
    clay.lump(head, (0.18, 0.15, 0.15))
    _eyes(clay, head, 0.12, 0.1, 0.07, 0.035)
    _legs(clay, [(x, y) for x in (-0.38, 0.36) for y in (-0.36, 0.36)], 0.3, 0.12, 0.1)
    clay.roll((-0.55, 0, 0.3), (-0.78, 0, 0.2), 0.07, 0.03)


def _crab(clay: Clay, rng: np.random.Generator) -> None:
    u = rng.uniform
    clay.lump((0, 0, 0.5), (u(0.42, 0.55), u(0.55, 0.68), u(0.3, 0.4)))
    for side in (-1.0, 1.0):
        for x in (-0.35, -0.1, 0.15):
            knee = np.array([x * 1.3, side * 0.78, u(0.5, 0.62)])
            clay.roll((x, side * 0.4, 0.45), knee, 0.09, 0.075)
            clay.roll(knee, (x * 1.6, side * 0.95, 0.06), 0.075, 0.055)
        elbow = np.array([0.5, side * 0.7, 0.5])
        clay.roll((0.3, side * 0.4, 0.5), elbow, 0.1, 0.09)
        claw = elbow + (u(0.22, 0.32), -side * u(0.05, 0.2), u(0.1, 0.4))
        clay.roll(elbow, claw, 0.09, 0.1)
        clay.lump(claw + (0.08, 0, 0.03), (0.2, 0.11, 0.14), tint=1)
        clay.roll((0.35, side * 0.16, 0.7), (0.42, side * 0.18, 0.93), 0.06, 0.06)
        clay.lump((0.46, side * 0.18, 0.96), 0.05, tint=2)


def _cat(clay: Clay, rng: np.random.Generator) -> None:
    u = rng.uniform
    clay.roll((-0.16, 0, 0.2), (0.06, 0, 0.55), 0.2, 0.14)
    for side in (-1.0, 1.0):
        clay.lump((-0.12, side * 0.17, 0.14), (0.18, 0.1, 0.15))
        clay.roll((-0.02, side * 0.18, 0.06), (0.12, side * 0.19, 0.05), 0.055, 0.05)
        clay.roll((0.1, side * 0.09, 0.5), (0.17, side * 0.09, 0.06), 0.07, 0.055)
        clay.roll((0.16, side * 0.09, 0.05), (0.23, side * 0.09, 0.045), 0.05, 0.045, tint=1)
    head = np.array([0.13, u(-0.04, 0.04), 0.77])
    clay.lump(head, (0.15, 0.17, 0.14))
    clay.lump(head + (0.13, 0, -0.04), (0.06, 0.08, 0.05), tint=1)
    _eyes(clay, head, 0.125, 0.07, 0.04, 0.026)
    for side in (-1.0, 1.0):
        clay.roll(head + (0, side * 0.1, 0.09), head + (-0.01, side * 0.14, 0.22), 0.055, 0.02)
    bend = rng.choice([-1.0, 1.0])
    clay.roll((-0.34, 0, 0.1), (-0.5, bend * 0.2, 0.06), 0.06, 0.055)
    clay.roll((-0.5, bend * 0.2, 0.06), (-0.36, bend * 0.42, 0.06), 0.055, 0.045)


def _bird(clay: Clay, rng: np.random.Generator) -> None:
    u = rng.uniform
    clay.lump((0, 0, 0.46), (u(0.26, 0.32), u(0.22, 0.28), 0.29))
    head = np.array([0.14, u(-0.05, 0.05), 0.82])
    clay.lump(head, (0.15, 0.14, 0.14))
    clay.roll(head + (0.1, 0, -0.01), head + (u(0.22, 0.34), 0, -0.05), 0.065, 0.025, tint=1)
    _eyes(clay, head, 0.1, 0.09, 0.04, 0.028)
    for side in (-1.0, 1.0):
        clay.roll((0.0, side * 0.12, 0.3), (0.02, side * 0.15, 0.07), 0.08, 0.07, tint=1)
        clay.lump((0.1, side * 0.16, 0.045), (0.18, 0.1, 0.05), tint=1)
        clay.lump((-0.05, side * u(0.27, 0.4), 0.5), (0.2, 0.06, 0.16))
    clay.roll((-0.2, 0, 0.4), (-0.46, 0, u(0.25, 0.5)), 0.12, 0.06)
    if rng.random() < 0.5:
        clay.lump(head + (-0.02, 0, 0.14), (0.09, 0.025, 0.07), tint=1)


_ANIMALS: tuple[Callable[[Clay, np.random.Generator], None], ...] = (
    _dog, _dragon, _turtle, _crab, _cat, _bird,
)  # fmt: skip
