"""Which rules are cited in play: by a fact, a question, a term or a refusal, not only by a name.

`python -m datasets.cited` runs the tests of SmackKatz, reads the golden logs and the page of the last fuzz,
and writes datasets/cited.json, from which the table of rules takes its column. A test counts for a rule when
it names the rule and the rule is cited while it runs, or at least the code that carries the rule is entered.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from datasets.citing import ENTERED
from datasets.golden import STORIES, path_of
from datasets.rule_table import ROOT, RULE, TESTS, printed, tested
from rules.engine.request import Modifier, Option, Reason, Request
from rules.engine.rulebook import Table
from rules.smackkatz.legality import reasons

FOLDER = TESTS / "rules"
FILE = ROOT / "datasets" / "cited.json"
FUZZ = ROOT / "docs" / "fuzz-smackkatz.md"


class Recorder:
    """A pytest plugin that notes, test by test, every rule id that the engine cites."""

    def __init__(self) -> None:
        self.cited: dict[str, set[str]] = defaultdict(set)
        self.entered: dict[str, set[str]] = defaultdict(set)
        self._test = ""

    def pytest_runtest_setup(self, item: Any) -> None:
        """What is worked out once and kept would not be cited again."""
        self._entered()
        self._test = f"{item.path.stem}::{getattr(item, 'originalname', item.name)}"
        reasons.standing_reason.cache_clear()
        if item.path.stem == "test_scenarios":
            # A scenario is a test of its own.
            self._test = item.name.partition("[")[2].rstrip("]")

    def pytest_runtest_teardown(self) -> None:
        """What was entered belongs to the test that ends."""
        self._entered()

    def _entered(self) -> None:
        self.entered[self._test].update(ENTERED)
        ENTERED.clear()

    def watch(self) -> None:
        """From now on whatever is made with a rule counts for the test that runs."""
        record = Table.record

        def recorded(table: Any, kind: str, *rules: str, **values: Any) -> None:
            self.cited[self._test].update(rules)
            record(table, kind, *rules, **values)

        Table.record = recorded  # type: ignore[method-assign,assignment]
        for kind in (Reason, Modifier, Option, Request):
            self._of_class(kind)

    def _of_class(self, kind: Any) -> None:
        made: Callable[..., None] = kind.__init__

        def noted(one: Any, *args: Any, **kwargs: Any) -> None:
            made(one, *args, **kwargs)
            rules = [*(getattr(one, "rules", None) or (getattr(one, "rule", ""),))]
            rules += [term.rule for pool in getattr(one, "dice", ()) for term in pool.modifiers]
            self.cited[self._test].update(rule for rule in rules if rule)

        kind.__init__ = noted


def golden() -> set[str]:
    """Rules that questions and facts of the golden logs cite."""
    found: set[str] = set()
    for game in STORIES:
        for line in path_of(*game).read_text(encoding="utf-8").splitlines()[1:]:
            entry = json.loads(line)
            found.update(entry["request"]["rules"], *(fact["rules"] for fact in entry["facts"]))
    return found


def fuzzed() -> set[str]:
    """Rules that the last fuzz met, from its page."""
    line = next(one for one in FUZZ.read_text(encoding="utf-8").splitlines() if one.startswith("Rules that"))
    return set(RULE.findall(line))


def table(recorder: Recorder) -> Iterator[tuple[str, dict[str, Any]]]:
    """Rule -> how many of the tests that name it cite it in play, and whether golden logs and fuzz do."""
    naming, logs, met = tested(set(printed())), golden(), fuzzed()
    for rule in printed():
        proofs = [test for test in naming.get(rule, []) if rule in recorder.cited.get(test, ())]
        carried = [test for test in naming.get(rule, []) if rule in recorder.entered.get(test, ())]
        yield rule, {"named": len(naming.get(rule, [])), "cited": len(proofs), "entered": len(carried),
                     "golden": rule in logs, "fuzz": rule in met}  # fmt: skip


def main() -> None:
    """Run, count, write."""
    recorder = Recorder()
    recorder.watch()
    code = pytest.main(["-q", "-p", "no:xdist", "-m", "not slow", str(FOLDER / "smackkatz"),
                        f"--ignore={FOLDER / 'smackkatz' / 'test_rule_table.py'}", *sys.argv[1:]],
                       plugins=[recorder])  # fmt: skip
    if code:
        sys.exit(f"the tests do not pass ({code}): nothing is written")
    found = dict(table(recorder))
    FILE.write_text(
        "{\n"
        + ",\n".join(f"  {json.dumps(rule)}: {json.dumps(one)}" for rule, one in found.items())
        + "\n}\n",
        encoding="utf-8",
    )
    never = [rule for rule, one in found.items() if not (one["cited"] or one["golden"] or one["fuzz"])]
    idle = [rule for rule in never if not found[rule]["entered"]]
    print(
        f"{len(found) - len(never)} rules of {len(found)} are cited in play; of the others no test that names"
    )
    print(f"it enters the code of: {', '.join(idle)}")


if __name__ == "__main__":
    main()
