"""The match panel as plain data in one language: what is asked, by whom, what may be answered and why not."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from overlay.feed import Panel
from overlay.i18n import COUNT, NO_NAMES, entries, translate
from rules.engine.facts import set_to
from rules.engine.overrule import Correction
from rules.engine.request import Option, Pool, Reason, Request
from rules.questions import Finding
from rules.text import Text

# Answers that are given most often. Where there are many they come first, to be reached without scrolling.
COMMONEST = ("go_on", "pass")
MANY = 4


def panel_view(request: Request, lang: str, names: Mapping[str, str] = NO_NAMES) -> dict[str, Any]:
    """A request for a page: every option with its reasons, every pool with its terms, in words."""
    return {
        "kind": request.kind,
        "step": step_in_words(request.step, lang),
        "code": request.step,
        "who": names.get(request.who, request.who),
        "referee": request.who == "referee",
        "fighter": names.get(request.fighter, request.fighter) if request.fighter else None,
        "text": translate(_question(request), lang, names),
        "rules": list(request.rules),
        "options": [_option(option, lang, names) for option in in_order(request.options)],
        "dice": [_pool(pool, lang, names) for pool in request.dice],
        "finding": _finding(request.finding, lang, names) if request.finding else None,
    }


def _question(request: Request) -> Text:
    """What is asked; a ruling that does not say whom it is about names the fighter first."""
    who = request.fighter
    if request.kind != "ruling" or who is None or who in request.text.values.values():
        return request.text
    return Text("ask.about", {"fighter": who, "question": request.text})


def in_order(options: Iterable[Option]) -> list[Option]:
    """Options as the panel lists them: what may be answered first, the rest after it, else as they come."""
    legal: list[Option] = []
    others: list[Option] = []
    for option in options:
        (legal if option.legal else others).append(option)
    if len(legal) > MANY:
        legal.sort(key=lambda option: option.id not in COMMONEST)
    return legal + others


def reasons_view(
    reasons: Iterable[Reason], lang: str, names: Mapping[str, str] = NO_NAMES
) -> list[dict[str, str]]:
    """Reasons as code, sentence and rule."""
    return [{"code": r.code, "text": translate(r.text, lang, names), "rule": r.rule} for r in reasons]


def explanation(
    options: Iterable[Option], lang: str, names: Mapping[str, str] = NO_NAMES
) -> list[dict[str, Any]]:
    """Every action of one fighter in words: first what he may do, then the rest with all reasons."""
    return [_option(option, lang, names) for option in in_order(options)]


def panel_message(panel: Panel, lang: str, number: int) -> dict[str, Any]:
    """The whole panel as the message that pages draw; `number` is the board's panel number."""
    names = panel.names
    return {
        "type": "panel",
        "number": number,
        "lang": lang,
        "turn": panel.turn,
        "request": panel_view(panel.request, lang, names) if panel.request else None,
        "outcome": translate(panel.outcome, lang, names) if panel.outcome else None,
        "sighting": translate(panel.sighting, lang, names) if panel.sighting else None,
        "offered": list(panel.offered) if panel.offered is not None else None,
        "happened": [translate(text, lang, names) for text in panel.happened],
        "undo": translate(panel.undo, lang, names) if panel.undo else None,
        "redo": translate(panel.redo, lang, names) if panel.redo else None,
        "corrections": _corrections(panel.corrections, lang, names),
        "fighters": [{"fighter": one, "name": names.get(one, one)} for one in panel.fighters],
        "digital_dice": panel.digital_dice,
        "history": [
            {"text": translate(line.text, lang, names), "origin": line.origin, "rules": list(line.rules)}
            for line in panel.history
        ],
        "notices": [
            {"text": translate(n.text, lang, names), "tone": n.tone, "answer": n.answer}
            for n in panel.notices
        ],
    }


def _corrections(
    corrections: Iterable[Correction], lang: str, names: Mapping[str, str]
) -> list[dict[str, Any]]:
    """What the referee may set, by fighter: each field with its value and what it may become, in words."""

    def say(text: Text | str) -> str:
        return translate(text, lang, names) if isinstance(text, Text) else text

    found: dict[str, dict[str, Any]] = {}
    for one in corrections:
        mine = found.setdefault(
            one.fighter,
            {"fighter": one.fighter, "name": names.get(one.fighter, one.fighter), "fields": []},
        )
        values = (True, False) if one.kind == "flag" else one.values
        mine["fields"].append(
            {
                "field": one.field,
                "text": say(one.text),
                "kind": one.kind,
                "now": one.now,
                "now_text": say(set_to(one.field, one.now)),
                "values": [{"value": value, "text": say(set_to(one.field, value))} for value in values],
                "low": one.low,
                "high": one.high,
            }
        )
    return list(found.values())


def step_in_words(step: str, lang: str) -> str:
    """Where in the turn a question stands; parts of the procedure that have no words are left out."""
    known = entries(lang)
    said = [translate(Text(f"step.{part}"), lang) for part in step.split() if f"step.{part}" in known]
    return " · ".join(said)


def _option(option: Option, lang: str, names: Mapping[str, str]) -> dict[str, Any]:
    return {
        "id": option.id,
        "text": translate(option.text, lang, names),
        "legal": option.legal,
        "reasons": reasons_view(option.reasons, lang, names),
        "rules": list(option.rules),
        "doubts": [_finding(doubt, lang, names) for doubt in option.doubts],
    }


def _pool(pool: Pool, lang: str, names: Mapping[str, str]) -> dict[str, Any]:
    return {
        "fighter": names.get(pool.fighter, pool.fighter),
        "text": translate(Text("dice.pool", {COUNT: pool.count, "faces": pool.faces}), lang),
        "count": pool.count,
        "faces": pool.faces,
        "ability": translate(Text(f"ability.{pool.ability}"), lang) if pool.ability else None,
        "threshold": pool.threshold,
        "success": translate(Text("dice.success", {"threshold": pool.threshold}), lang)
        if pool.threshold
        else None,
        "modifiers": [
            {"text": translate(m.text, lang, names), "value": m.value, "rule": m.rule} for m in pool.modifiers
        ],
    }


def _finding(finding: Finding, lang: str, names: Mapping[str, str]) -> dict[str, Any]:
    return {
        "text": translate(finding.text, lang, names),
        "answer": finding.answer,
        "too_close": finding.too_close,
        "rules": list(finding.rules),
    }
