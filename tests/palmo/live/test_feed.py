from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from overlay.feed import Feed, Refused
from overlay.happened import BOOKKEEPING
from palmo.event import Event
from palmo.live.deciding import AT_THE_START, NOBODY_SAW
from palmo.live.feed import LiveFeed
from palmo.play.table import MatchTable, open_table
from rules.annotations import Banner, FighterTag, RingEdge
from rules.engine.request import Rejected
from rules.scene import Figure
from rules.text import Text, listed
from tests.palmo.live.tables import CAMERA, frame, tracked

Figures = dict[str, Figure]


def answered(feed: LiveFeed, figures: Figures, until: str) -> None:
    """Answer the way a referee in a hurry would, until a request of that kind is open."""
    feed.see(frame(0), tracked(0, figures))
    for _ in range(30):
        panel = feed.panel()
        assert panel.request is not None
        if panel.request.kind == until:
            return
        if panel.request.kind in ("observe", "place"):
            feed.look(panel.turn)
        elif panel.request.kind == "roll":
            feed.roll(panel.turn)
        else:
            feed.answer(panel.turn, [option.id for option in panel.request.options if option.legal][-1])
    pytest.fail(f"no {until} came")


def test_it_is_the_feed_the_pages_ask_for(feed: LiveFeed) -> None:
    pages_want: Feed = feed
    assert pages_want.panel().request is not None


def test_a_rule_is_told_with_the_house_rules_of_this_match(event: Event, tmp_path: Path) -> None:
    agreed = event.match.model_copy(update={"rulings": {"fatigue_cap": 3}})
    event = event.model_copy(update={"match": agreed})
    table = open_table(tmp_path / "event.toml", event, tmp_path / "agreed.jsonl")
    try:
        found = LiveFeed(event, table, CAMERA).rule("FATIGUE-01")
    finally:
        table.close()
    assert found.edition == table.match.rulebook.edition
    assert {one.name: one.now for one in found.house_rules}["fatigue_cap"] == 3


def test_the_history_tells_what_happened_and_not_the_steps_of_the_procedure(
    feed: LiveFeed, figures: Figures
) -> None:
    answered(feed, figures, "roll")
    feed.roll(feed.panel().turn)
    told = {line.text.key.removeprefix("fact.") for line in feed.panel().history}
    assert "rolled" in told
    assert "turn_began" in told
    assert not told & BOOKKEEPING


def test_a_frame_is_shown_with_the_ring_and_everybody_by_name(feed: LiveFeed, figures: Figures) -> None:
    feed.see(frame(3), tracked(3, figures))
    shown = feed.board.snapshot
    assert shown is not None
    assert (shown.frame, shown.t) == (3, 0.3)
    assert any(isinstance(one, RingEdge) for one in shown.annotations)
    tags = [one for one in shown.annotations if isinstance(one, FighterTag)]
    assert {tag.name for tag in tags} == {"El Santo de Barro", "Ñandú"}
    assert {tag.height for tag in tags} == {14, 10}


def test_the_camera_answers_what_it_sees(feed: LiveFeed, table: MatchTable, figures: Figures) -> None:
    feed.see(frame(0), tracked(0, figures))
    feed.look(0)
    entry = table.match.log.entries[-1]
    assert entry.origin == "camera"
    assert entry.at == 0.0
    assert set(entry.raw) == {"F1", "F2"}


@pytest.mark.parametrize("state", ["in_hand", "covered", "merged", "unsure"])
def test_the_camera_does_not_answer_while_a_hand_is_there(
    feed: LiveFeed, figures: Figures, state: Any
) -> None:
    feed.see(frame(0), tracked(0, figures, F2=state))
    sighting = feed.panel().sighting
    assert sighting is not None
    assert sighting.values["who"] == "Ñandú"
    with pytest.raises(Refused):
        feed.look(0)
    assert feed.panel().turn == 0


