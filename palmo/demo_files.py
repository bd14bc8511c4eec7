"""The clip that comes with Palmo."""

from __future__ import annotations

from pathlib import Path

_FOLDER = Path(__file__).resolve().parent / "demo"
DEMO_CLIP = _FOLDER / "S1" / "clip.mp4"
DEMO_TRUTH = _FOLDER / "S1" / "truth.json"
DEMO_EVENT = _FOLDER / "event.toml"
