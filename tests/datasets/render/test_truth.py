"""The truth and the event file of a scene are what Palmo reads, and say the same as the geometry."""

import json

import numpy as np
import pytest

from calibration.camera import Camera
from datasets.render.timeline import Timeline
from datasets.render.truth import as_json, event, truth
from palmo.convert import fighter_specs, ring_spec
from palmo.evaluate.truth import load_truth
from palmo.event import load_event

CARRY = {
    "fighter": "F1", "begin_s": 1.0, "end_s": 2.0, "to_cm": [4, 3], "facing_deg": 100, "arm_deg": -100,
    "falls": True,
}  # fmt: skip


@pytest.fixture
def timeline(small_scene):
    return Timeline(small_scene(seconds=3.0, carry=[CARRY]))


def camera_of(entry, size):
    return Camera(*(np.array(entry[key]) for key in ("K", "dist", "rvec", "tvec")), size)


def test_palmo_reads_where_everybody_was(timeline, tmp_path):
    (tmp_path / "truth.json").write_text(as_json(truth(timeline, "a test")))
    known = load_truth(tmp_path / "truth.json")
    assert len(known.frames) == 30
    first, middle, last = (known.frames[k]["F1"] for k in (0, 15, 29))
    assert first.still
    assert not first.lying
    assert middle.held
    assert middle.lift_cm > 3
    assert last.still
    assert last.lying
    assert (last.x, last.y, last.facing_deg) == (4, 3, 100)
    assert all(frame["F2"].still for frame in known.frames)


def test_hands_come_and_go_within_their_reach(timeline):
    frames = [frame["fighters"]["F1"] for frame in truth(timeline, "a test")["frames"]]
    near = [k for k, pose in enumerate(frames) if pose["hand"]]
    held = [k for k, pose in enumerate(frames) if pose["hand_on"]]
    assert (near[0], near[-1]) == (5, 25)
    assert (held[0], held[-1]) == (10, 19)


def test_outlines_lie_where_the_meshes_are(timeline):
    known = truth(timeline, "a test")
    for seconds, hull, middle in (
        (0.0, "plan_hull", "sole_centroid"),
        (2.9, "lying_plan_hull", "lying_centroid"),
    ):
        pose = known["frames"][round(seconds * 10)]["fighters"]["F1"]
        angle = np.radians(pose["facing_deg"])
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        shape = known["fighters"]["F1"]
        outline = (np.array(shape[hull]) - shape[middle]) @ turn.T + (pose["x"], pose["y"])
        stand = timeline.state(seconds).stands["F1"]
        mesh = timeline.figures["F1"].mesh.moved(stand.rotation, stand.offset)
        assert outline.min(axis=0) == pytest.approx(mesh.vertices[:, :2].min(axis=0), abs=0.01)
        assert outline.max(axis=0) == pytest.approx(mesh.vertices[:, :2].max(axis=0), abs=0.01)
        assert mesh.vertices[:, 2].min() == pytest.approx(0, abs=1e-6)


def test_the_event_file_is_the_truth_but_for_a_persons_errors(timeline, tmp_path):
    (tmp_path / "event.toml").write_text(event(timeline))
    told = load_event(tmp_path / "event.toml")
    known = truth(timeline, "a test")
    camera = camera_of(known["camera"], timeline.camera.size)
    ring = ring_spec(told)
    for points, clicked in ((ring.corners(), ring.corners_px), (ring.post_tops(), ring.post_tops_px)):
        off = np.abs(camera.project(points) - clicked)
        assert 0.01 < off.max() < 2.5
    for spec in fighter_specs(told):
        pose = known["frames"][0]["fighters"][spec.id]
        assert spec.height_cm == pytest.approx(known["fighters"][spec.id]["height"], abs=0.3)
        assert abs((spec.facing_deg - pose["facing_deg"] + 180) % 360 - 180) < 8


def test_a_knock_gives_the_camera_from_then_on(small_scene):
    camera = small_scene().camera.model_dump()
    knock = {"at_s": 0.55, "move_cm": (1.0, 0.0, 0.0), "turn_deg": (0.0, 0.0, 2.0)}
    scene = small_scene(seconds=1.0, camera={**camera, "knock": [knock]})
    (after,) = truth(Timeline(scene), "a test")["knocks"]
    assert after["frame"] == 6
    moved = camera_of(after["camera"], scene.camera.size)
    assert moved.centre == pytest.approx(np.array(scene.camera.at_cm) + (1, 0, 0))
    assert json.loads(as_json(truth(Timeline(scene), "a test")))["knocks"][0] == after
