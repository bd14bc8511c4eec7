"""Which line of the event file an error of the floors below is about."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from calibration.errors import CalibrationError
from calibration.sentences import Said
from palmo.errors import said, text, texts
from palmo.event import Event, event_error
from palmo.event.lines import KeyPath
from rules.engine.request import Reason
from rules.engine.rulings import RulingError
from rules.smackkatz.modes.entry import RosterError
from rules.smackkatz.sheet import SheetError
from rules.text import Text
from vision.colour.models import ColourError
from vision.measuring.told import ToldError

_RING_KEYS = ("post_tops_px", "corners_px", "post_height_cm", "width_cm", "depth_cm")
_CAMERA_WORDS = ("camera matrix", "dist must", "lens", "intrinsics", "covariance")


@contextmanager
def blaming(event_path: Path, event: Event) -> Iterator[None]:
    """Give errors about what the event file says the file's name, the line and the key.

    Raises EventError in place of CalibrationError, ColourError, ToldError, SheetError, RosterError and
    RulingError.
    """
    try:
        yield
    except CalibrationError as error:
        key, what = _calibration_key(str(error), event), texts(error)[0]
        if key[0] == "ring" and event.camera is not None:
            what = text("error.or_lens", what=what)
        raise event_error(event_path, key, what) from error
    except ColourError as error:
        key = _fighter_key(str(error), event, "colour")
        raise event_error(event_path, key, _after_name(error)) from error
    except ToldError as error:
        key = _fighter_key(f"fighter {error.fighter}:", event, error.key)
        raise event_error(event_path, key, _after_name(error)) from error
    except SheetError as error:
        key = _fighter_key(f"fighter {error.fighter}:", event, "sheet")
        raise event_error(event_path, key, _all_of([_cited(one) for one in error.reasons])) from error
    except RosterError as error:
        raise event_error(event_path, ("fighter",), error.text) from error
    except RulingError as error:
        raise event_error(event_path, ("match", "rulings"), error.text) from error


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


def _after_name(error: Exception) -> Text:
    """The sentence without the fighter's name in front: the key says it already."""
    sentence = error.args[0]
    if isinstance(sentence, Said) and sentence.key == "error.about":
        sentence = sentence.values["what"]
    return said(str(sentence) if not isinstance(sentence, str) else sentence)


def _all_of(sentences: Sequence[Text]) -> Text:
    """Several sentences as one."""
    first, *others = sentences
    return text("error.both", one=first, other=_all_of(others)) if others else first


def _cited(reason: Reason) -> Text:
    """A reason with its rule."""
    return text("error.cited", what=reason.text, rule=reason.rule) if reason.rule else reason.text
