"""`python -m datasets.render`: a preview clip made from a file is tracked, and the tracks fit its truth."""

import cv2
import numpy as np
import pytest

from datasets.render.__main__ import main
from palmo.cli import run
from palmo.evaluate.report import evaluate
from palmo.evaluate.truth import load_truth
from vision.tracks_file import read_tracks

FIGURES = (
    ("humanoid", 2, "#b3221c", 13, [-14, 8], -60),
    ("beast", 1, "#e2a70f", 9, [13, 10], 50),
    ("absurd", 0, "#2a4b9b", 9, [2, -14], 160),
)
HEAD = """
seed = 5
seconds = {seconds}

[ring]
width_cm = 62
depth_cm = 58
post_height_cm = 13

[camera]
size = [{width}, {height}]
at_cm = [5, -78, 118]
look_at_cm = [0, 2, 2]
focal_px = {focal}
dist = [-0.2, 0.05, 0.0004, -0.0003, 0.0]

[[light]]
kind = "area"
strength = 0.6
at_cm = [60, 40, 180]

[[light]]
kind = "sky"
strength = 0.35

[picture]
noise = 1.0
crf = 18
"""
CARRY = """
[[carry]]
fighter = "F1"
begin_s = 1.2
end_s = 2.2
to_cm = [-2, 4]
facing_deg = -10
arm_deg = -150
"""


def scene_file(folder, *, width=960, height=540, seconds=4.0, extra=CARRY):
    text = HEAD.format(width=width, height=height, focal=1.07 * width, seconds=seconds)
    for number, (kind, seed, colour, tall, at, facing) in enumerate(FIGURES):
        text += f'\n[[fighter]]\nid = "F{number + 1}"\nclass = "{kind}"\nseed = {seed}\ncolour = "{colour}"\n'
        text += f'second_colour = "{colour}"\nheight_cm = {tall}\nat_cm = {at}\nfacing_deg = {facing}\n'
    path = folder / "scene.toml"
    path.write_text(text + extra)
    return path


@pytest.mark.nightly
def test_a_preview_clip_is_tracked_where_its_truth_says(tmp_path, capsys):
    out = tmp_path / "out"
    assert main([str(scene_file(tmp_path)), "--out", str(out), "--preview"]) == 0
    assert "picture 40 of 40" in capsys.readouterr().err
    tracks = out / "tracks.jsonl"
    assert (
        run(["track", str(out / "clip.mp4"), "--event", str(out / "event.toml"), "--out", str(tracks)]) == 0
    )
    found = evaluate(read_tracks(tracks), load_truth(out / "truth.json"))
    assert found.standing.wrong_identity == 0
    assert found.standing.missing == 0
    assert found.standing.position_cm.median < 0.6
    (move,) = found.moves.moves
    assert move.true_cm == pytest.approx(np.hypot(12, 4), abs=0.01)
    assert abs(move.length_error_cm) < 0.8


def test_a_still_is_one_picture_with_truth(tmp_path):
    scene = scene_file(tmp_path, width=320, height=180, extra="")
    scene.write_text(scene.read_text().replace("seconds = 4.0\n", ""))
    out = tmp_path / "out"
    assert main([str(scene), "--out", str(out), "--preview"]) == 0
    assert cv2.imread(str(out / "still.jpg")).shape == (180, 320, 3)
    assert len(load_truth(out / "truth.json").frames) == 1
    assert (out / "scene.toml").read_text() == scene.read_text()


def test_the_same_scene_is_the_same_clip_again(tmp_path):
    scene = scene_file(tmp_path, width=160, height=90, seconds=0.3, extra="")
    for name in ("one", "other"):
        assert main([str(scene), "--out", str(tmp_path / name), "--preview"]) == 0
    for name in ("clip.mp4", "truth.json", "event.toml"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "other" / name).read_bytes()


def test_what_is_wrong_is_one_sentence_and_exit_2(tmp_path, capsys):
    assert main([str(tmp_path / "none.toml"), "--out", str(tmp_path)]) == 2
    assert "cannot be read" in capsys.readouterr().err
    assert main(["--library", "no-such-clip"]) == 2
    assert "there is no no-such-clip in the library" in capsys.readouterr().err
