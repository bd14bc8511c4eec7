"""The server's door: which address, which port, and one sentence when it is taken."""

from __future__ import annotations

import asyncio
import errno
import logging
import secrets
import socket
from collections.abc import Callable
from dataclasses import dataclass

import uvicorn
from fastapi import FastAPI

from overlay.error_map import Image
from overlay.feed import Feed
from overlay.server import create_app
from overlay.setup.again import AgainDesk
from palmo.errors import PalmoError, SaidError, reason

_LOCAL = ("127.0.0.1", "localhost", "::1")


@dataclass(frozen=True)
class Door:
    """A bound socket and how pages are to be called. `key` is None on this machine only."""

    socket: socket.socket
    host: str
    port: int
    key: str | None

    def address(self, page: str = "/") -> str:
        """The address of a page, with its key where one is needed."""
        name = self.host
        if name in ("0.0.0.0", "::"):
            name = own_address()
        name = f"[{name}]" if ":" in name else name
        return f"http://{name}:{self.port}{page}" + (f"?key={self.key}" if self.key else "")

    @property
    def names(self) -> tuple[str, ...]:
        """By which names other machines may call it."""
        if self.host in _LOCAL:
            return ()
        return (self.host, own_address(), socket.gethostname(), f"{socket.gethostname()}.local")


def open_door(host: str, port: int) -> Door:
    """Bind before anything else starts. Raises PalmoError with one sentence."""
    if not host.strip():
        raise SaidError("error.host.empty")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    bound = socket.socket(family, socket.SOCK_STREAM)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind((host, port))
        bound.listen(64)
    except (OSError, OverflowError, TypeError, ValueError) as error:
        bound.close()
        raise _refusal(host, port, error) from None
    actual: int = bound.getsockname()[1]
    return Door(bound, host, actual, None if host in _LOCAL else secrets.token_urlsafe(9))


def free_port(wanted: int, host: str = "127.0.0.1") -> int:
    """The port when it is free, else 0: any other."""
    try:
        open_door(host, wanted).socket.close()
    except PalmoError:
        return 0
    return wanted


def server_for(
    feed: Feed,
    door: Door,
    lang: str = "en",
    *,
    error_map: Callable[[str], Image] | None = None,
    again: AgainDesk | None = None,
) -> uvicorn.Server:
    """A server for a feed; run it with `run(sockets=[door.socket])`.

    `lang` is spoken to those who do not say which language they want; `error_map` and `again` as
    `create_app` takes them.
    """
    app = create_app(feed, hosts=door.names, key=door.key, lang=lang, error_map=error_map, again=again)
    return quiet_server(app)


def quiet_server(app: FastAPI) -> uvicorn.Server:
    """A server for an app that says nothing of what is no fault."""
    config = uvicorn.Config(
        app,
        log_config=None,
        log_level="warning",
        access_log=False,
        timeout_graceful_shutdown=1,
        # Our apps have none, and a second Ctrl-C would cut it off with a traceback.
        lifespan="off",
    )
    # A filter is put on once, however many servers there are.
    logging.getLogger("uvicorn.error").addFilter(_said_at_the_end)
    return uvicorn.Server(config)


def _said_at_the_end(record: logging.LogRecord) -> bool:
    """Leave out what is no fault: pages that were still reading when the server ended are cut off."""
    error = record.exc_info[1] if record.exc_info else None
    return not isinstance(error, asyncio.CancelledError) and "graceful shutdown exceeded" not in record.msg


def own_address() -> str:
    """This machine's address in its network; nothing is sent to find it out."""
    probe = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    try:
        probe.connect(("192.0.2.1", 9))
        return str(probe.getsockname()[0])
    except OSError:
        return "127.0.0.1"
    finally:
        probe.close()


def _refusal(host: str, port: int, error: Exception) -> SaidError:
    if isinstance(error, OverflowError):
        return SaidError("error.port.number", port=port)
    if not isinstance(error, OSError):
        return SaidError("error.host.name", host=host)
    if error.errno == errno.EADDRINUSE:
        return SaidError("error.port.used", port=port, host=host)
    return SaidError("error.port.other", port=port, host=host, why=reason(error))
