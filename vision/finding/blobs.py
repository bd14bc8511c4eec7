"""Blobs: patches of one fighter's colour, and the gates that say why a patch is not the fighter.

All sizes are in centimetres; a refused patch is noted with the gate that refused it and its numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Bytes, Floats
from vision.finding.region import Rect

Contour = NDArray[Any]

# Pieces of one figure (cut by a rope, a finger, a shine) lie this close together, in cm.
_JOIN_CM = 1.2
# A piece smaller than this is speckle, in cm2.
_SPECK_CM2 = 0.12


@dataclass(frozen=True)
class Refusal:
    """Why a patch was not taken for a fighter: the gate's name and its numbers."""

    fighter: str
    gate: str
    numbers: dict[str, float]


@dataclass(frozen=True, eq=False)
class Blob:
    """One figure's visible pixels: mask (h, w) of 0 and 1 whose upper left pixel is origin (u, v)."""

    origin: tuple[int, int]
    mask: Bytes
    area_px: int
    centroid: Floats

    @property
    def rect(self) -> Rect:
        """The bounding box u0, v0, u1, v1 (half open)."""
        u, v = self.origin
        return u, v, u + self.mask.shape[1], v + self.mask.shape[0]

    @classmethod
    def of(cls, mask: Bytes, origin: tuple[int, int]) -> Blob | None:
        """The blob of a mask (h, w) of 0 and 1 at an origin; None when it is empty."""
        u, v, w, h = cv2.boundingRect(mask)
        if w == 0:
            return None
        tight = np.ascontiguousarray(mask[v : v + h, u : u + w])
        moments = cv2.moments(tight, binaryImage=True)
        area = moments["m00"]
        corner = (origin[0] + u, origin[1] + v)
        centroid = np.array([moments["m10"] / area + corner[0], moments["m01"] / area + corner[1]])
        return cls(corner, tight, int(area), centroid)

    def pixels(self) -> Floats:
        """Its pixels (N, 2) in the picture."""
        rows, columns = np.nonzero(self.mask)
        return np.column_stack([columns, rows]).astype(np.float64) + np.asarray(self.origin, np.float64)

    def placed_in(self, rect: Rect) -> Bytes:
        """This mask drawn into a box u0, v0, u1, v1 (parts outside are cut off)."""
        u0, v0, u1, v1 = rect
        out = np.zeros((v1 - v0, u1 - u0), np.uint8)
        a, b, c, d = self.rect
        left, top, right, bottom = max(a, u0), max(b, v0), min(c, u1), min(d, v1)
        if left < right and top < bottom:
            out[top - v0 : bottom - v0, left - u0 : right - u0] = self.mask[
                top - b : bottom - b, left - a : right - a
            ]
        return out


def find_blobs(mask: Bytes, origin: tuple[int, int], px_per_cm: float) -> list[Blob]:
    """The figures' blobs in a mask (h, w) of one colour, largest first.

    External contours only (holes are shine); near pieces are joined into one blob.
    """
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    pieces = [c for c in contours if len(c) > 2 and cv2.contourArea(c) > _SPECK_CM2 * px_per_cm**2]
    blobs = [_filled(group, origin) for group in _grouped(pieces, _JOIN_CM * px_per_cm)]
    return sorted(blobs, key=lambda blob: -blob.area_px)


def _filled(pieces: list[Contour], origin: tuple[int, int]) -> Blob:
    u, v, w, h = cv2.boundingRect(np.concatenate(pieces))
    mask = np.zeros((h, w), np.uint8)
    cv2.drawContours(mask, pieces, -1, 1, cv2.FILLED, offset=(-u, -v))
    blob = Blob.of(mask, (origin[0] + u, origin[1] + v))
    assert blob is not None
    return blob


def _grouped(pieces: list[Contour], reach: float) -> list[list[Contour]]:
    """Pieces whose boxes come closer than `reach` to a larger piece's, group by group."""
    order = sorted(pieces, key=cv2.contourArea, reverse=True)
    groups: list[list[Contour]] = []
    boxes: list[tuple[int, int, int, int]] = []
    for piece in order:
        u, v, w, h = cv2.boundingRect(piece)
        for i, (a, b, c, d) in enumerate(boxes):
            if u < c + reach and a < u + w + reach and v < d + reach and b < v + h + reach:
                groups[i].append(piece)
                break
        else:
            groups.append([piece])
            boxes.append((u, v, u + w, v + h))
    return groups
