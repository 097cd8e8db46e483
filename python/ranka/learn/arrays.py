"""Batches of games on a device, and arithmetic over their results."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

import ranka
from ranka.learn.recipes import Recipe


class Arrays:
    """A batch of games whose arrays are also on the device."""

    def __init__(
        self,
        game: str,
        recipe: Recipe,
        games: int,
        seed: int,
        device: torch.device,
        pinned: bool = False,
        rules: str = "",
        **options: Any,
    ) -> None:
        self.batch = ranka.Batch(game, games, seed=seed, rules=rules, ply_cap=recipe.ply_cap, **options)
        self.device = device
        if pinned and device.type == "cuda":
            # The arrays are written in place for as long as the batch lives, so the device may read them directly.
            for array in (self.batch.observations, self.batch.masks):
                torch.cuda.cudart().cudaHostRegister(array.ctypes.data, array.nbytes, 0)

    def observations(self, dtype: torch.dtype) -> Tensor:
        return torch.from_numpy(self.batch.observations).to(self.device, non_blocking=True).to(dtype)

    def observed(self, dtype: torch.dtype) -> Tensor:
        """Observations as (games, observers, …), also where only the acting seat observes."""
        x = self.observations(dtype)
        return x if x.dim() == 5 else x.unsqueeze(1)

    def masks(self) -> Tensor:
        return torch.from_numpy(self.batch.masks).to(self.device, non_blocking=True).bool()

    def step(self, actions: Tensor) -> None:
        self.batch.step(actions.cpu().numpy())


def masked(logits: Tensor, masks: Tensor) -> Tensor:
    return logits.float().masked_fill(~masks, -1e9)


def sampled(logits: Tensor, temperature: float = 1.0) -> Tensor:
    """Draws an action from each row of logits."""
    noise = -torch.log(-torch.log(torch.rand_like(logits).clamp_(1e-9, 1 - 1e-7)))
    return (logits / temperature + noise).argmax(dim=1)


def scores_of(outcomes: Tensor, seats: int) -> Tensor:
    """Expected score of every seat from probabilities of outcomes, in the same seat order."""
    if seats == 2:
        win, draw, loss = outcomes.unbind(-1)
        return torch.stack((win + draw / 2, loss + draw / 2), dim=-1)
    return outcomes


def outcomes_of(scores: Tensor, seats: int) -> Tensor:
    """The outcome as probabilities from the scores of a finished game."""
    if seats == 2:
        first, second = scores.unbind(-1)
        return torch.stack(
            ((first > 0.75).float(), ((first - second).abs() < 0.5).float(), (second > 0.75).float()), dim=-1
        )
    return scores


def turned(outcomes: Tensor, actors: Tensor, seats: int, back: bool = False) -> Tensor:
    """Outcomes in order of seats as seen from `actors` (or back)."""
    if seats == 2:
        return torch.where((actors == 1).unsqueeze(-1), outcomes.flip(-1), outcomes)
    sign = -1 if back else 1
    index = (torch.arange(seats, device=outcomes.device) + sign * actors.unsqueeze(-1)) % seats
    return outcomes.gather(-1, index)
