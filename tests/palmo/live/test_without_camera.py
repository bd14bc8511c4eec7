from __future__ import annotations

from palmo.live.deciding import AT_THE_START, NOBODY_SAW
from palmo.live.feed import LiveFeed
from palmo.play.table import MatchTable
from rules.engine.request import Request


def asked(feed: LiveFeed) -> Request:
    request = feed.panel().request
    assert request is not None
    return request


def say(feed: LiveFeed, value: object) -> None:
    feed.answer(feed.panel().turn, value)


def to_the_first_action(feed: LiveFeed) -> str:
    """From the start without any picture to whoever acts first; returns his id."""
    while (request := asked(feed)).option("move") is None:
        if request.kind == "roll":
            feed.roll(feed.panel().turn)
        elif request.option(AT_THE_START) is not None:
            say(feed, AT_THE_START)
        else:
            say(feed, NOBODY_SAW if request.kind == "observe" else [o.id for o in request.options][-1])
    assert request.fighter is not None
    return request.fighter


def test_after_a_move_nobody_saw_the_referee_says_who_is_within_reach(feed: LiveFeed) -> None:
    actor = to_the_first_action(feed)
    rival = "F2" if actor == "F1" else "F1"
    far = asked(feed).option(f"strike:{rival}")
    assert far is not None
    assert "not_adjacent" in {reason.code for reason in far.reasons}
    say(feed, "move")
    say(feed, NOBODY_SAW)
    say(feed, "stands")
    while asked(feed).kind == "ruling":
        # A beast is asked how far it has advanced.
        say(feed, asked(feed).options[0].id)
    strike = asked(feed).option(f"strike:{rival}")
    assert strike is not None
    assert strike.legal
    assert {doubt.question for doubt in strike.doubts} >= {"adjacent"}
    say(feed, strike.id)
    assert asked(feed).text.key == "question.adjacent.unseen"
    say(feed, "yes")
    assert asked(feed).kind in ("ruling", "roll")


def test_what_the_referee_said_of_two_no_longer_holds_once_one_has_moved_unseen(feed: LiveFeed) -> None:
    actor = to_the_first_action(feed)
    rival = "F2" if actor == "F1" else "F1"
    for _ in range(2):
        say(feed, "move")
        say(feed, NOBODY_SAW)
        say(feed, "stands")
        while asked(feed).kind == "ruling":
            say(feed, asked(feed).options[0].id)
        strike = asked(feed).option(f"strike:{rival}")
        assert strike is not None
        assert strike.legal
        say(feed, strike.id)
        say(feed, "no")
        refused = asked(feed).option(f"strike:{rival}")
        assert refused is not None
        (why,) = refused.reasons
        assert (why.code, why.text.key) == ("not_adjacent", "why.not_adjacent.told")


def test_a_runner_nobody_saw_is_not_where_he_was_whipped_from(feed: LiveFeed, table: MatchTable) -> None:
    actor = to_the_first_action(feed)
    rival = "F2" if actor == "F1" else "F1"
    say(feed, "move")
    say(feed, NOBODY_SAW)
    say(feed, "stands")
    while asked(feed).kind == "ruling":
        say(feed, asked(feed).options[0].id)
    say(feed, f"whip:{rival}")
    while (request := asked(feed)).text.key != "ask.act":
        if request.kind == "roll":
            feed.answer(
                feed.panel().turn,
                [6 if one.fighter == actor else 1 for one in request.dice for _ in range(one.count)],
            )
        elif request.option("nothing") is not None:
            say(feed, "nothing")
        else:
            say(feed, "yes" if request.option("yes") else request.options[-1].id)
    assert rival not in table.match.scene.figures
