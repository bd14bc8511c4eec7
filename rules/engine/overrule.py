"""The referee's own word: what he may put in place of an answer, at any request and always logged as his."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from rules.engine import answers
from rules.engine.facts import set_to
from rules.engine.request import Reason, Rejected, Request
from rules.scene import FARTHEST_CM
from rules.text import Text

END = "end_match"
"""The match ends here: {"end_match": [winners]}."""
CORRECT = "correct"
"""One field is set: {"correct": {"fighter": id, "field": name, "value": value, "reason": why}}."""
ACCEPT = "accept"
"""What is not allowed was done and stands: {"accept": {"answer": answer, "reason": why}}."""
WORDS = (END, CORRECT, ACCEPT)
LONGEST_REASON = 500
"""Characters of a reason."""

Kind = Literal["number", "flag", "choice", "point"]


@dataclass(frozen=True)
class Correction:
    """One field of one wrestler that the referee may set, with what it is now and what it may become.

    A `number` is a whole number from `low` to `high`, a `flag` True or False, a `choice` one of `values`,
    a `point` a pair of centimetres, none below `least`. `structural` fields are those a procedure under way
    may rely on: who stands, who holds whom.
    """

    fighter: str
    field: str
    kind: Kind
    now: Any
    values: tuple[str, ...] = ()
    low: int = 0
    high: int = 0
    structural: bool = False
    least: float = -FARTHEST_CM

    @property
    def text(self) -> Text:
        """What the field is called: key `correct.<field>`."""
        name, _, detail = self.field.partition(":")
        return Text(f"correct.{name}", {"detail": Text(f"ability.{detail}")} if detail else {})

    @property
    def takes(self) -> tuple[Text | str, ...]:
        """The values it takes, as people say them; a number's least and greatest."""
        match self.kind:
            case "number":
                return (f"{self.low}..{self.high}",)
            case "flag":
                return set_to(self.field, True), set_to(self.field, False)
            case "choice":
                return tuple(f"{one}" for one in self.values)
            case "point":
                return ("x y",)

    def problem(self, value: Any) -> Reason | None:
        """Why the field cannot become this, or None."""
        if _FITS[self.kind](self, value):
            return None
        allowed = {
            "number": f"{self.low}..{self.high}",
            "flag": "true, false",
            "choice": ", ".join(self.values),
            "point": "[x, y]",
        }[self.kind]
        text = Text("reject.correction_value", {"given": str(value), "allowed": allowed})
        return Reason("correction_value", text, "")


def _whole(correction: Correction, value: Any) -> bool:
    right = isinstance(value, int) and not isinstance(value, bool)
    return right and correction.low <= value <= correction.high


def _point(correction: Correction, value: Any) -> bool:
    return (
        isinstance(value, list | tuple)
        and len(value) == 2
        and all(isinstance(one, int | float) and not isinstance(one, bool) for one in value)
        and all(correction.least <= one <= FARTHEST_CM for one in value)
    )


_FITS: dict[Kind, Callable[[Correction, Any], bool]] = {
    "number": _whole,
    "flag": lambda correction, value: isinstance(value, bool),
    "choice": lambda correction, value: isinstance(value, str) and value in correction.values,
    "point": _point,
}


def word_of(value: Any) -> str | None:
    """Which of the referee's own words an answer is; None for an ordinary answer."""
    if not isinstance(value, Mapping):
        return None
    return next((word for word in WORDS if word in value), None)


def checked_end(value: Mapping[str, Any], known: tuple[str, ...]) -> dict[str, Any]:
    """The end of the match as it goes into the log, or Rejected."""
    winners = value[END]
    if not isinstance(winners, list | tuple) or any(one not in known for one in winners):
        raise answers.reject("unknown_figure", given=str(winners))
    return {END: list(winners)}


def checked_correction(
    value: Mapping[str, Any], offered: tuple[Correction, ...], known: tuple[str, ...]
) -> tuple[dict[str, Any], Correction]:
    """A correction as it goes into the log and the field it sets, or Rejected."""
    given = value[CORRECT]
    if not isinstance(given, Mapping):
        raise answers.reject("not_a_correction")
    fighter, field = given.get("fighter"), given.get("field")
    if fighter not in known:
        raise answers.reject("unknown_figure", given=str(fighter))
    found = next((one for one in offered if (one.fighter, one.field) == (fighter, field)), None)
    if found is None:
        raise answers.reject("no_such_correction", given=str(field))
    problem = found.problem(given.get("value"))
    if problem is not None:
        raise Rejected((problem,))
    what = list(given["value"]) if found.kind == "point" else given["value"]
    if found.structural and what == found.now:
        # It would break off what is under way for nothing.
        raise answers.reject("nothing_to_correct", given=str(what))
    plain = {"fighter": fighter, "field": field, "value": what, "reason": _reason(given)}
    return {CORRECT: plain}, found


def checked_acceptance(
    value: Mapping[str, Any], request: Request, known: tuple[str, ...]
) -> tuple[Any, Any, tuple[Reason, ...], str]:
    """An illegal answer that stands: the answer, the same as plain data, what spoke against it, and why.

    Rejected when nothing speaks against it (then it is an ordinary answer) or its form is wrong.
    """
    given = value[ACCEPT]
    if not isinstance(given, Mapping) or "answer" not in given:
        raise answers.reject("not_an_acceptance")
    answer, reasons = answers.against(request, given["answer"], known)
    if not reasons:
        raise answers.reject("nothing_to_accept")
    plain = {ACCEPT: {"answer": answers.to_json(request, answer), "reason": _reason(given)}}
    return answer, plain, reasons, _reason(given)


def _reason(given: Mapping[str, Any]) -> str:
    reason = given.get("reason", "")
    if not isinstance(reason, str) or len(reason) > LONGEST_REASON:
        raise answers.reject("reason_text", longest=LONGEST_REASON)
    return reason
