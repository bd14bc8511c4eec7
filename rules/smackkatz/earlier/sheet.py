"""The sheet of the earlier edition: Spirit (Espíritu) where Technique is now, no titles, nothing carried."""

from __future__ import annotations

from rules.smackkatz.edition import Form
from rules.smackkatz.sheet import FIGHTING

EARLIER_FORM = Form(
    "earlier",
    ("combat", "speed", "strength", "spirit", "resistance"),
    FIGHTING,
    titles=False,
    carries_injuries=False,
)
"""SHEET-03, SHEET-09, SHEET-11 (its fourth ability is Llave there, the same as Sumisión: RULING-109)."""
