"""What a command line asks for, as the types of the floors below."""

from __future__ import annotations

import re

from calibration.boards import Board
from palmo.errors import SaidError

_COUNT = re.compile(r"(\d{1,3})\s*[xX×]\s*(\d{1,3})")


def asked_board(kind: str, squares: str, inner: str | None, square_mm: float) -> Board:
    """The board of the options; inner counts corners instead. Raises PalmoError or CalibrationError."""
    given = squares if inner is None else inner
    found = _COUNT.fullmatch(given.strip())
    if found is None:
        raise SaidError("error.board.count", given=given)
    more = 0 if inner is None else 1
    count = int(found[1]) + more, int(found[2]) + more
    if kind == "charuco":
        return Board("charuco", count, square_mm)
    if kind == "chessboard":
        return Board("chessboard", count, square_mm)
    raise SaidError("error.board.kind", given=kind)
