"""Which line of the event file an error of the floors below is about."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from calibration.errors import CalibrationError
from palmo.event import Event, event_error
from palmo.event.lines import KeyPath
from rules.engine.rulings import RulingError
from rules.smackkatz.modes.entry import RosterError
from rules.smackkatz.sheet import SheetError
from vision.colour.models import ColourError
from vision.measuring.told import ToldError

_RING_KEYS = ("post_tops_px", "corners_px", "post_height_cm", "width_cm", "depth_cm")
_CAMERA_WORDS = ("camera matrix", "dist must", "lens", "intrinsics")


@contextmanager
def blaming(event_path: Path, event: Event) -> Iterator[None]:
    """Give errors about what the event file says the file's name, the line and the key.

    Raises EventError in place of CalibrationError, ColourError, ToldError, SheetError, RosterError and
    RulingError.
    """
    try:
        yield
    except CalibrationError as error:
        raise event_error(event_path, _calibration_key(str(error), event), str(error)) from error
    except ColourError as error:
        raise event_error(
            event_path, _fighter_key(str(error), event, "colour"), _after_name(str(error))
        ) from error
    except ToldError as error:
        key = _fighter_key(f"fighter {error.fighter}:", event, error.key)
        raise event_error(event_path, key, _after_name(str(error))) from error
    except SheetError as error:
        raise event_error(
            event_path, _fighter_key(f"fighter {error.fighter}:", event, "sheet"), str(error)
        ) from error
    except RosterError as error:
        raise event_error(event_path, ("fighter",), str(error)) from error
    except RulingError as error:
        raise event_error(event_path, ("match", "rulings"), str(error)) from error


def _calibration_key(message: str, event: Event) -> KeyPath:
    named = [key for key in _RING_KEYS if re.search(rf"\b{key}\b", message)]
    # The key named first is what the sentence is about; later ones are advice.
    if named:
        return "ring", min(named, key=lambda key: message.index(key))
    if event.camera is not None and any(word in message for word in _CAMERA_WORDS):
        return ("camera",)
    return "ring", "corners_px"


def _fighter_key(message: str, event: Event, about: str) -> KeyPath:
    for number, fighter in enumerate(event.fighter):
        if re.search(rf"\bfighters? {re.escape(fighter.id)}\b", message):
            if about == "colour":
                about = "colour_box_px" if fighter.colour_box_px is not None else "colour"
            return "fighter", number, about
    return ("fighter",)


def _after_name(message: str) -> str:
    """The sentence without the fighter's name in front: the key says it already."""
    return re.sub(r"^fighter \S+: ", "", message)
