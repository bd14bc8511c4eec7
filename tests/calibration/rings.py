"""Cameras and clips the calibration tests share."""

from __future__ import annotations

import json
import os
import tomllib
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.camera import Array, Camera
from calibration.ring import RingSpec

CLIPS = ("S1", "S2", "S3")


@dataclass(frozen=True)
class Clip:
    spec: RingSpec
    truth: Camera
    first: NDArray[np.uint8]


def load_clip(name: str) -> Clip:
    root = os.environ.get("PALMO_DATA")
    if root is None:
        pytest.skip("PALMO_DATA is not set")
    folder = Path(root) / "clips" / name
    truth = json.loads((folder / "truth.json").read_text())
    ring = tomllib.loads((folder / "event.toml").read_text())["ring"]
    camera = truth["camera"]
    capture = cv2.VideoCapture(str(folder / "clip.mp4"))
    found, first = capture.read()
    capture.release()
    assert found
    return Clip(
        RingSpec(
            ring["width_cm"],
            ring["depth_cm"],
            ring["post_height_cm"],
            np.array(ring["corners_px"]),
            np.array(ring["post_tops_px"]),
        ),
        Camera(*(np.array(camera[key], dtype=float) for key in ("K", "dist", "rvec", "tvec")), truth["size"]),
        np.asarray(first, dtype=np.uint8),
    )


def looking_at(
    eye: tuple[float, float, float],
    *,
    focal: float = 1150.0,
    centre: tuple[float, float] = (639.5, 359.5),
    dist: tuple[float, ...] = (0.0,) * 5,
    aim: tuple[float, float, float] = (0.0, 0.0, 0.0),
    roll: float = 0.0,
    size: tuple[int, int] = (1280, 720),
) -> Camera:
    """A camera at eye (cm) that looks at aim with the ring's y axis upwards in the picture."""
    forward = np.subtract(aim, eye) / np.linalg.norm(np.subtract(aim, eye))
    right = np.cross(forward, [0.0, 1.0, 1e-9] if abs(forward[2]) > 0.2 else [0.0, 0.0, 1.0])
    right /= np.linalg.norm(right)
    rotation = np.array([right, np.cross(forward, right), forward])
    turn = np.array([[np.cos(roll), -np.sin(roll), 0], [np.sin(roll), np.cos(roll), 0], [0, 0, 1]])
    rotation = turn @ rotation
    rvec = np.ravel(cv2.Rodrigues(rotation)[0])
    K = np.array([[focal, 0, centre[0]], [0, focal, centre[1]], [0, 0, 1]])
    return Camera(K, np.array(dist, dtype=float), rvec, -rotation @ np.array(eye), size)


def grid(spec: RingSpec, z: float, count: int = 6) -> Array:
    """count x count ring points over the mat at height z, (count**2, 3)."""
    x, y = np.meshgrid(np.linspace(-1, 1, count) * spec.half[0], np.linspace(-1, 1, count) * spec.half[1])
    return np.column_stack([x.ravel(), y.ravel(), np.full(count * count, z)])


def ideal_spec(camera: Camera, width: float = 70.0, depth: float = 66.0, height: float = 16.0) -> RingSpec:
    """A ring clicked without any noise by this camera."""
    blank = RingSpec(width, depth, height, np.zeros((4, 2)))
    return RingSpec(width, depth, height, camera.project(blank.corners()), camera.project(blank.post_tops()))
