"""The study of errors as pictures: `python -m datasets.errorbars_pictures`.

Draws what `datasets.errorbars` and `datasets.accuracy` wrote: histograms of errors, errors in standard
deviations against the normal, how often bars of every width hold, and how errors fall the longer a figure
is seen.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import matplotlib as mpl

mpl.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray
from scipy.stats import norm

from datasets.errorbars_bars import Bar

Array = NDArray[np.float64]
Rows = list[dict[str, Any]]

_BLUE, _ORANGE, _GREEN, _GREY = "#2f6db3", "#d9772b", "#3f9460", "#8a8f98"
_STYLE: Any = {
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#e3e5e8",
    "axes.axisbelow": True,
    "legend.frameon": False,
    "figure.dpi": 110,
}
ALL, LONG, CLIPS = "all, pictures", "all, long matches", "clips"


def main(arguments: Sequence[str] | None = None) -> int:
    """Draw all pictures."""
    parser = argparse.ArgumentParser(prog="python -m datasets.errorbars_pictures", description=__doc__)
    parser.add_argument("--errorbars", type=Path, default=Path("out/errorbars.json"))
    parser.add_argument("--accuracy", type=Path, default=Path("out/accuracy.json"))
    parser.add_argument("--out", type=Path, default=Path("docs/pictures"), help="folder for the pictures")
    options = parser.parse_args(arguments)
    try:
        study, clips = (json.loads(path.read_text("utf-8")) for path in (options.errorbars, options.accuracy))
    except OSError as error:
        print(
            f"{error.filename} is missing: run datasets.errorbars and datasets.accuracy first",
            file=sys.stderr,
        )
        return 2
    bars = [Bar(**bar) for bar in [*study["bars"], *clips["bars"]]]
    options.out.mkdir(parents=True, exist_ok=True)
    pictures: dict[str, Callable[[], Figure]] = {
        "errors_points.png": lambda: points(clips["standing"], bars),
        "errors_moves.png": lambda: moves(clips["moves"], bars),
        "errors_pulls.png": lambda: pulls(bars),
        "errors_reliability.png": lambda: reliability(bars),
        "errors_seen.png": lambda: seen(bars),
    }
    with mpl.rc_context(_STYLE):
        for name, draw in pictures.items():
            figure = draw()
            figure.savefig(options.out / name, metadata={"Software": None})
            plt.close(figure)
            print(options.out / name)
    return 0


def points(standing: Rows, bars: Sequence[Bar]) -> Figure:
    """Histograms of how far ground points are off: clips with and without a tap, modelled figures."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.4), layout="constrained", sharey=True)
    for tapped, colour, label in ((True, _BLUE, "one tap"), (False, _ORANGE, "no tap")):
        _histogram(left, [10 * s["error"] for s in standing if s["tapped"] is tapped], 14, label, colour)
    for about, colour, label in (("known", _BLUE, "facing known"), ("assumed", _ORANGE, "facing assumed")):
        own = [10 * b.error for b in bars if (b.source, b.kind, b.about) == (ALL, "point", about)]
        _histogram(right, own, 14, label, colour)
    left.set(title="Rendered clips", xlabel="ground point off by, mm", ylabel="share of fragments per mm")
    right.set(title="Modelled figures, one tap", xlabel="ground point off by, mm")
    return figure


def moves(measured: Rows, bars: Sequence[Bar]) -> Figure:
    """Histograms of how far lengths of moves and turns are off."""
    figure, axes = plt.subplots(1, 3, figsize=(11, 3.4), layout="constrained")
    clips = [m for m in measured if m["tapped"]]
    modelled = [10 * b.error for b in bars if b.source in (ALL, LONG) and b.kind == "move"]
    _histogram(axes[0], [10 * m["error"] for m in clips], 12, f"{len(clips)} measured", _BLUE, signed=True)
    _histogram(axes[1], modelled, 12, f"{len(modelled)} measured", _BLUE, signed=True)
    told = [m["turn_error"] for m in clips if not m["fell"] and not m["turn_assumed"]]
    _histogram(axes[2], told, 20, f"{len(told)} not assumed", _GREEN)
    axes[0].set(title="Moves, rendered clips", xlabel="measured less true, mm", ylabel="share per mm")
    axes[1].set(title="Moves, modelled figures", xlabel="measured less true, mm")
    axes[2].set(title="Turns, rendered clips", xlabel="off by, degrees", ylabel="share per degree")
    return figure


