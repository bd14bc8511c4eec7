"""The overlay message: what to draw, as JSON for browsers and other programs.

    {"type": "overlay", "version": 1, "number": 17, "frame": 12, "t": 1.2, "size": [w, h], "lang": "es",
     "projection": {"K": 3x3, "dist": [5], "rvec": [3], "tvec": [3], "wide": false},
     "annotations": [{"kind": "ruler", "tone": "legal", "figure": null, "rules": [],
                      "shapes": [...], "plates": [...]}, ...]}

`shapes` lie in the ring: `{"kind": "line", "points": [[x, y] or [x, y, z], ...] in cm, ...}` and
`{"kind": "fill", "rings": [...], ...}`; the client projects them (Brown distortion, OpenCV's formula).
`plates` lie on the glass, in pixels of `size`; a plate's `leader` is a ring point. Colours are palette names.
`version` is the version of this format, `number` counts the messages of a run.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from calibration.camera import Camera
from overlay.compose import Drawn
from overlay.shapes import Array, Block, Face, Fill, Item, Line, Mark, Plate, Shape, Words

VERSION = 1


def message(
    drawn: Iterable[Drawn], camera: Camera, lang: str, *, number: int, frame: int, t: float
) -> dict[str, Any]:
    """The message for composed annotations (`Composer.compose`), ready for `json.dumps`."""
    return {
        "type": "overlay",
        "version": VERSION,
        "number": number,
        "frame": frame,
        "t": t,
        "size": list(camera.size),
        "lang": lang,
        "projection": {
            "K": camera.K.tolist(),
            "dist": camera.dist.ravel().tolist(),
            "wide": camera.wide,
            "rvec": camera.rvec.ravel().tolist(),
            "tvec": camera.tvec.ravel().tolist(),
        },
        "annotations": [_entry(entry) for entry in drawn],
    }


def _entry(entry: Drawn) -> dict[str, Any]:
    return {
        "kind": entry.annotation.kind,
        "tone": getattr(entry.annotation, "tone", "neutral"),
        "figure": getattr(entry.annotation, "figure", None),
        "rules": list(getattr(entry.annotation, "rules", ())),
        "shapes": [_shape(shape) for shape in entry.shapes],
        "plates": [_plate(plate) for plate in entry.plates],
    }


def _shape(shape: Shape) -> dict[str, Any]:
    match shape:
        case Line():
            return {
                "kind": "line",
                "points": _points(shape.points),
                "colour": shape.colour,
                "width": shape.width,
                "closed": shape.closed,
                "dash": shape.dash,
                "halo": shape.halo,
            }
        case Fill():
            rings = [_points(ring) for ring in shape.rings]
            return {"kind": "fill", "rings": rings, "colour": shape.colour, "opacity": shape.opacity}


def _plate(plate: Plate) -> dict[str, Any]:
    face: Face = plate.face
    return {
        "box": [round(v, 2) for v in plate.box],
        "leader": plate.leader,
        "colour": face.colour,
        "opacity": face.opacity,
        "edge": face.edge,
        "edge_width": face.edge_width,
        "radius": round(face.radius, 2),
        "items": [_item(item) for item in face.items],
    }


def _item(item: Item) -> dict[str, Any]:
    match item:
        case Words():
            return {
                "kind": "words",
                "text": item.text,
                "at": [round(item.x, 2), round(item.y, 2)],
                "width": item.width,
                "size": item.size,
                "weight": item.weight,
                "colour": item.colour,
            }
        case Block():
            box = [round(v, 2) for v in item.box]
            return {"kind": "block", "box": box, "colour": item.colour, "radius": item.radius}
        case Mark():
            points = [[round(x, 2), round(y, 2)] for x, y in item.points]
            return {"kind": "mark", "points": points, "width": item.width, "colour": item.colour}


def _points(points: Array) -> list[list[float]]:
    """Ring points to a hundredth of a millimetre; z is left out where all of them lie on the mat."""
    columns = 3 if points[:, 2].any() else 2
    rounded: list[list[float]] = points[:, :columns].round(3).tolist()
    return rounded
