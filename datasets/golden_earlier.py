"""The golden matches of the earlier edition: one of each mode, with what only that edition has.

Counter against every attack, holds on one's feet and the crawl to the ropes, throws over the back, wounds
that count everywhere, five counts for a knock-out, a hold kept up at the ropes that is a foul.
"""

from __future__ import annotations

from collections.abc import Mapping

from datasets.golden_story import Story

MASCARA, MIL, TOTORO, VIENTO = (
    ("Máscara de Adobe", "humanoid", "2222231222"),
    ("Mil Arcillas", "humanoid", "3212222222"),
    ("Totoro", "beast", "2231222132"),
    ("Viento Negro", "absurd", "2321221322"),
)
"""Name, class, scores: Spirit is the fourth ability here."""
FACING = {
    "F1": (-18.0, 0.0, 0.0),
    "F2": (18.0, 0.0, 180.0),
    "F3": (0.0, 20.0, 270.0),
    "F4": (0.0, -20.0, 90.0),
}
EVENING = (
    "53624 16453 62541 36425 51634 26415 63254 14526 35164 42653 16245 53641 26354 41562 63415 25364 14253 "
    "65142 36524 15346 42163 56324 61453 24615 35264 13642 54163 26451 63524 41365 52614 36425 15243 64351 "
    "26534 41625 53164 62453 14365 25641 36124 54263 16354 42516 63241 35462 12654 46135 52364 31642 65214 "
) * 4  # fmt: skip
FIERCE = (
    "64565 26645 36564 65246 54665 63456 46526 65364 56642 64536 25664 46563 65462 36654 54626 66354 45662 "
    "63546 56465 24666 65346 46562 54663 62645 36456 65564 46265 63654 56446 25663 64536 46654 53662 65446 "
    "36565 64256 54666 62354 46565 63646 55264 66453 24656 65364 46526 56643 63465 45662 66354 52646 34665 "
) * 4  # fmt: skip

STORIES: Mapping[str, Story] = {
    "wrestling_match": Story(
        {"F1": MASCARA, "F2": MIL, "F3": TOTORO},
        FACING,
        {
            "F1": {
                1: "near:F2 strike:F2",
                4: "near:F2 submission:F2",
                8: "near:F3 charge:F3 whip:F3 near:F2 suplex:F2 throw pin:F2",
                13: "near:F2 strike:F2 finisher:strike pin:F2 near:F3 strike:F3 pin:F3",
            },
            "F2": {
                1: "near:F1 charge:F1 strike:F1",
                5: "near:F1 whip:F1 suplex:F1 throw",
                11: "enter_ring get_up near:F1 strike:F1 pin:F1",
            },
            "F3": {
                1: "near:F2 charge:F2 suplex:F2 throw",
                6: "near:F1 whip:F1 strike:F1",
                11: "enter_ring get_up near:F2 submission:F2 strike:F2 pin:F2",
            },
        },
        EVENING,
        rests={7: "taunt:F3", 10: "rest:F2"},
        said={"ask.hold_posture": "standing", "ask.injury": "combat", "ask.finisher": "no_finisher"},
    ),
    "last_man_standing": Story(
        {"F1": TOTORO, "F2": VIENTO},
        FACING,
        {
            "F1": {
                1: "near:F2 strike:F2",
                4: "enter_ring get_up near:F2 suplex:F2 throw strike:F2",
            },
            "F2": {
                1: "near:F1 charge:F1 strike:F1",
                3: "enter_ring get_up near:F1 suplex:F1 throw strike:F1 finisher:strike",
            },
        },
        FIERCE,
        rests={5: "rest:F1"},
        said={"ask.injury": "strength"},
    ),
    "elimination": Story(
        {"F1": MASCARA, "F2": MIL, "F3": VIENTO},
        {"F1": (20.0, 18.0, 0.0), "F2": (29.0, 18.0, 180.0), "F3": (0.0, -20.0, 90.0)},
        {
            "F1": {1: "near:F2 whip:F2", 6: "near:F3 strike:F3 pin:F3 near:F2 strike:F2 pin:F2"},
            "F2": {1: "near:F1 strike:F1", 5: "pass", 9: "enter_ring get_up near:F1 strike:F1 pin:F1"},
            "F3": {
                1: "near:F1 charge:F1 whip:F1",
                6: "enter_ring get_up near:F1 suplex:F1 throw pin:F1 strike:F1",
            },
        },
        FIERCE,
        said={
            "ask.at_the_ropes": "ringside",
            "ask.aim": "ropes:right",
            "ask.defend": "decline",
            "ask.finisher": "no_finisher",
        },
    ),
    "iron_man": Story(
        {"F1": MIL, "F2": TOTORO},
        FACING,
        {
            "F1": {1: "near:F2 submission:F2", 12: "enter_ring get_up near:F2 suplex:F2 throw pin:F2"},
            "F2": {
                1: "near:F1 strike:F1",
                8: "enter_ring get_up near:F1 strike:F1 pin:F1",
                16: "near:F1 submission:F1",
            },
        },
        EVENING,
        rests={6: "taunt:F2"},
        said={"ask.finisher": "no_finisher", "ask.hold_posture": "lying"},
        whistle=24,
    ),
    "survivor_series": Story(
        {"F1": MASCARA, "F2": MIL, "F3": TOTORO, "F4": VIENTO},
        FACING,
        {
            "F1": {
                1: "near:F3 strike:F3 pin:F3",
                7: "enter_ring get_up near:F4 suplex:F4 throw pin:F4 near:F3 strike:F3 pin:F3",
            },
            "F2": {
                1: "near:F4 submission:F4 strike:F4",
                8: "enter_ring get_up near:F4 strike:F4 pin:F4 near:F3 strike:F3 pin:F3",
            },
            "F3": {
                1: "near:F1 charge:F1 strike:F1 pin:F1",
                8: "enter_ring get_up near:F1 whip:F1 pin:F1 near:F2 strike:F2",
            },
            "F4": {
                1: "near:F2 whip:F2 strike:F2",
                8: "enter_ring get_up near:F2 strike:F2 pin:F2 near:F1 strike:F1 pin:F1",
            },
        },
        FIERCE,
        teams={"F1": "rojos", "F2": "rojos", "F3": "azules", "F4": "azules"},
        rulings={"participant_cap": "always_8"},
        rests={9: "rest:F3"},
        said={"ask.finisher": "no_finisher", "ask.foul": "insist"},
    ),
}
