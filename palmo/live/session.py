"""A live session from the command line: everything opened, served, and closed again."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from pathlib import Path
from typing import Protocol

import uvicorn

from calibration.guard_words import CONCERNS
from overlay.error_map import Image, map_layer
from overlay.i18n import translate
from palmo.commands.common import notes
from palmo.errors import SaidError
from palmo.live.again import CalibrateAgain, Takes
from palmo.live.buffer import Limits
from palmo.live.eyes import Eyes
from palmo.live.feed import LiveFeed
from palmo.live.folder import LOG, MatchFolder, Start, new_folder
from palmo.live.guard import CameraGuard, GuardedTrack
from palmo.live.keeping import LogKeeper
from palmo.live.loop import LiveLoop
from palmo.live.pacing import again_and_again, in_real_time
from palmo.live.serving import Door, open_door, server_for
from palmo.live.taught_again import Seen
from palmo.play.table import MatchTable, open_table
from palmo.review.camera_file import fingerprint
from palmo.review.setup_file import plain_name
from palmo.workbench import Workbench, open_workbench
from rules.text import Text
from vision.sources.frames import Frame
from vision.sources.open import open_source
from vision.tracks import TrackFrame

Say = Callable[[str], None]


class Tell(Protocol):
    """Says a sentence of the catalogue."""

    def __call__(self, key: str, **values: str) -> None:
        """Say it with its values."""


def run_live(
    source: str,
    event_path: Path,
    *,
    host: str = "127.0.0.1",
    port: int = 8080,
    folder: Path | None = None,
    record: bool = False,
    limits: Limits | None = None,
    seed: int | None = None,
    until_end: bool = False,
    loop: bool = False,
    lang: str = "en",
    say: Say | None = None,
    door: Door | None = None,
    on_start: Callable[[], None] = lambda: None,
) -> None:
    """Serve a source until Ctrl-C, or with `until_end` until the source is over.

    With `loop` a clip begins again when it is over. A `door` that is open already is used and not closed, and
    `on_start` called once nothing can be wrong any more. Raises the sentences of everything that can be wrong
    before it starts; afterwards nothing stops it, and at its end PalmoError says what of the match log could
    not be written.
    """
    show = say or (lambda line: notes().print(line, markup=False))

    def tell(key: str, **values: str) -> None:
        show(translate(Text(key, dict(values)), lang))

    def warn(text: Text) -> None:
        show(f"palmo: {translate(text, lang)}")

    with contextlib.ExitStack() as stack:
        # The door first: a port in use is said at once, not after a calibration.
        if door is None:
            door = open_door(host, port)
            stack.callback(door.socket.close)
        bench = stack.enter_context(open_workbench(source, event_path))
        if loop and bench.source.live:
            name = bench.source.name
            raise SaidError("error.source.no_loop", name=name)
        pipeline = bench.pipeline(background=True)
        opened = stack.enter_context(contextlib.ExitStack())
        opened.callback(pipeline.close)
        path = folder or new_folder()
        start = stack.enter_context(Start(path))
        # The log first: it refuses a folder that another session writes to, before anything is made there.
        table = open_table(event_path, bench.event, path / LOG, seed=seed, option="--folder")
        stack.callback(table.close)
        start.holds_log = True
        files = MatchFolder(path)
        stack.callback(files.close)
        if record:
            files.record(bench.source.size, bench.source.fps)
        files.keep(bench, limits or Limits(), entries=len(table.match.log.entries))
        start.begun = True
        table.note(calibration=fingerprint(bench.calibration), source=plain_name(bench.source.name))
        feed = LiveFeed(bench.event, table, bench.calibration.camera, bench.colours)
        guard = CameraGuard(bench.first, bench.calibration)
        eyes = Eyes(GuardedTrack(pipeline.update, guard, feed, files, warn))
        seen = Seen(bench, event_path.read_text(encoding="utf-8-sig"), pipeline)
        again = CalibrateAgain(seen, eyes, _takes(table, feed, files, limits or Limits(), warn))
        stack.callback(lambda: again.seen.pipeline.close())
        worker = LiveLoop(
            _frames(bench, source if loop else None),
            eyes,
            feed,
            folder=files,
            event_path=event_path,
            connected=lambda: bench.source.connected,
            warnings=lambda: (*bench.source.warnings, *again.seen.pipeline.warnings),
            tell=warn,
        )
        stack.enter_context(LogKeeper(feed.retry_log))
        on_start()
        with contextlib.suppress(KeyboardInterrupt):
            _announce(door, files, tell)
            if bench.ring_warning is not None:
                show(translate(bench.ring_warning, lang))
                feed.notice("ring", bench.ring_warning)
            tell("session.until_end" if until_end else "session.stop")
            server = server_for(feed, door, lang, error_map=_maps(again), again=again)
            _serve(server, door, worker, until_end)
        worker.stop()
        if bench.source.live:
            # Wakes a loop that waits for a picture. A file must not be closed while it is being decoded.
            bench.source.close()
        worker.wait(10.0)
        tell("session.folder", path=str(files.path))


def _takes(
    table: MatchTable, feed: LiveFeed, files: MatchFolder, limits: Limits, warn: Callable[[Text], None]
) -> Takes:
    """What is exchanged when the camera has been calibrated again; every calibration stands in the log."""

    def take(seen: Seen, frame: Frame, said: Text) -> Callable[[Frame], TrackFrame]:
        bench = seen.bench
        files.keep_again(bench, limits, text=seen.text, entries=len(table.match.log.entries))
        files.remark(said, frame.t)
        note = {"calibration": fingerprint(bench.calibration), "calibrated_again_at": round(frame.t, 3)}
        feed.calibrated_again(bench.event, bench.calibration.camera, note)
        for concern in (*CONCERNS, "unwatched"):
            feed.notice(f"guard.{concern}", None)
        feed.stand(None)
        feed.notice("ring", bench.ring_warning)
        feed.notice("again", said, "neutral")
        warn(said)
        guard = CameraGuard(bench.first, bench.calibration)
        return GuardedTrack(seen.pipeline.update, guard, feed, files, warn)

    return take


def _maps(again: CalibrateAgain) -> Callable[[str], Image]:
    """The error map of the calibration that holds, drawn once for each language."""
    drawn = lru_cache(maxsize=4)(partial(map_layer, caption=False))
    return lambda lang: drawn(again.seen.bench.calibration, lang)


def _frames(bench: Workbench, again: str | None) -> Iterator[Frame]:
    """All frames; those of a file at the speed of life, and those of the file `again` after them for ever."""
    if bench.source.live:
        return bench.frames()
    if again is None:
        return in_real_time(bench.frames())
    return in_real_time(again_and_again(bench.frames(), lambda: _opened(again)))


def _opened(source: str) -> Iterator[Frame]:
    with open_source(source) as opened:
        yield from opened


def _serve(server: uvicorn.Server, door: Door, loop: LiveLoop, until_end: bool) -> None:
    """Run the server in this thread and the loop beside it."""

    def end_with_the_source() -> None:
        loop.wait()
        server.should_exit = True

    loop.start()
    if until_end:
        threading.Thread(target=end_with_the_source, daemon=True).start()
    server.run(sockets=[door.socket])


def _announce(door: Door, files: MatchFolder, tell: Tell) -> None:
    for page, key in (("/", "session.live"), ("/obs", "session.obs"), ("/panel", "session.panel")):
        tell(key, address=door.address(page))
    if door.key:
        tell("session.key")
    if files.recorder is not None:
        tell("session.recording", path=str(files.recorder.path))
