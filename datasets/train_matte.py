"""Train what refines the matte: `python -m datasets.train_matte CROPS --out matte_weights.npz`.

Needs the extra `train` (torch) and crops of `datasets.matte_samples`. Every tenth still is kept to watch how
the network does on what it was not taught.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from datasets import training
from datasets.matte_lessons import Lesson, lessons, load
from datasets.training import Plan, save, started
from vision.measuring.refining import COARSEST, MOST_LOG_ODDS, PLANES, log_odds
from vision.measuring.silhouette import Silhouette

Float = NDArray[np.float32]

_BATCH = 16
_PLAN = Plan(rate=2e-3, decay=1e-2, warm=0.1, longest=1.0, replaced=0.01)
_WINDOW_PX, _SCALES = 96, (0.7, 1.8)
_WIDTHS = (10, 20, 36, 48)
_WATCHED = 10
# How often each still is read with other light, noise, ropes and other luck of the colour table.
_CHANGED = 3
# Pixels of the rim count so much more; what weighs the overlap against all of them. Where the classical matte
# is wrong must count no more than where it is right, or the network would mistrust it.
_RIM_WEIGHT, _OVERLAP_WEIGHT = 3.0, 0.3


class MatteNet(nn.Module):
    """The network; `vision.measuring.refining` runs the same in numpy."""

    def __init__(self) -> None:
        super().__init__()
        a, b, c, d = _WIDTHS
        self.full = _conv(PLANES, a)
        self.half1, self.half2 = _conv(a, b, 2), _conv(b, b)
        self.quarter1, self.quarter2 = _conv(b, c, 2), _conv(c, c)
        self.eighth1, self.eighth2, self.eighth3 = _conv(c, d, 2), _conv(d, d), _conv(d, d)
        self.up1, self.up2, self.up3 = _conv(d + c, c), _conv(c + b, b), _conv(b + a, a)
        self.out = _conv(a, 1)
        nn.init.zeros_(self.out.weight)

    def forward(self, planes: Tensor) -> Tensor:
        """What is added to the log odds (B, H, W) of the classical matte, from planes (B, PLANES, H, W)."""
        relu = functional.relu
        full = relu(self.full(planes))
        half = relu(self.half2(relu(self.half1(full))))
        quarter = relu(self.quarter2(relu(self.quarter1(half))))
        eighth = relu(self.eighth3(relu(self.eighth2(relu(self.eighth1(quarter))))))
        up = relu(self.up1(torch.cat([_doubled(eighth), quarter], 1)))
        up = relu(self.up2(torch.cat([_doubled(up), half], 1)))
        up = relu(self.up3(torch.cat([_doubled(up), full], 1)))
        return self.out(up)[:, 0]


def _conv(inputs: int, outputs: int, stride: int = 1) -> nn.Conv2d:
    return nn.Conv2d(inputs, outputs, 3, stride, 1)


def _doubled(planes: Tensor) -> Tensor:
    return functional.interpolate(planes, scale_factor=2, mode="nearest")


def batches(known: Sequence[Lesson], rng: np.random.Generator) -> Iterator[tuple[Tensor, Tensor, Tensor]]:
    """For ever: planes (B, PLANES, w, w), classical and exact mattes (B, w, w) of windows, in other sizes and
    half of them in a mirror."""
    while True:
        order = rng.permutation(len(known))
        for start in range(0, len(order) - _BATCH + 1, _BATCH):
            windows = [_window(known[k], rng) for k in order[start : start + _BATCH]]
            stack = torch.from_numpy(np.stack(windows))
            yield stack[:, :PLANES], stack[:, PLANES], stack[:, PLANES + 1]


def _window(one: Lesson, rng: np.random.Generator) -> Float:
    """Planes, classical and exact matte (PLANES + 2, w, w) of a part of a crop that shows its figure."""
    layers = np.concatenate([one.planes.astype(np.float32), one.alpha[None], one.exact[None]])
    scale = np.exp(rng.uniform(*np.log(_SCALES)))
    height, width = (max(8, round(side * scale)) for side in one.alpha.shape)
    way = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    layers = np.stack([cv2.resize(layer, (width, height), interpolation=way) for layer in layers])
    if rng.random() < 0.5:
        layers = layers[..., ::-1]
    inside = np.argwhere(layers[-1] > 0.5)
    if len(inside) == 0:
        inside = np.array([[height // 2, width // 2]])
    reach = _WINDOW_PX // 4
    middle = inside[rng.integers(len(inside))] + rng.integers(-reach, reach + 1, 2)
    out = np.zeros((PLANES + 2, _WINDOW_PX, _WINDOW_PX), np.float32)
    # a crop that is smaller than the window lies anywhere in it
    low = [_low(int(m), size, rng) for m, size in zip(middle, (height, width), strict=True)]
    to = tuple(
        slice(max(0, -first), min(_WINDOW_PX, size - first))
        for first, size in zip(low, (height, width), strict=True)
    )
    of = tuple(
        slice(max(0, first), min(size, first + _WINDOW_PX))
        for first, size in zip(low, (height, width), strict=True)
    )
    out[:, to[0], to[1]] = layers[:, of[0], of[1]]
    return out


def _low(middle: int, size: int, rng: np.random.Generator) -> int:
    """Where in a crop's side the window begins."""
    room = size - _WINDOW_PX
    return int(np.clip(middle - _WINDOW_PX // 2, 0, room)) if room > 0 else int(rng.integers(room, 1))


def loss_of(net: MatteNet, planes: Tensor, alpha: Tensor, exact: Tensor) -> Tensor:
    """Weighed cross-entropy, and what lacks of the overlap."""
    here = planes[:, -1]
    odds = torch.logit(alpha, float(1 / (1 + np.exp(MOST_LOG_ODDS)))) + net(planes)
    spread = functional.avg_pool2d(exact[:, None], 5, 1, 2)[:, 0]
    rim = ((spread > 0.02) & (spread < 0.98)).float()
    weight = here * (1 + _RIM_WEIGHT * rim)
    each = functional.binary_cross_entropy_with_logits(odds, exact, reduction="none")
    share = torch.sigmoid(odds) * here
    both, either = (share * exact).sum((1, 2)), (share + exact - share * exact).sum((1, 2))
    return (weight * each).sum() / weight.sum() + _OVERLAP_WEIGHT * (1 - both / (either + 1)).mean()


def train(
    known: Sequence[Lesson], watched: Sequence[Lesson], steps: int, seed: int, start: Path | None = None
) -> MatteNet:
    """The network after so many steps from chance or from saved weights, averaged over the last ones."""
    torch.manual_seed(seed)
    net, mean = MatteNet(), MatteNet()
    if start is not None:
        started(net, start)

    def loss(batch: tuple[Tensor, Tensor, Tensor], _: int) -> Tensor:
        return loss_of(net, *batch)

    begin = time.monotonic()
    seen = batches(known, np.random.default_rng(seed))
    for step, lost in training.train(net, mean, seen, loss, steps, _PLAN):
        if step % 100 == 99 or step == 0:
            said = f"{step + 1} of {steps}, {time.monotonic() - begin:.0f} s, loss {lost:.3f}"
            if step % 400 == 399 or step + 1 == steps:
                said += "; " + judged(mean, watched)
            print(said, file=sys.stderr, flush=True)
    return mean.eval()


def judged(net: MatteNet, watched: Sequence[Lesson]) -> str:
    """How silhouettes overlap with the exact ones and how far their middles are off, before and after."""
    rows = []
    for one in watched:
        height, width = one.alpha.shape
        planes = np.pad(
            one.planes.astype(np.float32), ((0, 0), (0, -height % COARSEST), (0, -width % COARSEST))
        )
        with torch.no_grad():
            more = net(torch.from_numpy(planes[None]))[0, :height, :width].numpy()
        after = np.asarray(1 / (1 + np.exp(-log_odds(one.alpha) - more)), np.float32)
        row = list[float]()
        for alpha in (one.alpha, after):
            found, true = alpha > 0.5, one.exact > 0.5
            row.append(float(np.count_nonzero(found & true) / np.count_nonzero(found | true)))
            middles = [Silhouette((0, 0), a).steady_centroid for a in (alpha, one.exact)]
            row.append(float(np.hypot(*(middles[0] - middles[1]))))
        rows.append(row)
    before, off, after_, off_after = np.nan_to_num(np.array(rows), nan=99.0).T
    return (
        f"{len(rows)} watched: IoU {np.median(before):.3f} {np.percentile(before, 5):.3f} -> "
        f"{np.median(after_):.3f} {np.percentile(after_, 5):.3f}, middles {np.median(off):.2f} "
        f"{np.percentile(off, 95):.2f} -> {np.median(off_after):.2f} {np.percentile(off_after, 95):.2f} px"
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the crops, train, save."""
    parser = argparse.ArgumentParser(prog="python -m datasets.train_matte", description=__doc__)
    parser.add_argument("crops", type=Path, help="folder of datasets.matte_samples")
    parser.add_argument("--steps", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--start", type=Path, help="weights to go on from")
    parser.add_argument("--cache", type=Path, help="folder in which read crops are kept for the next time")
    parser.add_argument("--out", type=Path, default=Path("matte_weights.npz"))
    options = parser.parse_args(arguments)
    known, watched = list[Lesson](), list[Lesson]()
    stills = sorted(options.crops.glob("still????.npz"))
    for path in stills:
        if int(path.stem[-4:]) % _WATCHED == 0:
            watched += _read(path, 0, options.cache)
        else:
            known += [one for times in range(1 + _CHANGED) for one in _read(path, times, options.cache)]
    print(f"{len(known)} crops, {len(watched)} watched", file=sys.stderr, flush=True)
    net = train(known, watched, options.steps, options.seed, options.start)
    made = f"datasets.train_matte, {len(stills)} stills, --steps {options.steps} --seed {options.seed}"
    save(net, options.out, made, options.start)
    return 0


def _read(path: Path, times: int, cache: Path | None) -> list[Lesson]:
    """The lessons of a still: as it is, or changed by the lot of that number."""
    kept_at = None if cache is None else cache / f"{path.stem}-{times}.npz"
    if kept_at is not None and kept_at.exists():
        with np.load(kept_at) as kept:
            return [Lesson(*(kept[f"{n}.{k}"] for k in range(3))) for n in range(len(kept.files) // 3)]
    rng = np.random.default_rng([int(path.stem[-4:]), times]) if times else None
    read = lessons(load(path), rng)
    if kept_at is not None:
        kept_at.parent.mkdir(parents=True, exist_ok=True)
        arrays = {
            f"{n}.{k}": a
            for n, one in enumerate(read)
            for k, a in enumerate((one.planes, one.alpha, one.exact))
        }
        unfinished = kept_at.with_suffix(".part.npz")
        np.savez(unfinished, **dict[str, Any](arrays))
        unfinished.replace(kept_at)
    return read


if __name__ == "__main__":
    sys.exit(main())
