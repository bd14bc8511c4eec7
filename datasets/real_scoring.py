"""Found patches against counted pieces: what is right, what is missed, what is false, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from datasets.real_teaching import Patch
from vision.colour.table import Labels

Points = Mapping[str, Sequence[Sequence[float]]]


@dataclass(frozen=True)
class Tally:
    """One picture's score.

    errors_px are the distances of the right ones, why counts the reasons of the wrong ones.
    """

    picture: str
    pieces: int
    right: int
    false: int
    errors_px: tuple[float, ...] = ()
    why: Counter[str] = field(default_factory=Counter)

    @property
    def wrong(self) -> int:
        """Missed and false ones together."""
        return self.pieces - self.right + self.false


@dataclass(frozen=True)
class Row:
    """One line of the table. error is in `unit`; None where there is nothing to measure.

    worst is the worst picture and why, why the commonest reasons in all pictures.
    """

    name: str
    layer: str
    taught: str
    pieces: int
    precision: float | None
    recall: float | None
    error_median: float | None
    error_max: float | None
    unit: str
    worst: str
    why: str = ""


def match(
    picture: str, truth: Points, patches: Sequence[Patch], reach: float, labels: Labels, names: Sequence[str]
) -> Tally:
    """Patches to pieces of their colour, nearest pairs first, no farther apart than `reach` px."""
    pieces = [(colour, np.array(c, dtype=np.float64)) for colour, cs in truth.items() for c in cs]
    pairs = sorted(
        (float(np.hypot(*(patch.blob.centroid - centre))), i, j)
        for i, (colour, centre) in enumerate(pieces)
        for j, patch in enumerate(patches)
        if patch.colour == colour
    )
    mine: dict[int, int] = {}
    errors = []
    for distance, i, j in pairs:
        if distance <= reach and i not in mine and j not in mine.values():
            mine[i] = j
            errors.append(distance)
    why: Counter[str] = Counter()
    for i, (colour, centre) in enumerate(pieces):
        if i not in mine:
            why[_why_missed(colour, centre, patches, labels, names, reach)] += 1
    for j, patch in enumerate(patches):
        if j not in mine.values():
            why[_why_false(patch, pieces, reach)] += 1
    return Tally(picture, len(pieces), len(mine), len(patches) - len(mine), tuple(errors), why)


def count(picture: str, truth: Mapping[str, int], patches: Sequence[Patch]) -> Tally:
    """The same where only the number of every colour is known."""
    found = Counter(patch.colour for patch in patches)
    right = sum(min(found[colour], number) for colour, number in truth.items())
    why = Counter(
        {
            f"{colour} {found[colour]} for {truth.get(colour, 0)}": abs(found[colour] - truth.get(colour, 0))
            for colour in {*found, *truth}
            if found[colour] != truth.get(colour, 0)
        }
    )
    return Tally(picture, sum(truth.values()), right, len(patches) - right, (), why)


def row(name: str, layer: str, taught: str, tallies: Sequence[Tally], unit: str = "px") -> Row:
    """All pictures of a set in one line.

    The worst picture is the one with most wrong, then the largest error.
    """
    pieces, right = sum(t.pieces for t in tallies), sum(t.right for t in tallies)
    false = sum(t.false for t in tallies)
    errors = [e for t in tallies for e in t.errors_px]
    return Row(
        name,
        layer,
        taught,
        pieces,
        right / (right + false) if right + false else None,
        right / pieces if pieces else None,
        float(np.median(errors)) if errors else None,
        max(errors, default=None),
        unit,
        _worst(tallies, unit),
        _commonest(sum((tally.why for tally in tallies), Counter()), 4),
    )


def _worst(tallies: Sequence[Tally], unit: str) -> str:
    worst = max(tallies, key=lambda t: (t.wrong, max(t.errors_px, default=0.0)))
    if worst.wrong == 0:
        off = f", the farthest {max(worst.errors_px):.0f} {unit} off" if worst.errors_px else ""
        return f"none wrong; {worst.picture}{off}"
    missed = worst.pieces - worst.right
    return f"{worst.picture}: {missed} missed, {worst.false} false: {_commonest(worst.why, 2)}"


def _commonest(why: Counter[str], number: int) -> str:
    return ", ".join(f"{reason} ({n})" if n > 1 else reason for reason, n in why.most_common(number))


def _why_missed(
    colour: str,
    centre: np.ndarray[tuple[int, ...], np.dtype[np.float64]],
    patches: Sequence[Patch],
    labels: Labels,
    names: Sequence[str],
    reach: float,
) -> str:
    u, v = (round(float(x)) for x in centre)
    for patch in patches:
        a, b, c, d = patch.blob.rect
        if patch.colour == colour and a <= u < c and b <= v < d:
            return f"{colour} joined with another {colour}"
    half = max(1, round(reach / 2))
    there = labels[max(0, v - half) : v + half + 1, max(0, u - half) : u + half + 1]
    counts = np.bincount(there.ravel(), minlength=256)
    label = int(counts[: len(names) + 1].argmax())
    if label == 0 or counts[label] * 2 < there.size:
        return f"{colour} is nobody's colour"
    return f"{colour} in pieces" if names[label - 1] == colour else f"{colour} named {names[label - 1]}"


def _why_false(
    patch: Patch,
    pieces: Sequence[tuple[str, np.ndarray[tuple[int, ...], np.dtype[np.float64]]]],
    reach: float,
) -> str:
    for colour, centre in pieces:
        if np.hypot(*(patch.blob.centroid - centre)) <= reach:
            twice = colour == patch.colour
            return f"{colour} found twice" if twice else f"{patch.colour} seen on {colour}"
    return f"{patch.colour} where nothing is"
