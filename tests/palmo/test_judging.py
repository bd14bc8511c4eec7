from __future__ import annotations

import json
import math
from dataclasses import replace

import pytest

from overlay.i18n import LANGUAGES, translate
from palmo.errors import PalmoError
from palmo.event import Event
from palmo.judging import as_json, fighter_called, judge, move_annotations, sentences, stillness
from palmo.stays import Move, Stay
from rules.annotations import Banner, Ruler
from vision.tracks import FacingSource, Track

OWN = {"fragment": 0, "own": [0.01, 0.0, 0.01], "camera": [[0.3], [0.0]], "figure": [[], []], "basis": "none"}


def stay(
    fighter: str, x: float, y: float, facing: float, t: float, source: FacingSource = "registered"
) -> Stay:
    track = Track(
        state="placed", x=x, y=y, sx=0.32, sy=0.1, sxy=0.0, facing_deg=facing, facing_sd_deg=2.0,
        facing_source=source, fragment=int(t), error=OWN | {"fragment": int(t)},
    )  # fmt: skip
    outline = tuple((x + 2 * math.cos(a), y + 2 * math.sin(a)) for a in (0.0, 1.5, 3.0, 4.5))
    return Stay(fighter, t, t + 1, track, outline)


def straight(fighter: str, length: float) -> Move:
    return Move(stay(fighter, -10.0, 0.0, 0.0, 0.0), stay(fighter, -10.0 + length, 0.0, 0.0, 5.0))


@pytest.mark.parametrize(
    ("length", "allow", "verdict"),
    [
        (38.0, 2, "within"),
        (41.1, 2, "too_close"),
        (44.0, 2, "beyond"),
        (20.5, 1.0, "too_close"),
        (0.0, 1, "within"),
    ],
)
def test_the_verdict_is_in_the_palms_of_the_fighters_own_player(
    event: Event, length: float, allow: float, verdict: str
) -> None:
    judgement = judge(event, straight("F1", length), allow_palms=allow)
    assert judgement.ruling.verdict == verdict
    if length:
        assert judgement.ruling.palms.value == pytest.approx(length / 20.5, rel=1e-3)
    assert "MOVE-02" in judgement.ruling.rules


def test_without_a_number_of_palms_the_sheets_speed_decides(event: Event) -> None:
    # Speed 3 and a palm of 20.5 cm: 61.5 cm.
    assert judge(event, straight("F1", 55.0)).ruling.verdict == "within"
    assert judge(event, straight("F1", 66.0)).ruling.verdict == "beyond"
    # No sheet: Speed 2 and a palm of 18 cm.
    assert judge(event, straight("F2", 33.0)).ruling.verdict == "within"
    assert judge(event, straight("F2", 41.0)).ruling.verdict == "beyond"


def test_what_both_positions_share_cancels(event: Event) -> None:
    # The camera's 0.3 cm are in both ends alike; only the own noise of 0.1 cm each is left, and the hand's.
    judgement = judge(event, straight("F1", 30.0), allow_palms=2)
    assert judgement.length.sd == pytest.approx(math.hypot(0.1, 0.1), rel=0.02)


def test_an_assumed_facing_is_never_called_within_by_speed(event: Event) -> None:
    move = Move(stay("F1", 0, 0, 0, 0), stay("F1", 30, 0, 0, 5, "assumed"))
    judgement = judge(event, move)
    assert judgement.facing_assumed
    assert judgement.ruling.verdict == "too_close"


def assumed_move(length: float, *facings: tuple[float, float]) -> Move:
    """A straight move whose end may face as given: (degrees, probability), the likeliest first."""
    ways = [
        {"share": share, "facing_deg": deg, "facing_sd_deg": 3.0, "x": length, "y": 0.0,
         "own": [0.01, 0.0, 0.01], "camera": [[0.3], [0.0]], "figure": [[], []]}
        for deg, share in facings
    ]  # fmt: skip
    end = stay("F1", length, 0.0, facings[0][0], 5.0, "assumed")
    assert end.track.error is not None
    return Move(
        stay("F1", 0.0, 0.0, 0.0, 0.0),
        replace(end, track=replace(end.track, error={**end.track.error, "readings": ways})),
    )


def test_what_every_possible_facing_allows_is_called_though_the_facing_is_assumed(event: Event) -> None:
    # Speed 3 pays for a palm and the half palm of a turn, whichever way it ended up.
    judgement = judge(event, assumed_move(12.0, (40.0, 0.6), (-30.0, 0.4)))
    assert judgement.facing_assumed
    assert judgement.ruling.verdict == "within"
    assert "verdict.speed.within" in judgement.verdict.key


