"""Fighters of human build."""

from __future__ import annotations

import numpy as np

from datasets.figures import Clay, Figure, humanoid
from datasets.makers.limbs import arm, by, leg


def stout(rng: np.random.Generator, height: float) -> Figure:
    """A wrestler of thick rolls: short legs, a belly, no neck."""
    clay, u = Clay(), rng.uniform
    hip, shoulder, thick = u(0.2, 0.36), u(0.58, 0.72), u(0.09, 0.14)
    wide, deep, lean = u(0.14, 0.24), u(0.1, 0.18), u(-0.04, 0.09)
    clay.ball((0, 0, hip + 0.06), (deep * u(0.9, 1.3), wide, u(0.12, 0.18)))
    clay.ball((lean, 0, shoulder - 0.06), (deep, wide * u(0.85, 1.2), u(0.12, 0.17)))
    clay.ball((lean / 2 + u(-0.02, 0.05), 0, (hip + shoulder) / 2), (deep, wide * 0.9, 0.16))
    size = u(0.1, 0.17)
    clay.ball(
        (lean + u(-0.01, 0.06), u(-0.02, 0.02), 1 - size), (size * u(0.9, 1.1), size, size * u(1.0, 1.25))
    )
    stance, stagger = u(0.07, 0.22), u(-0.1, 0.1)
    for side in (-1, 1):
        foot = np.array([side * stagger + u(-0.02, 0.02), side * stance, 0.0])
        leg(clay, rng, np.array([0, side * wide * 0.5, hip]), foot, thick)
        arm(clay, rng, np.array([lean, side * (wide + 0.02), shoulder - 0.02]), side, u(0.055, 0.09))
    return clay.figure("humanoid", height)


def lunging(rng: np.random.Generator, height: float) -> Figure:
    """A slim fighter in a wide stance, perhaps with a cape or with something in a hand."""
    clay, u = Clay(), rng.uniform
    hip, shoulder = u(0.32, 0.46), u(0.68, 0.8)
    wide, deep, lean = u(0.1, 0.17), u(0.06, 0.11), u(-0.1, 0.15)
    crouch = u(-0.06, 0.06)
    clay.limb((crouch, 0, hip), (crouch + lean, 0, shoulder - 0.05), deep, deep)
    for side in (-0.5, 0.5):
        clay.limb((crouch, side * wide, hip), (crouch + lean, 1.4 * side * wide, shoulder - 0.05), deep, deep)
    size = u(0.075, 0.12)
    clay.limb((crouch + lean, 0, shoulder), (crouch + 1.2 * lean, 0, 1 - size), 0.05, 0.05)
    clay.ball((crouch + 1.2 * lean + u(0, 0.04), 0, 1 - size), size)
    step, apart = u(0.0, 0.28) * rng.choice([-1, 1]), u(0.06, 0.25)
    for side in (-1, 1):
        foot = np.array([side * step, side * apart, 0.0])
        leg(clay, rng, np.array([crouch, side * wide * 0.5, hip]), foot, u(0.05, 0.075))
        hand = arm(clay, rng, np.array([crouch + lean, side * (wide + 0.02), shoulder]), side, u(0.04, 0.06))
    if rng.random() < 0.3:
        way = rng.normal(size=3)
        clay.limb(hand, hand + u(0.1, 0.4) * way / np.linalg.norm(way), 0.03, 0.03)
    if rng.random() < 0.35:
        back = crouch + lean - deep
        for side in np.linspace(-1, 1, 5):
            end = (back - u(0.05, 0.2), 1.3 * side * wide, u(0.1, 0.3))
            clay.limb((back, side * wide, shoulder), end, 0.03, 0.03)
    return clay.figure("humanoid", height)


