"""The door of the server: who may come in, from which page, and what a browser may do with the answer.

A server on 127.0.0.1 is still within reach of every web page the referee has open. A foreign page can send
requests here (so writing needs our own origin and a header that only our scripts can set), can point its own
name at 127.0.0.1 (so only known host names are answered) and can embed pictures (so nothing may be embedded).
When the server is open to the network, a key in the address keeps strangers out.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qsl, urlencode, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from overlay.i18n import language, translate
from rules.text import Text

LOCAL_HOSTS = frozenset({"127.0.0.1", "localhost", "[::1]"})
HEADER = "x-palmo"
BODY_LIMIT = 64 * 1024
COOKIE = "palmo_key"
_SECURITY = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self';"
        " base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
}


class Guard:
    """ASGI middleware that refuses what does not belong here, with one sentence."""

    def __init__(
        self, app: ASGIApp, hosts: Iterable[str] = (), key: str | None = None, lang: str = "es"
    ) -> None:
        """`hosts` are further names or addresses (without port) the server may be called by.

        `lang` is spoken to those who do not say which language they want.
        """
        self._app = app
        self._hosts = LOCAL_HOSTS | {host.lower() for host in hosts}
        self._key = key
        self._lang = lang

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer it here."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        query = dict(parse_qsl(scope.get("query_string", b"").decode("latin-1")))
        refusal = self._refusal(scope, headers, query)
        spoken = language(query.get("lang") or headers.get("accept-language"), self._lang)
        if refusal is not None:
            status, text = refusal
            await _refuse(scope, receive, send, status, translate(text, spoken))
        elif scope["type"] == "http" and self._key and "key" in query:
            await self._keep_key(scope, receive, send, query)
        else:
            # In place: what answers an internal error is given the same scope, outside of this.
            scope["query_string"] = _speaking(scope.get("query_string", b""), query, spoken)
            await self._app(scope, receive, send if scope["type"] == "websocket" else _with_security(send))

    def _refusal(self, scope: Scope, headers: Headers, query: dict[str, str]) -> tuple[int, Text] | None:
        host = headers.get("host", "")
        if _name(host) not in self._hosts:
            return 421, Text("server.host", {"host": host})
        writing = scope["type"] == "http" and scope["method"] not in ("GET", "HEAD")
        origin = headers.get("origin")
        if (writing or scope["type"] == "websocket") and origin and _netloc(origin) != host:
            return 403, Text("server.origin", {"origin": origin})
        if writing and HEADER not in headers:
            return 403, Text("server.header")
        length = headers.get("content-length", "0")
        if writing and (not length.isdigit() or int(length) > BODY_LIMIT or "transfer-encoding" in headers):
            return 413, Text("server.too_long")
        given = [one for one in (query.get("key"), _cookie(headers)) if one is not None]
        if self._key and not any(_same(one, self._key) for one in given):
            return 401, Text("server.wrong_key" if given else "server.key")
        return None

    async def _keep_key(self, scope: Scope, receive: Receive, send: Send, query: dict[str, str]) -> None:
        """Put the key into a cookie and out of the address, where a stream would show it."""
        rest = urlencode([(name, value) for name, value in query.items() if name != "key"])
        # Two slashes at the beginning would lead to another machine.
        path = "/" + scope["path"].lstrip("/")
        response = RedirectResponse(path + (f"?{rest}" if rest else ""), 303)
        response.set_cookie(COOKIE, self._key or "", httponly=True, samesite="strict")
        await response(scope, receive, _with_security(send))


def _speaking(asked: bytes, query: dict[str, str], spoken: str) -> bytes:
    """A query with the language that is spoken to who asks for none."""
    if "lang" in query:
        return asked
    return b"&".join(part for part in (asked, f"lang={spoken}".encode()) if part)


def _netloc(origin: str) -> str | None:
    """Host and port of an origin; None of one that is no address at all."""
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return None


def _with_security(send: Send) -> Send:
    async def secured(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in _SECURITY.items():
                headers.setdefault(name, value)
        await send(message)

    return secured


async def _refuse(scope: Scope, receive: Receive, send: Send, status: int, sentence: str) -> None:
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": 1008, "reason": sentence[:120]})
        return
    response: Response = PlainTextResponse(sentence + "\n", status)
    await response(scope, receive, _with_security(send))


def _name(host: str) -> str:
    """The host without its port, lower case; IPv6 keeps its brackets."""
    host = host.lower()
    return host[: host.rfind("]") + 1] if host.startswith("[") else host.split(":")[0]


def _cookie(headers: Headers) -> str | None:
    try:
        morsel = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
    except CookieError:
        return None
    return morsel.value if morsel else None


def _same(given: str, key: str) -> bool:
    return hmac.compare_digest(given.encode(), key.encode())
