"""What came of an answer and which answer an undo takes back, in both languages."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

from overlay.happened import answer_of, outcome_of
from overlay.i18n import LANGUAGES, translate
from overlay.panel import panel_view, step_in_words
from rules.engine.facts import Fact
from rules.engine.log import Entry
from rules.engine.match import Match
from rules.engine.request import Request
from rules.smackkatz.book import CURRENT
from rules.text import Text
from tests.rules.playing import STRONG, random_answer, roster

NAMES = {"F1": "Santo", "F2": "Mantequilla"}


def entry(kind: str, raw: Any, *facts: Fact, ask: str = "ask.act") -> Entry:
    return Entry(0, {"kind": kind, "step": "S4", "who": "F1", "ask": ask}, raw, raw, "referee", facts)


def rolled(fighter: str, faces: list[int], threshold: int) -> Fact:
    values = {"ability": "strength", "dice": len(faces), "sides": 6, "threshold": threshold, "faces": faces}
    return Fact("rolled", ("STRIKE-03",), fighter, values)


def said(entry: Entry, lang: str) -> str:
    return " ".join(translate(text, lang, NAMES) for text in outcome_of(entry))


def test_a_roll_tells_its_successes_and_the_stamina_they_cost() -> None:
    lost = Fact("stamina_lost", ("STRIKE-04",), "F1", {"points": 2, "to": 18})
    over = Fact("activation_ended", ("TURN-01",), "F2")
    roll = entry("roll", [6, 4], rolled("F2", [6, 4], 4), lost, over)
    assert (
        said(roll, "es") == "Mantequilla, Fuerza: 6 y 4, 2 éxitos. Santo pierde 2 de Estamina y queda en 18."
    )
    assert (
        said(roll, "en") == "Mantequilla, Strength: 6 and 4, 2 successes. Santo loses 2 Stamina and is at 18."
    )


@pytest.mark.parametrize(
    ("cm", "turned", "sentence"),
    [
        (0.1, False, "Santo no se ha movido."),
        (0.1, True, "Santo se ha girado sin moverse del sitio."),
        (18.0, True, "Santo se movió 1,00 palmos (18,0 cm) por 1 de Velocidad."),
    ],
)
def test_a_move_tells_whether_there_was_one(cm: float, turned: bool, sentence: str) -> None:
    moved = Fact("moved", ("MOVE-01",), "F1", {"cost": 1, "cm": cm, "palms": cm / 18, "turned": turned})
    assert said(entry("observe", {}, moved), "es") == sentence


def test_a_lock_up_tells_who_won_it() -> None:
    order = Fact("order", ("LOCK-03",), None, {"order": ["F2", "F1"]})
    combat = entry("roll", [6, 1], rolled("F2", [6], 4), rolled("F1", [1], 4), order)
    assert said(combat, "es").endswith("Santo, Fuerza: 1, 0 éxitos. Mantequilla gana la Toma de Nuca.")


def test_many_rolls_are_told_in_one_sentence() -> None:
    combat = entry(
        "roll", [6, 1, 5], *(rolled(one, [6, face], 4) for one, face in (("F1", 1), ("F2", 5), ("F3", 2)))
    )
    assert said(combat, "es") == "Éxitos: Santo 1, Mantequilla 2 y F3 1."
    tie = entry(
        "roll", [2, 6, 5], *(rolled(one, [face], 0) for one, face in (("F1", 2), ("F2", 6), ("F3", 5)))
    )
    assert said(tie, "en") == "Dice: Santo 2, Mantequilla 6 and F3 5."


@pytest.mark.parametrize(
    ("answer", "caption"),
    [
        (entry("choose", "strike:F1"), "Golpear a Santo"),
        (entry("choose", "rest:F2", ask="ask.rest"), "Mantequilla descansa"),
        (entry("choose", "pass"), "Nada más"),
        (entry("ruling", "stands", ask="verdict.unseen"), "El movimiento vale"),
        (entry("ruling", "F2", ask="ask.who_first"), "Primero Mantequilla"),
        (entry("choose", "far", ask="ask.which_side"), "lado del fondo"),
        (entry("roll", [5, 4, 1]), "Los dados: 5, 4 y 1"),
        (entry("observe", {"F1": {}}), "Lo visto en la mesa"),
        (entry("observe", {}), "Que nadie lo vio: decides tú"),
    ],
)
def test_undo_says_which_answer_it_takes_back(answer: Entry, caption: str) -> None:
    assert translate(answer_of(answer), "es", NAMES) == caption


def test_an_observation_of_nothing_is_told_as_such() -> None:
    assert translate(Fact("seen", ("MOVE-01",), None, {"figures": []}).text, "en") == (
        "The camera saw nothing: the referee decides."
    )


def test_a_ruling_says_whom_it_is_about_where_its_question_does_not() -> None:
    measured = Text("measured.palms", {"palms": 0.98, "palms_error": 0.16})
    verdict = Text("verdict.palms.too_close", {"measured": measured, "cm": 16.9, "limit": 1})
    shift = Request("ruling", "setup D-28", "referee", verdict, fighter="F1")
    assert panel_view(shift, "es", NAMES)["text"].startswith("Santo: Demasiado justo")
    named = Request("ruling", "D-28", "referee", Text("verdict.unseen", {"fighter": "F1"}), fighter="F1")
    assert panel_view(named, "es", NAMES)["text"].count("Santo") == 1


def test_a_ruling_says_what_was_decided() -> None:
    ruled = Fact("ruled", ("ATK-02",), "F1", {"about": "adjacent:F1:F2", "answer": True, "poses": []})
    ruling = entry("ruling", "yes", ruled, ask="question.adjacent")
    assert said(ruling, "es") == "El árbitro decide: ¿están adyacentes Santo y Mantequilla? Sí."
    assert translate(answer_of(ruling), "en", NAMES) == (
        "The referee decides: are Santo and Mantequilla adjacent? Yes."
    )


@pytest.mark.parametrize("seed", range(3))
def test_every_answer_of_a_match_can_be_told_and_every_step_has_words(seed: int) -> None:
    rng = random.Random(seed)
    match = Match(CURRENT, roster(3, {"A": STRONG, "B": STRONG}), mode=CURRENT.modes[seed % 3])
    for _ in range(250):
        if match.request is None:
            break
        step = match.request.step
        match.answer(random_answer(match, rng))
        newest = match.log.entries[-1]
        for lang in LANGUAGES:
            for text in (answer_of(newest), *outcome_of(newest)):
                assert "⟨" not in translate(text, lang)
            words = step_in_words(step, lang)
            assert words
            assert not re.search(r"_|[A-Z][A-Z]|[A-Z]-?[0-9]", words), words
        assert answer_of(newest).key != "answer.last", newest
