"""Palmo's calibration on a real, tape-measured table: errors in mm per ball.

`python -m datasets.real_billiard [--json]`, with PALMO_DATA at the folder that holds `real/`.

A snooker table seen from above by a fixed camera. The ring of this table is the rectangle of the centres of
the four square markers on its rails, whose places the makers measured; they lie 38.1 mm above the cloth,
so that a ball's centre (26.15 mm above the cloth) is 11.95 mm below this ring's plane. Markers are found
as dark squares in the corners of the picture, balls as red blobs (their centroid): nothing is taken
from the truth's pixel positions. Every picture is calibrated by itself, with the factory's lens and without
any lens. The places of the balls are hand-measured to about 3 mm.
"""

from __future__ import annotations

import json
import os
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.intrinsics import Intrinsics
from calibration.result import RingCalibration
from calibration.ring import RingSpec
from calibration.solve import calibrate
from rules.measured import K95

FOLDER = Path("real") / "a_overhead_objects" / "billiard_measured_mm"
# Marker centres in cm: the two long sides are 1722 mm, the short ones 1084 and 1085 mm.
_WIDTH_CM, _DEPTH_CM = 172.2, 108.45
_MARKER_SIDE_CM = 5.0
# The middle of the markers in the truth's frame (the middle of the field), from the makers' 79 and 71.5 mm.
_MIDDLE_MM = np.array([1722 / 2 + 79.0 - 1881 / 2, 1084.5 / 2 - 71.5 - 943 / 2])
_BALL_CENTRE_CM = 2.615 - 3.81
HAND_SD_MM = 3.0  # how well the makers measured where their balls lay
_CORNER_SD_PX = 0.3  # a marker's centre from its four corners
_BALL_SD_PX = 0.5
_REDNESS = 90
_LEAST_BALL_PX = 150


@dataclass(frozen=True)
class Ball:
    """One measured ball, in mm: where it is said to be, Palmo's error (x, y) and stated sd (x, y).

    outlier marks the ball the truth file warns of: it is 20 mm off one similarity through the balls of all
    pictures. But the camera moved by 8 px between the pictures; calibrated by itself, this one agrees too.
    """

    picture: str
    lens: str
    measured_mm: tuple[float, float]
    error_mm: tuple[float, float]
    sd_mm: tuple[float, float]
    outlier: bool

    @property
    def distance_mm(self) -> float:
        """How far off, along the straight line."""
        return float(np.hypot(*self.error_mm))


def measure(root: Path) -> list[Ball]:
    """Every measured ball in both pictures, with the factory's lens and with none. root holds `real/`."""
    folder = root / FOLDER
    truth = json.loads((folder / "GROUND_TRUTH.json").read_text(encoding="utf-8"))
    lens = truth["setup"]["intrinsics_1280x720_factory"]
    K = np.array([[lens["fx"], 0, lens["cx"]], [0, lens["fy"], lens["cy"]], [0, 0, 1]])
    factory = Intrinsics(K, np.zeros(5), (1280, 720))
    balls = []
    for name, measured in truth["images"].items():
        image = read(folder / name)
        for label, intrinsics in (("factory", factory), ("none", None)):
            calibration = calibrate_table(image, intrinsics)
            places = ball_places(calibration, image)
            balls += [_compare(name, label, entry, *places) for entry in measured]
    return balls


def read(path: Path) -> NDArray[np.uint8]:
    """A BGR picture; OSError when there is none."""
    image = cv2.imread(str(path), cv2.IMREAD_COLOR)
    if image is None:
        raise OSError(f"{path} is not a picture: check PALMO_DATA")
    return np.asarray(image, dtype=np.uint8)


def calibrate_table(image: NDArray[np.uint8], intrinsics: Intrinsics | None) -> RingCalibration:
    """The camera over the table, from the markers alone (their rectangle has no edges to see)."""
    size = (image.shape[1], image.shape[0])
    spec = RingSpec(_WIDTH_CM, _DEPTH_CM, 0.0, marker_centres(image))
    return calibrate(spec, size, intrinsics=intrinsics, corner_sd_px=_CORNER_SD_PX)


def marker_centres(image: NDArray[np.uint8]) -> NDArray[np.float64]:
    """The centres of the four markers: far-left, far-right, near-right, near-left, (4, 2) px."""
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_NONE
    # The makers' own dictionary is not known here, so every square is "rejected": those are what is wanted.
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50), parameters)
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    found, _, rejected = detector.detectMarkers(grey)
    squares = [np.asarray(square, dtype=np.float32).reshape(4, 2) for square in (*found, *rejected)]
    side = _MARKER_SIDE_CM * image.shape[1] / (_WIDTH_CM + 40.0)
    squares = [s for s in squares if 0.7 < np.sqrt(cv2.contourArea(s)) / side < 1.4]
    width, height = image.shape[1] - 1, image.shape[0] - 1
    centres = []
    for corner in ((0, 0), (width, 0), (width, height), (0, height)):
        nearest = min(squares, key=lambda s: float(np.linalg.norm(s.mean(axis=0) - corner)))
        refined = nearest.reshape(-1, 1, 2).copy()
        cv2.cornerSubPix(
            grey, refined, (3, 3), (-1, -1), (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_COUNT, 30, 0.01)
        )
        centres.append(_crossing_of_diagonals(refined.reshape(4, 2).astype(np.float64)))
    return np.array(centres)


