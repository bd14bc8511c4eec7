"""What would be left if a source of errors were gone is measured with the truth in its place."""

from __future__ import annotations

import re

import pytest

from datasets import ideal
from datasets.accuracy import LIBRARY, load_clip, measure_draw
from datasets.render.scene_file import load_scene
from datasets.render.timeline import Timeline
from vision.measuring.measurer import Measurer


@pytest.mark.slow
@pytest.mark.nightly
def test_a_true_silhouette_is_taken_instead_of_the_one_cut_out() -> None:
    clip = load_clip(LIBRARY / "L02")
    mattes = ideal.exact_silhouettes(clip, Timeline(load_scene(LIBRARY / "L02" / "scene.toml")))
    assert set(mattes) == {(fragment.fighter, number) for number, fragment, _ in clip.fragments}
    cut_out, exact = (
        measure_draw(clip, 0, measurer_of=one).standing for one in (Measurer, ideal.measurer_with(mattes))
    )
    assert len(cut_out) == len(exact)
    assert all(one.error != other.error for one, other in zip(cut_out, exact, strict=True))


@pytest.mark.slow
@pytest.mark.nightly
def test_the_table_has_a_line_for_every_way(capsys: pytest.CaptureFixture[str]) -> None:
    assert ideal.main([str(LIBRARY / "L02"), "--draws", "1"]) == 0
    table = capsys.readouterr().out
    tapped = [float(one) for one in re.findall(r"^\| [a-z][^|]* \| ([\d.]+) /", table, re.MULTILINE)]
    assert len(tapped) == 5
    # a figure whose feet were tapped exactly is nearly where it was tapped
    assert tapped[2] < 0.6 * tapped[0]
