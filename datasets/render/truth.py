"""What is known exactly about a scene (`truth.json`), and what a person would have entered (`event.toml`)."""

from __future__ import annotations

import json
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera
from calibration.ring import CORNER_SIGNS
from datasets.render.figure import Figure, outline
from datasets.render.furniture import post_feet
from datasets.render.meshes import Array
from datasets.render.preview import Preview
from datasets.render.scene_file import Scene
from datasets.render.timeline import Stand, Timeline, lying_middle

_HANDS = (
    (20.5, 8.8),
    (18.0, 7.7),
    (21.5, 9.2),
    (17.2, 7.4),
    (19.4, 8.3),
    (22.0, 9.5),
    (18.8, 8.0),
    (20.1, 8.6),
)
_HEIGHT_SD_CM = 0.05
_LARGEST_BOX_PX = 6


def truth(timeline: Timeline, source: str) -> dict[str, Any]:
    """The truth of a scene, in the shape of the shared clips'; `source` says how the pictures were made."""
    scene, camera = timeline.scene, timeline.camera
    ring = scene.ring
    known: dict[str, Any] = {
        "source": source,
        "fps": scene.fps,
        "size": list(scene.camera.size),
        "ring": {
            "width_cm": ring.width_cm, "depth_cm": ring.depth_cm, "table_w": scene.table.width_cm,
            "table_d": scene.table.depth_cm, "post_h": ring.post_height_cm,
        },
        "camera": _camera(camera),
        "corners_px": _rounded(camera.project(_corners(scene)), 2),
        "corner_order": "far-left, far-right, near-right, near-left (ring x right, y away)",
        "fighters": {
            f.id: {"colour": f.colour, "class": f.kind, **_shape(timeline.figures[f.id])}
            for f in scene.fighter
        },
    }  # fmt: skip
    if scene.camera.knock:
        known["knocks"] = [
            {"frame": int(np.ceil(k.at_s * scene.fps - 1e-9)), "camera": _camera(timeline.camera_at(k.at_s))}
            for k in sorted(scene.camera.knock, key=lambda knock: knock.at_s)
        ]
    known["frames"] = [_frame(timeline, number) for number in range(timeline.frames)]
    return known


def as_json(known: dict[str, Any]) -> str:
    """The truth as text, a frame on a line."""

    def lines(values: list[str]) -> str:
        return ",\n".join(values)

    fighters = [f"{json.dumps(id_)}: {json.dumps(shape)}" for id_, shape in known["fighters"].items()]
    frames = [json.dumps(frame, separators=(",", ":")) for frame in known["frames"]]
    keys = {key: json.dumps(value) for key, value in known.items()}
    keys |= {"fighters": f"{{\n{lines(fighters)}\n}}", "frames": f"[\n{lines(frames)}\n]"}
    return "{\n" + lines([f'"{key}": {text}' for key, text in keys.items()]) + "\n}\n"


def event(timeline: Timeline) -> str:
    """The event file of a scene as a person sets it up who clicks as far off as the scene says."""
    scene, camera = timeline.scene, timeline.camera
    rng = np.random.default_rng([scene.seed, 2])
    corners, tops = (
        camera.project(points) + rng.normal(0, scene.clicks.corner_px, (4, 2))
        for points in (_corners(scene), post_feet(scene.ring) + [0.0, 0.0, scene.ring.post_height_cm])
    )
    lines = [
        "# The set-up of this scene, as entered at the table (clicked pixels are a little off).", "",
        "[ring]", f"width_cm = {scene.ring.width_cm:g}", f"depth_cm = {scene.ring.depth_cm:g}",
        f"post_height_cm = {scene.ring.post_height_cm:g}",
        f"corners_px = {_rounded(corners, 1)}", f"post_tops_px = {_rounded(tops, 1)}",
    ]  # fmt: skip
    if scene.ring.post_offset_cm:
        lines.append(f"post_offset_cm = {scene.ring.post_offset_cm:g}")
    for number in range(len(scene.fighter)):
        palm, half = _HANDS[number % len(_HANDS)]
        lines += ["", "[[player]]", f'id = "P{number + 1}"', f"palm_cm = {palm}", f"half_palm_cm = {half}"]
        lines += ["palm_sd_cm = 0.1"]
    lines += _fighters(timeline, rng)
    return "\n".join([*lines, "", "[match]", 'rulebook = "smackkatz"', ""])


