"""Lessons for networks as arrays: what was drawn of many random figures, one after another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields
from typing import TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from datasets.makers import MORE_MAKERS
from vision.fighters import FighterClass

Arrays: TypeAlias = dict[str, NDArray[np.generic]]
Drawn = TypeVar("Drawn")

KINDS: tuple[FighterClass, ...] = ("humanoid", "beast", "absurd")


def lessons(
    seed: Sequence[int],
    makers: Sequence[str],
    figures: int,
    one: type[Drawn],
    drawn: Callable[[np.random.Generator, str], tuple[str, Sequence[Drawn]]],
) -> Arrays:
    """The fields of the dataclass `one` as arrays, and `kind` and `maker` as numbers.

    `drawn` gives the class of a random figure of a maker and what is drawn of it; makers take turns.
    """
    rng = np.random.default_rng(seed)
    names, wanted = list(MORE_MAKERS), [field.name for field in fields(one)]  # type: ignore[arg-type]
    columns: dict[str, list[object]] = {name: [] for name in (*wanted, "kind", "maker")}
    for number in range(figures):
        maker = makers[number % len(makers)]
        kind, samples = drawn(rng, maker)
        for sample in samples:
            for name in wanted:
                columns[name].append(getattr(sample, name))
            columns["kind"].append(KINDS.index(kind))
            columns["maker"].append(names.index(maker))
    return {name: np.asarray(values) for name, values in columns.items()}
