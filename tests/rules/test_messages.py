"""Every sentence that comes up in play can be said in both languages with the values it carries."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from overlay import i18n
from rules.engine.match import Match
from rules.engine.request import Rejected
from rules.smackkatz.book import CURRENT
from rules.smackkatz.changes import APPLY
from rules.smackkatz.house_rules import catalogue
from rules.smackkatz.sheet import sheet_problems
from rules.text import Text
from tests.rules.playing import STRONG, random_answer, roster


def sentences(match: Match, rng: random.Random) -> Iterator[Text]:  # type: ignore[type-arg]
    """All texts of the open request, of its refusals and of what is drawn."""
    request = match.request
    if request is not None:
        yield request.text
        if request.finding is not None:
            yield request.finding.text
        for option in request.options:
            yield option.text
            yield from (reason.text for reason in option.reasons)
            yield from (doubt.text for doubt in option.doubts)
        for pool in request.dice:
            yield from (term.text for term in pool.modifiers)
            yield Text(f"ability.{pool.ability or 'die'}")
        for nonsense in (None, [11] * request.dice_count, [], {"X": 3}, {"end_match": 1}):
            with pytest.raises(Rejected) as refusal:
                match.answer(nonsense)
            yield from (reason.text for reason in refusal.value.reasons)
    for note in match.annotations():
        yield from note.statuses if hasattr(note, "statuses") else ()
        text = getattr(note, "label", None) or getattr(note, "text", None)
        if text is not None:
            yield text


FOR_THREE = ("wrestling_match", "elimination", "last_man_standing", "iron_man")


@pytest.mark.parametrize("seed", range(8))
def test_what_is_said_in_a_match_is_in_the_catalogue(seed: int, caplog: pytest.LogCaptureFixture) -> None:
    rng = random.Random(seed)
    match = Match(CURRENT, roster(3, {"A": STRONG, "B": STRONG}), mode=FOR_THREE[seed % 4])
    said: dict[str, Text] = {}
    for _ in range(250):
        said |= {text.key: text for text in sentences(match, rng)}
        if match.request is None:
            break
        facts = match.answer(random_answer(match, rng))
        said |= {fact.text.key: fact.text for fact in facts}
    assert len(said) > 30
    for text in said.values():
        for lang in i18n.LANGUAGES:
            assert "⟨" not in i18n.translate(text, lang), text
    assert not caplog.records


def test_every_kind_of_fact_has_its_sentence() -> None:
    known = set(i18n.keys("es", "fact."))
    # Who sees nothing has one of its own.
    assert {f"fact.{kind}" for kind in APPLY} | {"fact.seen_nobody"} == known


def test_every_problem_of_a_sheet_has_its_sentence() -> None:
    broken = {"combat": 5, "speed": 0, "strength": 2, "wisdom": 3, "trigger": "asleep", "strike": "much",
              "titles": [{"title": "belt", "ability": "charm"}]}  # fmt: skip
    problems = sheet_problems(broken, catalogue().resolve())
    assert {one.code for one in problems} >= {
        "unknown_key", "missing_ability", "ability_too_low", "ability_too_high", "trigger", "title_ability",
    }  # fmt: skip
    for problem in problems:
        for lang in i18n.LANGUAGES:
            assert "⟨" not in i18n.translate(problem.text, lang)


@pytest.mark.parametrize(
    ("lang", "lost", "said"),
    [
        ("en", 1, "A has lost 1 Counter die."),
        ("en", 2, "A has lost 2 Counter dice."),
        ("es", 1, "A ha perdido 1 dado de Contra."),
        ("es", 2, "A ha perdido 2 dados de Contra."),
    ],
)
def test_counter_13_one_die_lost_is_no_dice(lang: str, lost: int, said: str) -> None:
    assert i18n.translate(Text("fact.counter_dice_lost", {"fighter": "A", "lost": lost}), lang) == said


def test_the_mat_is_la_lona_everywhere_in_spanish() -> None:
    """The rulebook's own word; another one would be taken for another thing."""
    said = " ".join(form for entry in i18n.entries("es").values() for form in entry.forms).lower()
    assert "lona" in said
    assert not [word for word in ("tapiz", "estera", "colchoneta") if word in said]
