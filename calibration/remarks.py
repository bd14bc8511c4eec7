"""What a calibration has to say to a person: a key and values to be translated, and the English sentence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

_SENTENCES = {
    "edge_missing": "the {side} edge of the mat was not found clearly in the picture and is not used",
    "edge_odd": "the {side} edge of the mat does not fit the other clicks and is not used",
    "edges_contradict": (
        "the edges of the mat found in the picture contradict the clicks and are not used: "
        "check the clicks and the sizes"
    ),
    "edges_no_better": (
        "the edges of the mat found in the picture did not lower the residual and are not used"
    ),
    "ropes_contradict": (
        "the ropes found in the picture contradict the clicks and are not used: "
        "check the clicks and the sizes"
    ),
    "posts_outside": "the post tops fit best with the posts {cm:.1f} cm outside the mat's corners",
    "click_off": "the {click} is {px:.0f} px off: click it again",
    "redo_click": "{mm:.1f} mm unexplained, the {click} is most likely wrong: click or measure it again",
    "redo_stick": (
        "{mm:.1f} mm unexplained, the stick is most likely wrong: measure it or click its ends again"
    ),
    "redo_clicks": "right to about {mm:.1f} mm only, the clicks do not fit together: click them again",
    "redo_more": "right to about {mm:.1f} mm only: add post_tops_px or calibrate the lens",
}


@dataclass(frozen=True)
class Remark:
    """One remark: `key` for the catalogue, values for its sentence, `names` values that are names of things.

    Names (of sides, clicks) are to be translated themselves. str() is the English sentence.
    """

    key: str
    values: Mapping[str, float] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        """The sentence in English."""
        return _SENTENCES[self.key].format(**self.values, **self.names)


REMARK_KEYS = tuple(_SENTENCES)
"""Every key a remark can have."""
