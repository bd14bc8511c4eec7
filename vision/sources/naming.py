"""What a source is called where people read it: its address without the password."""

from __future__ import annotations

import re

# Some cameras take their password as a part of the question.
_ASKED = re.compile(r"([?&](?:pass\w*|pwd|pw|token|auth\w*|key|secret|sig\w*)=)[^&#\s]*", re.IGNORECASE)
# Up to the last @: a password may have one in it.
_LOGIN = re.compile(r"^([a-z][a-z0-9+.-]*://[^:/@\s]*):.*@", re.IGNORECASE | re.DOTALL)


def shown(spec: str) -> str:
    """`rtsp://ana:secret@table/1` as `rtsp://ana:***@table/1`; what is no address stays as it is."""
    if "://" not in spec:
        return spec
    return _ASKED.sub(r"\1***", _LOGIN.sub(r"\1:***@", spec))
