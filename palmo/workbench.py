"""A set-up made ready: source opened, event read, ring calibrated, fighters taught."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from calibration.heldout import HeldOut, held_out, widened
from calibration.result import RingCalibration
from calibration.solve import calibrate
from palmo.blame import blaming
from palmo.convert import check_resolution, fighter_specs, intrinsics, ring_spec
from palmo.errors import SaidError, text
from palmo.event import Event, EventError, event_error, load_event
from palmo.ring_report import said, warning
from rules.text import Text
from vision.arrays import Image
from vision.colour.models import box_slices
from vision.pipeline import Pipeline
from vision.sources.frames import Frame, FrameSource
from vision.sources.open import open_source


@dataclass(frozen=True, eq=False)
class Workbench:
    """Everything a command needs to work through a source; `first` has already been taken from it."""

    event_path: Path
    event: Event
    source: FrameSource
    first: Frame
    calibration: RingCalibration
    check: HeldOut
    rest: Iterator[Frame]

    def pipeline(self, *, background: bool = False) -> Pipeline:
        """A pipeline taught on the first picture, which measures beside a live loop with `background`.

        Raises EventError for colours it cannot tell apart.
        """
        fighters = fighter_specs(self.event)
        try:
            with blaming(self.event_path, self.event):
                return Pipeline(self.calibration, fighters, self.first, background=background)
        except EventError as error:
            raise self._explained(error) from error

    def _explained(self, error: EventError) -> EventError:
        """Boxes that miss their figures and corners that miss the mat may have one cause: another size."""
        if not self.calibration.notes:
            return error
        width, height = self.calibration.size
        note = said(self.calibration.notes[0])
        what = text("error.event.other_size", width=width, height=height, note=note)
        return EventError(
            self.event_path,
            [*error.problems, *event_error(self.event_path, ("ring", "corners_px"), what).problems],
        )

    @property
    def ring_warning(self) -> Text | None:
        """One sentence when the ring's calibration is not good."""
        return warning(self.calibration, self.check)

    @property
    def colours(self) -> dict[str, str]:
        """Every fighter's colour for its label, "#rrggbb": as written down, else as its box shows it."""
        return {
            fighter.id: fighter.colour or shown_in(self.first.image, fighter.colour_box_px or [0, 0, 1, 1])
            for fighter in self.event.fighter
        }

    def frames(self) -> Iterator[Frame]:
        """All frames, the first included; to be walked through once."""
        yield self.first
        yield from self.rest


@contextmanager
def open_workbench(source: str, event_path: Path, event: Event | None = None) -> Iterator[Workbench]:
    """Open a source with an event file, or what is to become of it, and calibrate on its first picture.

    Raises EventError, PalmoError or SourceError, each one sentence.
    """
    event = event or load_event(event_path)
    with open_source(source) as opened:
        frames = iter(opened)
        first = next(frames, None)
        if first is None:
            raise SaidError("error.source.no_picture", name=opened.name)
        size = (first.image.shape[1], first.image.shape[0])
        check_resolution(event_path, event, size)
        with blaming(event_path, event):
            lens = intrinsics(event)
            calibration = calibrate(ring_spec(event), size, image=first.image, intrinsics=lens)
            check = held_out(calibration, image=first.image, intrinsics=lens)
        # Where the check failed, its error is evidence: everything measured gets bars as wide.
        calibration = widened(calibration, check)
        yield Workbench(event_path, event, opened, first, calibration, check, frames)


def shown_in(image: Image, box: list[float]) -> str:
    """The usual colour of a picture's box (u, v, width, height), "#rrggbb"."""
    u, v, width, height = box
    rows, columns = box_slices((u, v, width, height))
    pixels = image[rows, columns].reshape(-1, 3)
    # A box that is not in the picture is refused where its colour is taught.
    blue, green, red = np.median(pixels, axis=0).astype(int) if len(pixels) else (0, 0, 0)
    return f"#{red:02x}{green:02x}{blue:02x}"
