"""Whether the camera still stands where it was calibrated: one picture against the calibrated one.

Patches on posts, corners and mat edges are found again together, by one affine shift of the whole picture
(Lucas and Kanade 1981, over all patches at once): an edge alone says nothing along itself, and a hand in
front of some patches takes their weight away and moves nothing. Patches are compared without their
brightness and contrast, so that a change of light is no movement.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Array
from calibration.guard_sites import Sites, choose_sites, detail_of, normalised, read_patches, smoothed
from calibration.result import RingCalibration

Grey = NDArray[np.float32]

_ROUNDS = 12
_SETTLED_PX = 0.03
_SEEN = 0.8  # correlation at which a patch is what it was
_FAINT, _PLAIN = 0.35, 0.85  # correlations at which a patch begins to count and counts in full
_DOUBT_PX = 0.7  # beyond this, or with fewer patches, the neighbourhood is searched as well
_DOUBT_SHARE = 0.6
_REACH = 12  # steps of the search
_COARSE = 6  # the coarse search has steps of so many px
_RIDGE = 1e-3
_AGREE_PX, _AGREE_SHARE = 0.5, 0.25  # both halves of the patches must say the same
_LEAST_FOR_HALVES = 10
_LEAST_IN_QUARTER, _LEAST_QUARTERS = 3, 3


@dataclass(frozen=True)
class Look:
    """What one picture says.

    shift_px is how far the ring's features are from where they were (rms over those that are seen), zoom
    by what factor the picture has grown, seen the share of features found again there, in_place the share
    found where they were; both_agree says whether each half of the features, alone, tells the same shift.
    gain (3,) is the brightness now against then in blue, green and red; detail the fine structure now
    against then (below 1: out of focus).
    """

    shift_px: float
    zoom: float
    seen: float
    in_place: float
    both_agree: bool
    gain: tuple[float, float, float]
    detail: float


class ReferenceView:
    """The calibrated picture as the guard remembers it."""

    def __init__(self, sites: Sites, image: NDArray[np.uint8]) -> None:
        self._sites = sites
        self._size = image.shape[:2]
        middle = sites.places.mean(axis=0)
        self._scale = float(np.abs(sites.places - middle).max())
        self._shifts = _shifts((sites.places - middle) / self._scale)
        self._by_motion = np.einsum("nmk,nkp->nmp", sites.gradient, self._shifts)
        self._hessians = np.einsum("nmp,nmq->npq", self._by_motion, self._by_motion)
        self._colours = self._colours_at(image, np.zeros(6))
        self._detail = detail_of(sites.values)
        self._templates = _templates(sites, image, 1), _templates(sites, image, _COARSE)

    @classmethod
    def of(cls, image: NDArray[np.uint8], calibration: RingCalibration) -> Self | None:
        """Remember a calibrated BGR picture; None when too little of the ring is in it to watch."""
        sites = choose_sites(image, calibration)
        return None if sites is None else cls(sites, image)

    def look(self, image: NDArray[np.uint8]) -> Look:
        """Compare a BGR picture of the same size. Raises ValueError for another size."""
        if image.shape[:2] != self._size:
            raise ValueError("a picture of another size than the calibrated one")
        grey = smoothed(image)
        every = np.ones(len(self._sites), dtype=np.bool_)
        in_place = float((self._likeness(self._read(grey, np.zeros(6))) > _SEEN).mean())
        motion, values = self._settled(grey, np.zeros(6), every)
        seen = self._likeness(values) > _SEEN
        if self._shift(motion, seen) > _DOUBT_PX or seen.mean() < _DOUBT_SHARE:
            for start in self._searched(image):
                other, others = self._settled(grey, start, every)
                if _total(self._likeness(others)) > _total(self._likeness(values)):
                    motion, values = other, others
        seen = self._likeness(values) > _SEEN
        shift = self._shift(motion, seen)
        gain, detail = np.ones(3), 1.0
        if seen.any():
            colours = self._colours_at(image, motion)
            gain = np.median((colours[seen] + 1.0) / (self._colours[seen] + 1.0), axis=0)
            detail = float(np.median(detail_of(values[seen]) / self._detail[seen]))
        return Look(
            shift_px=shift,
            zoom=float(1.0 + (motion[2] + motion[5]) / (2 * self._scale)),
            seen=float(seen.mean()),
            in_place=in_place,
            both_agree=shift <= _DOUBT_PX or self._halves_agree(grey, motion, seen, shift),
            gain=(float(gain[0]), float(gain[1]), float(gain[2])),
            detail=detail,
        )

    # One affine motion for all patches -----------------------------------------------------------------

    def _settled(self, grey: Grey, start: Array, use: NDArray[np.bool_]) -> tuple[Array, Array]:
        """The motion from a start on, and the normalised patches (N, M) there."""
        motion, values = start, self._read(grey, start)
        for _ in range(_ROUNDS):
            weight = use * np.clip((self._likeness(values) - _FAINT) / (_PLAIN - _FAINT), 0.0, 1.0)
            pull = np.einsum("nmp,nm->np", self._by_motion, self._sites.values - values)
            hessian = np.einsum("n,npq->pq", weight, self._hessians)
            ridge = _RIDGE * float(np.trace(hessian)) + 1e-9
            step = np.linalg.solve(hessian + ridge * np.eye(6), weight @ pull)
            motion = motion + step
            values = self._read(grey, motion)
            if np.abs(step).max() < _SETTLED_PX:
                break
        return motion, values

    def _read(self, grey: Grey, motion: Array) -> Array:
        return normalised(read_patches(grey, self._sites.places + self._shifts @ motion, self._sites.offsets))

    def _likeness(self, values: Array) -> Array:
        """Every patch's correlation with what it was, (N,)."""
        return np.asarray((values * self._sites.values).mean(axis=1), dtype=np.float64)

    def _colours_at(self, image: NDArray[np.uint8], motion: Array) -> Array:
        places = self._sites.places + self._shifts @ motion
        return np.asarray(read_patches(image, places, self._sites.offsets).mean(axis=1), dtype=np.float64)

    def _shift(self, motion: Array, seen: NDArray[np.bool_]) -> float:
        moved = (self._shifts @ motion)[seen]
        return float(np.sqrt(np.square(moved).sum(axis=1).mean())) if len(moved) else 0.0

    def _halves_agree(self, grey: Grey, motion: Array, seen: NDArray[np.bool_], shift: float) -> bool:
        chosen = np.nonzero(seen)[0]
        if len(chosen) < _LEAST_FOR_HALVES:
            return False
        for half in (chosen[::2], chosen[1::2]):
            use = np.zeros(len(seen), dtype=np.bool_)
            use[half] = True
            other, _ = self._settled(grey, motion, use)
            if self._shift(other - motion, seen) > max(_AGREE_PX, _AGREE_SHARE * shift):
                return False
        return True

    # Searching further away -----------------------------------------------------------------------------

    def _searched(self, image: NDArray[np.uint8]) -> list[Array]:
        """Motions that most patches vote for: near by, and far away on a small picture.

        All vote for one shift; and each quarter of the ring for its own, which is how a turn or a zoom looks.
        """
        starts = []
        for templates, step in zip(self._templates, (1, _COARSE), strict=True):
            votes = _votes(image, self._sites, templates, step)
            starts.append(np.concatenate([_most(votes, step), np.zeros(4)]))
            quarter = self._quarters()
            known = [one for one in range(4) if (quarter == one).sum() >= _LEAST_IN_QUARTER]
            if len(known) < _LEAST_QUARTERS:
                continue
            rows = np.concatenate([self._shifts[quarter == one].mean(axis=0) for one in known])
            shifts = np.concatenate([_most(votes[quarter == one], step) for one in known])
            starts.append(np.linalg.lstsq(rows, shifts, rcond=None)[0])
        return starts

    def _quarters(self) -> NDArray[np.intp]:
        """Which quarter of the picture around the ring's middle every site is in, (N,)."""
        x, y = self._shifts[:, 0, 2], self._shifts[:, 0, 3]
        return np.asarray(2 * (x > 0) + (y > 0), dtype=np.intp)


