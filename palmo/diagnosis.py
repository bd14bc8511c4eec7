"""What `palmo doctor` looks at: can this machine run a match?"""

from __future__ import annotations

import shutil
import socket
import statistics
import sys
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Literal

from overlay.i18n import translate
from palmo.demo_files import DEMO_CLIP, DEMO_EVENT
from palmo.errors import Value, reason, text, texts
from rules.text import Text

Health = Literal["fine", "note", "trouble"]
_BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome", "firefox", "brave-browser", "msedge")
# A live match needs this many pictures a second to show hands coming and going.
_ENOUGH_FPS = 15.0
# A picture that takes longer than this is seen as a match that stands still.
_STUTTER_S = 1.0
STEADY = frozenset({"versions", "reading video", "writing video", "camera", "browser"})
"""What says the same whenever this machine is asked, unlike its speed and its ports."""


@dataclass(frozen=True)
class Check:
    """One thing looked at: `trouble` stops a match, a `note` does not."""

    name: str
    health: Health
    text: Text

    @property
    def sentence(self) -> str:
        """What was found, in English."""
        return translate(self.text, "en")

    def to_json(self, lang: str = "en") -> dict[str, str]:
        """Plain data, with the sentence in a language."""
        return {"name": self.name, "health": self.health, "sentence": translate(self.text, lang)}


def diagnose(port: int = 8080, only: Collection[str] | None = None) -> Iterator[Check]:
    """Look at everything, or only at what is named, cheapest first."""
    looks: tuple[tuple[str, Callable[[], Check]], ...] = (
        ("versions", _versions),
        ("reading video", _reading),
        ("writing video", _writing),
        ("camera", _camera),
        ("port", lambda: _port(port)),
        ("browser", _browser),
        ("speed", _speed),
    )
    for name, look in looks:
        if only is not None and name not in only:
            continue
        try:
            yield look()
        except Exception as error:
            yield Check(name, "trouble", text("doctor.failed", why=texts(error)[0]))


def _check(name: str, health: Health, found: str, **values: Value) -> Check:
    return Check(name, health, text(f"doctor.{name.replace(' ', '_')}.{found}", **values))


def _versions() -> Check:
    listed = ", ".join(
        f"{name} {version(name)}" for name in ("palmo", "opencv-python", "numpy", "shapely", "av")
    )
    return _check("versions", "fine", "found", python=sys.version.split()[0], listed=listed)


def _reading() -> Check:
    from vision.sources.open import open_source

    with open_source(str(DEMO_CLIP)) as source:
        frames = sum(1 for _ in source)
        width, height = source.size
    if frames == 0:
        return _check("reading video", "trouble", "none")
    return _check("reading video", "fine", "found", frames=frames, width=width, height=height)


def _writing() -> Check:
    import av

    try:
        av.codec.Codec("libx264", "w")
    except av.codec.codec.UnknownCodecError:
        return _check("writing video", "note", "none")
    return _check("writing video", "fine", "found")


def _camera() -> Check:
    devices = sorted(str(path) for path in Path("/dev").glob("video*"))
    if devices:
        return _check("camera", "fine", "found", listed=", ".join(devices))
    return _check("camera", "note", "none" if sys.platform.startswith("linux") else "unknown")


def _port(port: int) -> Check:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError as error:
            return _check("port", "note", "taken", port=str(port), why=reason(error))
    return _check("port", "fine", "free", port=str(port))


def _browser() -> Check:
    found = [name for name in _BROWSERS if shutil.which(name)]
    if found:
        return _check("browser", "fine", "found", listed=", ".join(found))
    return _check("browser", "note", "none")


def _speed() -> Check:
    from palmo.workbench import open_workbench

    costs = []
    with open_workbench(str(DEMO_CLIP), DEMO_EVENT) as bench:
        pipeline = bench.pipeline()
        for frame in bench.frames():
            started = time.perf_counter()
            pipeline.update(frame)
            costs.append(time.perf_counter() - started)
    return speed_of(costs)


def speed_of(costs: Sequence[float]) -> Check:
    """Whether pictures that cost so many seconds each keep up with a match."""
    usual, largest = statistics.median(costs), max(costs)
    found: tuple[Health, str] = ("fine", "found")
    if 1.0 / usual < _ENOUGH_FPS:
        found = "note", "slow"
    elif largest > _STUTTER_S:
        found = "note", "stutters"
    return _check("speed", *found, usual=1000 * usual, largest=1000 * largest)
