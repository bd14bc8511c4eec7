"""Effects of taunts, forced rest and fouls called or withdrawn."""

from __future__ import annotations

from rules.smackkatz.changes.registry import sets

sets("taunts", resting=True, taunting=True)
sets("forced_rest", resting=True, rest_forced=True, must_rest=False)
sets("rest_healed", healed=True)
sets("foul_withdrawn", warned=True)
sets("foul_dismissed", warned=True)
sets("foul", warned=True, attacked=True)
