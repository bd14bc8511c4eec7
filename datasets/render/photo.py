"""The photo-real mode: Mitsuba 3 traces paths along the camera's own bent rays, OIDN takes the grain out.

Between two pictures of a carry little changes: only the part of the picture that the hand, the figure and
their shadows can reach is traced again, the rest is kept.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera
from datasets.render.colours import lamp
from datasets.render.furniture import furniture
from datasets.render.ground import FLOOR, FLOOR_Z_CM, TABLE_Z_CM, Ground, mat_and_table
from datasets.render.meshes import Array, Mesh, joined
from datasets.render.scene_file import Light
from datasets.render.timeline import State, Timeline

VARIANT = "llvm_ad_rgb"
_BOUNCES = 3
_CLAY = {"roughness": 0.5, "specular": 0.35}
_SKIN = {"roughness": 0.55, "specular": 0.3}
_WOOD = {"roughness": 0.45, "specular": 0.3}
# No picture reaches farther; what a lens bends past every bound stays a whole number.
_FAR_PX = 1e6


class PhotoError(RuntimeError):
    """The photo-real mode cannot run here: one sentence."""


def mitsuba() -> Any:
    """The renderer, ready to use. Raises PhotoError."""
    try:
        import mitsuba as mi

        mi.set_variant(VARIANT)
        import mitsuba_oidn  # noqa: F401
    except (ImportError, RuntimeError) as error:
        raise PhotoError(
            f"the photo-real mode needs the extra `render` and LLVM ({error}): "
            "pip install -e '.[render]', or use --preview"
        ) from None
    return mi


@dataclass(eq=False)
class Photo:
    """Renders states of one scene."""

    timeline: Timeline
    _last: tuple[bytes, Any] | None = None
    _rays: dict[bytes, tuple[Array, Array, Array]] = field(default_factory=dict)

    def picture(self, state: State, samples: int) -> NDArray[np.float32]:
        """Linear RGB (H, W, 3) of the whole picture from so many paths a pixel."""
        width, height = state.camera.size
        return self.part([state], (0, 0, width, height), samples)

    def part(
        self, states: list[State], where: tuple[int, int, int, int], samples: int
    ) -> NDArray[np.float32]:
        """Linear RGB of the pixels (u, v, width, height), the mean of several states, denoised."""
        import mitsuba_oidn

        each = max(1, round(samples / len(states)))
        shares = [self._traced(state, where, each, seed) for seed, state in enumerate(states)]
        colour, albedo, normal = (np.mean([share[k] for share in shares], axis=0) for k in range(3))
        quality = mitsuba_oidn.Quality.Balanced
        return np.asarray(mitsuba_oidn.denoise(colour, albedo, normal, hdr=True, quality=quality), np.float32)

    def labels(self, state: State) -> NDArray[np.int32]:
        """Which fighter (numbered from 0) is nearest at every pixel's middle (H, W); -1 where none is."""
        mi = mitsuba()
        width, height = state.camera.size
        scene, figures = self._scene(state)
        way = _vectors(mi, self._directions(state.camera)[0].reshape(-1, 3))
        hit = scene.ray_intersect_preliminary(_rays(mi, state.camera, way))
        found = np.full(width * height, -1, np.int32)
        on = np.array(hit.shape == mi.ShapePtr(figures)) & np.array(hit.is_valid())
        ends = np.cumsum([len(mesh.faces) for mesh in self._figures(state)])
        found[on] = np.searchsorted(ends, np.array(hit.prim_index)[on], side="right")
        return found.reshape(height, width)

    def _traced(
        self, state: State, where: tuple[int, int, int, int], samples: int, seed: int
    ) -> tuple[NDArray[np.float32], ...]:
        """Colour, albedo and normal (h, w, 3) each."""
        import drjit

        mi = mitsuba()
        u, v, width, height = where
        scene, _ = self._scene(state)
        parts = (d[v : v + height, u : u + width].reshape(-1, 3) for d in self._directions(state.camera))
        pixel = drjit.repeat(drjit.arange(mi.UInt32, width * height), samples)
        middle, right, down = (drjit.gather(mi.Vector3f, _vectors(mi, part), pixel) for part in parts)
        sampler = mi.load_dict({"type": "independent"})
        sampler.seed(seed, width * height * samples)
        off = sampler.next_2d() - 0.5
        way = drjit.normalize(middle + off.x * right + off.y * down)
        colour, _, values = self._integrator.sample(scene, sampler, _rays(mi, state.camera, way))
        # albedo and normal come after the colour (red, green, blue, alpha)
        wanted = [*colour, *values[4:10]]
        # all in one go, or each would be traced anew
        drjit.eval(wanted)
        means = [np.array(c).reshape(height, width, samples).mean(axis=2) for c in wanted]
        return tuple(np.nan_to_num(np.stack(means[k : k + 3], -1)) for k in (0, 3, 6))

    @cached_property
    def _integrator(self) -> Any:
        mi = mitsuba()
        inner = {"type": "path", "max_depth": _BOUNCES}
        return mi.load_dict({"type": "aov", "aovs": "alb:albedo,nn:sh_normal", "image": inner})

    def _directions(self, camera: Camera) -> tuple[Array, Array, Array]:
        """Ray directions (H, W, 3) of the pixels' middles, and how they change per pixel right and down."""
        key = camera.rvec.tobytes() + camera.tvec.tobytes()
        if key not in self._rays:
            width, height = camera.size
            v, u = np.mgrid[-1 : height + 1, -1 : width + 1]
            rays = camera.rays(np.column_stack([u.ravel(), v.ravel()])).reshape(*u.shape, 3)
            right, down = (rays[1:-1, 2:] - rays[1:-1, :-2]) / 2, (rays[2:, 1:-1] - rays[:-2, 1:-1]) / 2
            self._rays[key] = (rays[1:-1, 1:-1], right, down)
        return self._rays[key]

    def _scene(self, state: State) -> tuple[Any, Any]:
        """The scene at a state, and the one shape in it that is all its figures."""
        mi = mitsuba()
        # one mesh for all: every material less makes the kernel smaller
        figures = self._figures_shape(state)
        moving = {"figures": figures}
        if state.hands:
            hands = joined([hand.mesh.moved(hand.rotation, hand.offset) for hand in state.hands])
            moving["hands"] = _mesh(mi, "hands", hands, _SKIN)
        lights = {
            f"light_{k}": _light(mi, light, level)
            for k, (light, level) in enumerate(zip(self.timeline.scene.light, state.lights, strict=True))
            if level > 0
        }
        return mi.load_dict({"type": "scene", **self._still, **moving, **lights}), figures

    def _figures_shape(self, state: State) -> Any:
        """All figures as one shape; the last one again while nobody moves."""
        key = b"".join(s.rotation.tobytes() + s.offset.tobytes() for s in state.stands.values())
        if self._last is None or self._last[0] != key:
            self._last = (key, _mesh(mitsuba(), "figures", joined(self._figures(state)), _CLAY))
        return self._last[1]

    def _figures(self, state: State) -> list[Mesh]:
        return [
            figure.mesh.moved(state.stands[id_].rotation, state.stands[id_].offset)
            for id_, figure in self.timeline.figures.items()
        ]

    @cached_property
    def _still(self) -> dict[str, Any]:
        """What never moves."""
        mi = mitsuba()
        mat, table = mat_and_table(self.timeline.scene)
        things = joined([mesh if mesh.smooth else _faceted(mesh) for mesh in furniture(self.timeline.scene)])
        still = {"things": _mesh(mi, "things", things, _WOOD)}
        still["mat"] = _surface(mi, mat, 0.0, {"type": "diffuse"}, "reflectance")
        still["table"] = _surface(mi, table, TABLE_Z_CM, {"type": "principled", **_WOOD}, "base_color")
        floor = mi.ScalarTransform4f().translate([0, 0, FLOOR_Z_CM]).scale([600, 600, 1])
        bsdf = {"type": "diffuse", "reflectance": {"type": "rgb", "value": list(FLOOR)}}
        still["floor"] = mi.load_dict({"type": "rectangle", "to_world": floor, "bsdf": bsdf})
        return still


