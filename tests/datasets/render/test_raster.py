"""What the z-buffer draws of a mesh that runs past the camera."""

import numpy as np

from datasets.render.meshes import Mesh
from datasets.render.raster import NOTHING, Layer, draw
from tests.overlay.table import camera


def strip(z_from, z_to, count=60):
    """A narrow strip of small triangles that rises over the table's middle, seen from both sides."""
    z = np.linspace(z_from, z_to, count)
    left, right = (np.column_stack([np.full(count, x), np.zeros(count), z]) for x in (-0.4, 0.4))
    k = np.arange(count - 1)
    faces = np.vstack(
        [np.column_stack([k, k + 1, k + count]), np.column_stack([k + 1, k + 1 + count, k + count])]
    )
    return Mesh(np.vstack([left, right]), np.vstack([faces, faces[:, ::-1]]), np.full((2 * count, 3), 0.5))


def seen(mesh, view):
    layer = Layer.empty(view.size)
    draw(layer, mesh, view, 3)
    return layer.label != NOTHING


def test_an_arm_that_passes_the_camera_is_drawn_where_it_is_before_it_and_nowhere_else():
    view = camera()
    above = view.centre[2]
    arm = strip(0.0, 2 * above)
    depths = arm.vertices @ view.rotation[2] + view.tvec[2]
    assert depths.min() < 0 < depths.max()
    before = Mesh(arm.vertices, arm.faces[(depths[arm.faces] > 4.0).all(axis=1)], arm.colours)
    # What is near the camera's plane is pushed into it: there a point falls endlessly far from the picture.
    near = (np.abs(depths) < 4.0)[:, None]
    vertices = arm.vertices - near * (depths[:, None] - 1e-17) * view.rotation[2]
    whole = Mesh(vertices, arm.faces, arm.colours)
    np.testing.assert_array_equal(seen(whole, view), seen(before, view))
    assert seen(before, view).sum() > 50
