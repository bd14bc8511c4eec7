"""The wrestler's sheet: ten abilities of 1 to 4, ten points in each half."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from rules.engine.cite import cite
from rules.engine.request import Reason
from rules.engine.rulings import Rulings
from rules.smackkatz.edition import Form
from rules.text import Text

MAIN = ("combat", "speed", "strength", "technique", "resistance")
"""SHEET-03: the main abilities."""
FIGHTING = ("strike", "irish_whip", "suplex", "submission", "counter")
"""SHEET-11: the fighting abilities."""
ABILITIES = MAIN + FIGHTING
"""RULING-90: a wound's d10 counts through the ten in this order."""
CURRENT_FORM = Form("current", MAIN, FIGHTING, titles=True, carries_injuries=True)
"""The sheet of the current edition."""
POINTS = 10
"""SHEET-02, SHEET-10: points to spend in each half."""
CEILING = 4
"""SHEET-17: the starting maximum."""
CLASSES = ("humanoid", "beast", "absurd")
"""BUILD-09 to BUILD-11."""
TRIGGERS = ("knocked_down", "on_ropes", "back_turned", "in_corner")
"""SHEET-20: where the rival must be for the finisher."""
OTHER_KEYS = ("finisher", "trigger", "titles", "carry_malus", "edition")
CARRIED = -1
"""STATUS-63: what an injury takes from its ability in the next match."""
MAY_BE_ZERO = ("technique", "resistance")
"""RULING-4, `only_listed`: the two main abilities without a minimum of their own."""


class SheetError(ValueError):
    """A sheet the rules refuse; `.reasons` has all of them."""

    def __init__(self, fighter: str, reasons: tuple[Reason, ...]) -> None:
        self.fighter = fighter
        self.reasons = reasons
        listed = "; ".join(_sentence(reason) for reason in reasons)
        super().__init__(f"The sheet of {fighter} is not valid: {listed}.")


@dataclass(frozen=True)
class Sheet:
    """A checked sheet: base scores (titles included), the finisher and its trigger."""

    scores: Mapping[str, int]
    finisher: str = ""
    trigger: str = "knocked_down"
    titles: tuple[Mapping[str, str], ...] = ()
    carry_malus: Mapping[str, int] = field(default_factory=dict)


def _sentence(reason: Reason) -> str:
    values = ", ".join(f"{k} {v}" for k, v in reason.text.values.items())
    return f"{reason.code.replace('_', ' ')} ({values}; {reason.rule})"


def _problem(code: str, rule: str, **values: float | int | str) -> Reason:
    return Reason(code, Text(f"sheet.{code}", dict(values)), rule)


@cite(
    "SHEET-02", "SHEET-03", "SHEET-04", "SHEET-05", "SHEET-06", "SHEET-10", "SHEET-11", "SHEET-12",
    "SHEET-17", "SHEET-18", "SHEET-20", "BUILD-16", "RULING-4", "RULING-96",
)  # fmt: skip
def sheet_problems(
    data: Mapping[str, Any], rulings: Rulings, form: Form = CURRENT_FORM
) -> tuple[Reason, ...]:
    """Everything that is wrong with a sheet (an empty tuple for a good one).

    `data` maps each of the form's ten abilities to its points and may hold `finisher`, `trigger`, `titles`
    (a list of {"title": ..., "ability": ...}), `carry_malus` (ability -> -1) and `edition`.
    """
    problems = [
        _problem("unknown_key", "BUILD-16", key=key) for key in data if key not in form.abilities + OTHER_KEYS
    ]
    for ability in form.abilities:
        problems += _points_of(data, ability, rulings, form)
    for half, rule in ((form.main, "SHEET-02"), (form.fighting, "SHEET-10")):
        scores = [one for ability in half if isinstance(one := data.get(ability), int)]
        if len(scores) == len(half) and sum(scores) != POINTS:
            problems.append(_problem("points", rule, half=half[0], total=sum(scores), wanted=POINTS))
    if data.get("trigger", TRIGGERS[0]) not in TRIGGERS:
        problems.append(_problem("trigger", "SHEET-20", given=str(data["trigger"])))
    return (*problems, *_carried_problems(data, form))


def _points_of(data: Mapping[str, Any], ability: str, rulings: Rulings, form: Form) -> list[Reason]:
    points = data.get(ability)
    if not isinstance(points, int) or isinstance(points, bool):
        return [_problem("missing_ability", "BUILD-16", ability=ability)]
    half_rule = "SHEET-02" if ability in form.main else "SHEET-10"
    lowest = 0 if ability in MAY_BE_ZERO and rulings["ability_minimum"] == "only_listed" else 1
    if points < lowest:
        return [_problem("ability_too_low", half_rule, ability=ability, points=points)]
    if points > CEILING:
        rule = "SHEET-18" if data.get("titles") else "SHEET-17"
        return [_problem("ability_too_high", rule, ability=ability, points=points)]
    return []


@cite("SHEET-18", "STATUS-63", "LEAGUE-01", "LEAGUE-02", "PROP-16", "RULING-96")
def _carried_problems(data: Mapping[str, Any], form: Form) -> list[Reason]:
    """What is wrong with what a sheet brings along from earlier matches."""
    problems = []
    titles = data.get("titles", ())
    if titles and not form.titles:
        problems.append(_problem("no_titles", "SHEET-18"))
    elif not isinstance(titles, list | tuple) or not all(isinstance(one, Mapping) for one in titles):
        problems.append(_problem("titles", "RULING-96"))
    else:
        raised = [one.get("ability") for one in titles]
        problems += [
            _problem("title_ability", "RULING-96", given=str(one))
            for one in raised
            if one not in form.abilities
        ]
    malus = data.get("carry_malus", {})
    if malus and not form.carries_injuries:
        problems.append(_problem("no_carry_malus", "STATUS-63"))
    elif not isinstance(malus, Mapping) or any(
        one not in form.abilities or lost != CARRIED for one, lost in malus.items()
    ):
        problems.append(_problem("carry_malus", "STATUS-63", given=str(malus)))
    if data.get("edition", form.edition) != form.edition:
        problems.append(_problem("other_edition", "PROP-16", given=str(data["edition"]), wanted=form.edition))
    return problems


@cite("SHEET-01", "SHEET-19", "LEAGUE-01", "LEAGUE-02", "STATUS-63")
def read_sheet(fighter: str, data: Mapping[str, Any], rulings: Rulings, form: Form = CURRENT_FORM) -> Sheet:
    """The sheet as the engine uses it; raises SheetError with all reasons."""
    problems = sheet_problems(data, rulings, form)
    if problems:
        raise SheetError(fighter, problems)
    scores = {ability: int(data[ability]) for ability in form.abilities}
    titles = tuple(dict(title) for title in data.get("titles", ()))
    for title in titles:
        scores[title["ability"]] += int(rulings["title_bonus"])
    malus = dict(data.get("carry_malus", {}))
    return Sheet(scores, data.get("finisher", ""), data.get("trigger", TRIGGERS[0]), titles, malus)
