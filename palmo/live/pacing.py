"""Playing a recorded source at the speed of life."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator

from vision.sources.frames import Frame


def in_real_time(
    frames: Iterable[Frame],
    *,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
) -> Iterator[Frame]:
    """Give each frame when its time has come; one whose successor's time has come too is left out.

    As with a camera: whoever is slow gets fewer pictures, never old ones. The last frame always comes.
    """
    started: float | None = None
    waiting: Frame | None = None
    for frame in frames:
        if started is None:
            started = clock() - frame.t
        if waiting is not None and clock() - started < frame.t:
            early = waiting.t - (clock() - started)
            if early > 0:
                sleep(early)
            yield waiting
        waiting = frame
    if waiting is not None:
        yield waiting
