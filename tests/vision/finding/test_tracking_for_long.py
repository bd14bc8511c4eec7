"""What a long match leaves behind: fragments are handed out and do not pile up."""

from __future__ import annotations

import tracemalloc

from tests.vision.finding.scenes import approach, begin, carry, table, watch
from vision.sources.frames import Frame


def test_closed_fragments_are_handed_out_once() -> None:
    scene = table()
    tracker = begin(scene)
    watch(tracker, scene, 4)
    approach(tracker, scene, "F1")
    carry(tracker, scene, "F1", (12.0, -8.0))
    [(number, fragment)] = tracker.take_closed()
    assert (number, fragment.fighter, fragment.first) == (0, "F1", 0)
    assert fragment.frames_used >= 4
    assert tracker.take_closed() == []


def test_a_long_match_takes_no_more_memory_than_a_short_one() -> None:
    scene = table()
    tracker = begin(scene)
    there: list[Frame] = []
    for by in (12.0, -12.0):
        for away in (40.0, 20.0, 2.0):
            scene.hand = (scene.figures["F1"].x - away, scene.figures["F1"].y, 11.0)
            there.append(scene.frame())
        for step in range(1, 5):
            scene.figures["F1"].x += by / 4
            scene.hand = (scene.figures["F1"].x - 2.0, scene.figures["F1"].y, 12.0 + step % 4)
            there.append(scene.frame())
        scene.hand = None
        there += [scene.frame() for _ in range(5)]
    sizes = []
    tracemalloc.start()
    for lap in range(31):
        for step, frame in enumerate(there):
            index = lap * len(there) + step
            tracker.update(Frame(index, index / 10.0, frame.image))
        if lap % 10 == 0:
            tracker.take_closed()
            sizes.append(tracemalloc.get_traced_memory()[0])
    tracemalloc.stop()
    stands = tracker.stands("F1")
    assert len(stands) > 30
    # What is kept of a stand is four numbers; a fragment's picture would be a hundred kilobytes.
    assert sizes[-1] - sizes[1] < 1000 * len(stands)


def test_fragments_that_nobody_takes_do_not_pile_up() -> None:
    scene = table()
    tracker = begin(scene)
    tracker.update(scene.frame())
    pictures = []
    for _ in range(2):
        for name in ("F2", "F3"):
            scene.figures[name].x += 4.0 if scene.figures[name].x < 13.0 else -4.0
        pictures.append(scene.picture())
    # Both fall over again and again.
    for index in range(1, 4 * 36 + 1):
        tracker.update(Frame(index, index / 10.0, pictures[(index - 1) // 4 % 2]))
    assert len(tracker.stands("F2")) + len(tracker.stands("F3")) > 66
    closed = tracker.take_closed()
    assert len(closed) == 64
    assert closed[-1][0] == tracker.stands("F3")[-1].number - 1
