"""What is drawn of holds, pins, finishers and fouls: who has whom, the count, what comes next."""

from __future__ import annotations

from collections.abc import Mapping

from shapely.geometry import Polygon

from rules.annotations import Annotation, Arrow, Banner, Region
from rules.engine.cite import cite
from rules.engine.request import Request
from rules.geometry import outline_shape
from rules.scene import Figure
from rules.smackkatz.abilities import Ring
from rules.smackkatz.attacks.submission import loss
from rules.smackkatz.state import Wrestler
from rules.text import Text

GLOW_CM = 1.5
"""How far the ring of light around an active finisher reaches beyond the figure."""

Figures = Mapping[str, Figure]


def draw_holds(table: Ring, request: Request | None, figures: Figures) -> tuple[Annotation, ...]:
    """Everything of this subject over the figures as they stand now."""
    found: list[Annotation] = []
    for wrestler in table.state.playing:
        found += _hold(table, wrestler, figures)
        found += _pin(table, wrestler, figures)
        found += _finisher(wrestler, figures)
    if request is not None and "D-22" in request.step:
        found.append(Banner(request.text, "illegal", request.rules))
    return tuple(found)


def _from_to(one: str, other: str, figures: Figures, label: Text) -> list[Annotation]:
    """An arrow from one figure to another, if both are seen."""
    if one not in figures or other not in figures:
        return []
    start, end = figures[one], figures[other]
    return [Arrow((start.x, start.y), (end.x, end.y), "active", label)]


@cite("SUBM-04", "SUBM-11", "SUBM-12", "STATUS-43")
def _hold(table: Ring, holder: Wrestler, figures: Figures) -> list[Annotation]:
    """How long the hold has lasted, and what keeping it up would cost the victim (without sixes)."""
    if holder.holds is None:
        return []
    turns = holder.hold_turns
    label = Text("note.hold", {"turns": turns, "next": loss(table, holder.id, turns + 1)})
    return _from_to(holder.id, holder.holds, figures, label)


@cite("PIN-03", "PIN-04", "RULING-113")
def _pin(table: Ring, pinner: Wrestler, figures: Figures) -> list[Annotation]:
    """The count so far."""
    if pinner.pins is None:
        return []
    count = table.state.wrestlers[pinner.pins].pin_failures
    label = Text("note.pin", {"count": count, "needed": int(table.rulings["pin_failures_to_lose"])})
    return _from_to(pinner.id, pinner.pins, figures, label)


@cite("FIN-01", "FIN-02", "FIN-09")
def _finisher(wrestler: Wrestler, figures: Figures) -> list[Annotation]:
    """A ring of light while its bonus lasts, and on whom it must be made."""
    figure = figures.get(wrestler.id)
    if figure is None or not wrestler.finisher_bonus:
        return []
    found: list[Annotation] = []
    glow = outline_shape(figure).buffer(GLOW_CM)
    if isinstance(glow, Polygon):
        exterior = tuple((float(x), float(y)) for x, y in glow.exterior.coords[:-1])
        found.append(Region(exterior, (), "active", Text("note.finisher")))
    if wrestler.finisher_on is not None:
        label = Text("note.finisher_target", {"target": wrestler.finisher_on})
        found += _from_to(wrestler.id, wrestler.finisher_on, figures, label)
    return found
