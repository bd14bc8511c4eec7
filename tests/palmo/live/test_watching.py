from __future__ import annotations

import pytest

from palmo.event import Event
from palmo.judging import Judgement
from palmo.live.watching import MoveWatch
from vision.tracks import Track, TrackFrame

ERROR = {"own": [0.01, 0.0, 0.01], "camera": [[], []], "figure": [[], []], "basis": "none"}


def watched(
    event: Event, script: list[tuple[str, float, float, int | None]], *, measured: bool = True
) -> list[tuple[float, Judgement]]:
    """Every move told, with its time; the script has (state, x, facing, fragment) per tenth of a second."""
    watch = MoveWatch(event)
    told = []
    for number, (state, x, facing, fragment) in enumerate(script):
        track = Track(
            state=state, x=x, y=0.0, sx=0.2, sy=0.2, sxy=0.0, facing_deg=facing, facing_sd_deg=3.0,
            facing_source="registered", fragment=fragment,
            error={**ERROR, "fragment": fragment} if measured else None,
        )  # type: ignore[arg-type] # fmt: skip
        told += [(number / 10, one) for one in watch.see(TrackFrame(number, number / 10, {"F1": track}))]
    return told


def stand(
    x: float, fragment: int, frames: int, facing: float = 0.0
) -> list[tuple[str, float, float, int | None]]:
    return [("placed", x, facing, fragment)] * frames


CARRY: list[tuple[str, float, float, int | None]] = [("in_hand", 10.0, 0.0, None)] * 5


def test_a_move_is_told_once_when_the_figure_has_settled(event: Event) -> None:
    ((at, judgement),) = watched(event, stand(0, 0, 15) + CARRY + stand(30, 1, 40))
    assert 2.7 <= at <= 3.0
    assert judgement.length.value == pytest.approx(30, abs=0.1)


def test_a_figure_that_is_only_nudged_on_its_way_is_not_measured_there(event: Event) -> None:
    script = stand(0, 0, 15) + CARRY + stand(15, 1, 4) + CARRY + stand(30, 2, 20)
    ((_, judgement),) = watched(event, script)
    assert judgement.length.value == pytest.approx(30, abs=0.1)


def test_being_touched_is_no_move(event: Event) -> None:
    assert watched(event, stand(0, 0, 15) + CARRY + stand(0.2, 1, 20)) == []


def test_a_turn_on_the_spot_is_a_move(event: Event) -> None:
    ((_, judgement),) = watched(event, stand(0, 0, 15) + CARRY + stand(0, 1, 20, facing=90.0))
    assert judgement.turn_deg == pytest.approx(90)


def test_nothing_is_told_of_where_a_figure_stood_first(event: Event) -> None:
    assert watched(event, stand(0, 0, 30)) == []


def test_a_figure_that_cannot_be_measured_is_judged_by_its_silhouette_in_the_end(event: Event) -> None:
    ((at, _),) = watched(event, stand(0, 0, 45) + CARRY + stand(30, 1, 60), measured=False)
    assert at >= 8.0
