"""Strength against a panel of agents, measured while learning goes on."""

from __future__ import annotations

import copy
import json
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import nn

from ranka.learn.arrays import Arrays, masked, sampled
from ranka.learn.recipes import Recipe

if TYPE_CHECKING:
    from ranka.learn.ppo import Learner


def measured(
    policy: nn.Module,
    game: str,
    recipe: Recipe,
    opponent: str,
    games: int,
    seed: int,
    device: torch.device,
    threads: int | None = None,
) -> tuple[float, float]:
    """Points and draws as shares of so many games against an agent, in both seats equally often."""
    against = [(opponent, games)]
    arrays = Arrays(game, recipe, games, seed, device, opponents=against, threads=threads, rules=recipe.panel_rules)
    actors = arrays.batch.actors.copy()
    points, draws, open_games = 0.0, 0, np.ones(games, dtype=bool)
    dtype = torch.bfloat16 if device.type == "cuda" else torch.float32
    while open_games.any():
        with torch.no_grad(), torch.autocast(device.type, dtype=dtype, enabled=device.type == "cuda"):
            logits = policy(arrays.observations(torch.float32))[0]
        arrays.step(sampled(masked(logits, arrays.masks())))
        over = (arrays.batch.ends > 0) & open_games
        got = arrays.batch.rewards[np.arange(games), actors][over]
        points += float(got.sum())
        draws += int((got == 1 / arrays.batch.rewards.shape[1]).sum())
        open_games &= ~over
        actors = arrays.batch.actors.copy()
    return points / games, draws / games


def panel_of(learner: Learner, stop: threading.Event, out: Path, games: int) -> None:
    """Measures the present weights against the panel again and again."""
    policy = copy.deepcopy(learner.policy)
    round_number = 0
    while not stop.is_set():
        with learner.weights_lock:
            policy.load_state_dict(learner.shown.state_dict())
        begun, decisions = time.time() - learner.begun, learner.decisions
        weights = copy.deepcopy(policy.state_dict())
        scores = {}
        for name in learner.recipe.panel:
            if stop.is_set():
                return
            points, _ = measured(
                policy,
                learner.game,
                learner.recipe,
                name,
                games,
                1_000_003 + round_number,
                learner.device,
                learner.args.threads,
            )
            scores[name] = round(points, 4)
        line = {
            "seconds": round(begun),
            "decisions": decisions,
            "games": games,
            "worst": min(scores.values()),
            **scores,
        }
        print("panel", json.dumps(line), flush=True)
        with (out / "panel.jsonl").open("a") as file:
            file.write(json.dumps(line) + "\n")
        torch.save(
            {
                "shape": learner.shape.dict(),
                "game": learner.game,
                "policy": {k: v.half() for k, v in weights.items()},
                "panel": line,
            },
            out / f"snap{round_number % 3}.pt",
        )
        best = out / "best.json"
        if not best.exists() or json.loads(best.read_text())["worst"] < line["worst"]:
            best.write_text(json.dumps(line))
            torch.save(
                {
                    "shape": learner.shape.dict(),
                    "game": learner.game,
                    "policy": {k: v.half() for k, v in weights.items()},
                    "panel": line,
                },
                out / "best.pt",
            )
        round_number += 1
        # The cores are better used by self-play and opponents.
        stop.wait(learner.args.panel_pause)
