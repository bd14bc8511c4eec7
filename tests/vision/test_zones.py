"""Zones by outline and gap (RULING-33)."""

from __future__ import annotations

import pytest

from vision.zones import Zones

ZONES = Zones(70.0, 60.0)


def square(x: float, y: float, half: float = 2.0) -> list[tuple[float, float]]:
    return [(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)]


@pytest.mark.parametrize(
    ("x", "y", "zone"),
    [
        (0.0, 0.0, "ring"),
        (30.9, 0.0, "ring"),  # the outline ends 2.1 cm before the rope
        (31.1, 0.0, "ropes"),  # 1.9 cm before it
        (0.0, -26.5, "ropes"),
        (31.5, 26.5, "corner"),  # near two ropes, but nearer than 2 cm to the post
        (36.0, 0.0, "ringside"),
        (64.0, 0.0, "ringside"),
        (66.0, 0.0, "off_table"),
        (0.0, 61.0, "off_table"),
    ],
)
def test_zones_follow_the_outline_and_the_ground_point(x: float, y: float, zone: str) -> None:
    assert ZONES.of((x, y), square(x, y)) == zone


def test_without_an_outline_the_ground_point_decides() -> None:
    assert ZONES.of((32.0, 0.0)) == "ring"
    assert ZONES.of((33.5, 0.0)) == "ropes"
    assert ZONES.of((34.0, 29.0)) == "corner"
