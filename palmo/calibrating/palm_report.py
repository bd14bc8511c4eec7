"""What is said of a player's hand, and what is written of it into the event file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import cv2
import numpy as np

from calibration.camera import Array
from calibration.palm import Palm
from overlay.i18n import number
from palmo.calibrating.drawing import INK, MAGENTA, PAPER, shrunk, stacked, write_on_plate
from rules.text import Text
from vision.arrays import Image

Hand = Literal["left", "right"]

_WIDTH_PX = 640
# A picture shows this much around the middle of a hand, in spans.
_AROUND = 1.1
# So many placements show how far a hand scatters.
ENOUGH = 3
# What a palm's sd in the event file may be.
_LEAST_SD_CM = 0.05


@dataclass(frozen=True, eq=False)
class Placed:
    """One picture of a hand with the two ends that were measured, (2, 2) px, and how they were found."""

    name: str
    image: Image
    ends_px: Array
    found_by: str


@dataclass(frozen=True, eq=False)
class PalmReport:
    """A player's hand with the pictures it was measured on."""

    player: str
    hand: Hand | None
    palm: Palm
    placed: tuple[Placed, ...]

    def lines(self) -> list[Text]:
        """The report for a person."""
        palm = self.palm
        lines = [
            Text(
                "palm.placement",
                {"name": one.name, "cm": span.cm, "sd": span.sd_cm, "by": Text(f"palm.by.{one.found_by}")},
            )
            for one, span in zip(self.placed, palm.spans, strict=True)
        ]
        values: dict[str, float | int | str | Text] = {
            "player": self.player,
            "cm": palm.cm,
            "sd": palm.sd_cm,
            "n": len(palm.spans),
        }
        if self.hand is not None:
            lines.append(Text(f"palm.hand.{self.hand}"))
        lines.append(Text(f"palm.result.{palm.kind}", values))
        return lines if len(palm.spans) >= ENOUGH else [*lines, Text("palm.more", {"n": ENOUGH})]

    def to_json(self) -> dict[str, Any]:
        """The report for a program."""
        return {
            "player": self.player,
            "hand": self.hand,
            "kind": self.palm.kind,
            "cm": self.palm.cm,
            "sd_cm": self.palm.sd_cm,
            "scatter_cm": self.palm.scatter_cm,
            "placements": [
                {
                    "name": one.name,
                    "cm": span.cm,
                    "sd_cm": span.sd_cm,
                    "ends_px": one.ends_px.tolist(),
                    "by": one.found_by,
                }
                for one, span in zip(self.placed, self.palm.spans, strict=True)
            ],
        }

    def keys(self) -> dict[str, str]:
        """What is written into the player's table of the event file."""
        return palm_keys(self.palm)

    def picture(self, lang: str) -> Image:
        """Every placement with its two ends and its length, below each other."""
        return stacked(
            [_drawn(one, span.cm, lang) for one, span in zip(self.placed, self.palm.spans, strict=True)]
        )


def palm_keys(palm: Palm) -> dict[str, str]:
    """A hand as the player's table of the event file has it."""
    if palm.kind == "closed":
        return {"half_palm_cm": f"{palm.cm:.2f}"}
    return {"palm_cm": f"{palm.cm:.2f}", "palm_sd_cm": f"{max(_LEAST_SD_CM, palm.sd_cm):.2f}"}


def _drawn(placed: Placed, cm: float, lang: str) -> Image:
    """The hand cut out of its picture, as wide as all others, with the length that was measured."""
    reach = _AROUND * float(np.linalg.norm(placed.ends_px[0] - placed.ends_px[1]))
    height, width = placed.image.shape[:2]
    middle = np.clip(placed.ends_px.mean(axis=0), 0, [width - 1, height - 1])
    low = np.maximum(np.floor(middle - reach), 0).astype(int)
    high = np.minimum(np.ceil(middle + reach) + 1, [width, height]).astype(int)
    view = shrunk(placed.image[low[1] : high[1], low[0] : high[0]].copy(), _WIDTH_PX)
    ends = [_px((end - low) * _WIDTH_PX / (high[0] - low[0])) for end in placed.ends_px]
    cv2.line(view, ends[0], ends[1], PAPER, 4, cv2.LINE_AA)
    cv2.line(view, ends[0], ends[1], MAGENTA, 2, cv2.LINE_AA)
    for end in ends:
        cv2.drawMarker(view, end, MAGENTA, cv2.MARKER_CROSS, 22, 2, cv2.LINE_AA)
    write_on_plate(view, f"{placed.name}: {number(cm, 2, lang)} cm", (8, 8), 18, PAPER, INK)
    return view


def _px(point: Array) -> tuple[int, int]:
    return round(float(point[0])), round(float(point[1]))
