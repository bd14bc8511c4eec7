"""Facing and posture on the rendered clips: the first fragment of every moved fighter against its last."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.camera import Camera
from vision.measuring.facing import Known
from vision.measuring.likelihood import wrap
from vision.measuring.matte import Crop
from vision.measuring.posture import Stance, judge
from vision.measuring.registration import FragmentView
from vision.measuring.shadows import Shadows

DATA = os.environ.get("PALMO_DATA")
pytestmark = pytest.mark.skipif(not DATA, reason="PALMO_DATA is not set: the clips are not here")
Picture = NDArray[np.float32]
# White on cream is not found by a colour distance as simple as this test's.
TOO_PALE = {("S2", "F5")}


@dataclass(frozen=True)
class Case:
    name: str
    before: dict[str, Any]
    after: dict[str, Any]
    stance: Stance

    @property
    def error(self) -> float:
        return abs(wrap(self.stance.facing_deg - self.after["facing_deg"]))


@cache
def cases() -> list[Case]:
    return [case for clip in ("S1", "S2", "S3") for case in cases_of(clip)]


def cases_of(clip: str) -> list[Case]:
    folder = Path(str(DATA)) / "clips" / clip
    truth = json.loads((folder / "truth.json").read_text())
    values = [np.array(truth["camera"][key]) for key in ("K", "dist", "rvec", "tvec")]
    camera = Camera(*values, (truth["size"][0], truth["size"][1]))
    frames = truth["frames"]
    first, last = list(range(0, 5)), list(range(len(frames) - 2, len(frames)))
    pictures = dict(read(folder / "clip.mp4", {*first, *last}))

    def others(name: str, frame: int) -> list[NDArray[np.float64]]:
        """Points on the other fighters."""
        return [
            standing_on(frames[frame]["fighters"][other], fighter)
            for other, fighter in truth["fighters"].items()
            if other != name
        ]

    found = []
    for name, fighter in truth["fighters"].items():
        before, after = (frames[i]["fighters"][name] for i in (0, len(frames) - 1))
        moved = np.hypot(after["x"] - before["x"], after["y"] - before["y"]) > 1
        if not moved or (clip, name) in TOO_PALE:
            continue
        views = [
            view_of([pictures[i] for i in chosen], camera, place, fighter["height"], others(name, chosen[-1]))
            for chosen, place in ((first, before), (last, after))
        ]
        stance = judge([Known(views[0], before["facing_deg"])], views[1], camera, fighter["height"])
        found.append(Case(f"{clip} {name}", before, after, stance))
    return found


def standing_on(place: dict[str, Any], fighter: dict[str, Any]) -> NDArray[np.float64]:
    """The rim of a fighter's plan view (N, 3) on the table and as high as it is tall."""
    angle = np.radians(place["facing_deg"])
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    rim = (np.array(fighter["plan_hull"]) - fighter["sole_centroid"]) @ turn.T + [place["x"], place["y"]]
    return np.vstack([np.column_stack([rim, np.full(len(rim), z)]) for z in (0.0, fighter["height"])])


def read(path: Path, wanted: set[int]) -> list[tuple[int, NDArray[np.uint8]]]:
    capture = cv2.VideoCapture(str(path))
    found = []
    for index in range(max(wanted) + 1):
        if not capture.grab():
            break
        if index in wanted:
            found.append((index, np.asarray(capture.retrieve()[1], np.uint8)))
    return found


def view_of(
    pictures: list[NDArray[np.uint8]],
    camera: Camera,
    place: dict[str, Any],
    height: float,
    others: list[NDArray[np.float64]],
) -> FragmentView:
    """The fragment at a place known from the truth: its average crop and a matte from its colour."""
    spot = np.array([place["x"], place["y"], 0.0])
    box = np.array([[x, y, z] for x in (-11, 11) for y in (-11, 11) for z in (0, height)]) + spot
    pixels = camera.project(box)
    (left, top), (right, bottom) = np.floor(pixels.min(axis=0)).astype(int), pixels.max(axis=0).astype(int)
    left, top = max(left, 0), max(top, 0)
    mean = np.mean([p[top:bottom, left:right] for p in pictures], axis=0).astype(np.float32)
    middle = [[0, 0, z] for z in np.linspace(0.25, 0.7, 6) * (0.3 if place.get("lying") else 1) * height]
    seeds = np.round(camera.project(np.array(middle) + spot)).astype(int) - [left, top]
    lab = cv2.cvtColor(mean / np.float32(255), cv2.COLOR_BGR2LAB) * np.array([0.4, 1.5, 1.5])
    clay = np.median([lab[v, u] for u, v in seeds], axis=0)
    mat = np.median(np.concatenate([lab[:4].reshape(-1, 3), lab[:, :4].reshape(-1, 3)]), axis=0)
    near = np.linalg.norm(lab - clay, axis=2) < 0.5 * np.linalg.norm(lab - mat, axis=2)
    _, labels = cv2.connectedComponents(near.astype(np.uint8))
    touched = [labels[v, u] for u, v in seeds if near[v, u]]
    support = (labels == np.bincount(touched).argmax()).astype(np.float32)
    elsewhere = np.zeros(support.shape, np.uint8)
    for points in others:
        hull = cv2.convexHull(np.rint(camera.project(points) - [left, top]).astype(np.int32))
        cv2.fillConvexPoly(elsewhere, hull, 1)
    crop, shadows = Crop(mean, support, others=elsewhere > 0), Shadows()
    crop.teach(shadows, None)
    return FragmentView((left, top), crop.coverage(shadows), picture=mean)


@pytest.mark.nightly
def test_no_flip_passes_as_registered() -> None:
    called = [case for case in cases() if case.stance.source == "registered"]
    assert [(case.name, case.error) for case in called if case.error > 20] == []


def test_turns_are_right_to_five_degrees() -> None:
    called = [case for case in cases() if case.stance.source == "registered"]
    # of ten: one has too wide a dip from one oblique side, three look alike after another turn, one lies
    assert len(called) >= 5
    errors = np.array([case.error for case in called])
    assert np.median(errors) <= 5
    assert np.quantile(errors, 0.95) <= 12


def test_the_sd_of_a_turn_is_honest() -> None:
    called = [case for case in cases() if case.stance.source == "registered"]
    assert max(case.error / case.stance.facing_sd_deg for case in called) < 2.5


def test_only_the_fallen_one_lies_and_along_its_head() -> None:
    lying = {case.name: case for case in cases() if case.stance.posture == "lying"}
    assert set(lying) == {case.name for case in cases() if case.after.get("lying")}
    assert lying["S3 F4"].error < 12
