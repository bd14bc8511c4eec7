"""Train what `vision.shape` believes of a silhouette: `python -m datasets.train_shape --out weights.npz`.

Needs the extra `train` (torch). A small convolutional network with a soft answer: the sole's middle with
its covariance, the plan view's support function with its standard deviations (Gaussian likelihoods, Nix &
Weigend, ICNN 1994, weighed as by Seitzer et al., ICLR 2022, so that hard samples still count), and a solid.
Figures are those of `datasets.makers`; `--without` leaves makers out, to test on what was not learned.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from datasets.makers import MORE_MAKERS
from datasets.shape_samples import KINDS, VIEWS, chunk, stretched, widened
from vision.shape.errors import kinship_of
from vision.shape.network import DIRECTIONS, FACINGS, LAYERS, RING, RINGS, SOLID_CELLS
from vision.shape.upright import grid

_CONDITIONS = 8 + len(KINDS)
_BATCH, _RATE, _DECAY, _DROPPED = 64, 2e-3, 1e-2, 0.1
# Chunks of figures and of views of each, with a number for their seeds. Many figures teach more than many
# views; how errors hang together needs several.
_DEEP, _WIDE = (420, VIEWS, 77), (1260, 2, 2)
# Figures are stretched across the view by about this factor: a scaled figure is a figure.
_STRETCHED, _MOST_STRETCHED = 0.15, 0.3
# Facings are told by a person or registered; a few are not known at all, and some kinds are not told.
_FACING_SD_DEG, _WILD_FACING_SD_DEG, _WILD, _UNKNOWN_FACING, _UNKNOWN_KIND = 3.0, 12.0, 0.15, 0.25, 0.25
_ANSWERS = 5 + 2 * DIRECTIONS + FACINGS
# The decoder of solids learns from this part of every batch: it costs the most.
_SOLID_PART = 5
# Errors beyond so many sds are cut when it is fitted how they hang together; a look's own share is no less.
_MOST_SDS, _LEAST_OWN, ORDERS = 4.0, 0.03, 3
# Least sds, in heights, so that no sample is fitted to nothing.
LEAST_SD = 0.004


class ShapeNet(nn.Module):
    """The network; `vision.shape.network` runs the same in numpy."""

    def __init__(self) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(1, 16, 5, 2, 2)
        self.conv2 = nn.Conv2d(16 + _CONDITIONS, 32, 3, 2, 1)
        self.conv3 = nn.Conv2d(32, 48, 3, 1, 1)
        self.conv4 = nn.Conv2d(48, 48, 3, 2, 1)
        self.hidden = nn.Linear(48 * 36 + _CONDITIONS, 128)
        self.answer = nn.Linear(128, _ANSWERS)
        self.up1 = nn.Conv2d(96, 32, 3, 1, 1)
        self.up2 = nn.Conv2d(48, 16, 3, 1, 1)
        self.layers = nn.Conv2d(16, LAYERS, 1)

    def forward(self, picture: Tensor, conditions: Tensor, solids: int) -> tuple[Tensor, Tensor]:
        """Answers (B, _ANSWERS) for all, log odds (solids, LAYERS, 24, 24) of the first solids."""
        one = functional.relu(self.conv1(picture))
        planes = conditions[:, :, None, None].expand(-1, -1, *one.shape[2:])
        two = functional.relu(self.conv2(torch.cat([one, planes], 1)))
        three = functional.relu(self.conv3(two))
        four = functional.relu(self.conv4(three))
        flat = functional.dropout(four.flatten(1), _DROPPED, self.training)
        hidden = functional.relu(self.hidden(torch.cat([flat, conditions], 1)))
        part = slice(0, solids)
        up = functional.interpolate(four[part], scale_factor=2, mode="nearest")
        up = functional.relu(self.up1(torch.cat([up, three[part]], 1)))
        up = functional.interpolate(up, scale_factor=2, mode="nearest")
        up = functional.relu(self.up2(torch.cat([up, one[part]], 1)))
        return self.answer(hidden), self.layers(up)


class Data:
    """All samples in memory, and batches of them."""

    def __init__(self, chunks: Sequence[dict[str, NDArray[np.generic]]]) -> None:
        self._all = {name: np.concatenate([c[name] for c in chunks]) for name in chunks[0]}

    def __len__(self) -> int:
        return len(self._all["tilt"])

    def common(self) -> NDArray[np.float64]:
        """Log odds (LAYERS, RINGS) of clay by height and by distance from the sole's middle, RING apart."""
        side = grid(SOLID_CELLS)
        total, clay = np.zeros(RINGS), np.zeros((LAYERS, RINGS))
        for sole, solid in zip(self._all["sole"][::5], self._all["solid"][::5], strict=True):
            away = np.hypot(side[:, None] - sole[0], side[None] - sole[1])
            ring = np.minimum((away / RING).astype(int), RINGS - 1).ravel()
            total += np.bincount(ring, minlength=RINGS)
            layers = solid.reshape(LAYERS, -1) / 255
            clay += np.stack([np.bincount(ring, layer, RINGS) for layer in layers])
        share = (clay + 0.5) / (total + 1)
        return np.asarray(np.log(share / (1 - share)))

    def batches(self, rng: np.random.Generator) -> Iterator[dict[str, Tensor]]:
        """Shuffled batches for ever, half of them seen in a mirror."""
        while True:
            order = rng.permutation(len(self))
            for start in range(0, len(order) - _BATCH + 1, _BATCH):
                yield self.batch(np.sort(order[start : start + _BATCH]), rng, mirrored=rng.random() < 0.5)

    def batch(
        self, index: NDArray[np.int64], rng: np.random.Generator, *, mirrored: bool | None = None
    ) -> dict[str, Tensor]:
        """The samples of an index, with errors of facing and kinds left untold; stretched too, and mirrored
        if so, unless that is None."""
        d = {name: values[index] for name, values in self._all.items()}
        azimuth, sole, support = (np.asarray(d[n], np.float32) for n in ("azimuth", "sole", "support"))
        picture, solid = (np.asarray(d[n], np.float32) / np.float32(255) for n in ("picture", "solid"))
        factor = float(np.exp(np.clip(_STRETCHED * rng.standard_normal(), -_MOST_STRETCHED, _MOST_STRETCHED)))
        if mirrored is not None:
            picture, solid = (widened(values, factor) for values in (picture, solid))
            azimuth = np.arctan2(factor * np.sin(azimuth), np.cos(azimuth))
            sole = sole * np.array([1, factor], np.float32)
            support = stretched(support, factor)
        if mirrored:
            azimuth, picture, solid = -azimuth, picture[..., ::-1], solid[..., ::-1]
            sole = sole * np.array([1, -1], np.float32)
            support = np.roll(support[:, ::-1], 1, axis=1)
        true_azimuth = azimuth
        sd = np.where(rng.random(len(index)) < _WILD, _WILD_FACING_SD_DEG, _FACING_SD_DEG)
        azimuth = azimuth + np.radians(rng.normal(0, sd))
        known = (rng.random(len(index)) >= _UNKNOWN_FACING).astype(float)
        kinds = np.eye(len(KINDS))[d["kind"]] * (rng.random((len(index), 1)) >= _UNKNOWN_KIND)
        conditions = np.column_stack(
            [
                *(known * f(m * azimuth) for m in (1, 2) for f in (np.cos, np.sin)),
                known,
                np.sin(d["tilt"]),
                np.cos(d["tilt"]),
                10 / d["distance"],
                kinds,
            ]
        )
        return {
            "facing": _tensor(_parts(true_azimuth)),
            "asked": _tensor(1 - known),
            "picture": _tensor(picture[:, None]),
            "conditions": _tensor(conditions),
            "sole": _tensor(sole),
            "support": _tensor(support),
            "solid": _tensor(solid),
        }


