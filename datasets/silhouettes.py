"""How right silhouettes are: `python -m datasets.silhouettes`.

The clips of `datasets/library` were rendered from meshes, so that what every fragment shows of its figure is
known exactly. What is cut out of the pictures is compared with it, worst first.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera
from calibration.furniture import furniture_mask
from calibration.solve import calibrate
from datasets.accuracy import LIBRARY, Clip, load_clip
from datasets.render.raster import Layer, draw
from datasets.render.scene_file import load_scene
from datasets.render.timeline import Timeline
from vision.fragments import Fragment
from vision.measuring.matte import Crop, MatteError
from vision.measuring.shadows import Shadows
from vision.measuring.silhouette import SHARE_OF_HEIGHT, Silhouette

Float = NDArray[np.float32]

# Rays along a pixel's side.
_FINER = 4
# An outline's pixels lie within this of it.
_BAND_PX = 4
_FEWEST_PX = 12


@dataclass(frozen=True)
class Compared:
    """A measured silhouette against the exact one: overlap (IoU), how far the steady middle is off (mm at its
    height), how far the outline lies outward on average (px), the shares of the area too much and lacking."""

    where: str
    overlap: float
    middle_mm: float
    outward_px: float
    extra: float
    missing: float


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare the silhouettes of clips and print the table."""
    parser = argparse.ArgumentParser(prog="python -m datasets.silhouettes", description=__doc__)
    parser.add_argument("clips", nargs="*", type=Path, help="folders with clip, event, truth and scene.toml")
    parser.add_argument("--worst", type=int, default=25, help="how many to name")
    options = parser.parse_args(arguments)
    folders = options.clips or sorted(path.parent for path in LIBRARY.glob("L*/clip.mp4"))
    found = [one for folder in folders for one in compared_clip(folder)]
    print(as_markdown(found, options.worst))
    return 0


def compared_clip(folder: Path) -> Iterator[Compared]:
    """All fragments of a clip; shadows are learned in the order of the fragments, as in a match."""
    clip = load_clip(folder)
    timeline = Timeline(load_scene(folder / "scene.toml"))
    furniture = furniture_mask(calibrate(clip.spec, clip.camera.size, image=clip.first.image))
    heights = {spec.id: spec.height_cm for spec in clip.fighters}
    shadows = Shadows()
    for number, fragment, _ in clip.fragments:
        exact = exact_silhouette(timeline, fragment, still_seconds(clip, fragment))
        if np.count_nonzero(exact > 0.5) < _FEWEST_PX:
            # found where the figure is not: no question of its outline
            continue
        (u, v), (height, width) = fragment.origin, fragment.support.shape
        unknown = furniture[v : v + height, u : u + width]
        try:
            crop = Crop(fragment.mean, fragment.support, unknown, fragment.others)
            crop.teach(shadows, (fragment.fighter, number))
            alpha = crop.coverage(shadows)
        except MatteError:
            continue
        where = f"{clip.name} {fragment.fighter}, fragment {number}"
        yield compared(where, fragment.origin, alpha, exact, clip.camera, heights[fragment.fighter])


def exact_silhouette(timeline: Timeline, fragment: Fragment, seconds: float) -> Float:
    """The share (H, W) of each pixel of a fragment's crop that is its figure, past the others but as if ropes
    and posts were not there."""
    state = timeline.state(seconds)
    layer = Layer.empty((fragment.support.shape[1] * _FINER, fragment.support.shape[0] * _FINER))
    camera = _cropped(state.camera, fragment.origin, fragment.support.shape)
    wanted = -1
    for number, (id_, figure) in enumerate(timeline.figures.items()):
        stand = state.stands[id_]
        draw(layer, figure.mesh.moved(stand.rotation, stand.offset), camera, number)
        wanted = number if id_ == fragment.fighter else wanted
    rows, columns = fragment.support.shape
    mine = (layer.label == wanted).reshape(rows, _FINER, columns, _FINER)
    return np.asarray(mine.mean(axis=(1, 3)), np.float32)


def compared(
    where: str, origin: tuple[int, int], alpha: Float, exact: Float, camera: Camera, height_cm: float
) -> Compared:
    """A silhouette (H, W) against the exact one."""
    found, true = alpha > 0.5, exact > 0.5
    middles = np.array([Silhouette(origin, one).steady_centroid for one in (alpha, exact)])
    here, there = camera.to_plane(middles, SHARE_OF_HEIGHT * height_cm)
    area = np.count_nonzero(true)
    return Compared(
        where,
        overlap=float(np.count_nonzero(found & true) / np.count_nonzero(found | true)),
        middle_mm=10 * float(np.hypot(*(here - there))),
        outward_px=_outward(alpha, exact),
        extra=float(np.count_nonzero(found & ~true) / area),
        missing=float(np.count_nonzero(true & ~found) / area),
    )


def as_markdown(found: Sequence[Compared], worst: int) -> str:
    """The summary, and the worst by how far their middle is off."""
    overlap, middle = np.array([[one.overlap, one.middle_mm] for one in found]).T
    outward = np.array([one.outward_px for one in found])
    lines = [
        f"{len(found)} silhouettes: IoU {np.median(overlap):.2f} (median) and "
        f"{np.percentile(overlap, 5):.2f} (5 %), middles {np.median(middle):.1f} mm and "
        f"{np.percentile(middle, 95):.1f} mm (95 %) off, outlines {np.median(outward):+.2f} px outward "
        f"({np.percentile(outward, 5):+.2f} to {np.percentile(outward, 95):+.2f}).",
        "",
        "| silhouette | IoU | middle off, mm | outward, px | too much | lacking |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for one in sorted(found, key=lambda one: -one.middle_mm)[:worst]:
        lines.append(
            f"| {one.where} | {one.overlap:.2f} | {one.middle_mm:.1f} | {one.outward_px:+.2f} "
            f"| {one.extra:.0%} | {one.missing:.0%} |"
        )
    return "\n".join(lines) + "\n"


def still_seconds(clip: Clip, fragment: Fragment) -> float:
    """The middle of the time in which nobody touched the figure."""
    frames = range(fragment.first, fragment.last + 1)
    still = [frame for frame in frames if clip.truth.frames[frame][fragment.fighter].still]
    return clip.truth.times[still[len(still) // 2]]


def _cropped(camera: Camera, origin: tuple[int, int], shape: tuple[int, ...]) -> Camera:
    """A camera that sees only a crop, with more rays a pixel; pixel middles stay at whole numbers."""
    K = camera.K.copy()
    K[:2, 2] -= origin
    K[:2] *= _FINER
    K[:2, 2] += (_FINER - 1) / 2
    return replace(camera, K=K, size=(shape[1] * _FINER, shape[0] * _FINER))


def _outward(alpha: Float, exact: Float) -> float:
    """How far the outline lies outside the exact one on average, px."""
    solid = (exact > 0.5).astype(np.uint8)
    inside = cv2.distanceTransform(np.pad(solid, 1), cv2.DIST_L2, 5)[1:-1, 1:-1]
    outside = cv2.distanceTransform(1 - solid, cv2.DIST_L2, 5)
    band = (inside <= _BAND_PX) & (outside <= _BAND_PX)
    outlines, _ = cv2.findContours(solid, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    length = sum(cv2.arcLength(outline, True) for outline in outlines)
    return float((alpha - exact)[band].sum() / max(length, 1.0))


if __name__ == "__main__":
    sys.exit(main())
