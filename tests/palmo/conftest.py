from __future__ import annotations

from pathlib import Path

import pytest

from palmo.event import Event, load_event

EVENT = """[ring]
width_cm = 70
depth_cm = 60
post_height_cm = 16
corners_px = [[397.9, 135.9], [896.3, 124.6], [967.0, 594.9], [328.9, 603.9]]
[[player]]
id = "ana"
palm_cm = 20.5
half_palm_cm = 8.4
palm_sd_cm = 0.1
[[player]]
id = "leo"
palm_cm = 18.0
half_palm_cm = 7.7
[[fighter]]
id = "F1"
name = "El Santo de Barro"
player = "ana"
class = "humanoid"
colour_box_px = [457, 169, 6, 6]
foot_px = [460, 200]
height_cm = 14
facing_deg = -45
[fighter.sheet]
combat = 2
speed = 3
strength = 1
technique = 2
resistance = 2
strike = 2
irish_whip = 2
suplex = 2
submission = 2
counter = 2
finisher = "El Ladrillazo"
trigger = "back_turned"
[[fighter]]
id = "F2"
name = "Ñandú"
player = "leo"
class = "beast"
colour = "#d0b020"
height_cm = 10
facing_deg = 135
"""


@pytest.fixture
def event(tmp_path: Path) -> Event:
    path = tmp_path / "event.toml"
    path.write_text(EVENT, encoding="utf-8")
    return load_event(path)
