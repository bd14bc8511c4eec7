"""An event file that is saved while a match runs: what holds at once, what waits, what the log says."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from overlay.i18n import translate
from palmo.convert import hand
from palmo.errors import PalmoError
from palmo.event import Event, load_event
from palmo.live.feed import LiveFeed
from palmo.live.folder import MatchFolder
from palmo.live.loop import LiveLoop
from palmo.play.table import MatchTable, open_table, replayed
from rules.annotations import FighterTag
from rules.scene import Figure, Hand
from tests.palmo.conftest import EVENT
from tests.palmo.live.tables import frame, tracked
from vision.sources.frames import Frame
from vision.tracks import TrackFrame

Figures = dict[str, Figure]
LARGER = EVENT.replace("palm_cm = 20.5", "palm_cm = 21.5", 1)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "event.toml"


def saved(path: Path, content: str) -> Event:
    path.write_text(content, encoding="utf-8")
    return load_event(path)


def keys(feed: LiveFeed) -> list[str]:
    return [notice.text.key for notice in feed.panel().notices]


def test_a_saved_event_file_is_read_again(
    feed: LiveFeed, figures: Figures, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("palmo.live.loop._EVENT_POLL_S", 0.0)

    def follow(one: Frame) -> TrackFrame:
        return tracked(one.index, figures)

    def frames() -> Iterator[Frame]:
        yield frame(0)
        path.write_text(EVENT.replace("El Santo de Barro", "La Momia de Barro"))
        yield frame(1)
        (said,) = [one.text for one in feed.panel().notices if one.text.key == "live.event.changed"]
        assert "names, hands and the labels' colours hold at once" in translate(said, "en")
        assert "los nombres, las manos y los colores de las etiquetas valen ya" in translate(said, "es")
        assert feed.panel().names["F1"] == "La Momia de Barro"
        path.write_text(EVENT.replace("palm_cm = 20.5", "palm_cm = 205"))
        yield frame(2)
        assert keys(feed) == ["live.event.error"]
        assert feed.panel().names["F1"] == "La Momia de Barro"
        yield frame(3)

    loop = LiveLoop(frames(), follow, feed, event_path=path)
    loop.start()
    assert loop.wait(30)
    assert loop.frames_seen == 4


def test_a_hand_measured_anew_counts_from_then_on_and_stands_in_the_log_and_with_the_evidence(
    feed: LiveFeed, table: MatchTable, figures: Figures, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("palmo.live.loop._EVENT_POLL_S", 0.0)
    before = table.match.scene.hands
    kept = []
    monkeypatch.setattr(MatchFolder, "remark", lambda self, text, t: kept.append((text.key, t)))
    told = []

    def frames() -> Iterator[Frame]:
        yield frame(0)
        path.write_text(LARGER)
        yield frame(1)
        assert keys(feed) == ["live.event.changed", "live.event.hand"]
        path.write_text(EVENT.replace("El Santo de Barro", "La Momia de Barro").replace("20.5", "21.5", 1))
        yield frame(2)
        assert keys(feed) == ["live.event.changed"], "the hand is the same"

    loop = LiveLoop(
        frames(),
        lambda one: tracked(one.index, figures),
        feed,
        event_path=path,
        folder=MatchFolder(path.parent / "match"),
        tell=told.append,
    )
    loop.start()
    assert loop.wait(30)
    event = load_event(path)
    owner = event.owner("F1")
    hands = table.match.scene.hands
    for fighter in event.fighter:
        mine = fighter.player == owner.id
        assert hands[fighter.id] == (hand(owner) if mine else before[fighter.id])
    (entry,) = table.match.log.entries
    assert (entry.origin, entry.at) == ("referee", 0.1)
    assert entry.raw["correct"]["reason"] == "event.toml"
    assert [text.key for text in told] == ["live.event.hand"]
    assert kept == [("live.event.hand", 0.1)]
    assert replayed(path.parent / "match.jsonl").scene.hands == hands
    (said,) = told
    assert "mide ahora 21,5 cm abierta y 8,4 cm cerrada" in translate(said, "es")
    feed.undo(feed.panel().turn)
    assert table.match.scene.hands == before


def test_a_doubt_about_a_hand_alone_is_taken_over_too(feed: LiveFeed, table: MatchTable, path: Path) -> None:
    event = saved(path, EVENT.replace("palm_sd_cm = 0.1", "palm_sd_cm = 0.5"))
    said = feed.use(event)
    assert [text.key for text in said] == ["live.event.changed", "live.event.hand"]
    known = table.match.scene.hands["F1"]
    assert known == Hand(20.5, 8.4, 0.5, 0.5)


def test_another_ring_is_not_taken_over_and_the_rest_is(feed: LiveFeed, path: Path) -> None:
    other = EVENT.replace("post_height_cm = 16", "post_height_cm = 17").replace("El Santo", "La Momia")
    said = feed.use(saved(path, other))
    assert [text.key for text in said] == ["live.event.changed", "live.event.ring"]
    assert feed.panel().names["F1"].startswith("La Momia")
    again = feed.use(saved(path, other.replace("post_height_cm = 17", "post_height_cm = 16")))
    assert [text.key for text in again] == ["live.event.changed"], "the ring is the one of the match again"


def test_other_owners_are_refused_whole(feed: LiveFeed, table: MatchTable, path: Path) -> None:
    event = load_event(path)
    first, second = (player.id for player in event.player[:2])
    other = LARGER.replace(f'player = "{first}"', f'player = "{second}"', 1)
    assert [text.key for text in feed.use(saved(path, other))] == ["live.event.others"]
    assert not table.match.log.entries


def test_a_labels_colour_changes_at_once(feed: LiveFeed, figures: Figures, path: Path) -> None:
    feed.see(frame(0), tracked(0, figures))
    feed.use(saved(path, EVENT.replace('colour = "#d0b020"', 'colour = "#123456"')))
    shown = feed.board.snapshot
    assert shown is not None
    assert shown.colours["F2"] == "#123456"
    assert any(isinstance(one, FighterTag) for one in shown.annotations)


def test_after_the_end_of_a_match_its_hands_stay(feed: LiveFeed, table: MatchTable, path: Path) -> None:
    table.answer({"end_match": ["F1"]}, "referee")
    assert [text.key for text in feed.use(saved(path, LARGER))] == ["live.event.changed"]


def test_a_match_goes_on_with_hands_that_were_measured_anew_between_two_sessions(
    table: MatchTable, path: Path, tmp_path: Path
) -> None:
    table.close()
    log = tmp_path / "match.jsonl"
    again = open_table(path, saved(path, LARGER), log)
    assert again.match.scene.hands["F1"].palm == 21.5
    assert [entry.raw["correct"]["field"] for entry in again.match.log.entries] == ["hand"]
    again.close()
    with pytest.raises(PalmoError, match="another set-up"):
        open_table(path, saved(path, EVENT.replace("El Santo de Barro", "La Momia")), log)


def test_a_colour_taught_anew_says_that_it_waits_and_what_holds_at_once(feed: LiveFeed, path: Path) -> None:
    changed = saved(path, EVENT.replace("height_cm = 14", "height_cm = 15", 1))
    said = [one for one in feed.use(changed) if one.key == "live.event.taught"]
    assert "El Santo de Barro" in translate(said[0], "en")
    assert "Calibrate again" in translate(said[0], "en")
    # It stands there until the file says again what the camera was taught.
    renamed = saved(path, EVENT.replace("height_cm = 14", "height_cm = 15", 1).replace("Santo", "Zorro"))
    assert "live.event.taught" in [one.key for one in feed.use(renamed)]
    assert "live.event.taught" not in [one.key for one in feed.use(saved(path, EVENT))]
