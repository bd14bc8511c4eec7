"""A log that does not replay, said in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

_ASKED = {
    "choose": "a choice",
    "roll": "dice",
    "observe": "the positions of all figures",
    "place": "a placement",
    "ruling": "a ruling",
}
_LONGEST = 60


class Diverged(ValueError):
    """A log that does not replay: at which entry, what the log says, what the engine does, and both in words.

    `expected` and `found` are plain data: requests, an answer and the reason it is refused for, or facts.
    """

    def __init__(self, at: int, expected: Any, found: Any, why: str) -> None:
        self.at = at
        self.expected = expected
        self.found = found
        super().__init__(f"the log diverges at entry {at}: {why}")


def other_request(at: int, logged: Any, asked: Mapping[str, Any] | None) -> Diverged:
    """The rules ask something else than was answered then; `asked` is None when the match is over."""
    now = "the match is over by now" if asked is None else f"now they ask for {_request(asked)}"
    why = f"then the rules asked for {_request(logged)}, {now}{_detail(logged, asked)}"
    return Diverged(at, logged, asked, why)


def other_number(at: int, logged: Any) -> Diverged:
    """The entry is numbered as another one: lines were lost, doubled or swapped."""
    return Diverged(
        at, logged, at, f"it is numbered {_short(logged)}; a line is missing, doubled or displaced"
    )


def refused_answer(at: int, answer: Any, codes: Sequence[str]) -> Diverged:
    """The rules do not allow the answer that was given then."""
    why = f"then the answer was {_short(answer)}, and the rules now refuse it ({', '.join(codes)})"
    return Diverged(at, answer, list(codes), why)


def other_facts(at: int, logged: Any, found: Sequence[Mapping[str, Any]]) -> Diverged:
    """Something else follows from the answer than followed then."""
    then = logged if isinstance(logged, list) else []
    first = next((n for n, (a, b) in enumerate(zip(then, found, strict=False)) if a != b), None)
    if first is None:
        why = f"then {len(then)} facts followed from the answer, now {len(found)} do"
    elif isinstance(then[first], dict) and _fact(then[first]) == _fact(found[first]):
        why = f"then {_fact(found[first])} followed{_values(then[first], found[first])}"
    else:
        why = f"then {_fact(then[first])} followed from the answer, now {_fact(found[first])} does"
    return Diverged(at, logged, list(found), why)


def _request(request: Any) -> str:
    """E.g. `dice from F1 at S6 (INIT-01)`."""
    if not isinstance(request, Mapping):
        return f"something unreadable ({_short(request)})"
    who = request.get("fighter") or request.get("who")
    who = "the referee" if who == "referee" else _short(who)
    what = _ASKED.get(str(request.get("kind")), f'"{_short(request.get("kind"))}"')
    return f"{what} from {who} at {_short(request.get('step'))}{_rules(request)}"


def _detail(logged: Any, asked: Any) -> str:
    """What differs between two requests that read the same."""
    if (
        not isinstance(logged, Mapping)
        or not isinstance(asked, Mapping)
        or _request(logged) != _request(asked)
    ):
        return ""
    keys = [key for key in {**logged, **asked} if logged.get(key) != asked.get(key)]
    return "".join(f"; {key} was {_short(logged.get(key))} and is {_short(asked.get(key))}" for key in keys)


def _fact(fact: Any) -> str:
    """E.g. `"rolled" for F1 (INIT-01)`."""
    if not isinstance(fact, Mapping):
        return f"something unreadable ({_short(fact)})"
    who = f" for {_short(fact['fighter'])}" if fact.get("fighter") else ""
    return f'"{_short(fact.get("kind"))}"{who}{_rules(fact)}'


def _values(then: Mapping[str, Any], now: Mapping[str, Any]) -> str:
    old, new = then.get("values", {}), now.get("values", {})
    if not isinstance(old, Mapping):
        return f" with {_short(old)} for values"
    keys = [key for key in {**old, **new} if old.get(key) != new.get(key)]
    return "".join(f"; {key} was {_short(old.get(key))} and is {_short(new.get(key))}" for key in keys)


def _rules(data: Mapping[str, Any]) -> str:
    rules = data.get("rules")
    return f" ({', '.join(map(_short, rules))})" if isinstance(rules, list) and rules else ""


def _short(value: Any) -> str:
    text = "nothing" if value is None else str(value)
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
