from __future__ import annotations

from dataclasses import replace

import pytest

from palmo.event import Event
from palmo.judging import Judgement
from palmo.live.watching import MoveWatch
from vision.tracks import Track, TrackFrame

ERROR = {"own": [0.01, 0.0, 0.01], "camera": [[], []], "figure": [[], []], "basis": "none"}


def watched(
    event: Event,
    script: list[tuple[str, float, float, int | None]],
    *,
    measured: bool = True,
    measuring: bool = False,
) -> list[tuple[float, Judgement]]:
    """Every move told, with its time; the script has (state, x, facing, fragment) per tenth of a second.

    What is not `measured` is still being `measuring`, or never will be.
    """
    pending = frozenset(("F1",)) if measuring else frozenset()
    watch = MoveWatch(event)
    told = []
    for number, (state, x, facing, fragment) in enumerate(script):
        track = Track(
            state=state, x=x, y=0.0, sx=0.2, sy=0.2, sxy=0.0, facing_deg=facing, facing_sd_deg=3.0,
            facing_source="registered", fragment=fragment,
            error={**ERROR, "fragment": fragment} if measured else None,
        )  # type: ignore[arg-type] # fmt: skip
        seen = TrackFrame(number, number / 10, {"F1": track}, measuring=pending)
        told += [(number / 10, one) for one in watch.see(seen)]
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


def test_a_computer_that_is_behind_with_measuring_is_waited_for_longer(event: Event) -> None:
    script = stand(0, 0, 200) + CARRY + stand(30, 1, 200)
    ((at, _),) = watched(event, script, measured=False, measuring=True)
    assert at >= 20.5 + 15


def test_a_figure_is_waited_for_until_it_is_measured_but_not_for_ever(event: Event) -> None:
    watch = MoveWatch(event)
    track = Track(state="placed", x=0.0, y=0.0, sx=1.0, sy=1.0, sxy=0.0, fragment=0)
    waited = []
    for number in range(200):
        seen = TrackFrame(number, number / 10, {"F1": track}, measuring=frozenset(("F1", "F2")))
        watch.see(seen)
        waited.append(watch.waits_for(seen))
    assert waited[0] == []
    assert waited[20] == waited[149] == ["F1"]
    assert waited[-1] == []
    done = replace(seen, measuring=frozenset())
    watch.forget()
    watch.see(done)
    assert watch.waits_for(done) == []