def _vectors(mi: Any, values: Array) -> Any:
    return mi.Vector3f(*(np.ascontiguousarray(values[:, k], np.float32) for k in range(3)))


def _rays(mi: Any, camera: Camera, way: Any) -> Any:
    centre = mi.Point3f(*(float(c) for c in camera.centre))
    return mi.RayDifferential3f(mi.Ray3f(centre, way))


def _surface(mi: Any, ground: Ground, height: float, bsdf: dict[str, Any], key: str) -> Any:
    bitmap = mi.Bitmap(np.ascontiguousarray(ground.colours[::-1]))
    half = [ground.size_cm[0] / 2, ground.size_cm[1] / 2, 1]
    place = mi.ScalarTransform4f().translate([0, 0, height]).scale(half)
    texture = {"type": "bitmap", "bitmap": bitmap, "raw": True, "wrap_mode": "clamp"}
    return mi.load_dict({"type": "rectangle", "to_world": place, "bsdf": {**bsdf, key: texture}})


def _mesh(mi: Any, name: str, mesh: Mesh, look: dict[str, float]) -> Any:
    """A mesh whose colours are those of its vertices."""
    colour = {"type": "mesh_attribute", "name": "vertex_color"}
    properties = mi.Properties()
    properties["bsdf"] = mi.load_dict({"type": "principled", "base_color": colour, **look})
    made = mi.Mesh(name, len(mesh.vertices), len(mesh.faces), properties, has_vertex_normals=True)
    made.add_attribute("vertex_color", 3, np.ascontiguousarray(mesh.colours, np.float32).ravel())
    values = mi.traverse(made)
    values["vertex_positions"] = np.ascontiguousarray(mesh.vertices, np.float32).ravel()
    values["vertex_normals"] = np.ascontiguousarray(mesh.normals, np.float32).ravel()
    values["faces"] = np.ascontiguousarray(mesh.faces, np.uint32).ravel()
    values.update()
    return made


