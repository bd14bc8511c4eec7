"""The referee at a terminal: one question at a time, numbered choices, everything undoable."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.markup import escape

from overlay.happened import BOOKKEEPING, answer_of
from overlay.i18n import COUNT, number, translate
from overlay.panel import panel_view, step_in_words
from palmo.errors import PalmoError, SaidError, texts
from palmo.play.asked import sheet_lines
from palmo.play.layout import degrees, starting_figures, typed
from palmo.play.table import MatchTable
from palmo.play.words import Said, Words, whole
from rules.engine.facts import Fact, set_to
from rules.engine.match import Match
from rules.engine.overrule import Correction
from rules.engine.request import Option, Reason, Rejected, Request
from rules.scene import Figure
from rules.text import Text

# So many reasons why options are not allowed are shown; of more only how many options there are.
_FEW_FORBIDDEN = 8
UNSEEN = "-"
"""The answer to a look at the table when nobody measures: the rules ask the referee instead."""
Ask = Callable[[str], str]
See = Callable[[float], dict[str, Figure]]


class Quit(Exception):
    """The referee leaves; the log has everything."""


class Terminal:
    """Plays a match on a console. `ask` reads one line, `see` gives the figures at a time of the tracks."""

    def __init__(
        self, table: MatchTable, lang: str, console: Console, ask: Ask, see: See | None = None
    ) -> None:
        self._table = table
        self._lang = lang
        self._console = console
        self._ask = ask
        self._see = see
        self._words = Words(table, self._meant)
        self._starting = starting_figures(table.match)
        self._figures = {**self._starting, **table.match.scene.figures}
        self._told: list[str] = []
        self._time: Text | None = None
        for name in _seen(table.match) - set(table.match.scene.figures):
            del self._figures[name]

    def play(self) -> None:
        """Until the match is over or the referee quits."""
        if self._table.match.request is not None:
            self._help(self._table.match.request)
        try:
            while (request := self._table.match.request) is not None:
                self._show(request)
                self._turn(request)
        except (Quit, EOFError, KeyboardInterrupt):
            self._say(Text("terminal.saved"))
            return
        outcome = self._table.match.outcome
        if outcome is not None:
            self._say(outcome.text, style="bold")

    def _turn(self, request: Request) -> None:
        line = self._ask("> ").strip()
        before, played = self._table.match.scene.figures, len(self._table.match.log.entries)
        try:
            if line in ("q", "quit", "salir"):
                raise Quit
            if line in ("?", "h", "help", "ayuda"):
                self._help(request)
            elif (said := self._words.say(request, line)) is not None:
                self._show_said(said)
            else:
                self.tell(self._answer(request, line))
                self._forget(before)
                for entry in self._table.match.log.entries[played + 1 :]:
                    # What the clock has said by itself.
                    self.tell(entry.facts)
        except Rejected as refusal:
            self._refuse(refusal.reasons)
        except PalmoError as error:
            for text in texts(error):
                self._say(text, style="red")

    def _answer(self, request: Request, line: str) -> Sequence[Fact]:
        match request.kind:
            case "choose" | "ruling":
                return self._choose(request, line)
            case "roll":
                if not line or line == "r":
                    return self._table.roll()
                return self._table.answer(_faces(line, request), "referee")
            case "observe":
                return self._observe(line)
            case "place":
                return self._place(request, line)

    def _choose(self, request: Request, line: str) -> Sequence[Fact]:
        return self._table.answer(self._chosen(request, line), "referee")

    def _chosen(self, request: Request, line: str) -> str:
        options = request.options
        given = whole(line)
        if given is None or not 1 <= given <= len(options):
            raise SaidError("terminal.number", last=len(options))
        return options[given - 1].id

    def _meant(self, request: Request, line: str) -> Any:
        """The answer a line means that the rules may not allow."""
        match request.kind:
            case "choose" | "ruling":
                return self._chosen(request, line)
            case "place":
                return self._put(request, line)
            case "roll":
                return _faces(line, request)
            case "observe":
                return line

    def _observe(self, line: str) -> Sequence[Fact]:
        """Empty: as shown. A time: as tracked then. Else one figure is put somewhere, and asked again."""
        if line == UNSEEN:
            facts = self._table.answer({}, "referee")
            self._forget(self._figures)
            return facts
        if line:
            seconds = _seconds(line)
            if seconds is None:
                moved = typed({**self._starting, **self._figures}, line)
                self._figures[moved.id] = moved
            elif self._see is None:
                raise SaidError("terminal.no_tracks")
            else:
                self._figures |= self._see(seconds)
            return ()
        return self._table.answer(dict(self._figures), "referee")

    def _forget(self, before: Mapping[str, Figure]) -> None:
        """Whoever moved unseen is no longer where he stood before."""
        for name in set(before) - set(self._table.match.scene.figures):
            self._figures.pop(name, None)

    def _place(self, request: Request, line: str) -> Sequence[Fact]:
        figure = self._put(request, line)
        facts = self._table.answer(figure, "referee")
        self._figures[figure.id] = figure
        return facts

    def _put(self, request: Request, line: str) -> Figure:
        """Where a figure is put: on its silhouette, or where the line says."""
        fighter = request.fighter or ""
        if line:
            known = {**self._starting, **self._figures}
            return typed(known, line if line.split()[0] == fighter else f"{fighter} {line}")
        return request.proposal or self._figures.get(fighter) or self._starting[fighter]

    # ---- showing

    def _show_said(self, said: Said) -> None:
        """What a word of the referee's came to."""
        if said.undone:
            self._figures |= self._table.match.scene.figures
        self.tell(said.facts)
        for text in said.texts:
            self._say(text)
        self._list(said.options)
        for one in said.fields:
            self._field(one)
        for rule in said.rules:
            for line, style in sheet_lines(rule, self._lang):
                self._print(line, style=style)
        if said.log_from is not None:
            self.entries(said.log_from)

    def _field(self, one: Correction) -> None:
        takes = ", ".join(self._sentence(each) if isinstance(each, Text) else each for each in one.takes)
        self._print(f"  {one.field:<20} {self._sentence(one.text)}: {self._value(one)}  ({takes})")

    def entries(self, first: int = 0) -> None:
        """Print the log from an entry on: every answer, who gave it and what followed."""
        for entry in self._table.match.log.entries[first:]:
            step = step_in_words(str(entry.request["step"]), self._lang) or str(entry.request["step"])
            fighter = self._table.names.get(str(entry.request.get("fighter")))
            origin = self._sentence(Text(f"terminal.origin.{entry.origin}"))
            head = f"{step}, {fighter}" if fighter else step
            chosen = entry.request["kind"] == "choose" and not entry.overrules
            answer = f": {self._sentence(answer_of(entry))}" if chosen else ""
            self._print(f"{entry.n:>4}  {head} ({origin}){answer}", style="dim")
            for fact in entry.facts:
                self._fact(fact)

    def _show(self, request: Request) -> None:
        view = panel_view(request, self._lang, self._table.names)
        self._standings()
        who = self._sentence(Text("page.referee")) if view["referee"] else view["fighter"] or view["who"]
        self._print(f"\n{view['step']} ({who}): {view['text']}", style="bold", rules=request.rules)
        self._options(request.options, request.fighter)
        for pool in request.dice:
            # A single term says no more than the number of dice.
            several = pool.modifiers if len(pool.modifiers) > 1 else ()
            terms = "".join(f", {self._sentence(term.text)} {term.value:+d}" for term in several)
            goal = "" if pool.threshold is None else f" ({pool.threshold}+)"
            name = self._table.names.get(pool.fighter, pool.fighter)
            self._print(f"  {name}: {pool.count}d{pool.faces}{goal}{terms}")
        if request.kind == "observe":
            self._positions(self._figures.values())
        elif request.proposal is not None:
            self._positions([request.proposal])
        self._say(self._how(request), style="dim")
        if self._table.trouble:
            self._say(self._table.trouble, style="red")

    def _how(self, request: Request) -> Text:
        """How the question is answered."""
        match request.kind:
            case "choose" | "ruling":
                return Text("terminal.choose")
            case "roll":
                return Text("terminal.roll", {COUNT: request.dice_count})
            case "observe":
                return Text("terminal.observe" if self._see is None else "terminal.observe.tracks")
            case "place":
                return Text("terminal.place")

    def _help(self, request: Request) -> None:
        self._print(self._sentence(self._how(request)).strip(), style="dim")
        self._say(Text("terminal.axes"), style="dim")
        self._say(Text("terminal.help"), style="dim")
        self._say(Text("lookup.help"), style="dim")

    def _options(self, options: Sequence[Option], fighter: str | None) -> None:
        """What a fighter may answer; of many that may not only how many they are."""
        if len({self._why(option) for option in options if not option.legal}) <= _FEW_FORBIDDEN:
            self._list(options)
            return
        for position, option in enumerate(options, start=1):
            if option.legal:
                self._option(position, option)
        forbidden = sum(not option.legal for option in options)
        # Its id, not its name: that is what is typed.
        said = Text(
            "terminal.more_forbidden", {COUNT: forbidden, "fighter": fighter or next(iter(self._table.names))}
        )
        self._print(translate(said, self._lang), style="dim")

    def _list(self, options: Sequence[Option]) -> None:
        """Every option with its number; those that are not allowed for the same reason share a line."""
        alike: dict[str, list[int]] = {}
        for position, option in enumerate(options, start=1):
            if not option.legal:
                alike.setdefault(self._why(option), []).append(position)
        for position, option in enumerate(options, start=1):
            if option.legal:
                self._option(position, option)
        for why, positions in alike.items():
            names = "; ".join(self._sentence(options[one - 1].text) for one in positions)
            forbidden = Text("terminal.forbidden", {"option": names, "why": why})
            numbers = ", ".join(f"{one:>2}" if one == positions[0] else str(one) for one in positions)
            self._print(f"  {numbers}. {self._sentence(forbidden)}", style="dim")

    def _option(self, position: int, option: Option) -> None:
        """An option that is open; where it hangs on a measurement too close to call that is said."""
        said = self._sentence(option.text)
        if option.doubts:
            said = self._sentence(Text("terminal.doubtful", {"option": said}))
        self._print(f"  {position:>2}. {said}", rules=option.rules)

    def _why(self, option: Option) -> str:
        return " ".join(f"{self._sentence(reason.text)} ({reason.rule})" for reason in option.reasons)

    def _standings(self) -> None:
        """Everybody's Stamina and how he is, when it is not as it was said last."""
        said: dict[str, str] = {}
        for one in self._table.match.corrections:
            if one.field == "stamina":
                said[one.fighter] = f"{self._table.names[one.fighter]} {one.now}"
            elif one.field == "posture" and one.now != "standing":
                said[one.fighter] += f" ({self._value(one)})"
        if said and list(said.values()) != self._told:
            self._told = list(said.values())
            stamina = self._sentence(Text("terminal.stamina"))
            self._print(f"\n  {stamina} {' · '.join(self._told)}", style="dim")
        clock = self._table.clock
        if clock is not None and clock.text != self._time:
            self._time = clock.text
            self._say(clock.text, style="dim")

    def _value(self, one: Correction) -> str:
        now = set_to(one.field, one.now)
        return self._sentence(now) if isinstance(now, Text) else now

    def _positions(self, figures: Iterable[Figure]) -> None:
        for figure in figures:
            x, y, facing = (
                number(value, 1, self._lang) for value in (figure.x, figure.y, degrees(figure.facing))
            )
            self._print(
                f"  {figure.id:<4} {self._table.names.get(figure.id, ''):<24} {x:>6} {y:>6} cm {facing:>7}°"
            )

    def tell(self, facts: Sequence[Fact]) -> None:
        """Print what followed, without the steps of the procedure."""
        for fact in facts:
            if fact.kind not in BOOKKEEPING:
                self._fact(fact)

    def _fact(self, fact: Fact) -> None:
        self._print(f"  · {self._sentence(fact.text)}", rules=fact.rules)

    def _refuse(self, reasons: Sequence[Reason]) -> None:
        for reason in reasons:
            self._print(
                f"  {self._sentence(reason.text)}", style="red", rules=(reason.rule,) if reason.rule else ()
            )

    def _sentence(self, text: Text) -> str:
        return translate(text, self._lang, self._table.names)

    def _say(self, text: Text, style: str = "") -> None:
        self._print(self._sentence(text), style=style)

    def _print(self, line: str, *, style: str = "", rules: Sequence[str] = ()) -> None:
        body = f"[{style}]{escape(line)}[/]" if style else escape(line)
        cited = f" [dim]{escape('(' + ', '.join(rules) + ')')}[/]" if rules else ""
        self._console.print(body + cited)


