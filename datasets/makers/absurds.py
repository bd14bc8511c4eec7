"""Things and monsters."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from datasets.figures import Array, Clay, Figure
from datasets.makers.limbs import by


def pile(rng: np.random.Generator, height: float) -> Figure:
    """Lumps piled up askew, with horns, knobs or feet."""
    clay, u = Clay(), rng.uniform
    centre, radius = np.zeros(3), u(0.2, 0.38)
    for _ in range(rng.integers(2, 6)):
        clay.ball(centre, radius * rng.uniform(0.75, 1.2, 3))
        centre = centre + by(u(-0.5, 0.5) * radius, u(-0.5, 0.5) * radius, u(0.6, 1.2) * radius)
        radius *= u(0.6, 1.0)
    top = np.array(clay.centres)
    for _ in range(rng.integers(0, 6)):
        way = rng.normal(size=3)
        start = top[rng.integers(len(top))]
        clay.limb(start, start + u(0.25, 0.6) * way / np.linalg.norm(way), u(0.06, 0.12), u(0.04, 0.1))
    for angle in 2 * np.pi * (np.arange(rng.integers(0, 5)) / 4 + u(0, 1)):
        low = min(c[2] for c in clay.centres)
        clay.limb(
            (0, 0, low), (u(0.2, 0.5) * np.cos(angle), u(0.2, 0.5) * np.sin(angle), low - 0.2), 0.1, 0.09
        )
    return clay.figure("absurd", height)


def standing_thing(rng: np.random.Generator, height: float) -> Figure:
    """A mushroom, tripod, arch or cone."""
    clay, u = Clay(), rng.uniform
    what = rng.integers(4)
    if what == 0:
        lean = rng.uniform(-0.12, 0.12, 2)
        clay.limb((0, 0, 0.1), (*lean, 0.75), u(0.1, 0.2), u(0.08, 0.16))
        clay.ball((*lean, u(0.7, 0.85)), (u(0.25, 0.45), u(0.25, 0.45), u(0.12, 0.2)))
    elif what == 1:
        for angle in 2 * np.pi * np.arange(3) / 3 + u(0, 2):
            reach = u(0.15, 0.45)
            foot = (reach * np.cos(angle), reach * np.sin(angle), 0.08)
            clay.limb((0, 0, 0.6), foot, u(0.08, 0.13), u(0.06, 0.1))
        clay.ball((u(-0.05, 0.05), u(-0.05, 0.05), 0.75), rng.uniform(0.18, 0.32, 3))
    elif what == 2:
        wide, thick = u(0.25, 0.6), u(0.1, 0.18)
        steps = np.linspace(0, np.pi, 12)
        for a in steps:
            clay.ball((u(-0.01, 0.01), wide * np.cos(a), np.sin(a) * 0.85), thick)
    else:
        wide = u(0.25, 0.45)
        for z in np.linspace(0.0, 1.0, 14):
            clay.ball((u(-0.01, 0.01), 0, z), wide * (1 - 0.85 * z))
    for _ in range(rng.integers(0, 3)):
        way = rng.normal(size=3)
        start = clay.centres[rng.integers(len(clay.centres))]
        clay.limb(start, start + u(0.25, 0.5) * way / np.linalg.norm(way), u(0.05, 0.09), u(0.04, 0.08))
    return clay.figure("absurd", height)


def coiled(rng: np.random.Generator, height: float) -> Figure:
    """A snake or a tentacled thing that rises out of its own coil."""
    clay, u = Clay(), rng.uniform
    radius, thick, angle = u(0.15, 0.4), u(0.09, 0.16), u(0, 6.3)
    for share in np.linspace(0, 1, 24):
        angle += u(0.25, 0.4)
        shrink = radius * (1 - 0.6 * share)
        clay.ball((shrink * np.cos(angle), shrink * np.sin(angle), 0.1 + 0.3 * share), thick)
    neck = np.array(clay.centres[-1])
    top = np.array([u(-0.2, 0.3), u(-0.15, 0.15), 0.95])
    clay.limb(neck, top, thick, thick * u(0.7, 1.1))
    clay.limb(top, top + by(u(0.1, 0.3), u(-0.1, 0.1), u(-0.1, 0.0)), thick * u(0.9, 1.5), thick * 0.6)
    return clay.figure("absurd", height)


def vessel(rng: np.random.Generator, height: float) -> Figure:
    """A turned solid with handle, spout, ears or arms: cup, bottle, pot, bell, lamp."""
    clay, u = Clay(), rng.uniform
    knots = np.cumsum(rng.normal(0, 0.35, 5)) + u(0.0, 0.4)
    heights = np.linspace(0.0, 1.0, 16)
    radii = np.clip(0.28 * np.exp(np.interp(heights, np.linspace(0, 1, 5), knots - knots.mean())), 0.07, 0.5)
    lean = rng.uniform(-0.06, 0.06, 2)
    for z, radius in zip(heights, radii, strict=True):
        clay.ball((lean[0] * z, lean[1] * z, z), (radius, radius, 0.06))
    out = float(radii[8])
    for _ in range(rng.integers(0, 3)):
        angle, low, high = u(0, 6.3), u(0.1, 0.6), u(0.4, 0.95)
        way = by(np.cos(angle), np.sin(angle), 0)
        reach, thick = out + u(0.1, 0.35), u(0.04, 0.08)
        middle = way * reach + by(0, 0, (low + high) / 2 + u(-0.1, 0.2))
        clay.limb(way * out * 0.8 + by(0, 0, low), middle, thick, thick)
        if rng.random() < 0.6:
            clay.limb(middle, way * out * 0.8 + by(0, 0, high), thick, thick)
    return clay.figure("absurd", height)


def boxy(rng: np.random.Generator, height: float) -> Figure:
    """Rounded boxes on each other: house, robot, car, chest, shoe; perhaps on wheels or legs."""
    clay, u = Clay(), rng.uniform
    half = rng.uniform(0.15, 0.55, 3) * (1, 1, 0.8)
    box(clay, rng, by(0, 0, half[2]), half)
    top = 2 * half[2]
    if rng.random() < 0.7:
        upper = half * rng.uniform(0.4, 1.0, 3)
        aside = u(-0.5, 0.5) * half
        box(clay, rng, by(aside[0], aside[1], top + 0.8 * upper[2]), upper)
    if rng.random() < 0.5:
        size, low = u(0.08, 0.16), u(-0.06, 0.04)
        for fore in (-1, 1):
            for side in (-1, 1):
                clay.ball(
                    (fore * half[0] * u(0.6, 0.9), side * half[1] * u(0.8, 1.0), low),
                    (size, size * 0.5, size),
                )
    for _ in range(rng.integers(0, 3)):
        way = rng.normal(size=3)
        start = clay.centres[rng.integers(len(clay.centres))]
        clay.limb(start, start + u(0.2, 0.5) * way / np.linalg.norm(way), u(0.05, 0.09), u(0.04, 0.08))
    return clay.figure("absurd", height)


def box(clay: Clay, rng: np.random.Generator, middle: Array, half: Array) -> None:
    """A box with rounded edges, turned a little about the vertical."""
    radius = 0.45 * float(half.min())
    angle = rng.normal(0, 0.15)
    steps = [np.linspace(-1, 1, max(2, int(np.ceil(2 * (h - radius) / radius)))) * (h - radius) for h in half]
    for x in steps[0]:
        for y in steps[1]:
            for z in (steps[2][0], steps[2][-1]) if len(steps[2]) > 3 else steps[2]:
                turned = by(x * np.cos(angle) - y * np.sin(angle), x * np.sin(angle) + y * np.cos(angle), z)
                clay.ball(middle + turned, (radius, radius, max(radius, 0.5 * half[2])))


def branching(rng: np.random.Generator, height: float) -> Figure:
    """A tree, a cactus, a hand or a coral on a foot or on roots."""
    clay, u = Clay(), rng.uniform
    trunk, top = u(0.08, 0.2), np.array([*rng.uniform(-0.1, 0.1, 2), u(0.4, 0.9)])
    clay.limb((0, 0, 0.1), top, trunk * u(0.8, 1.6), trunk)
    if rng.random() < 0.5:
        wide = u(0.15, 0.35)
        clay.ball((u(-0.05, 0.05), u(-0.05, 0.05), 0.05), (wide, wide * u(0.7, 1.3), u(0.05, 0.12)))
    else:
        for angle in 2 * np.pi * np.arange(rng.integers(2, 6)) / 5 + u(0, 6):
            reach = u(0.12, 0.35)
            clay.limb((0, 0, 0.15), (reach * np.cos(angle), reach * np.sin(angle), 0.05), 0.08, 0.05)
    for _ in range(rng.integers(1, 6)):
        start = top * u(0.4, 1.0)
        angle, reach = u(0, 6.3), u(0.12, 0.4)
        out = start + by(reach * np.cos(angle), reach * np.sin(angle), u(-0.1, 0.3))
        thick = trunk * u(0.5, 0.9)
        clay.limb(start, out, thick, thick)
        clay.limb(out, out + by(u(-0.1, 0.1), u(-0.1, 0.1), u(0.0, 0.3)), thick, thick * 0.8)
        if rng.random() < 0.4:
            clay.ball(out + by(0, 0, 0.15), rng.uniform(0.12, 0.3, 3))
    return clay.figure("absurd", height)


def upright_stroke(rng: np.random.Generator, height: float) -> Figure:
    """A letter, a ring or a star drawn with one thick roll, standing on its edge, perhaps on a foot."""
    clay, u = Clay(), rng.uniform
    thick, deep = u(0.08, 0.16), rng.normal(0, 0.06, 8)
    if rng.random() < 0.4:
        wide = u(0.3, 0.5)
        angles = np.linspace(0, 2 * np.pi * u(0.7, 1.0), 20) + u(0, 6.3)
        points = np.column_stack([0 * angles, wide * np.cos(angles), 0.42 * np.sin(angles)])
    else:
        corners = rng.uniform(-1, 1, (rng.integers(3, 6), 2)) * (0.45, 0.5)
        points = np.column_stack([deep[: len(corners)], corners])
    for start, end in pairwise(points):
        clay.limb(start, end, thick, thick * u(0.85, 1.1))
    low = min(clay.centres, key=lambda c: float(c[2]))
    if rng.random() < 0.6:
        wide = u(0.15, 0.35)
        clay.ball(low + by(0, 0, -0.5 * thick), (wide, wide * u(0.8, 1.4), u(0.05, 0.1)))
    turned = np.radians(u(-90, 90)) * (rng.random() < 0.5)
    c, s = np.cos(turned), np.sin(turned)
    rotation = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    clay.centres = [rotation @ centre for centre in clay.centres]
    clay.shapes = [shape @ rotation.T for shape in clay.shapes]
    return clay.figure("absurd", height)


def monster(rng: np.random.Generator, height: float) -> Figure:
    """One big lump with eyes on stalks and arms, on two to five legs, on tentacles, or on nothing."""
    clay, u = Clay(), rng.uniform
    wide, tall = u(0.22, 0.42), u(0.25, 0.42)
    middle = tall + (u(0.0, 0.3) if rng.random() < 0.7 else 0.0)
    clay.ball((0, 0, middle), (wide * u(0.8, 1.2), wide, tall))
    legs, thick, reach = rng.integers(2, 6), u(0.06, 0.13), u(0.3, 1.3)
    if middle > tall:
        for angle in 2 * np.pi * np.arange(legs) / legs + u(0, 6.3):
            out = wide * reach * u(0.8, 1.2)
            foot = by(out * np.cos(angle), out * np.sin(angle), 0.05)
            clay.limb((0.5 * foot[0], 0.5 * foot[1], middle - 0.5 * tall), foot, thick, thick * u(0.7, 1.0))
            clay.ball(foot + by(u(0, 0.05), 0, 0), (thick * 1.3, thick, 0.055))
    for _ in range(rng.integers(0, 4)):
        place = by(u(-0.1, 0.5) * wide, u(-0.7, 0.7) * wide, middle + 0.7 * tall)
        end = place + by(u(-0.05, 0.15), u(-0.1, 0.1), u(0.1, 0.35))
        clay.limb(place, end, 0.05, 0.05)
        clay.ball(end, u(0.06, 0.12))
    for side in (-1, 1):
        if rng.random() < 0.6:
            hand = by(u(-0.1, 0.35), side * (wide + u(0.1, 0.35)), middle + u(-0.3, 0.4))
            clay.limb((0, side * 0.8 * wide, middle), hand, u(0.06, 0.1), u(0.05, 0.1))
    return clay.figure("absurd", height)