def test_a_computer_that_is_behind_with_measuring_is_said_to_be(feed: LiveFeed, figures: Figures) -> None:
    for number in (0, 19, 20):
        seen = tracked(number, figures)
        guessed = {"F2": replace(seen.fighters["F2"], error=None)}
        late = replace(seen, fighters=seen.fighters | guessed, measuring=frozenset(("F2",)))
        assert feed.panel().notices == ()
        feed.see(frame(number), late)
    (notice,) = feed.panel().notices
    assert notice.text == Text("live.measuring", {"who": listed(["Ñandú"])})
    assert feed.panel().sighting is None
    feed.see(frame(21), tracked(21, figures))
    assert feed.panel().notices == ()


def test_every_answer_says_at_which_picture_it_was_given(
    feed: LiveFeed, table: MatchTable, figures: Figures
) -> None:
    answered(feed, figures, "roll")
    feed.see(frame(7), tracked(7, figures))
    feed.roll(feed.panel().turn)
    assert table.match.log.entries[-1].origin == "dice"
    assert table.match.log.entries[-1].at == 0.7


def test_before_the_first_picture_there_is_nothing_to_see(feed: LiveFeed) -> None:
    assert feed.panel().sighting == Text("live.no_picture")
    with pytest.raises(Refused):
        feed.look(0)


def test_while_the_camera_cannot_answer_the_referee_can(
    feed: LiveFeed, table: MatchTable, figures: Figures
) -> None:
    feed.see(frame(0), tracked(0, figures))
    request = feed.panel().request
    assert request is not None
    assert request.options == ()
    feed.lose_sight(Text("live.blind.silent"))
    panel = feed.panel()
    assert panel.request is not None
    assert [(one.id, one.legal) for one in panel.request.options] == [
        (AT_THE_START, True),
        (NOBODY_SAW, True),
    ]
    with pytest.raises(Refused, match="sighting"):
        feed.look(panel.turn)
    feed.answer(panel.turn, NOBODY_SAW)
    entry = table.match.log.entries[-1]
    assert (entry.origin, entry.raw) == ("referee", {})


def test_a_move_nobody_saw_is_the_referees(feed: LiveFeed, figures: Figures) -> None:
    answered(feed, figures, "choose")
    while (request := feed.panel().request) is not None and request.option("move") is None:
        if request.kind == "choose":
            feed.answer(feed.panel().turn, [option.id for option in request.options if option.legal][-1])
        else:
            answered(feed, figures, "choose")
    feed.answer(feed.panel().turn, "move")
    feed.lose_sight(Text("live.blind.silent"))
    feed.answer(feed.panel().turn, NOBODY_SAW)
    asked = feed.panel().request
    assert asked is not None
    assert asked.kind == "ruling"
    assert asked.text.key == "verdict.unseen"


def test_places_with_a_gap_between_them_are_no_move(feed: LiveFeed, figures: Figures) -> None:
    for number in range(12):
        feed.see(frame(number), tracked(number, figures))
    for number in range(12, 30):
        moved = tracked(number, figures)
        moved.fighters["F1"] = replace(moved.fighters["F1"], x=figures["F1"].x + 30, fragment=1)
        feed.see(frame(number, gap=number == 12), moved)
    assert feed.panel().history == ()


def test_two_phones_cannot_answer_the_same_question(feed: LiveFeed, figures: Figures) -> None:
    answered(feed, figures, "roll")
    turn = feed.panel().turn
    feed.roll(turn)
    with pytest.raises(Refused) as stale:
        feed.roll(turn)
    assert stale.value.reasons[0].code == "stale"


def test_undo_and_redo_from_the_panel(feed: LiveFeed, figures: Figures) -> None:
    answered(feed, figures, "roll")
    feed.roll(feed.panel().turn)
    history = feed.panel().history
    feed.undo(feed.panel().turn)
    assert feed.panel().redo is not None
    assert feed.panel().offered is not None
    feed.redo(feed.panel().turn)
    assert feed.panel().history == history
    with pytest.raises(Refused):
        feed.redo(feed.panel().turn)


def test_there_is_nothing_to_undo_at_the_start(feed: LiveFeed) -> None:
    assert feed.panel().undo is None
    with pytest.raises(Refused):
        feed.undo(0)


