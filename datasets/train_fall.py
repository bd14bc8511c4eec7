"""Train what `vision.shape.fallen` believes of figures that fell: `python -m datasets.train_fall`.

Needs the extra `train` (torch). The network and its losses stand in `datasets.fall_net`, the figures are
those of `datasets.makers`, fallen as in `datasets.fall_samples`; figures of one further chunk test it.
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
from torch.nn import functional

from datasets import training
from datasets.fall_net import Batch, FallNet, loss_of
from datasets.fall_samples import RELIEF_STEPS, chunk
from datasets.lessons import KINDS, Arrays
from datasets.makers import MORE_MAKERS
from datasets.training import Plan, kept, parts_of_circle, save, tensor
from vision.shape.fallen import HEADS

_BATCH, _FIGURES, _SALT = 64, 1260, 11
# The chunk of the figures that test, and so many batches of them.
_TEST, _TEST_BATCHES = 900, 20
_PLAN = Plan(rate=2e-3, decay=1e-2, warm=0.05, longest=5.0, replaced=0.005)
# Facings are told by a person or registered, and some kinds are not told; some looks are without shading.
_FACING_SD_DEG, _WILD_FACING_SD_DEG, _WILD, _UNKNOWN_KIND, _FLAT = 3.0, 12.0, 0.15, 0.25, 0.15
# Some were never seen as they stood.
_NEVER_SEEN = 0.1
# A figure is seen standing so often, and then as it lies.
_STOOD, _LIES = 2, 2


class Data:
    """All falls in memory, and batches of them."""

    def __init__(self, chunks: Sequence[dict[str, NDArray[np.generic]]]) -> None:
        self._all = {name: np.concatenate([c[name] for c in chunks]) for name in chunks[0]}

    def batches(self, rng: np.random.Generator) -> Iterator[Batch]:
        """Shuffled batches for ever, half of them seen in a mirror, half of the figures lying."""
        while True:
            order = rng.permutation(len(self._all["kind"]))
            for start in range(0, len(order) - _BATCH + 1, _BATCH):
                yield self._batch(order[start : start + _BATCH], rng)

    def _batch(self, figures: NDArray[np.int64], rng: np.random.Generator) -> Batch:
        count = len(figures)
        d = {name: values[figures] for name, values in self._all.items()}
        before = rng.integers(_STOOD, size=count)
        lies = rng.random(count) < 0.5
        after = np.where(lies, _LIES, 1 - before)
        azimuth, middle, support = (np.asarray(d[n], np.float32) for n in ("azimuth", "middle", "support"))
        picture = np.asarray(d["picture"], np.float32) / np.float32(255)
        relief = np.asarray(d["relief"], np.float32) / np.float32(RELIEF_STEPS)
        relief[rng.random(relief.shape[:2]) < _FLAT] = 0
        looks = np.stack([picture, relief], axis=2)
        met = rng.random(count) >= _NEVER_SEEN
        if rng.random() < 0.5:
            azimuth, looks = -azimuth, looks[..., ::-1]
            middle = middle * np.array([1, -1], np.float32)
            support = np.roll(support[:, ::-1], 1, axis=1)
        rows = np.arange(count)
        sd = np.where(rng.random(count) < _WILD, _WILD_FACING_SD_DEG, _FACING_SD_DEG)
        told = azimuth[rows, before] + np.radians(rng.normal(0, sd))
        kind = np.eye(len(KINDS))[d["kind"]] * (rng.random((count, 1)) >= _UNKNOWN_KIND)

        def conditions(which: NDArray[np.int64], facing: NDArray[np.generic] | None) -> Tensor:
            known = np.zeros(count) if facing is None else np.ones(count)
            angle = np.zeros(count) if facing is None else facing
            tilt, distance = d["tilt"][rows, which], d["distance"][rows, which]
            parts = [known * f(m * angle) for m in (1, 2) for f in (np.cos, np.sin)]
            return tensor(np.column_stack([*parts, known, np.sin(tilt), np.cos(tilt), 10 / distance, kind]))

        return Batch(
            before=tensor(looks[rows, before] * met[:, None, None, None]),
            told_before=conditions(before, told) * tensor(met[:, None]),
            after=tensor(looks[rows, after]),
            told_after=conditions(after, None),
            lies=tensor(lies),
            middle=tensor(middle),
            support=tensor(support),
            head=tensor(parts_of_circle(azimuth[:, _LIES], HEADS)),
        )


def train(data: Data, test: Data, steps: int, seed: int) -> FallNet:
    """The network after so many steps, averaged over the last ones."""
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    net, mean = FallNet(), FallNet()

    def loss(batch: Batch, step: int) -> Tensor:
        return loss_of(net, batch, plain=max(0.0, 1 - step / (0.1 * steps)))

    begin = time.monotonic()
    batches = data.batches(np.random.default_rng(seed))
    for step, lost in training.train(net, mean, batches, loss, steps, _PLAN):
        if step % 500 == 0:
            spent = time.monotonic() - begin
            print(
                f"{step} of {steps}, {spent:.0f} s, loss {lost:.3f}, {in_words(mean, test)}", file=sys.stderr
            )
    return mean.eval()


def in_words(net: FallNet, test: Data) -> str:
    """How the network does on figures that it was not taught, in words."""
    net.eval()
    odds, lies, wrong, head = [], [], [], []
    with torch.no_grad():
        for _, batch in zip(range(_TEST_BATCHES), test.batches(np.random.default_rng(0)), strict=False):
            answer = net(batch)
            odds.append(answer[:, -1])
            lies.append(batch.lies > 0)
            wrong.append((answer[:, :2] - batch.middle).norm(dim=1)[batch.lies > 0])
            gap = answer[:, -1 - HEADS : -1].argmax(1) - batch.head.argmax(1)
            head.append(((gap + HEADS // 2) % HEADS - HEADS // 2).abs()[batch.lies > 0])
    odd, lie = torch.cat(odds), torch.cat(lies)
    nll = functional.binary_cross_entropy_with_logits(odd, lie.float())
    at = odd[~lie].quantile(0.98)
    found = (odd[lie] > at).float().mean()
    away = torch.cat(wrong)
    turned = (torch.cat(head) > HEADS // 8).float().mean()
    return (
        f"nats {nll:.3f}, falls noticed at 2 % false {100 * found:.1f} %, middles "
        f"{away.median():.4f} / {away.quantile(0.95):.4f} heights, heads off {100 * turned:.0f} %"
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Make figures that fall, train, save."""
    parser = argparse.ArgumentParser(prog="python -m datasets.train_fall", description=__doc__)
    parser.add_argument("--chunks", type=int, default=20, help=f"of {_FIGURES} figures each")
    parser.add_argument("--steps", type=int, default=14000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--cache", type=Path, help="folder in which chunks are kept for the next time")
    parser.add_argument("--out", type=Path, default=Path("fallen_weights.npz"))
    options = parser.parse_args(arguments)
    data = Data([_chunk(number, options.cache) for number in range(options.chunks)])
    net = train(data, Data([_chunk(_TEST, options.cache)]), options.steps, options.seed)
    made = f"datasets.train_fall --chunks {options.chunks} --steps {options.steps} --seed {options.seed}"
    save(net, options.out, made)
    return 0


def _chunk(seed: int, cache: Path | None) -> Arrays:
    path = None if cache is None else cache / f"fall{seed:03d}.npz"
    return kept(path, lambda: chunk([seed, _SALT], list(MORE_MAKERS), _FIGURES))


if __name__ == "__main__":
    sys.exit(main())
