"""A match folder: the log, the positions and, if wanted, the recording; a full disk stops nothing else."""

from __future__ import annotations

import contextlib
import json
import logging
import shutil
import time
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Self

from palmo.errors import PalmoError, SaidError, Spoken, reason, texts
from palmo.live.buffer import Limits, RingBuffer
from palmo.outputs import unused
from palmo.recorder import AGAIN_S, Image, Recorder, VideoWriter
from palmo.review.setup_file import REMARKS, new_session
from palmo.ring_file import plain_of
from palmo.workbench import Workbench
from rules.text import Text
from vision.sources.frames import Frame
from vision.tracks import TrackFrame, TracksError
from vision.tracks_file import TracksWriter

_log = logging.getLogger(__name__)
# The match log's name in its folder.
LOG = "match.jsonl"
# So much of the disk is left to the log when the positions fill it.
RESERVE_BYTES = 1_000_000


def new_folder(under: Path = Path("out")) -> Path:
    """A folder named after the time, e.g. out/match-20261129-2015."""
    return under / f"match-{datetime.now():%Y%m%d-%H%M%S}"


class Start:
    """Takes back what a start made in a match folder when it fails before `begun` is set; a context manager.

    Otherwise a log with a header and no match, or an empty folder, would be in the next start's way. What was
    there before stays. `holds_log` is to be set once the log is open: until then it may be another session's.
    """

    def __init__(self, folder: Path) -> None:
        self.holds_log = self.begun = False
        self._log = folder / LOG
        self._new_log = not self._log.exists()
        self._new_folders = [path for path in (folder, *folder.parents) if not path.exists()]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None or self.begun:
            return
        with contextlib.suppress(OSError):
            if self.holds_log and self._new_log:
                self._log.unlink(missing_ok=True)
            for folder in self._new_folders:
                folder.rmdir()


PROBLEMS = ("tracks", "recording", "evidence")


class MatchFolder:
    """Writes what a live match leaves behind. `problems` are standing remarks by what they concern, one of
    PROBLEMS; one that is gone (a disk with room again) is none any more.

    A session that never had a picture leaves no positions behind, not even an empty file. Raises PalmoError
    when the folder cannot be made at all.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.problems: dict[str, Text] = {}
        self.recorder: Recorder[[Image, float]] | None = None
        self.evidence: Path | None = None
        self._buffer: Recorder[[Frame, TrackFrame]] | None = None
        self._tracks: TracksWriter | None = None
        self._again_at = 0.0
        self._closed = False
        try:
            path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise SaidError("error.folder.unwritten", path=path, why=reason(error)) from None

    def record(self, size: tuple[int, int], fps: float) -> None:
        """Record the source's pictures as well. Raises PalmoError when the file cannot be made."""
        path = unused(self.path / "clip.mp4")
        try:
            writer = VideoWriter(path, size, fps or 30.0, preset="ultrafast")
        except PalmoError:
            path.unlink(missing_ok=True)
            raise
        self.recorder = Recorder(writer)

    def keep(self, bench: Workbench, limits: Limits, *, entries: int = 0) -> None:
        """Keep the set-up and the newest minutes as evidence for disputes, in a session of its own.

        `entries` is how many entries the match log has already. Raises PalmoError.
        """
        self.evidence = new_session(self.path, bench, entries=entries)
        if limits.minutes > 0 and limits.megabytes > 0:
            self._buffer = _pictures(self.evidence, bench, limits)

    def keep_again(self, bench: Workbench, limits: Limits, *, text: str, entries: int) -> None:
        """Begin a new session of evidence, and a new file of positions, for another calibration.

        `text` is its event file. Raises PalmoError; then the old ones go on.
        """
        evidence = new_session(self.path, bench, entries=entries, event=text.encode())
        if self._buffer is not None:
            self._buffer.close()
            self._buffer = _pictures(evidence, bench, limits)
        self.evidence = evidence
        if self._tracks is not None:
            try:
                self._tracks.close()
            except OSError as error:
                self._tracks_fail(error)
            self._tracks = None

    def remark(self, text: Text, t: float | None) -> None:
        """Keep what source or tracker said at a time in seconds with the evidence. Never raises."""
        if self.evidence is not None:
            line = json.dumps({"t": t, "text": plain_of(text)}, ensure_ascii=False)
            with contextlib.suppress(OSError), (self.evidence / REMARKS).open("a", encoding="utf-8") as file:
                file.write(line + "\n")

    def write(self, frame: Frame, tracked: TrackFrame) -> None:
        """Write one frame. Never raises: what cannot be written is said in `problems`."""
        if "tracks" not in self.problems or time.monotonic() >= self._again_at:
            try:
                self._write_tracks(tracked)
                self.problems.pop("tracks", None)
            except (OSError, SaidError, TracksError) as error:
                self._tracks_fail(error)
        if self.recorder is not None:
            self.recorder.offer(frame.image, frame.t)
        if self._buffer is not None:
            self._buffer.offer(frame, tracked)
        self._note_problems()

    def close(self) -> None:
        """Finish the files; once is enough."""
        if self._closed:
            return
        self._closed = True
        for recorder in (self.recorder, self._buffer):
            if recorder is not None:
                recorder.close()
        self._note_problems()
        if self._tracks is not None:
            try:
                self._tracks.close()
            except OSError as error:
                self._tracks_fail(error)

    def _note_problems(self) -> None:
        for key, recorder in (("recording", self.recorder), ("evidence", self._buffer)):
            problem = None if recorder is None else recorder.problem
            if problem is None:
                self.problems.pop(key, None)
            else:
                self.problems[key] = problem

    def _tracks_fail(self, error: Exception) -> None:
        """Say so once, and begin another file when there is room again: this one may end in half a line."""
        self._again_at = time.monotonic() + AGAIN_S
        if "tracks" not in self.problems:
            self.problems["tracks"] = Text("live.tracks", {"text": texts(error)[0]})
            _log.warning(Spoken("live.tracks", text=texts(error)[0]))
        if self._tracks is not None:
            with contextlib.suppress(OSError):
                self._tracks.close()
            self._tracks = None

    def _write_tracks(self, tracked: TrackFrame) -> None:
        free = shutil.disk_usage(self.path).free
        if free < RESERVE_BYTES:
            raise SaidError("error.disk.kept_for_log", free=free / 1e6)
        if self._tracks is None:
            self._tracks = TracksWriter(unused(self.path / "tracks.jsonl"))
        self._tracks.write(tracked)


def _pictures(session: Path, bench: Workbench, limits: Limits) -> Recorder[[Frame, TrackFrame]]:
    """What keeps the newest pictures in a session's folder; where the disk has room again it goes on."""
    return Recorder(RingBuffer(session, bench.source.size, bench.source.fps, limits), recovers=True)
