from __future__ import annotations

import numpy as np

from palmo.live.pacing import in_real_time
from vision.sources.frames import Frame

PICTURE = np.zeros((2, 2, 3), np.uint8)


class Clock:
    """Time that passes only by sleeping or working."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


def shown(work_s: float, count: int = 10, start: float = 0.0) -> list[tuple[int, float]]:
    """Which of `count` frames, 0.1 s apart, a loop that takes work_s per frame gets, and when."""
    clock = Clock()
    frames = (Frame(number, start + number / 10, PICTURE) for number in range(count))
    seen = []
    for frame in in_real_time(frames, clock=clock, sleep=clock.sleep):
        seen.append((frame.index, clock.now - 100.0))
        clock.now += work_s
    return seen


def test_a_fast_loop_gets_every_frame_in_its_time() -> None:
    seen = shown(0.01)
    assert [index for index, _ in seen] == list(range(10))
    for index, at in seen[:-1]:
        assert abs(at - index / 10) < 1e-9


def test_a_clip_need_not_begin_at_zero() -> None:
    assert shown(0.01, start=50.0)[0] == (0, 0.0)


def test_a_slow_loop_gets_fewer_frames_but_never_old_ones() -> None:
    seen = shown(0.25)
    assert len(seen) < 7
    for index, at in seen[:-1]:
        assert at - index / 10 <= 0.1 + 1e-9


def test_the_last_frame_always_comes() -> None:
    assert shown(3.0)[-1][0] == 9
    assert shown(0.0, count=1) == [(0, 0.0)]
