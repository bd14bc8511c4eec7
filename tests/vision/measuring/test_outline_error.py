"""How sure a plan view is: sharp across the view, less so along it, and never surer than the camera."""

from functools import cache

import numpy as np

from calibration.ring import RingSpec
from calibration.solve import calibrate
from datasets.figures import photograph, random_camera
from datasets.makers import made
from vision.measuring.outline_error import outline_covariance
from vision.measuring.silhouette import SHARE_OF_HEIGHT, Silhouette
from vision.shape.look import look_at
from vision.shape.plan import rim_sds

RING = RingSpec(64, 64, 14, np.zeros((4, 2)))


@cache
def seen(oblique, maker="stout"):
    """Sds along and across the view in cm, the covariance of the camera alone, and the whole one."""
    rng = np.random.default_rng(3)
    camera = random_camera(rng, oblique=oblique)
    clicked = RingSpec(64, 64, 14, camera.project(RING.corners()), camera.project(RING.post_tops()))
    calibration, figure = calibrate(clicked, camera.size), made(rng, maker)
    look = photograph(figure.placed(np.array([5.0, 8.0]), 30.0), camera, rng)
    silhouette = Silhouette(look.origin, look.silhouette)
    here = look_at(camera, silhouette, figure.height, figure.kind).facing(np.radians(30.0))
    stand, px = here.look.stand, silhouette.steady_centroid
    whole = outline_covariance(calibration, px, stand, rim_sds([here], here))
    along, across = (float(np.sqrt(way @ whole @ way)) for way in (stand.away, stand.across))
    return along, across, calibration.plane_points(px[None], SHARE_OF_HEIGHT * figure.height)[1][0], whole


def test_an_oblique_outline_is_surer_across_the_view_than_along_it():
    along, across, _, _ = seen(True)
    assert along < 1.5
    assert across < 0.75 * along


def test_from_above_both_are_sure():
    along, across, _, _ = seen(False)
    assert max(along, across) < 0.8


def test_the_absurd_are_known_least():
    humanoid, absurd = (seen(True, maker)[0] for maker in ("stout", "absurd"))
    assert humanoid < absurd


def test_the_cameras_error_is_in_it():
    _, _, camera, whole = seen(True)
    assert np.linalg.eigvalsh(whole - camera).min() > 0
