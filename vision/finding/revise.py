"""Looking back: what a recording knows that a live picture could not.

A hand event is judged by what the figure did. Between the last frame before it moved and the last one before
it came to rest it was in the hand; before and after it stood, however close the hand was.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.assemble import Remark
from vision.finding.following import Stand
from vision.tracks import State


def revise(remarks: Sequence[Remark], first_frame: int, stands: Sequence[Stand]) -> list[Remark]:
    """One fighter's remarks, frame after frame from `first_frame`, as looking back puts them right."""
    revised = list(remarks)
    for stand in stands:
        for i in range(max(0, stand.first - first_frame), min(len(revised), stand.last - first_frame + 1)):
            hidden = any(begin <= i + first_frame <= end for begin, end in stand.hidden)
            # What a gap in the source hid stays doubtful.
            doubtful = remarks[i].state == "unsure" and remarks[i].fragment is None and not hidden
            state: State = "unsure" if doubtful else "placed"
            # What was taken for it meanwhile was something else.
            guess = None if hidden else remarks[i].guess
            revised[i] = replace(remarks[i], state=state, fragment=stand.number, guess=guess)
    for before, after in zip(stands, [*stands[1:], None], strict=True):
        if before.by_hand:
            end = after.first if after is not None else before.last + 1
            _carried(revised, _last_seen(remarks, before, first_frame), end - first_frame)
    return revised


def _last_seen(remarks: Sequence[Remark], stand: Stand, first_frame: int) -> int:
    """The last of a stand's frames that shows it: the hand that hid it then had it."""
    last = min(stand.last - first_frame, len(remarks) - 1)
    while last > stand.first - first_frame and remarks[last].state == "covered":
        last -= 1
    return last


def _carried(revised: list[Remark], begin: int, end: int) -> None:
    """Put the frames from the last one of a stand to the first one of the next into the hand."""
    for i in range(max(0, begin), min(len(revised), end)):
        if revised[i].state != "lost":
            revised[i] = replace(revised[i], state="in_hand", fragment=None)


def fill_guesses(remarks: list[Remark]) -> list[Remark]:
    """Guesses between the frames that have one, on a straight line: a hand hid the figure meanwhile."""
    known = [i for i, remark in enumerate(remarks) if remark.guess is not None]
    if not known:
        return remarks
    places = np.array([remarks[i].guess for i in known], dtype=np.float64)
    frames = np.arange(len(remarks))
    xs, ys = np.interp(frames, known, places[:, 0]), np.interp(frames, known, places[:, 1])
    return [
        remark if remark.guess is not None else replace(remark, guess=(float(x), float(y)))
        for remark, x, y in zip(remarks, xs, ys, strict=True)
    ]
