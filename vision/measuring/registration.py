"""Two silhouettes of one solid figure: how surprising is it that they show the same shape?

The pictures are made coarse (about sixteen cells over the figure's height) and hold, in place of black
and white, how thick the figure looks there: the distance to the silhouette's edge. A volume of soft
voxels must then explain every picture at once. It starts from a vague prior around the vertical and is
pulled to each picture in turn by the multiplicative algebraic reconstruction technique (Gordon, Bender
& Herman, J. Theor. Biol. 29, 1970), which finds the volume that departs least, in relative entropy,
from the prior. What stays unexplained is the misfit of a hypothesis about how the figure turned.
Parallax, perspective and distortion are all in the camera model, so oblique and overhead views are one
case.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from calibration.camera import Camera

Array: TypeAlias = NDArray[np.float64]
Picture: TypeAlias = NDArray[np.float32]

# Tuned on random figures (datasets/figures.py); the result hardly depends on any of them.
_THICKNESS_POWER = 0.7  # a limb is thick quickly behind its edge; trunks are flatter than round
_PRIOR_SPREAD = 0.3  # of the height: how far from the vertical clay is expected
_INSIDE = 0.15  # a voxel seen less than this inside the silhouette is empty
_STEPS = 6  # rounds over the pictures for each hypothesis
_FIRST_STEPS = 4  # rounds over the known pictures alone
_STIFFNESS = 0.01  # of the shift's prior inside each alignment step
_SHIFT_WEIGHT, _SURPRISE_WEIGHT = 0.003, 0.03
_FLOOR = 1e-5  # mass per cell below which a picture says nothing
_BLUR = 0.8  # cells, before alignment
_ALIGN_STEPS = 1  # for each round
_BORDER = 2  # cells around a picture, for shifts


@dataclass(frozen=True, eq=False)
class FragmentView:
    """One standing figure as seen in one fragment.

    `origin` is the crop's upper left pixel (u, v); `silhouette` (H, W) float32 0-1; `dont_care` (H, W)
    bool marks pixels that say nothing (ropes, posts, another figure); `ground` (2,) is about where it
    stands, ring cm, good to a centimetre or so, or None to take it from the silhouette; `picture`
    (H, W, 3) BGR 0-255, when given, lets the shading speak too.
    """

    origin: tuple[int, int]
    silhouette: Picture
    dont_care: NDArray[np.bool_] | None = None
    ground: Array | None = None
    picture: Picture | None = None

    @property
    def doubt(self) -> float:
        """The share (0-0.25) of the silhouette that may or may not be the figure's."""
        alpha = self.silhouette.astype(np.float64)
        return float((alpha * (1 - alpha)).sum() / max(alpha.sum(), 1.0))


# Tried on S1 and S2: the silhouette's centroid lies on the figure's vertical at this part of its height.
CENTROID_HEIGHT = 0.44


def ground_of(view: FragmentView, camera: Camera, height_cm: float) -> Array:
    """The view's ground point (2,) in ring cm, taken from the silhouette's centroid when not given."""
    if view.ground is not None:
        return np.asarray(view.ground, dtype=np.float64)
    weights = view.silhouette.astype(np.float64)
    if view.dont_care is not None:
        weights = weights * ~view.dont_care
    total = weights.sum()
    vs, us = np.indices(weights.shape)
    centroid = np.array([[(weights * us).sum(), (weights * vs).sum()]]) / total + np.asarray(view.origin)
    return np.asarray(camera.to_plane(centroid, CENTROID_HEIGHT * height_cm)[0])


def turned(degrees: float) -> Array:
    """The (3, 3) rotation about the vertical, counter-clockwise from above."""
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


