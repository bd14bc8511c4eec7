"""A real server and a real Chromium for tests of pages."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import uvicorn
from fastapi import FastAPI
from playwright.sync_api import FloatRect, Locator, expect

CHROMIUM = Path("/usr/bin/chromium")
ARGUMENTS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip
needs_chromium = pytest.mark.skipif(not CHROMIUM.exists(), reason=f"no Chromium at {CHROMIUM}")


@contextlib.contextmanager
def serving(app: FastAPI, port: int = 0) -> Iterator[str]:
    """Serve an app on 127.0.0.1 in a thread; gives its address."""
    listener = socket.create_server(("127.0.0.1", port))
    server = uvicorn.Server(uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=1))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    deadline = time.monotonic() + 20
    while not server.started and time.monotonic() < deadline:
        time.sleep(0.01)
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(20)
        listener.close()


def box_of(element: Locator) -> FloatRect:
    """Where an element is on its page; asked again when it was drawn anew in between."""
    for _ in range(20):
        expect(element).to_be_attached()
        if box := element.bounding_box():
            return box
    raise AssertionError(f"{element} is never in one place")
