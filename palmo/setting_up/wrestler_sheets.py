"""A wrestler's sheet read from an event file in the making, and written into it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from overlay.setup.desk import FilledIn, NotSo, Offer, SheetForm
from palmo.calibrating.event_text import Draft
from palmo.calibrating.ring_desk import refusing
from palmo.event.edit import with_keys, with_subtable, without_key
from palmo.setting_up.checked import write
from rules.engine.rulings import RulingError
from rules.smackkatz.book import CURRENT, EDITIONS
from rules.smackkatz.edition import Form
from rules.smackkatz.sheet import TRIGGERS, sheet_problems
from rules.text import Text

_HIGHEST = 4


def form_of(match: Mapping[str, Any]) -> Form:
    """The sheet of the edition that a [match] names; of the current one while it names none."""
    return EDITIONS.get(str(match.get("edition")), CURRENT).rules.form


def offered(match: Mapping[str, Any]) -> SheetForm:
    """The sheet as the page offers it."""
    form = form_of(match)
    main, fighting = (
        [Offer(name, Text(f"ability.{name}")) for name in half] for half in (form.main, form.fighting)
    )
    return SheetForm(main, fighting, _HIGHEST, [(one, Text(f"trigger.{one}")) for one in TRIGGERS])


def read(sheet: Any) -> FilledIn | None:
    """What stands in a fighter's sheet; None without one."""
    if not isinstance(sheet, dict):
        return None
    scores = {
        key: value for key, value in sheet.items() if isinstance(value, int) and not isinstance(value, bool)
    }
    return FilledIn(scores, str(sheet.get("finisher", "")), str(sheet.get("trigger", "")))


def check(draft: Draft, fighter: str, sheet: FilledIn) -> None:
    """Let the rules look at a sheet before it is written. Raises NotSo with the first thing they refuse."""
    data = draft.data
    match = data.get("match", {})
    given, gone = _keys(sheet, form_of(match))
    kept = next((dict(one.get("sheet", {})) for one in _fighters(data) if one.get("id") == fighter), {})
    whole = {key: value for key, value in kept.items() if key not in gone} | given
    book = EDITIONS[form_of(match).edition]
    try:
        rulings = book.catalogue.resolve(match.get("rulings", {}))
    except RulingError:
        # What is wrong with the house rules is said where they stand.
        rulings = book.catalogue.resolve()
    problems = sheet_problems(whole, rulings, form_of(match))
    if problems:
        raise NotSo(Text("error.cited", {"what": _named(problems[0].text), "rule": problems[0].rule}))


def _named(said: Text) -> Text:
    """A sentence with the abilities called as the page calls them."""
    known = EDITIONS["current"].rules.form.abilities + EDITIONS["earlier"].rules.form.abilities
    values = {key: Text(f"ability.{one}") if one in known else one for key, one in said.values.items()}
    return Text(said.key, values)


def put(draft: Draft, number: int, sheet: FilledIn) -> None:
    """Write the sheet of a fighter, leaving titles and injuries as they are. Raises NotSo."""
    given, gone = _keys(sheet, form_of(draft.data.get("match", {})))
    table = ("fighter", number, "sheet")
    values = {key: json.dumps(value, ensure_ascii=False) for key, value in given.items()}
    with refusing():
        text = with_keys(with_subtable(draft.read(), table, "fighter.sheet"), table, values)
        for key in gone:
            text = without_key(text, table, key)
        write(draft, text, [table])


def _keys(sheet: FilledIn, form: Form) -> tuple[dict[str, Any], list[str]]:
    """What is written into a sheet and what is taken out of it."""
    gone = [key for key in ("technique", "spirit") if key not in form.abilities]
    given: dict[str, Any] = {name: sheet.scores.get(name, 0) for name in form.abilities}
    for key, words in (("finisher", sheet.finisher.strip()), ("trigger", sheet.trigger)):
        if words:
            given[key] = words
        else:
            gone.append(key)
    return given, gone


def _fighters(data: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    found = data.get("fighter")
    return (one for one in found if isinstance(one, dict)) if isinstance(found, list) else iter(())
