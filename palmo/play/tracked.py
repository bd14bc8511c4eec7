"""Figures at a time of recorded tracks."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from palmo.errors import SaidError
from palmo.event import Event
from palmo.read_tracks import tracks_of
from palmo.scene import SceneBuilder
from rules.scene import Figure


def tracked_figures(event: Event, tracks: Path) -> Callable[[float], dict[str, Figure]]:
    """A function that gives the figures standing at a time in seconds.

    Raises the tracks' own error; the function raises SaidError for a time outside the tracks.
    """
    builder = SceneBuilder(event)
    scenes = [builder.scene(frame) for frame in tracks_of(event, tracks)]

    def figures_at(t: float) -> dict[str, Figure]:
        if not scenes[0].t - 0.5 <= t <= scenes[-1].t + 0.5:
            raise SaidError("terminal.outside", t=t, first=scenes[0].t, last=scenes[-1].t)
        return dict(min(scenes, key=lambda scene: abs(scene.t - t)).figures)

    return figures_at