def _parts(azimuth: NDArray[np.generic]) -> NDArray[np.float64]:
    """Azimuths (B,) shared between the two nearest of the FACINGS parts of the circle, (B, FACINGS)."""
    place = np.asarray(azimuth, np.float64)[:, None] / (2 * np.pi) * FACINGS - np.arange(FACINGS)
    away = np.abs((place + FACINGS / 2) % FACINGS - FACINGS / 2)
    return np.asarray(np.clip(1 - away, 0, None))


def _tensor(values: NDArray[np.generic]) -> Tensor:
    return torch.from_numpy(np.ascontiguousarray(values, np.float32))


def sole_nll(answer: Tensor, sole: Tensor) -> Tensor:
    """Minus the log likelihood of soles (B, 2), one each."""
    gap = sole - answer[:, :2]
    first, second = (LEAST_SD + functional.softplus(answer[:, i] - 3) for i in (2, 3))
    a = gap[:, 0] / first
    b = (gap[:, 1] - answer[:, 4] * a * 0.1) / second
    return 0.5 * (a * a + b * b) + first.log() + second.log()


def support_nll(answer: Tensor, support: Tensor) -> tuple[Tensor, Tensor]:
    """Minus the log likelihoods of supports (B, DIRECTIONS), and their sds."""
    mean, raw = answer[:, 5 : 5 + 2 * DIRECTIONS].chunk(2, dim=1)
    sd = LEAST_SD + functional.softplus(raw - 3)
    return 0.5 * ((support - mean) / sd) ** 2 + sd.log(), sd