def robed(rng: np.random.Generator, height: float) -> Figure:
    """A figure in a robe or skirt that reaches the table, perhaps with a hat."""
    clay, u = Clay(), rng.uniform
    bottom, waist, shoulder = u(0.16, 0.32), u(0.09, 0.15), u(0.62, 0.76)
    flat, lean = u(0.7, 1.1), u(-0.04, 0.06)
    for z in np.arange(0.03, shoulder, 0.06):
        part = z / shoulder
        radius = bottom + (waist - bottom) * part ** u(0.6, 0.9)
        clay.ball((lean * part, 0, z), (radius * flat, radius, 0.06))
    size = u(0.09, 0.14)
    clay.ball((lean + u(0, 0.04), 0, shoulder + 0.8 * size), size)
    if rng.random() < 0.4:
        brim = u(0.12, 0.22)
        clay.ball((lean, 0, shoulder + 1.5 * size), (brim, brim, 0.03))
        clay.limb((lean, 0, shoulder + 1.5 * size), (lean + u(-0.06, 0.06), 0, 1.0), 0.8 * size, 0.03)
    for side in (-1, 1):
        arm(clay, rng, np.array([lean, side * (waist + 0.03), shoulder - 0.04]), side, u(0.05, 0.08))
    return clay.figure("humanoid", height)


def based(rng: np.random.Generator, height: float) -> Figure:
    """A fighter that stands on a plate, not always in its middle."""
    figure = (stout, lunging, humanoid)[rng.integers(3)](rng, 1.0)
    clay, u = Clay(), rng.uniform
    clay.centres = [centre + by(0, 0, 0.04) for centre in figure.centres]
    clay.shapes = list(figure.shapes)
    middle = figure.sole + rng.uniform(-0.06, 0.06, 2)
    radius = u(0.2, 0.34)
    clay.ball((*middle, 0.03), (radius * u(0.8, 1.2), radius, 0.035))
    return clay.figure("humanoid", height)


def kneeling(rng: np.random.Generator, height: float) -> Figure:
    """A fighter on one knee or both, or one that sits with its legs before it."""
    clay, u = Clay(), rng.uniform
    how, thick = rng.integers(3), u(0.08, 0.13)
    hip, shoulder, lean = u(0.2, 0.32) if how else u(0.08, 0.16), u(0.62, 0.74), u(-0.08, 0.12)
    wide, deep = u(0.12, 0.2), u(0.09, 0.15)
    clay.limb((0, 0, hip), (lean, 0, shoulder - 0.05), deep, deep)
    for side in (-0.5, 0.5):
        clay.limb((0, side * wide, hip), (lean, 1.3 * side * wide, shoulder - 0.06), deep, deep)
    size = u(0.1, 0.16)
    clay.ball((lean + u(0, 0.05), 0, 1 - size), size)
    for side in (-1, 1):
        start, apart = np.array([0, side * wide * 0.6, hip]), side * u(0.07, 0.2)
        if how == 0:
            knee = by(u(0.15, 0.35), apart, u(0.08, 0.28))
            end = knee + by(u(0.12, 0.3), u(-0.05, 0.05), 0.07 - knee[2])
        elif how == 1 and side == 1:
            knee = by(u(0.14, 0.26), apart, u(0.26, 0.36))
            end = by(knee[0] + u(-0.05, 0.06), apart, 0.05)
        else:
            knee = by(u(-0.02, 0.12), apart, 0.08)
            end = knee + by(-u(0.2, 0.36), u(-0.04, 0.04), -0.02)
        clay.limb(start, knee, thick * 1.1, thick * 0.9)
        clay.limb(knee, end, thick * 0.9, thick * 0.7)
        clay.ball(end, (thick * u(0.7, 1.4), thick * 0.7, 0.06))
        arm(clay, rng, np.array([lean, side * (wide + 0.03), shoulder - 0.02]), side, u(0.05, 0.08))
    return clay.figure("humanoid", height)