def _fighters(timeline: Timeline, rng: np.random.Generator) -> list[str]:
    scene, state = timeline.scene, timeline.state(0.0)
    labels = Preview(timeline).labels(state)
    lines = []
    for number, fighter in enumerate(scene.fighter):
        xy = state.stands[fighter.id].xy
        foot = timeline.camera.project(np.array([[*xy, 0.0]]))[0] + rng.normal(0, scene.clicks.foot_px, 2)
        told = fighter.facing_deg + rng.normal(0, scene.clicks.facing_deg)
        height = timeline.figures[fighter.id].height + rng.normal(0, _HEIGHT_SD_CM)
        lines += [
            "", "[[fighter]]", f'id = "{fighter.id}"', f'name = "{fighter.id} {fighter.kind}"',
            f'player = "P{number + 1}"', f'class = "{fighter.kind}"',
            f"colour_box_px = {_box(labels == number)}", f"foot_px = {_rounded(foot, 0)}",
            f"height_cm = {height:.1f}", f"facing_deg = {(told + 180) % 360 - 180:.0f}",
        ]  # fmt: skip
    return lines


def _box(seen: NDArray[np.bool_]) -> list[int]:
    """The largest box, up to a usual size, about the innermost pixel of a figure: u, v, width, height."""
    away = cv2.distanceTransform(np.pad(seen.astype(np.uint8), 1), cv2.DIST_C, 3)[1:-1, 1:-1]
    v, u = np.unravel_index(int(away.argmax()), away.shape)
    side = int(np.clip(2 * away.max() - 3, 2, _LARGEST_BOX_PX))
    return [int(u) - side // 2, int(v) - side // 2, side, side]


def _corners(scene: Scene) -> Array:
    half = np.array([scene.ring.width_cm, scene.ring.depth_cm]) / 2
    return np.column_stack([CORNER_SIGNS * half, np.zeros(4)])


def _camera(camera: Camera) -> dict[str, Any]:
    return {
        "K": camera.K.tolist(), "dist": camera.dist.tolist(),
        "rvec": camera.rvec.tolist(), "tvec": camera.tvec.tolist(),
    }  # fmt: skip


def _shape(figure: Figure) -> dict[str, Any]:
    lying = figure.fallen[1].vertices
    return {
        "sole_centroid": _rounded(figure.sole_middle, 3),
        "sole_size": _rounded(np.ptp(figure.sole_hull, axis=0), 2),
        "height": round(figure.height, 2),
        "plan_hull": _rounded(figure.plan_hull, 3),
        "sole_hull": _rounded(figure.sole_hull, 3),
        "lying_plan_hull": _rounded(outline(lying), 3),
        "lying_centroid": _rounded(lying_middle(figure), 3),
    }


def _frame(timeline: Timeline, number: int) -> dict[str, Any]:
    seconds = number / timeline.scene.fps
    stands = timeline.state(seconds).stands
    return {"frame": number, "t": round(seconds, 4), "fighters": {id_: _pose(s) for id_, s in stands.items()}}


def _pose(stand: Stand) -> dict[str, Any]:
    return {
        "x": round(float(stand.xy[0]), 3), "y": round(float(stand.xy[1]), 3),
        "facing_deg": round((stand.facing_deg + 180) % 360 - 180, 2), "lift_cm": round(stand.lift_cm, 2),
        "lying": stand.lying, "hand": stand.near_hand, "hand_on": stand.held,
    }  # fmt: skip


def _rounded(values: Array, digits: int) -> Any:
    return np.round(np.asarray(values, float), digits).tolist()
