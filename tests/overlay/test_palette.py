"""The palette: text is legible on its plates, and tones stay apart for people who confuse red and green."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from numpy.typing import NDArray

from overlay.palette import CARD_INK, COLOURS, TONES, bgr, scale_of

Array = NDArray[np.float64]
# Viénot, Brettel & Mollon, Digital video colourmaps for checking the legibility of displays by dichromats,
# Color Research and Application 24 (1999): linear RGB to LMS, and what each dichromat is left with.
LMS = np.array([[17.8824, 43.5161, 4.11935], [3.45565, 27.1554, 3.86714], [0.0299566, 0.184309, 1.46709]])
LEFT = {
    "normal": np.eye(3),
    "protan": np.array([[0, 2.02344, -2.52581], [0, 1, 0], [0, 0, 1]]),
    "deutan": np.array([[1, 0, 0], [0.494207, 0, 1.24827], [0, 0, 1]]),
}


def linear(name: str) -> Array:
    values = np.array(bgr(name)[::-1]) / 255
    return np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)


def luminance(name: str) -> float:
    return float(linear(name) @ (0.2126, 0.7152, 0.0722))


def contrast(a: str, b: str) -> float:
    """WCAG's contrast ratio, 1 to 21."""
    low, high = sorted((luminance(a), luminance(b)))
    return (high + 0.05) / (low + 0.05)


def lab(rgb: Array) -> Array:
    """CIE L*a*b* (D65) of linear RGB."""
    xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]) @ rgb
    f = np.cbrt(np.clip(xyz / (0.9505, 1.0, 1.089), 0.008856, None))
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


@pytest.mark.parametrize(
    ("ink", "ground"),
    [
        ("paper", "plate"),
        ("faint", "plate"),
        ("ink", "paper"),
        *(("ink", t) for t in ("legal", "illegal", "doubt")),
    ]
    + [(CARD_INK[card], f"card.{card}") for card in CARD_INK],
)
def test_text_is_legible(ink: str, ground: str) -> None:
    # Large bold text needs 3 : 1 (WCAG 2.2, 1.4.3); cards and icons are that, the rest is far above.
    assert contrast(ink, ground) >= (3.0 if ground.startswith("card") else 4.5)


@pytest.mark.parametrize("eye", LEFT)
def test_verdicts_stay_apart_for_every_eye(eye: str) -> None:
    seen = {
        tone: lab(np.clip(np.linalg.inv(LMS) @ LEFT[eye] @ LMS @ linear(tone), 0, 1))
        for tone in ("legal", "illegal", "doubt", "active")
    }
    for a, b in itertools.combinations(seen, 2):
        assert np.linalg.norm(seen[a] - seen[b]) > 20, (a, b)


def test_verdicts_differ_in_icon_and_dash_and_not_only_in_colour() -> None:
    verdicts = [TONES[tone] for tone in ("legal", "illegal", "doubt")]
    assert len({style.icon for style in verdicts}) == 3
    assert len({style.dash for style in verdicts}) == 3


def test_every_tone_has_a_colour() -> None:
    assert set(TONES) <= set(COLOURS)


def test_sizes_follow_the_shorter_side_of_the_picture() -> None:
    assert [scale_of(size) for size in ((1280, 720), (1920, 1080), (720, 1280))] == [1.0, 1.5, 1.0]
