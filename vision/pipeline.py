"""The whole of vision: tracker and measurer together, live and looking back.

Live, a fragment is measured when a figure settles and again as its average grows, never every frame, and in
the background if the loop must not wait. A recording is followed first and judged afterwards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress

from calibration.furniture import furniture_mask
from calibration.result import RingCalibration
from calibration.sentences import Said
from vision.assemble import Assembler, Remark
from vision.begin import begin
from vision.fighters import FighterSpec
from vision.finding.blobs import Refusal
from vision.finding.following import Stand
from vision.finding.revise import fill_guesses, revise
from vision.fragments import Fragment
from vision.measuring import refining
from vision.measuring.background import Measuring
from vision.measuring.matte import MatteError
from vision.measuring.measurer import Measurer
from vision.measuring.poses import FragmentPose
from vision.shape import fallen, network
from vision.sources.frames import Frame
from vision.tracks import Track, TrackFrame
from vision.zones import Zones

# A fragment is measured when its average has this many frames: at once, then as it becomes worth it.
MEASURED_AT = (1, 6, 12, 20, 45)
# Ropes and posts are widened by this in the picture.
FURNITURE_MARGIN_PX = 2.0


class Pipeline:
    """Frames in, track frames out, live: nothing is ever taken back.

    `refusals` holds what the gates refused in the last frame, `measured` the poses by (fighter, fragment).
    With `background` the loop never waits for a measurement: a pose appears a few frames after a figure has
    settled. Raises ColourError when the colours cannot be taught on `first`, ToldError when a height or a tap
    contradicts it, ShapeError when what was learned of shapes cannot be read.
    """

    def __init__(
        self,
        calibration: RingCalibration,
        fighters: Sequence[FighterSpec],
        first: Frame,
        *,
        measure: bool = True,
        background: bool = False,
    ) -> None:
        if measure:
            network.ready()
            fallen.ready()
            refining.ready()
        dont_care = furniture_mask(calibration, FURNITURE_MARGIN_PX)
        self.tracker, self._doubts = begin(calibration, fighters, first, dont_care)
        spec = calibration.spec
        zones = Zones(spec.width_cm, spec.depth_cm)
        self._assembler = Assembler(calibration.camera, zones, fighters)
        self._measurer = Measurer(calibration, fighters, dont_care, first=first.index)
        self._measuring = Measuring(self._measurer, background=background) if measure else None
        self._measured_with: dict[tuple[str, int], int] = {}
        self.measured: dict[tuple[str, int], FragmentPose] = {}
        self._current: dict[str, FragmentPose] = {}

    def close(self) -> None:
        """End the measuring in the background. The pipeline is not to be used afterwards."""
        if self._measuring is not None:
            self._measuring.close()

    @property
    def warnings(self) -> list[Said]:
        """What was told of the fighters and is doubtful or not believed, as sentences."""
        return [*self._doubts, *self._measurer.warnings]

    @property
    def refusals(self) -> list[Refusal]:
        """What the gates refused in the last frame."""
        return self.tracker.refusals

    def update(self, frame: Frame) -> TrackFrame:
        """The track frame of the next picture; the picture it was taught on may be the first one fed."""
        remarks = self.observe(frame)
        for number, fragment in self.tracker.take_closed():
            self._measure(number, fragment)
        self._measure_growing()
        self._take_measured()
        tracks = {name: self._track(name, remark) for name, remark in remarks.items()}
        measuring = frozenset(name for name, remark in remarks.items() if self._waits(name, remark.fragment))
        return TrackFrame(frame.index, frame.t, tracks, measuring=measuring)

    def observe(self, frame: Frame) -> dict[str, Remark]:
        """Follow the figures through the next picture without measuring them."""
        return {name: self._assembler.remark(s) for name, s in self.tracker.update(frame).items()}

    # Measuring ----------------------------------------------------------------------------------------

    def _measure_growing(self) -> None:
        """Measure what has grown enough: everything that was never measured, else the most overdue one."""
        if self._measuring is None or self._measuring.busy:
            return
        due = []
        for name, growing in self.tracker.growing().items():
            used = growing.frames_used
            done = self._measured_with.get((name, growing.number), 0)
            wanted = max((n for n in MEASURED_AT if n <= used), default=0)
            if wanted > done:
                due.append((done, -used, name))
        due.sort()
        for done, _, name in due:
            growing = self.tracker.growing()[name]
            snapshot = growing.snapshot()
            if snapshot is not None:
                self._measure(growing.number, snapshot)
            if done > 0:
                break

    def _measure(self, number: int, fragment: Fragment) -> None:
        key = (fragment.fighter, number)
        if self._measuring is not None and self._measured_with.get(key, 0) != fragment.frames_used:
            self._measured_with[key] = fragment.frames_used
            beside = {name: one.number for name, one in self.tracker.growing().items()}
            self._measuring.submit(number, fragment, beside)

    def _waits(self, name: str, number: int | None) -> bool:
        """Whether a fragment was not measured yet, and will be."""
        if self._measuring is None or number is None or (name, number) in self.measured:
            return False
        return (name, number) not in self._measured_with or self._measuring.works_on(name, number)

    def _take_measured(self) -> None:
        if self._measuring is not None:
            for fighter, pose in self._measuring.take_done():
                self.measured[fighter, pose.fragment] = pose
                self._current[fighter] = pose

    def _track(self, name: str, remark: Remark) -> Track:
        pose = None if remark.fragment is None else self.measured.get((name, remark.fragment))
        return self._assembler.track(name, remark, pose, self._current.get(name))

    # Looking back -------------------------------------------------------------------------------------

    def look_back(
        self, frames: Iterable[Frame], on_frame: Callable[[Frame, list[Refusal]], None] | None = None
    ) -> list[TrackFrame]:
        """Follow all frames to the end, then say what happened. `on_frame` hears of every frame at once."""
        times: list[tuple[int, float]] = []
        remarks: dict[str, list[Remark]] = {}
        for frame in frames:
            times.append((frame.index, frame.t))
            for name, remark in self.observe(frame).items():
                remarks.setdefault(name, []).append(remark)
            closed = self.tracker.take_closed()
            if closed:
                self._look_around(closed)
            for number, fragment in closed:
                self._measure(number, fragment)
            if on_frame is not None:
                on_frame(frame, self.refusals)
        self._look_around()
        # whoever is below stood there first
        for growing in sorted(self.tracker.growing().values(), key=lambda one: one.first):
            snapshot = growing.snapshot()
            if snapshot is not None:
                self._measure(growing.number, snapshot)
        if self._measuring is not None:
            self._measuring.wait()
            self._take_measured()
        start = times[0][0] if times else 0
        stands = {name: self.tracker.stands(name) for name in remarks}
        tracks = {name: self._revised(name, found, start, stands[name]) for name, found in remarks.items()}
        return [
            TrackFrame(index, t, {name: found[i] for name, found in tracks.items()})
            for i, (index, t) in enumerate(times)
        ]

    def _look_around(self, closed: Sequence[tuple[int, Fragment]] = ()) -> None:
        """Learn from everybody what shadows look like on this table, before the first of them is measured."""
        if self._measuring is None or self._measured_with:
            return
        growing = ((one.number, one.snapshot()) for one in self.tracker.growing().values())
        for number, fragment in [*closed, *growing]:
            if fragment is not None:
                with suppress(MatteError):
                    self._measurer.look_around(number, fragment)

    def _revised(self, name: str, remarks: list[Remark], start: int, stands: list[Stand]) -> list[Track]:
        tracks: list[Track] = []
        last: FragmentPose | None = None
        for remark in fill_guesses(revise(remarks, start, stands)):
            pose = None if remark.fragment is None else self.measured.get((name, remark.fragment))
            last = pose or last
            tracks.append(self._assembler.track(name, remark, pose, last))
        return tracks


def track(
    calibration: RingCalibration,
    fighters: Sequence[FighterSpec],
    frames: Iterable[Frame],
    *,
    on_frame: Callable[[Frame, list[Refusal]], None] | None = None,
) -> list[TrackFrame]:
    """Track a whole recording, looking back. The first frame teaches the colours.

    Raises ColourError or ToldError.
    """
    iterator = iter(frames)
    first = next(iterator, None)
    if first is None:
        return []
    pipeline = Pipeline(calibration, fighters, first)

    def all_frames() -> Iterable[Frame]:
        yield first
        yield from iterator

    return pipeline.look_back(all_frames(), on_frame)
