"""The event file: everything about one set-up, strict and typed."""

from palmo.event.load import event_error, load_event
from palmo.event.model import Event, FighterSection, PlayerSection, RingSection, SheetSection
from palmo.event.problems import EventError, Problem
from palmo.event.watch import EventWatcher

__all__ = [
    "Event",
    "EventError",
    "EventWatcher",
    "FighterSection",
    "PlayerSection",
    "Problem",
    "RingSection",
    "SheetSection",
    "event_error",
    "load_event",
]
