"""How much each kind of evidence about a turn is worth: `python -m datasets.turning`.

Modelled figures (those of `datasets.modelled`, other seeds) are turned anyhow. For every turn of the circle
it is written down what the silhouettes leave unexplained, what the shading says, how much it looks like a
front, and for the likeliest turns what the carry says. The weights with which the right turns become
most probable (conditional logit: McFadden 1974), and how wide the sd must be to hold 95 % of the errors,
are written to turn_weights.json for `vision.measuring.likelihood`.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np
from scipy.optimize import minimize

from datasets.modelled import Scene, scene
from vision.fighters import FighterClass
from vision.measuring.carry import carried_costs
from vision.measuring.experience import Experience
from vision.measuring.facing import Known, is_open, scanned
from vision.measuring.likelihood import (
    Mode,
    Scan,
    Weights,
    fitted,
    judged_by_carry,
    modes,
    probabilities,
    wrap,
)
from vision.measuring.matte import soft_matte
from vision.measuring.registration import Array, FragmentView
from vision.measuring.silhouette import SHARE_OF_HEIGHT, Silhouette

_KINDS: tuple[FighterClass, ...] = ("humanoid", "beast", "absurd")
# A mode this near to the true turn is the right one, and a carry's cost belongs to modes this near.
_RIGHT_DEG = 45.0
# No turn is taken for less probable than this, so that one odd figure does not decide everything.
_LEAST_SHARE = 1e-3
# A pull towards small weights, so that few figures do not make anything sure.
_RIDGE = 2e-4
# Spread over the circle whatever the evidence: it cannot be fitted where no figure breaks the rules.
_STRAY = 0.003


@dataclass(frozen=True, eq=False)
class Sample:
    """A turn with everything that speaks about it: `carried` are the costs of the turns in `tried_deg`."""

    true_deg: float
    oblique: bool
    scan: Scan
    tried_deg: tuple[float, ...]
    carried: tuple[float, ...] | None


def main(arguments: Sequence[str] | None = None) -> int:
    """Turn the figures, fit the weights and write them."""
    parser = argparse.ArgumentParser(prog="python -m datasets.turning", description=__doc__)
    parser.add_argument("--figures", type=int, default=30, help="of each class obliquely, a third from above")
    parser.add_argument("--seed", type=int, default=7100, help="other figures, cameras, clicks")
    parser.add_argument("--out", type=Path, default=Path("out"), help="folder for turn_weights.json")
    options = parser.parse_args(arguments)
    found: list[Sample] = []
    for kind in _KINDS:
        for oblique in (True, False):
            for number in range(options.figures if oblique else options.figures // 3):
                print(f"\r{kind}: figure {number + 1}   ", end="", file=sys.stderr)
                found += samples(scene(kind, oblique, [options.seed, number], seen_carried=True), oblique)
    options.out.mkdir(parents=True, exist_ok=True)
    made = f"python -m datasets.turning --figures {options.figures} --seed {options.seed}"
    (options.out / "turn_weights.json").write_text(as_json(fit(found), found, made), encoding="utf-8")
    return 0


def samples(staged: Scene, oblique: bool) -> list[Sample]:
    """Every turn from one fragment of a scene to the next, the facing before it known."""
    camera, spec = staged.calibration.camera, staged.spec
    experience = Experience(camera, spec.height_cm, spec.kind)
    views = []
    for fragment, _ in staged.fragments:
        silhouette = Silhouette(fragment.origin, soft_matte(fragment.mean, fragment.support, None))
        middle = silhouette.steady_centroid.reshape(1, 2)
        axis = camera.to_plane(middle, SHARE_OF_HEIGHT * spec.height_cm)[0]
        views.append(FragmentView(fragment.origin, silhouette.alpha, None, axis, fragment.mean))
    found = []
    for i in range(1, len(views)):
        fragment, here = staged.fragments[i]
        facing = staged.fragments[i - 1][1].facing_deg
        known = [Known(views[i - 1], facing)]
        scan = scanned(known, views[i], camera, spec.height_cm, experience, everywhere=True)
        tried = modes(probabilities(scan, fitted()), 1.0)
        carried = None
        if fragment.carry is not None:
            first = fragment.first
            carried = carried_costs(
                tried, views[i - 1], views[i], fragment.carry, first, camera, spec.height_cm
            )
        turns = tuple(mode.turn_deg for mode in tried)
        costs = None if carried is None else tuple(carried)
        found.append(Sample(wrap(here.facing_deg - facing), oblique, scan, turns, costs))
    return found


def fit(found: Sequence[Sample]) -> Weights:
    """The weights under which the right turns are most probable, and the width that holds 95 % of them."""

    def loss(values: Array) -> float:
        weights = _weights(values)
        unlikely = [-np.log(max(_right_share(one, weights), _LEAST_SHARE)) for one in found]
        return float(np.mean(unlikely)) + _RIDGE * float(np.square(values).sum())

    start = np.array([5.0, 2.0, 1.0, 2.0])
    best = minimize(loss, start, method="Nelder-Mead", options={"xatol": 0.03, "fatol": 1e-4, "maxiter": 150})
    weights = _weights(best.x)
    called = [(one, found_) for one in found if not is_open(found_ := judged(one, weights))]
    beyond = [abs(wrap(m[0].turn_deg - one.true_deg)) / m[0].sd_deg for one, m in called]
    near = [z for (one, m), z in zip(called, beyond, strict=True) if z * m[0].sd_deg < _RIGHT_DEG]
    return replace(weights, width=float(np.quantile(near, 0.95) / 1.96))


def judged(one: Sample, weights: Weights) -> list[Mode]:
    """The modes of a sample by all the evidence, the likeliest first."""
    found = modes(probabilities(one.scan, weights), weights.width)
    if one.carried is None or not is_open(found):
        return found
    costs = [_cost(one, mode.turn_deg) for mode in found]
    return found if np.isinf(costs).all() else judged_by_carry(found, costs, weights)


def as_json(weights: Weights, found: Sequence[Sample], made: str) -> str:
    """The weights as the file has them, with what they were made of and how they did."""
    ways = [judged(one, weights) for one in found]
    wrong = [
        abs(wrap(way[0].turn_deg - one.true_deg)) > _RIGHT_DEG for one, way in zip(found, ways, strict=True)
    ]
    told = {
        "made": made,
        "turns": len(found),
        "assumed": sum(map(is_open, ways)),
        "wrong": sum(wrong),
        "wrong_expected": round(float(sum(1 - way[0].share for way in ways)), 2),
        "wrong_not_assumed": sum(bad and not is_open(way) for bad, way in zip(wrong, ways, strict=True)),
        "weights": {key: round(value, 4) for key, value in asdict(weights).items()},
    }
    return json.dumps(told, indent=2) + "\n"


def _weights(values: Array) -> Weights:
    misfit, shading, front, carry = (abs(float(value)) for value in values)
    return Weights(misfit, 0.002, shading, front, carry, 0.003, _STRAY, 1.0)


def _right_share(one: Sample, weights: Weights) -> float:
    near = [m.share for m in judged(one, weights) if abs(wrap(m.turn_deg - one.true_deg)) <= _RIGHT_DEG]
    return max(near, default=0.0)


def _cost(one: Sample, turn_deg: float) -> float:
    """What the carry left unexplained of the tried turn next to this one."""
    assert one.carried is not None
    away = [abs(wrap(turn - turn_deg)) for turn in one.tried_deg]
    nearest = int(np.argmin(away))
    return one.carried[nearest] if away[nearest] <= _RIGHT_DEG else np.inf


if __name__ == "__main__":
    sys.exit(main())
