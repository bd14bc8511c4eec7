"""A z-buffer without a graphics card: small triangles, all pixels of their boxes tried at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.camera import Array, Camera
from datasets.render.meshes import Mesh

NOTHING = -1
_BOXES = (2, 4, 8, 16, 32, 64)
_MOST_TESTS = 3_000_000
# A triangle is drawn when all of it is so far before the camera.
_NEAREST_CM = 1.0


@dataclass(eq=False)
class Layer:
    """What is nearest at every pixel: depth along the view and label (H, W), colour and normal (H, W, 3)."""

    depth: NDArray[np.float64]
    label: NDArray[np.int32]
    colour: NDArray[np.float64]
    normal: NDArray[np.float64]

    @classmethod
    def empty(cls, size: tuple[int, int]) -> Layer:
        """A picture (width, height) of nothing, endlessly far away."""
        shape = (size[1], size[0])
        return cls(
            np.full(shape, np.inf), np.full(shape, NOTHING, np.int32),
            np.zeros((*shape, 3)), np.zeros((*shape, 3)),
        )  # fmt: skip

    def copy(self) -> Layer:
        """The same picture, to draw on."""
        return Layer(self.depth.copy(), self.label.copy(), self.colour.copy(), self.normal.copy())


def draw(layer: Layer, mesh: Mesh, camera: Camera, label: int) -> None:
    """Put a mesh (ring frame) into a layer of the camera's size, in front of what is further away."""
    seen = camera.project(mesh.vertices)
    depth = mesh.vertices @ camera.rotation[2] + camera.tvec[2]
    corners = seen[mesh.faces]
    low, high = np.ceil(corners.min(axis=1)), np.floor(corners.max(axis=1))
    width, height = camera.size
    side = (high - low).max(axis=1) + 1
    facing = _turned(corners) < 0  # v runs down: what is seen from outside runs clockwise in numbers
    shown = (
        facing & (depth[mesh.faces].min(axis=1) > _NEAREST_CM) & (high >= low).all(axis=1)
        & (high >= 0).all(axis=1) & (low[:, 0] < width) & (low[:, 1] < height) & (side <= _BOXES[-1])
    )  # fmt: skip
    # What is beside the camera or behind it falls anywhere, endlessly far too, and has no pixel.
    first = np.where(shown[:, None], low, 0.0).astype(int)
    least = 0
    for box in _BOXES:
        chosen = np.flatnonzero(shown & (side > least) & (side <= box))
        for part in np.array_split(chosen, max(1, len(chosen) * box * box // _MOST_TESTS + 1)):
            if len(part):
                _fill(layer, mesh, corners, depth, first, part, box, label)
        least = box


def _turned(corners: Array) -> Array:
    a, b = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    return np.asarray(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0])


def _fill(
    layer: Layer, mesh: Mesh, corners: Array, depth: Array, low: NDArray[np.int64],
    part: NDArray[np.int64], box: int, label: int,
) -> None:  # fmt: skip
    """Try the box x box pixels of every triangle of a part."""
    steps = np.stack(np.meshgrid(np.arange(box), np.arange(box)), axis=-1).reshape(-1, 2)
    pixels = low[part][:, None] + steps
    a, b, c = (corners[part, k][:, None] for k in range(3))
    area = _turned(corners[part])[:, None]
    weights = np.stack([_cross(b, c, pixels), _cross(c, a, pixels), _cross(a, b, pixels)], axis=-1)
    weights /= area[..., None]
    height, width = layer.depth.shape
    inside = (weights >= 0).all(axis=-1) & (pixels >= 0).all(axis=-1)
    inside &= (pixels[..., 0] < width) & (pixels[..., 1] < height)
    row, which = np.nonzero(inside)
    if not len(row):
        return
    shares, where, faces = weights[row, which], pixels[row, which], mesh.faces[part[row]]
    # one over the depth is what runs evenly over the picture
    away = 1.0 / (shares / depth[faces]).sum(axis=1)
    order = np.argsort(-away, kind="stable")
    u, v = where[order].T
    nearer = away[order] < layer.depth[v, u]
    order, u, v = order[nearer], u[nearer], v[nearer]
    # the last written of one pixel is the nearest
    layer.depth[v, u] = away[order]
    layer.label[v, u] = label
    chosen, share = faces[order], shares[order][..., None]
    layer.colour[v, u] = (mesh.colours[chosen] * share).sum(axis=1)
    if mesh.smooth:
        layer.normal[v, u] = (mesh.normals[chosen] * share).sum(axis=1)
    else:
        first, second, third = (mesh.vertices[chosen[:, k]] for k in range(3))
        layer.normal[v, u] = np.cross(second - first, third - first)


def _cross(a: Array, b: Array, points: NDArray[np.int64]) -> Array:
    """Twice the area of the triangles (a, b, point)."""
    along = b - a
    return np.asarray(
        along[..., 0] * (points[..., 1] - a[..., 1]) - along[..., 1] * (points[..., 0] - a[..., 0])
    )
