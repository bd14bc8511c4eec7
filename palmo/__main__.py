"""The `palmo` script, and `python -m palmo`."""

from __future__ import annotations

import signal
import sys


def main() -> None:
    """Run the command line. Loading it takes a moment, in which Ctrl-C is not to show a traceback."""
    # A service manager's or a closing desktop's end is as clean as Ctrl-C.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        from palmo.cli import run

        sys.exit(run())
    except KeyboardInterrupt:
        print("palmo: stopped; nothing is half written", file=sys.stderr)
        sys.exit(130)


if __name__ == "__main__":
    main()
