"""What the matte's network is taught with: crops whose exact silhouettes lie where their figures are."""

from dataclasses import fields

import numpy as np
import pytest

from datasets.matte_lessons import Sample, lessons, load, save
from datasets.matte_samples import Modelled, crops, drawn
from datasets.render.preview import Preview
from vision.measuring.refining import PLANES


@pytest.fixture(scope="module")
def found() -> list[Sample]:
    timeline = Modelled(drawn(11))
    return list(crops(timeline, Preview(timeline).picture(timeline.state(0.0)), 11))


def test_a_still_is_decided_by_its_seed() -> None:
    assert drawn(5) == drawn(5)
    assert drawn(5) != drawn(6)


@pytest.mark.slow
def test_exact_silhouettes_lie_where_the_table_saw_the_figures(found: list[Sample]) -> None:
    assert len(found) >= 4
    seen = [one.support[one.exact > 0.5].mean() for one in found]
    beside = [one.support[one.exact < 0.01].mean() for one in found]
    assert np.median(seen) > 0.7
    assert np.median(beside) < 0.1


@pytest.mark.slow
def test_crops_are_kept_and_read_with_other_luck(found: list[Sample], tmp_path) -> None:
    save(found, tmp_path / "still0011.npz")
    again = load(tmp_path / "still0011.npz")
    for one, other in zip(found, again, strict=True):
        for field in fields(Sample):
            kept, was = getattr(other, field.name), getattr(one, field.name)
            np.testing.assert_allclose(kept, was, atol=0.1)
    plain, changed = lessons(again), lessons(again, np.random.default_rng(1))
    assert len(plain) == len(again)
    for one in [*plain, *changed]:
        assert one.planes.shape == (PLANES, *one.exact.shape)
        assert np.isfinite(one.planes).all()
    assert any((a.planes != b.planes).any() for a, b in zip(plain, changed, strict=False))