def test_what_one_possible_facing_forbids_stays_open(event: Event) -> None:
    # Straight on it is two palms of three; with a turn at the end a third and a half are spent.
    assert judge(event, assumed_move(58.0, (0.0, 1.0))).ruling.verdict == "within"
    assert judge(event, assumed_move(58.0, (0.0, 0.6), (90.0, 0.4))).ruling.verdict == "too_close"


def test_what_no_facing_allows_is_beyond(event: Event) -> None:
    assert judge(event, assumed_move(90.0, (0.0, 0.6), (150.0, 0.4))).ruling.verdict == "beyond"


def test_the_json_is_plain_and_complete(event: Event) -> None:
    data = json.loads(json.dumps(as_json(judge(event, straight("F1", 41.1), allow_palms=2)), allow_nan=False))
    assert data["cm"] == pytest.approx(41.1, abs=0.01)
    assert data["interval95_cm"][0] < 41.1 < data["interval95_cm"][1]
    assert data["verdict"] == "too_close"
    assert data["player"] == "ana"


def test_a_turn_of_nearly_nothing_has_no_sign(event: Event) -> None:
    move = Move(stay("F1", -10.0, 0.0, 0.0, 0.0), stay("F1", 10.0, 0.0, -0.3, 5.0))
    said = [translate(text, "en") for text in sentences(judge(event, move))]
    assert "  turns by 0°" in said


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("length", [20.0, 41.1, 70.0])
def test_every_sentence_exists_in_both_languages(event: Event, lang: str, length: float) -> None:
    for allow in (None, 2.0):
        judgement = judge(event, straight("F1", length), allow_palms=allow)
        for text in sentences(judgement):
            assert "⟨" not in translate(text, lang)
        for annotation in move_annotations(judgement):
            label = annotation.text if isinstance(annotation, Banner) else annotation.label  # type: ignore[union-attr]
            assert label is not None
            assert "⟨" not in translate(label, lang)


def test_the_ruler_has_a_tick_per_palm_of_that_player(event: Event) -> None:
    ruler, banner = move_annotations(judge(event, straight("F1", 70.0)))
    assert isinstance(ruler, Ruler)
    assert isinstance(banner, Banner)
    assert ruler.points == ((-10.0, 0.0), (60.0, 0.0))
    assert ruler.tick == 20.5
    assert ruler.tone == banner.tone == "illegal"


@pytest.mark.parametrize("allow", [None, 1.0])
def test_a_fighter_that_stood_still_went_nowhere_as_far_as_the_camera_can_tell(
    event: Event, allow: float | None
) -> None:
    stood = stay("F1", 3.0, 4.0, 0.0, 10.0)
    judgement = judge(event, Move(stood, stood), allow_palms=allow)
    data = as_json(judgement)
    assert data["cm"] == 0.0
    # Two measurements with 0.1 cm of own noise each: a Rayleigh length of 0.2 cm root mean square.
    assert data["sd_cm"] == pytest.approx(0.2, abs=0.005)
    assert data["interval95_cm"][0] == 0.0
    assert 0.3 < data["interval95_cm"][1] < 0.4
    assert data["verdict"] == "within"
    said = translate(stillness(judgement, 10.2, 10.9), "en")
    assert (
        said
        == "El Santo de Barro (F1) did not move between 10.2 and 10.9 s: it stood there from 10.0 to 11.0 s"
    )


@pytest.mark.parametrize("called", ["F2", "f2", "Ñandú", "ñandú", " ÑANDÚ "])
def test_a_fighter_is_called_by_its_id_or_its_name(event: Event, called: str) -> None:
    assert fighter_called(event, called).id == "F2"


def test_a_fighter_nobody_knows_is_told_with_those_there_are(event: Event) -> None:
    with pytest.raises(PalmoError, match=r"no fighter Nadie; it has F1 \(El Santo de Barro\), F2 \(Ñandú\)"):
        fighter_called(event, "Nadie")


def test_a_name_that_two_share_is_no_answer(event: Event) -> None:
    twin = event.fighter[0].model_copy(update={"id": "F3"})
    twice = event.model_copy(update={"fighter": [*event.fighter, twin]})
    with pytest.raises(PalmoError, match="F1 and F3 are both called el santo de barro"):
        fighter_called(twice, "el santo de barro")
    assert fighter_called(twice, "f3") is twin
