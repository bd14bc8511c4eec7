"""A command line that makes no sense, in one line: what is wrong with it and where to read more."""

from __future__ import annotations

import re
from collections.abc import Sequence

from overlay.i18n import translate
from palmo.commands.common import language
from palmo.errors import PalmoError, visible
from rules.text import Text
from vision.sources.naming import without_passwords


def spoken(arguments: Sequence[str]) -> str:
    """The language of a command line that may not be understood otherwise: its --lang, else the locale's."""
    for place, word in enumerate(arguments):
        name, _, value = word.partition("=")
        if name == "--lang":
            wanted = value or "".join(arguments[place + 1 : place + 2])
            try:
                return language(wanted)
            except PalmoError:
                break
    return language(None)


def usage(error: Exception, lang: str) -> str | None:
    """The line for an error of the command line's parser; None when the help has just been printed."""
    said = str(error.format_message()).rstrip(".")  # type: ignore[attr-defined]
    message = visible(without_passwords(said))
    if not message:
        return None
    context = getattr(error, "ctx", None)
    command = context.command_path if context is not None else "palmo"
    what = message if lang == "en" else translate(_meaning(error, message), lang)
    return translate(Text("usage", {"what": what, "command": command}), lang)


def _meaning(error: Exception, message: str) -> Text:
    """What the parser's English message says. Its classes are known by name: Typer brings its own copy."""
    kind, param = type(error).__name__, getattr(error, "param", None)
    called = param.opts[0] if param is not None and param.opts else ""
    if kind == "NoSuchOption":
        return Text("usage.option", {"option": str(getattr(error, "option_name", ""))})
    if kind == "MissingParameter":
        return Text("usage.missing", {"param": called})
    if found := re.search(r"is not in the range (\S+)", message):
        return Text("usage.range", {"param": called, "range": found[1]})
    if kind == "BadParameter":
        return Text("usage.value", {"param": called})
    if found := re.match(r"No such command '(.*)'", message):
        return Text("usage.command", {"command": found[1]})
    if found := re.match(r"Got unexpected extra arguments? \((.*)\)", message):
        return Text("usage.extra", {"what": found[1]})
    if found := re.match(r"Option '(.*)' requires an argument", message):
        return Text("usage.argument", {"option": found[1]})
    return Text("live.plain", {"text": message})
