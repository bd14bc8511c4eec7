"""Train what looks tell of each other: `python -m datasets.train_relation --start weights.npz --out new.npz`.

Needs the extra `train` (torch). The rest of the network stays as it is; all looks at a figure are compared
with all others, many of them from nearly the same side (`datasets.relation_samples`), which `train_shape`
seldom shows.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from datasets import relation_samples, training
from datasets.makers import MORE_MAKERS
from datasets.shape_net import MOST_SDS, ShapeNet, errors, relation_nll, seen
from datasets.train_shape import DEEP, WIDE, chunk_of, conditions_of, told_azimuth
from datasets.training import Arrays, Plan, kept, save, started, tensor

_PLAN = Plan(rate=1e-3, decay=1e-2, warm=0.05, longest=5.0, replaced=0.002)
_FIGURES, _SALT = 480, 4242
# Figures of a batch, of the chunks of `relation_samples`, DEEP and WIDE ones.
_NEAR_PART, _DEEP_PART, _WIDE_PART = 8, 2, 20
_FIELDS = ("picture", "tilt", "distance", "azimuth", "sole", "kind")
_UNKNOWN_KIND = 0.25


@dataclass(frozen=True, eq=False)
class Looks:
    """Looks in memory, so many views of each figure one after another; `part` figures of a batch."""

    arrays: Arrays
    views: int
    part: int

    def drawn(self, rng: np.random.Generator) -> tuple[Arrays, NDArray[np.int64]]:
        """All looks at a few figures, and every ordered pair (P, 2) of looks at the same one."""
        figures = rng.choice(len(self.arrays["tilt"]) // self.views, self.part, replace=False)
        looks = (figures[:, None] * self.views + np.arange(self.views)).ravel()
        one, other = (i.ravel() for i in np.indices((self.views, self.views)))
        pair = np.column_stack([one, other])[one != other]
        first = self.views * np.arange(self.part)
        pairs = (first[:, None, None] + pair).reshape(-1, 2)
        return {name: values[looks] for name, values in self.arrays.items()}, pairs


@dataclass(frozen=True, eq=False)
class Batch:
    """Looks as in `datasets.shape_net.Batch`, and every pair (P, 2) of them that is compared."""

    picture: Tensor
    conditions: Tensor
    azimuth: Tensor
    sole: Tensor
    pairs: NDArray[np.int64]


def batches(sources: Sequence[Looks], rng: np.random.Generator) -> Iterator[Batch]:
    """Some of each source for ever, half of the batches seen in a mirror; fronts are told, kinds mostly."""
    while True:
        drawn = [source.drawn(rng) for source in sources]
        begin = np.cumsum([0, *(len(looks["tilt"]) for looks, _ in drawn)])
        pairs = np.concatenate([pair + at for (_, pair), at in zip(drawn, begin, strict=False)])
        looks = {name: np.concatenate([one[name] for one, _ in drawn]) for name in _FIELDS}
        picture = np.asarray(looks["picture"], np.float32) / np.float32(255)
        true, sole = np.asarray(looks["azimuth"], float), np.asarray(looks["sole"], np.float32)
        if rng.random() < 0.5:
            picture, true, sole = picture[..., ::-1], -true, sole * np.array([1, -1], np.float32)
        azimuth = told_azimuth(rng, true)
        kinds = np.full((len(true), 1), rng.random() >= _UNKNOWN_KIND)
        conditions = conditions_of(looks, azimuth, np.ones(len(true)), kinds)
        yield Batch(tensor(picture[:, None]), tensor(conditions), tensor(azimuth), tensor(sole), pairs)


def train(sources: Sequence[Looks], steps: int, seed: int, start: Path) -> ShapeNet:
    """The network of saved weights, its relation trained for so many steps, averaged over the last."""
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    fixed, net, mean = ShapeNet().eval(), ShapeNet(), ShapeNet()
    started(fixed, start)
    started(net, start)
    for name, weight in net.named_parameters():
        weight.requires_grad_(name.startswith("pair"))

    def loss(batch: Batch, step: int) -> Tensor:
        with torch.no_grad():
            answer, hidden, _ = fixed(batch.picture, batch.conditions, 0)
            looks = seen(answer, hidden, batch.conditions)
            wrong = errors(answer, batch.sole).clamp(-MOST_SDS, MOST_SDS)
        before, after = torch.from_numpy(batch.pairs).T
        raw = net.relation(looks[before], looks[after], batch.azimuth[after] - batch.azimuth[before])
        return relation_nll(raw, wrong[before], wrong[after]).mean()

    drawn = batches(sources, np.random.default_rng(seed))
    for step, lost in training.train(net, mean, drawn, loss, steps, _PLAN):
        if step % 500 == 0:
            print(f"{step} of {steps}, loss {lost:.3f}", file=sys.stderr, flush=True)
    return mean.eval()


def main(arguments: Sequence[str] | None = None) -> int:
    """Make figures, train, save."""
    parser = argparse.ArgumentParser(prog="python -m datasets.train_relation", description=__doc__)
    parser.add_argument("--near", type=int, default=48, help="chunks of `relation_samples`")
    parser.add_argument("--deep", type=int, default=8, help="chunks as for train_shape")
    parser.add_argument("--wide", type=int, default=58, help="chunks as for train_shape")
    parser.add_argument("--first", type=int, default=200, help="number of the first chunk of these two kinds")
    parser.add_argument("--steps", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", type=Path, required=True, help="weights to go on from")
    parser.add_argument("--cache", type=Path, help="folder in which chunks are kept for the next time")
    parser.add_argument("--out", type=Path, default=Path("weights.npz"))
    options = parser.parse_args(arguments)
    near = [_near(number, options.cache) for number in range(options.near)]
    numbers = [range(options.first, options.first + count) for count in (options.deep, options.wide)]
    deep, wide = (
        [chunk_of(number, size, options.cache) for number in kind]
        for kind, size in zip(numbers, (DEEP, WIDE), strict=True)
    )
    every = (
        (near, relation_samples.VIEWS, _NEAR_PART),
        (deep, DEEP[1], _DEEP_PART),
        (wide, WIDE[1], _WIDE_PART),
    )
    sources = [
        Looks({name: np.concatenate([one[name] for one in chunks]) for name in _FIELDS}, views, part)
        for chunks, views, part in every
        if chunks
    ]
    net = train(sources, options.steps, options.seed, options.start)
    made = f"datasets.train_relation --near {options.near} --deep {options.deep} --wide {options.wide}"
    made += f" --first {options.first} --steps {options.steps} --seed {options.seed}"
    save(net, options.out, made, options.start)
    return 0


def _near(number: int, cache: Path | None) -> Arrays:
    path = None if cache is None else cache / f"near{number:03d}.npz"
    names = list(MORE_MAKERS)
    # makers come in turn, from one chunk to the next
    begin = number * _FIGURES % len(names)
    makers = names[begin:] + names[:begin]
    return kept(path, lambda: relation_samples.chunk([number, _SALT], makers, _FIGURES))


if __name__ == "__main__":
    sys.exit(main())
