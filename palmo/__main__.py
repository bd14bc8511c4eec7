"""The `palmo` script, and `python -m palmo`."""

from __future__ import annotations

import io
import os
import signal
import sys
import threading
from types import FrameType

# Packages that are imported whole or not at all; a stop in the middle is put off by so many seconds.
_IN_ONE_PIECE = ("numpy",)
_LATER_S = 0.05


def main() -> None:
    """Run the command line. Loading it takes a moment, in which Ctrl-C is not to show a traceback."""
    # A service manager's or a closing desktop's end is as clean as Ctrl-C.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _stop)
    speak_on()
    try:
        from palmo.cli import run

        code = run()
    except KeyboardInterrupt:
        print("palmo: stopped; nothing is half written", file=sys.stderr)
        code = 130
    # All is closed: a Ctrl-C that comes late, or was put off, is not to turn the ending into a failure.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Python kills itself by SIGINT at its end when Ctrl-C came out of an evaluated string, as web libraries
    # evaluate annotations, even where it was caught. It forgets that with the next string it evaluates.
    eval("0")
    sys.exit(code)


def speak_on() -> None:
    """Neither a screen that knows few characters nor a broken byte that is typed may end a match."""
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _stop(number: int, frame: FrameType | None) -> None:
    """Stop as Ctrl-C does, but not half-way through an import that would print a traceback of its own."""
    importing = delicate = False
    while frame is not None:
        importing = importing or frame.f_code.co_filename.startswith("<frozen importlib")
        delicate = delicate or frame.f_globals.get("__name__", "").partition(".")[0] in _IN_ONE_PIECE
        frame = frame.f_back
    if not (importing and delicate):
        raise KeyboardInterrupt
    later = threading.Timer(_LATER_S, os.kill, (os.getpid(), number))
    later.daemon = True
    later.start()


if __name__ == "__main__":
    main()
