"""Drawing scenes by lot: `python -m datasets.render.draw --seed 7 --out DIR` writes DIR/scene.toml.

Rings, cameras, lights, figures and carries follow from the seed. What must be so is said with --camera,
--carries, --fighters and so on; the written file can be changed by hand before it is rendered.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from calibration.ring import CORNER_SIGNS
from datasets.render.figure import make_figure, middle
from datasets.render.meshes import Array
from datasets.render.scene_file import CameraSection, Scene
from datasets.render.timeline import camera_of

CAMERAS = {
    # tilt from the vertical in degrees, distance in cm
    "oblique": ((28.0, 42.0), (125.0, 165.0)),
    "overhead": ((2.0, 12.0), (110.0, 170.0)),
    "near": ((20.0, 38.0), (85.0, 105.0)),
    "far": ((15.0, 40.0), (190.0, 260.0)),
}
PALETTE = (
    "#b3221c", "#e2a70f", "#2a4b9b", "#4d9a38", "#e06a14", "#5b3a26", "#e9e5dc", "#6b3f94", "#1f9a94",
    "#d86f92", "#26262a", "#7fb6dd",
)  # fmt: skip
_MATS = (
    ("felt", "#d9d3c1", "#c3bca6"), ("felt", "#7f9a86", "#6b8573"), ("plain", "#9a9b98", "#9a9b98"),
    ("checked", "#cfc8b4", "#b4ad99"), ("logo", "#d5d0c4", "#a9564c"), ("striped", "#a9b4ba", "#97a3aa"),
    ("felt", "#c9c6c0", "#b5b2ac"),
)  # fmt: skip
_ROPES = (("#b02222", "#e4e4e4", "#2338a0"), ("#e8e8e8",) * 3, ("#c8a020", "#c8a020"), ("#1d1d20",) * 3, ())
_TABLES = (
    ("wood", "#b08352"),
    ("wood", "#7c573a"),
    ("wood", "#c9ab80"),
    ("plain", "#8d8f93"),
    ("cloth", "#b9b4ab"),
)
_POSTS = ("#8a6a45", "#3a3a3e", "#c8c4ba", "#8f2a24")
_SKINS = ("#d6a184", "#c68e74", "#9a6648", "#6f4630")
_SLEEVES = (None, None, "#3b4a66", "#50504c", "#7d2f33")
_HEIGHTS = {"humanoid": (10.5, 14.5), "beast": (6.5, 10.5), "absurd": (7.0, 11.0)}
_WIDEST_CM = 13.0
_MARGIN = 0.035
_FIRST_S, _EVERY_S, _HOLD_S, _REACH_S, _REST_S = 1.0, 1.35, (0.8, 1.0), 0.4, 1.0
_TRIES = 4000


class Lot:
    """Draws the tables of one scene; what is drawn otherwise is overridden."""

    def __init__(self, seed: int, wanted: argparse.Namespace) -> None:
        self.rng, self.wanted, self.seed = np.random.default_rng([seed, 77]), wanted, seed

    def pick(self, choices: Sequence[Any]) -> Any:
        """One of them."""
        return choices[int(self.rng.integers(len(choices)))]

    def between(self, low: float, high: float, digits: int = 1) -> float:
        """A rounded number."""
        return round(float(self.rng.uniform(low, high)), digits)

    def scene(self) -> dict[str, Any]:
        """All tables."""
        ring, size = self.ring(), [int(n) for n in self.wanted.size.split("x")]
        fighters = self.fighters(ring)
        scene: dict[str, Any] = {"seed": self.seed}
        carries = self.carries(fighters, ring)
        if self.wanted.carries:
            scene["seconds"] = round(carries[-1]["end_s"] + _REST_S, 1)
        kind, colour = self.pick(_TABLES)
        scene |= {
            "ring": ring,
            "table": {"width_cm": self.between(140, 190, 0), "depth_cm": self.between(105, 130, 0),
                      "kind": kind, "colour": colour},
            "camera": self.camera(ring, size),
            "light": self.lights(),
            "picture": {
                "exposure_ev": self.between(-0.35, 0.2, 2), "white_kelvin": self.between(4300, 5800, 0),
                "noise": self.between(0.8, 2.2), "blur_px": self.between(0.35, 0.65, 2),
                "vignette": self.between(0.0, 0.2, 2), "shutter": self.pick((0.1, 0.25, 0.5)),
            },
            "thing": self.things(ring),
            "fighter": fighters,
            "carry": carries,
        }  # fmt: skip
        return scene

    def ring(self) -> dict[str, Any]:
        """A ring of usual size, its mat, posts and ropes."""
        kind, colour, second = self.pick(_MATS)
        width, tall = self.between(60, 80, 0), self.between(11, 17, 0)
        ropes = self.pick(_ROPES)
        heights = [round(tall * (k + 1) / (len(ropes) + 0.4), 1) for k in range(len(ropes))]
        return {
            "width_cm": width,
            "depth_cm": width if self.rng.random() < 0.5 else self.between(60, 74, 0),
            "post_height_cm": tall,
            "post_colour": self.pick(_POSTS),
            "mat": {"kind": kind, "colour": colour, "second": second},
            "rope": [{"height_cm": h, "colour": c} for h, c in zip(heights, ropes, strict=True)],
        }

    def camera(self, ring: dict[str, Any], size: list[int]) -> dict[str, Any]:
        """A camera whose focal length lets the ring just fill the picture."""
        tilts, distances = CAMERAS[self.wanted.camera]
        tilt, side = np.radians(self.rng.uniform(*tilts)), np.radians(self.rng.uniform(-18, 18))
        away = np.array([np.sin(tilt) * np.sin(side), -np.sin(tilt) * np.cos(side), np.cos(tilt)])
        k1 = self.between(-0.3, 0.05, 3) if self.wanted.k1 is None else self.wanted.k1
        camera = {
            "size": size,
            "at_cm": [round(float(c), 1) for c in away * self.rng.uniform(*distances)],
            "look_at_cm": [self.between(-2, 2), self.between(-1, 4), 3.0],
            "roll_deg": self.between(-4, 4),
            "dist": [k1, round(0.3 * abs(k1), 3), self.between(-0.0006, 0.0006, 5), 0.0003, 0.0],
        }
        half = np.array([ring["width_cm"], ring["depth_cm"]]) / 2
        ground = CORNER_SIGNS * half
        points = np.concatenate(
            [np.column_stack([ground, np.full(4, z)]) for z in (0, ring["post_height_cm"])]
        )
        low, high = 100.0, 4000.0
        for _ in range(30):
            focal = (low + high) / 2
            seen = camera_of(CameraSection.model_validate({**camera, "focal_px": focal})).project(points)
            inside = (seen > _MARGIN * np.array(size)).all() and (seen < (1 - _MARGIN) * np.array(size)).all()
            low, high = (focal, high) if inside else (low, focal)
        return {**camera, "focal_px": round(low, 1)}

    def lights(self) -> list[dict[str, Any]]:
        """A lamp or window, perhaps another, and what the room throws back."""
        lights = []
        # no lamp hangs between the table and a camera that is far away
        high = (280.0, 350.0) if self.wanted.camera == "far" else (150.0, 220.0)
        for share in (0.55, 0.25)[: 1 + int(self.rng.integers(2))]:
            angle, out = self.rng.uniform(0, 2 * np.pi), self.rng.uniform(20, 110)
            lights.append(
                {
                    "kind": "area", "strength": round(share * self.rng.uniform(0.85, 1.15), 2),
                    "kelvin": self.pick((2900.0, 3500.0, 4300.0, 5500.0, 6500.0)),
                    "at_cm": [
                        round(out * np.cos(angle)), round(out * np.sin(angle)), self.between(*high, 0),
                    ],
                    "size_cm": self.pick((18.0, 40.0, 70.0)),
                }
            )  # fmt: skip
        lights.append({"kind": "sky", "strength": self.between(0.25, 0.45, 2), "kelvin": 5800.0})
        return lights

    def things(self, ring: dict[str, Any]) -> list[dict[str, Any]]:
        """A few things beside the ring, left and right."""
        things = []
        for _ in range(int(self.rng.integers(0, 4))):
            side, out = self.pick((-1, 1)), ring["width_cm"] / 2 + self.rng.uniform(9, 18)
            kind = self.pick(("box", "cup", "ball"))
            size = {
                "box": [self.between(6, 14), self.between(5, 10), self.between(2, 6)],
                "cup": [8.0, 8.0, 9.0],
                "ball": [5.0, 5.0, 5.0],
            }[kind]
            things.append(
                {"kind": kind, "at_cm": [round(side * out, 1), self.between(-30, 30)], "size_cm": size,
                 "colour": self.pick(PALETTE), "turn_deg": self.between(0, 180, 0)}
            )  # fmt: skip
        return things

    def fighters(self, ring: dict[str, Any]) -> list[dict[str, Any]]:
        """As many fighters as are wanted."""
        count = self.wanted.fighters
        colours = self.wanted.colours or [PALETTE[k] for k in self.rng.permutation(len(PALETTE))[:count]]
        places: list[Array] = []
        fighters = []
        for number in range(count):
            kind = self.pick(tuple(_HEIGHTS))
            place = self.place(places, ring)
            places.append(place)
            colour = colours[number % len(colours)]
            fighter = {
                "id": f"F{number + 1}", "class": kind, "seed": int(self.rng.integers(1000)), "colour": colour,
                "second_colour": self.second(colour),
                "height_cm": self.between(*_HEIGHTS[kind]), "at_cm": [round(float(c), 1) for c in place],
                "facing_deg": self.between(-180, 180, 0),
                "lying": bool(not self.wanted.carries and self.rng.random() < 0.12),
            }  # fmt: skip
            fighters.append({**fighter, "height_cm": _not_too_wide(fighter)})
        return fighters

    def second(self, colour: str) -> str:
        """Mostly a shade of the figure's own colour, as of clay left over, now and then quite another."""
        if self.rng.random() < 0.3:
            return str(self.pick([c for c in ("#e9e5dc", "#26262a", "#e2a70f", "#b3221c") if c != colour]))
        factor = self.rng.uniform(0.7, 0.9)
        return "#" + "".join(f"{int(int(colour[k : k + 2], 16) * factor):02x}" for k in (1, 3, 5))

    def place(self, others: Sequence[Array], ring: dict[str, Any]) -> Array:
        """A free place (2,) in the ring, cm."""
        half = np.array([ring["width_cm"], ring["depth_cm"]]) / 2 - 7.5
        for _ in range(_TRIES):
            place = self.rng.uniform(-half, half)
            if all(np.hypot(*(place - other)) > self.wanted.apart for other in others):
                return np.asarray(place)
        raise SystemExit("there is no room for so many fighters so far apart: lower --apart")

    def carries(self, fighters: list[dict[str, Any]], ring: dict[str, Any]) -> list[dict[str, Any]]:
        """One carry after another, everybody in turn, to free places, of all turns."""
        count = self.wanted.carries
        places = {f["id"]: np.array(f["at_cm"]) for f in fighters}
        order = [fighters[k % len(fighters)] for k in self.rng.permutation(len(fighters))]
        carries = []
        for number in range(count):
            fighter = order[number % len(order)]
            id_ = fighter["id"]
            begin = round(_FIRST_S + number * _EVERY_S, 2)
            target = self.place([p for other, p in places.items() if other != id_], ring)
            # as often a short step as a way through the whole ring
            if self.rng.random() < 0.5:
                nearer = places[id_] + self.rng.uniform(0.15, 0.5) * (target - places[id_])
                if all(np.hypot(*(nearer - p)) > self.wanted.apart for o, p in places.items() if o != id_):
                    target = nearer
            turned = fighter["facing_deg"] + self.rng.uniform(-180, 180)
            x, y = (places[id_] + target) / 2
            # players sit around the table: the arm comes from the nearer side, seldom over the far one
            arm = np.degrees(np.arctan2(min(y, 0.35 * abs(y)) - 9, x)) + self.rng.uniform(-25, 25)
            places[id_] = target
            fall = number in self.wanted.falls
            carries.append(
                {
                    "fighter": id_, "begin_s": begin, "end_s": round(begin + self.rng.uniform(*_HOLD_S), 2),
                    "to_cm": [round(float(c), 1) for c in target],
                    "facing_deg": round((turned + 180) % 360 - 180), "arm_deg": round(arm), "falls": fall,
                    "long_way": bool(self.rng.random() < 0.1), "lift_cm": self.between(3, 8),
                    "tilt_deg": self.between(0, 12), "reach_s": _REACH_S,
                    "skin": self.pick(_SKINS), "sleeve": self.pick(_SLEEVES),
                }
            )  # fmt: skip
        return carries


