"""A drawn table on which figures are watched, carried and left alone."""

from __future__ import annotations

import numpy as np

from tests.vision.tables import BLUE, GREEN, RED, Figure, Table, calibration, camera
from vision.finding.following import Sighting
from vision.finding.tracker import Tracker

Seen = list[dict[str, Sighting]]


def table() -> Table:
    return Table({"F1": Figure(-10, 8, RED), "F2": Figure(12, 6, BLUE), "F3": Figure(5, -15, GREEN)})


def begin(scene: Table) -> Tracker:
    return Tracker(calibration(), scene.specs(), scene.frame())


def watch(tracker: Tracker, scene: Table, frames: int) -> Seen:
    return [tracker.update(scene.frame()) for _ in range(frames)]


def approach(tracker: Tracker, scene: Table, name: str) -> Seen:
    figure = scene.figures[name]
    seen = []
    for away in (40.0, 30.0, 20.0, 10.0, 2.0):
        scene.hand = (figure.x - away, figure.y, figure.height - 1.0)
        seen.append(tracker.update(scene.frame()))
    return seen


def carry(tracker: Tracker, scene: Table, name: str, by: tuple[float, float], frames: int = 8) -> Seen:
    figure = scene.figures[name]
    seen = []
    for step in range(1, frames + 1):
        figure.x += by[0] / frames
        figure.y += by[1] / frames
        figure.lift = 4.0 * float(np.sin(np.pi * step / frames))
        scene.hand = (figure.x - 2.0, figure.y, figure.lift + figure.height - 1.0)
        seen.append(tracker.update(scene.frame()))
    return seen


def retreat(tracker: Tracker, scene: Table) -> Seen:
    seen = []
    for _ in range(6):
        assert scene.hand is not None
        scene.hand = (scene.hand[0] - 9.0, scene.hand[1], scene.hand[2] + 1.0)
        seen.append(tracker.update(scene.frame()))
    scene.hand = None
    return [*seen, *watch(tracker, scene, 3)]


def states(seen: Seen, name: str) -> list[str]:
    return [sightings[name].state for sightings in seen]


def where(tracker: Tracker, sighting: Sighting) -> tuple[float, float]:
    assert sighting.blob is not None
    x, y = camera().to_plane(sighting.blob.centroid[None], 5.0)[0]
    return float(x), float(y)
