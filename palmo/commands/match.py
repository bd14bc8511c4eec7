"""`palmo match`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from palmo.commands.common import (
    FINE,
    EventOption,
    JsonOption,
    LangOption,
    console,
    language,
    print_json,
    print_line,
    progress,
)
from palmo.commands.rule import rule
from palmo.errors import SaidError
from rules.text import Text

app = typer.Typer(help="Play a match by its rulebook, replay its log, read it.", no_args_is_help=True)
LogArgument = Annotated[Path, typer.Argument(help="A match log.", show_default=False)]


@app.command("play")
def play(
    event: EventOption,
    log: Annotated[
        Path, typer.Option("--log", help="Where the match is written; an existing one is continued.")
    ] = Path("out/match.jsonl"),
    tracks: Annotated[
        Path | None, typer.Option("--tracks", help="Take positions from what `palmo track` wrote.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option("--seed", help="Seed of the digital dice.", show_default="random")
    ] = None,
    as_json: Annotated[
        bool,
        typer.Option("--json", help="For programs: a line of JSON out for what is asked, one in to answer."),
    ] = False,
    lang: LangOption = None,
) -> int:
    """Referee a match at the terminal: numbered choices, typed or digital dice, everything undoable."""
    from palmo.event import load_event
    from palmo.play.league import league_of, show_league
    from palmo.play.machine import Machine
    from palmo.play.table import open_table
    from palmo.play.terminal import Terminal
    from palmo.play.tracked import tracked_figures
    from palmo.play.weigh_in import show_reminders

    if as_json and tracks is not None:
        raise SaidError("machine.tracks")
    spoken = language(lang)
    loaded = load_event(event)
    see = None if tracks is None else tracked_figures(loaded, tracks)
    table = open_table(event, loaded, log, seed=seed)
    out = console()
    try:
        if as_json:
            Machine(table, spoken, _line, print_line).play()
            return FINE
        if not table.match.log.entries:
            show_reminders(table.match, spoken, out)
        Terminal(table, spoken, out, ask=_asking(out), see=see).play()
    finally:
        table.close()
    kept = league_of(table.match)
    if kept is not None:
        show_league(kept, table.match.log.header.roster, spoken, out)
    return FINE


def _line() -> str:
    """The next line of the input, an empty one at its end."""
    return "" if sys.stdin is None else sys.stdin.buffer.readline().decode("utf-8", "replace")


def _asking(screen: Console) -> Callable[[str], str]:
    """Reads a line; a program that was started without an input is at its end at once."""

    def ask(prompt: str) -> str:
        if sys.stdin is None:
            raise EOFError
        return screen.input(prompt)

    return ask


@app.command("replay")
def replay(log: LogArgument, lang: LangOption = None, as_json: JsonOption = False) -> int:
    """Play a log again without any camera, and say where it diverges if it does (exit code 2)."""
    from overlay.i18n import translate
    from palmo.errors import text
    from palmo.play.table import replayed

    match = replayed(log)
    entries = len(match.log.entries)
    outcome = match.outcome
    if as_json:
        over = None if outcome is None else {"ending": outcome.ending, "winners": list(outcome.winners)}
        print_json({"entries": entries, "outcome": over, "state": match.state.to_json()})
    else:
        spoken = language(lang)
        how = Text("replay.goes_on") if outcome is None else outcome.text
        said = text("replay.same", log=log, entries=entries, how=how)
        names = {one.id: one.name for one in match.log.header.roster.entrants}
        console().print(translate(said, spoken, names), markup=False, soft_wrap=True)
    return FINE


@app.command("show")
def show(
    log: LogArgument,
    lang: LangOption = None,
    league: Annotated[
        bool, typer.Option("--league", help="Only the result and what it changes on the sheets.")
    ] = False,
    title: Annotated[
        str, typer.Option("--title", help="The title that was fought for.", show_default="none")
    ] = "",
    as_json: JsonOption = False,
) -> int:
    """Read a log: every answer, what followed, by which rules; at the end the sheets for the next match."""
    from palmo.play.league import league_of, show_league
    from palmo.play.table import MatchTable, replayed
    from palmo.play.terminal import show as print_log

    spoken = language(lang)
    match = replayed(log)
    kept = league_of(match, title)
    if as_json:
        record = None if kept is None else kept.to_json()
        print_json(record if league else [entry.to_json() for entry in match.log.entries])
        return FINE
    if not league:
        print_log(MatchTable(match), spoken, console())
    if kept is not None:
        show_league(kept, match.log.header.roster, spoken, console())
    return FINE


@app.command("simulate")
def simulate(
    games: Annotated[int, typer.Option("--games", "-n", min=1, help="How many matches.")] = 100,
    players: Annotated[
        str,
        typer.Option(
            "--players", help="random (anything allowed, resting seldom) or greedy (a little sense)."
        ),
    ] = "random",
    seed: Annotated[int, typer.Option("--seed", help="The same seed plays the same matches.")] = 1,
    mode: Annotated[
        str | None, typer.Option("--mode", help="The kind of match.", show_default="the rulebook's first")
    ] = None,
    edition: Annotated[str, typer.Option("--edition", help="The edition of the rules.")] = "current",
    fighters: Annotated[
        int | None,
        typer.Option(
            "--fighters", min=2, max=99, help="How many take part.", show_default="what the mode needs"
        ),
    ] = None,
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=1, help="Processes.")] = 1,
    as_json: JsonOption = False,
    lang: LangOption = None,
) -> int:
    """Let simulated players fight many matches and say how they go."""
    from palmo.play.bouts import bout_of
    from palmo.play.simulate import simulate as play_many
    from palmo.play.statistics import summary, tables

    spoken = language(lang)
    bout = bout_of(players=players, edition=edition, mode=mode, fighters=fighters, seed=seed)
    with progress("match simulate", games) as moved_on:
        played = play_many(bout, games, jobs=jobs, moved_on=moved_on)
    data = summary(bout, played)
    if as_json:
        print_json(data)
    else:
        for table in tables(data, spoken):
            console().print(table)
    return FINE


app.command("rule")(rule)
