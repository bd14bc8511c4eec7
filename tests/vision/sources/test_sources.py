"""One contract for every source of pictures."""

from __future__ import annotations

from itertools import islice, pairwise

import numpy as np
import pytest

from tests.vision.sources.made import (
    COUNT,
    HEIGHT,
    WIDTH,
    number_of,
)
from vision.sources.open import FrameSource


def test_every_source_gives_pictures_of_its_size_numbered_from_zero(source: FrameSource) -> None:
    frames = list(islice(source, COUNT))
    assert [frame.index for frame in frames] == list(range(COUNT))
    assert source.size == (WIDTH, HEIGHT)
    assert all(frame.image.shape == (HEIGHT, WIDTH, 3) and frame.image.dtype == np.uint8 for frame in frames)


def test_every_source_gives_pictures_in_order_with_growing_times(source: FrameSource) -> None:
    frames = list(islice(source, COUNT))
    times = [frame.t for frame in frames]
    assert times[0] == pytest.approx(0.0, abs=0.5)
    assert all(a < b for a, b in pairwise(times))
    numbers = [number_of(frame.image) for frame in frames]
    assert all(a < b for a, b in pairwise(numbers))
    assert not any(frame.gap for frame in frames)


def test_every_source_ends_when_it_is_closed_and_closes_twice(source: FrameSource) -> None:
    iterator = iter(source)
    next(iterator)
    source.close()
    source.close()
    assert len(list(iterator)) == 0


def test_only_a_stream_does_not_know_how_many_frames_it_has(
    source: FrameSource,
) -> None:
    assert source.frame_count == (None if source.live else COUNT)
