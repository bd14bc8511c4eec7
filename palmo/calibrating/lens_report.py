"""What is said of a lens: what was used, how good it is in pixels, millimetres and palms, and the numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from calibration.boards import Board
from calibration.intrinsics import INTRINSIC_NAMES, Intrinsics
from calibration.lens_check import RING_CM, LensCheck, check_lens, widened_lens
from calibration.lens_cover import Coverage, covered
from calibration.lens_fit import FEWEST_VIEWS, LensFit, fit_lens
from calibration.projection import tangents
from palmo.calibrating.views import Collected
from palmo.errors import SaidError
from rules.text import Text, listed

# The hand that millimetres are also said in: a usual one, until a player's own is known.
USUAL_PALM_CM = 20.0
# So many names of pictures are said for one reason; the rest are counted.
_NAMED = 6


@dataclass(frozen=True, eq=False)
class LensReport:
    """A lens with its check, its coverage and what was not used."""

    fit: LensFit
    check: LensCheck
    coverage: Coverage
    collected: Collected
    palm_cm: float = USUAL_PALM_CM

    @property
    def lens(self) -> Intrinsics:
        """The lens, with error bars as wide as its check found them."""
        return widened_lens(self.fit, self.check)

    @property
    def palms(self) -> float:
        """The error in palms."""
        return self.check.worst_mm / (10 * self.palm_cm)

    @property
    def across_deg(self) -> float:
        """How many degrees the picture shows from left to right."""
        return _across_deg(self.fit.intrinsics)

    def lines(self) -> list[Text]:
        """The report for a person."""
        fit, coverage = self.fit, self.coverage
        width, height = fit.intrinsics.size
        matrix = fit.intrinsics.K
        corners = sum(len(view.residual_px) for view in fit.views)
        lines = [
            Text("lens.picture", {"width": width, "height": height}),
            Text("lens.used", {"n": len(fit.views), "corners": corners}),
            *self._left_out(),
            Text("lens.coverage", {"percent": 100 * coverage.share}),
            *(Text("lens.advice", {"what": one}) for one in advice(coverage)),
            Text("lens.focal", {"focal": float(matrix[0, 0]), "sd": self._sd("fx"), "deg": self.across_deg}),
            Text("lens.residual", {"px": fit.rms_px, "noise": fit.noise_px}),
        ]
        if self.check.halves_mm is None:
            lines.append(Text("lens.no_halves"))
        else:
            lines.append(Text("lens.halves", {"mm": self.check.halves_mm}))
        values = {"mm": self.check.worst_mm, "palms": self.palms, "palm": self.palm_cm, "ring": RING_CM}
        return [*lines, Text(f"lens.verdict.{self.check.verdict}", dict(values))]

    def to_json(self) -> dict[str, Any]:
        """The report for a program."""
        lens = self.lens
        assert lens.covariance is not None
        return {
            "size": list(lens.size),
            "K": lens.K.tolist(),
            "model": "fisheye" if lens.wide else "plain",
            "dist": _dist(lens).tolist(),
            "covariance_of": list(lens.names),
            "covariance": lens.covariance[: len(lens.names), : len(lens.names)].tolist(),
            "across_deg": self.across_deg,
            "rms_px": self.fit.rms_px,
            "noise_px": self.fit.noise_px,
            "views": [
                {"name": one.view.name, "corners": len(one.residual_px), "rms_px": one.rms_px}
                for one in self.fit.views
            ],
            "not_used": [
                *({"name": one.name, "why": one.why} for one in self.collected.not_used),
                *({"name": one.view.name, "why": "outlier", "rms_px": one.rms_px} for one in self.fit.odd),
            ],
            "counts": dict(self.collected.counts),
            "coverage": {
                "share": self.coverage.share,
                "empty": list(self.coverage.empty),
                "leans_deg": list(self.coverage.leans_deg),
                "missing_leans": list(self.coverage.missing_leans),
            },
            "expected_mm": self.check.expected_mm,
            "halves_mm": self.check.halves_mm,
            "worst_mm": self.check.worst_mm,
            "worst_palms": self.palms,
            "palm_cm": self.palm_cm,
            "verdict": str(self.check.verdict),
        }

    def block(self) -> list[str]:
        """The keys of the event file's [camera], a line each."""
        return camera_block(self.lens)

    def _left_out(self) -> list[Text]:
        by_reason: dict[str, list[str]] = {}
        for one in self.collected.not_used:
            by_reason.setdefault(one.why, []).append(one.name)
        lines = [
            Text(
                "lens.not_used",
                {"n": self.collected.counts[why], "why": reason_text(why), "names": _some(names)},
            )
            for why, names in by_reason.items()
        ]
        for odd in self.fit.odd:
            lines.append(Text("lens.odd", {"name": odd.view.name, "px": odd.rms_px}))
        return lines

    def _sd(self, name: str) -> float:
        lens = self.lens
        assert lens.covariance is not None
        place = INTRINSIC_NAMES.index(name)
        return float(np.sqrt(lens.covariance[place, place]))


