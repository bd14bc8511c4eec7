"""The live socket: newest overlay, picture and panel to one page, at the pace of that page.

What is sent is chosen in the address: `/ws?lang=es&overlay=1&picture=1&panel=1`, with `small=1` for labels
that can be read where the picture is shown small. With pictures, an overlay
message is followed by one binary message, the JPEG of the same frame. The page says `{"type": "ready"}` when
it has drawn an overlay message; until then it gets no other, so that a slow page skips frames instead of
falling behind. A page that never says so gets one a second. Anything else the page says is answered with one
sentence, `{"type": "error", "text": "..."}`.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

import anyio
from starlette.websockets import WebSocket, WebSocketDisconnect

from overlay.board import Board, Snapshot
from overlay.i18n import language, translate
from rules.text import Text

# A page that has not taken a message within this time has gone to sleep: it is let go and may come back.
SEND_SECONDS = 10.0
SILENT_SECONDS = 1.0
WORD_LIMIT = 1000


@dataclass(frozen=True)
class Wishes:
    """What a page wants to be sent."""

    lang: str
    overlay: bool
    picture: bool
    panel: bool
    small: bool = False

    @classmethod
    def of(cls, query: Mapping[str, str]) -> Wishes:
        """Read from the address; everything but the language is off unless it says 1."""
        on = {name: query.get(name) == "1" for name in ("overlay", "picture", "panel", "small")}
        overlay = on["overlay"] or on["picture"]
        return cls(language(query.get("lang")), overlay, on["picture"], on["panel"], on["small"])


@dataclass(frozen=True)
class Sources:
    """Where messages come from: overlay and panel as JSON text, the picture as JPEG."""

    board: Board
    overlay: Callable[[Snapshot, str, bool], str]
    picture: Callable[[Snapshot], Awaitable[bytes]]
    panel: Callable[[str], Awaitable[str]]


@dataclass
class Page:
    """One page at the other end: what it wants, whether it has drawn the last overlay, news for it."""

    socket: WebSocket
    wishes: Wishes
    news: asyncio.Event
    ready: bool = True

    async def send(self, message: str | bytes) -> None:
        """Send text or a picture. Raises TimeoutError when the page does not take it, WebSocketDisconnect."""
        with anyio.fail_after(SEND_SECONDS):
            try:
                if isinstance(message, str):
                    await self.socket.send_text(message)
                else:
                    await self.socket.send_bytes(message)
            except RuntimeError as error:
                # A page that left while its message was being made.
                raise WebSocketDisconnect(1006, str(error)) from None


async def serve(socket: WebSocket, sources: Sources) -> None:
    """Talk with one page until it leaves."""
    await socket.accept()
    page = Page(socket, Wishes.of(socket.query_params), sources.board.watch())

    async def until_gone(work: Callable[[], Awaitable[None]]) -> None:
        # The page left, or fell asleep: it is only its own loss.
        with contextlib.suppress(WebSocketDisconnect, TimeoutError):
            await work()
        tasks.cancel_scope.cancel()

    try:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(until_gone, lambda: _listen(page))
            tasks.start_soon(until_gone, lambda: _talk(page, sources))
    finally:
        sources.board.unwatch(page.news)
    with contextlib.suppress(RuntimeError, WebSocketDisconnect):
        await socket.close()


async def _listen(page: Page) -> None:
    while True:
        event = await page.socket.receive()
        if event["type"] == "websocket.disconnect":
            return
        if _said(event.get("text")) == {"type": "ready"}:
            page.ready = True
            page.news.set()
        else:
            sentence = translate(Text("server.garbage"), page.wishes.lang)
            await page.send(json.dumps({"type": "error", "text": sentence}))


def _said(text: str | None) -> Any:
    if text is None or len(text) > WORD_LIMIT:
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


async def _talk(page: Page, sources: Sources) -> None:
    board, wishes = sources.board, page.wishes
    shown, panel, sent_at = -1, -1, float("-inf")
    while True:
        page.news.clear()
        if wishes.panel and board.panel != panel:
            panel = board.panel
            await page.send(await sources.panel(wishes.lang))
        snapshot = board.snapshot
        patient = page.ready or time.monotonic() - sent_at >= SILENT_SECONDS
        if wishes.overlay and snapshot is not None and snapshot.number != shown and patient:
            shown, page.ready, sent_at = snapshot.number, False, time.monotonic()
            await page.send(sources.overlay(snapshot, wishes.lang, wishes.small))
            if wishes.picture:
                await page.send(await sources.picture(snapshot))
            continue
        with anyio.move_on_after(SILENT_SECONDS):
            await page.news.wait()