def _shifts(places: Array) -> Array:
    """(N, 2, 6): the shift of places (N, 2) by a motion: at the middle, and how it changes along u and v."""
    x, y = places.T
    one, zero = np.ones_like(x), np.zeros_like(x)
    along_u = np.stack([one, zero, x, y, zero, zero], axis=-1)
    along_v = np.stack([zero, one, zero, zero, x, y], axis=-1)
    return np.stack([along_u, along_v], axis=1)


def _total(likeness: Array) -> float:
    return float(np.clip(likeness - _FAINT, 0.0, None).sum())


def _small(image: NDArray[np.uint8], step: int) -> NDArray[np.uint8]:
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    if step == 1:
        return np.asarray(grey, dtype=np.uint8)
    size = (image.shape[1] // step, image.shape[0] // step)
    return np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def _templates(sites: Sites, image: NDArray[np.uint8], step: int) -> list[NDArray[np.uint8]]:
    """Every site's patch as it is searched for, on a picture with steps of so many px."""
    grey, half = _small(image, step), sites.half if step == 1 else max(4, 2 * sites.half // step)
    padded = cv2.copyMakeBorder(grey, half, half, half, half, cv2.BORDER_REPLICATE)
    places = np.round(sites.places / step).astype(int)
    return [np.asarray(padded[v : v + 2 * half + 1, u : u + 2 * half + 1], np.uint8) for u, v in places]


def _votes(image: NDArray[np.uint8], sites: Sites, templates: list[NDArray[np.uint8]], step: int) -> Array:
    """How well every patch fits at every shift of up to _REACH steps, (N, 2 _REACH + 1, 2 _REACH + 1)."""
    grey, half = _small(image, step), len(templates[0]) // 2
    edge = half + _REACH
    padded = cv2.copyMakeBorder(grey, edge, edge, edge, edge, cv2.BORDER_REPLICATE)
    votes = np.zeros((len(templates), 2 * _REACH + 1, 2 * _REACH + 1))
    places = np.round(sites.places / step).astype(int)
    for vote, (u, v), template in zip(votes, places, templates, strict=True):
        if template.std() >= 1.0:
            window = padded[v : v + 2 * edge + 1, u : u + 2 * edge + 1]
            likeness = cv2.matchTemplate(window, template, cv2.TM_CCOEFF_NORMED)
            vote += np.clip(np.nan_to_num(likeness), 0.0, 1.0)
    return votes


def _most(votes: Array, step: int) -> Array:
    """The shift (2,) in px that the patches vote for together."""
    together = votes.sum(axis=0)
    row, column = np.unravel_index(int(np.argmax(together)), together.shape)
    return step * (np.array([column, row], dtype=np.float64) - _REACH)
