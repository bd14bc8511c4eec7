"""A small scene for the tests of the renderer."""

import pytest

from datasets.render.scene_file import Scene


def _small_scene(**changes):
    """Three fighters before an oblique camera of 480 x 270 pixels."""
    fighters = [
        {"id": "F1", "class": "humanoid", "seed": 2, "colour": "#b3221c", "height_cm": 13, "at_cm": [-14, 8]},
        {"id": "F2", "class": "beast", "seed": 1, "colour": "#e2a70f", "height_cm": 9, "at_cm": [13, 10]},
        {"id": "F3", "class": "absurd", "seed": 0, "colour": "#2a4b9b", "height_cm": 9, "at_cm": [2, -14]},
    ]
    tables = {
        "seed": 5,
        "ring": {"width_cm": 62, "depth_cm": 58, "post_height_cm": 13,
                 "rope": [{"height_cm": 6, "colour": "#e8e8e8"}]},
        "camera": {"size": (640, 360), "at_cm": (5, -78, 118), "look_at_cm": (0, 2, 2), "focal_px": 690,
                   "dist": (-0.2, 0.05, 0.0004, -0.0003, 0.0)},
        "light": [{"kind": "area", "strength": 0.6, "at_cm": (60, 40, 180)},
                  {"kind": "sky", "strength": 0.35}],
        "picture": {"noise": 1.0, "crf": 18},
        "fighter": [
            {"facing_deg": -60.0 + 110 * k, "second_colour": f["colour"], **f} for k, f in enumerate(fighters)
        ],
        **changes,
    }  # fmt: skip
    return Scene.model_validate(tables)


@pytest.fixture
def small_scene():
    """Makes the small scene, some of its tables changed."""
    return _small_scene
