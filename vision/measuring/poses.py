"""Where a figure stood during a fragment, as measured."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.tracks import FacingSource, Posture


@dataclass(frozen=True, eq=False)
class FragmentPose:
    """The measured pose of a figure over one fragment.

    `xy` (2,) in ring cm is the ground point, `covariance` (2, 2) in cm^2 its total covariance;
    `facing_margin` is how much more probable the chosen facing is than the best one over 60 degrees away
    (0-1; None when nothing was registered); `outline` (N, 2) in cm is the plan view. `error` splits
    the covariance by source, because what two fragments share cancels in a move.
    """

    fragment: int
    xy: NDArray[np.float64]
    covariance: NDArray[np.float64]
    facing_deg: float
    facing_sd_deg: float
    facing_source: FacingSource
    facing_margin: float | None
    posture: Posture
    outline: NDArray[np.float64]
    error: dict[str, Any] = field(default_factory=dict)
