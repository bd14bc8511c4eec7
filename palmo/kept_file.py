"""A file that is only appended to and whose content is remembered: what takes it away is undone.

A match folder that is tidied away, a log that an editor saves anew or a clean-up empties while the match goes
on: the system says nothing of it, and what was written since would be gone with what was written before.
"""

from __future__ import annotations

import logging
import os
import stat
import sys
from pathlib import Path
from typing import IO

from palmo.errors import SaidError, Spoken, reason
from palmo.outputs import unused

_log = logging.getLogger(__name__)


class KeptFile:
    """A file open for appending, and locked, so that two programs never write one match.

    The lock ends with the process, however it ends. `content` is everything that is to be in the file, from
    `remember` on. Raises PalmoError when the file cannot be opened at all or another program has it open.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.content = bytearray()
        try:
            self._file = _opened(path)
        except OSError as error:
            raise SaidError("error.log.unwritten", path=path, why=reason(error)) from None

    def remember(self) -> None:
        """Know what is in the file already. Raises OSError."""
        if self._regular:
            self.content = bytearray(self.path.read_bytes())

    @property
    def intact(self) -> bool:
        """Whether the file is still where it was, with all that was written."""
        if self._file.closed or not self._regular:
            return True
        if not self._is_there():
            return not self.content
        return os.fstat(self._file.fileno()).st_size >= len(self.content)

    def _is_there(self) -> bool:
        """Whether its name still leads to the open file."""
        try:
            return os.path.samestat(os.fstat(self._file.fileno()), self.path.stat())
        except OSError:
            return False

    def restore(self) -> None:
        """Put the file back with all its content, if it is not intact. Raises OSError.

        A file that took its place is kept beside it, as `<name>.other`.
        """
        if self.intact:
            return
        left = self.path.read_bytes() if self.path.exists() else None
        if left is not None and self._is_there() and self.content.startswith(left):
            _write(self._file, bytes(self.content[len(left) :]))
        else:
            if left is not None:
                self.path.replace(unused(self.path.with_name(f"{self.path.name}.other")))
            again = _opened(self.path)
            self._file.close()
            self._file = again
            _write(self._file, bytes(self.content))
        self.sync()
        _log.warning(Spoken("warning.log.restored", path=self.path))

    def write(self, data: bytes) -> None:
        """Append all of it or nothing: half a line would spoil the next one. Raises OSError."""
        _write(self._file, data)
        if self._regular:
            self.content += data

    def sync(self) -> None:
        """Return when all is on the disk. Raises OSError."""
        reach_disk(self._file)

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    @property
    def _regular(self) -> bool:
        return stat.S_ISREG(os.fstat(self._file.fileno()).st_mode)


def reach_disk(file: IO[bytes]) -> None:
    """Return when what was written to a file is on the disk. Raises OSError."""
    try:
        os.fsync(file.fileno())
    except OSError as error:
        # Pipes and some devices have no disk to reach.
        if error.errno != 22:
            raise


def _opened(path: Path) -> IO[bytes]:
    path.parent.mkdir(parents=True, exist_ok=True)
    file = path.open("ab", buffering=0)
    if not _locked(file):
        file.close()
        raise SaidError("error.log.open", path=path)
    return file


def _write(file: IO[bytes], data: bytes) -> None:
    start = file.seek(0, os.SEEK_END) if file.seekable() else None
    written = file.write(data)
    if written != len(data):
        if start is not None:
            file.truncate(start)
        raise OSError(28, os.strerror(28))


def _locked(file: IO[bytes]) -> bool:
    """Lock a file for this process; False when another one has it."""
    # Windows has no such lock; pipes and devices are nobody's match.
    if sys.platform == "win32" or not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        return True
    import fcntl

    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        # Some network file systems have no locks: better to play than to refuse.
        return True
    return True
