"""What is remembered of one figure: the looks that taught its shape, and the belief after each of them.

A look from a new side is learned from, up to a few; the belief after it stays as it is, so that errors of old
and new places can be compared. A look that shows another shape than all before (it was bent) starts anew.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.measuring.agreement import Known, error_after
from vision.measuring.belief import LESSONS, FigureModel, with_look
from vision.shape.look import Faced
from vision.shape.plan import BENT, BENT_BY_MOST, contradiction

# A look is learned from when its side is this far from all others.
_NEW_SIDE_DEG = 25.0


@dataclass(frozen=True, eq=False)
class Lesson:
    """A look that was learned from, and the belief after it."""

    number: int
    known: Known
    model: FigureModel


class Memory:
    """The lessons of one figure, in the order of its fragments. `bent` is the fragment since which it has its
    present shape, when that is not its first."""

    def __init__(self) -> None:
        self.lessons: list[Lesson] = []
        self.bent: int | None = None

    def before(self, number: int) -> list[Lesson]:
        """What was learned from fragments before this one."""
        return [lesson for lesson in self.lessons if lesson.number < number]

    def lesson(self, number: int) -> Lesson | None:
        """What was learned from this very fragment."""
        return next((lesson for lesson in self.lessons if lesson.number == number), None)

    def model(self, number: int) -> FigureModel | None:
        """The belief with which a fragment is measured: after itself, or else after those before it."""
        own, before = self.lesson(number), self.before(number)
        if own is not None:
            return own.model
        return before[-1].model if before else None

    def drop(self, number: int) -> None:
        """Forget what was learned from a fragment and after it: it is looked at again."""
        self.lessons = self.before(number)

    def start(self, number: int, known: Known, model: FigureModel, *, bent: bool = False) -> None:
        """Learn the first look, or anew when it was bent; `model` is the belief after it."""
        self.lessons = [Lesson(number, known, model)]
        self.bent = number if bent else self.bent

    def add(self, number: int, known: Known) -> None:
        """Learn a further look, when it teaches anything; a fragment seen better replaces itself."""
        before = self.before(number)
        if len(before) > LESSONS or not _new_side(before, known.look):
            return
        model = before[-1].model
        error = error_after(model, [lesson.known for lesson in before], known)
        self.lessons.append(Lesson(number, known, with_look(model, error)))

    def contradicts(self, number: int, look: Faced) -> bool:
        """Whether a look shows another shape than the looks before it."""
        return bends([lesson.known.look for lesson in self.before(number)], look)


def bends(looks: Sequence[Faced], look: Faced) -> bool:
    """Whether a look contradicts most of the others."""
    if not looks:
        return False
    typical = float(np.median([contradiction(look, other) for other in looks]))
    return typical > (BENT if len(looks) == 1 else BENT_BY_MOST)


def _new_side(before: Sequence[Lesson], look: Faced) -> bool:
    gaps = np.array([look.azimuth - lesson.known.look.azimuth for lesson in before])
    return bool((np.cos(gaps) < np.cos(np.radians(_NEW_SIDE_DEG))).all())
