"""Positions and rosters that cannot be, from a page or an edited file: refused, and nothing has changed."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rules.engine.log import LogError
from rules.engine.match import Match
from rules.engine.request import Rejected
from tests.rules.games import BOOKS, Game

SQUARE = [[0, 0], [6, 0], [6, 6], [0, 6]]
GOOD: dict[str, Any] = {"id": "F1", "x": 3, "y": 3.0, "facing": 0, "outline": SQUARE}


def opened() -> Match[Any]:
    match = Game(BOOKS["current"], "wrestling_match").opened()
    assert match.request is not None
    assert match.request.kind == "observe"
    return match


def test_plain_data_of_a_figure_is_taken() -> None:
    match = opened()
    match.answer({"F1": {**GOOD, "covariance": [0.04, 0.0401, 0.04], "zone": "ropes"}}, "referee")
    assert match.scene.figures["F1"].zone == "ropes"


@pytest.mark.parametrize(
    "wrong",
    [
        {"x": {}},
        {"x": None},
        {"y": "3"},
        {"x": True},
        {"x": 10**400},
        {"facing": [1]},
        {"facing": 1e308},
        {"x": 1e300},
        {"outline": [[0, 0], [10**400, 0], [0, 6]]},
        {"outline": [[0, 0], [1e20, 0], [0, 6]]},
        {"outline": None},
        {"covariance": [-1, 0, -1]},
        {"covariance": [1, 5, 1]},
        {"covariance": [1e300, 0, 1e300]},
        {"covariance": [float("nan"), 0, 1]},
        {"facing_sd": -1},
        {"outline_sd": []},
        {"posture": ["lying"]},
        {"posture": "flying"},
        {"zone": "moon"},
        {"facing_assumed": "no"},
    ],
    ids=str,
)
def test_a_figure_that_cannot_be_is_refused_and_changes_nothing(wrong: dict[str, Any]) -> None:
    match = opened()
    lines = match.log_lines()
    with pytest.raises(Rejected, match="not_a_figure"):
        match.answer({"F1": {**GOOD, **wrong}}, "referee")
    assert match.log_lines() == lines
    assert match.request is not None


@pytest.mark.parametrize(
    ("place", "wrong"),
    [
        (("ring", "width"), {"a": 1}),
        (("ring", "depth"), 10**30),
        (("ring", "depth"), 0),
        (("ring", "ringside"), float("nan")),
        (("entrants", 0, "hand", "palm"), [[]]),
        (("entrants", 0, "hand", "palm"), -18),
        (("entrants", 1, "hand", "palm_sd"), 1e308),
        (("entrants", 1, "name"), {"a": 1}),
        (("entrants", 1, "id"), ["F2"]),
        (("entrants", 1, "team"), 1),
        (("entrants", 1, "sheet"), []),
        (("entrants", 1, "hand"), None),
        (("entrants", 1, "hand"), "a hand"),
        (("entrants", 0), 2.5),
        (("entrants", 0), {"id": "F1"}),
    ],
    ids=str,
)
def test_a_roster_that_cannot_be_is_said_with_its_line(place: tuple[str | int, ...], wrong: Any) -> None:
    header = json.loads(opened().log_lines()[0])
    inner: Any = header["roster"]
    for part in place[:-1]:
        inner = inner[part]
    inner[place[-1]] = wrong
    with pytest.raises(
        LogError, match="Line 1 of the match log is not a header: 'roster' is missing or wrong"
    ):
        Match.replay([json.dumps(header)], BOOKS["current"])
