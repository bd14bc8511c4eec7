"""Before the first turn: the starting places and everybody's one-palm shift (SETUP)."""

from __future__ import annotations

from rules.engine.cite import cite
from rules.engine.request import REFEREE, Option, Procedure, Request
from rules.smackkatz.abilities import Ring
from rules.smackkatz.asking import look, see
from rules.smackkatz.movement.judge import judge_move
from rules.smackkatz.turn.places import advise, warn_of_sizes
from rules.text import Text

STEP = "SETUP"


@cite("SETUP-01", "SETUP-02", "SETUP-03", "RULING-7")
def setup(table: Ring) -> Procedure[None]:
    """Observe the starting places; whoever shifts may do so by one palm, then all are locked."""
    table.record("phase_began", "SETUP-01", phase=STEP)
    yield from look(table, STEP, Text("ask.starting_places"), "SETUP-01", "SETUP-02")
    warn_of_sizes(table)
    advise(table)
    if table.rulings["setup_shift_palms"]:
        yield from _shifts(table)


@cite("SETUP-03", "RULING-7")
def _shifts(table: Ring) -> Procedure[None]:
    """Everybody shifts at once: observed again, each judged against one palm of his own hand."""
    places = table.state.scene.figures
    while True:
        figures = yield Request(
            "observe", STEP, REFEREE, Text("ask.setup_shift"), rules=("SETUP-03", "RULING-7")
        )
        doubtful = None
        for fighter, figure in figures.items():
            if fighter not in places:
                continue
            verdict = judge_move(places[fighter], figure, table.state.scene.hands[fighter], allow_palms=1)
            if verdict.verdict != "within":
                doubtful = doubtful or (fighter, verdict)
        if doubtful is None:
            break
        fighter, verdict = doubtful
        options = (
            Option("stands", Text("option.move_stands"), rules=("SETUP-03",)),
            Option("again", Text("option.move_again"), rules=("SETUP-03",)),
        )
        said = yield Request(
            "ruling",
            f"{STEP} D-28",
            REFEREE,
            verdict.text,
            fighter=fighter,
            options=options,
            rules=("SETUP-03",),
        )
        if said == "stands":
            break
    see(table, figures, "SETUP-03")
