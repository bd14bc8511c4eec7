"""The table of rules: every id of the SmackKatz catalogue, its code and the tests that prove it.

`python -m datasets.rule_table` writes docs/rules-smackkatz.md; a test holds the page to what the code says
now. The code of a rule is what cites it (`rules.engine.cite`); its tests are the scenarios that name it and
the test functions that carry its id in their name or judge a result by it.
"""

from __future__ import annotations

import ast
import importlib
import json
import pkgutil
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

import rules.smackkatz
from overlay.i18n import entries
from rules.engine.cite import citations
from rules.smackkatz.house_rules import CHOICES

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "rules-smackkatz.md"
CITED = ROOT / "datasets" / "cited.json"
"""What `python -m datasets.cited` found: by which tests, logs and fuzz each rule is cited in play."""
TESTS = ROOT / "tests"
RULE = re.compile(r"[A-Z]+-\d{1,3}")
NAMED = re.compile(r"(?<![a-z])([a-z]+)((?:_\d{1,3}(?![a-z0-9]))(?:_(?:and|to|or)?_?\d{1,3}(?![a-z0-9]))*)")


def printed() -> dict[str, str]:
    """Every rule id of the catalogue with what it says, in the catalogue's order."""
    return {
        key.removeprefix("rule."): entry.forms[0]
        for key, entry in entries("en").items()
        if key.startswith("rule.") and key.count(".") == 1
    }


def coded() -> dict[str, tuple[str, ...]]:
    """Rule id -> the functions that cite it, as `room.file.function`."""
    for module in pkgutil.walk_packages(rules.smackkatz.__path__, "rules.smackkatz."):
        importlib.import_module(module.name)
    # In the order of their names: modules are imported in another order in every process.
    return {rule: tuple(sorted(places)) for rule, places in citations("rules.smackkatz.").items()}


def tested(known: set[str]) -> dict[str, list[str]]:
    """Rule id -> the tests that prove it, as `file::test`, scenarios first."""
    found: dict[str, list[str]] = defaultdict(list)
    for path in sorted((TESTS / "scenarios").glob("smackkatz*.yaml")):
        for scenario in yaml.safe_load(path.read_text(encoding="utf-8")):
            for rule in scenario["rules"]:
                found[rule].append(str(scenario["id"]))
    for path in sorted((TESTS / "rules").rglob("test_*.py")):
        for name, rule in _of_file(path, known):
            if (place := f"{path.stem}::{name}") not in found[rule]:
                found[rule].append(place)
    return found


def values_played() -> dict[tuple[str, Any], list[str]]:
    """(option, value) of every house rule with listed values -> the tests that play it so.

    A value other than the default is played by a test that sets the option to it; the default by whatever
    proves the option's rules without setting anything.
    """
    by_rule = tested(set(printed()))
    named = [one for path in sorted((TESTS / "rules").rglob("test_*.py")) for one in _constants(path)]
    found: dict[tuple[str, Any], list[str]] = {}
    for choice in CHOICES:
        for value in choice.values:
            tests = [name for name, said in named if choice.name in said and _typed(value) in said]
            if value == choice.default and not tests:
                tests = [test for rule in choice.rules for test in by_rule.get(rule, [])]
            found[choice.name, _typed(value)] = tests
    return found


def _typed(value: Any) -> Any:
    """A value that 1 and true do not share."""
    return value if isinstance(value, str) else (type(value).__name__, value)


def _constants(path: Path) -> Iterator[tuple[str, set[Any]]]:
    """Each test of a file with the words, numbers and argument names in it."""
    if path.stem in ("test_rulings", "test_named_rulings"):
        # They go through all of them and prove no single one.
        return
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            said = {_typed(one.value) for one in ast.walk(node) if isinstance(one, ast.Constant)}
            said |= {_typed(-one) for one in _negatives(node)}
            said |= {one.arg for one in ast.walk(node) if isinstance(one, ast.keyword) and one.arg}
            yield f"{path.stem}::{node.name}", said


def _negatives(node: ast.AST) -> Iterator[int | float]:
    """The numbers behind a minus sign."""
    for one in ast.walk(node):
        if isinstance(one, ast.UnaryOp) and isinstance(one.op, ast.USub):
            number = getattr(one.operand, "value", None)
            if isinstance(number, int | float):
                yield number


