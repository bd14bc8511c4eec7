"""A review from the command line: the folder opened, its page served until Ctrl-C."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path

import uvicorn

from overlay.i18n import translate
from overlay.review.server import create_review_app
from palmo.live.serving import open_door, quiet_server
from palmo.review.desk import ReviewDesks
from rules.text import Text

Say = Callable[[str], None]


def run_review(folder: Path, *, session: int | None, host: str, port: int, lang: str, say: Say) -> None:
    """Serve the review of a match folder until Ctrl-C. Raises PalmoError or EventError before it starts."""
    with contextlib.ExitStack() as stack:
        door = open_door(host, port)
        stack.callback(door.socket.close)
        desks = ReviewDesks(folder, session)
        stack.callback(desks.close)
        desk = desks(None)
        app = create_review_app(desks, hosts=door.names, key=door.key, lang=lang)
        server: uvicorn.Server = quiet_server(app)
        times = desk.evidence.times
        values = {"frames": len(times), "start": times[0], "end": times[-1], "session": desk.session}
        with contextlib.suppress(KeyboardInterrupt):
            say(translate(Text("review.serving", {"address": door.address("/")}), lang))
            for remark in (*desk.remarks, *desk.evidence.left_out):
                say(translate(remark, lang))
            say(translate(Text("review.ready", {**values}), lang))
            server.run(sockets=[door.socket])
