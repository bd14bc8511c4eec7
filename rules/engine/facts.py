"""Facts: the only way a match's state changes. Small, recorded, each with its rule."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any

from rules.text import Text, listed
from rules.value_type import value_type

TERMS = ("ability", "action", "ending", "phase", "foul")
"""Values that are terms of the game: the sentence says them by the key `<name>.<value>`."""

OVERRULING = ("corrected", "let_stand")
"""Kinds that tell the referee's own word, with his reason."""
_NAMED = ("posture", "zone", "bond", "lock_up")


def set_to(field: str, value: Any) -> Text | str:
    """A value of a field that the referee may set, as people say it."""
    if isinstance(value, bool):
        return Text("option.yes" if value else "option.no")
    if field in _NAMED and str(value).isidentifier():
        return Text(f"correct.value.{value}")
    return ", ".join(str(one) for one in value) if isinstance(value, list) else str(value)


@value_type
class Fact:
    """Something that happened: `kind` names it, `values` (plain data) say how much, `rules` why."""

    kind: str
    rules: tuple[str, ...]
    fighter: str | None = None
    values: Mapping[str, Any] = field(default_factory=dict)

    @property
    def text(self) -> Text:
        """The sentence for the commentary: key `fact.<kind>`."""
        values: dict[str, float | int | str | Text] = {"fighter": self.fighter or ""}
        for name, value in self.values.items():
            if name in TERMS:
                values[name] = Text(f"{name}.{value}")
            elif isinstance(value, str | int | float):
                values[name] = value
            elif isinstance(value, list) and all(isinstance(one, str | int) for one in value):
                values[name] = listed([str(one) for one in value])
        if self.kind == "ruled":
            question, *figures = str(self.values["about"]).split(":")
            values["question"] = Text(f"ruled.{question}", dict(zip("ab", figures, strict=False)))
            values["answer"] = Text("option.yes" if self.values["answer"] else "option.no")
        if self.kind == "corrected":
            name, _, detail = str(self.values["field"]).partition(":")
            values["field"] = Text(f"correct.{name}", {"detail": Text(f"ability.{detail}")} if detail else {})
            values |= {one: set_to(name, self.values[one]) for one in ("was", "value")}
        if self.kind in OVERRULING:
            reason = str(self.values.get("reason", ""))
            values["why"] = Text("correct.because", {"reason": reason}) if reason else ""
        if self.kind == "seen" and not self.values["figures"]:
            return Text("fact.seen_nobody", values)
        return Text(f"fact.{self.kind}", values)

    def to_json(self) -> dict[str, Any]:
        """The fact as plain data, in the log's order of keys."""
        data: dict[str, Any] = {"kind": self.kind}
        if self.fighter is not None:
            data["fighter"] = self.fighter
        return {**data, **({"values": dict(self.values)} if self.values else {}), "rules": list(self.rules)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Fact:
        """The inverse of `to_json`."""
        return cls(data["kind"], tuple(data["rules"]), data.get("fighter"), data.get("values", {}))