def lens_report(collected: Collected, board: Board, *, wide: bool, keep_all: bool) -> LensReport:
    """Fit and judge. Raises CalibrationError or PalmoError when the views do not fix a lens."""
    if len(collected.views) < FEWEST_VIEWS and collected.counts:
        counts = collected.counts.most_common()
        why = listed([Text("lens.count", {"n": n, "why": reason_text(reason)}) for reason, n in counts])
        raise SaidError("error.lens.few_why", n=len(collected.views), fewest=FEWEST_VIEWS, why=why)
    fit = fit_lens(collected.views, board, wide=wide, keep_all=keep_all)
    coverage = covered([one.view for one in fit.views], [one.lean for one in fit.views])
    return LensReport(fit, check_lens(fit, board, coverage, wide=wide), coverage, collected)


def advice(coverage: Coverage) -> list[Text]:
    """What to show the camera next, most useful first."""
    said = [Text(f"lens.lean.{lean}") for lean in coverage.missing_leans]
    if coverage.empty:
        parts = Text("lens.empty", {"where": listed([Text(f"lens.part.{part}") for part in coverage.empty])})
        said.append(parts)
    return said


def reason_text(why: str) -> Text:
    """Why a picture is not used."""
    return Text(f"lens.why.{why}")


def camera_block(lens: Intrinsics) -> list[str]:
    """The keys of [camera] for a lens, a line each."""
    rows = ", ".join(_row(row, ".10g") for row in lens.K)
    lines = ['model = "fisheye"'] if lens.wide else []
    lines += [
        f"K = [{rows}]",
        f"dist = {_row(_dist(lens), '.8g')}",
        f"size = [{lens.size[0]}, {lens.size[1]}]",
    ]
    if lens.covariance is not None:
        known = lens.covariance[: len(lens.names), : len(lens.names)]
        lines += ["covariance = [", *(f"    {_row(row, '.9g')}," for row in known), "]"]
    return lines


def _dist(lens: Intrinsics) -> np.ndarray[Any, np.dtype[np.float64]]:
    """The numbers of a lens' own model."""
    return lens.dist[: len(lens.names) - 4]


def _row(values: Sequence[float] | np.ndarray[Any, np.dtype[np.float64]], spec: str) -> str:
    """Numbers as TOML reads them: always with a point or an exponent."""
    return "[" + ", ".join(_toml(format(float(value), spec)) for value in values) + "]"


def _toml(digits: str) -> str:
    return digits if any(c in digits for c in ".e") else f"{digits}.0"


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:_NAMED]) + (", ..." if len(names) > _NAMED else "")


def _across_deg(lens: Intrinsics) -> float:
    ends = np.array([[0.0, lens.K[1, 2]], [lens.size[0] - 1.0, lens.K[1, 2]]])
    left, right = tangents(ends, lens.K, lens.dist, wide=lens.wide)[:, 0]
    return float(np.degrees(np.arctan(right) - np.arctan(left)))