def pulls(bars: Sequence[Bar]) -> Figure:
    """Errors in standard deviations against the normal that they should follow."""
    figure, axes = plt.subplots(1, 3, figsize=(11, 3.4), layout="constrained", sharey=True)
    edges = np.linspace(-4, 4, 33).tolist()
    for ax, kind, title in zip(
        axes, ("axis", "move", "gap"), ("Ground points", "Moves", "Gaps"), strict=True
    ):
        for source, colour in ((ALL, _BLUE), (CLIPS, _ORANGE)):
            own = np.clip([b.pull for b in bars if (b.source, b.kind) == (source, kind)], -4, 4)
            if own.size:
                label = "modelled" if source == ALL else source
                ax.hist(
                    own,
                    edges,
                    density=True,
                    histtype="step",
                    lw=1.6,
                    color=colour,
                    label=f"{label}, {own.size}",
                )
        x = np.linspace(-4, 4, 200)
        ax.plot(x, norm.pdf(x), color=_GREY, ls="--", label="as said")
        ax.set(title=title, xlabel="error / standard deviation")
        ax.legend(fontsize=8)
    axes[0].set_ylabel("density")
    return figure


def reliability(bars: Sequence[Bar]) -> Figure:
    """How often bars of every nominal coverage hold the truth."""
    figure, axes = plt.subplots(1, 2, figsize=(9, 4.2), layout="constrained", sharey=True)
    nominal = np.linspace(0, 1, 101)
    kinds = (
        ("point", _BLUE),
        ("move", _ORANGE),
        ("palms", "#7a4fa3"),
        ("gap", _GREEN),
        ("bearing", "#b23a48"),
    )
    for ax, source, title in zip(axes, (ALL, CLIPS), ("Modelled figures", "Rendered clips"), strict=True):
        ax.plot(nominal, nominal, color=_GREY, ls="--", lw=1)
        for kind, colour in kinds:
            levels = np.array([b.level for b in bars if (b.source, b.kind) == (source, kind)])
            if levels.size:
                held = (levels[None, :] <= nominal[:, None]).mean(axis=1)
                ax.plot(nominal, held, color=colour, lw=1.6, label=f"{kind}s".replace("palmss", "palms"))
        ax.axvline(0.95, color=_GREY, lw=0.8, ls=":")
        ax.set(title=title, xlabel="coverage that was said", xlim=(0, 1), ylim=(0, 1), aspect="equal")
        if ax.get_legend_handles_labels()[0]:
            ax.legend(loc="lower right", fontsize=8)
    axes[0].set_ylabel("share that holds the truth")
    return figure


def seen(bars: Sequence[Bar]) -> Figure:
    """Errors and bars against the number of fragments in which a figure was seen."""
    figure, axes = plt.subplots(1, 2, figsize=(9, 3.4), layout="constrained")
    for ax, kind, title in zip(axes, ("point", "move"), ("Ground points", "Moves"), strict=True):
        own = [b for b in bars if b.source == LONG and b.kind == kind]
        counts = sorted({b.seen for b in own})
        errors = [[10 * abs(b.error) for b in own if b.seen == count] for count in counts]
        ax.plot(counts, [np.median(e) for e in errors], "o-", color=_BLUE, label="median error")
        ax.plot(counts, [np.percentile(e, 90) for e in errors], "s--", color=_ORANGE, label="90 % are within")
        half = [np.median([5 * b.width for b in own if b.seen == count]) for count in counts]
        ax.plot(counts, half, color=_GREY, label="half the 95 % bar, median")
        ax.set(title=f"{title} ({len(own)})", xlabel="fragments seen so far", ylabel="mm", xticks=counts)
        ax.set_ylim(0)
        ax.legend(fontsize=8)
    return figure


def _histogram(
    ax: Axes, values: Sequence[float], most: float, label: str, colour: str, *, signed: bool = False
) -> None:
    """A histogram whose last bin holds all beyond it; its legend has the median and 95 % of the sizes."""
    if not values:
        return
    array = np.clip(np.asarray(values, dtype=np.float64), -most, most)
    edges = np.linspace(-most if signed else 0, most, 49 if signed else 29).tolist()
    median, high = np.percentile(np.abs(values), [50, 95])
    text = f"{label}: median {median:.1f}, 95 % {high:.1f}"
    ax.hist(array, edges, density=True, alpha=0.25, color=colour)
    heights, _, _ = ax.hist(array, edges, density=True, histtype="step", lw=1.5, color=colour, label=text)
    # room for the legend above the bars
    ax.set_ylim(0, max(ax.get_ylim()[1], 1.3 * float(np.max(heights))))
    ax.legend(fontsize=8, loc="upper right")


if __name__ == "__main__":
    sys.exit(main())
