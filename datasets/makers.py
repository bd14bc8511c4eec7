"""More makers of plasticine figures: what a learned prior is taught with, so that it has seen many builds.

Each maker takes a random generator and a height in cm and gives a figure of one class (`datasets.figures`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np

from datasets.figures import HEIGHTS, Array, Clay, Figure, absurd, beast, humanoid, thickened

Maker = Callable[[np.random.Generator, float], Figure]

# A figure longer or wider than so many of its heights is told apart from a fighter (`vision.measuring.told`).
_MOST_EXTENT = 2.3


def _by(x: float, y: float, z: float) -> Array:
    return np.array([x, y, z])


def _arm(clay: Clay, rng: np.random.Generator, shoulder: Array, side: int, thick: float) -> Array:
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


def _foot(clay: Clay, rng: np.random.Generator, hip: Array, foot: Array, thick: float) -> None:
    """A leg with a shoe."""
    u = rng.uniform
    clay.limb(hip, foot + _by(0, 0, thick * 0.7), thick * u(0.95, 1.25), thick * u(0.8, 1.1))
    toes = np.radians(u(-25, 25))
    long = u(0.02, 0.14)
    end = foot + _by(long * np.cos(toes), long * np.sin(toes), 0.75 * thick)
    clay.limb(foot + _by(0, 0, 0.75 * thick), end, 0.8 * thick, u(0.65, 0.8) * thick)


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
        _foot(clay, rng, np.array([0, side * wide * 0.5, hip]), foot, thick)
        _arm(clay, rng, np.array([lean, side * (wide + 0.02), shoulder - 0.02]), side, u(0.055, 0.09))
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
        _foot(clay, rng, np.array([crouch, side * wide * 0.5, hip]), foot, u(0.05, 0.075))
        hand = _arm(clay, rng, np.array([crouch + lean, side * (wide + 0.02), shoulder]), side, u(0.04, 0.06))
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
        _arm(clay, rng, np.array([lean, side * (waist + 0.03), shoulder - 0.04]), side, u(0.05, 0.08))
    return clay.figure("humanoid", height)


def based(rng: np.random.Generator, height: float) -> Figure:
    """A fighter that stands on a plate, not always in its middle."""
    figure = (stout, lunging, humanoid)[rng.integers(3)](rng, 1.0)
    clay, u = Clay(), rng.uniform
    clay.centres = [centre + _by(0, 0, 0.04) for centre in figure.centres]
    clay.shapes = list(figure.shapes)
    middle = figure.sole + rng.uniform(-0.06, 0.06, 2)
    radius = u(0.2, 0.34)
    clay.ball((*middle, 0.03), (radius * u(0.8, 1.2), radius, 0.035))
    return clay.figure("humanoid", height)


def sturdy(rng: np.random.Generator, height: float) -> Figure:
    """A thick four-legged animal: bull, bear, dog; horns or ears, tail up or down."""
    clay, u = Clay(), rng.uniform
    long, thick, back = u(0.25, 0.6), u(0.16, 0.28), u(0.5, 0.68)
    clay.limb((-long, 0, back), (long, 0, back + u(-0.05, 0.1)), thick * u(0.8, 1.1), thick)
    turned = np.radians(u(-35, 35))
    head = np.array(
        [long + u(0.08, 0.25) * np.cos(turned), u(0.1, 0.25) * np.sin(turned), back + u(-0.1, 0.35)]
    )
    clay.limb((long, 0, back), head, thick * 0.8, thick * 0.6)
    size = u(0.12, 0.22)
    clay.ball(head, (size, size * u(0.8, 1.0), size * u(0.8, 1.0)))
    nose = head + u(0.1, 0.25) * np.array([np.cos(turned), np.sin(turned), u(-0.6, 0.1)])
    clay.limb(head, nose, size * 0.7, size * u(0.35, 0.6))
    if rng.random() < 0.7:
        for side in (-1, 1):
            end = head + _by(u(-0.08, 0.15), side * u(0.08, 0.25), u(0.08, 0.25))
            clay.limb(head, end, u(0.04, 0.07), 0.03)
    if rng.random() < 0.8:
        root = np.array([-long - 0.4 * thick, 0, back + 0.03])
        middle = root + _by(-u(0.05, 0.3), u(-0.15, 0.15), u(-0.2, 0.25))
        clay.limb(root, middle, u(0.05, 0.09), 0.05)
        clay.limb(middle, middle + _by(-u(-0.05, 0.2), u(-0.15, 0.15), u(-0.2, 0.4)), 0.05, u(0.03, 0.06))
    spread, leg = u(0.1, 0.22), u(0.08, 0.13)
    for fore in (-1, 1):
        for side in (-1, 1):
            foot = (fore * long * u(0.7, 1.05) + u(-0.06, 0.06), side * spread * u(0.85, 1.1), 0.07)
            clay.limb((fore * long * 0.8, side * spread * 0.7, back), foot, leg * 1.1, leg * u(0.7, 1.0))
    return clay.figure("beast", height)


def lizard(rng: np.random.Generator, height: float) -> Figure:
    """A low animal on splayed legs with a tail that may lie on the table, perhaps with a crest."""
    clay, u = Clay(), rng.uniform
    long, thick, back = u(0.4, 0.7), u(0.15, 0.26), u(0.28, 0.5)
    clay.limb((-long, 0, back), (long, 0, back), thick, thick * u(0.8, 1.1))
    head = np.array([long + u(0.1, 0.3), u(-0.12, 0.12), u(back, 1.0)])
    clay.limb((long, 0, back), head, thick * 0.8, u(0.1, 0.16))
    clay.limb(head, head + _by(u(0.1, 0.3), u(-0.05, 0.05), u(-0.08, 0.08)), u(0.1, 0.17), u(0.05, 0.12))
    tail = np.array([-long - u(0.2, 0.45), u(-0.2, 0.2), u(0.06, back)])
    clay.limb((-long, 0, back), tail, thick * 0.7, u(0.06, 0.1))
    if rng.random() < 0.5:
        for x in np.linspace(-long, long, 5):
            clay.limb((x, 0, back + thick * 0.7), (x, 0, back + thick + u(0.05, 0.2)), 0.05, 0.03)
    for fore in (-1, 1):
        for side in (-1, 1):
            knee = np.array([fore * long * 0.8 + u(-0.05, 0.08), side * (thick + u(0.05, 0.2)), back])
            clay.limb((fore * long * 0.8, side * 0.6 * thick, back), knee, 0.09, 0.08)
            clay.limb(knee, (knee[0] + u(-0.05, 0.1), knee[1] + side * u(-0.03, 0.08), 0.06), 0.08, 0.07)
    return clay.figure("beast", height)


def sitting(rng: np.random.Generator, height: float) -> Figure:
    """An animal that sits on its rump: cat, frog, bear."""
    clay, u = Clay(), rng.uniform
    rump, lean = u(0.2, 0.32), u(0.05, 0.25)
    clay.ball((0, 0, rump * 0.8), (rump * u(0.9, 1.2), rump, rump * 0.8))
    chest = np.array([lean, 0, u(0.5, 0.62)])
    clay.limb((0, 0, rump), chest, rump * 0.85, u(0.14, 0.2))
    size = u(0.13, 0.2)
    head = np.array([lean + u(0, 0.15), u(-0.05, 0.05), 1 - size])
    clay.limb(chest, head, 0.13, size * 0.8)
    clay.ball(head, size)
    clay.limb(head, head + _by(u(0.1, 0.25), u(-0.04, 0.04), u(-0.08, 0.0)), size * 0.6, size * 0.4)
    for side in (-1, 1):
        foot = (lean + u(0.1, 0.3), side * u(0.08, 0.2), 0.06)
        clay.limb((chest[0], side * 0.12, chest[2]), foot, u(0.07, 0.1), u(0.06, 0.08))
        clay.limb((0, side * rump * 0.8, 0.12), (u(0.15, 0.4), side * rump * u(0.8, 1.3), 0.08), 0.11, 0.08)
        if rng.random() < 0.6:
            clay.limb(head, head + _by(u(-0.08, 0.04), side * u(0.06, 0.15), u(0.1, 0.25)), 0.05, 0.04)
    if rng.random() < 0.6:
        clay.limb((-rump, 0, 0.1), (-rump - u(0.1, 0.4), u(-0.3, 0.3), u(0.06, 0.4)), 0.07, 0.05)
    return clay.figure("beast", height)


def winged(rng: np.random.Generator, height: float) -> Figure:
    """A bird or dragon on two legs, with wings half open and a tail."""
    clay, u = Clay(), rng.uniform
    hip, chest = np.array([u(-0.15, 0.05), 0, u(0.35, 0.5)]), np.array([u(0.05, 0.25), 0, u(0.5, 0.7)])
    thick = u(0.12, 0.2)
    clay.limb(hip, chest, thick, thick * u(0.9, 1.2))
    size = u(0.1, 0.16)
    head = np.array([chest[0] + u(0, 0.25), u(-0.05, 0.05), 1 - size])
    clay.limb(chest, head, thick * 0.6, size * 0.7)
    clay.ball(head, size)
    clay.limb(head, head + _by(u(0.12, 0.3), 0, u(-0.1, 0.05)), size * 0.5, 0.03)
    clay.limb(hip, (hip[0] - u(0.2, 0.6), u(-0.2, 0.2), u(0.07, 0.5)), thick * 0.6, u(0.03, 0.07))
    open_ = u(0.05, 0.55)
    for side in (-1, 1):
        shoulder = chest + _by(0, side * thick * 0.8, 0.03)
        for k in range(4):
            end = shoulder + _by(-0.12 * k - u(0, 0.1), side * (open_ - 0.06 * k), u(-0.3, 0.3))
            clay.limb(shoulder - _by(0.06 * k, 0, 0), end, 0.04, 0.03)
        foot = np.array([u(-0.05, 0.12), side * u(0.08, 0.2), 0.0])
        _foot(clay, rng, np.array([hip[0], side * 0.1, hip[2]]), foot, u(0.05, 0.09))
    return clay.figure("beast", height)


def pile(rng: np.random.Generator, height: float) -> Figure:
    """Lumps piled up askew, with horns, knobs or feet."""
    clay, u = Clay(), rng.uniform
    centre, radius = np.zeros(3), u(0.2, 0.38)
    for _ in range(rng.integers(2, 6)):
        clay.ball(centre, radius * rng.uniform(0.75, 1.2, 3))
        centre = centre + _by(u(-0.5, 0.5) * radius, u(-0.5, 0.5) * radius, u(0.6, 1.2) * radius)
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
    clay.limb(top, top + _by(u(0.1, 0.3), u(-0.1, 0.1), u(-0.1, 0.0)), thick * u(0.9, 1.5), thick * 0.6)
    return clay.figure("absurd", height)


MORE_MAKERS: Mapping[str, Maker] = MappingProxyType(
    {
        "humanoid": humanoid,
        "stout": stout,
        "lunging": lunging,
        "robed": robed,
        "based": based,
        "beast": beast,
        "sturdy": sturdy,
        "lizard": lizard,
        "sitting": sitting,
        "winged": winged,
        "absurd": absurd,
        "pile": pile,
        "standing_thing": standing_thing,
        "coiled": coiled,
    }
)


def made(rng: np.random.Generator, name: str) -> Figure:
    """A figure by a maker, in a height usual for its class or taller, with thinner or thicker parts."""
    while True:
        kind = MORE_MAKERS[name](rng, 1.0).kind
        low, high = HEIGHTS[kind]
        figure = MORE_MAKERS[name](rng, rng.uniform(low, max(high, 13.0)))
        figure = thickened(
            figure, rng.uniform(0.85, 1.6 if name in ("humanoid", "beast", "absurd") else 1.25)
        )
        if extent(figure) < _MOST_EXTENT * figure.height:
            return figure


def extent(figure: Figure) -> float:
    """How long or wide a figure is at most, in cm, along its axes."""
    half = np.linalg.norm(np.linalg.inv(figure.shapes), axis=2)[:, :2]
    size = (figure.centres[:, :2] + half).max(axis=0) - (figure.centres[:, :2] - half).min(axis=0)
    return float(size.max())
