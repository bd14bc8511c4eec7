"""The network that refines the matte: what it answers, and what it is worth."""

import numpy as np
import pytest

from datasets.accuracy import LIBRARY, load_clip
from datasets.render.scene_file import load_scene
from datasets.render.timeline import Timeline
from datasets.silhouettes import exact_silhouette
from vision.measuring.matte import Crop
from vision.measuring.refining import MOST_LOG_ODDS, PLANES, log_odds, refined
from vision.measuring.shadows import Shadows


@pytest.mark.parametrize("shape", [(64, 48), (61, 43), (9, 130)])
def test_every_crop_has_log_odds_for_each_of_its_pixels(shape: tuple[int, int]) -> None:
    rng = np.random.default_rng(2)
    planes = rng.normal(size=(PLANES, *shape)).astype(np.float32)
    alpha = rng.random(shape).astype(np.float32)
    found = refined(planes, alpha)
    assert found.shape == shape
    assert found.dtype == np.float32
    assert np.isfinite(found).all()
    np.testing.assert_array_equal(found, refined(planes, alpha))


def test_log_odds_are_cut_off_where_the_matte_is_sure() -> None:
    odds = log_odds(np.array([0.0, 0.5, 1.0], np.float32))
    np.testing.assert_allclose(odds, [-MOST_LOG_ODDS, 0, MOST_LOG_ODDS], atol=1e-3)


@pytest.mark.slow
def test_a_white_figure_on_cream_is_cut_better_than_by_its_colours_alone() -> None:
    clip = load_clip(LIBRARY / "L08")
    timeline, shadows = Timeline(load_scene(LIBRARY / "L08" / "scene.toml")), Shadows()
    first = [fragment for number, fragment, _ in clip.fragments if number == 0]
    crops = {one.fighter: Crop(one.mean, one.support, None, one.others) for one in first}
    for fighter, crop in crops.items():
        crop.teach(shadows, fighter)
    white = next(one for one in first if one.fighter == "F4")
    exact = exact_silhouette(timeline, white, 0.0) > 0.5
    before, after = (
        np.count_nonzero((alpha > 0.5) & exact) / np.count_nonzero((alpha > 0.5) | exact)
        for alpha in (crops["F4"].read(shadows).alpha, crops["F4"].coverage(shadows))
    )
    assert after > before + 0.1
