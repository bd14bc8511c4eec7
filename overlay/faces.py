"""The faces of plates: a fighter's label with its cards, a banner, a short label."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from overlay.lettering import BOLD, REGULAR, fitted, packed, width_of, words, wrapped
from overlay.palette import CARD_INK, DIMMED_OPACITY, ICONS, LINE, PLATE_OPACITY, TONES
from overlay.shapes import Block, Face, Item, Mark
from rules.annotations import Card, FighterTag, Tone
from rules.text import Text

# Stamina starts at 20 (SHEET-21); the bar is full there and empty at 0.
FULL_STAMINA = 20
# A banner's letters and how many lines of them it has at most: what is too long for one is written smaller.
BANNER_SIZES = ((27.0, 2), (23.0, 3), (20.0, 4))
# The letters on a card, so that its meaning does not hang on its colour.
CARD_LETTERS: dict[Card, Text] = {card: Text(f"card.{card}") for card in ("red", "green", "yellow")}


def icon(name: str, x: float, y: float, size: float, colour: str) -> tuple[Mark, ...]:
    """An icon's strokes in a square of `size` pixels whose corner is at x, y."""
    return tuple(
        Mark(tuple((x + px * size, y + py * size) for px, py in stroke), size * 0.2, colour)
        for stroke in ICONS[name]
    )


def card_face(card: Card, letters: str, x: float, y: float, height: float) -> tuple[Item, ...]:
    """A status card as it lies on the table: a coloured rectangle with a white rim and its letters."""
    size = height * 0.66
    width = max(height * 0.74, width_of(letters, size, BOLD) + height * 0.36)
    text_x = x + (width - width_of(letters, size, BOLD)) / 2
    return (
        Block((x, y, width, height), "paper", height * 0.16),
        Block((x + 1.5, y + 1.5, width - 3, height - 3), f"card.{card}", height * 0.12),
        words(letters, text_x, y + height * 0.74, size, BOLD, CARD_INK[card]),
    )


@lru_cache(maxsize=256)
def label(text: str, scale: float, tone: Tone = "neutral", size: float = 16.0, room: float = 320.0) -> Face:
    """A small plate: the tone's icon if it has one, and the text on up to three lines."""
    size, pad = size * scale, 6.0 * scale
    items: list[Item] = []
    lines = wrapped(text, size, BOLD, room * scale, 3)
    x, height = pad, (1.0 + 1.2 * (len(lines) - 1)) * size + 1.6 * pad
    mark = TONES[tone].icon
    if mark is not None:
        items += icon(mark, x, (height - 0.8 * size) / 2, 0.8 * size, tone)
        x += 0.8 * size + pad
    first = (size + 1.6 * pad) / 2 + 0.33 * size
    placed = [words(line, x, first + 1.2 * i * size, size, BOLD, "paper") for i, line in enumerate(lines)]
    width = x + max(line.width for line in placed) + pad
    edge = None if tone == "neutral" else tone
    radius = 0.3 * (size + 1.6 * pad)
    return Face(width, height, (*items, *placed), "plate", PLATE_OPACITY, edge, LINE * scale, radius)


@lru_cache(maxsize=256)
def number_face(text: str, scale: float, tone: Tone = "neutral") -> Face:
    """A short number in a round plate, e.g. the palms along a ruler."""
    size = 15.0 * scale
    height = 1.4 * size
    width = max(height, width_of(text, size, BOLD) + 0.7 * size)
    line = words(
        text, (width - width_of(text, size, BOLD)) / 2, height / 2 + 0.36 * size, size, BOLD, "paper"
    )
    return Face(width, height, (line,), "plate", PLATE_OPACITY, tone, 1.5 * scale, height / 2)


@dataclass(frozen=True)
class FighterFacts:
    """What a fighter's label shows, in the words of one language; `cards` with the letters on each."""

    name: str
    stamina: int | None
    cards: tuple[tuple[Card, str], ...]
    statuses: tuple[str, ...]
    active: bool
    tone: Tone
    dimmed: bool = False
    colour: str | None = None


def fighter_facts(tag: FighterTag, say: Callable[[Text], str], colour: str | None = None) -> FighterFacts:
    """The facts of a tag in the words of `say`; `colour` is the figure's own, "#rrggbb"."""
    cards = tuple((card, say(CARD_LETTERS[card])) for card in tag.cards)
    statuses = tuple(say(status) for status in tag.statuses)
    return FighterFacts(tag.name, tag.stamina, cards, statuses, tag.active, tag.tone, tag.dimmed, colour)


def _chip(colour: str, x: float, middle: float, size: float) -> tuple[Item, ...]:
    """A disc of a figure's colour with a white rim, so that a dark one is seen on the plate."""
    y, rim = middle - size / 2, 0.1 * size
    inner = size - 2 * rim
    return (
        Block((x, y, size, size), "paper", size / 2),
        Block((x + rim, y + rim, inner, inner), colour, inner / 2),
    )


