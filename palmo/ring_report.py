"""What is said of a ring's calibration: the camera, the held-out error in mm and palms, the verdict."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.heldout import HeldOut, held_out
from calibration.remarks import Remark
from calibration.result import RingCalibration
from calibration.solve import calibrate
from palmo.blame import blaming
from palmo.convert import check_resolution, intrinsics, ring_spec
from palmo.event import Event
from rules.text import Text

Image = NDArray[np.uint8]
_GRID_CM = 10.0
_YELLOW, _GREEN, _RED, _CYAN, _INK = (0, 210, 255), (80, 220, 80), (60, 60, 255), (255, 220, 0), (20, 15, 10)


@dataclass(frozen=True, eq=False)
class RingReport:
    """A calibration and its check, judged by the smallest hand at the table."""

    calibration: RingCalibration
    check: HeldOut

    @property
    def height_cm(self) -> float:
        """How high the camera hangs over the mat."""
        return float(self.calibration.camera.centre[2])

    @property
    def tilt_deg(self) -> float:
        """How far the camera looks away from straight down."""
        return float(np.degrees(np.arccos(np.clip(-self.calibration.camera.rotation[2, 2], -1.0, 1.0))))

    def lines(self) -> list[Text]:
        """The report for a person."""
        camera, check = self.calibration.camera, self.check
        width, height = camera.size
        lens = {"focal": float(camera.K[0, 0]), "height": self.height_cm, "tilt": self.tilt_deg}
        accuracy: dict[str, float | int | str | Text] = {
            "mm": check.worst_mm,
            "palms": check.worst_palms or 0.0,
        }
        lines = [
            Text("ring.picture", {"width": width, "height": height}),
            Text("ring.camera", dict(lens)),
            self._edges(),
            Text("ring.held_out", {"mm": check.held_out_mm}),
            Text("ring.accuracy", accuracy | {"palm": check.palm_cm or 0.0}),
        ]
        for assumption in self.calibration.assumptions:
            lines.append(Text("ring.assumed", {"what": Text(f"ring.assumed.{assumption.key}")}))
        lines += [Text("ring.note", {"note": said(note)}) for note in self.calibration.notes]
        return [
            *lines,
            Text(
                f"ring.verdict.{check.verdict}",
                accuracy | {"sentence": "" if check.advice is None else said(check.advice)},
            ),
        ]

    def to_json(self) -> dict[str, Any]:
        """The report for a program."""
        camera = self.calibration.camera
        return {
            "size": list(camera.size),
            "K": camera.K.tolist(),
            "dist": camera.dist.ravel().tolist(),
            "model": "fisheye" if camera.wide else "plain",
            "rvec": camera.rvec.ravel().tolist(),
            "tvec": camera.tvec.ravel().tolist(),
            "height_cm": self.height_cm,
            "tilt_deg": self.tilt_deg,
            "edge_points": 0 if self.calibration.edges is None else len(self.calibration.edges.pixels),
            "rope_heights_cm": list(self.calibration.rope_heights_cm),
            "assumptions": [assumption.key for assumption in self.calibration.assumptions],
            "notes": [str(note) for note in self.calibration.notes],
            "held_out": self.check.to_dict(),
        }

    def picture(self, image: Image) -> Image:
        """A copy of the picture with a 10 cm grid on the mat, the posts and the clicks, to check by eye."""
        return _drawn(self.calibration, image)

    def _edges(self) -> Text:
        points = 0 if self.calibration.edges is None else len(self.calibration.edges.pixels)
        ropes = ", ".join(f"{height:.0f}" for height in self.calibration.rope_heights_cm)
        if not points:
            return Text("ring.edges.none")
        return Text("ring.edges.ropes" if ropes else "ring.edges", {"n": points, "ropes": ropes})


def said(remark: Remark) -> Text:
    """A remark of the calibration as a sentence of the catalogue; the names in it are translated too."""
    names = {key: Text(f"ring.name.{name.replace(' ', '_')}") for key, name in remark.names.items()}
    return Text(f"ring.note.{remark.key}", {**remark.values, **names})


def warning(calibration: RingCalibration, check: HeldOut) -> Text | None:
    """One sentence for everything measured with a calibration that is not good, else None."""
    if check.verdict == "good":
        return None
    off = next((note for note in calibration.notes if note.key == "click_off"), None)
    what = off or check.advice
    values: dict[str, float | int | str | Text] = {"mm": check.worst_mm}
    if what is None:
        return Text(f"ring.warning.{check.verdict}", values)
    return Text(f"ring.warning.{check.verdict}.advice", values | {"advice": said(what)})


def ring_report(event_path: Path, event: Event, image: Image) -> RingReport:
    """Calibrate on a picture (H, W, 3) BGR and check it. Raises EventError."""
    size = (image.shape[1], image.shape[0])
    check_resolution(event_path, event, size)
    with blaming(event_path, event):
        lens = intrinsics(event)
        calibration = calibrate(ring_spec(event), size, image=image, intrinsics=lens)
        palm = min(player.palm_cm for player in event.player)
        return RingReport(calibration, held_out(calibration, image=image, intrinsics=lens, palm_cm=palm))


def _drawn(calibration: RingCalibration, image: Image) -> Image:
    picture, camera, spec = image.copy(), calibration.camera, calibration.spec
    half_x, half_y = spec.width_cm / 2, spec.depth_cm / 2
    for x in np.arange(-np.floor(half_x / _GRID_CM), half_x / _GRID_CM) * _GRID_CM:
        _line(picture, calibration, (x, -half_y), (x, half_y), _CYAN)
    for y in np.arange(-np.floor(half_y / _GRID_CM), half_y / _GRID_CM) * _GRID_CM:
        _line(picture, calibration, (-half_x, y), (half_x, y), _CYAN)
    corners = spec.corners()
    for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        _line(picture, calibration, start, end, _GREEN, 2)
    for foot, top in zip(camera.project(spec.post_feet()), camera.project(spec.post_tops()), strict=True):
        cv2.line(picture, _px(foot), _px(top), _YELLOW, 2, cv2.LINE_AA)
    clicks = [spec.corners_px] + ([] if spec.post_tops_px is None else [spec.post_tops_px])
    for click in np.vstack(clicks):
        cv2.circle(picture, _px(click), 7, _INK, 3, cv2.LINE_AA)
        cv2.circle(picture, _px(click), 7, _RED, 1, cv2.LINE_AA)
    if calibration.edges is not None:
        for point in calibration.edges.pixels:
            cv2.circle(picture, _px(point), 1, _YELLOW, -1)
    return picture


def _line(
    picture: Image,
    calibration: RingCalibration,
    start: Any,
    end: Any,
    colour: tuple[int, int, int],
    width: int = 1,
) -> None:
    """A line on the mat, bent as the lens bends it."""
    along = np.linspace(np.asarray(start, float)[:2], np.asarray(end, float)[:2], 25)
    pixels = calibration.camera.project(np.column_stack([along, np.zeros(len(along))]))
    cv2.polylines(picture, [np.round(pixels).astype(np.int32)], False, colour, width, cv2.LINE_AA)


def _px(point: Any) -> tuple[int, int]:
    return round(float(point[0])), round(float(point[1]))
