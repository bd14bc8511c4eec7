"""A match seen anew with another calibration: the figures taught where they stand now.

A figure's colour is taken where it is seen now, its facing as it was known; where its feet were tapped says
nothing any more, so that its place is measured by its height and build alone unless they are tapped again.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from calibration.heldout import held_out, widened
from calibration.solve import calibrate
from overlay.setup.desk import Point, Points
from palmo.calibrating.ring_event import write_clicks
from palmo.convert import fighter_specs, intrinsics, ring_spec
from palmo.event import Event, FighterSection
from palmo.event.edit import with_keys, without_key
from palmo.event.load import event_of
from palmo.live.eyes import Moment
from palmo.scene import entered
from palmo.workbench import Workbench
from vision.arrays import Floats, Image
from vision.colour.models import ColourError
from vision.fighters import FighterSpec
from vision.measuring.told import ToldError
from vision.pipeline import Pipeline
from vision.tracks import Track

# Half the side of the box of its colour that is put into a figure, in pixels.
_HALF_PX = 3
# States in which a figure's own pixels are known.
_STANDING = ("placed", "covered", "merged", "unsure")
# A facing that was only assumed is no better for having been assumed twice.
_ASSUMED_SD_DEG = 60.0


@dataclass(frozen=True, eq=False)
class Seen:
    """A match seen with a calibration: its set-up, that set-up's event file, and what follows the figures."""

    bench: Workbench
    text: str
    pipeline: Pipeline


@dataclass(frozen=True)
class Placing:
    """What is written of a fighter that is taught anew."""

    fighter: str
    values: dict[str, str]
    dropped: tuple[str, ...]


def told_of(event: Event) -> dict[str, tuple[object, ...]]:
    """What the camera is taught of every fighter."""
    return {
        one.id: (one.colour_box_px, one.colour, one.foot_px, one.height_cm, one.kind) for one in event.fighter
    }


class MemoryText:
    """An event file's text that is not written anywhere yet."""

    def __init__(self, path: Path, text: str) -> None:
        self.path = self.written = path
        self._text = text

    def read(self) -> str:
        """Its text."""
        return self._text

    def write(self, text: str) -> None:
        """Change it."""
        self._text = text


def calibrated(seen: Seen, corners: Points, tops: Points, image: Image) -> Seen:
    """The match with another calibration, its figures still followed with the old one.

    Raises CalibrationError or EventError.
    """
    size = (image.shape[1], image.shape[0])
    memory = MemoryText(seen.bench.event_path, seen.text)
    write_clicks(memory, corners, tops, size)
    event = event_of(memory.read(), memory.path)
    lens = intrinsics(event)
    ring = calibrate(ring_spec(event), size, image=image, intrinsics=lens)
    check = held_out(ring, image=image, intrinsics=lens)
    bench = replace(seen.bench, event=event, calibration=widened(ring, check), check=check)
    return Seen(bench, memory.read(), seen.pipeline)


def taught(seen: Seen, moment: Moment, feet: Mapping[str, Point]) -> tuple[Seen, list[Placing], list[str]]:
    """The match with its figures taught on a picture; what is written of them; the names of those not seen.

    `feet` are the middles of the feet of those that were tapped on it, in pixels. Raises EventError,
    ColourError, or ToldError for a tap beside its figure too.
    """
    event, tracks, steady = seen.bench.event, moment.tracked.fighters, moment.steady
    pixels = seen.pipeline.tracker.silhouettes()
    placings = {
        one.id: _tapped(
            _placing(
                one, tracks.get(one.id), steady.get(one.id), pixels.get(one.id), seen.bench.colours[one.id]
            ),
            feet.get(one.id),
        )
        for one in event.fighter
        if one.id in pixels
    }
    lost: list[str] = [one.id for one in event.fighter if one.id not in pixels]
    while True:
        written = with_placings(seen.text, seen.bench.event_path, list(placings.values()))
        now = event_of(written, seen.bench.event_path)
        specs = [
            _facing(spec, steady.get(spec.id) or tracks.get(spec.id))
            for spec in fighter_specs(now)
            if spec.id not in lost
        ]
        try:
            pipeline = Pipeline(seen.bench.calibration, specs, moment.frame, background=True)
        except (ColourError, ToldError) as error:
            culprit = _named(error, specs)
            tapped = isinstance(error, ToldError) and error.key == "foot_px"
            if culprit is None or tapped:
                raise
            if "colour_box_px" in placings[culprit].values:
                placings[culprit] = _by_colour(placings[culprit], seen.bench.colours[culprit])
            else:
                # It has left the table: those who have not go on being followed.
                lost.append(culprit)
            continue
        bench = replace(seen.bench, event=now, first=moment.frame)
        names = {one.id: one.name for one in event.fighter}
        return Seen(bench, written, pipeline), list(placings.values()), [names[one] for one in lost]


