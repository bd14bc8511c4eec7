"""More makers of plasticine figures: what a learned prior is taught with, so that it has seen many builds.

Each maker takes a random generator and a height in cm and gives a figure of one class (`datasets.figures`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np

from datasets.figures import HEIGHTS, Figure, absurd, beast, humanoid, thickened
from datasets.makers import absurds, beasts, humanoids

Maker = Callable[[np.random.Generator, float], Figure]

# A figure longer or wider than so many of its heights is told apart from a fighter (`vision.measuring.told`).
_MOST_EXTENT = 2.3


MORE_MAKERS: Mapping[str, Maker] = MappingProxyType(
    {
        "humanoid": humanoid,
        "stout": humanoids.stout,
        "lunging": humanoids.lunging,
        "robed": humanoids.robed,
        "based": humanoids.based,
        "beast": beast,
        "sturdy": beasts.sturdy,
        "lizard": beasts.lizard,
        "sitting": beasts.sitting,
        "winged": beasts.winged,
        "absurd": absurd,
        "pile": absurds.pile,
        "standing_thing": absurds.standing_thing,
        "coiled": absurds.coiled,
        "kneeling": humanoids.kneeling,
        "big_headed": humanoids.big_headed,
        "stooping": humanoids.stooping,
        "armed": humanoids.armed,
        "legged": beasts.legged,
        "upright_bird": beasts.upright_bird,
        "long_tailed": beasts.long_tailed,
        "upright_sitter": beasts.upright_sitter,
        "crawling": beasts.crawling,
        "rearing": beasts.rearing,
        "vessel": absurds.vessel,
        "boxy": absurds.boxy,
        "branching": absurds.branching,
        "upright_stroke": absurds.upright_stroke,
        "monster": absurds.monster,
    }
)


def made(rng: np.random.Generator, name: str) -> Figure:
    """A figure by a maker that does not fall over, in a height usual for its class or taller, with thinner or
    thicker parts."""
    while True:
        kind = MORE_MAKERS[name](rng, 1.0).kind
        low, high = HEIGHTS[kind]
        figure = MORE_MAKERS[name](rng, rng.uniform(low, max(high, 13.0)))
        figure = thickened(
            figure, rng.uniform(0.85, 1.6 if name in ("humanoid", "beast", "absurd") else 1.25)
        )
        if figure.stands and extent(figure) < _MOST_EXTENT * figure.height:
            return figure


def extent(figure: Figure) -> float:
    """How long or wide a figure is at most, in cm, along its axes."""
    half = np.linalg.norm(np.linalg.inv(figure.shapes), axis=2)[:, :2]
    size = (figure.centres[:, :2] + half).max(axis=0) - (figure.centres[:, :2] - half).min(axis=0)
    return float(size.max())
