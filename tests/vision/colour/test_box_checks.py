"""A colour box should lie on one colour: where it is parted, and what shading and shine must not spoil."""

from __future__ import annotations

import os
import tomllib
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.furniture import furniture_mask
from calibration.ring import RingSpec
from calibration.solve import calibrate
from tests.vision.tables import MAT, RED
from vision.colour.box_checks import parts_of_box
from vision.colour.models import teach_background
from vision.colour.teaching import Grounds, Palette, teach_palette
from vision.fighters import FighterSpec
from vision.finding.region import TableView
from vision.sources.open import open_source

DATA = os.environ.get("PALMO_DATA")
Image = NDArray[np.uint8]
SIDE = 10


def picture(left: tuple[int, int, int], right: tuple[int, int, int]) -> Image:
    """Two colours side by side on a mat, their border blurred as a lens does."""
    image = np.full((120, 120, 3), MAT, np.float64)
    image[30:90, 30:60], image[30:90, 60:90] = left, right
    image = cv2.GaussianBlur(image, (0, 0), 1.0) + np.random.default_rng(0).normal(0, 2.5, image.shape)
    return np.asarray(np.clip(np.round(image), 0, 255), dtype=np.uint8)


def parts(image: Image, left_share: float) -> list[float]:
    """How much of each part of a box is on the left colour, this share of it being so."""
    spec = FighterSpec("F1", 12.0, 0.0, (60.0 - round(left_share * SIDE), 55.0, float(SIDE), float(SIDE)))
    mat = np.ones(image.shape[:2], bool)
    mat[25:95, 25:95] = False
    return [
        float(part[:, :60].sum() / part.sum())
        for part in parts_of_box(image, spec, teach_background(image, mat, 3))
    ]


@pytest.mark.parametrize("share", [0.4, 0.5, 0.6])
@pytest.mark.parametrize("other", [MAT, (150, 75, 40), (40, 40, 40), (60, 150, 70)])
def test_a_box_partly_on_another_colour_is_parted_where_they_meet(
    other: tuple[int, int, int], share: float
) -> None:
    on_the_left = sorted(parts(picture(RED, other), share))
    assert len(on_the_left) == 2
    assert on_the_left[0] < 0.2
    assert on_the_left[1] > 0.8


@pytest.mark.parametrize("share", [0.8, 0.9, 1.0])
def test_a_box_hardly_over_the_edge_is_taken_whole(share: float) -> None:
    assert len(parts(picture(RED, MAT), share)) == 1


@pytest.mark.parametrize("shade", [0.5, 0.7, 1.3])
@pytest.mark.parametrize("colour", [RED, (150, 75, 40), (60, 150, 70), (50, 120, 225)])
def test_shade_and_light_of_one_colour_are_one_colour(colour: tuple[int, int, int], shade: float) -> None:
    blue, green, red = (min(255, round(c * shade)) for c in colour)
    assert len(parts(picture(colour, (blue, green, red)), 0.5)) == 1


def taught(name: str) -> tuple[Image, list[FighterSpec], Palette]:
    folder = Path(DATA or "") / "clips" / name
    event = tomllib.loads((folder / "event.toml").read_text())
    ring = event["ring"]
    with open_source(str(folder / "clip.mp4")) as source:
        image = next(iter(source)).image
    spec = RingSpec(
        ring["width_cm"], ring["depth_cm"], ring["post_height_cm"],
        np.array(ring["corners_px"]), np.array(ring["post_tops_px"]),
    )  # fmt: skip
    calibration = calibrate(spec, (image.shape[1], image.shape[0]), image=image)
    fighters = [
        FighterSpec(f["id"], f["height_cm"], f["facing_deg"], tuple(f["colour_box_px"]))
        for f in event["fighter"]
    ]
    table = TableView(calibration.camera, spec.width_cm, spec.depth_cm)
    grounds = Grounds(table.watched, table.mat, furniture_mask(calibration, 2.0))
    return image, fighters, teach_palette(image, fighters, grounds, table)


@pytest.mark.skipif(DATA is None, reason="PALMO_DATA does not name the folder with the clips")
@pytest.mark.parametrize("name", ["S1", "S2", "S3"])
def test_a_jittered_box_on_a_figure_is_never_parted_and_one_half_off_it_often_is(name: str) -> None:
    image, fighters, palette = taught(name)
    rng = np.random.default_rng(5)
    on, off = [], []
    for spec, found in zip(fighters, palette.fighters, strict=True):
        assert spec.colour_box_px is not None
        unlike_the_mat = np.median(palette.mat.nearest(found.sample)) > 5.0
        u, v, _, _ = (round(x) for x in spec.colour_box_px)
        for left, top in np.array([u, v]) + rng.integers(-25, 26, (120, 2)):
            box = (float(left), float(top), float(SIDE), float(SIDE))
            share = found.region[top : top + SIDE, left : left + SIDE].mean()
            if share >= 0.8:
                on.append(len(parts_of_box(image, replace(spec, colour_box_px=box), palette.mat)) > 1)
            elif 0.4 < share < 0.6 and unlike_the_mat:
                off.append(len(parts_of_box(image, replace(spec, colour_box_px=box), palette.mat)) > 1)
    assert len(on) > 50
    assert not any(on)
    assert np.mean(off) > 0.25