def with_placings(content: str, path: Path, placings: Sequence[Placing]) -> str:
    """An event file's text with all of it. Raises EventError when it is none."""
    ids = [one.id for one in event_of(content, path).fighter]
    for placing in placings:
        if placing.fighter in ids:
            table = ("fighter", ids.index(placing.fighter))
            content = with_keys(content, table, placing.values)
            for key in placing.dropped:
                content = without_key(content, table, key)
    return content


def _placing(
    one: FighterSection, track: Track | None, steady: Track | None, pixels: Floats | None, colour: str
) -> Placing:
    """What is written of a fighter: the box of its colour where it is seen, and its facing if it is known."""
    values, looking = {}, steady or track
    if looking is not None and looking.facing_deg is not None and _known(one, looking):
        values["facing_deg"] = f"{looking.facing_deg:.2f}"
    placing = Placing(one.id, values, ("foot_px",))
    if track is None or track.state not in _STANDING or pixels is None or not len(pixels):
        return _by_colour(placing, colour)
    # The figure's pixel nearest to its middle.
    middle = pixels[np.argmin(np.linalg.norm(pixels - pixels.mean(axis=0), axis=1))]
    left, top = (round(float(value)) - _HALF_PX for value in middle)
    box = f"[{left}, {top}, {2 * _HALF_PX}, {2 * _HALF_PX}]"
    return Placing(one.id, values | {"colour_box_px": box}, ("foot_px", "colour"))


def _by_colour(placing: Placing, colour: str) -> Placing:
    values = {key: value for key, value in placing.values.items() if key != "colour_box_px"}
    dropped = tuple(key for key in placing.dropped if key != "colour")
    return Placing(placing.fighter, values | {"colour": f'"{colour}"'}, (*dropped, "colour_box_px"))


def _tapped(placing: Placing, foot: Point | None) -> Placing:
    """The same with where its feet were tapped."""
    if foot is None:
        return placing
    dropped = tuple(key for key in placing.dropped if key != "foot_px")
    return Placing(placing.fighter, placing.values | {"foot_px": f"[{foot[0]:.1f}, {foot[1]:.1f}]"}, dropped)


def _known(one: FighterSection, track: Track) -> bool:
    """Whether somebody or something said where it looks."""
    return track.facing_source != "assumed" or entered(one, track)


def _facing(spec: FighterSpec, track: Track | None) -> FighterSpec:
    """A fighter that looks where it looked."""
    if track is None or track.facing_deg is None:
        return spec
    sd = max(spec.facing_sd_deg, track.facing_sd_deg or _ASSUMED_SD_DEG)
    return replace(spec, facing_deg=track.facing_deg, facing_sd_deg=sd)


def _named(error: Exception, specs: Sequence[FighterSpec]) -> str | None:
    """The first fighter that an error is about."""
    if isinstance(error, ToldError):
        return error.fighter
    for spec in specs:
        if re.search(rf"\bfighters? {re.escape(spec.id)}\b", str(error)):
            return spec.id
    return None
