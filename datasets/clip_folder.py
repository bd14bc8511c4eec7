"""Where the rendered clips lie: the folder clips/ under the environment variable PALMO_DATA."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def clip_folder() -> Path | None:
    """The folder of the clips, or None, said on stderr, when PALMO_DATA does not name one."""
    root = os.environ.get("PALMO_DATA")
    if root is None:
        print("PALMO_DATA is not set: let it name the folder that holds clips/", file=sys.stderr)
        return None
    return Path(root) / "clips"