@lru_cache(maxsize=256)
def fighter_face(tag: FighterFacts, scale: float) -> Face:
    """The figure's colour, name and Stamina, below them the status cards as they lie on the table and the
    other statuses."""
    pad, big, small = 7.0 * scale, 19.0 * scale, 15.0 * scale
    items: list[Item] = []
    x, row = pad, 1.6 * big
    ink = "faint" if tag.dimmed else "paper"
    if tag.active:
        items += icon("point", x - 0.1 * big, 0.5 * row - 0.4 * big, 0.8 * big, "active")
        x += 0.8 * big
    if tag.colour is not None:
        items += _chip(tag.colour, x, 0.5 * row, 0.86 * big)
        x += 0.86 * big + 0.8 * pad
    name = words(fitted(tag.name, big, BOLD, 190 * scale), x, 0.7 * row, big, BOLD, ink)
    items.append(name)
    x = name.x + name.width + pad
    if tag.stamina is not None:
        stamina = words(str(tag.stamina), x + 0.3 * big, 0.7 * row, big, BOLD, "ink")
        items += [Block((x, 0.14 * row, stamina.width + 0.6 * big, 0.72 * row), ink, 4 * scale), stamina]
        x += stamina.width + 0.6 * big + pad
    width, height = x, 1.04 * row
    x = pad
    for card, letters in tag.cards:
        placed = card_face(card, letters, x, height, 1.35 * small)
        items += placed
        x += _right_of(placed) - x + 0.6 * pad
    if tag.statuses:
        lines = packed(tag.statuses, small, REGULAR, max(width - pad - x, 120 * scale))
        for i, line in enumerate(lines):
            items.append(words(line, x, height + (1.0 + 1.25 * i) * small, small, REGULAR, ink))
        x += max(width_of(line, small, REGULAR) for line in lines) + pad
        height += 1.25 * small * (len(lines) - 1)
    if tag.cards or tag.statuses:
        height += 1.35 * small + 0.7 * pad
    width = max(width, x)
    if tag.stamina is not None:
        share = min(max(tag.stamina / FULL_STAMINA, 0.0), 1.0)
        bar = (pad, height, width - 2 * pad, 4.0 * scale)
        items += [
            Block(bar, "trough", 2 * scale),
            Block((*bar[:2], bar[2] * share, bar[3]), ink, 2 * scale),
        ]
        height += 4.0 * scale
    edge = "active" if tag.active else (tag.tone if tag.tone != "neutral" else None)
    opacity = DIMMED_OPACITY if tag.dimmed else PLATE_OPACITY
    return Face(width, height + 0.6 * pad, tuple(items), "plate", opacity, edge, LINE * scale, 7 * scale)


@lru_cache(maxsize=64)
def banner_face(sentence: str, tone: Tone, rule_ids: tuple[str, ...], scale: float, room: float) -> Face:
    """A sentence over the whole picture: the tone's icon, up to two lines, smaller ones where it is long, the
    rule ids below."""
    small, pad = 15.0 * scale, 14.0 * scale
    mark = TONES[tone].icon
    for letters, most in BANNER_SIZES:
        big = letters * scale
        left = pad + (1.25 * big + pad if mark else 0.0)
        lines = wrapped(sentence, big, BOLD, room - left - pad, most)
        if " ".join(lines) == " ".join(sentence.split()):
            break
    rules = fitted("  ".join(rule_ids), small, REGULAR, room - left - pad)
    placed = [
        words(line, left, pad + (0.8 + 1.2 * i) * big, big, BOLD, "paper") for i, line in enumerate(lines)
    ]
    height = pad + 1.2 * big * len(lines)
    if rules:
        placed.append(words(rules, left, height + 0.75 * small, small, REGULAR, "faint"))
        height += 1.1 * small
    height += 0.6 * pad
    width = max((line.x + line.width for line in placed), default=left) + pad
    items: list[Item] = []
    if mark:
        side = min(1.25 * big, height - pad)
        items.append(
            Block(
                (0.6 * pad, (height - side) / 2 - 3 * scale, side + 6 * scale, side + 6 * scale),
                tone,
                6 * scale,
            )
        )
        items += icon(
            mark, 0.6 * pad + 3 * scale + 0.14 * side, (height - side) / 2 + 0.14 * side, 0.72 * side, "ink"
        )
    edge = tone if tone != "neutral" else "faint"
    return Face(width, height, (*items, *placed), "plate", 0.92, edge, LINE * scale, 10 * scale)


def _right_of(items: tuple[Item, ...]) -> float:
    return max(item.box[0] + item.box[2] for item in items if isinstance(item, Block))
