"""What calibration says when it cannot go on: one sentence, with what to do."""

from __future__ import annotations


class CalibrationError(ValueError):
    """A ring or lens that cannot be calibrated; str() is one sentence that says what to do."""
