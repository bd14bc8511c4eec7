"""Following one fighter from frame to frame, live: where it stands, whether a hand has it, what is unsure.

Identity is the colour; the place, the size and the hands decide which patch of the colour it is. Nothing here
looks back, except that a figure found standing remembers since when it has been in that place.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.arrays import Bytes, as_bytes
from vision.colour.table import SKIN
from vision.finding.blobs import Blob, Refusal, find_blobs
from vision.finding.frame_view import FrameView, OwnColour, near_hand_in
from vision.finding.region import Rect, TableView
from vision.finding.rest import Rest, same_light
from vision.finding.shadows import is_shadow
from vision.tracks import State

# Of a figure at rest this share of its pixels must be seen, and of what is seen no more than this may lie
# beside it (over what lies there all the time): while a hand is at it a small change tells.
_SEEN = 0.80
_MOVED = 0.05
_MOVED_BY_HAND = 0.006
# More of the silhouette than this missing where no hand hides it: it has moved.
_GONE = 0.05
# Of a figure that has been set down so much shows, and so little is missing beside the hand, since it stands.
_SHOWS, _MISSES = 0.15, 0.25
# A patch of which more than this share is what lay there on the first picture, only darker, is a shadow.
_A_SHADOW = 0.6
# Less of it than this showing while a hand is there: covered.
_COVERED = 0.35
# A patch the size of this share of the taught figure can be it: standing free, or half hidden in a hand.
_AREA_FREE = (0.30, 3.5)
_AREA_HELD = (0.04, 3.5)
# A held figure is within this of a hand or of where it was seen last, in cm.
_REACH_CM = 5.0
# A hand moves a figure no farther than this between two frames, in cm; else the whole table is searched.
_STRIDE_CM = 8.0
# So many of the largest patches are looked at; one of this share of the best one's area rivals it.
_CANDIDATES = 6
_RIVAL_AREA = 0.5
# More than this many times its area in its colour, on the whole table, and the colour says nothing.
_EVERYWHERE = 6.0
# What stands free, full-size and still for so many frames is the fighter again, however far from the hand
# that had it; unless the hand shows more of it than this share.
_APART = (0.50, 2.0)
_APART_FOR = 5
_SHOWN_IN_HAND = 0.30
# Frames without a trace before a fighter is lost, and frames of a held figure that are remembered.
_LOST_AFTER = 5
# A figure that stood may be missed for this many frames: something flickered.
_FLICKER = 2
_TRAIL = 64
_TOO_FAR = "too_far_from_the_hand"


@dataclass(frozen=True, eq=False)
class Sighting:
    """What one frame shows of a fighter, live.

    blob is what is seen of it (the resting silhouette while it stands undisturbed), None when nothing is.
    seen is the share of the resting silhouette that shows (1 when not resting). touched: a hand is at it.
    fragment is its number while the figure stands, None otherwise.
    """

    fighter: str
    state: State
    blob: Blob | None
    seen: float
    touched: bool
    fragment: int | None


@dataclass(frozen=True)
class Stand:
    """A fighter stood still from frame `first` to frame `last`, inclusive: fragment `number`.

    by_hand: a hand was in the picture when it left this place. hidden: the frames from .. to in which it was
    thought to be gone until it showed that it had never moved.
    """

    number: int
    first: int
    last: int
    by_hand: bool
    hidden: tuple[tuple[int, int], ...] = ()


class Follower:
    """Follows one fighter. `rested_since` is the frame since when it has been where it stands."""

    def __init__(
        self,
        fighter: str,
        colour: OwnColour,
        table: TableView,
        half_height_cm: float,
        blob: Blob,
        view: FrameView,
    ) -> None:
        self.fighter = fighter
        self.colour = colour
        self._table = table
        self._z = half_height_cm
        self._area_cm2 = blob.area_px / self._scale(blob) ** 2
        self.state: State = "placed"
        self.rest: Rest | None = None
        self.last = blob
        self.rested_since = view.index
        self._trail: list[tuple[int, Blob, Bytes]] = []
        self._former: Rest | None = None
        self.never_moved = False
        self._first, self._bare = blob, view.image
        self._bare_gain = view.gain.copy()
        self._candidate: Rest | None = None
        self._tolerance = _MOVED if colour.speckled else _MOVED_BY_HAND
        self._missing = 0
        self._beside, self._seen = 0.0, 1.0
        self._ambiguous = False
        self._apart: Rest | None = None
        self._apart_for = 0
        self._settle(blob, view)

    def update(self, view: FrameView) -> tuple[State, Blob | None, float, bool]:
        """Take in the next frame: state, what is seen, share of the rest seen, whether a hand is at it."""
        if self.rest is not None:
            found = self._at_rest(view, self.rest)
            if found is not None:
                return found
            self._lift(view)
        return self._searching(view)

    def near_in(self, rect: Rect) -> Bytes:
        """The resting silhouette, grown a little, drawn into a box (0/1)."""
        assert self.rest is not None
        return Blob(self.rest.window[:2], self.rest.near, 0, self.rest.blob.centroid).placed_in(rect)

    # At rest ------------------------------------------------------------------------------------------

    def _at_rest(self, view: FrameView, rest: Rest) -> tuple[State, Blob | None, float, bool] | None:
        own = view.own(self.colour, rest.window)
        seen, beside = rest.compare(own)
        touched = view.hand_overlap(own | rest.mask, rest.window[:2]) > 0
        if touched and beside > self._beside + self._tolerance:
            beside = self._came_beside(view, own, rest)
        moved = beside > self._beside + (self._tolerance if touched else _MOVED)
        if touched and not moved and seen < _SEEN and not self.colour.speckled:
            moved = self._gone_from_beside_the_hand(view, own, rest) > 1.0 - self._seen + _GONE
        if not moved and seen > _SEEN:
            self._missing = 0
            if not touched:
                self._beside += 0.2 * (beside - self._beside)
                self._seen += 0.2 * (seen - self._seen)
            self.state = "placed"
            return "placed", rest.blob, seen, touched
        if touched and not moved:
            self.state = "covered" if seen < _COVERED else "placed"
            return self.state, rest.blob, seen, True
        if not touched and rest.looks_the_same(view):
            # The light fooled the colours; the figure is still there.
            self._missing = 0
            self.state = "placed"
            return "placed", rest.blob, seen, False
        if not touched and not moved and seen + self._behind_others(view, own, rest) > _SEEN:
            self._missing = 0
            self.state = "covered" if seen < _COVERED else "placed"
            return self.state, rest.blob, seen, False
        patience = _LOST_AFTER if seen > _COVERED else _FLICKER
        if not touched and not moved and self.state != "covered" and self._missing < patience:
            # A flicker of the light, or something thin before it.
            self._missing += 1
            view.refusals.append(Refusal(self.fighter, "too_little_of_it_seen", {"share": round(seen, 3)}))
            self.state = "placed" if self._missing <= _FLICKER and seen > _COVERED else "unsure"
            return self.state, rest.blob, seen, False
        return None

    def _came_beside(self, view: FrameView, own: Bytes, rest: Rest) -> float:
        """The share of its colour that came beside the silhouette and is no shadow."""
        came = cv2.countNonZero(rest.changed(own & rest.far, view))
        return came / max(1, cv2.countNonZero(own & rest.mask) + came)

    def _gone_from_beside_the_hand(self, view: FrameView, own: Bytes, rest: Rest) -> float:
        """The share of the silhouette that is missing where no hand hides it: it was lifted or turned."""
        missing = rest.changed(rest.mask & (1 - own) & (1 - view.near_hand_in(rest.window)), view)
        return cv2.countNonZero(missing) / max(1, rest.blob.area_px)

    def _behind_others(self, view: FrameView, own: Bytes, rest: Rest) -> float:
        """The share of the silhouette before which other fighters stand now."""
        others = as_bytes(cv2.inRange(view.labels(rest.window), (1,), (SKIN - 1,)))
        hidden = others & rest.mask & (1 - own)
        return cv2.countNonZero(hidden) / max(1, rest.blob.area_px)

    def _lift(self, view: FrameView) -> None:
        """The figure is no longer where it stood."""
        self._former, self.rest = self.rest, None
        self._trail = []
        self._candidate = None
        self._missing = 0
        self._ambiguous = False
        self.state = "in_hand" if view.hand_present else "unsure"

    # Moving -------------------------------------------------------------------------------------------

    def _searching(self, view: FrameView) -> tuple[State, Blob | None, float, bool]:
        if self._former is not None and self._is_back(view, self._former):
            self._settle(self._former.blob, view)
            return "placed", self.last, 1.0, False
        blob = self._find(view)
        if blob is None:
            return self._not_found(view)
        self._missing = 0
        touched = view.hand_overlap(blob.mask, blob.origin) > 0
        before, self.last = self.last, blob
        if touched:
            self.state = "in_hand"
            self._candidate = None
            self._trail = [*self._trail[-_TRAIL:], (view.index, blob, view.near_hands)]
            return "in_hand", blob, 1.0, True
        rest = Rest.at(blob, view, self._scale(blob))
        still = rest.holds(before, self._tolerance) or (
            self._candidate is not None and self._candidate.looks_the_same(view)
        )
        self._candidate = rest
        if still and self._is_shadow(blob, view):
            still = False
        if self._share(blob) > _AREA_FREE[0] and still and not self._ambiguous:
            self._settle(blob, view)
            return "placed", blob, 1.0, False
        self.state = "unsure"
        return "unsure", blob, 1.0, False

    def _is_back(self, view: FrameView, former: Rest) -> bool:
        """Whether the figure shows where it stood, free of hands and as if it had never gone."""
        if view.hand_overlap(former.mask, former.window[:2]) > 0:
            return False
        return former.is_back(view, view.own(self.colour, former.window))

    def _not_found(self, view: FrameView) -> tuple[State, Blob | None, float, bool]:
        self._missing += 1
        if self.state == "in_hand" and view.hand_present:
            return "in_hand", None, 0.0, True
        self.state = "lost" if self._missing > _LOST_AFTER else "unsure"
        return self.state, None, 0.0, False

    def _find(self, view: FrameView) -> Blob | None:
        """The patch that can be this fighter, on the whole watched region."""
        rect = self._where_to_look(view)
        own = view.own(self.colour, rect)
        scale = self._scale(self.last)
        total = cv2.countNonZero(own) / scale**2
        if self._missing > 0 and total > _EVERYWHERE * self._area_cm2:
            # In this light half the mat has its colour: any patch would do, so none does.
            numbers = {"cm2": round(total, 1), "taught_cm2": round(self._area_cm2, 2)}
            view.refusals.append(Refusal(self.fighter, "its_colour_is_everywhere", numbers))
            return None
        candidates, apart = [], []
        for blob in find_blobs(own, rect[:2], scale)[:_CANDIDATES]:
            refusal = self._refusal(blob, view)
            if refusal is None:
                candidates.append(blob)
                continue
            view.refusals.append(refusal)
            if refusal.gate == _TOO_FAR and _APART[0] < self._share(blob) < _APART[1]:
                apart.append(blob)
        left = self._left_the_hand(apart, view)
        if left is not None and all(self._share(blob) < _SHOWN_IN_HAND for blob in candidates):
            return left
        if not candidates:
            return None
        best = min(candidates, key=self._distance_cm)
        rivals = [blob for blob in candidates if blob.area_px > _RIVAL_AREA * best.area_px]
        out_of_sight = self._missing > 0 or self._ambiguous
        self._ambiguous = out_of_sight and self.state != "in_hand" and len(rivals) > 1
        if self._ambiguous:
            # Two things of its colour and nobody saw which one it is: the referee must say.
            numbers = {"patches": float(len(rivals)), "cm": round(self._distance_cm(best), 1)}
            view.refusals.append(Refusal(self.fighter, "more_than_one_candidate", numbers))
        return best

    def _left_the_hand(self, apart: list[Blob], view: FrameView) -> Blob | None:
        """The one patch far from the hand that has stood still for long enough to be the fighter."""
        if len(apart) != 1:
            self._apart, self._apart_for = None, 0
            return None
        here = Rest.at(apart[0], view, self._scale(apart[0]))
        still = self._apart is not None and here.holds(self._apart.blob, _MOVED)
        self._apart, self._apart_for = here, self._apart_for + 1 if still else 1
        return apart[0] if self._apart_for >= _APART_FOR else None

    def _where_to_look(self, view: FrameView) -> Rect:
        """Around where it was seen last; everywhere once it was missed there, or only a speck is left."""
        speck = self.state == "in_hand" and self._share(self.last) < _SHOWN_IN_HAND
        if self._missing > 0 or self._ambiguous or speck:
            view.all_labels()
            return view.rect
        u0, v0, u1, v1 = self.last.rect
        a, b, c, d = view.rect
        reach = round(_STRIDE_CM * self._scale(self.last))
        return max(a, u0 - reach), max(b, v0 - reach), min(c, u1 + reach), min(d, v1 + reach)

    def _refusal(self, blob: Blob, view: FrameView) -> Refusal | None:
        touched = view.hand_overlap(blob.mask, blob.origin) > 0
        low, high = _AREA_HELD if touched else _AREA_FREE
        area = blob.area_px / self._scale(blob) ** 2
        numbers = {"cm2": round(area, 2), "taught_cm2": round(self._area_cm2, 2)}
        if area < low * self._area_cm2:
            return Refusal(self.fighter, "too_small", numbers)
        if area > high * self._area_cm2:
            return Refusal(self.fighter, "too_large", numbers)
        distance = self._distance_cm(blob)
        if not touched and self.state == "in_hand" and distance > _REACH_CM:
            return Refusal(self.fighter, _TOO_FAR, {"cm": round(distance, 1)})
        return None

    def _share(self, blob: Blob) -> float:
        """A patch's area as a share of the taught figure's."""
        return blob.area_px / self._scale(blob) ** 2 / self._area_cm2

    def _distance_cm(self, blob: Blob) -> float:
        return float(np.hypot(*(blob.centroid - self.last.centroid))) / self._scale(blob)

    # Settling -----------------------------------------------------------------------------------------

    def _is_shadow(self, blob: Blob, view: FrameView) -> bool:
        """Whether a patch shows what lay there on the first picture, the figure itself aside, in a shadow."""
        if not same_light(view.gain, self._bare_gain):
            return False
        u0, v0, u1, v1 = blob.rect
        asked = (blob.mask & (1 - self._first.placed_in(blob.rect))) > 0
        shadow = is_shadow(view.image[v0:v1, u0:u1][asked], self._bare[v0:v1, u0:u1][asked])
        share = float(np.count_nonzero(shadow)) / max(1, blob.area_px)
        if share > _A_SHADOW:
            view.refusals.append(Refusal(self.fighter, "a_shadow", {"share": round(share, 3)}))
        return share > _A_SHADOW

    def _settle(self, blob: Blob, view: FrameView) -> None:
        self.rest = Rest.at(blob, view, self._scale(blob))
        former, self._former = self._former, None
        self.never_moved = former is not None and former.blob is blob
        if former is not None and self.never_moved:
            self.rest, self._trail = former, []
        self.last = blob
        self.state = "placed"
        self._missing, self._ambiguous = 0, False
        self._beside, self._seen = 0.0, 1.0
        self.rested_since = view.index
        for index, seen, near_hands in reversed(self._trail):
            if not self._stood(seen, near_hand_in(near_hands, view.stride, self.rest.window)):
                break
            self.rested_since = index
        self._trail = []

    def _stood(self, seen: Blob, near_hand: Bytes) -> bool:
        """Whether what was seen of the figure, beside a hand near near_hand (h, w), is the figure at rest."""
        assert self.rest is not None
        rest = self.rest
        if not rest.holds(seen, self._tolerance):
            return False
        shown = seen.placed_in(rest.window)
        missing = cv2.countNonZero(rest.mask & (1 - shown) & (1 - near_hand))
        return seen.area_px > _SHOWS * rest.blob.area_px and missing < _MISSES * rest.blob.area_px

    def _scale(self, blob: Blob) -> float:
        return self._table.scale_at(blob.centroid, self._z)
