"""The network of `vision.shape.fallen` in torch, and what it is trained to do.

Two looks at one figure, the first of them standing: whether it lies in the second, and if so where the middle
of its plan view is, how far that reaches and where the head points (Gaussian likelihoods as in
`datasets.shape_net`).
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

from datasets.shape_net import CONDITIONS, sole_nll, support_nll
from vision.shape.fallen import HEADS
from vision.shape.network import DIRECTIONS

_WIDTH, _HIDDEN, _PAIRED = 24, 192, (256, 128)
_DROPPED = 0.1
# The middle and support as in `datasets.shape_net`, then where the head is, then whether it lies.
ANSWERS = 5 + 2 * DIRECTIONS + HEADS + 1


@dataclass(frozen=True, eq=False)
class Batch:
    """Looks before and after: pictures (B, 2, CELLS, CELLS) of silhouette and relief, conditions (B,
    CONDITIONS), whether it lies (B,), and of those that lie middles (B, 2), supports (B, DIRECTIONS) and the
    azimuth of the head as shares (B, HEADS) of the circle."""

    before: Tensor
    told_before: Tensor
    after: Tensor
    told_after: Tensor
    lies: Tensor
    middle: Tensor
    support: Tensor
    head: Tensor


class FallNet(nn.Module):
    """The network; `vision.shape.fallen` runs the same in numpy."""

    def __init__(self) -> None:
        super().__init__()
        w = _WIDTH
        self.conv1 = nn.Conv2d(2, w, 7, 3, 3)
        self.conv2 = nn.Conv2d(w, 2 * w, 3, 2, 1)
        self.conv3 = nn.Conv2d(2 * w, 3 * w, 3, 1, 1)
        self.conv4 = nn.Conv2d(3 * w, 3 * w, 3, 2, 1)
        self.hidden = nn.Linear(3 * w * 36 + CONDITIONS, _HIDDEN)
        first, second = _PAIRED
        self.both1 = nn.Linear(2 * (_HIDDEN + CONDITIONS), first)
        self.both2 = nn.Linear(first, second)
        self.both3 = nn.Linear(second, ANSWERS)

    def forward(self, batch: Batch) -> Tensor:
        """Answers (B, ANSWERS)."""
        looks = [
            self._look(batch.before, batch.told_before),
            batch.told_before,
            self._look(batch.after, batch.told_after),
            batch.told_after,
        ]
        both = functional.dropout(torch.cat(looks, 1), _DROPPED, self.training)
        return self.both3(functional.relu(self.both2(functional.relu(self.both1(both)))))

    def _look(self, picture: Tensor, told: Tensor) -> Tensor:
        planes = picture
        for layer in (self.conv1, self.conv2, self.conv3, self.conv4):
            planes = functional.relu(layer(planes))
        flat = functional.dropout(planes.flatten(1), _DROPPED, self.training)
        return functional.relu(self.hidden(torch.cat([flat, told], 1)))


def loss_of(net: FallNet, batch: Batch, plain: float) -> Tensor:
    """What is minimised; `plain` (1 to 0) is the weight of squared errors, which come first."""
    answer = net(batch)
    lies, count = batch.lies, batch.lies.sum().clamp(min=1)
    called = functional.binary_cross_entropy_with_logits(answer[:, -1], lies)
    nll, sd = support_nll(answer, batch.support)
    likely = sole_nll(answer, batch.middle) + 2 * (nll * sd.detach() ** 0.5).mean(1) / 0.2
    squares = ((answer[:, :2] - batch.middle) ** 2).mean(1)
    squares = 300 * (squares + ((answer[:, 5 : 5 + DIRECTIONS] - batch.support) ** 2).mean(1))
    head = answer[:, 5 + 2 * DIRECTIONS : -1]
    pointed = -(functional.log_softmax(head, 1) * batch.head).sum(1)
    each = (1 - plain) * likely + (plain + 0.3) * squares + 0.5 * pointed
    return 4 * called + (each * lies).sum() / count
