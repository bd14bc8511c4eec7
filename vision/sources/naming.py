"""What a source is called where people read it: its address without the password."""

from __future__ import annotations

import re
from pathlib import Path

# Some cameras take their password as a part of the question, or of the path.
_ASKED = re.compile(
    r"([?&;/_](?:pass\w*|pwd|pw|token|auth\w*|api_?key|key|secret|sig\w*)=)[^&#\s]*", re.IGNORECASE
)
# A slash or a colon too few is a slip, not a name.
_BEGINNING = r"(?:[a-z][a-z0-9+.-]*://|(?:rtsps?|https?|rtmps?|ftp|srt|udp|tcp):?/+)"
# Up to the last @: a password may have one in it.
_LOGIN = re.compile(rf"^({_BEGINNING}?+[^:/@\s]*):.*@", re.IGNORECASE | re.DOTALL)
_ADDRESS = re.compile(rf"{_BEGINNING}\S+", re.IGNORECASE)


def shown(spec: str) -> str:
    """`rtsp://ana:secret@table/1` as `rtsp://ana:***@table/1`; the name of a file stays as it is."""
    if "://" not in spec and ("@" not in spec or _is_file(spec)):
        return spec
    return _ASKED.sub(r"\1***", _LOGIN.sub(r"\1:***@", spec))


def without_passwords(words: str) -> str:
    """Words with every address in them as `shown` gives it."""
    return _ADDRESS.sub(lambda found: shown(found[0]), words)


def _is_file(spec: str) -> bool:
    try:
        return Path(spec).exists()
    except (OSError, ValueError):
        return False