def loss_of(net: ShapeNet, batch: dict[str, Tensor], plain: float) -> Tensor:
    """What is minimised; `plain` (1 to 0) is the weight of squared errors, which come first."""
    solids = len(batch["sole"]) // _SOLID_PART
    answer, logits = net(batch["picture"], batch["conditions"], solids)
    nll, sd = support_nll(answer, batch["support"])
    likely = sole_nll(answer, batch["sole"]).mean() + 2 * (nll * sd.detach() ** 0.5).mean() / 0.2
    squares = 300 * ((answer[:, :2] - batch["sole"]) ** 2).mean()
    squares = squares + 300 * ((answer[:, 5 : 5 + DIRECTIONS] - batch["support"]) ** 2).mean()
    solid = functional.binary_cross_entropy_with_logits(logits, batch["solid"][:solids])
    facing = -(functional.log_softmax(answer[:, -FACINGS:], 1) * batch["facing"]).sum(1)
    facing = (facing * batch["asked"]).sum() / batch["asked"].sum().clamp(min=1)
    return (1 - plain) * likely + plain * squares + 0.3 * squares + 4 * solid + 0.3 * facing


def train(data: Data, steps: int, seed: int, start: Path | None = None) -> ShapeNet:
    """The network after so many steps, from chance or from saved weights; averaged over the last steps."""
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    rng = np.random.default_rng(seed)
    net, mean = ShapeNet(), ShapeNet()
    if start is not None:
        with np.load(start) as kept:
            known = {name: torch.from_numpy(kept[name].astype(np.float32)) for name in net.state_dict()}
        net.load_state_dict(known)
    mean.load_state_dict(net.state_dict())
    optimiser = torch.optim.AdamW(net.parameters(), lr=_RATE, weight_decay=_DECAY)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, _RATE, total_steps=steps, pct_start=0.05)
    begin = time.monotonic()
    for step, batch in zip(range(steps), data.batches(rng), strict=False):
        loss = loss_of(net, batch, plain=max(0.0, 1 - step / (0.1 * steps)) * (start is None))
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimiser.step()
        schedule.step()
        with torch.no_grad():
            for kept, new in zip(mean.parameters(), net.parameters(), strict=True):
                kept.lerp_(new, 0.005)
        if step % 500 == 0:
            spent = time.monotonic() - begin
            print(f"{step} of {steps}, {spent:.0f} s, loss {loss.item():.3f}", file=sys.stderr)
    return mean.eval()


