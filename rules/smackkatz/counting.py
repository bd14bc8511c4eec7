"""Ways of counting dice that the editions choose from."""

from __future__ import annotations

from rules.engine.cite import cite


@cite("LOCK-03", "WHIP-18")
def successes_at_four(faces: tuple[int, ...]) -> int:
    """How many dice show 4, 5 or 6."""
    return sum(face >= 4 for face in faces)


@cite("LOCK-03", "WHIP-18", "RULING-110")
def total(faces: tuple[int, ...]) -> int:
    """The sum of the faces (earlier edition)."""
    return sum(faces)


@cite("SPECIAL-14", "SPECIAL-15", "SPECIAL-16", "RULING-89")
def taunt_with_doubles(faces: tuple[int, ...]) -> int:
    """The higher of two dice; equal ones give 6, two ones nothing."""
    first, second = faces
    if first == second:
        return 0 if first == 1 else 6
    return max(faces)


@cite("SPECIAL-14")
def taunt_higher(faces: tuple[int, ...]) -> int:
    """The higher of two dice (earlier edition)."""
    return max(faces)
