"""Collecting views of a board: from photos, from a recording, or live with guidance as they come."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np

from calibration.boards import Board
from calibration.boards_find import BoardView, NotUsed, find_board
from calibration.lens_cover import Coverage, apart, covered, rough_normal
from vision.arrays import Floats, Image, as_bytes
from vision.sources.files import IMAGE_SUFFIXES
from vision.sources.frames import Frame, FrameSource, SourceError
from vision.sources.open import open_source

# A recording is looked at so many times a second.
_LOOKS = 4.0
# A view of a recording is worth keeping when the board has moved by this share of the picture's width.
_ANOTHER = 0.06
# Between two pictures that follow each other a board that is held still moves less than this share.
_STILL = 0.0012
# More views than this make it no better, only slower.
_MOST = 40
# Pictures that are not used are kept to be shown: so many, this wide.
_SHOWN, _SHOWN_PX = 8, 320


@dataclass(eq=False)
class Collected:
    """The views found, and what was not used and why: each with a small picture, and counts by reason."""

    board: Board
    views: list[BoardView] = field(default_factory=list)
    not_used: list[NotUsed] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    small: dict[str, Image] = field(default_factory=dict)
    sample: Image | None = None
    _normals: list[Floats] = field(default_factory=list)

    @property
    def coverage(self) -> Coverage:
        """What has been covered so far, leans by a usual lens."""
        return covered(self.views, self._normals)

    def keep(self, view: BoardView, image: Image) -> None:
        """Take a view."""
        largest = max((cv2.contourArea(one.hull()) for one in self.views), default=0.0)
        if self.sample is None or cv2.contourArea(view.hull()) > largest:
            self.sample = image.copy()
        self.views.append(view)
        self._normals.append(rough_normal(view, self.board))
        self.small[view.name] = _small(image)

    def refuse(self, what: NotUsed, image: Image | None) -> None:
        """Note a picture that is not used."""
        self.counts[what.why] += 1
        if sum(one.why == what.why for one in self.not_used) >= _SHOWN:
            return
        self.not_used.append(what)
        if image is not None:
            self.small[what.name] = _small(image)

    def one_size(self) -> None:
        """Leave out the views of any size but the commonest one: a lens holds for one size of picture."""
        if not self.views:
            return
        size = Counter(view.size for view in self.views).most_common(1)[0][0]
        for view in [view for view in self.views if view.size != size]:
            place = self.views.index(view)
            del self.views[place], self._normals[place]
            self.counts["size"] += 1
            self.not_used.append(NotUsed(view.name, "size"))


def collect(
    sources: Sequence[str], board: Board, seconds: float, taken: Callable[[Collected], None]
) -> Collected:
    """Views from photos, folders of photos, recordings and cameras.

    A camera is watched for some seconds, or until what was seen is enough, or until Ctrl-C; `taken` is told
    of every view it gives. Raises SourceError.
    """
    found = Collected(board)
    for source in sources:
        path = Path(source)
        if path.is_dir():
            photos = sorted(one for one in path.iterdir() if one.suffix.lower() in IMAGE_SUFFIXES)
            if not photos:
                open_source(source)  # It says what is wrong with the folder.
            for photo in photos:
                _photo(str(photo), found, forgiving=True)
        elif path.suffix.lower() in IMAGE_SUFFIXES:
            _photo(source, found, forgiving=False)
        else:
            with open_source(source) as opened:
                _film(opened, found, seconds if opened.live else None, taken)
    found.one_size()
    return found


def _photo(source: str, found: Collected, *, forgiving: bool) -> None:
    name = Path(source).name
    try:
        with open_source(source) as opened:
            image = next(iter(opened)).image
    except SourceError:
        if not forgiving:
            raise
        found.refuse(NotUsed(name, "unread"), None)
        return
    view = find_board(image, found.board, name)
    if isinstance(view, BoardView) and any(apart(view, one, found.board) < _STILL for one in found.views):
        # the same photo twice makes a lens no surer
        view = NotUsed(name, "known")
    if isinstance(view, NotUsed):
        found.refuse(view, image)
        return
    found.keep(view, image)


def _film(
    source: FrameSource, found: Collected, seconds: float | None, taken: Callable[[Collected], None]
) -> None:
    """Take the views of a recording or camera in which the board is held still at a new place."""
    ends = None if seconds is None else time.monotonic() + seconds
    try:
        for view, image in _still_views(source, found, ends):
            found.keep(view, image)
            if ends is None:
                continue
            taken(found)
            if found.coverage.complete:
                return
    except KeyboardInterrupt:
        if not source.live:
            raise


def _still_views(
    source: FrameSource, found: Collected, ends: float | None
) -> Iterator[tuple[BoardView, Image]]:
    frames = iter(source)
    step = 1.0 / _LOOKS
    due = -np.inf
    for frame in frames:
        if ends is not None and time.monotonic() > ends:
            return
        if frame.t < due:
            continue
        due = frame.t + step
        view = _new_view(frame, found)
        if isinstance(view, NotUsed):
            found.refuse(view, frame.image)
            continue
        after = next(frames, None)
        again = None if after is None else find_board(after.image, found.board, view.name)
        if not isinstance(again, BoardView) or apart(view, again, found.board) > _STILL:
            found.refuse(NotUsed(view.name, "moving"), frame.image)
            continue
        yield view, frame.image


def _new_view(frame: Frame, found: Collected) -> BoardView | NotUsed:
    """The board in a picture of a recording, when it is worth having."""
    name = f"{frame.t:.1f} s"
    view = find_board(frame.image, found.board, name)
    if isinstance(view, NotUsed):
        return view
    if any(apart(view, other, found.board) < _ANOTHER for other in found.views):
        return NotUsed(name, "known")
    return NotUsed(name, "many") if len(found.views) >= _MOST else view


def _small(image: Image) -> Image:
    height = max(round(image.shape[0] * _SHOWN_PX / image.shape[1]), 1)
    return as_bytes(cv2.resize(image, (_SHOWN_PX, height), interpolation=cv2.INTER_AREA))
