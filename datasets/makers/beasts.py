"""Animals."""

from __future__ import annotations

import numpy as np

from datasets.figures import Array, Clay, Figure
from datasets.makers.limbs import by, leg


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
            end = head + by(u(-0.08, 0.15), side * u(0.08, 0.25), u(0.08, 0.25))
            clay.limb(head, end, u(0.04, 0.07), 0.03)
    if rng.random() < 0.8:
        root = np.array([-long - 0.4 * thick, 0, back + 0.03])
        middle = root + by(-u(0.05, 0.3), u(-0.15, 0.15), u(-0.2, 0.25))
        clay.limb(root, middle, u(0.05, 0.09), 0.05)
        clay.limb(middle, middle + by(-u(-0.05, 0.2), u(-0.15, 0.15), u(-0.2, 0.4)), 0.05, u(0.03, 0.06))
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
    clay.limb(head, head + by(u(0.1, 0.3), u(-0.05, 0.05), u(-0.08, 0.08)), u(0.1, 0.17), u(0.05, 0.12))
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
    clay.limb(head, head + by(u(0.1, 0.25), u(-0.04, 0.04), u(-0.08, 0.0)), size * 0.6, size * 0.4)
    for side in (-1, 1):
        foot = (lean + u(0.1, 0.3), side * u(0.08, 0.2), 0.06)
        clay.limb((chest[0], side * 0.12, chest[2]), foot, u(0.07, 0.1), u(0.06, 0.08))
        clay.limb((0, side * rump * 0.8, 0.12), (u(0.15, 0.4), side * rump * u(0.8, 1.3), 0.08), 0.11, 0.08)
        if rng.random() < 0.6:
            clay.limb(head, head + by(u(-0.08, 0.04), side * u(0.06, 0.15), u(0.1, 0.25)), 0.05, 0.04)
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
    clay.limb(head, head + by(u(0.12, 0.3), 0, u(-0.1, 0.05)), size * 0.5, 0.03)
    clay.limb(hip, (hip[0] - u(0.2, 0.6), u(-0.2, 0.2), u(0.07, 0.5)), thick * 0.6, u(0.03, 0.07))
    open_ = u(0.05, 0.55)
    for side in (-1, 1):
        shoulder = chest + by(0, side * thick * 0.8, 0.03)
        for k in range(4):
            end = shoulder + by(-0.12 * k - u(0, 0.1), side * (open_ - 0.06 * k), u(-0.3, 0.3))
            clay.limb(shoulder - by(0.06 * k, 0, 0), end, 0.04, 0.03)
        foot = np.array([u(-0.05, 0.12), side * u(0.08, 0.2), 0.0])
        leg(clay, rng, np.array([hip[0], side * 0.1, hip[2]]), foot, u(0.05, 0.09))
    return clay.figure("beast", height)


def legged(rng: np.random.Generator, height: float) -> Figure:
    """An animal of any number of legs, with any neck and tail: horse, giraffe, elephant, beetle, spider."""
    clay, u = Clay(), rng.uniform
    long, wide = u(0.15, 0.65), u(0.12, 0.5)
    back, deep = u(0.3, 0.65), u(0.12, 0.28)
    if rng.random() < 0.5:
        clay.ball((0, 0, back), (long + 0.1, wide, deep))
    else:
        wide = min(wide, 0.3)
        clay.limb((-long, 0, back), (long, 0, back + u(-0.08, 0.12)), wide * u(0.7, 1.1), wide)
    if rng.random() < 0.3:
        clay.ball(
            (u(-0.3, 0.3) * long, 0, back + u(0.0, 0.6) * deep), (long, wide, deep) * rng.uniform(0.5, 1, 3)
        )
    start = np.array([long, 0, back + u(-0.3, 0.6) * deep])
    head = start + by(u(0.05, 0.35), u(-0.12, 0.12), u(-0.25, 0.6))
    head[2] = max(head[2], 0.15)
    size = u(0.09, 0.22)
    clay.limb(start, head, u(0.08, 0.18), size * u(0.6, 0.9))
    clay.ball(head, size * rng.uniform(0.8, 1.25, 3))
    snout = by(u(0.0, 0.35), 0, u(-0.3, 0.05))
    clay.limb(head, head + snout, size * 0.7, size * u(0.3, 0.7))
    for side in (-1, 1):
        if rng.random() < 0.6:
            end = by(u(-0.15, 0.2), side * u(0.03, 0.25), u(-0.1, 0.3))
            clay.limb(head + by(0, side * 0.6 * size, 0.5 * size), head + end, u(0.04, 0.08), u(0.02, 0.06))
    tail(clay, rng, np.array([-long, 0, back]), u(0.05, 0.18))
    pairs, leg_thick = int(rng.choice([2, 2, 2, 3, 4])), u(0.05, 0.13)
    splay, kneed, flat = u(0.0, 0.45), rng.random() < 0.4, u(0.5, 1.0)
    for place in np.linspace(-1, 1, pairs):
        for side in (-1, 1):
            root = by(place * long * 0.8, side * wide * 0.6, back)
            foot = by(
                place * long * u(0.7, 1.2) + u(-0.06, 0.06), side * (0.7 * wide + splay * u(0.7, 1.1)), 0.06
            )
            knee = (root + foot) / 2 + by(u(-0.06, 0.1), 0, 0)
            if kneed:
                knee = by(foot[0], (root[1] + 2 * foot[1]) / 3, back + u(-0.1, 0.25))
            clay.limb(root, knee, leg_thick * 1.1, leg_thick)
            clay.limb(knee, foot, leg_thick, leg_thick * u(0.7, 1.0))
            clay.ball(foot + by(u(0, 0.06), 0, 0), leg_thick * np.array([u(0.9, 1.6), u(0.9, 1.2), flat]))
    if rng.random() < 0.25:
        for side in (-1, 1):
            claw = head + by(u(0.1, 0.35), side * u(0.2, 0.5), u(-0.2, 0.25))
            clay.limb((long * 0.8, side * wide * 0.7, back), claw, 0.08, 0.09)
            clay.ball(claw, rng.uniform(0.08, 0.18, 3))
    return clay.figure("beast", height)


