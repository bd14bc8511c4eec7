"""A hand that holds something with its finger tips, and the arm behind it.

In its own frame the hand holds the origin from above; the arm runs along +x and rises.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from datasets.render.clay import Clay, sculpt
from datasets.render.colours import linear
from datasets.render.meshes import Mesh

_STEP_CM, _BLEND_CM = 0.42, 0.8
_KNUCKLES = ((-3.1, 0.92), (-1.0, 1.0), (1.1, 1.03), (3.1, 0.95))
_ELBOW_CM, _SHOULDER_CM = (64.0, 0.0, 25.0), (114.0, 0.0, 50.0)
_NAIL = (0.75, 0.52, 0.44)


@lru_cache(maxsize=16)
def make_hand(skin: str, sleeve: str | None, seed: int) -> Mesh:
    """A hand and forearm of a skin colour, with or without a sleeve; the seed varies the fingers."""
    rng = np.random.default_rng(seed)
    clay, u = Clay(blend_cm=_BLEND_CM), rng.uniform
    for y, long in _KNUCKLES:
        knuckle = np.array([4.2 * long, y, 4.6])
        joint = np.array([-0.4 * long, 0.92 * y + u(-0.3, 0.3), 5.2 + u(-0.4, 0.3)])
        tip = np.array([-2.4, 0.62 * y, 1.0 + 1.2 * abs(y) / 3 + u(-0.3, 0.3)])
        clay.roll(knuckle, joint, 1.05, 0.95)
        clay.roll(joint, tip, 0.92, 0.72)
    clay.roll((9.5, -2.6, 3.9), (5.6, -3.0, 2.2), 1.6, 1.2)
    clay.roll((5.6, -3.0, 2.2), (2.4, -0.8, 0.6), 1.1, 0.8)
    clay.lump((7.6, 0.0, 4.6), (5.2, 4.1, 1.75))
    clay.roll((10.5, 0.0, 4.7), (15.0, 0.0, 5.6), 2.5, 2.4)
    clay.roll((15.0, 0.5, 5.6), (40.0, 0.8, 15.3), 2.5, 3.7)
    clay.roll((15.0, -0.5, 5.6), _ELBOW_CM, 2.5, 4.6)
    clay.roll(_ELBOW_CM, _SHOULDER_CM, 4.6, 5.5)
    if sleeve is not None:
        clay.roll((u(22, 34), 0.0, 10.5), _ELBOW_CM, 4.0, 5.6, tint=1)
        clay.roll(_ELBOW_CM, _SHOULDER_CM, 5.6, 6.5, tint=1)
    tints = np.array([linear(skin), linear(sleeve or skin), _NAIL])
    hand = sculpt(clay, rng, _STEP_CM, tints, soled=False)
    # asked for once, they turn with the hand
    _ = hand.normals
    return hand
