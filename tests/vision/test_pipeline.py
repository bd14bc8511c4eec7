"""The pipeline: when fragments are measured, what a track says before and after, and in the background."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from tests.vision.tables import BLUE, RED, Figure, Table, calibration
from vision import pipeline as module
from vision.fragments import Fragment
from vision.measuring.background import Measuring
from vision.measuring.matte import MatteError
from vision.measuring.poses import FragmentPose
from vision.pipeline import MEASURED_AT, Pipeline, track


class Ruler:
    """Stands in for the measurer: the pose says how many frames it was measured on."""

    def __init__(self, *_: object) -> None:
        self.asked: list[tuple[str, int, int]] = []
        self.looked_at: list[tuple[str, bool]] = []
        self.fails: set[int] = set()

    def look_around(self, number: int, fragment: Fragment) -> None:
        """Notes whether anything had been measured before."""
        self.looked_at.append((fragment.fighter, bool(self.asked)))
        raise MatteError("too little is seen of it")

    def measure(self, number: int, fragment: Fragment, *, beside: Mapping[str, int]) -> FragmentPose:
        self.asked.append((fragment.fighter, number, fragment.frames_used))
        if fragment.frames_used in self.fails:
            raise MatteError("nothing can be cut out")
        outline = np.array([[0.0, 0.0], [2.0, 0.0], [2.0, 2.0]])
        return FragmentPose(
            number, np.array([float(fragment.frames_used), 1.0]), np.diag([0.01, 0.04]), 30.0, 2.0,
            "registered", 0.5, "standing", outline,
        )  # fmt: skip


@pytest.fixture
def ruler(monkeypatch: pytest.MonkeyPatch) -> Ruler:
    made = Ruler()
    monkeypatch.setattr(module, "Measurer", lambda *_, **__: made)
    monkeypatch.setattr(module, "furniture_mask", lambda *_: np.zeros((480, 640), dtype=bool))
    return made


def scene() -> Table:
    return Table({"F1": Figure(-10, 8, RED), "F2": Figure(12, 6, BLUE)})


def begin(table: Table, **options: Any) -> tuple[Pipeline, Any]:
    first = table.frame()
    return Pipeline(calibration(), table.specs(), first, **options), first


def test_a_fragment_is_measured_when_it_settles_and_when_it_has_grown_never_every_frame(ruler: Ruler) -> None:
    table = scene()
    pipeline, first = begin(table)
    pipeline.update(first)
    for _ in range(120):
        pipeline.update(table.frame())
    used = [frames for fighter, _, frames in ruler.asked if fighter == "F1"]
    assert len(used) == len(MEASURED_AT)
    assert all(MEASURED_AT[i] <= n < MEASURED_AT[i] + 6 for i, n in enumerate(used))


def test_a_track_carries_what_was_measured(ruler: Ruler) -> None:
    table = scene()
    pipeline, first = begin(table)
    found = pipeline.update(first).fighters["F1"]
    assert (found.state, found.x, found.y, found.fragment) == ("placed", 1.0, 1.0, 0)
    assert (found.sx, found.sy) == pytest.approx((0.1, 0.2))
    assert (found.facing_deg, found.facing_source) == (30.0, "registered")
    assert found.outline == ((0.0, 0.0), (2.0, 0.0), (2.0, 2.0))


def test_until_something_can_be_cut_out_the_place_is_a_guess_that_says_so(ruler: Ruler) -> None:
    ruler.fails = {1}
    table = scene()
    pipeline, first = begin(table)
    found = pipeline.update(first).fighters["F1"]
    assert found.state == "placed"
    assert (found.x, found.y) == pytest.approx((-10.0, 8.0), abs=1.0)
    assert found.sx is not None
    assert found.sx >= 1.0
    assert found.outline is None


def test_without_measuring_there_are_only_guesses(ruler: Ruler) -> None:
    table = scene()
    pipeline, first = begin(table, measure=False)
    pipeline.update(first)
    assert ruler.asked == []
    assert pipeline.measured == {}


def test_looking_back_applies_the_last_measurement_to_the_whole_fragment(ruler: Ruler) -> None:
    table = scene()
    frames = [table.frame() for _ in range(10)]
    heard: list[int] = []
    pipeline = Pipeline(calibration(), table.specs(), frames[0])
    found = pipeline.look_back(frames, lambda frame, _: heard.append(frame.index))
    assert heard == [frame.frame for frame in found] == list(range(10))
    assert {frame.fighters["F2"].x for frame in found} == {10.0}
    assert [number for _, number, _ in ruler.asked] == [0, 0]


def test_looking_back_everybody_is_looked_at_before_the_first_is_measured(ruler: Ruler) -> None:
    table = scene()
    track(calibration(), table.specs(), [table.frame() for _ in range(10)])
    assert ruler.looked_at == [("F1", False), ("F2", False)]
    assert len(ruler.asked) == 2


def test_a_clip_without_frames_has_no_tracks(ruler: Ruler) -> None:
    assert track(calibration(), scene().specs(), []) == []
    assert ruler.asked == []


def test_in_the_background_the_loop_does_not_wait(ruler: Ruler, monkeypatch: pytest.MonkeyPatch) -> None:
    go = threading.Event()
    measure = ruler.measure
    monkeypatch.setattr(ruler, "measure", lambda *a, **others: (go.wait(10), measure(*a, **others))[1])
    table = scene()
    pipeline, first = begin(table, background=True)
    for frame in (first, table.frame(), table.frame()):
        tracked = pipeline.update(frame)
        assert tracked.fighters["F1"].outline is None
        assert "F1" in tracked.measuring
    go.set()
    assert pipeline._measuring is not None
    pipeline._measuring.wait()
    tracked = pipeline.update(table.frame())
    assert tracked.fighters["F1"].outline is not None
    assert "F1" not in tracked.measuring


def test_what_goes_wrong_in_the_background_is_not_swallowed() -> None:
    class Broken:
        def measure(self, number: int, fragment: Fragment, *, beside: Mapping[str, int]) -> FragmentPose:
            raise ZeroDivisionError("broken")

    measuring = Measuring(Broken(), background=True)  # type: ignore[arg-type]
    empty = np.zeros((2, 2), np.float32)
    measuring.submit(0, Fragment("F1", 0, 0, 1, (0, 0), np.zeros((2, 2, 3), np.float32), empty, 0.0), {})
    measuring.wait()
    with pytest.raises(ZeroDivisionError):
        measuring.take_done()


def test_closing_drops_what_waits_and_leaves_no_thread_behind(ruler: Ruler) -> None:
    hold, started = threading.Event(), threading.Event()

    class Slow:
        def measure(self, number: int, fragment: Fragment, *, beside: Mapping[str, int]) -> FragmentPose:
            started.set()
            hold.wait(5.0)
            return ruler.measure(number, fragment, beside=beside)

    before = threading.active_count()
    measuring = Measuring(Slow(), background=True)  # type: ignore[arg-type]
    picture = np.zeros((4, 4, 3), np.float32)
    for number in range(5):
        measuring.submit(number, Fragment("F1", 0, 3, 4, (0, 0), picture, picture[:, :, 0], 0.1), {})
    assert started.wait(5.0)
    threading.Timer(0.05, hold.set).start()
    measuring.close()
    assert len(ruler.asked) == 1
    assert not measuring.busy
    assert threading.active_count() <= before + 1  # the timer may still be ending
