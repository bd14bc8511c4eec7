"""Answers as people and cameras give them, checked and turned into plain data for the log and back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from rules.engine.request import Option, Reason, Rejected, Request
from rules.scene import Figure, Scene
from rules.text import Text

AS_PROPOSED = "as_proposed"
"""The answer to a `place` request that says: it stands where the ghost is."""
GIVEN = ("roll", "observe", "place")
"""Kinds whose answers come from the table itself and are offered again after an undo."""


_FIGURE = tuple(one.name for one in fields(Figure))
_NUMBERS = ("x", "y", "facing", "facing_sd", "outline_sd")


def reject(code: str, rule: str = "", **values: float | int | str) -> Rejected:
    """A rejection of an answer that has the wrong form."""
    return Rejected((Reason(code, Text(f"reject.{code}", dict(values)), rule),))


def figure_to_json(figure: Figure) -> Mapping[str, Any]:
    """A figure as plain data, not to be changed; floats keep every digit."""
    # Kept with the very object, for equal ones may be written differently (0 and 0.0). By hand:
    # dataclasses.asdict copies every point of the outline and costs ten times as much.
    known: Mapping[str, Any] | None = figure.__dict__.get("_json")
    if known is None:
        data = {name: getattr(figure, name) for name in _FIGURE}
        data["outline"] = [list(point) for point in figure.outline]
        data["covariance"] = list(figure.covariance)
        if figure.outline_covariance is None:
            del data["outline_covariance"]
        else:
            data["outline_covariance"] = list(figure.outline_covariance)
        known = figure.__dict__["_json"] = data
    return known


def figure_from_json(data: Mapping[str, Any]) -> Figure:
    """The inverse of `figure_to_json`; raises TypeError, ValueError or OverflowError on something else."""
    fields = dict(data)
    numbers = [fields.get(name, 0.0) for name in _NUMBERS]
    if not isinstance(fields.get("id"), str) or not isinstance(fields.get("facing_assumed", False), bool):
        raise TypeError("id or facing_assumed")
    if any(isinstance(one, bool) or not isinstance(one, int | float) for one in numbers):
        raise TypeError("a number")
    fields["outline"] = tuple((float(x), float(y)) for x, y in fields["outline"])
    fields["covariance"] = _covariance(fields.get("covariance", (0.0, 0.0, 0.0)))
    if fields.get("outline_covariance") is not None:
        fields["outline_covariance"] = _covariance(fields["outline_covariance"])
    return Figure(**fields)


def _covariance(given: Any) -> tuple[float, float, float]:
    xx, xy, yy = given
    return float(xx), float(xy), float(yy)


def checked(request: Request, value: Any, known: tuple[str, ...]) -> Any:
    """The answer as the procedure wants it, or Rejected.

    `choose` and `ruling` give the option's id, `roll` a tuple of faces, `observe` a dict of figures,
    `place` one Figure (or AS_PROPOSED). `known` are the ids of the match's fighters.
    """
    answer, reasons = against(request, value, known)
    if reasons:
        raise Rejected(reasons)
    return answer


def against(request: Request, value: Any, known: tuple[str, ...]) -> tuple[Any, tuple[Reason, ...]]:
    """The answer in the procedure's form and what the rules have against it; Rejected for a wrong form."""
    if request.kind in ("choose", "ruling"):
        option = _known_option(request, value)
        return option.id, option.reasons
    if request.kind == "roll":
        return _checked_faces(request, value), ()
    if request.kind == "observe":
        return _checked_figures(value, known), ()
    figure = _checked_figure(request.proposal if value == AS_PROPOSED else value)
    if figure.id != request.fighter:
        raise reject("other_figure", asked=request.fighter or "", given=figure.id)
    return figure, request.check(figure) if request.check is not None else ()


def _known_option(request: Request, value: Any) -> Option:
    option: Option | None = request.option(value) if isinstance(value, str) else None
    if option is None:
        raise reject("no_such_option", given=str(value))
    return option


def _checked_faces(request: Request, value: Any) -> tuple[int, ...]:
    # Lists are what is nearly always given: nothing quicker tells them from the rest.
    plain = isinstance(value, list)
    if not plain and (isinstance(value, str | bytes | Mapping) or not hasattr(value, "__iter__")):
        raise reject("not_dice", given=str(value))
    faces = tuple(value)
    if len(faces) != request.dice_count:
        raise reject("dice_count", given=len(faces), wanted=request.dice_count)
    sides = [pool.faces for pool in request.dice for _ in range(pool.count)]
    for face, side in zip(faces, sides, strict=True):
        if not isinstance(face, int) or isinstance(face, bool) or not 1 <= face <= side:
            raise reject("dice_face", given=str(face), sides=side)
    return faces


def _checked_figures(value: Any, known: tuple[str, ...]) -> dict[str, Figure]:
    figures = value.figures if isinstance(value, Scene) else value
    if not isinstance(figures, Mapping):
        raise reject("not_a_scene")
    for name in figures:
        if name not in known:
            raise reject("unknown_figure", given=str(name))
    # In the roster's order, whichever order they were seen in: a replay must meet them in the same one.
    checked_figures = {name: _checked_figure(figures[name]) for name in known if name in figures}
    for name, figure in checked_figures.items():
        if figure.id != name:
            raise reject("unknown_figure", given=name)
    return checked_figures


def _checked_figure(value: Any) -> Figure:
    if isinstance(value, Figure):
        figure = value
    else:
        if not isinstance(value, Mapping):
            raise reject("not_a_figure")
        try:
            figure = figure_from_json(value)
        except (TypeError, ValueError, KeyError, OverflowError) as error:
            raise reject("not_a_figure") from error
    if not figure.sound:
        raise reject("not_a_figure")
    return figure


def to_json(request: Request, answer: Any) -> Any:
    """A checked answer as plain data for the log."""
    if request.kind == "roll":
        return list(answer)
    if request.kind == "observe":
        return {name: figure_to_json(figure) for name, figure in sorted(answer.items())}
    if request.kind == "place":
        return figure_to_json(answer)
    return answer
