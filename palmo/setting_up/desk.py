"""The whole set-up of one table: what its page asks for, and the event file it fills in."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from calibration.heldout import held_out, widened
from calibration.result import RingCalibration
from calibration.solve import calibrate
from overlay.setup.desk import NotSo, Sizes, Step
from palmo.blame import blaming
from palmo.calibrating.event_text import Draft
from palmo.calibrating.ring_desk import EventRingDesk, on_a_page, refusing
from palmo.calibrating.ring_event import lens_of, spec_of
from palmo.convert import fighter_specs, intrinsics
from palmo.errors import SaidError, texts
from palmo.event import EventError
from palmo.play.table import begun
from palmo.setting_up.checked import change
from palmo.setting_up.fighters import EventFighters
from palmo.setting_up.hands import EventHands
from palmo.setting_up.lacking import lacking
from palmo.setting_up.people import EventPeople
from palmo.setting_up.rules import EventRules
from palmo.setting_up.shots import Pictures
from rules.text import Text
from vision.arrays import Image
from vision.pipeline import Pipeline
from vision.sources.frames import Frame

ALL_STEPS: tuple[Step, ...] = ("ring", "people", "rules", "hands", "fighters", "begin")


class EventSetup:
    """Implements `overlay.setup.desk.SetupDesk` over an event file and a source of pictures."""

    def __init__(
        self,
        draft: Draft,
        shots: Pictures,
        *,
        steps: Sequence[Step] = ALL_STEPS,
        refusal: Text | None = None,
        on_begin: Callable[[], None] = lambda: None,
    ) -> None:
        """Raises SourceError or PalmoError when there is no picture."""
        self.steps: Sequence[Step] = steps
        self.refusal = None if refusal is None else on_a_page(refusal)
        self.image: Image = shots.table()
        self.people: EventPeople = EventPeople(draft)
        self.rules: EventRules = EventRules(draft)
        self.pointing: EventFighters = EventFighters(draft, self.people, lambda: (self.image, self._solved()))
        self.hands: EventHands = EventHands(draft, self.people, shots.hand, self._solved)
        self._draft = draft
        self._shots = shots
        self._on_begin = on_begin
        self._ring: tuple[str, Image, EventRingDesk] | None = None
        self._solution: tuple[str, Image, RingCalibration] | None = None
        self._look_at_the_ring()

    # ---- overlay.setup.desk.SetupDesk

    @property
    def ring(self) -> EventRingDesk:
        """The ring's desk for the picture of now."""
        key, image = str(self.sizes()), self.image
        if self._ring is None or self._ring[0] != key or self._ring[1] is not image:
            if None in (self.sizes().width_cm, self.sizes().depth_cm, self.sizes().post_height_cm):
                raise NotSo(Text("setup.no_sizes"))
            with refusing():
                self._ring = key, image, EventRingDesk(self._draft, image)
        return self._ring[2]

    def sizes(self) -> Sizes:
        """The ring's sizes as far as they are known."""
        ring = self._draft.data.get("ring", {})
        known = [ring.get(key) for key in ("width_cm", "depth_cm", "post_height_cm")]
        return Sizes(*(float(one) if isinstance(one, int | float) else None for one in known))

    def put_sizes(self, sizes: Sizes) -> None:
        """Write the ring's sizes down."""
        values = {
            key: f"{value:g}"
            for key, value in (
                ("width_cm", sizes.width_cm),
                ("depth_cm", sizes.depth_cm),
                ("post_height_cm", sizes.post_height_cm),
            )
            if value is not None
        }
        change(self._draft, ("ring",), values)

    def look(self) -> None:
        """Take a new picture of the table."""
        with refusing():
            self.image = self._shots.table()

    def missing(self) -> Sequence[Text]:
        """What stands between this set-up and a match."""
        self._look_at_the_ring()
        return self._problems()

    def begin(self) -> None:
        """Try everything that the beginning of a match tries, then let it begin."""
        problems = self._problems()
        if problems:
            raise NotSo(problems[0])
        event = self._draft.event()
        with refusing(), blaming(self._draft.path, event):
            ring = self._solved()
            found = held_out(ring, image=self.image, intrinsics=intrinsics(event))
            Pipeline(widened(ring, found), fighter_specs(event), Frame(0, 0.0, self.image)).close()
        self._on_begin()

    # ---- inside

    def _problems(self) -> list[Text]:
        """What is wrong with the file; of one that is whole, what the rules refuse."""
        try:
            begun(self._draft.path, self._draft.event())
        except EventError as error:
            return lacking(error, {one.id: one.name for one in self.people.fighters()})
        except SaidError as error:
            return [on_a_page(one) for one in texts(error)]
        return []

    def _look_at_the_ring(self) -> None:
        """Let the fighters' arrows be drawn as soon as the ring is known."""
        try:
            self.people.ring = self._solved()
        except NotSo:
            self.people.ring = None

    def _solved(self) -> RingCalibration:
        """The camera over the ring. Raises NotSo."""
        data = self._draft.data
        key, image = str([data.get("ring"), data.get("camera")]), self.image
        if self._solution is None or self._solution[0] != key or self._solution[1] is not image:
            self._solution = key, image, self._calibrated(image)
        return self._solution[2]

    def _calibrated(self, image: Image) -> RingCalibration:
        with refusing():
            spec = spec_of(self._draft)
            if spec is None:
                raise NotSo(Text("setup.no_ring"))
            size = (image.shape[1], image.shape[0])
            return calibrate(spec, size, image=image, intrinsics=lens_of(self._draft))
