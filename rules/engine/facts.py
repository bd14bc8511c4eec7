"""Facts: the only way a match's state changes. Small, recorded, each with its rule."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from rules.text import Text


@dataclass(frozen=True)
class Fact:
    """Something that happened: `kind` names it, `values` (plain data) say how much, `rules` why."""

    kind: str
    rules: tuple[str, ...]
    fighter: str | None = None
    values: Mapping[str, Any] = field(default_factory=dict)

    @property
    def text(self) -> Text:
        """The sentence for the commentary: key `fact.<kind>`."""
        plain = {k: v for k, v in self.values.items() if isinstance(v, str | int | float)}
        listed = {k: ", ".join(map(str, v)) for k, v in self.values.items() if isinstance(v, list)}
        return Text(f"fact.{self.kind}", {**plain, **listed, "fighter": self.fighter or ""})

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
