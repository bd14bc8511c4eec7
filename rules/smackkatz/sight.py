"""Scene questions under the agreed rulings, and the referee's word where measuring cannot tell."""

from __future__ import annotations

import math
from dataclasses import replace

from rules import questions
from rules.engine.cite import cite
from rules.engine.request import REFEREE, Option, Procedure, Request
from rules.geometry import gap
from rules.questions import Finding
from rules.scene import Figure
from rules.smackkatz.abilities import Ring
from rules.text import Text

STILL_CM = 0.3
"""A decision of the referee holds while nobody concerned moves further than this..."""
STILL_RAD = math.radians(5)
"""... or turns more than this."""
BACK_BAND_DEG = 10.0
"""RULING-32: within ten degrees of the back arc's edge the referee confirms."""

TOUCH_CM = 0.5
"""RULING-81: a gap up to this is touching."""


def _unseen(question: str, figures: tuple[str, ...], rules: tuple[str, ...]) -> Finding:
    return Finding(question, False, figures, rules, too_close=True)


def _pose(figure: Figure | None) -> tuple[float, float, float]:
    return (0.0, 0.0, 0.0) if figure is None else (figure.x, figure.y, figure.facing)


def _about(finding: Finding) -> str:
    return ":".join((finding.question, *finding.figures))


def _still(then: tuple[float, float, float], now: tuple[float, float, float]) -> bool:
    turned = abs((now[2] - then[2] + math.pi) % (2 * math.pi) - math.pi)
    return math.dist(then[:2], now[:2]) <= STILL_CM and turned <= STILL_RAD


def _with_decision(table: Ring, finding: Finding) -> Finding:
    """The finding, or what the referee decided about it while nobody concerned has moved."""
    if not finding.too_close:
        return finding
    known = table.state.settled.get(_about(finding))
    if known is None:
        return finding
    figures = table.state.scene.figures
    poses = [_pose(figures.get(name)) for name in finding.figures]
    same = len(poses) == len(known[1]) and all(_still(a, b) for a, b in zip(known[1], poses, strict=True))
    return finding.decided(known[0]) if same else finding


@cite("RULING-30", "RULING-31", "RULING-58", "STATUS-14", "ARENA-05", "ATK-02")
def adjacent(table: Ring, a: str, b: str) -> Finding:
    """Whether two wrestlers are adjacent: same zone and gap within the limit."""
    a, b = sorted((a, b))
    first, second = table.state.wrestlers[a], table.state.wrestlers[b]
    if first.hoisted_by is not None or second.hoisted_by is not None:
        return Finding("same_zone", False, (a, b), ("STATUS-14", "RULING-58"))
    if first.at_ringside != second.at_ringside and not table.rulings["attack_across_ropes"]:
        return Finding("same_zone", False, (a, b), ("RULING-31",))
    figures = table.state.scene.figures
    if a not in figures or b not in figures:
        return _with_decision(table, _unseen("adjacent", (a, b), ("RULING-30",)))
    found = questions.adjacent(
        figures[a], figures[b], table.rulings["adjacent_gap_cm"], table.rulings["ask_band_cm"]
    )
    return _with_decision(table, found)


@cite("RULING-98", "RULING-30")
def across_ropes(table: Ring, a: str, b: str) -> Finding:
    """Whether two team-mates can reach each other over the ropes between them."""
    a, b = sorted((a, b))
    figures = table.state.scene.figures
    rules = ("RULING-98", "RULING-30")
    if a not in figures or b not in figures:
        return _with_decision(table, _unseen("adjacent", (a, b), rules))
    limit, band = table.rulings["adjacent_gap_cm"], table.rulings["ask_band_cm"]
    return _with_decision(table, questions.adjacent(figures[a], figures[b], limit, band, rules))


@cite("PIN-03", "RULING-79", "RULING-81")
def still_pinning(table: Ring, pinner: str, pinned: str) -> Finding:
    """Whether a pinner still touches whom he pins. They stay put: seen apart, the referee is to say."""
    figures = table.state.scene.figures
    who, rules = (pinner, pinned), ("PIN-03", "RULING-81")
    if pinner not in figures or pinned not in figures:
        return Finding("still_pinning", True, who, rules)
    distance, points = gap(figures[pinner], figures[pinned])
    touches = distance.value <= TOUCH_CM
    found = Finding("still_pinning", touches, who, rules, distance, TOUCH_CM, points, too_close=not touches)
    return _with_decision(table, found)


