"""Options and output that commands share."""

from __future__ import annotations

import json
import locale
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.text import Text

from palmo.errors import SaidError, visible

EventOption = Annotated[
    Path, typer.Option("--event", "-e", help="The event file of this set-up.", show_default=False)
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON for programs instead of text.")]
LangOption = Annotated[
    str | None,
    typer.Option("--lang", help="Language of sentences: es or en.", show_default="from the locale"),
]
PortOption = Annotated[int, typer.Option("--port", min=0, max=65535, help="Port of the page; 0: any.")]
HostOption = Annotated[
    str, typer.Option("--host", help="Address of the page; 0.0.0.0 lets phones and tablets in, with a key.")
]

FINE, FINDING = 0, 1


def language(wanted: str | None) -> str:
    """The language to speak: as wanted, else PALMO_LANG, else Spanish in a Spanish locale, else English.

    What the environment says counts even where the system lacks that locale, as most containers do: Python
    would report another one there. Raises PalmoError for a language there is no catalogue for.
    """
    from overlay.i18n import LANGUAGES
    from overlay.i18n import language as known

    if wanted is not None:
        if wanted not in LANGUAGES:
            raise SaidError("usage.lang", lang=wanted)
        return wanted
    said = (os.environ.get(name) for name in ("PALMO_LANG", "LC_ALL", "LC_MESSAGES", "LANG"))
    return known(next(filter(None, said), None) or locale.getlocale()[0], default="en")


class Screen(Console):
    """A console that nothing printed can steer: names come from files that anybody may have written."""

    def render_str(self, text: str, **options: Any) -> Text:
        """The text with control characters spelled out."""
        return super().render_str(visible(text), **options)


def print_json(data: Any) -> None:
    """Print data as one JSON document; what JSON does not escape and a terminal would obey is escaped too."""
    typer.echo(visible(json.dumps(data, ensure_ascii=False, allow_nan=False, indent=2)))


def print_line(data: Any) -> None:
    """Print data as one line of JSON, for a program that reads along."""
    typer.echo(visible(json.dumps(data, ensure_ascii=False, allow_nan=False)))


def console() -> Console:
    """Where results for people go."""
    return Screen(highlight=False, soft_wrap=True)


def notes() -> Console:
    """Where progress and remarks go, so that results can be piped."""
    return Screen(stderr=True, highlight=False, soft_wrap=True)


def say(line: str) -> None:
    """A remark in one line."""
    notes().print(line, markup=False)


@contextmanager
def progress(what: str, total: int | None) -> Iterator[Callable[[], None]]:
    """A progress bar on stderr; gives the function that moves it on. Silent where nobody watches."""
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=notes(),
        transient=True,
        disable=not sys.stderr.isatty(),
    )
    with bar:
        task = bar.add_task(what, total=total)
        yield lambda: bar.advance(task)
