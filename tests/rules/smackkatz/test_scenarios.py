"""The worked scenarios of the rule catalogue, run from their YAML."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

import tests.rules.smackkatz.topics_fight
import tests.rules.smackkatz.topics_order  # noqa: F401
from tests.rules.smackkatz.topics import HANDLERS, Scenario

FOLDER = Path(__file__).resolve().parents[2] / "scenarios"
SCENARIOS = [
    one for path in sorted(FOLDER.glob("smackkatz*.yaml")) for one in yaml.safe_load(path.read_text())
]


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda one: one["id"])
def test_scenario(scenario: Scenario) -> None:
    HANDLERS[scenario["topic"]](scenario)
