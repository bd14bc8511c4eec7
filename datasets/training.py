"""How small networks are trained: AdamW with one warm-up and decay, and weights averaged over the last steps.

Needs the extra `train` (torch).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from datasets.lessons import Arrays

Batch = TypeVar("Batch")


@dataclass(frozen=True)
class Plan:
    """Highest rate, weight decay, the share of the steps that warm up, the longest gradient, and how much of
    the mean each step replaces."""

    rate: float
    decay: float
    warm: float
    longest: float
    replaced: float


def kept(path: Path | None, make: Callable[[], Arrays]) -> Arrays:
    """Arrays by name as they are kept in a file, or made and kept there for the next time."""
    if path is not None and path.exists():
        with np.load(path) as file:
            return {name: file[name] for name in file.files}
    made = make()
    if path is not None:
        np.savez(path, **dict[str, Any](made))
    return made


def tensor(values: NDArray[np.generic]) -> Tensor:
    """Numbers of any shape for torch, in single precision."""
    return torch.from_numpy(np.ascontiguousarray(values, np.float32))


def parts_of_circle(angle: NDArray[np.generic], count: int) -> NDArray[np.float64]:
    """Angles (B,) in rad shared between the two nearest of so many parts of the circle, (B, count)."""
    place = np.asarray(angle, np.float64)[:, None] / (2 * np.pi) * count - np.arange(count)
    away = np.abs((place + count / 2) % count - count / 2)
    return np.asarray(np.clip(1 - away, 0, None))


def started(net: nn.Module, weights: Path) -> None:
    """Give a network saved weights."""
    with np.load(weights) as kept:
        net.load_state_dict(
            {name: torch.from_numpy(kept[name].astype(np.float32)) for name in net.state_dict()}
        )


def train(
    net: nn.Module,
    mean: nn.Module,
    batches: Iterable[Batch],
    loss_of: Callable[[Batch, int], Tensor],
    steps: int,
    plan: Plan,
) -> Iterator[tuple[int, float]]:
    """Train `net` for so many steps and keep in `mean` its weights averaged over the last ones.

    `loss_of` takes a batch and the number of the step. Yields every step with its loss.
    """
    mean.load_state_dict(net.state_dict())
    optimiser = torch.optim.AdamW(net.parameters(), lr=plan.rate, weight_decay=plan.decay)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimiser, plan.rate, total_steps=steps, pct_start=plan.warm
    )
    for step, batch in zip(range(steps), batches, strict=False):
        loss = loss_of(batch, step)
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), plan.longest)
        optimiser.step()
        schedule.step()
        with torch.no_grad():
            for kept, new in zip(mean.parameters(), net.parameters(), strict=True):
                kept.lerp_(new, plan.replaced)
        yield step, loss.item()


def save(net: nn.Module, path: Path, made: str, start: Path | None = None) -> None:
    """Write the weights in half precision, with the command that made them and those it started from."""
    if start is not None:
        with np.load(start) as kept:
            made = f"{kept['made']}; then {made} --start"
    half = {name: value.detach().numpy().astype(np.float16) for name, value in net.state_dict().items()}
    np.savez_compressed(path, made=np.array(made), **half)
