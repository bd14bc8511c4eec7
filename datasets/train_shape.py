"""Train what `vision.shape` believes of silhouettes: `python -m datasets.train_shape --out weights.npz`.

Needs the extra `train` (torch). The network and its losses stand in `datasets.shape_net`, the figures are
those of `datasets.makers`; `--without` leaves makers out, to test on what was not learned.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from datasets import training
from datasets.makers import MORE_MAKERS
from datasets.shape_net import FACINGS, Batch, ShapeNet, loss_of
from datasets.shape_samples import KINDS, VIEWS, chunk
from datasets.training import Arrays, Plan, kept, parts_of_circle, save, started, tensor
from vision.shape.network import TURNS

_BATCH = 64
_PLAN = Plan(rate=1.5e-3, decay=1e-2, warm=0.05, longest=5.0, replaced=0.003)
# Chunks of figures and of views of each, with a number for their seeds. Many figures teach more than many
# views.
DEEP, WIDE = (420, VIEWS, 77), (1260, 2, 2)
# Facings are told by a person or registered; some are not known at all, and some kinds are not told.
_FACING_SD_DEG, _WILD_FACING_SD_DEG, _WILD, _UNKNOWN_FACING, _UNKNOWN_KIND = 3.0, 12.0, 0.15, 0.3, 0.25


class Data:
    """All samples in memory, and batches of them: two looks at each figure."""

    def __init__(self, chunks: Sequence[dict[str, NDArray[np.generic]]], views: Sequence[int]) -> None:
        self._all = {name: np.concatenate([c[name] for c in chunks]) for name in chunks[0]}
        of_figure = np.concatenate(
            [np.full(len(c["tilt"]) // v, v) for c, v in zip(chunks, views, strict=True)]
        )
        self._views = of_figure
        self._first = np.cumsum(of_figure) - of_figure

    def __len__(self) -> int:
        return len(self._all["tilt"])

    def batches(self, rng: np.random.Generator) -> Iterator[Batch]:
        """Shuffled batches for ever, half of them seen in a mirror; a figure of many views comes oftener."""
        figures = np.repeat(np.arange(len(self._views)), self._views // 2)
        while True:
            order = rng.permutation(figures)
            for start in range(0, len(order) - _BATCH // 2 + 1, _BATCH // 2):
                yield self._batch(order[start : start + _BATCH // 2], rng)

    def _batch(self, figures: NDArray[np.int64], rng: np.random.Generator) -> Batch:
        """Two looks at each of the figures, with errors of facing, and facings and kinds left untold."""
        pairs = [self._first[f] + rng.choice(self._views[f], 2, replace=False) for f in figures]
        d = {name: values[np.concatenate(pairs)] for name, values in self._all.items()}
        true, sole, support = (np.asarray(d[n], np.float32) for n in ("azimuth", "sole", "support"))
        picture, solid = (np.asarray(d[n], np.float32) / np.float32(255) for n in ("picture", "solid"))
        if rng.random() < 0.5:
            true, picture, solid = -true, picture[..., ::-1], solid[..., ::-1]
            sole = sole * np.array([1, -1], np.float32)
            support = np.roll(support[:, ::-1], 1, axis=1)
        azimuth = told_azimuth(rng, true)
        known = (rng.random(len(true)) >= _UNKNOWN_FACING).astype(float)
        kinds = np.repeat(rng.random((len(true) // 2, 1)) >= _UNKNOWN_KIND, 2, axis=0)
        return Batch(
            picture=tensor(picture[:, None]),
            conditions=tensor(conditions_of(d, azimuth, known, kinds)),
            azimuth=tensor(azimuth),
            known=tensor(known),
            sole=tensor(sole),
            support=tensor(support),
            solid=tensor(solid),
            facing=tensor(parts_of_circle(true, FACINGS)),
            turn=tensor(parts_of_circle(true, TURNS)),
        )


def told_azimuth(rng: np.random.Generator, true: NDArray[np.generic]) -> NDArray[np.float64]:
    """Azimuths (B,) in rad of fronts as they are told or registered."""
    sd = np.where(rng.random(len(true)) < _WILD, _WILD_FACING_SD_DEG, _FACING_SD_DEG)
    return np.asarray(true + np.radians(rng.normal(0, sd)))


def conditions_of(
    looks: Arrays, azimuth: NDArray[np.float64], known: NDArray[np.float64], kinds: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """What the network is told (B, CONDITIONS) beside the pictures of samples, when their azimuths (B,) are
    `known` (B,) 0 or 1, and their kinds where `kinds` (B, 1) says so."""
    facing = (known * f(m * azimuth) for m in (1, 2) for f in (np.cos, np.sin))
    tilt, distance = (np.asarray(looks[name], np.float64) for name in ("tilt", "distance"))
    view = (known, np.sin(tilt), np.cos(tilt), 10 / distance)
    return np.column_stack([*facing, *view, np.eye(len(KINDS))[looks["kind"]] * kinds])


def train(data: Data, steps: int, seed: int, start: Path | None = None, keep: float = 0.0) -> ShapeNet:
    """The network after so many steps, averaged over the last ones.

    From chance, or from saved weights; a share `keep` (0-1) of these stays, since between them and where
    training led it may err less on figures of other makers (Wortsman et al., *Model soups*, ICML 2022).
    """
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    net, mean = ShapeNet(), ShapeNet()
    if start is not None:
        started(net, start)
    begun = {name: value.clone() for name, value in net.state_dict().items()}

    def loss(batch: Batch, step: int) -> Tensor:
        return loss_of(net, batch, plain=max(0.0, 1 - step / (0.1 * steps)) * (start is None))

    begin = time.monotonic()
    for step, lost in training.train(
        net, mean, data.batches(np.random.default_rng(seed)), loss, steps, _PLAN
    ):
        if step % 500 == 0:
            spent = time.monotonic() - begin
            print(f"{step} of {steps}, {spent:.0f} s, loss {lost:.3f}", file=sys.stderr, flush=True)
    if start is not None:
        mean.load_state_dict(
            {name: value.lerp(begun[name], keep) for name, value in mean.state_dict().items()}
        )
    return mean.eval()


def main(arguments: Sequence[str] | None = None) -> int:
    """Make figures, train, save."""
    parser = argparse.ArgumentParser(prog="python -m datasets.train_shape", description=__doc__)
    parser.add_argument("--deep", type=int, default=8, help="chunks of few figures, many views of each")
    parser.add_argument("--wide", type=int, default=26, help="chunks of many figures")
    parser.add_argument("--first", type=int, default=0, help="number of the first chunk of either kind")
    parser.add_argument("--steps", type=int, default=26000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--without", nargs="*", default=[], choices=list(MORE_MAKERS), metavar="MAKER")
    parser.add_argument("--start", type=Path, help="weights to go on from")
    parser.add_argument("--keep", type=float, default=0.0, help="share of those weights that stays (0-1)")
    parser.add_argument("--cache", type=Path, help="folder in which chunks are kept for the next time")
    parser.add_argument("--out", type=Path, default=Path("weights.npz"))
    options = parser.parse_args(arguments)
    sizes = [DEEP] * options.deep + [WIDE] * options.wide
    seeds = [options.first + n for kind in (options.deep, options.wide) for n in range(kind)]
    chunks = [chunk_of(seed, size, options.cache) for seed, size in zip(seeds, sizes, strict=True)]
    left_out = [list(MORE_MAKERS).index(name) for name in options.without]
    for one in chunks:
        stays = ~np.isin(one["maker"], left_out)
        one.update({name: values[stays] for name, values in one.items()})
    data = Data(chunks, [size[1] for size in sizes])
    net = train(data, options.steps, options.seed, options.start, options.keep)
    made = f"datasets.train_shape --deep {options.deep} --wide {options.wide}"
    made += f" --first {options.first} --steps {options.steps} --seed {options.seed}"
    made += "".join(f" --without {name}" for name in options.without)
    made += f" --keep {options.keep}" * (options.keep > 0)
    save(net, options.out, made, options.start)
    return 0


def chunk_of(seed: int, size: tuple[int, int, int], cache: Path | None) -> Arrays:
    """The chunk of a number, WIDE or DEEP, from the folder `cache` when it is kept there."""
    figures, views, salt = size
    path = None if cache is None else cache / f"chunk{seed:03d}-{views}.npz"
    return kept(path, lambda: chunk([seed, salt], list(MORE_MAKERS), figures, views))


if __name__ == "__main__":
    sys.exit(main())
