"""The live tracker: pictures in, a sighting of every fighter out, fragments growing on the side.

It never looks back. Colours are taught on the first picture; from then on every picture costs a colour
conversion and a look-up in the windows of standing figures, and of the whole watched region only while a
figure is moving.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from calibration.result import RingCalibration
from calibration.sentences import Said
from vision.arrays import Bytes, Floats, Mask, as_bytes, dilated, equals
from vision.colour.light import LightMeter
from vision.colour.models import ColourError
from vision.colour.separability import rate_palette
from vision.colour.table import MAT, SKIN, ColourTable, label_picture
from vision.colour.teaching import Grounds, teach_palette
from vision.fighters import FighterSpec, about
from vision.finding.accumulate import GrowingFragment
from vision.finding.blobs import Blob, Refusal, find_blobs
from vision.finding.carrying import CarryWatch
from vision.finding.following import Follower, Sighting, Stand
from vision.finding.frame_view import TOUCH_CM, FrameView, OwnColour
from vision.finding.hands import HandWatch
from vision.finding.region import Rect, TableView
from vision.fragments import Fragment
from vision.sources.frames import Frame

# The small picture for hands and light has about this many pixels per centimetre.
_SMALL_PX_PER_CM = 2.7
# A figure's rim on the small picture, where colours mix, in pixels.
_RIM = 1
# A fragment's crop reaches this far around the figure's colour, in cm: a matte needs its surroundings, and a
# hat of another colour is the figure too.
_CROP_MARGIN_CM = 4.0
# So does the crop of a carried figure, which only shows what is figure and what is not.
_CARRY_MARGIN_CM = 1.5
# A hand inside this margin of the crop keeps a frame out of the average, in cm.
_HAND_MARGIN_CM = 1.0
# Figures of close colours that come nearer than this in the picture are merged, in cm.
_MERGED_CM = 0.4
# A colour that more than this share of the mat's pixels takes on at the start is hard to tell from the mat.
_SPECKLE_SHARE = 0.002


# Closed fragments that nobody has asked for: the newest are kept. A fragment is up to a megabyte.
_CLOSED_KEPT = 64


class Tracker:
    """Follows all fighters on one table. Feed it every frame in order; `first` must show all of them free."""

    def __init__(
        self,
        calibration: RingCalibration,
        fighters: Sequence[FighterSpec],
        first: Frame,
        dont_care: Mask | None = None,
    ) -> None:
        spec = calibration.spec
        self.table = TableView(calibration.camera, spec.width_cm, spec.depth_cm)
        self.refusals: list[Refusal] = []
        furniture = np.zeros(first.image.shape[:2], bool) if dont_care is None else dont_care
        grounds = Grounds(self.table.watched, self.table.mat, furniture)
        self.palette = teach_palette(first.image, fighters, grounds, self.table)
        self._colours = ColourTable(self.palette)
        self.close_pairs = [
            (rating.fighter, rating.other)
            for rating in rate_palette(self.palette.fighters)
            if rating.verdict != "apart"
        ]
        self._middle = middle = np.array(calibration.camera.size) / 2.0
        self._stride = max(1, round(self.table.px_per_cm(middle, 0.0) / _SMALL_PX_PER_CM))
        small = as_bytes(cv2.blur(self._small(first), (3, 3)))
        s = self._stride
        self._light = LightMeter.on_mat(small, (self.table.mat & ~furniture)[::s, ::s])
        self._hands = HandWatch(small, self.table.px_per_cm(middle, 0.0) / s)
        self._watched_small = np.ascontiguousarray(self.table.watched[::s, ::s].astype(np.uint8)) * np.uint8(
            255
        )
        self._off_mat = ~self.table.mat[::s, ::s]
        # Where figures have stood on the small picture since a hand came in, 255.
        self._stood = np.zeros(small.shape[:2], np.uint8)
        self._stood_changed = True
        self._touch = _RIM + max(1, round(TOUCH_CM * self.table.px_per_cm(middle, 0.0) / s))
        self._next_number = {spec.id: 0 for spec in fighters}
        self._closed: deque[tuple[int, Fragment]] = deque(maxlen=_CLOSED_KEPT)
        self._open: dict[str, GrowingFragment] = {}
        self._last_open: dict[str, GrowingFragment] = {}
        self._stands: dict[str, list[Stand]] = {spec.id: [] for spec in fighters}
        self._hidden: dict[str, list[tuple[int, int]]] = {spec.id: [] for spec in fighters}
        self._followers: dict[str, Follower] = {}
        self._carries: dict[str, CarryWatch] = {}
        self._begin(first, fighters, furniture)

    # What has been found ------------------------------------------------------------------------------

    def growing(self) -> dict[str, GrowingFragment]:
        """The open fragment of every standing fighter, by id."""
        return dict(self._open)

    def silhouettes(self) -> dict[str, Floats]:
        """The pixels (N, 2) in which each fighter was seen last, by id."""
        return {name: follower.last.pixels() for name, follower in self._followers.items()}

    def stands(self, fighter: str) -> list[Stand]:
        """Every place a fighter has stood in so far, in order, the present one included."""
        growing = self._open.get(fighter)
        hidden = tuple(self._hidden[fighter])
        now = [] if growing is None else [Stand(growing.number, growing.first, growing.last, False, hidden)]
        return [*self._stands[fighter], *now]

    def take_closed(self) -> list[tuple[int, Fragment]]:
        """The fragments (number, fragment) closed since the last call; each is handed out once."""
        closed = list(self._closed)
        self._closed.clear()
        return closed

    # One frame ----------------------------------------------------------------------------------------

    def update(self, frame: Frame) -> dict[str, Sighting]:
        """What the next frame shows of every fighter. `refusals` then holds what its gates refused."""
        view = self._view(frame)
        if frame.gap:
            return {name: self._after_gap(name, follower) for name, follower in self._followers.items()}
        sightings = {name: self._follow(name, follower, view) for name, follower in self._followers.items()}
        if self._stood_changed:
            self._mark_standing(view.hand_present)
        self.refusals = view.refusals
        return self._merged(sightings)

    def _after_gap(self, name: str, follower: Follower) -> Sighting:
        """The first picture after a break: what happened meanwhile was not seen, so nothing is certain."""
        self.refusals = []
        self._carries.pop(name, None)
        return Sighting(name, "unsure", follower.last, 0.0, False, None)

    def _merged(self, sightings: dict[str, Sighting]) -> dict[str, Sighting]:
        """Fighters of close colours that touch in the picture are merged: their border is a guess."""
        for one, two in self.close_pairs:
            a, b = sightings[one], sightings[two]
            if a.state != "placed" or b.state != "placed" or a.blob is None or b.blob is None:
                continue
            near = self._around(a.blob.rect, _MERGED_CM)
            grown = dilated(a.blob.placed_in(near), self._px(_MERGED_CM, near))
            if (grown & b.blob.placed_in(near)).any():
                sightings[one], sightings[two] = replace(a, state="merged"), replace(b, state="merged")
        return sightings

    def _view(self, frame: Frame) -> FrameView:
        sampled = self._small(frame)
        small = as_bytes(cv2.blur(sampled, (3, 3)))
        if self._light.update(small):
            self._colours.follow(self._light.gain)
        labels = label_picture(sampled, self._colours.labels)
        mat = equals(labels, MAT)
        hands = self._hands.update(small, frame.t, self._light.gain, self._no_hand(labels, mat), mat)
        entering = self._hands.entering(sampled, self._off_mat)
        if entering is not None:
            self._colours.teach_skin(entering)
        present = self._hands.present
        near = dilated(hands, self._touch) if present else hands
        return FrameView(
            frame.index, frame.image, self._colours.labels, self._light.gain, hands, near,
            self._stride, self.table.rect, present,
        )  # fmt: skip

    def _no_hand(self, labels: Bytes, mat: Bytes) -> Bytes:
        """Nonzero (h, w) where it is a figure or its rim, or bare mat where a figure has stood."""
        figures = as_bytes(cv2.inRange(labels, (1,), (SKIN - 1,))) & self._watched_small
        return dilated(figures, _RIM) | (mat & self._stood)

    def _follow(self, name: str, follower: Follower, view: FrameView) -> Sighting:
        was_resting = follower.rest
        state, blob, seen, touched = follower.update(view)
        # lifted in the very first picture, it was never seen to stand
        left = was_resting is not None and follower.rest is not was_resting
        if left and name in self._open:
            self._close(name, view.index - 1, by_hand=view.hand_present)
        if follower.rest is not None:
            if name not in self._open:
                self._open_fragment(name, follower, view)
            self._grow(name, follower, view, state, seen)
        elif blob is not None and state == "in_hand" and name in self._carries:
            self._carries[name].see(view, blob, self._around(blob.rect, _CARRY_MARGIN_CM))
        number = self._open[name].number if name in self._open else None
        return Sighting(name, state, blob, seen, touched, number)

    def _mark_standing(self, hand_present: bool) -> None:
        """Note where figures stand: mat that shows there later is no part of a hand.

        Where they stood before is forgotten when there is no hand.
        """
        if not hand_present:
            self._stood[:] = 0
        for fragment in self._open.values():
            u0, v0, u1, v1 = (edge // self._stride for edge in fragment.rect)
            self._stood[v0 : v1 + 1, u0 : u1 + 1] = 255
        self._stood_changed = hand_present

    # Fragments ----------------------------------------------------------------------------------------

    def _open_fragment(self, name: str, follower: Follower, view: FrameView) -> None:
        assert follower.rest is not None
        if follower.never_moved and name in self._last_open:
            self._go_on(name, view.index)
            return
        rect = self._around(follower.rest.blob.rect, _CROP_MARGIN_CM)
        first, carries = follower.rested_since, self._carries
        carry = carries.pop(name).until(first) if name in carries else None
        self._open[name] = GrowingFragment(self._next_number[name], name, first, rect, carry)
        self._next_number[name] += 1
        self._stood_changed = True
        s = self._stride
        u0, v0, u1, v1 = rect
        small = view.image[::s, ::s]
        self._hands.relearn(small, (u0 // s, v0 // s, -(-u1 // s), -(-v1 // s)))

    def _go_on(self, name: str, index: int) -> None:
        """The fragment that was closed last is not over: the figure was hidden and has never moved."""
        stand = self._stands[name].pop()
        self._hidden[name] = [*stand.hidden, (stand.last + 1, index - 1)]
        self._open[name] = self._last_open.pop(name)
        self._carries.pop(name, None)
        self._stood_changed = True

    def _grow(self, name: str, follower: Follower, view: FrameView, state: str, seen: float) -> None:
        fragment = self._open[name]
        fragment.last = view.index
        if state != "placed" or seen < 0.9 or not fragment.wants(view.index):
            return
        if view.hand_in(self._around(fragment.rect, _HAND_MARGIN_CM)):
            return
        u0, v0, u1, v1 = fragment.rect
        crop = view.image[v0:v1, u0:u1]
        own = view.own(follower.colour, fragment.rect)
        blob = Blob.of(own & follower.near_in(fragment.rect), (u0, v0))
        if blob is not None:
            fragment.offer(crop, own, blob.centroid, view.gain)
            fragment.others = self._others_in(name, fragment.rect)

    def _others_in(self, name: str, rect: Rect) -> Mask | None:
        """Where other fighters are in a box; None when there are none."""
        u0, v0, u1, v1 = rect
        others: Mask | None = None
        for other, follower in self._followers.items():
            a, b, c, d = follower.last.rect
            if other != name and a < u1 and u0 < c and b < v1 and v0 < d:
                placed = follower.last.placed_in(rect) > 0
                others = placed if others is None else others | placed
        return others

    def _close(self, name: str, last: int, *, by_hand: bool) -> None:
        fragment = self._open.pop(name)
        fragment.last = last
        hidden, self._hidden[name] = tuple(self._hidden[name]), []
        self._stands[name].append(Stand(fragment.number, fragment.first, last, by_hand, hidden))
        self._last_open[name] = fragment
        self._carries[name] = CarryWatch(last + 1)
        snapshot = fragment.snapshot()
        if snapshot is not None:
            self._closed.append((fragment.number, snapshot))

    # Beginning ----------------------------------------------------------------------------------------

    def _begin(self, first: Frame, fighters: Sequence[FighterSpec], furniture: Mask) -> None:
        """Find every fighter on the first picture; whatever else has its colour there is no fighter, ever."""
        view = self._view(first)
        rect = self.table.rect
        free = (self.table.watched & ~furniture).astype(np.uint8)
        everyone = zip(self.palette.labels, fighters, self.palette.fighters, strict=True)
        for label, spec, taught in everyone:
            raw = equals(view.labels(rect), label) & free[rect[1] : rect[3], rect[0] : rect[2]]
            speckled = self._is_speckled(raw, taught.region, rect)
            own = view.own(OwnColour(label, free, speckled), rect)
            scale = self.table.scale_at(self._middle, spec.height_cm / 2)
            blobs = find_blobs(own, rect[:2], scale)
            chosen = self._choose(spec, taught.region, blobs)
            colour = OwnColour(label, self._without(free, blobs, chosen), speckled)
            self._followers[spec.id] = Follower(spec.id, colour, self.table, spec.height_cm / 2, chosen, view)

    def _without(self, free: Bytes, blobs: Sequence[Blob], chosen: Blob) -> Bytes:
        """Where a fighter may be: not where something else had its colour from the start."""
        allowed = free.copy()
        for other in blobs:
            if other is not chosen:
                u0, v0, u1, v1 = self._around(other.rect, 0.4)
                allowed[v0:v1, u0:u1] = 0
        u0, v0, u1, v1 = chosen.rect
        allowed[v0:v1, u0:u1] = free[v0:v1, u0:u1]
        return allowed

    def _is_speckled(self, own: Bytes, region: Mask, rect: Rect) -> bool:
        """Whether single pixels of the mat take a fighter's colour often enough to mislead."""
        u0, v0, u1, v1 = rect
        mat = self.table.mat[v0:v1, u0:u1] & (dilated(region[v0:v1, u0:u1].astype(np.uint8), 6) == 0)
        return bool((own[mat] > 0).mean() > _SPECKLE_SHARE)

    def _choose(self, spec: FighterSpec, region: Mask, blobs: list[Blob]) -> Blob:
        """The first picture's blob that lies where the fighter was taught, or the largest of its colour."""
        if not blobs:
            raise ColourError(
                about(
                    spec.id,
                    Said(
                        "error.colour.not_in_ring",
                        "nothing of its colour is in the ring on the first picture",
                    ),
                )
            )
        if not region.any():
            return blobs[0]
        return max(
            blobs,
            key=lambda b: np.count_nonzero(
                region[b.rect[1] : b.rect[3], b.rect[0] : b.rect[2]] & (b.mask > 0)
            ),
        )

    # Geometry -----------------------------------------------------------------------------------------

    def _px(self, cm: float, rect: Rect) -> int:
        u0, v0, u1, v1 = rect
        return round(cm * self.table.scale_at(np.array([(u0 + u1) / 2, (v0 + v1) / 2]), 5.0))

    def _around(self, rect: Rect, margin_cm: float) -> Rect:
        u0, v0, u1, v1 = rect
        margin = self._px(margin_cm, rect)
        width, height = self.table.camera.size
        return max(0, u0 - margin), max(0, v0 - margin), min(width, u1 + margin), min(height, v1 + margin)

    def _small(self, frame: Frame) -> Bytes:
        return np.ascontiguousarray(frame.image[:: self._stride, :: self._stride])