def _faceted(mesh: Mesh) -> Mesh:
    flat = mesh.faces.ravel()
    faces = np.arange(len(flat)).reshape(-1, 3)
    return Mesh(mesh.vertices[flat], faces, mesh.colours[flat])


def _light(mi: Any, light: Light, level: float) -> Any:
    """A light that makes a white mat in the middle of the ring show `level`."""
    colour = np.pi * level * lamp(light.kelvin)
    if light.kind == "sky":
        radiance = {"type": "rgb", "value": (colour / np.pi).tolist()}
        return mi.load_dict({"type": "constant", "radiance": radiance})
    away = np.array(light.at_cm)
    distance = float(np.linalg.norm(away))
    slant = max(away[2] / distance, 0.1)
    value = colour * distance**2 / (light.size_cm**2 * slant)
    up = [0, 1, 0] if abs(away[1]) < 0.9 * distance else [1, 0, 0]
    aim = mi.ScalarTransform4f().look_at(origin=away.tolist(), target=[0, 0, 0], up=up)
    place = aim.scale([light.size_cm / 2, light.size_cm / 2, 1])
    emitter = {"type": "area", "radiance": {"type": "rgb", "value": value.tolist()}}
    return mi.load_dict({"type": "rectangle", "to_world": place, "emitter": emitter})


def reach(camera: Camera, points: Array, lights: list[Light], margin: int) -> tuple[int, int, int, int]:
    """The pixels (u, v, width, height) that things at points (N, 3) and their shadows can change.

    An arm that reaches past the camera is beyond any pixel there: a lens's terms grow without end.
    """
    seen = [camera.project(points)]
    above = points[points[:, 2] > 0.05]
    for light in lights:
        if light.kind != "area" or not len(above):
            continue
        for corner in np.array([[-1, -1], [1, -1], [-1, 1], [1, 1]]) * light.size_cm / 2:
            source = np.array(light.at_cm) + [*corner, 0.0]
            high = np.minimum(above[:, 2:], source[2] - 10.0)
            along = high / (source[2] - high)
            shadow = above[:, :2] + along * (above[:, :2] - source[:2])
            seen.append(camera.project(np.column_stack([shadow.clip(-400, 400), np.zeros(len(shadow))])))
    pixels = np.concatenate(seen).clip(-_FAR_PX, _FAR_PX)
    low = np.floor(pixels.min(axis=0)).astype(int) - margin
    high_ = np.ceil(pixels.max(axis=0)).astype(int) + margin
    (u0, v0), (u1, v1) = low.clip(0, camera.size), high_.clip(0, camera.size)
    return int(u0), int(v0), int(u1 - u0), int(v1 - v0)


def feathered(inner: NDArray[np.float32], whole: NDArray[np.float32], u: int, v: int, soft: int) -> None:
    """Lay a part into the whole at (u, v), running softly into it but at the picture's own border."""
    height, width = inner.shape[:2]
    mask = np.pad(np.ones((height, width), np.uint8), 1)
    top, left = v == 0, u == 0
    bottom, right = v + height == whole.shape[0], u + width == whole.shape[1]
    mask[0], mask[-1], mask[:, 0], mask[:, -1] = top, bottom, left, right
    share = np.clip(cv2.distanceTransform(mask, cv2.DIST_L2, 5)[1:-1, 1:-1] / soft, 0, 1)[..., None]
    old = whole[v : v + height, u : u + width]
    old += share * (inner - old)
