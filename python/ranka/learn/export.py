"""Writes a trained network as the file that Ranka reads: weights of eight bits, steps chosen from observations.

python -m ranka.learn.export runs/geister/last.pt geister.net --command "…" --hardware "one H200" --minutes 8
"""

from __future__ import annotations

import argparse
import hashlib
import json
import struct
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

import ranka
from ranka.learn.arrays import masked, sampled
from ranka.learn.network import Policy, Shape

# Activations are kept below 2^13; the largest one seen becomes half of that, so that rarer ones still fit.
LARGEST = 1 << 12
INPUT_STEP = 1 / 1024


def observations(policy: Policy, game: str, rules: str, games: int, plies: int) -> Tensor:
    """Observations of games that the policy plays against itself."""
    batch = ranka.Batch(game, games, seed=12345, rules=rules)
    seen = []
    for _ in range(plies):
        seen.append(torch.from_numpy(batch.observations.copy()))
        with torch.no_grad():
            logits = policy(seen[-1])[0]
        batch.step(sampled(masked(logits, torch.from_numpy(batch.masks).bool())).numpy())
    return torch.cat(seen)


def largest_activation(policy: Policy, x: Tensor) -> float:
    """The largest number that the tower meets."""
    largest = 0.0
    with torch.no_grad():
        x = torch.relu(policy.trunk.stem(x))
        largest = max(largest, float(x.max()))
        for block in policy.trunk.blocks:
            inner = torch.relu(block.first(x))
            x = torch.relu(x + block.second(inner))
            largest = max(largest, float(inner.max()), float(x.max()))
    return largest


def whole(weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Weights of each output as whole numbers of eight bits, and what one is worth."""
    scale = np.abs(weights).max(axis=tuple(range(1, weights.ndim))) / 127
    scale[scale == 0] = 1
    rounded = np.rint(weights / scale.reshape(-1, *[1] * (weights.ndim - 1)))
    return rounded.astype(np.int8), scale.astype(np.float32)


def conv(layer: torch.nn.Conv2d, step_in: float, step_out: float) -> bytes:
    weights = layer.weight.detach().float().numpy().transpose(0, 2, 3, 1)
    rounded, scale = whole(weights)
    bias = layer.bias.detach().float().numpy()
    return (
        rounded.tobytes()
        + (scale * step_in / step_out).astype("<f4").tobytes()
        + (bias / step_out).astype("<f4").tobytes()
    )


def cells(layer: torch.nn.Conv2d, step_in: float, outputs: int) -> bytes:
    rounded, scale = whole(layer.weight.detach().float().numpy()[:outputs, :, 0, 0])
    bias = layer.bias.detach().float().numpy()[:outputs]
    return rounded.tobytes() + (scale * step_in).astype("<f4").tobytes() + bias.astype("<f4").tobytes()


def dense(layer: torch.nn.Linear, outputs: int) -> bytes:
    weights, bias = layer.weight.detach().float().numpy()[:outputs], layer.bias.detach().float().numpy()[:outputs]
    return weights.astype("<f4").tobytes() + bias.astype("<f4").tobytes()


def written(policy: Policy, game: str, encoding: int, step: float, trained: dict[str, object]) -> bytes:
    """The whole file."""
    shape = policy.shape
    header = {
        "ranka": "network",
        "form": 1,
        "game": game,
        "encoding": encoding,
        "shape": shape.dict(),
        "step": step,
        "input_step": INPUT_STEP,
        "trained": trained,
    }
    parts = [json.dumps(header).encode() + b"\n", conv(policy.trunk.stem, INPUT_STEP, step)]
    for block in policy.trunk.blocks:
        parts += [conv(block.first, step, step), conv(block.second, step, step)]
    parts += [
        cells(policy.cells, step, shape.action_planes),
        cells(policy.belief, step, shape.beliefs),
        dense(policy.loose, shape.loose_actions),
        dense(policy.hidden, shape.channels),
        dense(policy.value, shape.outcomes),
    ]
    body = b"".join(parts)
    return body + hashlib.sha256(body).digest()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--rules", default="")
    parser.add_argument("--command", default="")
    parser.add_argument("--hardware", default="")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=0)
    args = parser.parse_args()
    kept = torch.load(args.checkpoint, map_location="cpu", weights_only=True)
    policy = Policy(Shape(**kept["shape"]))
    policy.load_state_dict({name: weights.float() for name, weights in kept["policy"].items()})
    x = observations(policy, kept["game"], args.rules, 64, 80)
    step = struct.unpack("<f", struct.pack("<f", largest_activation(policy, x) / LARGEST))[0]
    trained = {
        "command": args.command,
        "seed": args.seed,
        "decisions": kept.get("decisions", 0),
        "hardware": args.hardware,
        "minutes": args.minutes,
    }
    args.out.write_bytes(written(policy, kept["game"], ranka.encoding_version(kept["game"], args.rules), step, trained))
    print(f"{args.out}: {args.out.stat().st_size} bytes, step {step:.6f}")


if __name__ == "__main__":
    main()