def big_headed(rng: np.random.Generator, height: float) -> Figure:
    """A small body under a large head with ears, hair or a hat."""
    clay, u = Clay(), rng.uniform
    size, wide, thick = u(0.18, 0.28), u(0.09, 0.17), u(0.07, 0.12)
    top = 1 - size
    neck, hip = top - 0.8 * size, u(0.14, 0.26)
    clay.limb((0, 0, hip), (u(-0.03, 0.04), 0, neck), u(0.09, 0.15), u(0.08, 0.12))
    head = np.array([u(-0.03, 0.06), u(-0.03, 0.03), top])
    clay.ball(head, (size * u(0.85, 1.1), size * u(0.9, 1.2), size))
    if rng.random() < 0.4:
        clay.ball(head + by(size, 0, -0.1 * size), u(0.03, 0.07))
    if rng.random() < 0.5:
        for side in (-1, 1):
            ear = head + by(u(-0.05, 0.05), side * 0.8 * size, 0.6 * size)
            clay.limb(ear, ear + by(u(-0.08, 0.05), side * u(0, 0.15), u(-0.2, 0.25)), 0.07, u(0.03, 0.07))
    if rng.random() < 0.3:
        clay.limb(
            head + by(-0.5 * size, 0, 0.5 * size), (-u(0.1, 0.4), u(-0.1, 0.1), u(0.1, 0.7)), 0.07, 0.05
        )
    for side in (-1, 1):
        foot = np.array([u(-0.06, 0.08), side * u(0.05, 0.16), 0.0])
        leg(clay, rng, np.array([0, side * wide * 0.5, hip]), foot, thick)
        arm(clay, rng, np.array([0, side * (wide + 0.01), neck - 0.03]), side, u(0.04, 0.08))
    return clay.figure("humanoid", height)


def stooping(rng: np.random.Generator, height: float) -> Figure:
    """A fighter or an ape bent far forward, its arms hanging or its knuckles on the table."""
    clay, u = Clay(), rng.uniform
    hip, thick, wide = u(0.38, 0.55), u(0.07, 0.12), u(0.14, 0.26)
    chest = np.array([u(0.18, 0.45), 0, u(0.55, 0.8)])
    deep = u(0.11, 0.18)
    clay.limb((0, 0, hip), chest, deep, deep * u(0.9, 1.2))
    for side in (-0.5, 0.5):
        clay.limb((0, side * wide, hip), chest + by(0, 1.4 * side * wide, 0), deep * 0.8, deep * 0.9)
    head = chest + by(u(0.08, 0.25), u(-0.05, 0.05), u(0.0, 0.25))
    clay.ball(head, u(0.1, 0.16))
    for side in (-1, 1):
        foot = np.array([u(-0.15, 0.2), side * u(0.08, 0.25), 0.0])
        leg(clay, rng, np.array([0, side * wide * 0.5, hip]), foot, thick)
        shoulder = chest + by(0, side * (wide + 0.03), 0.02)
        hand = shoulder + by(u(-0.1, 0.25), side * u(-0.05, 0.15), -u(0.3, 1.0) * shoulder[2])
        elbow = (shoulder + hand) / 2 + by(u(-0.1, 0.05), side * u(0, 0.1), 0)
        clay.limb(shoulder, elbow, thick, thick * 0.9)
        clay.limb(elbow, hand, thick * 0.9, thick * u(0.7, 1.0))
        clay.ball(hand, thick * u(0.9, 1.3))
    return clay.figure("humanoid", height)


def armed(rng: np.random.Generator, height: float) -> Figure:
    """A fighter with a shield, and a staff, an axe or a flag that may stand on the table."""
    figure = (stout, lunging, humanoid, big_headed)[rng.integers(4)](rng, 1.0)
    clay, u = Clay(), rng.uniform
    clay.centres, clay.shapes = list(figure.centres), list(figure.shapes)
    side = rng.choice([-1, 1])
    if rng.random() < 0.7:
        low = 0.05 if rng.random() < 0.5 else u(0.2, 0.6)
        foot = by(u(0.0, 0.35), side * u(0.2, 0.4), low)
        top = foot + by(u(-0.15, 0.15), side * u(-0.1, 0.15), u(0.5, 1.0))
        clay.limb(foot, top, 0.035, 0.035)
        if rng.random() < 0.6:
            clay.ball(top, rng.uniform(0.04, 0.15, 3))
    if rng.random() < 0.6:
        wide = u(0.12, 0.25)
        clay.ball((u(0.12, 0.3), -side * u(0.1, 0.3), u(0.3, 0.6)), (0.05, wide, wide * u(0.9, 1.4)))
    return clay.figure("humanoid", height)
