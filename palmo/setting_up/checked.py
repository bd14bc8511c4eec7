"""Changes of an event file in the making that are refused at once when what was typed cannot be."""

from __future__ import annotations

from collections.abc import Iterable

from overlay.setup.desk import NotSo
from palmo.calibrating.event_text import Draft
from palmo.calibrating.ring_desk import refusing
from palmo.event import EventError
from palmo.event.edit import with_keys, without_key
from palmo.event.lines import KeyPath
from palmo.event.load import event_of


def change(draft: Draft, table: KeyPath, values: dict[str, str], drop: Iterable[str] = ()) -> None:
    """Change or add keys of a table, as TOML writes their values, and take others out. Raises NotSo."""
    with draft.lock, refusing():
        text = with_keys(draft.read(), table, values)
        for key in drop:
            text = without_key(text, table, key)
        write(draft, text, [(*table, key) for key in values])


def write(draft: Draft, text: str, keys: Iterable[KeyPath]) -> None:
    """Take a changed text over, unless something is wrong with what stands under these keys now.

    What is wrong or missing elsewhere is no reason: the file is in the making. Raises NotSo with the
    sentence, and PalmoError when it cannot be written.
    """
    wanted = {".".join(str(part) for part in key) for key in keys}
    try:
        event_of(text, draft.path)
    except EventError as error:
        for problem in error.problems:
            # A text that is no TOML any more has a problem of no key.
            if not problem.key or any(f"{problem.key}.".startswith(f"{key}.") for key in wanted):
                raise NotSo(problem.text) from error
    draft.write(text)