def _crossing_of_diagonals(square: NDArray[np.float64]) -> NDArray[np.float64]:
    a, b, c, d = square
    share = np.linalg.solve(np.column_stack([c - a, b - d]), b - a)
    return np.asarray(a + share[0] * (c - a), dtype=np.float64)


def ball_places(
    calibration: RingCalibration, image: NDArray[np.uint8]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Places (N, 2) and standard deviations (N, 2) in mm of every red ball, in the truth's frame."""
    blue, green, red = (channel.astype(np.int16) for channel in cv2.split(image))
    reddish = ((red - np.maximum(blue, green)) > _REDNESS).astype(np.uint8)
    count, _, stats, centroids = cv2.connectedComponentsWithStats(reddish)
    px = np.array([centroids[i] for i in range(1, count) if stats[i, cv2.CC_STAT_AREA] >= _LEAST_BALL_PX])
    px_cov = np.eye(2) * _BALL_SD_PX**2
    xy, covariance = calibration.plane_points(px.reshape(-1, 2), _BALL_CENTRE_CM, px_cov)
    return 10 * xy + _MIDDLE_MM, 10 * np.sqrt(np.diagonal(covariance, axis1=1, axis2=2))


def _compare(
    picture: str,
    lens: str,
    entry: dict[str, object],
    places: NDArray[np.float64],
    sds: NDArray[np.float64],
) -> Ball:
    measured = np.array(entry["measured_mm"], dtype=np.float64)
    nearest = int(np.argmin(np.linalg.norm(places - measured, axis=1)))
    x, y = places[nearest] - measured
    return Ball(
        picture,
        lens,
        (float(measured[0]), float(measured[1])),
        (float(x), float(y)),
        (float(sds[nearest, 0]), float(sds[nearest, 1])),
        "OUTLIER" in str(entry.get("note", "")),
    )


def table(balls: list[Ball]) -> str:
    """The measured balls as a Markdown table."""
    lines = [
        "| picture | lens | measured x, y mm | error x, y mm | off mm | sd x, y mm | |",
        "|" + "---|" * 7,
    ]
    for ball in balls:
        remark = "called an outlier by the truth file" if ball.outlier else ""
        lines.append(
            f"| {ball.picture} | {ball.lens} | {ball.measured_mm[0]:.1f}, {ball.measured_mm[1]:.1f} "
            f"| {ball.error_mm[0]:+.1f}, {ball.error_mm[1]:+.1f} | {ball.distance_mm:.1f} "
            f"| {ball.sd_mm[0]:.1f}, {ball.sd_mm[1]:.1f} | {remark} |"
        )
    return "\n".join(lines)


def summary(balls: list[Ball]) -> str:
    """RMS and error bars for each lens as a Markdown table.

    A bar holds when the coordinate's error is within 1.96 of the stated sd joined with the hand's own.
    """
    lines = [
        "| lens | balls | RMS mm | worst mm | median sd said mm | coordinates in the 95 % bar | alone |",
        "|" + "---|" * 7,
    ]
    for lens in dict.fromkeys(ball.lens for ball in balls):
        own = [ball for ball in balls if ball.lens == lens]
        errors, sds = (np.array([getattr(ball, name) for ball in own]) for name in ("error_mm", "sd_mm"))
        off = [ball.distance_mm for ball in own]
        joined, alone = (np.abs(errors) <= K95 * sd for sd in (np.hypot(sds, HAND_SD_MM), sds))
        lines.append(
            f"| {lens} | {len(own)} | {np.sqrt(np.mean(np.square(off))):.1f} | {max(off):.1f} "
            f"| {np.median(sds):.1f} | {joined.sum()} of {joined.size} | {alone.sum()} of {alone.size} |"
        )
    return "\n".join(lines)


def main(arguments: list[str]) -> int:
    """Print the table, or the same as JSON; 2 when the pictures are not there."""
    root = os.environ.get("PALMO_DATA")
    if root is None:
        print("set PALMO_DATA to the folder that holds real/", file=sys.stderr)
        return 2
    try:
        balls = measure(Path(root))
    except OSError as error:
        print(error, file=sys.stderr)
        return 2
    if "--json" in arguments:
        print(json.dumps([asdict(ball) | {"distance_mm": ball.distance_mm} for ball in balls], indent=1))
    else:
        print(table(balls), summary(balls), sep="\n\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