@cite("STATUS-61", "COUNTER-09", "RULING-32")
def back_turned(table: Ring, defender: str, other: str) -> Finding:
    """Whether the other stands in the defender's back quadrant."""
    figures = table.state.scene.figures
    rules = ("STATUS-61", "RULING-32")
    if defender not in figures or other not in figures:
        return _with_decision(table, _unseen("back_turned", (defender, other), rules))
    arc = float(table.rulings["back_arc_deg"])
    found = questions.back_turned(figures[defender], figures[other], arc, BACK_BAND_DEG, rules)
    return _with_decision(table, found)


@cite("RULING-16")
def in_front(table: Ring, observer: str, other: str) -> Finding:
    """Whether the other is in the observer's front half-plane."""
    figures = table.state.scene.figures
    if observer not in figures or other not in figures:
        return _with_decision(table, _unseen("in_front", (observer, other), ("RULING-16",)))
    return _with_decision(table, questions.in_front(figures[observer], figures[other]))


@cite("RULING-33", "SHEET-20", "STRIKE-07")
def on_ropes(table: Ring, fighter: str) -> Finding:
    """Whether he is near enough to a rope to count as on the ropes."""
    scene = table.state.scene
    if fighter not in scene.figures:
        return _with_decision(table, _unseen("on_ropes", (fighter,), ("RULING-33",)))
    found = questions.on_ropes(
        scene.figures[fighter], scene.ring, table.rulings["rope_gap_cm"], table.rulings["ask_band_cm"]
    )
    return _with_decision(table, found)


@cite("RULING-33", "SHEET-20", "SPECIAL-02")
def in_corner(table: Ring, fighter: str) -> Finding:
    """Whether he is near enough to a post to count as in the corner."""
    scene = table.state.scene
    if fighter not in scene.figures:
        return _with_decision(table, _unseen("in_corner", (fighter,), ("RULING-33",)))
    found = questions.in_corner(
        scene.figures[fighter], scene.ring, table.rulings["post_gap_cm"], table.rulings["ask_band_cm"]
    )
    return _with_decision(table, found)


@cite("RULING-33", "ARENA-05", "STATUS-14", "RULING-93")
def inside_ring(table: Ring, fighter: str) -> Finding:
    """Whether his footprint's centre is inside the ropes; held up or on a post he has no footprint."""
    scene = table.state.scene
    wrestler = table.state.wrestlers[fighter]
    if fighter not in scene.figures or wrestler.hoisted_by is not None or wrestler.on_post is not None:
        return Finding("inside_ring", not wrestler.at_ringside, (fighter,), ("RULING-33",))
    return _with_decision(table, questions.inside_ring(scene.figures[fighter], scene.ring))


def doubted(table: Ring, finding: Finding) -> Finding:
    """A clear finding that contradicts what the match knows: to be asked about, once."""
    return _with_decision(table, replace(finding, too_close=True))


@cite("RULING-30", "RULING-32", "RULING-33")
def settle(table: Ring, finding: Finding, step: str) -> Procedure[bool]:
    """The finding's answer; when it is too close to call the referee gives it (D-28)."""
    if not finding.too_close:
        return finding.answer
    options = (
        Option("yes", Text("option.yes"), rules=finding.rules),
        Option("no", Text("option.no"), rules=finding.rules),
    )
    said = yield Request(
        "ruling",
        f"{step} D-28",
        REFEREE,
        finding.text,
        fighter=finding.figures[0],
        options=options,
        rules=finding.rules,
        finding=finding,
    )
    figures = table.state.scene.figures
    poses = [list(_pose(figures.get(name))) for name in finding.figures]
    table.record(
        "ruled",
        *finding.rules,
        fighter=finding.figures[0],
        about=_about(finding),
        answer=said == "yes",
        poses=poses,
    )
    return bool(said == "yes")