def show(table: MatchTable, lang: str, console: Console) -> None:
    """Print a log: every answer, who gave it and what followed."""
    terminal = Terminal(table, lang, console, ask=lambda _: "")
    if not table.match.log.entries:
        console.print(translate(Text("terminal.empty"), lang), markup=False)
    terminal.entries()


def _seen(match: Match[Any]) -> set[str]:
    """Everybody who has ever been seen in the match."""
    facts = (fact for entry in match.log.entries for fact in entry.facts if fact.kind == "seen")
    return {str(name) for fact in facts for name in fact.values["figures"]}


def _faces(line: str, request: Request) -> list[int]:
    """Dice as read from the table: `3 5 6`, `3,5,6` or `356`; a 0 on a d10 is 10."""
    parts = line.replace(",", " ").split()
    if len(parts) == 1 and len(line) == request.dice_count > 1:
        parts = list(line)
    faces = [face for part in parts if (face := whole(part)) is not None]
    if len(faces) != len(parts):
        raise SaidError("terminal.faces")
    sides = [pool.faces for pool in request.dice for _ in range(pool.count)]
    ten = [side == 10 for side in sides] + [False] * len(parts)
    return [10 if zero and face == 0 else face for face, zero in zip(faces, ten, strict=False)]


def _seconds(line: str) -> float | None:
    """The time in a line like `t 3.9`, None when it is something else."""
    words = line.split()
    if len(words) == 2 and words[0] == "t":
        try:
            return float(words[1].replace(",", "."))
        except ValueError:
            return None
    return None
