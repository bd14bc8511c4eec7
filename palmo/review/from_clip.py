"""A recorded clip made into a match folder, so that a dispute can be settled on any clip."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from palmo.errors import SaidError, reason, said
from palmo.recorder import VideoWriter
from palmo.review.setup_file import REMARKS, new_session
from palmo.ring_file import plain_of
from palmo.tracking import Tick, Tracked, save_tracks, track_recording
from vision.sources.open import open_source


def folder_of_clip(clip: str, event_path: Path, folder: Path, *, tick: Tick | None = None) -> Path:
    """Follow a clip and keep it with its positions as a session of a match folder; returns its folder.

    The clip is copied byte for byte; a folder of pictures is made into a video. Raises what `palmo track`
    raises, and PalmoError when the folder cannot be written.
    """
    tracked = track_recording(clip, event_path, tick=tick)
    session = new_session(folder, tracked.bench, live=False)
    try:
        source = Path(clip)
        if source.is_file():
            video = session / f"000000{source.suffix.lower() or '.video'}"
            shutil.copyfile(source, video)
        else:
            video = session / "000000.mp4"
            _filmed(clip, tracked, video)
        lines = [{"t": None, "text": plain_of(said(one))} for one in tracked.warnings]
        text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
        (session / REMARKS).write_text(text, encoding="utf-8")
    except OSError as error:
        raise SaidError("error.folder.unwritten", path=session, why=reason(error)) from None
    save_tracks(video.with_suffix(".jsonl"), tracked.frames)
    return session


def _filmed(clip: str, tracked: Tracked, video: Path) -> None:
    """Make one video of a folder's pictures."""
    opened = tracked.bench.source
    with open_source(clip) as source, VideoWriter(video, opened.size, opened.fps or 10.0) as writer:
        for frame in source:
            writer.write(frame.image, frame.t)