def tail(clay: Clay, rng: np.random.Generator, root: Array, thick: float) -> None:
    """None, a stump, or a tail that is held up, hangs, or lies on the table in a bow."""
    u, how = rng.uniform, rng.random()
    if how < 0.2:
        return
    long, bend = u(0.1, 0.35) if how < 0.5 else u(0.3, 0.9), np.radians(u(-90, 90)) * rng.random()
    low = thick * u(0.5, 0.8)
    end = u(low, root[2] + 0.4) if how < 0.6 else (low if how < 0.85 else u(low, 0.3))
    way, at, before = np.pi, np.array(root), np.array(root)
    for share in np.linspace(0, 1, 7)[1:]:
        way += bend / 6
        down = root[2] + (end - root[2]) * min(1.0, share * 1.5)
        at = by(before[0] + long / 6 * np.cos(way), before[1] + long / 6 * np.sin(way), down)
        clay.limb(before, at, thick * (1.1 - 0.6 * share), thick * (1.0 - 0.6 * share))
        before = at


def upright_bird(rng: np.random.Generator, height: float) -> Figure:
    """A bird, a penguin or a small dinosaur: a round body on two feet that reach far forward."""
    clay, u = Clay(), rng.uniform
    wide, tall, middle = u(0.16, 0.32), u(0.2, 0.34), u(0.36, 0.52)
    clay.ball((0, 0, middle), (wide * u(0.9, 1.3), wide, tall))
    size = u(0.1, 0.18)
    head = np.array([u(0.02, 0.28), u(-0.06, 0.06), 1 - size])
    clay.limb((0.05, 0, middle + 0.5 * tall), head, u(0.07, 0.16), size * 0.8)
    clay.ball(head, size)
    clay.limb(head, head + by(u(0.1, 0.35), u(-0.03, 0.03), u(-0.15, 0.03)), u(0.04, 0.09), u(0.02, 0.05))
    apart, leg_thick = u(0.07, 0.2), u(0.05, 0.1)
    long, behind, flat = u(0.06, 0.33), u(0.0, 0.1), u(0.03, 0.07)
    for side in (-1, 1):
        foot = by(u(-0.06, 0.1), side * apart, flat)
        clay.limb((0, side * apart * 0.8, middle - 0.5 * tall), foot, leg_thick * u(1, 1.4), leg_thick)
        clay.ball(
            foot + by(0.5 * (long - behind), 0, 0), (leg_thick + 0.5 * (long + behind), u(0.06, 0.13), flat)
        )
        wing = by(u(-0.12, 0.08), side * (wide + u(0.0, 0.2)), middle + u(-0.1, 0.15))
        clay.limb((0, side * wide * 0.8, middle + 0.4 * tall), wing, u(0.05, 0.12), u(0.04, 0.09))
    if rng.random() < 0.75:
        tail(clay, rng, by(-wide, 0, middle - u(0, 0.6) * tall), u(0.06, 0.14))
    return clay.figure("beast", height)


