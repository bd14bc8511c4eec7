"""What the last answer was and what came of it, in the few words that fit above the next question."""

from __future__ import annotations

from collections.abc import Sequence

from overlay.i18n import COUNT, LANGUAGES, entries
from rules.engine.facts import OVERRULING, Fact
from rules.engine.log import Entry
from rules.text import Text, listed

BOOKKEEPING = frozenset(
    ("phase_began", "seen", "activated", "activation_ended", "block_opened", "block_closed", "paid_speed")
)
"""Kinds of facts that are steps of the procedure: the next question shows where it stands anyway."""
# More rolls than these are told in one sentence.
_FEW_ROLLS = 2
# Less than this is a figure that was left where it stood.
_STANDS_CM = 0.5
# Options whose sentence has another name than their id.
_SENTENCES = {
    "stands": "option.move_stands",
    "again": "option.move_again",
    "stay": "option.stay_down",
    "draw": "ending.draw",
}


def outcome_of(entry: Entry) -> tuple[Text, ...]:
    """What came of an answer, without the bookkeeping: dice with their successes, losses, moves, winners."""
    facts = [fact for fact in entry.facts if fact.kind not in BOOKKEEPING]
    if any(fact.kind == "order" for fact in facts):
        # The order says what came of dice that only settle an order.
        facts = [fact for fact in facts if fact.kind != "rolled" or fact.values["threshold"]]
    rolls = [fact for fact in facts if fact.kind == "rolled"]
    if len(rolls) <= _FEW_ROLLS:
        return tuple(_sentence(fact) for fact in facts)
    return (_scores(rolls), *(_sentence(fact) for fact in facts if fact.kind != "rolled"))


def answer_of(entry: Entry) -> Text:
    """The answer that an undo of this entry takes back."""
    kind, given = entry.request["kind"], entry.raw
    if entry.overrules:
        told = next((fact for fact in entry.facts if fact.kind in (*OVERRULING, "match_over")), None)
        return Text("answer.last") if told is None else told.text
    if kind == "roll":
        return Text("answer.dice", {"faces": listed([str(face) for face in given])})
    if kind == "observe":
        return Text("answer.observed" if given else "answer.unseen")
    if kind == "place":
        return Text("answer.placed", {"fighter": entry.request.get("fighter", "")})
    ruled = next((fact for fact in entry.facts if fact.kind == "ruled"), None)
    return ruled.text if ruled is not None else _chosen(str(given), str(entry.request["ask"]))


def _chosen(given: str, ask: str) -> Text:
    name, _, target = given.partition(":")
    if ask in ("ask.who_first", "ask.simultaneous") and name != "draw":
        return Text("option.first" if ask == "ask.who_first" else "option.wins", {"fighter": given})
    if ask == "ask.aim":
        return Text("answer.direction")
    values: dict[str, float | int | str | Text] = {"fighter": target, "target": target}
    known = entries(LANGUAGES[0])
    keys = (_SENTENCES.get(name, ""), f"option.{name}", f"side.{name}")
    return next((Text(key, values) for key in keys if key in known), Text("answer.last"))


def _sentence(fact: Fact) -> Text:
    match fact.kind:
        case "rolled" if fact.values["threshold"]:
            return _with_successes(fact)
        case "order" if "LOCK-03" in fact.rules:
            return Text("happened.won_lock_up", {"fighter": fact.values["order"][0]})
        case "moved" if fact.values["cm"] < _STANDS_CM:
            key = "happened.turned" if fact.values["turned"] else "happened.not_moved"
            return Text(key, {"fighter": fact.fighter or ""})
    return fact.text


def _with_successes(fact: Fact) -> Text:
    return Text("happened.rolled", {**fact.text.values, COUNT: _score(fact)})


def _scores(rolls: Sequence[Fact]) -> Text:
    key = "happened.successes" if rolls[0].values["threshold"] else "happened.faces"
    scores = [
        Text("happened.score", {"fighter": fact.fighter or "", "score": _score(fact)}) for fact in rolls
    ]
    return Text(key, {"scores": listed(scores)})


def _score(fact: Fact) -> int:
    """The successes of a roll; of plain dice their sum."""
    faces: Sequence[int] = fact.values["faces"]
    threshold = fact.values["threshold"]
    return sum(face >= threshold for face in faces) if threshold else sum(faces)
