"""The pages: live picture, overlay for OBS, match panel.

Plain FastAPI with a few small modules of our own JavaScript, no framework and no build step: the pages have
to work in a phone's browser and in OBS's, offline, under a policy that allows nothing from elsewhere, and the
overlay is drawn thirty times a second by code that is checked against the picture renderer. NiceGUI would own
the page, its scripts and its socket; what we need of it is less than what we would have to keep out.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable
from importlib import resources
from pathlib import Path
from typing import Annotated, Any

from fastapi import FastAPI, Query, Request, WebSocket
from fastapi.responses import JSONResponse, Response
from fastapi.staticfiles import StaticFiles
from pydantic import BaseModel, BeforeValidator, ConfigDict, JsonValue
from starlette.concurrency import run_in_threadpool

from overlay import answers
from overlay import live_socket as live
from overlay.board import Snapshot
from overlay.compose import Composer
from overlay.error_map import Image, add_map
from overlay.feed import Feed, Refused
from overlay.guard import Guard
from overlay.i18n import language
from overlay.message import message
from overlay.panel import explanation, panel_message, reasons_view
from overlay.rule_sheet import identify, nearest, rule_view
from overlay.setup.again import AgainDesk, add_again
from rules.engine.request import Rejected
from rules.text import Text

SMALL_LETTERS = 2.0
"""How much bigger labels are for a page that shows the picture small, such as a phone's."""
PAGES = {"/": "live.html", "/obs": "obs.html", "/panel": "panel.html"}
Lang = Annotated[str | None, Query(max_length=40)]


class Given(BaseModel):
    """The body of an act: the turn of the panel it answers, and the value for an answer."""

    model_config = ConfigDict(extra="forbid")
    turn: int
    value: Annotated[JsonValue, BeforeValidator(answers.whole_characters)] = None


def create_app(
    feed: Feed,
    *,
    hosts: Iterable[str] = (),
    key: str | None = None,
    lang: str = "es",
    error_map: Callable[[str], Image] | None = None,
    again: AgainDesk | None = None,
) -> FastAPI:
    """The application for a feed.

    `hosts` are names or addresses besides the local ones by which the server may be called. A `key` has to
    stand in the address (`?key=...`) of a page's first visit and is kept in a cookie afterwards. `lang` is
    spoken to browsers that do not say which language they want. `error_map` draws, in a language, the layer
    (H, W, 4) BGRA that says how sure every place on the table is; without it the page has no button for it.
    With `again` the camera can be calibrated again while the match goes on.
    """
    app = FastAPI(title="Palmo", docs_url=None, redoc_url=None, openapi_url=None)
    app.add_middleware(Guard, hosts=tuple(hosts), key=key, lang=lang)
    web = Path(str(resources.files("overlay") / "web"))
    app.mount("/web", StaticFiles(directory=web), name="web")
    for address, file in PAGES.items():
        app.add_api_route(address, answers.page(file), methods=["GET"])
    sender = Sender(feed)
    extras = {"map": error_map is not None, "again": again is not None}
    _add_reading(app, feed, sender, lang, extras)
    if error_map is not None:
        add_map(app, error_map)
    if again is not None:
        add_again(app, again)
    _add_acting(app, feed)
    answers.add_refusals(app)
    return app


class Sender:
    """Makes messages for the pages: each once, however many pages ask for it."""

    def __init__(self, feed: Feed) -> None:
        self._feed = feed
        self._composers: dict[tuple[str, bool], Composer] = {}
        self._overlays: dict[tuple[str, bool], tuple[int, str]] = {}
        self._picture: tuple[int, bytes] | None = None
        self._panels: dict[str, tuple[int, str]] = {}
        # A room full of pages asks at once: what the first one gets is everybody's.
        self._drawing, self._making = threading.Lock(), threading.Lock()

    def sources(self) -> live.Sources:
        """What the socket sends."""
        return live.Sources(self._feed.board, self.overlay, self.picture, self.panel)

    def overlay(self, snapshot: Snapshot, lang: str, small: bool = False) -> str:
        """The overlay message of a snapshot; `small`: for a page that shows the picture small."""
        known = self._overlays.get((lang, small))
        if known is None or known[0] != snapshot.number:
            drawn = self._composer(snapshot, lang, small).compose(snapshot.annotations)
            number, frame, t = snapshot.number, snapshot.frame, snapshot.t
            text = json.dumps(message(drawn, snapshot.camera, lang, number=number, frame=frame, t=t))
            known = self._overlays[lang, small] = number, text
        return known[1]

    async def picture(self, snapshot: Snapshot) -> bytes:
        """The JPEG of a snapshot, made in another thread."""
        return await run_in_threadpool(self._jpeg, snapshot)

    def _jpeg(self, snapshot: Snapshot) -> bytes:
        with self._drawing:
            if self._picture is None or self._picture[0] != snapshot.number:
                made = answers.jpeg(snapshot.image) if snapshot.jpeg is None else snapshot.jpeg()
                self._picture = snapshot.number, made
            return self._picture[1]

    async def panel(self, lang: str) -> str:
        """The panel message."""
        return await run_in_threadpool(self._panel, lang)

    def _panel(self, lang: str) -> str:
        with self._making:
            # The number first: a panel that changes meanwhile is sent again.
            number = self._feed.board.panel
            known = self._panels.get(lang)
            if known is None or known[0] != number:
                text = json.dumps(panel_message(self._feed.panel(), lang, number))
                known = self._panels[lang] = number, text
            return known[1]

    def _composer(self, snapshot: Snapshot, lang: str, small: bool) -> Composer:
        composer = self._composers.get((lang, small))
        if composer is None or not composer.fits(snapshot.camera, snapshot.names, snapshot.colours):
            letters = SMALL_LETTERS if small else 1.0
            composer = self._composers[lang, small] = Composer(
                snapshot.camera, lang, snapshot.names, snapshot.colours, letters
            )
        return composer


