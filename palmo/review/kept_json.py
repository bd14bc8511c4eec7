"""Plain data read back as what was written: every value of the kind it has, or none of it."""

from __future__ import annotations

from functools import cache
from typing import Any, TypeVar, cast, get_type_hints

from pydantic import BaseModel, ConfigDict, create_model

T = TypeVar("T")


def as_kept(kind: type[T], data: Any) -> T:
    """A dataclass from what JSON gave. Raises ValueError for other keys or kinds of values."""
    checked = _model(cast(Any, kind)).model_validate(data)
    return kind(**{name: getattr(checked, name) for name in type(checked).model_fields})


@cache
def _model(kind: type[Any]) -> type[BaseModel]:
    fields: dict[str, Any] = {
        name: (hint, getattr(kind, name, ...)) for name, hint in get_type_hints(kind).items()
    }
    return create_model(kind.__name__, __config__=ConfigDict(extra="forbid", allow_inf_nan=False), **fields)
