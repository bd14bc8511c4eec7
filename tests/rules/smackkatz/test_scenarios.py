"""The worked scenarios of the rule catalogue, run from their YAML."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

import tests.rules.smackkatz.topics_fight
import tests.rules.smackkatz.topics_holds
import tests.rules.smackkatz.topics_modes
import tests.rules.smackkatz.topics_order
import tests.rules.smackkatz.topics_overhead
import tests.rules.smackkatz.topics_whip  # noqa: F401
from tests.rules.smackkatz.topics import HANDLERS, Scenario

FOLDER = Path(__file__).resolve().parents[2] / "scenarios"
FILES = sorted(FOLDER.glob("smackkatz*.yaml"))
SCENARIOS = [one for path in FILES for one in yaml.safe_load(path.read_text(encoding="utf-8"))]


def test_every_worked_scenario_of_the_catalogue_is_there_and_as_many_of_our_own() -> None:
    ids = [one["id"] for one in SCENARIOS]
    assert len(set(ids)) == len(ids)
    worked = [one for one in ids if int(one.removeprefix("SC-")) < 200]
    assert len(worked) == 74
    assert len(ids) - len(worked) >= 74


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda one: one["id"])
def test_scenario(scenario: Scenario) -> None:
    HANDLERS[scenario["topic"]](scenario)
