"""What `palmo doctor` looks at: can this machine run a match?"""

from __future__ import annotations

import shutil
import socket
import statistics
import sys
import time
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Literal

from palmo.demo_files import DEMO_CLIP, DEMO_EVENT

Health = Literal["fine", "note", "trouble"]
_BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome", "firefox", "brave-browser", "msedge")
# A live match needs this many pictures a second to show hands coming and going.
_ENOUGH_FPS = 15.0
STEADY = frozenset({"versions", "reading video", "writing video", "camera", "browser"})
"""What says the same whenever this machine is asked, unlike its speed and its ports."""


@dataclass(frozen=True)
class Check:
    """One thing looked at: `trouble` stops a match, a `note` does not."""

    name: str
    health: Health
    sentence: str


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
            yield Check(name, "trouble", f"could not be looked at: {error}")


def _versions() -> Check:
    listed = ", ".join(
        f"{name} {version(name)}" for name in ("palmo", "opencv-python", "numpy", "shapely", "av")
    )
    return Check("versions", "fine", f"Python {sys.version.split()[0]}, {listed}")


def _reading() -> Check:
    from vision.sources.open import open_source

    with open_source(str(DEMO_CLIP)) as source:
        frames = sum(1 for _ in source)
        size = source.size
    if frames == 0:
        return Check(
            "reading video", "trouble", "the bundled H.264 clip cannot be decoded; reinstall opencv-python"
        )
    return Check(
        "reading video", "fine", f"the bundled clip decodes: {frames} frames of {size[0]} x {size[1]}"
    )


def _writing() -> Check:
    import av

    try:
        av.codec.Codec("libx264", "w")
    except av.codec.codec.UnknownCodecError:
        return Check("writing video", "note", "no H.264 encoder; annotated videos are written as MPEG-4")
    return Check("writing video", "fine", "H.264 encoder found")


def _camera() -> Check:
    devices = sorted(str(path) for path in Path("/dev").glob("video*"))
    if devices:
        return Check(
            "camera", "fine", f"found {', '.join(devices)}; try: palmo live --source 0 --event event.toml"
        )
    if sys.platform.startswith("linux"):
        sentence = "none connected; a clip or the address of an IP camera works as a source too"
        return Check("camera", "note", sentence)
    return Check(
        "camera", "note", "not looked for on this system; try: palmo live --source 0 --event event.toml"
    )


def _port(port: int) -> Check:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError as error:
            return Check(
                "port", "note", f"{port} cannot be used ({error.strerror}); give palmo live another --port"
            )
    return Check("port", "fine", f"{port} is free")


def _browser() -> Check:
    found = [name for name in _BROWSERS if shutil.which(name)]
    if found:
        return Check("browser", "fine", f"found {', '.join(found)}")
    return Check(
        "browser", "note", "none found here; any phone or computer that reaches this machine will do"
    )


def _speed() -> Check:
    from palmo.workbench import open_workbench

    costs = []
    with open_workbench(str(DEMO_CLIP), DEMO_EVENT) as bench:
        pipeline = bench.pipeline()
        for frame in bench.frames():
            started = time.perf_counter()
            pipeline.update(frame)
            costs.append(time.perf_counter() - started)
    usual, largest = statistics.median(costs), max(costs)
    sentence = (
        f"{1000 * usual:.0f} ms per picture of the bundled clip, {1000 * largest:.0f} ms at most (measuring)"
    )
    if 1.0 / usual < _ENOUGH_FPS:
        return Check("speed", "note", f"{sentence}; close other programs")
    return Check("speed", "fine", sentence)
