"""Modelled tables for the study of error bars: two figures before one camera, set down again and again.

Everything from the matte on is what a match gets. Every source of error can be switched off, in the world
and in what the measurer believes; what is left is what figures are themselves: how their middle lies over
their sole, and how well a turn is registered.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from shapely.affinity import translate
from shapely.geometry import MultiPoint, Polygon

from calibration.camera import Camera
from calibration.errors import CalibrationError
from calibration.evidence import POST_HEIGHT_SD_CM, POST_LEAN_SD_CM, POST_OUTWARD_SD_CM
from calibration.priors import CENTRE_SD_IN_WIDTHS, K1_SD, K2_SD, TANGENTIAL_SD
from calibration.result import RingCalibration
from calibration.ring import CORNER_SIGNS, RingSpec
from calibration.solve import CORNER_SD_PX, calibrate
from datasets.figures import Figure, photograph, random_camera, random_figure, thickened
from vision.fighters import FighterClass, FighterSpec
from vision.fragments import Fragment
from vision.measuring.matte import MatteError
from vision.measuring.measurer import EDGE_SD_PX, Measurer
from vision.measuring.poses import FragmentPose

Array = NDArray[np.float64]

RING = RingSpec(64, 64, 14, np.zeros((4, 2)))
KINDS: tuple[FighterClass, ...] = ("humanoid", "beast", "absurd")
_PLACES_CM, _THICKER = 24.0, (0.9, 1.6)
# How far two figures stand apart, edge to edge: about the 2 cm that adjacency is decided at.
_GAPS_CM = (0.2, 5.0)
# Of the moves a third does not turn, a third a little, a third anyhow.
_SMALL_TURN_DEG = 45.0
NEARLY_NOTHING = 1e-3


@dataclass(frozen=True)
class Switches:
    """Which sources of error are on, in the world and in what is believed."""

    camera: bool = True
    tap: bool = True
    height: bool = True
    facing: bool = True
    pixels: bool = True


@dataclass(frozen=True, eq=False)
class Stood:
    """A figure in one fragment: the truth, with its plan view, beside what was measured."""

    fighter: str
    number: int
    xy: Array
    facing_deg: float
    outline: Polygon
    pose: FragmentPose

    def turned_since(self, before: Stood) -> float:
        """How far it turned, degrees, 0 to 180."""
        return abs(wrapped(self.facing_deg - before.facing_deg))


def wrapped(degrees: float) -> float:
    """An angle in [-180, 180)."""
    return (degrees + 180.0) % 360.0 - 180.0


def stands(
    seed: Sequence[int], fragments: int, on: Switches = Switches(), *, tapped: bool = True
) -> Iterator[list[Stood]]:
    """The two figures of a random table, fragment by fragment; the seed decides everything."""
    rng = np.random.default_rng(seed)
    oblique = bool(rng.random() < 0.6)
    figures = {}
    for id_ in ("A", "B"):
        figure = random_figure(rng, KINDS[rng.integers(3)])
        figures[id_] = thickened(figure, rng.uniform(*_THICKER))
    camera, calibration = set_up(rng, oblique, on.camera)
    rounds = list(_rounds(rng, figures, fragments))
    specs = [_spec(rng, camera, id_, figures[id_], *rounds[0][id_], on, tapped) for id_ in figures]
    measurer = Measurer(calibration, specs, edge_sd_px=EDGE_SD_PX if on.pixels else NEARLY_NOTHING)
    for number, places in enumerate(rounds):
        stood = []
        for id_, figure in figures.items():
            xy, facing = places[id_]
            placed = figure.placed(xy, facing)
            try:
                shaken = _shaken(camera, rng) if on.pixels else camera
                pose = measurer.measure(number, photographed(placed, id_, shaken, number, rng))
            except MatteError:
                return
            stood.append(Stood(id_, number, xy, facing, plan_view(placed), pose))
        yield stood


def set_up(rng: np.random.Generator, oblique: bool, uncertain: bool) -> tuple[Camera, RingCalibration]:
    """A camera that sees the whole ring and its calibration by clicks, or one that is exactly known."""
    while True:
        camera = _webcam(rng, random_camera(rng, oblique=oblique))
        noise = CORNER_SD_PX * rng.standard_normal((2, 4, 2)) * uncertain
        tops = RING.post_tops() + _slips(rng) * uncertain
        spec = replace(
            RING,
            corners_px=camera.project(RING.corners()) + noise[0],
            post_tops_px=camera.project(tops) + noise[1],
        )
        try:
            calibration = calibrate(spec, camera.size)
        except CalibrationError:
            # a corner outside the picture: nobody would set a camera up like this
            continue
        if not uncertain:
            nothing = np.zeros_like(calibration.covariance)
            calibration = replace(calibration, camera=camera, covariance=nothing)
        return camera, calibration


def _webcam(rng: np.random.Generator, camera: Camera) -> Camera:
    """The camera with a lens such as calibration expects them: off the middle, bent, a little askew."""
    K = camera.K.copy()
    K[:2, 2] += CENTRE_SD_IN_WIDTHS * camera.size[0] * rng.standard_normal(2)
    k1, k2, p1, p2 = rng.standard_normal(4) * (K1_SD / 2, K2_SD / 2, TANGENTIAL_SD, TANGENTIAL_SD)
    return replace(camera, K=K, dist=np.array([k1, k2, p1, p2, 0.0]))


def _slips(rng: np.random.Generator) -> Array:
    """How far post tops (4, 3) are from where they should be, cm: all outward and too tall, each leaning."""
    slips = np.zeros((4, 3))
    slips[:, :2] = POST_OUTWARD_SD_CM * float(rng.standard_normal()) * np.asarray(CORNER_SIGNS)
    slips[:, :2] += POST_LEAN_SD_CM * rng.standard_normal((4, 2))
    slips[:, 2] = POST_HEIGHT_SD_CM * float(rng.standard_normal())
    return slips


def _spec(
    rng: np.random.Generator,
    camera: Camera,
    id_: str,
    figure: Figure,
    xy: Array,
    facing: float,
    on: Switches,
    tapped: bool,
) -> FighterSpec:
    """What is told of a figure, with a person's errors where they are on."""
    exact = FighterSpec(id_, figure.height, facing, kind=figure.kind)  # type: ignore[arg-type]
    tap_sd, height_sd, facing_sd = (
        usual if is_on else NEARLY_NOTHING
        for usual, is_on in (
            (exact.foot_sd_px, on.tap), (exact.height_sd_cm, on.height), (exact.facing_sd_deg, on.facing)
        )
    )  # fmt: skip
    foot = camera.project(np.array([[*xy, 0.0]]))[0] + tap_sd * rng.standard_normal(2)
    return replace(
        exact,
        height_cm=figure.height + height_sd * float(rng.standard_normal()),
        facing_deg=facing + facing_sd * float(rng.standard_normal()),
        foot_px=(float(foot[0]), float(foot[1])) if tapped else None,
        foot_sd_px=tap_sd,
        height_sd_cm=height_sd,
        facing_sd_deg=facing_sd,
    )


