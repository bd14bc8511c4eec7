"""Where pictures come from: a file, a folder, a camera or a stream, behind one contract."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Frame:
    """A picture (H, W, 3) BGR uint8 with its number from 0 and its own time stamp t in seconds.

    gap is True on the first picture after a break in the source: what happened in between was not seen.
    """

    index: int
    t: float
    image: NDArray[np.uint8]
    gap: bool = False
