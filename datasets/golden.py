"""The golden matches: one of each mode of each edition, told as referees would play it, written down as logs.

`python -m datasets.golden` writes the logs that are missing in tests/scenarios from the stories. A log that
is there is never written again: it has to replay for ever.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from datasets import golden_current, golden_earlier
from datasets.golden_story import Story, Telling
from rules.engine.match import Match
from rules.smackkatz.book import EDITIONS

FOLDER = Path(__file__).resolve().parents[1] / "tests" / "scenarios"
STORIES: Mapping[tuple[str, str], Story] = {
    **{("current", mode): story for mode, story in golden_current.STORIES.items()},
    **{("earlier", mode): story for mode, story in golden_earlier.STORIES.items()},
}
"""(edition, mode) -> its story."""


def path_of(edition: str, mode: str) -> Path:
    """Where the log of that match is kept."""
    return FOLDER / f"golden_{'' if edition == 'current' else f'{edition}_'}{mode}.jsonl"


def told(edition: str, mode: str) -> Match[Any]:
    """The match as its story goes."""
    return Telling(EDITIONS[edition], mode, STORIES[edition, mode]).tell()


def main() -> None:
    """Write the logs that are missing."""
    for edition, mode in STORIES:
        path = path_of(edition, mode)
        if path.exists():
            continue
        match = told(edition, mode)
        path.write_text("".join(f"{line}\n" for line in match.log_lines()), encoding="utf-8")
        print(edition, mode, match.state.turn, len(match.log.entries), match.outcome)


if __name__ == "__main__":
    main()
