"""The floors: palmo > overlay > vision > calibration, with rules on the ground beside them.

Who may import whom.
"""

from __future__ import annotations

import ast
import warnings
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
MAY_IMPORT = {
    "rules": set(),
    "calibration": set(),
    "vision": {"calibration"},
    "overlay": {"vision", "calibration", "rules"},
    "palmo": {"overlay", "vision", "calibration", "rules"},
    "datasets": {"palmo", "overlay", "vision", "calibration", "rules"},
}
# The rules are pure: numbers and shapes only, no camera, clock, file or chance.
RULES_MAY_USE = {
    "__future__", "abc", "bisect", "collections", "contextlib", "copy", "dataclasses", "enum", "functools",
    "hashlib", "inspect", "itertools", "json", "math", "numpy", "operator", "re", "shapely", "types",
    "typing",
}  # fmt: skip


def imported(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import; use the top-level name"
            names.add((node.module or "").split(".")[0])
    return names


@pytest.mark.parametrize("floor", sorted(MAY_IMPORT))
def test_no_floor_imports_one_above_it(floor: str) -> None:
    forbidden = set(MAY_IMPORT) - MAY_IMPORT[floor] - {floor}
    for path in (ROOT / floor).rglob("*.py"):
        assert not imported(path) & forbidden, f"{path.relative_to(ROOT)} imports a floor above it"


def test_rules_are_pure() -> None:
    for path in (ROOT / "rules").rglob("*.py"):
        extra = imported(path) - RULES_MAY_USE - {"rules"}
        assert not extra, f"{path.relative_to(ROOT)} imports {sorted(extra)}"


def test_exactly_one_cv2_distribution_is_installed() -> None:
    from importlib.metadata import packages_distributions

    assert packages_distributions()["cv2"] == ["opencv-python"]


@pytest.mark.parametrize("floor", [*MAY_IMPORT, "tests"])
def test_a_warning_of_our_own_code_is_an_error(floor: str) -> None:
    with pytest.raises(RuntimeWarning):
        warnings.warn_explicit("a number was lost", RuntimeWarning, "file.py", 1, module=f"{floor}.one.file")
