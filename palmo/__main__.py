"""The `palmo` script, and `python -m palmo`."""

from __future__ import annotations

import io
import os
import signal
import sys
import threading
from types import FrameType

# A stop in the middle of an import is put off by so many seconds.
_LATER_S = 0.05


def main() -> None:
    """Run the command line. Loading it takes a moment, in which Ctrl-C is not to show a traceback."""
    # A service manager's or a closing desktop's end is as clean as Ctrl-C.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _stop)
    _heed_hang_up()
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


def _heed_hang_up() -> None:
    """A terminal that is closed ends a match as cleanly; `nohup` keeps it going. Windows has no such end."""
    hang_up = getattr(signal, "SIGHUP", None)
    if hang_up is not None and signal.getsignal(hang_up) is not signal.SIG_IGN:
        # Whoever has taken over the end, as a server does, ends as it does when it is told to.
        signal.signal(hang_up, lambda number, frame: signal.raise_signal(signal.SIGTERM))


def speak_on() -> None:
    """Neither a screen that knows few characters nor a broken byte that is typed may end a match."""
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _stop(number: int, frame: FrameType | None) -> None:
    """Stop as Ctrl-C does, but not half-way through an import.

    Some packages are imported whole or not at all (numpy prints a traceback of its own), and Python turns
    a Ctrl-C inside an import that fails, as one that is only tried does, into a TypeError.
    """
    while frame is not None and not frame.f_code.co_filename.startswith("<frozen importlib"):
        frame = frame.f_back
    if frame is None:
        raise KeyboardInterrupt
    later = threading.Timer(_LATER_S, os.kill, (os.getpid(), number))
    later.daemon = True
    later.start()


if __name__ == "__main__":
    main()
