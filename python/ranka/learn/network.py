"""The networks: a residual trunk over the planes of an encoding, with heads for policy, value and belief."""

from __future__ import annotations

from dataclasses import asdict, dataclass

import torch
from torch import Tensor, nn


@dataclass(frozen=True)
class Shape:
    """What a network must know of a game's encoding, and its own size."""

    planes: int
    height: int
    width: int
    action_planes: int
    loose_actions: int
    seats: int
    channels: int = 64
    blocks: int = 5
    beliefs: int = 0

    @property
    def outcomes(self) -> int:
        """Categories of a result: win, draw, loss for two seats, the winner's seat for more."""
        return 3 if self.seats == 2 else self.seats

    def dict(self) -> dict[str, int]:
        return asdict(self)


def zero(layer: nn.Module) -> None:
    """Lets a layer answer nothing until it has learned something."""
    for parameter in layer.parameters():
        nn.init.zeros_(parameter)


class Block(nn.Module):
    """Two convolutions around a short cut; no normalisation, so that it can be quantised as it is."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.first = nn.Conv2d(channels, channels, 3, padding=1)
        self.second = nn.Conv2d(channels, channels, 3, padding=1)
        zero(self.second)

    def forward(self, x: Tensor) -> Tensor:
        return torch.relu(x + self.second(torch.relu(self.first(x))))


class Trunk(nn.Module):
    def __init__(self, planes: int, channels: int, blocks: int) -> None:
        super().__init__()
        self.stem = nn.Conv2d(planes, channels, 3, padding=1)
        self.blocks = nn.ModuleList(Block(channels) for _ in range(blocks))

    def forward(self, x: Tensor) -> Tensor:
        x = torch.relu(self.stem(x))
        for block in self.blocks:
            x = block(x)
        return x


def pooled(x: Tensor) -> Tensor:
    """The mean of every channel over the board."""
    return x.mean(dim=(2, 3))


class Policy(nn.Module):
    """What plays: a logit for each action, the outcome as the acting seat sees it, and beliefs about cells."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        channels = shape.channels
        self.trunk = Trunk(shape.planes, channels, shape.blocks)
        self.cells = nn.Conv2d(channels, max(shape.action_planes, 1), 1)
        self.loose = nn.Linear(channels, max(shape.loose_actions, 1))
        self.hidden = nn.Linear(channels, channels)
        self.value = nn.Linear(channels, shape.outcomes)
        self.belief = nn.Conv2d(channels, max(shape.beliefs, 1), 1)
        zero(self.value)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        x = self.trunk(x)
        logits = []
        if self.shape.action_planes:
            logits.append(self.cells(x).flatten(1))
        pool = pooled(x)
        if self.shape.loose_actions:
            logits.append(self.loose(pool))
        value = self.value(torch.relu(self.hidden(pool)))
        return torch.cat(logits, dim=1), value, self.belief(x)


class Critic(nn.Module):
    """What judges in training alone. Of more than one observer it sees what is hidden from the acting seat."""

    def __init__(self, shape: Shape, observers: int, channels: int = 64, blocks: int = 3) -> None:
        super().__init__()
        self.trunk = Trunk(shape.planes * observers, channels, blocks)
        self.hidden = nn.Linear(channels, channels)
        self.value = nn.Linear(channels, shape.outcomes)
        zero(self.value)

    def forward(self, x: Tensor) -> Tensor:
        value: Tensor = self.value(torch.relu(self.hidden(pooled(self.trunk(x)))))
        return value
