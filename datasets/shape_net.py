"""The network of `vision.shape` in torch, and what it is trained to do.

One look: the sole's middle with its covariance, the plan view's support function with its standard
deviations (Gaussian likelihoods, Nix & Weigend, ICNN 1994, weighed as by Seitzer et al., ICLR 2022, so that
hard samples still count), a solid, and the front where nobody told it. Two looks at one figure: what the
error of one guess says of the other's, and how far the figure has turned.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

from datasets.lessons import KINDS
from vision.shape.network import DIRECTIONS, LAYERS, TURNS

CONDITIONS = 8 + len(KINDS)
# Parts of the circle for the front of a look whose facing nobody told: only a help in training.
FACINGS = 24
_WIDTH, _HIDDEN, _PAIRED = 24, 192, (256, 128)
_ANSWERS = 5 + 2 * DIRECTIONS + FACINGS
# Mean (2), linear part (2, 2) and lower root (3) of one look's error by another's.
_RELATION = 9
_HARMONICS = 3
_DROPPED, _PAIR_DROPPED = 0.1, 0.1
# The decoder of solids learns from this part of every batch: it costs the most.
_SOLID_PART = 5
# Least sds, in heights and in sds of a guess, so that no sample is fitted to nothing; where sds start.
LEAST_SD, _LEAST_SHARE = 0.004, 0.03
_SD_START, _SHARE_START, _SKEW, _SHARE_SKEW = 3.0, 0.5, 0.1, 0.3
# Errors beyond so many sds teach nothing of how errors hang together.
MOST_SDS = 5.0


@dataclass(frozen=True, eq=False)
class Batch:
    """Looks: pictures (B, 1, CELLS, CELLS), conditions (B, CONDITIONS), azimuths as told (B,) and whether
    they were (B,); true soles (B, 2), supports (B, DIRECTIONS) and solids, and the true azimuths as shares of
    FACINGS and of TURNS parts of the circle. `before` and `after` (P,) number every ordered pair of looks at
    one figure."""

    picture: Tensor
    conditions: Tensor
    azimuth: Tensor
    known: Tensor
    sole: Tensor
    support: Tensor
    solid: Tensor
    facing: Tensor
    turn: Tensor
    before: Tensor
    after: Tensor


class ShapeNet(nn.Module):
    """The network; `vision.shape.network` and `vision.shape.pairs` run the same in numpy."""

    def __init__(self) -> None:
        super().__init__()
        w = _WIDTH
        self.conv1 = nn.Conv2d(1, w, 7, 3, 3)
        self.conv2 = nn.Conv2d(w + CONDITIONS, 2 * w, 3, 2, 1)
        self.conv3 = nn.Conv2d(2 * w, 3 * w, 3, 1, 1)
        self.conv4 = nn.Conv2d(3 * w, 3 * w, 3, 2, 1)
        self.hidden = nn.Linear(3 * w * 36 + CONDITIONS, _HIDDEN)
        self.answer = nn.Linear(_HIDDEN, _ANSWERS)
        self.up1 = nn.Conv2d(6 * w, 2 * w, 3, 1, 1)
        self.up2 = nn.Conv2d(3 * w, w, 3, 1, 1)
        self.layers = nn.Conv2d(w, LAYERS, 1)
        first, second = _PAIRED
        both = 2 * (_HIDDEN + CONDITIONS + 5)
        self.pair1 = nn.Linear(both + 2 * _HARMONICS, first)
        self.pair2 = nn.Linear(first, second)
        self.pair3 = nn.Linear(second, _RELATION)
        self.turn1 = nn.Linear(both, first)
        self.turn2 = nn.Linear(first, second)
        self.turn3 = nn.Linear(second, TURNS)

    def forward(self, picture: Tensor, conditions: Tensor, solids: int) -> tuple[Tensor, Tensor, Tensor]:
        """Answers (B, _ANSWERS) and what they were made from (B, _HIDDEN) for all, log odds (solids, LAYERS,
        24, 24) of the first solids."""
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
        return self.answer(hidden), hidden, self.layers(up)

    def relation(self, before: Tensor, after: Tensor, gap: Tensor) -> Tensor:
        """What the error of a guess says of that of another (B, _RELATION): looks as `seen` makes them, and
        how far the azimuth has gone (B,)."""
        angles = [f(m * gap) for m in range(1, _HARMONICS + 1) for f in (torch.cos, torch.sin)]
        both = self._dropped(torch.cat([before, after, torch.stack(angles, 1)], 1))
        return self.pair3(functional.relu(self.pair2(functional.relu(self.pair1(both)))))

    def turned(self, before: Tensor, after: Tensor) -> Tensor:
        """Log odds (B, TURNS) of the azimuth of a look that nobody told, after one whose azimuth is known."""
        both = self._dropped(torch.cat([before, after], 1))
        return self.turn3(functional.relu(self.turn2(functional.relu(self.turn1(both)))))

    def _dropped(self, both: Tensor) -> Tensor:
        return functional.dropout(both, _PAIR_DROPPED, self.training)


def seen(answer: Tensor, hidden: Tensor, conditions: Tensor) -> Tensor:
    """A look as the heads for two looks want it."""
    return torch.cat([hidden, conditions, answer[:, :5].detach()], 1)


def errors(answer: Tensor, sole: Tensor) -> Tensor:
    """How far true soles (B, 2) are from the guesses, (B, 2) in units of the root each guess gives."""
    first, second = (LEAST_SD + functional.softplus(answer[:, i] - _SD_START) for i in (2, 3))
    gap = sole - answer[:, :2]
    away = gap[:, 0] / first
    return torch.stack([away, (gap[:, 1] - _SKEW * answer[:, 4] * away * second) / second], 1)


def sole_nll(answer: Tensor, sole: Tensor) -> Tensor:
    """Minus the log likelihood of soles (B, 2), one each."""
    sds = [LEAST_SD + functional.softplus(answer[:, i] - _SD_START) for i in (2, 3)]
    return 0.5 * (errors(answer, sole) ** 2).sum(1) + sds[0].log() + sds[1].log()


def support_nll(answer: Tensor, support: Tensor) -> tuple[Tensor, Tensor]:
    """Minus the log likelihoods of supports (B, DIRECTIONS), and their sds."""
    mean, raw = answer[:, 5 : 5 + 2 * DIRECTIONS].chunk(2, dim=1)
    sd = LEAST_SD + functional.softplus(raw - _SD_START)
    return 0.5 * ((support - mean) / sd) ** 2 + sd.log(), sd


def relation_nll(raw: Tensor, before: Tensor, after: Tensor) -> Tensor:
    """Minus the log likelihood of errors (B, 2) after errors before, given relations (B, _RELATION)."""
    by_before = (raw[:, 2:6].view(-1, 2, 2) @ before[:, :, None])[:, :, 0]
    left = after - raw[:, :2] - by_before
    first, second = (_LEAST_SHARE + functional.softplus(raw[:, i] + _SHARE_START) for i in (6, 7))
    away = left[:, 0] / first
    across = (left[:, 1] - _SHARE_SKEW * raw[:, 8] * away * second) / second
    return 0.5 * (away**2 + across**2) + first.log() + second.log()


def loss_of(net: ShapeNet, batch: Batch, plain: float) -> Tensor:
    """What is minimised; `plain` (1 to 0) is the weight of squared errors, which come first."""
    solids = len(batch.sole) // _SOLID_PART
    answer, hidden, logits = net(batch.picture, batch.conditions, solids)
    nll, sd = support_nll(answer, batch.support)
    likely = sole_nll(answer, batch.sole).mean() + 2 * (nll * sd.detach() ** 0.5).mean() / 0.2
    squares = 300 * ((answer[:, :2] - batch.sole) ** 2).mean()
    squares = squares + 300 * ((answer[:, 5 : 5 + DIRECTIONS] - batch.support) ** 2).mean()
    solid = functional.binary_cross_entropy_with_logits(logits, batch.solid[:solids])
    facing = _mean(_cross_entropy(answer[:, -FACINGS:], batch.facing), 1 - batch.known)
    single = (1 - plain) * likely + plain * squares + 0.3 * squares + 4 * solid + 0.3 * facing
    return single + _loss_of_pairs(net, batch, answer, hidden, 1 - plain)


def _loss_of_pairs(net: ShapeNet, batch: Batch, answer: Tensor, hidden: Tensor, weight: float) -> Tensor:
    """Every look after every other one at its figure."""
    looks, (before, after) = seen(answer, hidden, batch.conditions), (batch.before, batch.after)
    wrong = errors(answer.detach(), batch.sole).clamp(-MOST_SDS, MOST_SDS)
    relation = net.relation(looks[before], looks[after], batch.azimuth[after] - batch.azimuth[before])
    known, blind = batch.known[before], 1 - batch.known[after]
    related = _mean(relation_nll(relation, wrong[before], wrong[after]), known * batch.known[after])
    turned = _cross_entropy(net.turned(looks[before], looks[after]), batch.turn[after])
    return weight * related + 0.5 * _mean(turned, known * blind)


def _cross_entropy(logits: Tensor, shares: Tensor) -> Tensor:
    return -(functional.log_softmax(logits, 1) * shares).sum(1)


def _mean(values: Tensor, counted: Tensor) -> Tensor:
    return (values * counted).sum() / counted.sum().clamp(min=1)
