"""What the guard has to say, by what it concerns: sentences that the floors above translate."""

from __future__ import annotations

from calibration.guard_watch import Condition
from calibration.sentences import Said

CONCERNS = ("place", "focus", "light")


def sentences_of(condition: Condition) -> dict[str, Said]:
    """What is to be said of the camera, by one of CONCERNS; empty while it is as it was calibrated."""
    found: dict[str, Said] = {}
    if condition.moved_px is not None:
        found["place"] = _zoomed(condition.moved_px) if condition.zoomed else _moved(condition.moved_px)
    elif condition.lost:
        found["place"] = Said(
            "warning.guard.lost",
            "the ring is not found where it was calibrated: it is covered or dark, or the camera was turned "
            "away",
        )
    if condition.out_of_focus:
        found["focus"] = Said(
            "warning.guard.focus",
            "the picture is not as sharp as when it was calibrated: switch the automatic focus off and look "
            "at the lens",
        )
    if condition.light is not None:
        found["light"] = _light(condition.light)
    return found


def _moved(px: float) -> Said:
    return Said(
        "warning.guard.moved",
        "the camera has moved since the calibration, by about {px:.0f} px in the picture: put it back or "
        "calibrate again; what is measured now is marked",
        px=px,
    )


def _zoomed(px: float) -> Said:
    return Said(
        "warning.guard.zoomed",
        "the lens has been zoomed since the calibration, by about {px:.0f} px in the picture: zoom it back "
        "or calibrate again; what is measured now is marked",
        px=px,
    )


def _light(factor: float) -> Said:
    if factor == 1.0:
        return Said(
            "warning.guard.tint",
            "the colour of the light, or the camera's white balance, has changed since the start",
        )
    return Said(
        "warning.guard.light",
        "the light, or the camera's exposure, has changed since the start: the ring is {factor:.1f} times as "
        "bright",
        factor=factor,
    )