def saying(word: str) -> list[str]:
    """The tests that say a word, such as the name of an option they set."""
    paths = sorted((TESTS / "rules").rglob("test_*.py"))
    return [name for path in paths for name, said in _constants(path) if word in said]


def _of_file(path: Path, known: set[str]) -> Iterator[tuple[str, str]]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            texts = (
                one.value
                for one in ast.walk(node)
                if isinstance(one, ast.Constant) and isinstance(one.value, str)
            )
            judged = {rule for text in texts for rule in RULE.findall(text)}
            for rule in sorted((judged | _in_name(node.name)) & known):
                yield node.name, rule


def _in_name(name: str) -> set[str]:
    """The rule ids a test's name carries: test_strike_03_and_04_... names STRIKE-03 and STRIKE-04."""
    found = set()
    for match in NAMED.finditer(name.removeprefix("test_")):
        group = match.group(1).upper()
        for number in re.findall(r"\d+", match.group(2)):
            found |= {f"{group}-{int(number)}", f"{group}-{int(number):02d}"}
    return found


def in_play() -> dict[str, dict[str, Any]]:
    """Rule id -> what was counted for it when the tests ran last under `datasets.cited`."""
    found: dict[str, dict[str, Any]] = json.loads(CITED.read_text(encoding="utf-8"))
    return found


def _played(one: dict[str, Any]) -> str:
    """How a rule was met in play: cited, at least its code entered, or named only."""
    said = [f"cited in {one['cited']} of {one['named']}"] if one["cited"] else []
    said += [name for name in ("golden", "fuzz") if one[name]]
    if said:
        return ", ".join(said)
    return f"code entered in {one['entered']} of {one['named']}" if one["entered"] else "named only"


def missing() -> dict[str, list[str]]:
    """What the table lacks: rules without code, rules without a test, citations of no rule."""
    rows, code, known = printed(), coded(), set(printed())
    tests = tested(known)
    return {
        "without code": [rule for rule in rows if rule not in code],
        "without a test": [rule for rule in rows if not tests.get(rule)],
        "cited but not printed": sorted(set(code) - known),
        "house rules without a test": [
            f"{name} = {value}" for (name, value), tests_of in values_played().items() if not tests_of
        ],
    }


def page() -> str:
    """The page as Markdown."""
    code, known = coded(), set(printed())
    tests = tested(known)
    lines = [
        "# SmackKatz: every rule, its code and its tests",
        "",
        "Written by `python -m datasets.rule_table`; a test fails when the page is out of date or a rule has",
        "no code or no test. `palmo match rule STRIKE-06` says a rule in the terminal, in Spanish too.",
        "",
        "*In play* is counted by `python -m datasets.cited`: in how many of the tests that name a rule a",
        "fact, a question, a term or a refusal cites it while they run, and whether the golden logs and the",
        "fuzz do; else in how many of them at least the code that carries the rule is entered (sheets, house",
        "rules and definitions are carried out without a word).",
        "",
        "| Rule | What it says | Code | Tests | In play |",
        "|---|---|---|---|---|",
    ]
    met = in_play()
    for rule, text in printed().items():
        places = [place.removeprefix("rules.").removeprefix("smackkatz.") for place in code.get(rule, ())]
        proofs, play = _listed(tests.get(rule, [])), _played(met[rule])
        lines.append(f"| {rule} | {_cell(text)} | {_listed(places)} | {proofs} | {play} |")
    lines += [
        "",
        "## House rules, value by value",
        "",
        "| Option | Value | Rules | Tests |",
        "|---|---|---|---|",
    ]
    played = values_played()
    for choice in CHOICES:
        for value in choice.values:
            shown = f"`{json.dumps(value)}`" + (" (default)" if value == choice.default else "")
            proofs = _listed(played[choice.name, _typed(value)])
            lines.append(f"| {choice.name} | {shown} | {', '.join(choice.rules)} | {proofs} |")
    return "\n".join(lines) + "\n"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _listed(names: list[str], most: int = 4) -> str:
    shown = ", ".join(f"`{name}`" for name in names[:most])
    return shown + (f" and {len(names) - most} more" if len(names) > most else "")


def main() -> None:
    """Write the page and say what is missing."""
    PAGE.write_text(page(), encoding="utf-8")
    for what, rules_lacking in missing().items():
        if rules_lacking:
            print(f"{what}: {', '.join(rules_lacking)}")


if __name__ == "__main__":
    main()
