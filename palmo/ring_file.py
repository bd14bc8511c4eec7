"""What was said of ring and fighters, beside the tracks it holds for: `palmo measure` has no picture.

`tracks.jsonl` gets a `tracks.ring.json` with the verdict and, where it is not good, the warning, and with
what was doubtful of what was told of each fighter.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from palmo.errors import SaidError, reason
from rules.text import Text


def ring_path(tracks: Path) -> Path:
    """Where the check of some tracks lies."""
    return tracks.with_suffix(".ring.json")


def save_ring(tracks: Path, verdict: str, warning: Text | None, doubts: Sequence[Text] = ()) -> None:
    """Write what the check said, and what is doubtful, beside the tracks. Raises PalmoError."""
    path = ring_path(tracks)
    data = {
        "verdict": verdict,
        "warning": None if warning is None else plain_of(warning),
        "doubts": [plain_of(doubt) for doubt in doubts],
    }
    try:
        path.write_text(json.dumps(data, ensure_ascii=False) + "\n", encoding="utf-8")
    except OSError as error:
        raise SaidError("error.ring.unwritten", path=path, why=reason(error)) from None


def load_warning(tracks: Path) -> Text | None:
    """The warning that goes with some tracks; None when there is none or nothing was noted down.

    Raises PalmoError for a file that is not what `save_ring` writes.
    """
    return _noted(tracks)[0]


def load_doubts(tracks: Path, fighter: str) -> list[Text]:
    """What was doubtful of what was told of a fighter, by its id, when it was tracked.

    Raises PalmoError for a file that is not what `save_ring` writes.
    """
    return [doubt for doubt in _noted(tracks)[1] if fighter in doubt.values.values()]


def _noted(tracks: Path) -> tuple[Text | None, list[Text]]:
    path = ring_path(tracks)
    if not path.is_file():
        return None, []
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        warning = data["warning"]
        doubts = [text_of(doubt) for doubt in data.get("doubts", [])]
        return None if warning is None else text_of(warning), doubts
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise SaidError("error.ring.strange", path=path) from None


def plain_of(text: Text) -> dict[str, Any]:
    """A sentence of the catalogue as plain data."""
    values = {
        name: plain_of(value) if isinstance(value, Text) else value for name, value in text.values.items()
    }
    return {"key": text.key, "values": values}


def text_of(plain: dict[str, Any]) -> Text:
    """The sentence in what `plain_of` gives. Raises KeyError, TypeError or AttributeError for other data."""
    values = {
        name: text_of(value) if isinstance(value, dict) else value for name, value in plain["values"].items()
    }
    return Text(str(plain["key"]), values)