def long_tailed(rng: np.random.Generator, height: float) -> Figure:
    """A dragon or dinosaur on four short legs or two, neck raised, its heavy tail dragged along the table."""
    clay, u = Clay(), rng.uniform
    long, deep, back = u(0.15, 0.4), u(0.16, 0.26), u(0.28, 0.48)
    clay.ball((0, 0, back), (long + 0.1, deep * u(0.8, 1.2), deep))
    size, top = u(0.08, 0.15), u(0.75, 1.0)
    neck = by(long + u(0.0, 0.2), u(-0.06, 0.06), (back + top) / 2 + u(-0.05, 0.1))
    head = by(neck[0] + u(0.0, 0.25), neck[1] + u(-0.05, 0.05), top - size)
    clay.limb((long * 0.7, 0, back + 0.1), neck, deep * 0.7, u(0.08, 0.13))
    clay.limb(neck, head, u(0.08, 0.12), size)
    clay.limb(head, head + by(u(0.1, 0.28), 0, u(-0.12, 0.03)), size * 0.9, size * u(0.4, 0.8))
    bend, drag, thick = np.radians(u(-110, 110)), u(0.3, 1.0), deep * u(0.4, 0.8)
    way, before = np.pi, by(-long * 0.8, 0, back)
    for share in np.linspace(0, 1, 8)[1:]:
        way += bend * u(0.5, 1.5) / 7
        low = thick * (1.0 - 0.65 * share)
        at = by(before[0] + drag / 7 * np.cos(way), before[1] + drag / 7 * np.sin(way), 0)
        at[2] = low * 0.8 + max(0.0, 1 - 2.2 * share) * (back - low)
        clay.limb(before, at, thick * (1.1 - 0.65 * share), low)
        before = at
    if rng.random() < 0.6:
        for place in np.linspace(-long, long * 0.8, int(rng.integers(3, 7))):
            spike = by(place, 0, back + deep * np.sqrt(max(0.1, 1 - (place / (long + 0.1)) ** 2)))
            clay.limb(spike, spike + by(-0.03, 0, u(0.03, 0.14)), 0.05, 0.025)
    if rng.random() < 0.4:
        for side in (-1, 1):
            tip = by(-u(0.0, 0.3), side * u(0.25, 0.6), back + u(0.1, 0.45))
            for k in range(3):
                root = by(-0.08 * k, side * deep * 0.5, back + 0.7 * deep)
                clay.limb(root, tip + by(-0.13 * k, -side * 0.08 * k, -0.05 * k), 0.04, 0.03)
    apart, leg_thick, reach = u(0.1, 0.24), u(0.07, 0.12), u(0.5, 0.95)
    for fore in (-1, 1) if rng.random() < 0.7 else (0.3,):
        for side in (-1, 1):
            foot = by(fore * long * reach + u(-0.04, 0.06), side * apart * u(0.9, 1.2), 0.05)
            clay.limb((fore * long * 0.7, side * deep * 0.6, back), foot, leg_thick * 1.2, leg_thick * 0.8)
            clay.ball(foot + by(u(0.01, 0.08), 0, 0), (leg_thick * u(0.9, 1.5), leg_thick, 0.055))
    return clay.figure("beast", height)


def upright_sitter(rng: np.random.Generator, height: float) -> Figure:
    """A cat, dog or rabbit that sits upright, its tail laid around it on the table, or none."""
    clay, u = Clay(), rng.uniform
    rump, lean, chest = u(0.15, 0.26), u(0.08, 0.28), u(0.45, 0.62)
    clay.limb((0, 0, rump * 0.9), (lean, 0, chest), rump, rump * u(0.55, 0.8))
    size = u(0.11, 0.2)
    head = by(lean + u(-0.03, 0.15), u(-0.06, 0.06), 1 - u(0.8, 1.8) * size)
    clay.limb((lean, 0, chest), head, size * 0.8, size * 0.8)
    clay.ball(head, size * rng.uniform(0.85, 1.2, 3))
    clay.limb(head, head + by(u(0.05, 0.25), 0, u(-0.1, 0.0)), size * 0.6, size * u(0.3, 0.5))
    fore, apart, thick = lean + u(0.02, 0.2), u(0.05, 0.13), u(0.05, 0.09)
    for side in (-1, 1):
        clay.limb((lean, side * apart, chest - 0.05), (fore, side * apart, 0.05), thick * 1.2, thick)
        clay.ball((fore + u(0, 0.06), side * apart, 0.045), (thick * u(1, 1.6), thick, 0.05))
        hind = by(u(-0.12, 0.1), side * rump * u(0.7, 1.1), 0.12)
        clay.ball(hind, (u(0.13, 0.22), u(0.08, 0.13), u(0.1, 0.18)))
        toes = by(hind[0] + u(0.05, 0.25), side * (rump + u(-0.02, 0.08)), 0.05)
        clay.limb((hind[0], hind[1], 0.06), toes, 0.055, 0.05)
        if rng.random() < 0.8:
            ear = head + by(u(-0.06, 0.03), side * u(0.4, 0.8) * size, 0.6 * size)
            clay.limb(
                ear,
                ear + by(u(-0.1, 0.05), side * u(-0.02, 0.12), u(-0.1, 0.35)),
                u(0.04, 0.07),
                u(0.02, 0.06),
            )
    if rng.random() < 0.7:
        way, at, long = np.pi + u(-0.6, 0.6), by(-rump * 0.9, 0, 0.08), u(0.2, 0.8)
        bend, up = rng.choice([-1, 1]) * u(0, 2.6), 0.0 if rng.random() < 0.7 else u(0, 0.4)
        for _ in range(6):
            way += bend / 6
            end = at + by(long / 6 * np.cos(way), long / 6 * np.sin(way), up / 6)
            clay.limb(at, end, u(0.05, 0.065), u(0.04, 0.06))
            at = end
    return clay.figure("beast", height)


