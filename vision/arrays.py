"""The arrays that pass through vision, and the one place where OpenCV's loose types are pinned down."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from av.video.frame import VideoFrame

Bytes = NDArray[np.uint8]
Floats = NDArray[np.float64]
Image = NDArray[np.uint8]
Mask = NDArray[np.bool_]


def as_bytes(array: Any) -> Bytes:
    """An array as uint8, without a copy when it is."""
    return np.asarray(array, dtype=np.uint8)


def decoded(frame: VideoFrame) -> Image:
    """A picture that FFmpeg has decoded, (H, W, 3) BGR."""
    # On one thread: PyAV would start several for every picture, which costs more than what they do.
    return as_bytes(frame.to_ndarray(format="bgr24", threads=1))


def equals(labels: Bytes, label: int) -> Bytes:
    """255 where `labels` (H, W) is `label`, else 0."""
    return as_bytes(cv2.inRange(labels, (label,), (label,)))


def dilated(mask: Bytes, radius: int) -> Bytes:
    """A mask (H, W) grown by a square of `radius` pixels."""
    size = 2 * radius + 1
    return as_bytes(cv2.dilate(mask, np.ones((size, size), np.uint8)))


def opened(mask: Bytes, size: int = 3) -> Bytes:
    """A mask (H, W) without its parts thinner than `size` pixels."""
    return as_bytes(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((size, size), np.uint8)))
