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


def opened(path: Path) -> tuple[str, int, Policy]:
    """The game of a network file, the version of its encoding, and its network, to go on learning from."""
    data = path.read_bytes()
    body, checksum = data[:-32], data[-32:]
    if hashlib.sha256(body).digest() != checksum or not body.startswith(b'{"ranka"'):
        raise ValueError(f"{path}: no network file, or a damaged one")
    line, rest = body.split(b"\n", 1)
    header = json.loads(line)
    policy = Policy(Shape(**header["shape"]))
    step, input_step, shape = header["step"], header["input_step"], policy.shape

    def take(dtype: str, *sizes: int) -> np.ndarray:
        nonlocal rest
        size = int(np.prod(sizes)) * np.dtype(dtype).itemsize
        taken, rest = rest[:size], rest[size:]
        return np.frombuffer(taken, dtype).reshape(sizes).astype(np.float32)

    def fill(parameter: Tensor, outputs: int, values: np.ndarray) -> None:
        with torch.no_grad():
            parameter[:outputs] = torch.from_numpy(values)

    def whole_layer(layer: torch.nn.Conv2d, outputs: int, side: int, step_in: float, step_out: float) -> None:
        weights = take("<i1", outputs, side, side, layer.in_channels).transpose(0, 3, 1, 2)
        scale = take("<f4", outputs) * step_out / step_in
        fill(layer.weight, outputs, weights * scale.reshape(-1, 1, 1, 1))
        fill(layer.bias, outputs, take("<f4", outputs) * step_out)

    def real_layer(layer: torch.nn.Linear, outputs: int) -> None:
        fill(layer.weight, outputs, take("<f4", outputs, layer.in_features))
        fill(layer.bias, outputs, take("<f4", outputs))

    whole_layer(policy.trunk.stem, shape.channels, 3, input_step, step)
    for block in policy.trunk.blocks:
        whole_layer(block.first, shape.channels, 3, step, step)
        whole_layer(block.second, shape.channels, 3, step, step)
    whole_layer(policy.cells, shape.action_planes, 1, step, 1.0)
    whole_layer(policy.belief, shape.beliefs, 1, step, 1.0)
    real_layer(policy.loose, shape.loose_actions)
    real_layer(policy.hidden, shape.channels)
    real_layer(policy.value, shape.outcomes)
    return header["game"], header["encoding"], policy


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
