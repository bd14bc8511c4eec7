"""How sure a plan view is: sharp across the view, vague along it, and never surer than the camera."""

import numpy as np

from calibration.ring import RingSpec
from calibration.solve import calibrate
from datasets.figures import random_camera
from vision.measuring.outline_error import outline_covariance
from vision.measuring.silhouette import SHARE_OF_HEIGHT, view_at

RING = RingSpec(64, 64, 14, np.zeros((4, 2)))


def seen(oblique, kind=None, xy=(5.0, 8.0), height=12.0):
    camera = random_camera(np.random.default_rng(3), oblique=oblique)
    clicked = RingSpec(64, 64, 14, camera.project(RING.corners()), camera.project(RING.post_tops()))
    calibration = calibrate(clicked, camera.size)
    px = calibration.camera.project(np.array([[*xy, SHARE_OF_HEIGHT * height]]))[0]
    view = view_at(calibration.camera, np.asarray(xy))
    covariance = outline_covariance(calibration, px, height, kind)
    along, across = (float(np.sqrt(way @ covariance @ way)) for way in (view.away, view.across))
    return along, across, calibration.plane_points(px[None], SHARE_OF_HEIGHT * height)[1][0], covariance


def test_an_oblique_outline_is_much_surer_across_the_view_than_along_it():
    along, across, _, _ = seen(True)
    assert 0.7 < along < 2.0
    assert across < 0.35


def test_from_above_both_are_nearly_as_sure():
    along, across, _, _ = seen(False)
    assert across < along < 0.8


def test_the_depth_of_the_absurd_is_least_known():
    humanoid, absurd = (seen(True, kind)[0] for kind in ("humanoid", "absurd"))
    assert humanoid < absurd


def test_the_cameras_error_is_in_it():
    _, _, camera, whole = seen(True)
    assert np.linalg.eigvalsh(whole - camera).min() > 0