def _add_reading(app: FastAPI, feed: Feed, sender: Sender, default: str, extras: dict[str, bool]) -> None:
    @app.websocket("/ws")
    async def socket(socket: WebSocket) -> None:
        await live.serve(socket, sender.sources())

    @app.get("/api/boot")
    def boot(request: Request, lang: Lang = None) -> dict[str, Any]:
        """What a page needs before it can draw: its language, the words in it, the colours."""
        return {**answers.first_words(request, lang, default), **extras}

    @app.get("/api/panel")
    async def panel(lang: Lang = None) -> Response:
        """The panel as JSON, for programs."""
        return Response(await sender.panel(language(lang)), media_type="application/json")

    @app.get("/api/explain")
    def explain(fighter: Annotated[str, Query(max_length=100)], lang: Lang = None) -> Response:
        """What a fighter may do now and all that speaks against the rest, whoever's slot it is."""
        spoken, names = language(lang), feed.panel().names
        try:
            options = feed.explain(fighter)
        except Refused as refusal:
            return answers.sentence(refusal.reasons[0].text, spoken, 404)
        return JSONResponse({"options": explanation(options, spoken, names)})

    @app.get("/api/rule")
    def rule(wanted: Annotated[str, Query(alias="id", max_length=100)], lang: Lang = None) -> Response:
        """What a rule says, its house rules as they are agreed, and what goes with it."""
        spoken, found = language(lang), identify(wanted)
        if found is None:
            unknown = Text("lookup.unknown", {"given": wanted, "nearest": ", ".join(nearest(wanted))})
            return answers.sentence(unknown, spoken, 404)
        return JSONResponse(rule_view(feed.rule(found), spoken))

    @app.get("/api/overlay")
    async def overlay(lang: Lang = None) -> Response:
        """The newest overlay message, for programs."""
        snapshot = feed.board.snapshot
        if snapshot is None:
            return answers.sentence(Text("server.no_picture"), language(lang), 503)
        return Response(sender.overlay(snapshot, language(lang)), media_type="application/json")

    @app.get("/picture.jpg")
    async def picture(lang: Lang = None) -> Response:
        """The newest picture without overlay."""
        snapshot = feed.board.snapshot
        if snapshot is None:
            return answers.sentence(Text("server.no_picture"), language(lang), 503)
        return Response(await sender.picture(snapshot), media_type="image/jpeg")


def _add_acting(app: FastAPI, feed: Feed) -> None:
    acts: dict[str, Callable[[Given], None]] = {
        "answer": lambda given: feed.answer(given.turn, given.value),
        "roll": lambda given: feed.roll(given.turn),
        "look": lambda given: feed.look(given.turn),
        "undo": lambda given: feed.undo(given.turn),
        "redo": lambda given: feed.redo(given.turn),
    }

    def add(name: str, act: Callable[[Given], None]) -> None:
        def endpoint(given: Given, lang: Lang = None) -> Response:
            spoken, names = language(lang), feed.panel().names
            try:
                act(given)
            except (Refused, Rejected) as refusal:
                reasons = reasons_view(refusal.reasons, spoken, names)
                sentence = " ".join(reason["text"] for reason in reasons)
                return JSONResponse({"error": sentence, "reasons": reasons}, 409)
            return JSONResponse({})

        app.post(f"/api/{name}", name=name)(endpoint)

    for name, act in acts.items():
        add(name, act)