class Canvas:
    """A view made coarse: thickness per cell (sums to 1 where known) and the way from voxels to cells."""

    def __init__(self, view: FragmentView, camera: Camera, height_cm: float, levels: int) -> None:
        self.view, self.camera, self.height_cm = view, camera, height_cm
        self.ground = ground_of(view, camera, height_cm)
        self._origin = np.asarray(view.origin, dtype=np.float64)
        self.px_per_cm = self._scale()
        self.cell_px = max(1.0, height_cm / levels * self.px_per_cm)
        thickness, known = _thickness(view, self.px_per_cm)
        shape = [int(np.ceil(side / self.cell_px)) + 1 + 2 * _BORDER for side in view.silhouette.shape]
        self.silhouette = self._coarse(view.silhouette.astype(np.float32), shape)
        self.known = self._coarse(known, shape, outside=1.0) > 0.75
        self.thickness = np.where(self.known, self._coarse(thickness, shape), 0).astype(np.float32)
        self.thickness /= max(float(self.thickness.sum()), 1e-9)
        smooth = cv2.GaussianBlur(self.thickness, (3, 3), _BLUR)
        slopes = [cv2.Sobel(smooth, cv2.CV_32F, *way, ksize=1, scale=0.5) for way in ((1, 0), (0, 1))]
        self.layers: Picture = np.dstack([self.thickness, smooth, *slopes])
        self.partly_known = not bool(self.known.all())

    def at(self, ground: Array) -> Canvas:
        """The same view of a figure that stands somewhere else (2,)."""
        moved = copy.copy(self)
        moved.ground = ground
        return moved

    def _scale(self) -> float:
        base = np.array([*self.ground, self.height_cm / 2])
        pixels = self.camera.project(base + np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]]))
        return float(np.linalg.norm(pixels[1:] - pixels[0], axis=1).max())

    def _coarse(self, picture: Picture, shape: list[int], outside: float = 0.0) -> Picture:
        width = round(self.cell_px) | 1
        smooth = cv2.blur(picture, (width, width), borderType=cv2.BORDER_REPLICATE)
        first = 0.5 / self.cell_px - 0.5 + _BORDER
        matrix = np.array([[1 / self.cell_px, 0, first], [0, 1 / self.cell_px, first]])
        size = (shape[1], shape[0])
        return np.asarray(
            cv2.warpAffine(smooth, matrix, size, flags=cv2.INTER_LINEAR, borderValue=outside), np.float32
        )

    def cells(self, points: Array) -> Array:
        """Cells (N, 2), as column and row, of points (N, 3) given in cm from the ground point."""
        return (self.pixels(points) + 0.5) / self.cell_px - 0.5 + _BORDER

    def pixels(self, points: Array) -> Array:
        """Pixels (N, 2) within the crop of points (N, 3) given in cm from the ground point."""
        return self.camera.project(points + np.array([*self.ground, 0.0])) - self._origin

    def inside(self, points: Array) -> Array:
        """How far inside the silhouette (0-1) points (N, 3) are seen; unknown counts as inside."""
        cells = self.cells(points).astype(np.float32)
        cover = np.where(self.known, self.silhouette, 1.0).astype(np.float32)
        # remap refuses sides over 32767: a point list goes in as a sheet
        sheet = np.resize(cells, (len(cells) // 1024 + 1, 1024, 2))
        seen = cv2.remap(cover, sheet[..., 0], sheet[..., 1], cv2.INTER_LINEAR, borderValue=0)
        return np.asarray(seen.ravel()[: len(cells)], dtype=np.float64)

    def splat(self, points: Array) -> sparse.csr_array:
        """The (cells + 1, N) matrix that spreads each point over its four cells; the last row is outside."""
        rows, columns = self.thickness.shape
        cells = self.cells(points)
        low = np.floor(cells).astype(np.int64)
        part = cells - low
        index, weight = [], []
        for right in (0, 1):
            for down in (0, 1):
                u, v = low[:, 0] + right, low[:, 1] + down
                fits = (u >= 0) & (v >= 0) & (u < columns) & (v < rows)
                index.append(np.where(fits, v * columns + u, rows * columns))
                weight.append(np.abs(1 - right - part[:, 0]) * np.abs(1 - down - part[:, 1]))
        where = np.concatenate(index), np.tile(np.arange(len(points)), 4)
        shape = (rows * columns + 1, len(points))
        return sparse.csr_array((np.concatenate(weight), where), shape=shape)

    def cells_per_cm(self) -> Array:
        """The (2, 2) derivative of a cell's column and row by a step on the table."""
        z = CENTROID_HEIGHT * self.height_cm
        ends = self.cells(np.array([[0.5, 0, z], [-0.5, 0, z], [0, 0.5, z], [0, -0.5, z]]))
        return np.column_stack([ends[0] - ends[1], ends[2] - ends[3]])


def _thickness(view: FragmentView, scale: float) -> tuple[Picture, Picture]:
    """Thickness (H, W) up to a factor, and 1 where the view may be trusted."""
    unknown = np.zeros(view.silhouette.shape, bool) if view.dont_care is None else view.dont_care
    # A rope across a limb must not make it thin: what is unknown counts as clay for the distance.
    solid = ((view.silhouette > 0.5) | unknown).astype(np.uint8)
    distance = cv2.distanceTransform(np.pad(solid, 1), cv2.DIST_L2, 5)[1:-1, 1:-1] / scale
    thickness = np.minimum(distance, 3.0) ** _THICKNESS_POWER * view.silhouette
    return thickness.astype(np.float32), (~unknown).astype(np.float32)


@dataclass(frozen=True, eq=False)
class Fit:
    """How well a hypothesis explains the pictures: misfit >= 0 per known view, and the shift found.

    `shift_cm` (2,) is how far the later view's ground point must move on the table; `mass` (N,) sums to 1
    over the voxels.
    """

    misfit: float
    shift_cm: Array
    mass: Array


class Solid:
    """The soft volume that known views of a figure leave possible, in the figure's own frame."""

    def __init__(
        self,
        canvases: list[Canvas],
        facings_deg: list[float],
        levels: int,
        expected: Callable[[Array], Array] | None = None,
    ) -> None:
        """`expected` says how probable clay is at points (N, 3); without it, it is about the vertical."""
        self._canvases = canvases
        first = canvases[0]
        self.height_cm = first.height_cm
        self.step_cm = self.height_cm / levels
        points = _voxels(self.height_cm, levels, _reach(first))
        inside = np.ones(len(points))
        for canvas, facing in zip(canvases, facings_deg, strict=True):
            inside = inside * canvas.inside(points @ turned(facing).T)
        points, inside = points[inside > _INSIDE], inside[inside > _INSIDE]
        self.points = points
        self.prior = _normal((self._about_vertical() if expected is None else expected(points)) * inside)
        self._splats = [
            canvas.splat(points @ turned(facing).T)
            for canvas, facing in zip(canvases, facings_deg, strict=True)
        ]
        self._back = [splat.T.tocsr() for splat in self._splats]
        self.mass = self.prior
        for _ in range(_FIRST_STEPS):
            self.mass = self._explain_known(self.mass)

    def _about_vertical(self) -> Array:
        radius = np.hypot(self.points[:, 0], self.points[:, 1]) / (_PRIOR_SPREAD * self.height_cm)
        return np.asarray(np.exp(-0.5 * radius**2))

    def _explain_known(self, mass: Array) -> Array:
        for canvas, splat, back in zip(self._canvases, self._splats, self._back, strict=True):
            mass = _pull(mass, splat @ mass, back, canvas.thickness, canvas.known)
        return mass

    def standing(self, turn_deg: float) -> Array:
        """The voxels (N, 3) in cm from the ground point, turned about the vertical."""
        return np.asarray(self.points @ turned(turn_deg).T)

    def fit(self, canvas: Canvas, points: Array, *, shift_sd_cm: float = 0.5) -> Fit:
        """Fit a further view in which the voxels lie at points (N, 3), cm from about its ground point."""
        splat = canvas.splat(points)
        back = splat.T.tocsr()
        per_cm = canvas.cells_per_cm()
        stiffness = np.asarray(np.linalg.inv(per_cm @ per_cm.T * shift_sd_cm**2), np.float64)
        mass, shift = self.mass, np.zeros(2, np.float64)
        thickness, known = canvas.thickness, canvas.known
        seen = splat @ mass
        for _ in range(_STEPS):
            shift = _align(seen[:-1].reshape(known.shape), canvas, shift, stiffness)
            thickness, _, known = _moved(canvas, shift)
            mass = self._explain_known(_pull(mass, seen, back, thickness, known))
            seen = splat @ mass
        misfit = _unexplained(seen, thickness, known)
        for old, old_splat in zip(self._canvases, self._splats, strict=True):
            misfit += _unexplained(old_splat @ mass, old.thickness, old.known)
        misfit /= len(self._canvases)
        misfit += _SHIFT_WEIGHT * float(shift @ stiffness @ shift)
        misfit += _SURPRISE_WEIGHT * _relative_entropy(mass, self.prior)
        return Fit(misfit, np.asarray(np.linalg.solve(per_cm, shift), np.float64), mass)


def _reach(canvas: Canvas) -> float:
    """How far from the vertical the clay may be, cm: the silhouette laid on half height, and a margin."""
    rows, columns = np.nonzero(canvas.silhouette > 0.5)
    if len(rows) == 0:
        return 0.5 * canvas.height_cm
    middle = canvas.cells(np.array([[0.0, 0.0, 0.5 * canvas.height_cm]]))[0]
    offsets = np.linalg.solve(canvas.cells_per_cm(), (np.column_stack([columns, rows]) - middle).T)
    reach = float(np.hypot(*offsets).max()) + 0.25 * canvas.height_cm
    return float(np.clip(reach, 0.5 * canvas.height_cm, 1.6 * canvas.height_cm))


def _voxels(height_cm: float, levels: int, reach_cm: float) -> Array:
    """Middles (N, 3) of the voxels of an upright cylinder, in cm."""
    step = height_cm / levels
    count = int(np.ceil(reach_cm / step))
    flat = (np.arange(-count, count) + 0.5) * step
    x, y, z = np.meshgrid(flat, flat, (np.arange(levels) + 0.5) * step, indexing="ij")
    points = np.column_stack([x.ravel(), y.ravel(), z.ravel()])
    return np.asarray(points[np.hypot(points[:, 0], points[:, 1]) < reach_cm])


def _normal(mass: Array) -> Array:
    return mass / max(float(mass.sum()), 1e-12)


def _pull(
    mass: Array, seen: Array, back: sparse.csr_array, thickness: Picture, known: NDArray[np.bool_]
) -> Array:
    """One multiplicative step: every voxel is scaled as its cells ask; unknown cells ask nothing."""
    share = float(seen[:-1][known.ravel()].sum()) + _FLOOR
    ratio = np.where(known.ravel(), thickness.ravel() * share, seen[:-1] + _FLOOR) / (seen[:-1] + _FLOOR)
    return _normal(mass * (back @ np.append(ratio, 0.0)))


def _unexplained(seen: Array, thickness: Picture, known: NDArray[np.bool_]) -> float:
    chosen = known.ravel()
    return _relative_entropy(thickness.ravel()[chosen], _normal(seen[:-1][chosen]))


def _relative_entropy(a: Array | Picture, b: Array) -> float:
    return float((a * np.log((a + 1e-6) / (b + 1e-6)) - a + b).sum())


def _moved(canvas: Canvas, shift: Array) -> tuple[Picture, Picture, NDArray[np.bool_]]:
    """Thickness (H, W), all layers (H, W, 4) and what is known, moved by minus the shift in cells."""
    matrix = np.array([[1.0, 0.0, shift[0]], [0.0, 1.0, shift[1]]])
    size = canvas.thickness.shape[::-1]
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    layers = np.asarray(cv2.warpAffine(canvas.layers, matrix, size, flags=flags), np.float32)
    thickness, known = layers[..., 0], canvas.known
    if canvas.partly_known:
        known = cv2.warpAffine(known.astype(np.float32), matrix, size, flags=flags, borderValue=1) > 0.75
        thickness = np.where(known, thickness, np.float32(0))
    return thickness / max(float(thickness.sum()), 1e-9), layers, known


def _align(seen: Array, canvas: Canvas, shift: Array, stiffness: Array) -> Array:
    """A step of image alignment (Lucas & Kanade, IJCAI 1981) with a prior that the shift is small."""
    wanted = cv2.GaussianBlur(seen.astype(np.float32), (3, 3), _BLUR)
    for _ in range(_ALIGN_STEPS):
        _, layers, known = _moved(canvas, shift)
        if canvas.partly_known:
            layers = layers * known[..., None]
            wanted = wanted * known
        slopes = layers[..., 2:].reshape(-1, 2).astype(np.float64)
        normal = slopes.T @ slopes
        weight = 2 * _STIFFNESS * (normal[0, 0] + normal[1, 1]) / (stiffness[0, 0] + stiffness[1, 1])
        pull = (wanted - layers[..., 1]).ravel() @ slopes - weight * (stiffness @ shift)
        (a, b), (_, c) = normal + weight * stiffness
        step = np.array([c * pull[0] - b * pull[1], a * pull[1] - b * pull[0]]) / (a * c - b * b + 1e-12)
        shift = shift + step / max(1.0, float(np.hypot(*step)))
    return shift
