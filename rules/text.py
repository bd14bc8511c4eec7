"""Sentences for people, as a key and its values: the overlay turns them into Spanish or English."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field
from functools import cached_property

from rules.value_type import value_type


@value_type
class Text:
    """A message key of the catalogue and the values its sentence needs.

    Values are numbers, strings, or other Texts (which are translated first).
    """

    key: str
    values: dict[str, float | int | str | Text] = field(default_factory=dict)


class DeferredText(Text):
    """A message that is worked out when somebody reads it, and not at all when nobody does."""

    def __init__(self, work: Callable[[], Text]) -> None:
        """`work` gives the message; it is called once, and must find what it found when it was put up."""
        self.__dict__["_work"] = work

    @cached_property
    def _read(self) -> Text:
        work: Callable[[], Text] = self.__dict__["_work"]
        return work()

    @cached_property
    def key(self) -> str:
        """The message's key."""
        return self._read.key

    @cached_property
    def values(self) -> dict[str, float | int | str | Text]:
        """The values of its sentence."""
        return self._read.values


def listed(names: Sequence[Text | str]) -> Text | str:
    """Several names as one value of a sentence: each is still translated or named by itself."""
    if len(names) == 1:
        return names[0]
    key = "list.last" if len(names) == 2 else "list"
    return Text(key, {"head": names[0], "tail": listed(names[1:])}) if names else ""
