from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import pytest

from palmo.detections import Detections
from palmo.event import EventError, load_event
from palmo.play.bouts import bout_of
from palmo.play.layout import put
from palmo.play.sparring import Sparring
from palmo.play.table import MatchTable
from rules.engine.camera import CameraPolicy, Detection, DetectionKind
from rules.engine.match import Match
from rules.scene import Figure
from tests.palmo.conftest import EVENT


def table_asking(kind: str, fighter: bool = False, seed: int = 0) -> MatchTable:
    """A match in which something of this kind is asked, of one fighter if so wanted."""
    bout = bout_of(players="greedy", edition="current", mode="elimination", fighters=3, seed=2)
    for number in range(seed, seed + 20):
        sparring = Sparring(bout, number)
        for _ in range(400):
            request = sparring.match.request
            if request is None:
                break
            if request.kind == kind and sparring.match.scene.figures and (not fighter or request.fighter):
                return MatchTable(sparring.match)
            sparring.step()
    raise AssertionError(f"nobody asks for {kind}")


def move_of(table: MatchTable, by: float = 0.0, t: float = 1.0) -> Detection:
    request = table.match.request
    assert request is not None
    figures = dict(table.match.scene.figures)
    mover = figures[str(request.fighter)]
    figures[mover.id] = put(mover, mover.x + by, mover.y, mover.facing)
    return Detection("move", mover.id, figures, t)


def test_an_accepted_move_answers_the_request_as_the_cameras() -> None:
    table = table_asking("observe", fighter=True)
    entries = len(table.match.log.entries)
    assert Detections(table, CameraPolicy(move="accept")).see(move_of(table)) == "accepted"
    entry = table.match.log.entries[entries]
    assert (entry.origin, entry.at) == ("camera", 1.0)


def test_a_proposed_move_waits_for_the_referee_and_goes_with_the_question() -> None:
    table = table_asking("observe", fighter=True)
    desk = Detections(table)
    turn = table.turn
    assert desk.see(move_of(table)) == "proposed"
    (proposal,) = desk.proposals
    assert (table.turn, proposal.seen) == (turn, 1)
    table.answer(proposal.answer, "referee")
    assert desk.proposals == ()


def test_the_same_move_seen_again_is_merged_and_another_replaces_it() -> None:
    table = table_asking("observe", fighter=True)
    desk = Detections(table)
    desk.see(move_of(table))
    assert desk.see(move_of(table, by=0.3, t=2.0)) == "merged"
    assert desk.see(move_of(table, by=0.2, t=3.0)) == "merged"
    assert [one.seen for one in desk.proposals] == [3]
    assert desk.see(move_of(table, by=4.0, t=4.0)) == "proposed"
    assert [one.seen for one in desk.proposals] == [1]


@pytest.mark.parametrize(("policy", "became"), [("log", "logged"), ("ignore", "ignored")])
def test_a_move_that_is_only_logged_or_ignored_answers_nothing(policy: Any, became: str) -> None:
    table = table_asking("observe", fighter=True)
    lines = table.match.log_lines()
    desk = Detections(table, CameraPolicy(move=policy))
    assert desk.see(move_of(table)) == became
    assert (table.match.log_lines(), desk.proposals) == (lines, ())


def test_a_posture_the_match_knows_otherwise_becomes_a_correction() -> None:
    table = table_asking("choose")
    fighter = next(one.id for one in table.match.state.playing if one.upright)
    desk = Detections(table)
    assert desk.see(Detection("posture", fighter, "standing")) == "nothing"
    assert desk.see(Detection("posture", fighter, "lying")) == "proposed"
    table.answer(desk.proposals[0].answer, "referee")
    assert table.match.state.wrestlers[fighter].lying
    assert desk.see(Detection("posture", fighter, "lying")) == "nothing"


def test_an_accepted_correction_is_the_cameras_and_replays() -> None:
    table = table_asking("choose")
    fighter = next(one.id for one in table.match.state.playing if not one.at_ringside)
    desk = Detections(table, CameraPolicy(zone="accept"))
    assert desk.see(Detection("zone", fighter, "ringside", 5.0)) == "accepted"
    assert table.match.log.entries[-1].origin == "camera"
    again = Match.replay(table.match.log_lines(), table.match.rulebook)
    assert again.state.wrestlers[fighter].at_ringside


def test_dice_that_were_read_are_accepted_when_they_fit() -> None:
    table = table_asking("roll")
    request = table.match.request
    assert request is not None
    desk = Detections(table, CameraPolicy(dice="accept"))
    # Too many faces: the rules refuse them, so the referee is asked.
    assert desk.see(Detection("dice", None, (1,) * (request.dice_count + 1))) == "proposed"
    assert desk.see(Detection("dice", None, (1,) * request.dice_count)) == "accepted"


def test_a_figure_at_rest_tells_its_move_posture_and_side() -> None:
    table = table_asking("observe", fighter=True)
    mover = str(table.match.request.fighter) if table.match.request else ""
    figures = dict(table.match.scene.figures)
    figures[mover] = replace(figures[mover], posture="lying", zone="ringside")
    desk = Detections(table, CameraPolicy(zone="propose"))
    desk.see_settled(figures, mover, 3.0)
    assert [one.detection.kind for one in desk.proposals] == ["move", "posture", "zone"]


KINDS: tuple[DetectionKind, ...] = get_args(DetectionKind)
NONSENSE: list[Any] = [
    None, 7, "far", [], {}, {"F1": None}, {"F9": 3}, float("nan"), object(), [None], {"F1": {"x": 1}},
    Figure("F1", float("nan"), 0.0, 0.0, ()), {"F1": Figure("F1", 0.0, 0.0, float("inf"), ((0.0, 0.0),) * 3)},
]  # fmt: skip


@pytest.mark.parametrize("kind", ["observe", "place", "roll", "choose", "ruling"])
def test_nothing_the_camera_says_can_crash_a_match(kind: str) -> None:
    table = table_asking(kind)
    rng = random.Random(1)
    policy = CameraPolicy("accept", "accept", "accept", "accept", "accept")
    for detected in KINDS:
        for fighter in ("F1", "F2", "F9", None):
            desk = Detections(table, policy)
            for value in rng.sample(NONSENSE, len(NONSENSE)):
                before = table.match.log_lines()
                if desk.see(Detection(detected, fighter, value)) != "accepted":
                    assert table.match.log_lines() == before
                desk.see_settled(value if isinstance(value, dict) else {}, str(fighter), 0.0)


def test_what_the_camera_corrects_is_confirmed_with_a_button_and_a_move_by_looking() -> None:
    table = table_asking("observe", fighter=True)
    desk = Detections(table)
    desk.see(move_of(table))
    mover = table.match.request.fighter if table.match.request else None
    desk.see(Detection("posture", mover, "lying"))
    assert [one.by_button for one in desk.proposals] == [
        None,
        {"correct": {"fighter": mover, "field": "posture", "value": "lying"}},
    ]


def test_the_event_file_says_what_becomes_of_what_the_camera_sees(tmp_path: Path) -> None:
    path = tmp_path / "event.toml"
    path.write_text(EVENT + '[match]\ncamera = { dice = "accept", zone = "ignore" }\n', encoding="utf-8")
    assert CameraPolicy(**load_event(path).match.camera) == CameraPolicy(dice="accept", zone="ignore")
    path.write_text(EVENT + '[match]\ncamera = { hats = "accept" }\n', encoding="utf-8")
    with pytest.raises(EventError, match="hats"):
        load_event(path)
