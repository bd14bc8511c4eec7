"""What stands about and never moves: posts, ropes, boxes, cups and balls."""

from __future__ import annotations

import numpy as np

from calibration.ring import CORNER_SIGNS
from datasets.render.clay import Clay, sculpt
from datasets.render.colours import linear
from datasets.render.meshes import Array, Mesh, box, cylinder, tube, turn
from datasets.render.scene_file import Ring, Scene, Thing

_ROPE_RADIUS_CM = 0.2
_ROPE_PIECES = 48


def furniture(scene: Scene) -> list[Mesh]:
    """All posts, ropes and things of a scene, where they stand."""
    return [*posts(scene.ring), *_ropes(scene.ring), *(_thing(thing) for thing in scene.thing)]


def posts(ring: Ring) -> list[Mesh]:
    """The four posts, far-left, far-right, near-right, near-left."""
    size = np.array([ring.post_width_cm, ring.post_width_cm, ring.post_height_cm])
    post = box(size, linear(ring.post_colour))
    return [post.moved(np.eye(3), foot) for foot in post_feet(ring)]


def post_feet(ring: Ring) -> Array:
    """Where the middles of the posts stand, (4, 3) in cm."""
    half = np.array([ring.width_cm, ring.depth_cm]) / 2 + ring.post_offset_cm
    return np.column_stack([CORNER_SIGNS * half, np.zeros(4)])


def _ropes(ring: Ring) -> list[Mesh]:
    feet, share = post_feet(ring), np.linspace(0, 1, _ROPE_PIECES + 1)[:, None]
    ropes = []
    for rope in ring.rope:
        for k in range(4):
            points = feet[k] + share * (feet[(k + 1) % 4] - feet[k]) + [0.0, 0.0, rope.height_cm]
            ropes.append(tube(points, _ROPE_RADIUS_CM, linear(rope.colour)))
    return ropes


def _thing(thing: Thing) -> Mesh:
    colour, size = linear(thing.colour), np.array(thing.size_cm)
    if thing.kind == "box":
        mesh = box(size, colour, piece_cm=2.0)
    elif thing.kind == "cup":
        mesh = cylinder(float(size[0]) / 2, float(size[2]), colour)
    else:
        clay = Clay()
        clay.lump((0.0, 0.0, size[2] / 2), size / 2)
        mesh = sculpt(clay, np.random.default_rng(0), float(size.min()) / 16, np.tile(colour, (3, 1)))
    return mesh.moved(turn(thing.turn_deg), np.array([*thing.at_cm, 0.0]))
