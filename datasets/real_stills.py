"""Single real pictures: sweets, chocolate buttons, snooker balls, toy figurines, lumps of dough."""

from __future__ import annotations

import json
import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from datasets.real_billiard import read
from datasets.real_scoring import Points, Row, Tally, count, match, row
from datasets.real_teaching import Box, Finder, Lesson, Patch
from vision.arrays import Image
from vision.colour.models import ColourError

OBJECTS = Path("real") / "a_overhead_objects"
LAYER = "colour table + blobs"
_BOXES = Path(__file__).with_name("real_boxes.toml")


@dataclass(frozen=True, eq=False)
class Drawing:
    """A picture with what was found in it, to be looked at."""

    name: str
    image: Image
    patches: Sequence[Patch]
    truth: Points


Result = tuple[list[Row], list[Drawing]]


def boxes(name: str) -> dict[str, Any]:
    """What a person pointed at in a set, from real_boxes.toml."""
    return dict(tomllib.loads(_BOXES.read_text(encoding="utf-8"))[name])


def lesson(entry: Mapping[str, Any]) -> Lesson:
    """The lesson of one entry of real_boxes.toml."""
    taught: dict[str, Box] = {name: _box(numbers) for name, numbers in entry["boxes"].items()}
    grounds, white = ([_box(numbers) for numbers in entry.get(key, ())] for key in ("grounds", "white"))
    return Lesson(taught, float(entry["piece_px"]), grounds, white)


def truth_of(folder: Path) -> dict[str, Any]:
    """A set's truth; OSError when the set is not there."""
    return dict(json.loads((folder / "GROUND_TRUTH.json").read_text(encoding="utf-8")))


def _box(numbers: Sequence[int]) -> Box:
    u, v, w, h = numbers
    return u, v, w, h


def sweets(root: Path) -> Result:
    """Taught on one picture, found in the thirteen others, as taught and with the light followed."""
    folder = root / OBJECTS / "sweets_counted"
    entry = boxes("sweets")
    images = truth_of(folder)["images"]
    rows, drawings = [], []
    for followed in (False, True):
        finder = Finder(read(folder / entry["picture"]), lesson(entry))
        tallies, sure = [], 0
        for name, known in images.items():
            if name == entry["picture"]:
                continue
            image = read(folder / name)
            sure += followed and finder.follow_light(image)
            patches = finder.find(image)
            tallies.append(_sweets_tally(name, known, finder, image, patches))
            drawings.append(Drawing(f"sweets_{name}_{followed}", image, patches, known.get("centres_px", {})))
        how = f"light followed (the meter sure in {sure} of {len(tallies)})" if followed else "as taught"
        rows.append(row(f"sweets_counted, {how}", LAYER, f"4 boxes on {entry['picture']}", tallies))
    return rows, drawings


def _sweets_tally(
    name: str, known: Mapping[str, Any], finder: Finder, image: Image, patches: Sequence[Patch]
) -> Tally:
    if "centres_px" not in known:
        return count(name, known["counts"], patches)
    labels = finder.labels(image)
    return match(name, known["centres_px"], patches, known["radius_px_approx"], labels, finder.colours)


def smarties(root: Path) -> Result:
    """Taught and found in the one picture; pieces cut by its border are no part of the truth."""
    known = truth_of(root / OBJECTS / "opencv_smarties")["images"]["smarties.png"]
    truth = {colour: centres for colour, centres in known.items() if colour != "cut_by_border"}
    truth["green"] = [*truth["green"], [12, 350]]
    truth["brown_black"] = [*truth["brown_black"], [77, 345]]
    return _one_picture(root, "opencv_smarties", "smarties", truth)


def snooker(root: Path) -> Result:
    """Eight colours on green cloth, taught and found in the one picture."""
    known = truth_of(root / OBJECTS / "snooker_photo")["images"]["image-1.jpg"]
    return _one_picture(root, "snooker_photo", "snooker", {c: p for c, p in known.items() if c != "total"})


def _one_picture(root: Path, folder: str, key: str, truth: Points) -> Result:
    entry = boxes(key)
    image = read(root / OBJECTS / folder / entry["picture"])
    taught = lesson(entry)
    finder = Finder(image, taught)
    patches = finder.find(image)
    tally = match(entry["picture"], truth, patches, taught.piece_px / 2, finder.labels(image), finder.colours)
    line = row(folder, LAYER, f"{len(taught.boxes)} boxes on the same picture", [tally])
    return [line], [Drawing(key, image, patches, truth)]


