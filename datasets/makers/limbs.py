"""What several makers put on their figures."""

from __future__ import annotations

import numpy as np

from datasets.figures import Array, Clay


def by(x: float, y: float, z: float) -> Array:
    """A point or a way (3,)."""
    return np.array([x, y, z])


def arm(clay: Clay, rng: np.random.Generator, shoulder: Array, side: int, thick: float) -> Array:
    """An arm in a pose of its own; where its hand is."""
    u = rng.uniform
    swing, spread = np.radians(u(-30, 175)), np.radians(u(0, 75))
    way = np.array([np.sin(swing) * np.cos(spread), side * np.sin(spread), -np.cos(swing) * np.cos(spread)])
    elbow = shoulder + u(0.12, 0.2) * way
    bend = way + np.array([u(-0.2, 1.0), u(-0.8, 0.3) * side, u(-0.5, 0.9)])
    hand = elbow + u(0.1, 0.19) * bend / np.linalg.norm(bend)
    clay.limb(shoulder, elbow, thick, thick * u(0.8, 1.0))
    clay.limb(elbow, hand, thick * 0.9, thick * u(0.7, 1.1))
    clay.ball(hand, thick * u(0.9, 1.4))
    return np.asarray(hand)


def leg(clay: Clay, rng: np.random.Generator, hip: Array, foot: Array, thick: float) -> None:
    """A leg with a shoe."""
    u = rng.uniform
    clay.limb(hip, foot + by(0, 0, thick * 0.7), thick * u(0.95, 1.25), thick * u(0.8, 1.1))
    toes = np.radians(u(-25, 25))
    long = u(0.02, 0.14)
    end = foot + by(long * np.cos(toes), long * np.sin(toes), 0.75 * thick)
    clay.limb(foot + by(0, 0, 0.75 * thick), end, 0.8 * thick, u(0.65, 0.8) * thick)
