"""The golden matches of the current edition: one of each mode, told as referees would play it."""

from __future__ import annotations

from collections.abc import Mapping

from datasets.golden_story import Story

SANTO, DEMON, NANDU, CAOS = (
    ("El Santo", "humanoid", "2222232113"),
    ("Blue Demon", "humanoid", "2232123212"),
    ("Ñandú", "beast", "2321231114"),
    ("Caos", "absurd", "3221222222"),
)
CORNERS = {
    "F1": (-20.0, 0.0, 0.0),
    "F2": (20.0, 0.0, 180.0),
    "F3": (0.0, 22.0, 270.0),
    "F4": (0.0, -22.0, 90.0),
}
DICE = (
    "64253 16435 26154 33641 52634 61425 36512 45263 14652 36145 62341 55263 41362 54163 24516 63254 16345 "
    "26413 55264 31624 53641 26354 14625 36251 44136 52463 15246 33615 42653 61425 36142 55362 41635 24163 "
    "52461 36254 13646 25314 64253 16524 36415 22563 41654 33216 54263 15364 26415 36254 11635 42563 64152 "
    "36245 51364 26153 44625 31562 64352 15246 33614 52643 16425 36125 45263 14653 26341 55264 31642 53165 "
) * 3  # fmt: skip

HOT = (
    "65416 56264 16553 64625 46156 65364 25646 63156 46564 56216 65643 16564 36546 52664 65164 46356 56624 "
    "61546 45663 26516 64655 36461 56246 65534 16646 54265 66451 36564 25646 61654 46536 56261 64556 36645 "
    "46612 55646 63516 46265 65416 56634 26545 16466 53664 65126 46556 36461 62546 56364 46156 65524 16663 "
) * 3  # fmt: skip

STORIES: Mapping[str, Story] = {
    "wrestling_match": Story(
        {"F1": SANTO, "F2": DEMON},
        CORNERS,
        {
            "F1": {
                1: "near:F2 strike:F2",
                5: "near:F2 suplex:F2 throw",
                9: "near:F2 finisher:strike strike:F2 hit_downed:F2 pin:F2",
            },
            "F2": {1: "near:F1 strike:F1", 4: "near:F1 whip:F1", 8: "near:F1 submission:F1 strike:F1 pin:F1"},
        },
        DICE,
        rests={6: "rest:F2"},
    ),
    "elimination": Story(
        {"F1": SANTO, "F2": DEMON, "F3": NANDU},
        CORNERS,
        {
            "F1": {
                1: "near:F2 strike:F2 pin:F2",
                7: "enter_ring get_up near:F3 strike:F3 pin:F3 near:F2 strike:F2 pin:F2",
            },
            "F2": {
                1: "near:F1 suplex:F1 throw pin:F1",
                8: "enter_ring get_up near:F3 suplex:F3 throw pin:F3 near:F1 strike:F1 pin:F1",
            },
            "F3": {
                1: "near:F1 charge:F1 whip:F1",
                6: "enter_ring get_up near:F2 charge:F2 strike:F2 pin:F2 near:F1 strike:F1 pin:F1",
            },
        },
        HOT,
        rests={9: "rest:F1"},
    ),
    "iron_man": Story(
        {"F1": DEMON, "F2": CAOS},
        CORNERS,
        {
            "F1": {1: "near:F2 submission:F2", 14: "near:F2 suplex:F2 throw", 20: "near:F2 strike:F2"},
            "F2": {1: "near:F1 strike:F1", 12: "near:F1 whip:F1", 18: "near:F1 strike:F1 pin:F1"},
        },
        HOT,
        rests={5: "taunt:F2"},
        said={"ask.defend": "decline", "ask.defend_technique": "decline", "ask.finisher": "decline"},
        whistle=25,
    ),
    "last_man_standing": Story(
        {"F1": SANTO, "F2": NANDU},
        CORNERS,
        {
            "F1": {
                1: "near:F2 strike:F2 hit_downed:F2",
                6: "enter_ring get_up near:F2 suplex:F2 throw hit_downed:F2",
            },
            "F2": {
                1: "near:F1 charge:F1 strike:F1 hit_downed:F1",
                5: "enter_ring get_up near:F1 strike:F1 hit_downed:F1",
            },
        },
        HOT,
        said={"ask.defend": "decline", "ask.finisher": "decline"},
    ),
    "survivor_series": Story(
        {"F1": SANTO, "F2": DEMON, "F3": NANDU, "F4": CAOS},
        CORNERS,
        {
            "F1": {
                1: "near:F3 strike:F3 pin:F3",
                8: "enter_ring get_up near:F4 strike:F4 pin:F4 near:F3 strike:F3 pin:F3",
            },
            "F2": {
                1: "near:F4 suplex:F4 throw pin:F4",
                9: "enter_ring get_up near:F3 strike:F3 pin:F3 near:F4 strike:F4 pin:F4",
            },
            "F3": {
                1: "near:F1 charge:F1 strike:F1 pin:F1",
                9: "enter_ring get_up near:F2 strike:F2 pin:F2 near:F1 strike:F1",
            },
            "F4": {
                1: "near:F2 submission:F2 strike:F2 pin:F2",
                9: "enter_ring get_up near:F1 whip:F1 pin:F1 near:F2 strike:F2",
            },
        },
        DICE,
        teams={"F1": "red", "F2": "red", "F3": "blue", "F4": "blue"},
        rulings={"participant_cap": "always_8"},
        rests={10: "rest:F2"},
    ),
    "katz_rumble": Story(
        {"F1": SANTO, "F2": DEMON, "F3": NANDU, "F4": CAOS},
        {
            "F1": (20.0, 20.0, 0.0),
            "F2": (30.0, 20.0, 180.0),
            "F3": (30.0, -20.0, 180.0),
            "F4": (20.0, -20.0, 0.0),
        },
        {
            "F1": {1: "near:F2 whip:F2", 6: "near:F4 whip:F4 near:F2 whip:F2 near:F3 whip:F3"},
            "F2": {1: "near:F1 suplex:F1 throw", 6: "near:F3 whip:F3 near:F4 whip:F4 near:F1 whip:F1"},
            "F3": {1: "near:F4 charge:F4 whip:F4", 6: "near:F4 whip:F4 near:F1 whip:F1 near:F2 whip:F2"},
            "F4": {1: "near:F3 whip:F3", 6: "near:F2 whip:F2 near:F1 whip:F1 near:F3 whip:F3"},
        },
        DICE,
        rulings={"participant_cap": "always_8"},
        said={"ask.at_the_ropes": "ringside", "ask.aim": "ropes:right", "ask.defend_technique": "decline"},
    ),
}