def test_an_answer_the_rules_refuse_leaves_everything(feed: LiveFeed, figures: Figures) -> None:
    answered(feed, figures, "roll")
    before = feed.panel()
    with pytest.raises(Rejected):
        feed.answer(before.turn, [99])
    assert feed.panel().turn == before.turn


def test_a_move_the_camera_saw_is_in_the_history_with_its_origin(feed: LiveFeed, figures: Figures) -> None:
    number = 0
    for number in range(12):
        feed.see(frame(number), tracked(number, figures))
    x, y = figures["F1"].x + 30, figures["F1"].y
    for number in range(12, 30):
        moved = tracked(number, figures)
        later = moved.fighters["F1"]
        moved.fighters["F1"] = type(later)(
            **{**vars(later), "x": x, "y": y, "fragment": 1, "error": {**(later.error or {}), "fragment": 1}}
        )
        annotations = feed.see(frame(number), moved)
    assert [line.origin for line in feed.panel().history] == ["camera"]
    assert any(isinstance(one, Banner) for one in annotations)


def test_nothing_the_camera_says_stops_the_match(
    feed: LiveFeed, figures: Figures, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(feed._watch, "see", broken)
    monkeypatch.setattr(feed._table.match, "annotations", broken)
    feed.see(frame(0), tracked(0, figures))
    assert feed.board.snapshot is not None
    feed.look(0)
    assert feed.panel().turn == 1


def test_the_picture_follows_the_match_when_no_new_picture_comes(feed: LiveFeed, figures: Figures) -> None:
    answered(feed, figures, "roll")
    before = feed.board.snapshot
    feed.roll(feed.panel().turn)
    after = feed.board.snapshot
    assert before is not None
    assert after is not None
    assert after.frame == before.frame
    assert after.number > before.number


def test_a_remark_stands_until_it_is_taken_down(feed: LiveFeed) -> None:
    number = feed.board.panel
    feed.notice("source", Text("live.ended"))
    feed.notice("source", Text("live.ended"))
    assert feed.board.panel == number + 1
    assert [notice.text.key for notice in feed.panel().notices] == ["live.ended"]
    feed.notice("source", None)
    assert feed.panel().notices == ()


def test_pages_and_loop_at_the_same_time(feed: LiveFeed, figures: Figures) -> None:
    stop, faults = threading.Event(), []

    def page() -> None:
        while not stop.is_set():
            try:
                panel = feed.panel()
                if panel.undo is not None and panel.turn % 3 == 0:
                    feed.undo(panel.turn)
                elif panel.sighting is None and panel.request is not None and panel.request.kind == "observe":
                    feed.look(panel.turn)
            except Refused:
                pass
            except Exception as fault:
                faults.append(fault)

    pages = [threading.Thread(target=page) for _ in range(3)]
    for one in pages:
        one.start()
    for number in range(60):
        feed.see(frame(number), tracked(number, figures, F1="in_hand" if number % 7 == 0 else "placed"))
    stop.set()
    for one in pages:
        one.join()
    assert faults == []


def test_when_everybody_stands_where_they_start_nobody_is_asked_who_is_next_to_whom(
    feed: LiveFeed, table: MatchTable
) -> None:
    assert feed.panel().request is not None
    feed.answer(feed.panel().turn, AT_THE_START)
    assert set(table.match.scene.figures) == {"F1", "F2"}
    while (request := feed.panel().request) is not None and request.kind == "observe":
        assert [one.id for one in request.options] == [NOBODY_SAW], "they may have moved by now"
        feed.answer(feed.panel().turn, NOBODY_SAW)
    assert request is not None
    assert request.kind != "ruling"


def test_without_any_place_the_rules_ask_for_every_pair(feed: LiveFeed) -> None:
    while (request := feed.panel().request) is not None and request.kind == "observe":
        feed.answer(feed.panel().turn, NOBODY_SAW)
    assert request is not None
    assert request.kind == "ruling"
