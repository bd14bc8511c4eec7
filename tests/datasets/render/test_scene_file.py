"""Scene files: what is wrong is said with file, line and key; drawn scenes are files that load."""

import pytest

from datasets.render.draw import as_toml, drawn, parser
from datasets.render.scene_file import SceneError, load_scene

SCENE = """
seed = 1
seconds = 4

[camera]
at_cm = [0, -80, 120]
focal_px = 900

[[light]]
kind = "sky"
strength = 1

[[fighter]]
id = "F1"
class = "beast"
seed = 3
colour = "#b3221c"
height_cm = 8
at_cm = [0, 0]
facing_deg = 90
"""
CARRY = """
[[carry]]
fighter = "F1"
begin_s = 1
end_s = 2
to_cm = [5, 5]
facing_deg = 0
arm_deg = -90
"""


def problems(tmp_path, text):
    path = tmp_path / "scene.toml"
    path.write_text(text)
    with pytest.raises(SceneError) as error:
        load_scene(path)
    return str(error.value).replace(str(path), "scene.toml")


def test_a_scene_loads_with_its_defaults(tmp_path):
    path = tmp_path / "scene.toml"
    path.write_text(SCENE + CARRY)
    scene = load_scene(path)
    assert scene.ring.width_cm == 70
    assert scene.carry[0].reach_s == 0.5


def test_every_problem_is_said_with_line_and_key(tmp_path):
    said = problems(tmp_path, SCENE.replace("focal_px", "focal").replace("height_cm = 8", "height_cm = 80"))
    assert said.splitlines() == [
        "scene.toml, line 5: camera.focal_px: this key is missing",
        "scene.toml, line 7: camera.focal: there is no such key: look for a typo",
        "scene.toml, line 18: fighter.0.height_cm: Input should be less than or equal to 30",
    ]


@pytest.mark.parametrize(
    ("text", "part"),
    [
        (SCENE + CARRY.replace('"F1"', '"F9"'), 'the fighter "F9", who is not in the scene'),
        (SCENE + CARRY.replace("begin_s = 1", "begin_s = 0.2"), "move its begin_s"),
        (SCENE + CARRY.replace("end_s = 2", "end_s = 1.1"), "takes less than 0.3 s"),
        (SCENE.replace("seconds = 4", "") + CARRY, "a still has no carries"),
        (SCENE + "[[fighter", "this is not valid TOML"),
        ("a = " + "[" * 50_000, "nested too deeply"),
        (SCENE + SCENE[SCENE.index("[[fighter") :], "two fighters have the same id"),
    ],
)
def test_what_contradicts_itself_is_refused(tmp_path, text, part):
    assert part in problems(tmp_path, text)


def test_a_file_that_is_not_there_is_one_sentence(tmp_path):
    with pytest.raises(SceneError, match="cannot be read"):
        load_scene(tmp_path / "none.toml")


@pytest.mark.parametrize("camera", ["oblique", "overhead", "near", "far"])
def test_a_drawn_scene_is_a_file_that_loads_and_holds_the_whole_ring(tmp_path, camera):
    wants = ["--seed", "5", "--out", str(tmp_path), "--camera", camera, "--carries", "3", "--falls", "1"]
    tables = drawn(parser().parse_args(wants))
    path = tmp_path / "scene.toml"
    path.write_text(as_toml(tables))
    scene = load_scene(path)
    assert [carry.falls for carry in scene.carry] == [False, True, False]
    assert len(scene.fighter) == 6
    assert as_toml(drawn(parser().parse_args(wants))) == path.read_text()
