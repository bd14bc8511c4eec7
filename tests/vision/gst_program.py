"""GStreamer's RTSP server as a program of its own: `python gst_program.py CLIP PORT`.

Serves an MP4 clip at the speed of life and prints "ready" once it listens. Run by the system's Python, which
is where distributions put GStreamer's bindings.
"""

from __future__ import annotations

import sys

import gi  # type: ignore[import-not-found]

gi.require_version("Gst", "1.0")
gi.require_version("GstRtspServer", "1.0")
from gi.repository import GLib, Gst, GstRtspServer  # type: ignore[import-not-found]  # noqa: E402


def main(clip: str, port: str) -> None:
    """Serve rtsp://127.0.0.1:PORT/clip until killed."""
    Gst.init(None)
    server = GstRtspServer.RTSPServer()
    server.set_address("127.0.0.1")
    server.set_service(port)
    factory = GstRtspServer.RTSPMediaFactory()
    factory.set_launch(
        f'( filesrc location="{clip}" ! qtdemux ! h264parse config-interval=-1 ! rtph264pay name=pay0 pt=96 )'
    )
    factory.set_shared(False)
    server.get_mount_points().add_factory("/clip", factory)
    if not server.attach(None):
        sys.exit(f"port {port} is in use")
    print("ready", flush=True)
    GLib.MainLoop().run()


if __name__ == "__main__":
    main(*sys.argv[1:])
