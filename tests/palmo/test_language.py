"""Which language a command speaks when nobody says."""

from __future__ import annotations

import pytest

from palmo.commands.common import language


@pytest.mark.parametrize(
    ("environment", "spoken"),
    [
        ({"LANG": "es_ES.UTF-8"}, "es"),
        ({"LANG": "es_MX"}, "es"),
        ({"LANG": "en_US.UTF-8", "LC_MESSAGES": "es_ES.UTF-8"}, "es"),
        ({"LANG": "es_ES.UTF-8", "LC_ALL": "en_GB.UTF-8"}, "en"),
        ({"LANG": "es_ES.UTF-8", "PALMO_LANG": "en"}, "en"),
        ({"LANG": "en_US.UTF-8", "PALMO_LANG": "es"}, "es"),
        ({"LANG": "fr_FR.UTF-8"}, "en"),
    ],
)
def test_the_environment_chooses_the_language(
    environment: dict[str, str], spoken: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where the system has no such locale."""
    for name in ("PALMO_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert language(None) == spoken


def test_what_is_asked_for_counts_most(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PALMO_LANG", "en")
    assert language("es") == "es"
