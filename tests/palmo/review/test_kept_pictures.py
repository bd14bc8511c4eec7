"""What `palmo live` keeps of a clip is as good as the clip when somebody measures anew on it."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from palmo.demo_files import DEMO_EVENT
from palmo.live.buffer import Limits, RingBuffer
from palmo.stays import Stay, stays
from palmo.tracking import track_recording
from vision.sources.open import open_source
from vision.tracks_file import read_tracks


@pytest.mark.slow
def test_a_move_measured_on_the_kept_pictures_is_the_clips_to_a_third_of_a_millimetre(
    original: Path, short_clip: Path, tmp_path: Path
) -> None:
    followed = read_tracks(original / "evidence" / "1" / "000000.jsonl")
    session = tmp_path / "evidence" / "1"
    session.mkdir(parents=True)
    with open_source(str(short_clip)) as source:
        buffer = RingBuffer(session, source.size, source.fps, Limits())
        for frame, tracked in zip(source, followed, strict=True):
            buffer.write(frame, tracked)
        buffer.close()
    again = track_recording(str(session / "000000.mp4"), DEMO_EVENT).frames
    assert len(again) == len(read_tracks(session / "000000.jsonl")) < len(followed), "still ones are left out"

    (before, after), (kept_before, kept_after) = stays(followed, "F1"), stays(again, "F1")
    assert 10 * abs(_apart(kept_before, kept_after) - _apart(before, after)) < 0.3


def _apart(before: Stay, after: Stay) -> float:
    one, other = before.track, after.track
    assert None not in (one.x, one.y, other.x, other.y)
    return math.dist((one.x or 0.0, one.y or 0.0), (other.x or 0.0, other.y or 0.0))
