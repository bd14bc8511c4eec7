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


def random_camera(rng: np.random.Generator) -> Camera:
    """A webcam over a table as the priors believe in it, from straight above to 50 degrees off."""
    focal = float(np.clip(np.exp(np.log(0.9 * 1280) + 0.28 * rng.normal()), 700, 2200))
    tilt, turn = np.radians(rng.uniform(0, 50)), rng.uniform(-0.4, 0.4)
    far = 130 * focal / 1150 * rng.uniform(0.95, 1.4)
    eye = (
        far * np.sin(tilt) * np.sin(turn),
        -far * np.sin(tilt) * np.cos(turn),
        far * np.cos(tilt),
    )
    centre = (639.5 + 19.2 * rng.normal(), 359.5 + 19.2 * rng.normal())
    dist = (0.1 * rng.normal(), 0.04 * rng.normal(), 7e-4 * rng.normal(), 7e-4 * rng.normal(), 0.0)
    return looking_at(eye, focal=focal, centre=centre, dist=dist)


def clicked_ring(
    rng: np.random.Generator, sd_px: float = 0.6, *, tops: bool = True
) -> tuple[Camera, RingSpec]:
    """A random camera and a ring clicked through it, with the slips a real ring has."""
    while True:
        camera = random_camera(rng)
        spec = ideal_spec(camera)
        assert spec.post_tops_px is not None
        clicks = np.concatenate([spec.corners_px, spec.post_tops_px])
        if (clicks > 5).all() and (clicks < np.array(camera.size) - 5).all():
            break
    posts = spec.post_tops()
    posts[:, :2] += np.sign(posts[:, :2]) * rng.normal(0, 0.2) + rng.normal(0, 0.1, (4, 2))
    posts[:, 2] += rng.normal(0, 0.05)
    corners = spec.corners_px + rng.normal(0, sd_px, (4, 2))
    seen = camera.project(posts) + rng.normal(0, sd_px, (4, 2))
    return camera, RingSpec(
        spec.width_cm, spec.depth_cm, spec.post_height_cm, corners, seen if tops else None
    )


def painted_ring(camera: Camera, spec: RingSpec, rope_heights: tuple[float, ...] = ()) -> NDArray[np.uint8]:
    """A smooth picture of a light mat on a brown table, with red ropes at these heights in cm."""
    width, height = camera.size
    u, v = np.meshgrid(np.arange(width, dtype=float), np.arange(height, dtype=float))
    pixels = np.column_stack([u.ravel(), v.ravel()])
    xy = camera.to_plane(pixels, 0.0)
    # Distance to the mat's edge in pixels, cut at half a pixel: an anti-aliased edge.
    scale = np.sqrt(width * height) / 2 / np.linalg.norm(camera.centre)
    inside = np.clip(0.5 + scale * (spec.half - np.abs(xy)).min(axis=1), 0.0, 1.0)[:, None]
    mat, table = np.array([190.0, 200.0, 205.0]), np.array([70.0, 100.0, 140.0])
    picture = (table + inside * (mat - table)).reshape(height, width, 3).astype(np.uint8)
    for rope in rope_heights:
        corners = spec.corners() + np.array([0.0, 0.0, rope])
        for side in range(4):
            share = np.linspace(0, 1, 60)[:, None]
            chain = camera.project(corners[side] + share * (corners[(side + 1) % 4] - corners[side]))
            points = np.round(chain * 16).astype(np.int32)
            cv2.polylines(picture, [points], False, (40, 30, 200), 3, cv2.LINE_AA, shift=4)
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.8), dtype=np.uint8)


def ring_with_posts(camera: Camera, spec: RingSpec) -> NDArray[np.uint8]:
    """The painted ring with four dark posts that have yellow tops."""
    picture = painted_ring(camera, spec)
    feet, tops = (np.round(camera.project(ends) * 16) for ends in (spec.post_feet(), spec.post_tops()))
    for foot, top in zip(feet.astype(int).tolist(), tops.astype(int).tolist(), strict=True):
        cv2.line(picture, foot, top, (30, 30, 60), 18, cv2.LINE_AA, shift=4)
        cv2.circle(picture, top, 9 * 16, (40, 160, 220), -1, cv2.LINE_AA, shift=4)
    return picture
