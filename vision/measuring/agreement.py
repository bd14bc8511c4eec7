"""What looks at a figure tell of the error of a further look's guess.

Any two looks show one figure: how its sole lies in the one tells how it lies in the other
(`vision.shape.pairs`), the better the less it has turned. What several looks tell is weighed by how sure it
is, and by how sure each of them is of itself (generalised least squares: Aitken 1935).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import block_diag

from vision.measuring.belief import Error, FigureModel, begun, root_of
from vision.measuring.sight import Sight
from vision.shape.look import Faced
from vision.shape.pairs import Relation, relation

Array = NDArray[np.float64]
Relate = Callable[[Faced, Faced], Relation]

# How far what two looks tell of a third is wrong in the same way: of modelled figures that the training did
# not see.
_ALIKE = 0.5
# Nothing is weighed as if it were surer than this.
_LEAST_SD_CM = 1e-4


@dataclass(frozen=True, eq=False)
class Known:
    """A look with its sight and the facing (radians) that both were made with."""

    look: Faced
    sight: Sight
    facing: float


def error_alone(model: FigureModel, here: Known) -> Error:
    """What is believed of the error of a guess with no other look at the figure."""
    return Error(np.zeros(2), np.zeros((2, len(model.mean))), root_of(here.sight.of_guess))


def first_look(model: FigureModel, here: Known) -> FigureModel:
    """The belief after a first look at a figure, without a tap."""
    return begun(model, here.sight.of_pixels, error_alone(model, here))


def error_after(model: FigureModel, before: Sequence[Known], here: Known, relate: Relate = relation) -> Error:
    """What the looks that a model has learned from, in their order, tell of the error of a further guess."""
    told = [_told(model, number, look, here, relate) for number, look in enumerate(before)]
    roots = [root_of(one.covariance) for one in told]
    rows = np.vstack([one.by_known for one in told])
    own = np.sqrt(_ALIKE) * np.vstack(roots)
    covariance = (1 - _ALIKE) * block_diag(*(root @ root.T for root in roots)) + own @ own.T
    known = rows @ model.root
    total = covariance + known @ known.T + _LEAST_SD_CM**2 * np.eye(len(rows))
    stacked = np.vstack([np.eye(2)] * len(told))
    weights = np.linalg.solve(total, stacked)
    weights = np.linalg.solve(stacked.T @ weights, weights.T)
    mean = weights @ np.concatenate([one.mean for one in told])
    return Error(mean, weights @ rows, root_of(weights @ covariance @ weights.T))


@dataclass(frozen=True, eq=False)
class _OfOne:
    """What one look tells of the error of another's guess: mean (2,), by the unknowns (2, N), covariance."""

    mean: Array
    by_known: Array
    covariance: Array


def _told(model: FigureModel, number: int, before: Known, here: Known, relate: Relate) -> _OfOne:
    found = relate(before.look, here.look)
    cm, axes = model.height_cm, here.look.look.stand.axes
    carry = axes @ found.by_other @ before.look.look.stand.axes.T
    rows = model.rows(number)
    off = here.look.guess.sole - found.offset - found.by_other @ before.look.guess.sole
    return _OfOne(
        cm * axes @ off + carry @ rows @ model.mean,
        carry @ rows,
        cm**2 * axes @ found.covariance @ axes.T,
    )


def corrected(known: Known, model: FigureModel, number: int) -> Faced:
    """The look that a model learned as its number-th, with the error of its guess taken off as far as
    known."""
    error = model.rows(number) @ model.mean
    if number == 0:
        error = error + model.pixel_rows @ model.mean
    return standing(known, place_of(known, model.mean[0], error))


def place_of(known: Known, height: float, error: Array) -> Array:
    """Where the sole (2,) of a look is, given the errors of its height and its guess."""
    return known.sight.raw - known.sight.by_height * height - error


def standing(known: Known, xy: Array) -> Faced:
    """A look at a figure whose sole's middle is known to be at xy (2,)."""
    stand = known.look.look.stand
    sole = stand.axes.T @ (xy - stand.middle) / stand.height_cm
    return replace(known.look, guess=replace(known.look.guess, sole=sole))
