"""A small RTSP server on this machine (RFC 2326), H.264 over the same connection (RFC 6184, interleaved).

The stand-in for a network camera: it can die and come back, and ask for a name and a password.
"""

from __future__ import annotations

import base64
import re
import struct
import threading
import time
from collections.abc import Callable, Iterator
from fractions import Fraction
from socketserver import StreamRequestHandler, ThreadingTCPServer

import av
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
PACKET_BYTES = 1200
CLOCK_HZ = 90_000
GOP = 10


class RtspServer:
    """Serves `picture(n)`, n counting up, to whoever plays; `login` is "name:password" when it asks for one.

    `port` 0 takes a free one and keeps it.
    """

    def __init__(
        self, picture: Callable[[int], Image], pause_s: float = 0.02, login: str | None = None
    ) -> None:
        self.picture = picture
        self.pause_s = pause_s
        self.login = login
        self.port = 0
        self.sent = 0
        self.stopping = threading.Event()
        self._server: ThreadingTCPServer | None = None

    @property
    def url(self) -> str:
        login = f"{self.login}@" if self.login else ""
        return f"rtsp://{login}127.0.0.1:{self.port}/live"

    def start(self) -> None:
        self.stopping = threading.Event()
        outer = self

        class Handler(_Connection):
            server_of = outer

        ThreadingTCPServer.allow_reuse_address = True
        ThreadingTCPServer.daemon_threads = True
        self._server = ThreadingTCPServer(("127.0.0.1", self.port), Handler)
        self.port = self._server.server_address[1]
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    def stop(self) -> None:
        """Die: every connection ends and none is accepted."""
        self.stopping.set()
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()
            self._server = None


class _Connection(StreamRequestHandler):
    """One client: answers its requests and, once it plays, sends pictures between the answers."""

    server_of: RtspServer

    def handle(self) -> None:
        self._writing = threading.Lock()
        self._over = threading.Event()
        # Of this life of the server: a next one must not keep the connection up.
        self._stopping = self.server_of.stopping
        self.connection.settimeout(0.1)
        try:
            while (request := self._request()) is not None:
                self._answer(*request)
        except OSError:
            pass
        finally:
            self._over.set()

    def _request(self) -> tuple[str, dict[str, str]] | None:
        """Method and headers of the next request; None when the connection or the server has ended."""
        data = b""
        while not data.endswith(b"\r\n\r\n"):
            try:
                byte = self.connection.recv(1)
            except TimeoutError:
                if self._stopping.is_set():
                    return None
                continue
            if not byte:
                return None
            if not data and byte == b"$":  # the client's RTCP reports
                (length,) = struct.unpack(">xH", self._exactly(3))
                self._exactly(length)
                continue
            data += byte
        head, *lines = data.decode().strip().split("\r\n")
        return head.split()[0], {k.lower(): v for k, v in (line.split(": ", 1) for line in lines)}

    def _exactly(self, count: int) -> bytes:
        data = b""
        while len(data) < count:
            data += self.connection.recv(count - len(data))
        return data

    def _answer(self, method: str, given: dict[str, str]) -> None:
        login = self.server_of.login
        if login and given.get("authorization") != f"Basic {base64.b64encode(login.encode()).decode()}":
            self._reply(given, "401 Unauthorized", {"WWW-Authenticate": 'Basic realm="camera"'})
        elif method == "OPTIONS":
            self._reply(given, "200 OK", {"Public": "OPTIONS, DESCRIBE, SETUP, PLAY, TEARDOWN"})
        elif method == "DESCRIBE":
            self._reply(given, "200 OK", {"Content-Type": "application/sdp"}, self._sdp())
        elif method == "SETUP" and "interleaved" in given.get("transport", ""):
            transport = {"Transport": "RTP/AVP/TCP;unicast;interleaved=0-1", "Session": "1"}
            self._reply(given, "200 OK", transport)
        elif method == "SETUP":
            self._reply(given, "461 Unsupported Transport")
        elif method == "PLAY":
            self._reply(given, "200 OK", {"Session": "1"})
            threading.Thread(target=self._play, daemon=True).start()
        else:
            self._reply(given, "200 OK", {"Session": "1"})

    def _reply(
        self, given: dict[str, str], status: str, more: dict[str, str] | None = None, body: str = ""
    ) -> None:
        headers = {"CSeq": given.get("cseq", "0"), **(more or {}), "Content-Length": str(len(body))}
        lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        self._send(f"RTSP/1.0 {status}\r\n{lines}\r\n{body}".encode())

    def _send(self, data: bytes) -> None:
        with self._writing:
            self.connection.sendall(data)

    def _sdp(self) -> str:
        return (
            "v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=table\r\nc=IN IP4 0.0.0.0\r\nt=0 0\r\n"
            f"m=video 0 RTP/AVP 96\r\na=rtpmap:96 H264/{CLOCK_HZ}\r\na=fmtp:96 packetization-mode=1\r\n"
            "a=control:track0\r\n"
        )

    def _play(self) -> None:
        outer, sequence, started = self.server_of, 0, time.monotonic()
        encode = encoder(outer.picture(outer.sent))
        try:
            while not (self._stopping.is_set() or self._over.is_set()):
                stamp = int((time.monotonic() - started) * CLOCK_HZ) & 0xFFFFFFFF
                units = encode(outer.picture(outer.sent))
                payloads = [payload for unit in units for payload in payloads_of(unit)]
                for number, payload in enumerate(payloads):
                    marker = 0x80 if number == len(payloads) - 1 else 0
                    packet = struct.pack(">BBHII", 0x80, 96 | marker, sequence & 0xFFFF, stamp, 1) + payload
                    self._send(struct.pack(">cBH", b"$", 0, len(packet)) + packet)
                    sequence += 1
                outer.sent += 1
                time.sleep(outer.pause_s)
        except OSError:
            pass


def encoder(first: Image) -> Callable[[Image], list[bytes]]:
    """A function from pictures of the first one's size to their NAL units, one picture in, one out."""
    context = av.CodecContext.create("libx264", "w")
    context.width, context.height, context.pix_fmt = first.shape[1], first.shape[0], "yuv420p"
    context.framerate, context.gop_size = Fraction(25), GOP
    context.options = {"preset": "ultrafast", "tune": "zerolatency", "x264-params": "repeat-headers=1"}

    def encode(image: Image) -> list[bytes]:
        data = b"".join(bytes(p) for p in context.encode(av.VideoFrame.from_ndarray(image, format="bgr24")))
        return [unit for unit in re.split(rb"\x00\x00\x00?\x01", data) if unit]

    return encode


def payloads_of(unit: bytes) -> Iterator[bytes]:
    """A NAL unit as RTP payloads: whole, or in fragments (FU-A) where it is too long for a packet."""
    if len(unit) <= PACKET_BYTES:
        yield unit
        return
    indicator, kind = unit[0] & 0xE0 | 28, unit[0] & 0x1F
    parts = [unit[at : at + PACKET_BYTES] for at in range(1, len(unit), PACKET_BYTES)]
    for number, part in enumerate(parts):
        edge = (0x80 if number == 0 else 0) | (0x40 if number == len(parts) - 1 else 0)
        yield bytes([indicator, edge | kind]) + part
