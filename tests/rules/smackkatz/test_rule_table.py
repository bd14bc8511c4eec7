"""Rule -> code: citations are real ids, and the rules of these first stones are all cited."""

from __future__ import annotations

import re

import rules.smackkatz.book  # noqa: F401  (imports every procedure)
from rules.engine.cite import citations

BUILT = {
    "SHEET": {1, 2, 10, 17, 18, 19, 20, 21},
    "SETUP": {1, 2, 3, 4},
    "TURN": {1, 2, 3, 4, 5, 6},
    "INIT": {1, 2, 3, 4, 5, 6},
    "LOCK": {1, 2, 3, 4, 5, 6, 7, 8, 9, 10},
    "MELEE": {1, 2, 3, 5},
    "MOVE": {1, 2, 3, 4, 5},
    "FACE": {1, 2, 3},
    "ATK": {1, 2},
    "STRIKE": set(range(1, 10)),
    "COUNTER": {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 13, 14, 15, 16},
    "WHIP": set(range(1, 21)),
    "FATIGUE": {1, 2},
    "STATUS": {*range(1, 6), *range(7, 14), *range(20, 25), 26, 27, *range(30, 35), 50, 51, 53, 54,
               *range(60, 64)},
    "CHECK": {1, 2, 3, 4},
    "WIN": {3, 4, 5},
    "FOUL": {5, 6, 7},
    "RULING": {1, 2, 4, *range(6, 36), *range(37, 52), 61, 62, *range(67, 71), *range(75, 78), *range(84, 89),
               *range(90, 93), *range(101, 107), 112, 114},
}  # fmt: skip


def test_every_citation_is_a_rule_id() -> None:
    for rule, places in citations("rules.smackkatz").items():
        assert re.fullmatch(r"[A-Z]+-\d{1,3}", rule), f"{rule} cited by {places}"


def test_every_rule_of_the_first_stones_is_cited() -> None:
    cited = set(citations("rules.smackkatz"))
    wanted = {
        f"{group}-{number}" if group == "RULING" else f"{group}-{number:02d}"
        for group, numbers in BUILT.items()
        for number in numbers
    }
    assert wanted - cited == set()
