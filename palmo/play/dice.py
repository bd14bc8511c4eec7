"""Digital dice: the only chance in Palmo, seeded, and its seed is in the log."""

from __future__ import annotations

import random
import secrets
from collections.abc import Sequence

from rules.engine.request import Pool


class DigitalDice:
    """Fair dice from a seed. The same seed and the same rolls give the same faces."""

    def __init__(self, seed: int | None = None) -> None:
        self.seed = secrets.randbits(48) if seed is None else seed
        self._random = random.Random(self.seed)

    def roll(self, pools: Sequence[Pool]) -> list[int]:
        """The faces of all pools in order, as one flat list."""
        return [self._random.randint(1, pool.faces) for pool in pools for _ in range(pool.count)]