def kinship(net: ShapeNet, fresh: dict[str, NDArray[np.generic]]) -> tuple[NDArray[np.float64], ...]:
    """How the errors of guesses hang together (see `vision.shape.errors`): harmonics (ORDERS + 1, 3) and
    the own share (2,), from figures the network has not seen, VIEWS looks at each, with facings a few
    degrees off."""
    rng = np.random.default_rng(1)
    batch = Data([fresh]).batch(np.arange(len(fresh["tilt"])), rng)
    with torch.no_grad():
        answer = net(batch["picture"], batch["conditions"], 1)[0]
    first, second = (LEAST_SD + functional.softplus(answer[:, i] - 3) for i in (2, 3))
    gap = batch["sole"] - answer[:, :2]
    away = gap[:, 0] / first
    across = (gap[:, 1] - answer[:, 4] * away * 0.1) / second
    errors = torch.stack([away, across], 1).clamp(-_MOST_SDS, _MOST_SDS).numpy().astype(np.float64)
    errors = errors.reshape(-1, VIEWS, 2)
    azimuths = np.asarray(fresh["azimuth"], np.float64).reshape(-1, VIEWS)
    one, other = np.nonzero(~np.eye(VIEWS, dtype=bool))
    a, b = (errors[:, index].reshape(-1, 2) for index in (one, other))
    gaps = (azimuths[:, other] - azimuths[:, one]).ravel()
    products = np.column_stack([a * b, a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]])
    shared = kinship_of(gaps, products, ORDERS)
    own = np.maximum((errors**2).mean(axis=(0, 1)) - shared[:, :2].sum(axis=0), _LEAST_OWN)
    return shared, own


def save(
    net: ShapeNet,
    common: NDArray[np.float64],
    kin: Sequence[NDArray[np.float64]],
    path: Path,
    made: str,
) -> None:
    """Write the weights, what is common to all solids and how errors hang together, in half precision."""
    arrays = {name: value.detach().numpy() for name, value in net.state_dict().items()}
    arrays |= {"common": common, "kinship": kin[0], "own": kin[1]}
    half = {name: values.astype(np.float16) for name, values in arrays.items()}
    np.savez_compressed(path, made=np.array(made), **half)


def main(arguments: Sequence[str] | None = None) -> int:
    """Make figures, train, save."""
    parser = argparse.ArgumentParser(prog="python -m datasets.train_shape", description=__doc__)
    parser.add_argument("--deep", type=int, default=7, help="chunks of few figures, many views of each")
    parser.add_argument("--wide", type=int, default=3, help="chunks of many figures")
    parser.add_argument("--steps", type=int, default=8000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--without", nargs="*", default=[], choices=list(MORE_MAKERS), metavar="MAKER")
    parser.add_argument("--start", type=Path, help="weights to go on from")
    parser.add_argument("--cache", type=Path, help="folder in which chunks are kept for the next time")
    parser.add_argument("--out", type=Path, default=Path("weights.npz"))
    options = parser.parse_args(arguments)
    chunks = [_chunk(seed, _DEEP, options.cache) for seed in range(options.deep)]
    chunks += [_chunk(seed, _WIDE, options.cache) for seed in range(options.wide)]
    left_out = [list(MORE_MAKERS).index(name) for name in options.without]
    for one in chunks:
        kept = ~np.isin(one["maker"], left_out)
        one.update({name: values[kept] for name, values in one.items()})
    data = Data(chunks)
    net = train(data, options.steps, options.seed, options.start)
    kin = kinship(net, _chunk(options.deep, _DEEP, options.cache))
    made = f"datasets.train_shape --deep {options.deep} --wide {options.wide}"
    made += f" --steps {options.steps} --seed {options.seed}"
    if options.start is not None:
        with np.load(options.start) as kept:
            made = f"{kept['made']}; then {made} --start"
    made += "".join(f" --without {name}" for name in options.without)
    save(net, data.common(), kin, options.out, made)
    return 0


def _chunk(seed: int, size: tuple[int, int, int], cache: Path | None) -> dict[str, NDArray[np.generic]]:
    figures, views, salt = size
    path = None if cache is None else cache / f"chunk{seed:03d}-{views}.npz"
    if path is not None and path.exists():
        with np.load(path) as kept:
            return {name: kept[name] for name in kept.files}
    made = chunk([seed, salt], list(MORE_MAKERS), figures, views)
    if path is not None:
        np.savez(path, **dict[str, Any](made))
    return made


if __name__ == "__main__":
    sys.exit(main())
