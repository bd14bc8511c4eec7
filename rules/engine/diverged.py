"""A log that does not replay, said in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rules.problem import Phrase, Problem, phrase

_ASKED = {
    "choose": phrase("a choice", "diverged.choose"),
    "roll": phrase("dice", "diverged.roll"),
    "observe": phrase("the positions of all figures", "diverged.observe"),
    "place": phrase("a placement", "diverged.place"),
    "ruling": phrase("a ruling", "diverged.ruling"),
}
_LONGEST = 60
Said = Phrase | str


class Diverged(Problem):
    """A log that does not replay: at which entry, what the log says, what the engine does, and both in words.

    `expected` and `found` are plain data: requests, an answer and the reason it is refused for, or facts.
    """

    def __init__(self, at: int, expected: Any, found: Any, why: Phrase) -> None:
        self.at = at
        self.expected = expected
        self.found = found
        super().__init__(phrase("the log diverges at entry {at}: {why}", "diverged.at", at=at, why=why))


def other_request(at: int, logged: Any, asked: Mapping[str, Any] | None) -> Diverged:
    """The rules ask something else than was answered then; `asked` is None when the match is over."""
    then = _request(logged)
    if asked is None:
        over = "then the rules asked for {then}, the match is over by now"
        return Diverged(at, logged, asked, phrase(over, "diverged.over", then=then))
    why = phrase(
        "then the rules asked for {then}, now they ask for {now}", "diverged.request",
        then=then, now=_request(asked),
    )  # fmt: skip
    return Diverged(at, logged, asked, _with(why, _detail(logged, asked)))


def other_number(at: int, logged: Any) -> Diverged:
    """The entry is numbered as another one: lines were lost, doubled or swapped."""
    why = "it is numbered {number}; a line is missing, doubled or displaced"
    return Diverged(at, logged, at, phrase(why, "diverged.number", number=_short(logged)))


def refused_answer(at: int, answer: Any, codes: Sequence[str]) -> Diverged:
    """The rules do not allow the answer that was given then."""
    why = "then the answer was {answer}, and the rules now refuse it ({codes})"
    said = phrase(why, "diverged.refused", answer=_short(answer), codes=", ".join(codes))
    return Diverged(at, answer, list(codes), said)


def other_facts(at: int, logged: Any, found: Sequence[Mapping[str, Any]]) -> Diverged:
    """Something else follows from the answer than followed then."""
    then = logged if isinstance(logged, list) else []
    first = next((n for n, (a, b) in enumerate(zip(then, found, strict=False)) if a != b), None)
    if first is None:
        counts = "then {then} facts followed from the answer, now {now} do"
        why = phrase(counts, "diverged.count", then=len(then), now=len(found))
    elif isinstance(then[first], dict) and _fact(then[first]) == _fact(found[first]):
        same = phrase("then {fact} followed", "diverged.values", fact=_fact(found[first]))
        why = _with(same, _values(then[first], found[first]))
    else:
        other = "then {then} followed from the answer, now {now} does"
        why = phrase(other, "diverged.fact", then=_fact(then[first]), now=_fact(found[first]))
    return Diverged(at, logged, list(found), why)


def _with(why: Phrase, differences: Sequence[Phrase]) -> Phrase:
    """What happened and, after it, what differs."""
    for one in differences:
        why = phrase("{why}; {difference}", "diverged.with", why=why, difference=one)
    return why


def _request(request: Any) -> Said:
    """E.g. `dice from F1 at S6 (INIT-01)`."""
    if not isinstance(request, Mapping):
        return phrase("something unreadable ({what})", "diverged.unreadable", what=_short(request))
    who: Said = _short(request.get("fighter") or request.get("who"))
    if who == "referee":
        who = phrase("the referee", "diverged.referee")
    what = _ASKED.get(str(request.get("kind")), f'"{_short(request.get("kind"))}"')
    return phrase(
        "{what} from {who} at {step}{rules}", "diverged.asked",
        what=what, who=who, step=_short(request.get("step")), rules=_rules(request),
    )  # fmt: skip


def _detail(logged: Any, asked: Any) -> list[Phrase]:
    """What differs between two requests that read the same."""
    if (
        not isinstance(logged, Mapping)
        or not isinstance(asked, Mapping)
        or _request(logged) != _request(asked)
    ):
        return []
    return _differences(logged, asked)


def _differences(then: Mapping[str, Any], now: Mapping[str, Any]) -> list[Phrase]:
    return [
        phrase("{key} was {then} and is {now}", "diverged.difference",
               key=key, then=_short(then.get(key)), now=_short(now.get(key)))
        for key in {**then, **now}
        if then.get(key) != now.get(key)
    ]  # fmt: skip


def _fact(fact: Any) -> Phrase:
    """E.g. `"rolled" for F1 (INIT-01)`."""
    if not isinstance(fact, Mapping):
        return phrase("something unreadable ({what})", "diverged.unreadable", what=_short(fact))
    kind, rules = _short(fact.get("kind")), _rules(fact)
    if not fact.get("fighter"):
        return phrase('"{kind}"{rules}', "diverged.a_fact", kind=kind, rules=rules)
    who = _short(fact["fighter"])
    return phrase('"{kind}" for {who}{rules}', "diverged.a_fact_of", kind=kind, who=who, rules=rules)


def _values(then: Mapping[str, Any], now: Mapping[str, Any]) -> list[Phrase]:
    old, new = then.get("values", {}), now.get("values", {})
    if not isinstance(old, Mapping):
        return [phrase("its values were {values}", "diverged.no_values", values=_short(old))]
    return _differences(old, new)


def _rules(data: Mapping[str, Any]) -> str:
    rules = data.get("rules")
    return f" ({', '.join(map(_short, rules))})" if isinstance(rules, list) and rules else ""


def _short(value: Any) -> str:
    text = "–" if value is None else str(value)
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
