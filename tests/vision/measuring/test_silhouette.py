"""The silhouette's middle and how much of its outline is undecided."""

import cv2
import numpy as np
import pytest

from vision.measuring.silhouette import Silhouette

DISC = (np.hypot(*(np.indices((80, 90)) - np.array([40, 45])[:, None, None])) < 22).astype(np.float32)


def blurred(sd):
    return Silhouette((100, 200), np.asarray(cv2.GaussianBlur(DISC, (0, 0), sd), np.float32))


def test_the_middle_of_a_disc_is_its_centre_in_picture_pixels():
    np.testing.assert_allclose(Silhouette((100, 200), DISC).steady_centroid, [145, 240], atol=0.05)


def test_a_sharp_outline_is_certain_and_a_blurred_one_as_uncertain_as_it_is_wide():
    assert Silhouette((0, 0), DISC).edge_sd == 0.0
    narrow, wide = blurred(1.0).edge_sd, blurred(3.0).edge_sd
    # 2 % to 98 % of a blurred step are 4.1 sd of the blur; the outline is anywhere in there
    assert narrow == pytest.approx(4.1 / np.sqrt(12), rel=0.2)
    assert wide == pytest.approx(3 * narrow, rel=0.15)


def test_a_thin_part_pulls_the_middle_less_than_its_area_would():
    tailed = DISC.copy()
    tailed[38:43, 62:88] = 1.0
    silhouette = Silhouette((0, 0), tailed)
    steady, plain = silhouette.steady_centroid[0] - 45, silhouette.pixels.mean(axis=0)[0] - 45
    assert 0 < steady < 0.75 * plain
