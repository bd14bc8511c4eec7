"""The fast preview: the same geometry and truth, one ray a quarter pixel, no shadows, flat lamps."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera
from datasets.render.colours import lamp
from datasets.render.furniture import furniture
from datasets.render.ground import FLOOR, TABLE_Z_CM, Ground, mat_and_table
from datasets.render.meshes import Array
from datasets.render.raster import NOTHING, Layer, draw
from datasets.render.timeline import State, Timeline

FURNITURE, HAND = 1000, 2000
"""Labels: fighters are numbered in the order of the scene file from 0; `raster.NOTHING` is table and mat."""
_SKY_BELOW = 0.45
# Rays are bent exactly at every such pixel; between them the table runs evenly enough (under 0.001 cm).
_NODE_PX = 4
_NOWHERE_CM = 1e6


@dataclass(frozen=True, eq=False)
class Preview:
    """Renders states of one scene. `finer` is how many rays there are along a pixel's side."""

    timeline: Timeline
    finer: int = 2
    _kept: dict[tuple[float, ...], Layer] = field(default_factory=dict)

    def picture(self, state: State) -> NDArray[np.float32]:
        """Linear RGB (H, W, 3)."""
        camera = _finer(state.camera, self.finer)
        layer = self._with_movers(self._still(camera).copy(), camera, state)
        light = self._light(state, layer.normal)
        return _coarser(np.asarray(layer.colour * light, np.float32), self.finer)

    def labels(self, state: State) -> NDArray[np.int32]:
        """Which fighter, furniture or hand is nearest at every pixel's middle (H, W)."""
        layer = Layer.empty(state.camera.size)
        self._furnish(layer, state.camera)
        return self._with_movers(layer, state.camera, state).label

    def _with_movers(self, layer: Layer, camera: Camera, state: State) -> Layer:
        for number, (id_, figure) in enumerate(self.timeline.figures.items()):
            stand = state.stands[id_]
            draw(layer, figure.mesh.moved(stand.rotation, stand.offset), camera, number)
        for hand in state.hands:
            draw(layer, hand.mesh.moved(hand.rotation, hand.offset), camera, HAND)
        return layer

    def _furnish(self, layer: Layer, camera: Camera) -> None:
        for mesh in furniture(self.timeline.scene):
            draw(layer, mesh, camera, FURNITURE)

    def _still(self, camera: Camera) -> Layer:
        """What never moves: furniture, mat, table and floor."""
        key = (*camera.size, *camera.rvec.tolist(), *camera.tvec.tolist())
        if key not in self._kept:
            layer = Layer.empty(camera.size)
            self._furnish(layer, camera)
            self._lay_ground(layer, camera)
            self._kept[key] = layer
        return self._kept[key]

    def _lay_ground(self, layer: Layer, camera: Camera) -> None:
        empty = layer.label == NOTHING
        v, u = (index.astype(np.float32)[None] / _NODE_PX for index in np.nonzero(empty))
        colours = np.tile(np.array(FLOOR, np.float32), (u.size, 1))
        for surface, height in zip(self._grounds, (TABLE_Z_CM, 0.0), strict=True):
            nodes = _nodes_on_plane(camera, height)
            points = _between_nodes(nodes, u, v)
            on, colour = surface.at(points)
            colours[on] = colour[on]
        layer.colour[empty], layer.normal[empty] = colours, (0.0, 0.0, 1.0)

    @cached_property
    def _grounds(self) -> tuple[Ground, Ground]:
        mat, table = mat_and_table(self.timeline.scene)
        return table, mat

    def _light(self, state: State, normals: Array) -> Array:
        """The light (H, W, 3) that falls on surfaces with outward normals (H, W, 3)."""
        normals = normals / np.maximum(np.linalg.norm(normals, axis=-1, keepdims=True), 1e-9)
        light = np.zeros_like(normals)
        for lamp_, level in zip(self.timeline.scene.light, state.lights, strict=True):
            if lamp_.kind == "sky":
                share = _SKY_BELOW + (1 - _SKY_BELOW) * (0.5 + 0.5 * normals[..., 2])
            else:
                way = np.array(lamp_.at_cm) / np.linalg.norm(lamp_.at_cm)
                share = np.clip(normals @ way, 0.0, None) / max(way[2], 0.1)
            light += level * share[..., None] * lamp(lamp_.kelvin)
        return light


def _nodes_on_plane(camera: Camera, height: float) -> NDArray[np.float32]:
    """Where the rays of every _NODE_PX-th pixel meet a height: ring x, y (rows, columns, 2)."""
    width, height_px = camera.size
    v, u = np.mgrid[0 : height_px + _NODE_PX : _NODE_PX, 0 : width + _NODE_PX : _NODE_PX]
    met = camera.to_plane(np.column_stack([u.ravel(), v.ravel()]), height)
    return np.nan_to_num(met, nan=_NOWHERE_CM).reshape(*u.shape, 2).astype(np.float32)


def _between_nodes(nodes: NDArray[np.float32], u: Array, v: Array) -> Array:
    left, top = u[0].astype(int), v[0].astype(int)
    right, down = (u[0] - left)[:, None], (v[0] - top)[:, None]
    above = nodes[top, left] * (1 - right) + nodes[top, left + 1] * right
    below = nodes[top + 1, left] * (1 - right) + nodes[top + 1, left + 1] * right
    return np.asarray(above * (1 - down) + below * down, float)


def _finer(camera: Camera, times: int) -> Camera:
    """The same camera with so many pixels along the side of one; pixel middles stay at whole numbers."""
    K = camera.K.copy()
    K[:2] *= times
    K[:2, 2] += (times - 1) / 2
    return replace(camera, K=K, size=(camera.size[0] * times, camera.size[1] * times))


def _coarser(picture: NDArray[np.float32], times: int) -> NDArray[np.float32]:
    size = (picture.shape[1] // times, picture.shape[0] // times)
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.float32)
