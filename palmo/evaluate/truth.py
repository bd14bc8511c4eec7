"""Reading `truth.json`: where every fighter really was."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from shapely.geometry import Polygon

from palmo.errors import SaidError, reason

Array = NDArray[np.float64]
# An hour of eight fighters, ten times a second, takes 31 MB.
_MOST_BYTES = 200_000_000


class TruthError(SaidError):
    """A truth file that cannot be used: one sentence."""


@dataclass(frozen=True)
class TruePose:
    """Where a fighter really was: ground point in cm, facing in degrees, lift of its sole in cm.

    `near_hand`: a hand is on it, coming or going; `held`: the hand holds it.
    """

    x: float
    y: float
    facing_deg: float
    lift_cm: float
    near_hand: bool
    held: bool
    lying: bool

    @property
    def still(self) -> bool:
        """Nobody's hand is near and it touches the table."""
        return not self.near_hand and self.lift_cm < 0.05


@dataclass(frozen=True, eq=False)
class Shape:
    """A fighter's true plan view (N, 2) in cm about its ground point, front along +x; standing and lying."""

    standing: Array
    lying: Array | None

    def outline(self, pose: TruePose) -> Polygon:
        """The true plan view on the table."""
        hull = self.lying if pose.lying and self.lying is not None else self.standing
        angle = np.radians(pose.facing_deg)
        turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
        return Polygon(hull @ turn + (pose.x, pose.y))


@dataclass(frozen=True)
class Truth:
    """A whole clip: per frame its time in seconds and all poses."""

    times: tuple[float, ...]
    frames: tuple[dict[str, TruePose], ...]
    shapes: dict[str, Shape]


def load_truth(path: Path) -> Truth:
    """Read a truth file. Raises TruthError."""
    data = _read(path)
    if not isinstance(data, dict) or not data.get("frames") or not data.get("fighters"):
        raise TruthError("error.truth.shape", path=path)
    try:
        return Truth(
            times=tuple(float(frame["t"]) for frame in data["frames"]),
            frames=tuple({id_: _pose(f) for id_, f in frame["fighters"].items()} for frame in data["frames"]),
            shapes={id_: _shape(fighter) for id_, fighter in data["fighters"].items()},
        )
    except KeyError as error:
        raise TruthError("error.truth.missing", path=path, key=str(error.args[0])) from None
    except (TypeError, ValueError, AttributeError, OverflowError):
        raise TruthError("error.truth.kind", path=path) from None


def _read(path: Path) -> Any:
    try:
        with path.open("rb") as file:
            raw = file.read(_MOST_BYTES + 1)
        if len(raw) > _MOST_BYTES:
            raise TruthError("error.truth.large", path=path, megabytes=_MOST_BYTES // 1_000_000)
        return json.loads(raw.decode("utf-8-sig"), parse_constant=_no_number)
    except OSError as error:
        raise TruthError("error.truth.unread", path=path, why=reason(error)) from None
    except json.JSONDecodeError as error:
        raise TruthError("error.truth.json", path=path, line=error.lineno) from None
    except RecursionError:
        raise TruthError("error.truth.deep", path=path) from None
    except _NoNumberError as error:
        raise TruthError("error.truth.no_number", path=path, name=str(error)) from None
    except UnicodeDecodeError:
        raise TruthError("error.truth.text", path=path) from None
    except ValueError:
        # What Python does not read as a number: one of thousands of digits.
        raise TruthError("error.truth.digits", path=path) from None


class _NoNumberError(ValueError):
    """NaN or Infinity, which JSON does not know."""


def _no_number(name: str) -> None:
    raise _NoNumberError(name)


def _pose(entry: dict[str, Any]) -> TruePose:
    return TruePose(
        x=float(entry["x"]),
        y=float(entry["y"]),
        facing_deg=float(entry["facing_deg"]),
        lift_cm=float(entry["lift_cm"]),
        near_hand=bool(entry["hand"]),
        held=bool(entry["hand_on"]),
        lying=bool(entry.get("lying", False)),
    )


def _shape(fighter: dict[str, Any]) -> Shape:
    lying = fighter.get("lying_plan_hull")
    return Shape(
        standing=_hull(fighter["plan_hull"], fighter["sole_centroid"]),
        lying=None if lying is None else _hull(lying, fighter["lying_centroid"]),
    )


def _hull(points: Any, middle: Any) -> Array:
    """An outline (N, 2) about its middle. Raises TypeError or ValueError for anything else."""
    hull: Array = np.asarray(points, float) - np.asarray(middle, float)
    if hull.ndim != 2 or hull.shape[0] < 3 or hull.shape[1] != 2 or not np.isfinite(hull).all():
        raise ValueError("an outline")
    return hull