def figurines(root: Path) -> Result:
    """The figure's box against the found patch's: intersection over union."""
    folder = root / OBJECTS / "android_figurines"
    scores, drawings = [], []
    for name, known in truth_of(folder)["images"].items():
        image = read(folder / name)
        patches = Finder(image, lesson(boxes("figurines")[name])).find(image)
        scores.append((name, [overlap(patch.blob.rect, known[0]["box"]) for patch in patches]))
        drawings.append(Drawing(name, image, patches, {}))
    return [_overlaps("android_figurines", "1 box on each picture", scores)], drawings


def overlap(one: Sequence[float], other: Sequence[float]) -> float:
    """Intersection over union of two boxes u0, v0, u1, v1."""
    width = min(one[2], other[2]) - max(one[0], other[0])
    height = min(one[3], other[3]) - max(one[1], other[1])
    both = max(0.0, width) * max(0.0, height)
    areas = [(box[2] - box[0]) * (box[3] - box[1]) for box in (one, other)]
    return float(both / (sum(areas) - both))


def dough(root: Path) -> Result:
    """One lump per picture, taught on one lump for each of the four cameras, found in two others.

    The extents are a person's, read off the picture to 3 px: the set has no masks.
    """
    folder = root / OBJECTS / "dough_lumps"
    entry = boxes("dough")
    grounds = [_box(numbers) for numbers in entry["grounds"]]
    finder = None
    scores, drawings = [], []
    for name, extent in entry["extents"].items():
        image = read(folder / name)
        u0, v0, u1, v1 = extent
        if name in entry["taught"]:
            middle = (round((u0 + u1) / 2) - 6, round((v0 + v1) / 2) - 6, 12, 12)
            finder = Finder(image, Lesson({"dough": middle}, entry["share"] * (u1 - u0), grounds))
            continue
        assert finder is not None
        patches = finder.find(image)
        scores.append((name, [overlap(patch.blob.rect, extent) for patch in patches]))
        drawings.append(Drawing(name, image, patches, {}))
    return [_overlaps("dough_lumps", "1 box for every camera, on another lump", scores)], drawings


def _overlaps(name: str, taught: str, scores: Sequence[tuple[str, Sequence[float]]]) -> Row:
    """One figure per picture: its IoU with the best patch; right from one half on."""
    best = [(max(shares, default=0.0), picture) for picture, shares in scores]
    right = sum(1 for share, _ in best if share >= 0.5)
    found = sum(len(shares) for _, shares in scores)
    least, picture = min(best)
    return Row(
        name, LAYER, taught, len(best), right / found if found else None, right / len(best),
        float(np.median([share for share, _ in best])), least, "IoU (median, least)", f"{picture}",
    )  # fmt: skip


def boxes_taken(root: Path) -> Result:
    """Would a person's box be taken? Nine small boxes inside a piece of every colour, each taught alone.

    A piece is a dark-to-bright ball here; some boxes lie on its shine, as a hasty person's would.
    """
    tallies = []
    for key, folder, picture in (
        ("sweets", "sweets_counted", "16.jpg"),
        ("smarties", "opencv_smarties", "smarties.png"),
        ("snooker", "snooker_photo", "image-1.jpg"),
    ):
        known = truth_of(root / OBJECTS / folder)["images"][picture]
        known = known.get("centres_px", known)
        taught = lesson(boxes(key))
        firsts = {colour: known[colour][0] for colour in taught.boxes}
        tallies.append(_boxes_taken(picture, read(root / OBJECTS / folder / picture), taught, firsts))
    line = row("boxes on one piece, taken", "teaching", "9 boxes on a piece of every colour", tallies)
    return [replace(line, precision=None)], []


def _boxes_taken(picture: str, image: Image, taught: Lesson, firsts: Mapping[str, Sequence[float]]) -> Tally:
    side, step = round(0.15 * taught.piece_px), 0.18 * taught.piece_px
    taken = 0
    why: Counter[str] = Counter()
    for colour, (u, v) in firsts.items():
        for du, dv in product((-step, 0.0, step), repeat=2):
            box = (round(u + du - side / 2), round(v + dv - side / 2), side, side)
            try:
                Finder(image, replace(taught, boxes={colour: box}))
                taken += 1
            except ColourError as error:
                why[f"{colour} {'two colours' if 'two colours' in str(error) else 'other reason'}"] += 1
    return Tally(picture, 9 * len(firsts), taken, 0, (), why)


STILLS = (boxes_taken, sweets, smarties, snooker, figurines, dough)
