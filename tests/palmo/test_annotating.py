"""What is drawn over recorded tracks leaves the ring to be seen."""

from __future__ import annotations

from palmo.annotating import latest
from rules.annotations import Region

SQUARE = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))


def test_of_many_moves_at_once_the_latest_two_are_told() -> None:
    first, second, third = (Region(SQUARE, tone=tone) for tone in ("legal", "doubt", "legal"))
    assert latest([[first], [], [second], [third, first], []]) == [second, third, first]
    assert latest([[], [first]]) == [first]
    assert latest([]) == []
