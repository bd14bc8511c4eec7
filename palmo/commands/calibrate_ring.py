"""What `palmo calibrate ring` does without clicks: proposing them, and the page to confirm or drag them."""

from __future__ import annotations

from pathlib import Path

from palmo.commands.common import FINDING, FINE, console, notes, print_json


def propose_ring(
    source: str, event: Path, *, save: bool, picture: Path | None, as_json: bool, lang: str
) -> int:
    """Propose the clicks from the picture, say how good a camera they give, and write them down if wanted.

    Raises PalmoError, EventError or SourceError.
    """
    from overlay.i18n import translate
    from overlay.ring_setup import NotSo
    from palmo.calibrating.ring_desk import EventRingDesk, steady_picture, with_clicks
    from palmo.calibrating.ring_event import as_toml
    from palmo.errors import SaidError
    from palmo.pictures import write_picture
    from rules.text import Text

    desk = EventRingDesk(event, steady_picture(source))
    try:
        corners, tops = desk.propose()
        check = desk.check(corners, tops)
        if save:
            saved = desk.save(corners, tops)
    except NotSo as refusal:
        raise SaidError(refusal.text.key, **refusal.text.values) from refusal
    if picture is not None:
        write_picture(picture, with_clicks(desk.image, corners, tops))
    if as_json:
        print_json({"corners_px": corners, "post_tops_px": tops, "verdict": check.verdict})
    else:
        clicks = {"corners": as_toml(corners), "tops": as_toml(tops)}
        for line in (Text("ring.proposed", dict(clicks)), *check.lines, Text("ring.proposed.look")):
            console().print(translate(line, lang), markup=False)
    if save:
        notes().print(translate(saved, lang), style="dim", markup=False)
    return FINDING if check.verdict == "redo" else FINE


def ring_page(source: str, event: Path, *, host: str, port: int, lang: str) -> int:
    """Serve the set-up page until Ctrl-C. Raises PalmoError, EventError or SourceError before it starts."""
    import contextlib

    from overlay.i18n import translate
    from overlay.ring_setup import create_ring_app
    from palmo.calibrating.ring_desk import EventRingDesk, steady_picture
    from palmo.live.serving import open_door, quiet_server
    from rules.text import Text

    door = open_door(host, port)
    with contextlib.closing(door.socket):
        desk = EventRingDesk(event, steady_picture(source))
        app = create_ring_app(desk, hosts=door.names, key=door.key, lang=lang)
        said = Text("ring.page", {"address": door.address("/")})
        notes().print(translate(said, lang), markup=False)
        with contextlib.suppress(KeyboardInterrupt):
            quiet_server(app).run(sockets=[door.socket])
    return FINE