def crawling(rng: np.random.Generator, height: float) -> Figure:
    """What lies on its belly: seal, fish, snail, caterpillar, crocodile; perhaps with fins or a shell."""
    clay, u = Clay(), rng.uniform
    long, thick, bend = u(0.35, 0.9), u(0.14, 0.32), u(-0.25, 0.25)
    raised, end = u(0.0, 0.6), u(0.3, 0.9)
    for share in np.linspace(0, 1, 9):
        x, radius = (share - 0.5) * 2 * long, thick * (end + (1 - end) * min(1.0, 2 * share))
        up = raised * max(0.0, share - 0.55) / 0.45
        clay.ball((x * (1 - 0.3 * up), bend * (2 * share - 1) ** 2, radius * 0.8 + up), radius)
    head = clay.centres[-1] + by(u(0.0, 0.2), u(-0.06, 0.06), u(0.0, 0.2))
    clay.ball(head, thick * rng.uniform(0.7, 1.2, 3))
    clay.limb(head, head + by(u(0.05, 0.3), 0, u(-0.1, 0.05)), thick * 0.6, thick * u(0.2, 0.5))
    if rng.random() < 0.5:
        clay.ball((u(-0.4, 0.3) * long, 0, thick + u(0.0, 0.3)), rng.uniform(0.15, 0.5, 3) * (1, 0.7, 1))
    for side in (-1, 1):
        if rng.random() < 0.5:
            fin = by(u(-0.2, 0.6) * long, side * thick, thick * 0.7)
            clay.limb(fin, fin + by(u(-0.2, 0.1), side * u(0.1, 0.35), 0.06 - fin[2]), 0.07, 0.05)
        if rng.random() < 0.4:
            clay.limb(head, head + by(u(-0.05, 0.15), side * u(0.05, 0.2), u(0.1, 0.35)), 0.05, u(0.03, 0.06))
    if rng.random() < 0.5:
        last = clay.centres[0] + by(-u(0.05, 0.3), u(-0.15, 0.15), u(-0.1, 0.4))
        clay.limb(clay.centres[0], last, thick * end * 0.8, 0.05)
    return clay.figure("beast", height)


def rearing(rng: np.random.Generator, height: float) -> Figure:
    """An animal on its hind legs, paws in the air, perhaps on its tail as well: bear, kangaroo."""
    clay, u = Clay(), rng.uniform
    hip = np.array([u(-0.1, 0.05), 0, u(0.25, 0.45)])
    chest = hip + by(u(0.0, 0.35), 0, u(0.25, 0.4))
    belly = u(0.13, 0.24)
    clay.limb(hip, chest, belly, belly * u(0.6, 1.0))
    size = u(0.1, 0.19)
    head = chest + by(u(0.0, 0.3), u(-0.05, 0.05), u(0.12, 0.3))
    clay.limb(chest, head, belly * 0.7, size * 0.8)
    clay.ball(head, size)
    clay.limb(head, head + by(u(0.08, 0.32), 0, u(-0.1, 0.05)), size * 0.7, size * u(0.35, 0.7))
    thick = u(0.07, 0.13)
    for side in (-1, 1):
        foot = np.array([hip[0] + u(-0.02, 0.15), side * u(0.08, 0.24), 0.0])
        leg(clay, rng, hip + by(0, side * belly * 0.6, 0), foot, thick)
        paw = chest + by(u(0.08, 0.35), side * u(0.05, 0.3), u(-0.2, 0.2))
        clay.limb(chest + by(0.03, side * belly * 0.7, 0), paw, thick * 0.8, thick * u(0.6, 0.9))
        if rng.random() < 0.6:
            ear = head + by(-0.02, side * 0.6 * size, 0.7 * size)
            clay.limb(ear, ear + by(u(-0.06, 0.03), side * u(0, 0.1), u(0.0, 0.22)), 0.05, 0.035)
    tail(clay, rng, hip + by(-belly, 0, -0.05), u(0.07, 0.16))
    return clay.figure("beast", height)
