"""A real RTSP server, GStreamer's, where it is installed (Debian: gir1.2-gst-rtsp-server-1.0, python3-gi)."""

from __future__ import annotations

import functools
import shutil
import socket
import subprocess
from pathlib import Path

_PROGRAM = Path(__file__).with_name("gst_program.py")
_NEEDED = (
    "import gi; gi.require_version('GstRtspServer', '1.0'); from gi.repository import Gst, GstRtspServer; "
    "Gst.init(None); assert all(map(Gst.ElementFactory.find, ('qtdemux', 'h264parse', 'rtph264pay')))"
)


@functools.cache
def gstreamer_python() -> str | None:
    """The Python that has GStreamer's bindings and what the program needs of its parts; None without."""
    for python in ("/usr/bin/python3", shutil.which("python3")):
        if python is not None and Path(python).exists():
            tried = subprocess.run([python, "-c", _NEEDED], capture_output=True, check=False)
            if tried.returncode == 0:
                return python
    return None


class GstServer:
    """Serves a clip at the speed of life to whoever plays; keeps its port when it comes back."""

    def __init__(self, clip: Path) -> None:
        self._clip = clip
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port: int = probe.getsockname()[1]
        self._process: subprocess.Popen[str] | None = None

    @property
    def url(self) -> str:
        return f"rtsp://127.0.0.1:{self.port}/clip"

    def start(self) -> None:
        python = gstreamer_python()
        assert python is not None
        command = [python, str(_PROGRAM), str(self._clip), str(self.port)]
        self._process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        assert self._process.stdout is not None
        assert self._process.stdout.readline() == "ready\n"

    def stop(self) -> None:
        """Die at once."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None
