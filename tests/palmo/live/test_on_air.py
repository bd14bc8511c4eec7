"""What stays on air and what goes: verdicts with their question, names while the camera is lost."""

from __future__ import annotations

from dataclasses import replace

from palmo.live.feed import LiveFeed
from rules.annotations import Banner, FighterTag
from rules.scene import Figure
from rules.text import Text
from tests.palmo.live.tables import frame, tracked

Figures = dict[str, Figure]


def seen_to_move(feed: LiveFeed, figures: Figures) -> None:
    """F1 stands for a while, then 30 cm further on."""
    for number in range(12):
        feed.see(frame(number), tracked(number, figures))
    for number in range(12, 30):
        moved = tracked(number, figures)
        there = moved.fighters["F1"]
        moved.fighters["F1"] = replace(
            there, x=figures["F1"].x + 30, fragment=1, error={**(there.error or {}), "fragment": 1}
        )
        feed.see(frame(number), moved)


def verdicts(feed: LiveFeed) -> list[Banner]:
    assert feed.board.snapshot is not None
    return [one for one in feed.board.snapshot.annotations if isinstance(one, Banner)]


def test_a_verdict_goes_with_the_next_question_also_when_no_picture_comes(
    feed: LiveFeed, figures: Figures
) -> None:
    seen_to_move(feed, figures)
    assert len(verdicts(feed)) == 1
    feed.look(feed.panel().turn)
    assert verdicts(feed) == []


def test_names_and_stamina_stay_dimmed_while_the_camera_is_lost(feed: LiveFeed, figures: Figures) -> None:
    feed.see(frame(0), tracked(0, figures))
    feed.show_unseen(frame(0), Text("live.failed"))
    assert feed.board.snapshot is not None
    *tags, warning = feed.board.snapshot.annotations
    assert isinstance(warning, Banner)
    assert {tag.name for tag in tags if isinstance(tag, FighterTag)} == {"El Santo de Barro", "Ñandú"}
    assert all(tag.dimmed and tag.stamina is not None for tag in tags if isinstance(tag, FighterTag))


def test_before_the_first_picture_there_are_no_names_to_keep(feed: LiveFeed) -> None:
    feed.show_unseen(frame(0), Text("live.failed"))
    assert feed.board.snapshot is not None
    assert [type(one) for one in feed.board.snapshot.annotations] == [Banner]