def _not_too_wide(fighter: dict[str, Any]) -> float:
    """A height at which a sprawling figure is still one that a hand can carry."""
    height = float(fighter["height_cm"])
    figure = make_figure(
        fighter["class"], fighter["seed"], height, fighter["colour"], fighter["second_colour"]
    )
    wide = 2 * float(np.abs(figure.plan_hull - middle(figure.plan_hull)).max())
    return height if wide <= _WIDEST_CM else max(4.0, round(height * _WIDEST_CM / wide, 1))


def as_toml(scene: dict[str, Any]) -> str:
    """A scene as its file; keys that are empty are left out."""
    plain = [f"{key} = {_value(v)}" for key, v in scene.items() if not isinstance(v, dict | list)]
    return "\n".join([*plain, *_tables(scene, ""), ""])


def _tables(table: dict[str, Any], name: str) -> list[str]:
    lines = []
    for key, value in table.items():
        dotted = f"{name}{key}"
        if isinstance(value, dict):
            lines += ["", f"[{dotted}]", *_pairs(value), *_tables(value, f"{dotted}.")]
        elif _of_tables(value):
            for one in value:
                lines += ["", f"[[{dotted}]]", *_pairs(one), *_tables(one, f"{dotted}.")]
    return lines


def _pairs(table: dict[str, Any]) -> list[str]:
    return [
        f"{key} = {_value(value)}"
        for key, value in table.items()
        if value is not None
        and value is not False
        and value != []
        and not isinstance(value, dict)
        and not _of_tables(value)
    ]


