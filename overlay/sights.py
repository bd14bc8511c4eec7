"""Annotations as one camera sees them: all that hangs on one annotation alone, whatever stands beside it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from calibration.camera import Camera
from overlay import marks
from overlay.shapes import Array, Box, Shape
from rules.annotations import Annotation, Arrow, Banner, FighterTag, Ghost, Region, RingEdge, Ruler
from rules.scene import Point

# A label stays so many pixels away from the point it speaks of.
_ROUND_PX = 8.0
# What a label should leave free: a ruler, by points so many cm apart, and a facing arrow and a bit beyond it.
_CLEAR_CM = 2.5
_CLEAR_SHARES = np.linspace(0.0, 1.1, 6)[:, None]
# The palms of a ruler stand beside their ticks, on the left of the path.
_BESIDE_CM = 3.4


@dataclass(frozen=True, eq=False)
class Sight:
    """An annotation and where it is in the picture, in pixels but for `about`.

    about, box: the ring point that its label speaks of, and a box round it or round the whole figure.
    clear: pixels (N, 2) along rulers and facing arrows. numbers: the middles of the palms' numbers, or of
    the question mark at a facing that is assumed.
    """

    annotation: Annotation
    shapes: tuple[Shape, ...]
    about: Point | None
    box: Box | None
    clear: Array
    numbers: tuple[Point, ...]


def sight_of(annotation: Annotation, camera: Camera, scale: float) -> Sight:
    """How a camera sees an annotation; `scale` is that of the lines' widths."""
    about = _about(annotation)
    box = None
    if isinstance(annotation, FighterTag):
        box = _figure_box(annotation, camera)
    elif about is not None:
        u, v = camera.project(np.array([(*about, 0.0)]))[0].tolist()
        box = u - _ROUND_PX, v - _ROUND_PX, 2 * _ROUND_PX, 2 * _ROUND_PX
    clear, numbers = _clear(annotation), _numbers(annotation)
    pixels = camera.project(np.vstack([clear, [(x, y, 0.0) for x, y in numbers]]) if numbers else clear)
    middles = tuple((u, v) for u, v in pixels[len(clear) :].tolist())
    return Sight(annotation, _shapes(annotation, scale), about, box, pixels[: len(clear)], middles)


def _shapes(annotation: Annotation, scale: float) -> tuple[Shape, ...]:
    match annotation:
        case RingEdge():
            return marks.ring_edge(annotation, scale)
        case Region():
            return marks.region(annotation, scale)
        case Ghost():
            return marks.ghost(annotation, scale)
        case Arrow():
            return marks.arrow(annotation, scale)
        case Ruler():
            return marks.ruler(annotation, scale)
        case FighterTag():
            return marks.fighter(annotation, scale)
        case Banner():
            return ()


def _about(annotation: Annotation) -> Point | None:
    """The ring point that the label of an annotation speaks of."""
    match annotation:
        case FighterTag():
            return annotation.anchor
        case Ruler():
            return annotation.points[-1]
        case Arrow():
            return annotation.end
        case Ghost():
            xs, ys = zip(*annotation.outline, strict=True)
            return sum(xs) / len(xs), sum(ys) / len(ys)
        case _:
            return None


def _figure_box(tag: FighterTag, camera: Camera) -> Box:
    """The picture's box round a figure, which stands on its outline up to its height."""
    base = marks.base_outline(tag)
    heights = np.repeat((0.0, tag.height), len(base))
    pixels = camera.project(np.column_stack([np.vstack([base, base]), heights]))
    (left, top), (right, bottom) = pixels.min(axis=0).tolist(), pixels.max(axis=0).tolist()
    return left, top, right - left, bottom - top


def _clear(annotation: Annotation) -> Array:
    """Ring points (N, 3) that labels should leave free."""
    match annotation:
        case Ruler():
            return marks.on_mat(annotation.points, step=_CLEAR_CM)
        case FighterTag(facing=float()):
            start, end = np.array([(*point, 0.0) for point in marks.facing_ends(annotation)])
            along: Array = start + _CLEAR_SHARES * (end - start)
            return along
        case _:
            return np.empty((0, 3))


def _numbers(annotation: Annotation) -> list[Point]:
    """Ring points on which a number stands, or the question mark of a facing that is assumed."""
    match annotation:
        case Ruler():
            return [
                (float(x - _BESIDE_CM * along[1]), float(y + _BESIDE_CM * along[0]))
                for (x, y), along in marks.ruler_ticks(annotation)
            ]
        case FighterTag(facing=float(), facing_assumed=True):
            return [marks.facing_ends(annotation)[1]]
        case _:
            return []
