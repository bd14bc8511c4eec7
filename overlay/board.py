"""The notice board between the live loop and its watchers: only the newest counts, nobody is waited for."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from calibration.camera import Camera
from overlay.i18n import NO_NAMES
from rules.annotations import Annotation


@dataclass(frozen=True, eq=False)
class Snapshot:
    """One moment of the table: the picture (BGR, not changed any more) and what is drawn over it.

    `number` counts the snapshots of a run; `names` are the names behind the ids that sentences speak of,
    `colours` the fighters' colours by id, "#rrggbb"; `jpeg` gives the picture as JPEG when others
    need it too.
    """

    number: int
    frame: int
    t: float
    image: NDArray[np.uint8]
    annotations: tuple[Annotation, ...]
    camera: Camera
    names: Mapping[str, str] = field(default_factory=dict)
    colours: Mapping[str, str] = field(default_factory=dict)
    jpeg: Callable[[], bytes] | None = None


class Board:
    """Holds the newest snapshot and the number of the newest panel; may be posted to from any thread.

    Posting takes the same short time whether nobody watches or many do, and however slow they are: watchers
    are only told that there is something new and fetch the newest when they are ready.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._snapshot: Snapshot | None = None
        self._panel = 0
        self._watchers: dict[asyncio.Event, asyncio.AbstractEventLoop] = {}

    @property
    def snapshot(self) -> Snapshot | None:
        """The newest snapshot; None before the first."""
        return self._snapshot

    @property
    def panel(self) -> int:
        """The number of the newest panel."""
        return self._panel

    def post(
        self,
        frame: int,
        t: float,
        image: NDArray[np.uint8],
        annotations: tuple[Annotation, ...],
        camera: Camera,
        names: Mapping[str, str] = NO_NAMES,
        colours: Mapping[str, str] = NO_NAMES,
        *,
        jpeg: Callable[[], bytes] | None = None,
    ) -> None:
        """Show a new moment. The image is kept, not copied: do not draw on it afterwards."""
        with self._lock:
            number = 0 if self._snapshot is None else self._snapshot.number + 1
            self._snapshot = Snapshot(number, frame, t, image, annotations, camera, names, colours, jpeg)
        self._tell()

    def panel_changed(self) -> None:
        """Say that the feed's panel is no longer what it was: request, history or status."""
        with self._lock:
            self._panel += 1
        self._tell()

    def watch(self) -> asyncio.Event:
        """An event of the running loop that is set whenever something is posted; end with `unwatch`."""
        event = asyncio.Event()
        with self._lock:
            self._watchers[event] = asyncio.get_running_loop()
        return event

    def unwatch(self, event: asyncio.Event) -> None:
        """Stop telling this event."""
        with self._lock:
            self._watchers.pop(event, None)

    def _tell(self) -> None:
        with self._lock:
            watchers = list(self._watchers.items())
        for event, loop in watchers:
            try:
                loop.call_soon_threadsafe(event.set)
            except RuntimeError:  # Its loop is closed: the server has gone.
                self.unwatch(event)
