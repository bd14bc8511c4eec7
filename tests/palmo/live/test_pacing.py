from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, pairwise

import numpy as np

from palmo.live.pacing import again_and_again, in_real_time
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


def test_a_loop_that_lost_seconds_where_decoding_is_slow_shows_something_all_the_same() -> None:
    """At the seam of a clip on a machine with a load of 19 nothing was seen for 12 s."""
    clock = Clock()

    def decoded() -> Iterator[Frame]:
        for number in range(300):
            clock.now += 0.08
            yield Frame(number, number / 10, PICTURE)

    at, seen = [], []
    for frame in in_real_time(decoded(), clock=clock, sleep=clock.sleep):
        at.append(clock.now)
        seen.append(frame.index)
        clock.now += 3.0 if len(seen) == 50 else 0.0
    assert max(after - before for before, after in pairwise(at)) < 3.0 + 1.0
    assert seen[-1] == 299
    steps = [after - before for before, after in pairwise(seen)]
    assert max(steps) <= 12
    assert steps[60:-1] == [1] * len(steps[60:-1]), "afterwards every picture comes again"


def clip(count: int = 3) -> list[Frame]:
    return [Frame(number, 5.0 + number / 10, PICTURE) for number in range(count)]


def test_a_clip_that_repeats_counts_on_with_a_gap_at_every_seam() -> None:
    frames = list(islice(again_and_again(clip(), clip), 8))
    assert [frame.index for frame in frames] == list(range(8))
    assert [round(frame.t, 6) for frame in frames] == [5.0, 5.1, 5.2, 5.3, 5.4, 5.5, 5.6, 5.7]
    assert [frame.index for frame in frames if frame.gap and frame.again] == [3, 6]


def test_a_clip_that_was_taken_away_meanwhile_ends() -> None:
    assert len(list(again_and_again(clip(), list))) == 3


def test_a_seam_that_a_slow_loop_misses_is_told_by_the_next_frame() -> None:
    clock, seen = Clock(), []
    for frame in in_real_time(islice(again_and_again(clip(), clip), 30), clock=clock, sleep=clock.sleep):
        seen.append(frame)
        clock.now += 0.25
    assert len(seen) < 16
    seams = set(range(3, 30, 3))
    for before, after in pairwise(seen):
        assert after.gap == bool(seams & set(range(before.index + 1, after.index + 1)))
