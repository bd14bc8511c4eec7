"""A session's evidence opened: its set-up, every picture that is left, and who was seen where in it."""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from palmo.errors import SaidError, texts
from palmo.review.pictures import Footage, Pictures, picture_times
from palmo.review.setup_file import EVIDENCE, REMARKS, Setup, load_setup, sessions
from palmo.ring_file import text_of
from palmo.scene import SceneBuilder
from palmo.stays import Stay, stays
from rules.scene import Point, Scene
from rules.text import Text
from vision.tracks import TrackFrame, TracksError
from vision.tracks_file import read_tracks


@dataclass(frozen=True)
class Said:
    """What source or tracker said during a session, and when, in seconds; None: from the start on."""

    t: float | None
    text: Text


class Evidence:
    """One session of a match folder. Frames are numbered from 0 through everything that is left of it.

    `folder` is the session's folder, `newest` the name of its last file without its ending. Every frame has
    all outlines and errors known at its time. `left_out` says what is there and cannot be shown.
    """

    def __init__(self, folder: Path) -> None:
        """Open it. Raises PalmoError or EventError when it is not what a match leaves behind."""
        self.folder = folder
        self.setup: Setup = load_setup(folder)
        footage, frames, self.left_out = _footage(folder)
        if not frames:
            raise SaidError("error.review.empty", path=folder)
        self.pictures = Pictures(footage)
        self.newest = footage[-1].tracks.stem
        self.frames: list[TrackFrame] = _with_outlines(frames)
        self.times = [frame.t for frame in self.frames]
        self.remarks = [*(Said(None, text) for text in self.left_out), *_remarks(folder / REMARKS)]

    def close(self) -> None:
        """Close what is open."""
        self.pictures.close()

    @cached_property
    def stays(self) -> dict[str, list[Stay]]:
        """Where every fighter stood between its moves."""
        return {fighter.id: stays(self.frames, fighter.id) for fighter in self.setup.event.fighter}

    @cached_property
    def _scenes(self) -> SceneBuilder:
        return SceneBuilder(self.setup.event)

    def scene(self, number: int) -> Scene:
        """The table in a frame."""
        return self._scenes.scene(self.frames[number])

    def number_at(self, t: float) -> int:
        """The number of the frame nearest to a time in seconds."""
        after = min(bisect_left(self.times, t), len(self.times) - 1)
        before = max(after - 1, 0)
        return before if abs(self.times[before] - t) < abs(self.times[after] - t) else after


def open_evidence(folder: Path, session: int | None = None) -> Evidence:
    """A session of a match folder, the newest that has pictures when none is named.

    Raises PalmoError, naming the sessions there are, when there is none such.
    """
    known = sessions(folder)
    if not known:
        raise SaidError("error.review.none", path=folder)
    if session is not None and session not in known:
        listed = ", ".join(str(number) for number in known)
        raise SaidError("error.review.session", path=folder, session=session, known=listed)
    wanted = [session] if session is not None else sorted(known, reverse=True)
    for number in wanted:
        path = folder / EVIDENCE / str(number)
        if session is not None or any(path.glob("*.jsonl")):
            try:
                return Evidence(path)
            except SaidError as error:
                # An older session may have pictures where the newest was over before its first one.
                if error.text.key != "error.review.empty" or number == wanted[-1]:
                    raise
    raise SaidError("error.review.empty", path=folder / EVIDENCE / str(known[-1]))


def _footage(folder: Path) -> tuple[list[Footage], list[TrackFrame], list[Text]]:
    """The files in order, a frame for each of their pictures that has a line, and what had to be left out.

    Of what a ruling rests on, some files may be kept without their pictures. Raises PalmoError when all
    there is is unreadable.
    """
    footage, frames, left_out = [], list[TrackFrame](), list[Text]()
    unreadable: SaidError | None = None
    numbered = sorted(path for path in folder.iterdir() if path.stem.isdecimal())
    videos = {path.stem: path for path in numbered if path.suffix != ".jsonl"}
    tracks = [path for path in numbered if path.suffix == ".jsonl"]
    for stem in sorted(videos.keys() - {path.stem for path in tracks}):
        left_out.append(_unread(videos[stem], Text("review.no_positions")))
    for path in tracks:
        video = videos.get(path.stem)
        try:
            lines = _lines(path)
        except SaidError as error:
            unreadable = error
            left_out.append(_unread(path, error.text))
            continue
        count = len(lines)
        if video is not None:
            # A session that was cut off may lack lines or pictures at the end of its last file.
            count = min(count, len(picture_times(video)))
            if path == tracks[-1]:
                count = _readable(video, count)
            if lines and not count:
                left_out.append(_unread(video, Text("review.no_pictures")))
            elif path != tracks[-1] and count < len(lines):
                left_out.append(Text("review.cut", {"file": video.name, "n": count, "all": len(lines)}))
            elif path != tracks[-1] and not lines:
                left_out.append(_unread(video, Text("review.no_positions")))
        if count:
            footage.append(Footage(path, video, count))
            frames += lines[:count]
    if unreadable is not None and not footage:
        raise unreadable
    return footage, frames, left_out


def _unread(path: Path, why: Text) -> Text:
    return Text("review.left_out", {"file": path.name, "why": why})


def _readable(video: Path, count: int) -> int:
    """How many of a file's pictures are there to the last one: what was cut off in the middle is none."""
    while count:
        pictures = Pictures([Footage(video, video, count)])
        try:
            pictures.picture(count - 1)
        except SaidError:
            count -= 1
        else:
            break
        finally:
            pictures.close()
    return count


def _lines(path: Path) -> list[TrackFrame]:
    if not path.is_file() or path.stat().st_size == 0:
        return []
    try:
        return read_tracks(path)
    except TracksError as error:
        raise SaidError("live.plain", text=texts(error)[0]) from None


def _with_outlines(frames: Sequence[TrackFrame]) -> list[TrackFrame]:
    """The frames with the outlines that are told only when they change."""
    known: dict[str, tuple[Point, ...]] = {}
    whole = []
    for frame in frames:
        fighters = {}
        for name, track in frame.fighters.items():
            if track.outline is not None:
                known[name] = track.outline
            fighters[name] = replace(track, outline=known.get(name))
        whole.append(replace(frame, fighters=fighters))
    return whole


def _remarks(path: Path) -> list[Said]:
    """What was kept of the remarks; a line that is none, as one cut off by a power failure, is left out."""
    found = []
    text = path.read_bytes().decode("utf-8", "replace") if path.is_file() else ""
    for line in text.splitlines():
        try:
            data = json.loads(line)
            t = None if data["t"] is None else float(data["t"])
            found.append(Said(t, text_of(data["text"])))
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            continue
    return found
