"""What `palmo calibrate ring` does without clicks: proposing them, and the page to confirm or drag them."""

from __future__ import annotations

from pathlib import Path

from palmo.commands.common import FINDING, FINE, console, notes, print_json, say


def propose_ring(
    source: str, event: Path, *, save: bool, picture: Path | None, as_json: bool, lang: str
) -> int:
    """Propose the clicks from the picture, say how good a camera they give, and write them down if wanted.

    Raises PalmoError, EventError or SourceError.
    """
    from overlay.i18n import translate
    from overlay.setup.desk import NotSo
    from palmo.calibrating.ring_desk import EventRingDesk, with_clicks
    from palmo.calibrating.ring_event import as_toml
    from palmo.errors import SaidError
    from palmo.pictures import steady_picture, write_picture
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
    from palmo.setting_up.session import serve_setup

    serve_setup([source], event, ("ring",), host=host, port=port, lang=lang, say=say)
    return FINE