def _rounds(
    rng: np.random.Generator, figures: dict[str, Figure], fragments: int
) -> Iterator[dict[str, tuple[Array, float]]]:
    """Where the two stand in each fragment: the first anywhere, the second at a random gap beside it."""
    facings = {id_: float(rng.uniform(-180, 180)) for id_ in figures}
    for number in range(fragments):
        if number:
            facings = {id_: facings[id_] + _turn(rng) for id_ in figures}
        first = rng.uniform(-_PLACES_CM, _PLACES_CM, 2)
        # towards the middle, so that both are on the mat
        heading = float(np.arctan2(-first[1], -first[0]) + rng.normal(0, 0.6))
        shapes = {id_: plan_view(figures[id_].placed(np.zeros(2), facings[id_])) for id_ in figures}
        away = apart(shapes["A"], shapes["B"], heading, float(rng.uniform(*_GAPS_CM)))
        second = first + away * np.array([np.cos(heading), np.sin(heading)])
        yield {"A": (first, facings["A"]), "B": (second, facings["B"])}


def _turn(rng: np.random.Generator) -> float:
    kind = rng.integers(3)
    return 0.0 if kind == 0 else float(rng.uniform(-1, 1) * (_SMALL_TURN_DEG if kind == 1 else 180.0))


def apart(a: Polygon, b: Polygon, heading: float, gap: float) -> float:
    """How far b has to be moved along a heading, both at the origin now, to stand `gap` cm from a."""
    way = np.array([np.cos(heading), np.sin(heading)])
    low, high = 0.0, 100.0
    for _ in range(40):
        middle = (low + high) / 2
        moved = translate(b, *(middle * way))
        low, high = (middle, high) if a.distance(moved) < gap else (low, middle)
    return high


def plan_view(figure: Figure) -> Polygon:
    """The convex outline of a figure seen straight down."""
    around = np.linspace(0, 2 * np.pi, 48, endpoint=False)
    ways = np.stack([np.cos(around), np.sin(around)])
    half = np.linalg.inv(figure.shapes)[:, :2, :]
    spread = half @ half.transpose(0, 2, 1) @ ways
    rims = spread / np.sqrt(np.einsum("iw,niw->nw", ways, spread))[:, None, :]
    points = figure.centres[:, :2, None] + rims
    hull = MultiPoint(points.transpose(0, 2, 1).reshape(-1, 2)).convex_hull
    assert isinstance(hull, Polygon)
    return hull


def _shaken(camera: Camera, rng: np.random.Generator) -> Camera:
    """The camera with its picture shifted as light and shadow shift the edges of a figure."""
    K = camera.K.copy()
    K[:2, 2] += EDGE_SD_PX * rng.standard_normal(2)
    return replace(camera, K=K)


def photographed(figure: Figure, id_: str, camera: Camera, number: int, rng: np.random.Generator) -> Fragment:
    """A figure's averaged look in its fragment of this number."""
    look = photograph(figure, camera, rng, pad=16)
    support = (look.silhouette > 0.6).astype(np.float32)
    first = 60 * number
    return Fragment(id_, first, first + 30, 20, look.origin, look.picture, support, 0.1)
