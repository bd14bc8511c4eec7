"""The hands of an event file taken over by a match that is under way, each with an entry in its log."""

from __future__ import annotations

from typing import TYPE_CHECKING

from palmo.convert import hand
from palmo.event import Event, PlayerSection
from rules.engine.request import Rejected
from rules.scene import Hand
from rules.text import Text

if TYPE_CHECKING:
    from palmo.play.table import MatchTable

# What the log says of why: the name of the file is the reason.
_REASON = "event.toml"


def take_hands(table: MatchTable, event: Event, *, at: float | None = None) -> list[Text]:
    """Have a match measure with the hands of an event file from now on; a sentence for each that changed.

    `at` is the newest picture's time in seconds. A match that is over stays as it was.
    """
    said = []
    for player in event.player:
        fighter = next((one.id for one in event.fighter if one.player == player.id), None)
        known = None if fighter is None else table.match.scene.hands.get(fighter)
        if fighter is None or known is None or known == hand(player) or table.match.request is None:
            continue
        try:
            _correct(table, fighter, known, hand(player), at)
        except Rejected as refusal:
            said += [reason.text for reason in refusal.reasons]
        else:
            said.append(_sentence(player))
    return said


def _correct(table: MatchTable, fighter: str, known: Hand, wanted: Hand, at: float | None) -> None:
    """The corrections that make one hand of the other."""
    fields = {
        "hand": ([known.palm, known.half_palm], [wanted.palm, wanted.half_palm]),
        "hand_sd": ([known.palm_sd, known.half_palm_sd], [wanted.palm_sd, wanted.half_palm_sd]),
    }
    for field, (before, after) in fields.items():
        if before != after:
            said = {"fighter": fighter, "field": field, "value": after, "reason": _REASON}
            table.answer({"correct": said}, "referee", at=at)


def _sentence(player: PlayerSection) -> Text:
    measures = {"palm": player.palm_cm, "half": player.half_palm_cm, "sd": player.palm_sd_cm}
    return Text("live.event.hand", {"player": player.id, **measures})
