"""Values: plain data that is made by the thousand and never changed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def value_type(cls: type[T]) -> type[T]:
    """A dataclass that nobody changes: the type checker sees to it.

    To guard it at run time as well would make every one of them cost four times as much.
    """
    return dataclass(unsafe_hash="__hash__" not in cls.__dict__)(cls)