def _of_tables(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and isinstance(value[0], dict)


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_value(v) for v in value) + "]"
    return f"{value:g}" if isinstance(value, float) else str(value)


def main(arguments: Sequence[str] | None = None) -> int:
    """Draw one scene and write its file."""
    options = parser().parse_args(arguments)
    text = as_toml(drawn(options))
    options.out.mkdir(parents=True, exist_ok=True)
    (options.out / "scene.toml").write_text(text, encoding="utf-8")
    return 0


def drawn(wanted: argparse.Namespace) -> dict[str, Any]:
    """The tables of a scene that keeps to what is wanted."""
    scene = Lot(wanted.seed, wanted).scene()
    Scene.model_validate(scene)
    return scene


def parser() -> argparse.ArgumentParser:
    """What can be wanted of a scene."""
    wants = argparse.ArgumentParser(prog="python -m datasets.render.draw", description=__doc__)
    wants.add_argument("--seed", type=int, required=True)
    wants.add_argument("--out", type=Path, required=True, help="folder that gets scene.toml")
    wants.add_argument("--camera", choices=sorted(CAMERAS), default="oblique")
    wants.add_argument("--size", default="960x540", help="width x height in pixels")
    wants.add_argument("--k1", type=float, help="the lens's first distortion coefficient")
    wants.add_argument("--fighters", type=int, default=6)
    wants.add_argument("--apart", type=float, default=14.0, help="least distance of two fighters, cm")
    wants.add_argument("--colours", nargs="*", help="#rrggbb of the fighters in turn")
    wants.add_argument("--carries", type=int, default=0, help="none makes a still")
    wants.add_argument("--falls", type=int, nargs="*", default=[], help="which carries end in a fall, from 0")
    return wants


if __name__ == "__main__":
    sys.exit(main())
