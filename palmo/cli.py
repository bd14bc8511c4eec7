"""The `palmo` command."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Sequence
from copy import copy
from types import TracebackType

import typer
from rich.console import Console

from overlay.i18n import translate
from palmo import __version__
from palmo.commands import calibrate, demo, doctor, evaluate, live, match, measure, report, review, track
from palmo.errors import debugging, in_language, sentence, visible
from palmo.usage import spoken, usage
from rules.text import Text
from vision.sources.naming import without_passwords

ExceptionInfo = tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]

# As shells count a program that was interrupted.
_STOPPED = 130

app = typer.Typer(
    name="palmo",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="markdown",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    help=(
        "One webcam over a table becomes the referee's assistant for SmackKatz.\n\n"
        "Positions in centimetres and in the palms of each fighter's own player, with an honest error bar. "
        "Start with `palmo demo`: it needs no camera."
    ),
    epilog="Exit codes: 0 fine, 1 a verdict against (beyond, redo, finding), 2 bad usage or input.",
)


class _OneLine(logging.Formatter):
    """A fault that was survived is one line in the reader's language; its traceback is for those who ask."""

    def __init__(self, lang: str) -> None:
        super().__init__("palmo: %(message)s")
        self._lang = lang

    def formatException(self, ei: ExceptionInfo) -> str:
        return super().formatException(ei) if debugging() else ""

    def format(self, record: logging.LogRecord) -> str:
        """The message, with the kind of error behind it."""
        if not record.args:
            record = copy(record)
            record.msg = in_language(record.msg, self._lang)
        line = super().format(record).rstrip()
        error = record.exc_info[1] if record.exc_info else None
        whole = line if error is None or debugging() else f"{line} ({type(error).__name__}: {error})"
        return visible(without_passwords(whole))


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"palmo {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    context: typer.Context,
    version: bool = typer.Option(
        False, "--version", callback=_version, is_eager=True, help="Print the version."
    ),
) -> None:
    handler = logging.StreamHandler()
    handler.setFormatter(_OneLine(str(context.obj or "en")))
    logging.basicConfig(level=logging.DEBUG if debugging() else logging.WARNING, handlers=[handler])


app.command("demo")(demo.demo)
app.command("doctor")(doctor.doctor)
app.add_typer(calibrate.app, name="calibrate")
app.command("track")(track.track)
app.command("measure")(measure.measure)
app.command("live")(live.live)
app.command("review")(review.review)
app.command("report")(report.report)
app.add_typer(match.app, name="match")
app.command("evaluate")(evaluate.evaluate)


def run(arguments: Sequence[str] | None = None) -> int:
    """Run a command line; returns the exit code. Errors are one line each on stderr."""
    errors = Console(stderr=True, soft_wrap=True, highlight=False, markup=False)
    if not debugging():
        # The decoder's own complaints: the source's sentence says it better.
        os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    given = list(sys.argv[1:] if arguments is None else arguments)
    lang = spoken(given)
    try:
        result = app(args=given, prog_name="palmo", standalone_mode=False, obj=lang)
    except (KeyboardInterrupt, typer.Abort):
        result = _STOPPED
    except Exception as error:
        if hasattr(error, "format_message") and hasattr(error, "exit_code"):
            line = usage(error, lang)
            if line is not None:
                errors.print(f"palmo: {line}")
            return 2
        if debugging():
            raise
        for line in sentence(error, lang).splitlines():
            errors.print(f"palmo: {line}")
        return 2
    if result == _STOPPED:  # Typer hands a Ctrl-C on as this number.
        stopped = Text("stopped")
        errors.print(f"palmo: {translate(stopped, lang)}")
    return result if isinstance(result, int) else 0
