"""What many simulated matches come to: lengths, endings, who wins, what is done, how the dice fall."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from rich.table import Table

from overlay.i18n import entries, number, translate
from palmo.play.sparring import Bout, Played
from rules.text import Text

UNFINISHED = "unfinished"
DRAW = "draw"


def summary(bout: Bout, played: Sequence[Played]) -> dict[str, Any]:
    """The matches in numbers, as plain data; the same bout and number of matches give the same."""
    wins = Counter(winner for one in played for winner in one.winners)
    actions: Counter[str] = Counter()
    faces: Counter[tuple[int, int]] = Counter()
    for one in played:
        actions.update(one.actions)
        faces.update(one.faces)
    return {
        "rulebook": bout.rulebook,
        "edition": bout.edition,
        "mode": bout.mode,
        "players": bout.players,
        "seed": bout.seed,
        "games": len(played),
        "answers": _spread(one.answers for one in played),
        "turns": _spread(one.turns for one in played),
        "endings": dict(Counter(one.ending or UNFINISHED for one in played).most_common()),
        "wins": {one.id: wins[one.id] for one in bout.roster.entrants},
        "without_winner": sum(not one.winners for one in played),
        "given_up": {"after_answers": bout.most_answers, "games": sum(one.ending is None for one in played)},
        "actions": dict(actions.most_common()),
        "dice": {f"d{sides}": _dice(faces, sides) for sides in sorted({sides for sides, _ in faces})},
    }


def _spread(values: Iterable[int]) -> dict[str, float]:
    found = sorted(values)
    if not found:
        return {}
    mean, median = round(statistics.fmean(found), 2), float(statistics.median(found))
    return {"mean": mean, "median": median, "least": found[0], "most": found[-1]}


def _dice(faces: Counter[tuple[int, int]], sides: int) -> dict[str, Any]:
    counts = [faces[sides, face] for face in range(1, sides + 1)]
    rolled = sum(counts)
    mean = sum(face * many for face, many in enumerate(counts, start=1)) / rolled
    return {"rolled": rolled, "mean": round(mean, 4), "faces": counts}


def tables(data: dict[str, Any], lang: str) -> list[Table]:
    """The summary as tables for people."""

    def say(key: str, **values: float | int | str) -> str:
        return translate(Text(key, dict(values)), lang)

    games = int(data["games"])
    lengths = Table(title=say("simulate.length", games=games))
    for column in ("what", "mean", "median", "least", "most"):
        lengths.add_column(say(f"simulate.{column}"), justify="left" if column == "what" else "right")
    for what in ("answers", "turns"):
        spread = data[what]
        lengths.add_row(
            say(f"simulate.{what}"),
            number(spread["mean"], 1, lang),
            *(str(int(spread[one])) for one in ("median", "least", "most")),
        )
    given_up = data["given_up"]
    if given_up["games"]:
        lengths.caption = say(
            "simulate.given_up", games=given_up["games"], of=games, answers=given_up["after_answers"]
        )
    found = [lengths]
    for what, counts in (("endings", data["endings"]), ("wins", data["wins"]), ("actions", data["actions"])):
        table = Table(title=say(f"simulate.{what}"))
        table.add_column("")
        table.add_column(say("simulate.times"), justify="right")
        table.add_column("%", justify="right")
        total = games if what != "actions" else max(1, sum(counts.values()))
        for name, many in counts.items():
            table.add_row(_named(what, name, lang), str(many), number(100.0 * many / total, 1, lang))
        found.append(table)
    dice = Table(title=say("simulate.dice"))
    for column in ("", say("simulate.rolled"), say("simulate.mean"), say("simulate.faces")):
        dice.add_column(column, justify="right")
    for name, one in data["dice"].items():
        dice.add_row(name, str(one["rolled"]), number(one["mean"], 3, lang), " ".join(map(str, one["faces"])))
    return [*found, dice]


def _named(what: str, name: str, lang: str) -> str:
    """An ending or an action in words, as far as the catalogue has it by itself; fighters by their ids."""
    if name == UNFINISHED:
        return translate(Text("ending.unfinished"), lang)
    known = entries(lang)
    keys = {"endings": [f"ending.{name}"], "actions": [f"simulate.action.{name}", f"option.{name}"]}.get(
        what, []
    )
    key = next((one for one in keys if one in known and not known[one].placeholders), None)
    return name if key is None else translate(Text(key), lang)
