"""Setting the ring up: the averaged picture, proposals, the check of some clicks, and the event file."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import cv2
import numpy as np

from calibration.camera import Array
from calibration.errors import CalibrationError
from calibration.heldout import GOOD_MM, USABLE_MM, Stick, held_out, stick_length
from calibration.intrinsics import Intrinsics
from calibration.propose import Proposal, propose
from calibration.result import RingCalibration
from calibration.ring import RingSpec
from calibration.solve import calibrate
from overlay.setup.desk import NotSo, Points, RingCheck, StickCheck
from palmo.calibrating.event_text import EventFile, EventText
from palmo.calibrating.ring_event import RingSizes, known_clicks, lens_of, ring_sizes, write_clicks
from palmo.convert import intrinsics
from palmo.errors import PalmoError, texts
from palmo.event import EventError
from palmo.event.load import event_of
from palmo.ring_report import RingReport
from rules.text import Text
from vision.arrays import Image
from vision.shape.layers import ShapeError
from vision.sources.frames import SourceError

_USUAL_PALM_CM = 20.0
_CHAIN = 24
# What is said to somebody at the command line with its options, and how a page says it.
_ON_A_PAGE = {"error.palm.none": "setup.hand.none", "error.event.resolution": "setup.resolution"}


class EventRingDesk:
    """The desk of one event file, as it stands on the disk or in the making, and one picture."""

    def __init__(self, file: Path | EventText, image: Image) -> None:
        """Raises EventError or PalmoError when the file has no ring's sizes."""
        self._file: EventText = EventFile(file) if isinstance(file, Path) else file
        self._image = image
        self._sizes: RingSizes = ring_sizes(self._file)
        self._lens, self._palm_cm = _known(self._file)
        self._proposal: Proposal | None = None

    @property
    def image(self) -> Image:
        """The picture that is clicked on."""
        return self._image

    @property
    def size(self) -> tuple[int, int]:
        """Its width and height."""
        return self._image.shape[1], self._image.shape[0]

    def clicks(self) -> tuple[Points, Points]:
        """Corners and tops as the event file has them."""
        return known_clicks(self._file)

    def propose(self) -> tuple[Points, Points]:
        """Corners and tops as the picture shows them; looked for once. Raises NotSo."""
        with refusing():
            if self._proposal is None:
                sizes = self._sizes
                self._proposal = propose(
                    self._image,
                    sizes.width_cm,
                    sizes.depth_cm,
                    sizes.post_height_cm,
                    intrinsics=self._lens,
                )
        return _points(self._proposal.corners_px), _points(self._proposal.post_tops_px)

    def check(self, corners: Points, tops: Points) -> RingCheck:
        """The report on the clicks, and the grid to see it by. Raises NotSo."""
        with refusing():
            calibration = self._calibration(corners, tops)
            # As long as nobody's hand was measured, a usual one says how much it is.
            palm_cm = self._palm_cm or _USUAL_PALM_CM
            found = held_out(calibration, image=self._image, intrinsics=self._lens, palm_cm=palm_cm)
        lines = RingReport(calibration, found).lines()
        return RingCheck(lines, found.verdict.value, _chains(calibration))

    def stick(self, corners: Points, tops: Points, ends: Points, length_cm: float) -> StickCheck:
        """A stick's length against what was measured. Raises NotSo."""
        with refusing():
            calibration = self._calibration(corners, tops)
            stick = Stick((ends[0], ends[1]), length_cm)
            length, sd = stick_length(calibration, stick)
        error, palm = 10 * (length - length_cm), self._palm_cm or _USUAL_PALM_CM
        # What the clicks on its ends explain is no fault of the camera's.
        unexplained = float(np.sqrt(max(0.0, error**2 - (10 * sd) ** 2)))
        verdict = "good" if unexplained <= GOOD_MM else "usable" if unexplained <= USABLE_MM else "redo"
        values: dict[str, float | int | str | Text] = {
            "cm": length,
            "given": length_cm,
            "mm": error,
            "sd": 20 * sd,
            "palms": error / (10 * palm),
        }
        return StickCheck(Text(f"ring.stick.{verdict}", values), verdict)

    def save(self, corners: Points, tops: Points) -> Text:
        """Write the clicks down. Raises NotSo."""
        with refusing():
            self._calibration(corners, tops)
            write_clicks(self._file, corners, tops, self.size)
        return Text("ring.saved", {"path": str(self._file.written)})

    def _spec(self, corners: Points, tops: Points) -> RingSpec:
        sizes = self._sizes
        clicked = (np.array(corners, dtype=float), np.array(tops, dtype=float))
        return RingSpec(sizes.width_cm, sizes.depth_cm, sizes.post_height_cm, *clicked, sizes.post_offset_cm)

    def _calibration(self, corners: Points, tops: Points) -> RingCalibration:
        spec = self._spec(corners, tops)
        return calibrate(spec, self.size, image=self._image, intrinsics=self._lens)


def with_clicks(image: Image, corners: Points, tops: Points) -> Image:
    """A copy of a picture with corners and tops marked, to be looked at."""
    drawn = image.copy()
    for points, colour in ((corners, (80, 220, 80)), (tops, (0, 210, 255))):
        fixed = np.round(np.array(points) * 16).astype(np.int32)
        cv2.polylines(drawn, [fixed], True, colour, 1, cv2.LINE_AA, 4)
        for u, v in fixed.tolist():
            cv2.circle(drawn, (u, v), 7 * 16, (10, 15, 20), 4, cv2.LINE_AA, 4)
            cv2.circle(drawn, (u, v), 7 * 16, colour, 2, cv2.LINE_AA, 4)
    return drawn


@contextmanager
def refusing() -> Iterator[None]:
    """Errors of the floors below as the page takes them."""
    try:
        yield
    except (CalibrationError, PalmoError, EventError, ShapeError, SourceError) as error:
        raise NotSo(on_a_page(texts(error)[0])) from error


def on_a_page(said: Text) -> Text:
    """A sentence without the words of the command line."""
    values = {name: on_a_page(one) if isinstance(one, Text) else one for name, one in said.values.items()}
    return Text(_ON_A_PAGE.get(said.key, said.key), values)


def _known(file: EventText) -> tuple[Intrinsics | None, float | None]:
    """Lens and smallest palm of an event file that may still lack its clicks and more."""
    try:
        event = event_of(file.read(), file.path)
    except EventError:
        return lens_of(file), None
    return intrinsics(event), min((player.palm_cm for player in event.player), default=None)


def _chains(calibration: RingCalibration) -> list[Points]:
    """The mat's rim, lines over it every 10 cm, and the posts, as chains of pixels."""
    half_x, half_y = calibration.spec.half
    lines = []
    for x in [-half_x, *np.arange(-half_x // 10 * 10 + 10, half_x, 10), half_x]:
        lines.append(((x, -half_y, 0.0), (x, half_y, 0.0)))
    for y in [-half_y, *np.arange(-half_y // 10 * 10 + 10, half_y, 10), half_y]:
        lines.append(((-half_x, y, 0.0), (half_x, y, 0.0)))
    spec = calibration.spec
    lines += list(zip(spec.post_feet().tolist(), spec.post_tops().tolist(), strict=True))
    share = np.linspace(0, 1, _CHAIN)[:, None]
    return [
        _points(calibration.camera.project(np.array(a) + share * (np.array(b) - np.array(a))))
        for a, b in lines
    ]


def _points(pixels: Array) -> list[tuple[float, float]]:
    return [(round(float(u), 2), round(float(v), 2)) for u, v in pixels]
