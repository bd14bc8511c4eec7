"""Measuring fragments at once, or beside the live loop: a measurement takes longer than a frame lasts."""

from __future__ import annotations

import contextlib
import queue
import threading
from collections import Counter
from collections.abc import Mapping

from vision.fragments import Fragment
from vision.measuring.matte import MatteError
from vision.measuring.measurer import Measurer
from vision.measuring.poses import FragmentPose

_Result = tuple[str, FragmentPose] | BaseException
_Task = tuple[int, Fragment, Mapping[str, int]]


class Measuring:
    """Hands fragments to a measurer, one after another; in the background when asked to.

    Results wait in `take_done`. A fragment nothing can be cut out of (yet) has no result.
    """

    def __init__(self, measurer: Measurer, *, background: bool) -> None:
        self._measurer = measurer
        self._done: queue.SimpleQueue[_Result] = queue.SimpleQueue()
        self._waiting: queue.Queue[_Task | None] | None = None
        self._thread: threading.Thread | None = None
        self._in_work: Counter[tuple[str, int]] = Counter()
        self._lock = threading.Lock()
        if background:
            self._waiting = queue.Queue()
            self._thread = threading.Thread(target=self._work, name="measure fragments", daemon=True)
            self._thread.start()

    @property
    def busy(self) -> bool:
        """Whether handed-in fragments are still to be measured."""
        return self._waiting is not None and self._waiting.unfinished_tasks > 0

    def works_on(self, fighter: str, number: int) -> bool:
        """Whether a fragment was handed in whose measurement is not done."""
        with self._lock:
            return self._in_work[fighter, number] > 0

    def submit(self, number: int, fragment: Fragment, beside: Mapping[str, int]) -> None:
        """Have a fragment measured, with the others there (see `Measurer.measure`): at once, or soon."""
        if self._waiting is None:
            self._measure(number, fragment, beside)
        else:
            self._count(fragment.fighter, number, 1)
            self._waiting.put((number, fragment, beside))

    def take_done(self) -> list[tuple[str, FragmentPose]]:
        """The fighters and poses measured since the last call. Raises what measuring raised."""
        found = []
        while not self._done.empty():
            result = self._done.get()
            if isinstance(result, BaseException):
                raise result
            found.append(result)
        return found

    def wait(self) -> None:
        """Until everything handed in is measured."""
        if self._waiting is not None:
            self._waiting.join()

    def close(self) -> None:
        """Drop what waits and end the thread: one inside native code must not outlive the interpreter."""
        if self._waiting is None or self._thread is None:
            return
        with contextlib.suppress(queue.Empty):
            while True:
                self._waiting.get_nowait()
                self._waiting.task_done()
        self._waiting.put(None)
        self._thread.join()

    def _measure(self, number: int, fragment: Fragment, beside: Mapping[str, int]) -> None:
        try:
            self._done.put((fragment.fighter, self._measurer.measure(number, fragment, beside=beside)))
        except MatteError:
            # The place stays the guess from the silhouette until the fragment has more frames.
            return

    def _count(self, fighter: str, number: int, more: int) -> None:
        with self._lock:
            self._in_work[fighter, number] += more

    def _work(self) -> None:
        assert self._waiting is not None
        while True:
            handed_in = self._waiting.get()
            try:
                if handed_in is None:
                    return
                self._measure(*handed_in)
            except Exception as error:
                self._done.put(error)
            finally:
                if handed_in is not None:
                    self._count(handed_in[1].fighter, handed_in[0], -1)
                self._waiting.task_done()
