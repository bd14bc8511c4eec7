"""Train what `vision.shape` believes of silhouettes: `python -m datasets.train_shape --out weights.npz`.

Needs the extra `train` (torch). The network and its losses stand in `datasets.shape_net`, the figures are
those of `datasets.makers`; `--without` leaves makers out, to test on what was not learned.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from datasets import training
from datasets.lessons import KINDS, Arrays
from datasets.makers import MORE_MAKERS
from datasets.shape_net import FACINGS, Batch, ShapeNet, loss_of
from datasets.shape_samples import VIEWS, chunk
from datasets.training import Plan, kept, parts_of_circle, save, started, tensor
from vision.shape.network import TURNS

# Figures of a batch, seen from many sides and from two.
_DEEP_PART, _WIDE_PART = 4, 20
_PLAN = Plan(rate=1.5e-3, decay=1e-2, warm=0.05, longest=5.0, replaced=0.003)
# Chunks of figures and of views of each, with a number for their seeds. Many figures teach more than many
# views.
_DEEP, _WIDE = (420, VIEWS, 77), (1260, 2, 2)
# Facings are told by a person or registered; some are not known at all, and some kinds are not told.
_FACING_SD_DEG, _WILD_FACING_SD_DEG, _WILD, _UNKNOWN_FACING, _UNKNOWN_KIND = 3.0, 12.0, 0.15, 0.3, 0.25


@dataclass(frozen=True, eq=False)
class Looks:
    """Looks in memory, so many views of each figure one after another; `part` figures of them in a batch."""

    arrays: Arrays
    views: int
    part: int

    def drawn(self, rng: np.random.Generator) -> tuple[Arrays, NDArray[np.int64]]:
        """All looks at a few figures, and every ordered pair (P, 2) of looks at the same one."""
        figures = rng.choice(len(self.arrays["tilt"]) // self.views, self.part, replace=False)
        looks = (figures[:, None] * self.views + np.arange(self.views)).ravel()
        pair = np.array(list(permutations(range(self.views), 2)))
        first = self.views * np.arange(self.part)
        pairs = (first[:, None, None] + pair).reshape(-1, 2)
        return {name: values[looks] for name, values in self.arrays.items()}, pairs


def batches(sources: Sequence[Looks], rng: np.random.Generator) -> Iterator[Batch]:
    """Some of each source for ever, half of the batches seen in a mirror."""
    while True:
        drawn = [source.drawn(rng) for source in sources]
        begin = np.cumsum([0, *(len(looks["tilt"]) for looks, _ in drawn)])
        pairs = np.concatenate([pair + at for (_, pair), at in zip(drawn, begin, strict=False)])
        looks = {name: np.concatenate([one[name] for one, _ in drawn]) for name in drawn[0][0]}
        figure = np.repeat(
            np.arange(sum(source.part for source in sources)),
            np.concatenate([np.full(source.part, source.views) for source in sources]),
        )
        yield _batch(looks, pairs, figure, rng)


def _batch(d: Arrays, pairs: NDArray[np.int64], figure: NDArray[np.int64], rng: np.random.Generator) -> Batch:
    """Looks, of which `figure` (B,) each, with errors of facing, and facings and kinds left untold."""
    true, sole, support = (np.asarray(d[n], np.float32) for n in ("azimuth", "sole", "support"))
    picture, solid = (np.asarray(d[n], np.float32) / np.float32(255) for n in ("picture", "solid"))
    if rng.random() < 0.5:
        true, picture, solid = -true, picture[..., ::-1], solid[..., ::-1]
        sole = sole * np.array([1, -1], np.float32)
        support = np.roll(support[:, ::-1], 1, axis=1)
    azimuth = _told_azimuth(rng, true)
    known = (rng.random(len(true)) >= _UNKNOWN_FACING).astype(float)
    kinds = (rng.random((int(figure[-1]) + 1, 1)) >= _UNKNOWN_KIND)[figure]
    return Batch(
        picture=tensor(picture[:, None]),
        conditions=tensor(_conditions_of(d, azimuth, known, kinds)),
        azimuth=tensor(azimuth),
        known=tensor(known),
        sole=tensor(sole),
        support=tensor(support),
        solid=tensor(solid),
        facing=tensor(parts_of_circle(true, FACINGS)),
        turn=tensor(parts_of_circle(true, TURNS)),
        before=torch.from_numpy(pairs[:, 0]),
        after=torch.from_numpy(pairs[:, 1]),
    )


def _told_azimuth(rng: np.random.Generator, true: NDArray[np.generic]) -> NDArray[np.float64]:
    """Azimuths (B,) in rad of fronts as they are told or registered."""
    sd = np.where(rng.random(len(true)) < _WILD, _WILD_FACING_SD_DEG, _FACING_SD_DEG)
    return np.asarray(true + np.radians(rng.normal(0, sd)))


def _conditions_of(
    looks: Arrays, azimuth: NDArray[np.float64], known: NDArray[np.float64], kinds: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """What the network is told (B, CONDITIONS) beside the pictures of samples, when their azimuths (B,) are
    `known` (B,) 0 or 1, and their kinds where `kinds` (B, 1) says so."""
    facing = (known * f(m * azimuth) for m in (1, 2) for f in (np.cos, np.sin))
    tilt, distance = (np.asarray(looks[name], np.float64) for name in ("tilt", "distance"))
    view = (known, np.sin(tilt), np.cos(tilt), 10 / distance)
    return np.column_stack([*facing, *view, np.eye(len(KINDS))[looks["kind"]] * kinds])


def train(sources: Sequence[Looks], steps: int, seed: int, start: Path | None = None) -> ShapeNet:
    """The network after so many steps from chance or from saved weights, averaged over the last ones."""
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    net, mean = ShapeNet(), ShapeNet()
    if start is not None:
        started(net, start)

    def loss(batch: Batch, step: int) -> Tensor:
        return loss_of(net, batch, plain=max(0.0, 1 - step / (0.1 * steps)) * (start is None))

    begin = time.monotonic()
    drawn = batches(sources, np.random.default_rng(seed))
    for step, lost in training.train(net, mean, drawn, loss, steps, _PLAN):
        if step % 500 == 0:
            spent = time.monotonic() - begin
            print(f"{step} of {steps}, {spent:.0f} s, loss {lost:.3f}", file=sys.stderr, flush=True)
    return mean.eval()


def mixed(nets: Sequence[ShapeNet], start: Path | None, keep: float) -> ShapeNet:
    """The mean of networks that were trained from the same weights, of which a share `keep` (0-1) stays.

    Between them it may err less on figures of other makers (Wortsman et al., *Model soups*, ICML 2022).
    """
    every = [net.state_dict() for net in nets]
    mean, begun = ShapeNet(), ShapeNet()
    if start is not None:
        started(begun, start)
    mean.load_state_dict(
        {
            name: torch.stack([one[name] for one in every]).mean(dim=0).lerp(value, keep)
            for name, value in begun.state_dict().items()
        }
    )
    return mean.eval()


def main(arguments: Sequence[str] | None = None) -> int:
    """Make figures, train, save."""
    parser = argparse.ArgumentParser(prog="python -m datasets.train_shape", description=__doc__)
    parser.add_argument("--deep", type=int, default=8, help="chunks of few figures, many views of each")
    parser.add_argument("--wide", type=int, default=26, help="chunks of many figures")
    parser.add_argument("--first", type=int, default=0, help="number of the first chunk of either kind")
    parser.add_argument("--steps", type=int, default=26000)
    parser.add_argument("--seeds", type=int, nargs="+", default=[0], help="one training each, averaged")
    parser.add_argument("--without", nargs="*", default=[], choices=list(MORE_MAKERS), metavar="MAKER")
    parser.add_argument("--start", type=Path, help="weights to go on from")
    parser.add_argument("--keep", type=float, default=0.0, help="share of those weights that stays (0-1)")
    parser.add_argument("--cache", type=Path, help="folder in which chunks are kept for the next time")
    parser.add_argument("--out", type=Path, default=Path("weights.npz"))
    options = parser.parse_args(arguments)
    if options.start is None and (options.keep or len(options.seeds) > 1):
        parser.error("networks are only averaged when they --start from the same weights")
    left_out = [list(MORE_MAKERS).index(name) for name in options.without]
    sources = []
    # the first looks of a batch teach solids, too: those of many figures
    for size, count, part in ((_WIDE, options.wide, _WIDE_PART), (_DEEP, options.deep, _DEEP_PART)):
        chunks = [_chunk(options.first + number, size, options.cache) for number in range(count)]
        if chunks:
            every = {name: np.concatenate([one[name] for one in chunks]) for name in chunks[0]}
            stays = ~np.isin(every["maker"], left_out)
            looks = {name: values[stays] for name, values in every.items()}
            sources.append(Looks(looks, size[1], part))
    nets = [train(sources, options.steps, seed, options.start) for seed in options.seeds]
    made = f"datasets.train_shape --deep {options.deep} --wide {options.wide}"
    made += f" --first {options.first} --steps {options.steps} --seeds {' '.join(map(str, options.seeds))}"
    made += "".join(f" --without {name}" for name in options.without)
    made += f" --keep {options.keep}" * (options.keep > 0)
    save(mixed(nets, options.start, options.keep), options.out, made, options.start)
    return 0


def _chunk(seed: int, size: tuple[int, int, int], cache: Path | None) -> Arrays:
    """The chunk of a number, _WIDE or _DEEP, from the folder `cache` when it is kept there."""
    figures, views, salt = size
    path = None if cache is None else cache / f"chunk{seed:03d}-{views}.npz"
    return kept(path, lambda: chunk([seed, salt], list(MORE_MAKERS), figures, views))


if __name__ == "__main__":
    sys.exit(main())
