"""Playing a recorded source at the speed of life, once or again and again."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from vision.sources.frames import Frame

MOST_SKIPPED_S = 1.0


def in_real_time(
    frames: Iterable[Frame],
    *,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
) -> Iterator[Frame]:
    """Give each frame when its time has come; one whose successor's time has come too is left out.

    As with a camera: whoever is slow gets fewer pictures, never old ones. The last frame always comes. The
    gap of a frame that is left out is told by the next one. No more than MOST_SKIPPED_S of a clip is left out
    at once, then its time stands still instead: on a busy machine, where decoding alone is nearly as slow as
    life, catching up with a few lost seconds would take many, and nothing would be seen meanwhile.
    """
    started: float | None = None
    given = 0.0
    waiting: Frame | None = None
    for frame in frames:
        if started is None:
            started, given = clock() - frame.t, frame.t
        if waiting is not None:
            if waiting.t - given >= MOST_SKIPPED_S:
                started = max(started, clock() - waiting.t)
            if clock() - started < frame.t:
                early = waiting.t - (clock() - started)
                if early > 0:
                    sleep(early)
                given = waiting.t
                yield waiting
            elif waiting.gap:
                frame = replace(frame, gap=True)
        waiting = frame
    if waiting is not None:
        yield waiting


def again_and_again(frames: Iterable[Frame], anew: Callable[[], Iterable[Frame]]) -> Iterator[Frame]:
    """The frames, then those of `anew()` for ever, while numbers and time go on.

    The first picture of every new round comes after a gap: the figures stand elsewhere all at once, and no
    hand was seen that put them there.
    """
    last: Frame | None = None
    step = 0.1
    for frame in frames:
        step = frame.t - last.t if last is not None else step
        last = frame
        yield frame
    while last is not None:
        index, start, first = last.index + 1, last.t + step, None
        for frame in anew():
            begins, first = first is None, first or frame
            last = Frame(
                index + frame.index - first.index,
                start + frame.t - first.t,
                frame.image,
                gap=begins or frame.gap,
                again=begins,
            )
            yield last
        if first is None:
            return
