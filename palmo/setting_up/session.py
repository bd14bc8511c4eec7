"""A set-up served until the match begins, and again when it could not."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from pathlib import Path

from overlay.i18n import translate
from overlay.setup.app import create_setup_app
from overlay.setup.desk import Step
from palmo.calibrating.event_text import Draft
from palmo.errors import texts
from palmo.live.serving import Door, open_door, quiet_server
from palmo.setting_up.desk import ALL_STEPS, EventSetup
from palmo.setting_up.shots import Photos, Shots
from rules.text import Text

Say = Callable[[str], None]
# Runs the match behind a door, and calls back once it has begun.
Match = Callable[[Door, Callable[[], None]], None]


def serve_setup(
    sources: Sequence[str], event: Path, steps: Sequence[Step], *, host: str, port: int, lang: str, say: Say
) -> None:
    """Serve a part of the set-up until Ctrl-C; several sources are single pictures.

    Raises EventError, PalmoError or SourceError before.
    """
    door = open_door(host, port)
    with contextlib.closing(door.socket), contextlib.suppress(KeyboardInterrupt):
        _serve(sources, event, steps, door, None, lang, say)


def set_up_and_play(
    source: str, event: Path, *, host: str, port: int, lang: str, say: Say, match: Match
) -> None:
    """Serve the set-up until its match begins, then run that; a match that cannot begin leads back to it.

    Ctrl-C ends the set-up. Raises what opening the source and what a match that has begun raises.
    """
    door, refusal = open_door(host, port), None
    begun = False

    def has_begun() -> None:
        nonlocal begun
        begun = True

    with contextlib.closing(door.socket), contextlib.suppress(KeyboardInterrupt):
        while _serve([source], event, ALL_STEPS, door, refusal, lang, say):
            try:
                match(door, has_begun)
            except (ValueError, OSError) as error:
                if begun:
                    raise
                refusal = texts(error)[0]
                say(translate(refusal, lang))
            else:
                break


def _serve(
    sources: Sequence[str],
    event: Path,
    steps: Sequence[Step],
    door: Door,
    refusal: Text | None,
    lang: str,
    say: Say,
) -> bool:
    """Serve the page; whether the match is to begin."""
    begin = False

    def on_begin() -> None:
        nonlocal begin
        begin = server.should_exit = True

    with Shots(sources[0]) if len(sources) == 1 else Photos(sources) as shots:
        draft = Draft(event)
        desk = EventSetup(draft, shots, steps=steps, refusal=refusal, on_begin=on_begin)
        app = create_setup_app(desk, hosts=door.names, key=door.key, lang=lang)
        server = quiet_server(app)
        say(translate(Text("setup.page", {"address": door.address("/")}), lang))
        # The door stays open for what comes after: pages that ask meanwhile wait.
        try:
            server.run(sockets=[door.socket.dup()])
        finally:
            if draft.written != event and (missing := draft.problems()):
                files = {"path": str(draft.written), "event": str(event)}
                say(translate(Text("setup.draft", {**files, "why": missing[0]}), lang))
    return begin
