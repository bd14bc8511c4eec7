"""A small HTTP-MJPEG server on this machine: the stand-in for a network camera that can die and come back."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
BOUNDARY = b"--picture"


class MjpegServer:
    """Serves `picture(n)`, n counting up, to whoever connects. `port` 0 takes a free one and keeps it.

    `spoil(n, jpeg)` is what becomes of a picture on its way.
    """

    def __init__(
        self,
        picture: Callable[[int], Image],
        pause_s: float = 0.02,
        spoil: Callable[[int, bytes], bytes] = lambda _, jpeg: jpeg,
    ) -> None:
        self._picture = picture
        self._spoil = spoil
        self._pause = pause_s
        self.port = 0
        self._server: ThreadingHTTPServer | None = None
        self._stopping = threading.Event()
        self.sent = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/stream.mjpg"

    def start(self) -> None:
        self._stopping = threading.Event()
        handler = self._handler(self._stopping)
        ThreadingHTTPServer.allow_reuse_address = True
        self._server = ThreadingHTTPServer(("127.0.0.1", self.port), handler)
        self._server.daemon_threads = True
        self.port = self._server.server_address[1]
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    def stop(self) -> None:
        """Die: every connection ends and none is accepted."""
        self._stopping.set()
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()
            self._server = None

    def _handler(self, stopping: threading.Event) -> type[BaseHTTPRequestHandler]:
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.send_response(200)
                self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=picture")
                self.end_headers()
                try:
                    while not stopping.is_set():
                        _, jpeg = cv2.imencode(".jpg", outer._picture(outer.sent))
                        body = outer._spoil(outer.sent, jpeg.tobytes())
                        head = b"\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n" % len(body)
                        self.wfile.write(BOUNDARY + head + body + b"\r\n")
                        outer.sent += 1
                        time.sleep(outer._pause)
                except OSError:
                    pass
                self.close_connection = True

            def log_message(self, format: str, *args: object) -> None:
                pass

        return Handler
