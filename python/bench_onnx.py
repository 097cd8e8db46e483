"""Evaluations a second of one network in Ranka's own format and in ONNX: `python bench_onnx.py [--playouts N]`.

The networks that come with Ranka are written as ONNX, and both lead the same tree search from the same positions, on
one thread. Both must like the same actions, but for a few that are nearly alike (one counts in eight bits), so that
nothing else is measured.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import onnx
from onnx import TensorProto, helper, numpy_helper

import ranka

CRATES = Path(__file__).parents[1] / "crates"
Array = npt.NDArray[Any]


class Weights:
    """The parts of a network file, one after the other."""

    def __init__(self, file: Path) -> None:
        header, _, self.body = file.read_bytes().partition(b"\n")
        self.header: dict[str, Any] = json.loads(header)
        self.at = 0

    def take(self, kind: str, *shape: int) -> Array:
        count = int(np.prod(shape))
        part = np.frombuffer(self.body, kind, count, self.at).reshape(shape)
        self.at += part.nbytes
        return part

    def conv(self, outputs: int, inputs: int, step_in: float, step_out: float) -> tuple[Array, Array]:
        """Weights and biases of a convolution, from eight bits to floats."""
        whole = self.take("i1", outputs, 3, 3, inputs).transpose(0, 3, 1, 2)
        scale, bias = self.take("<f4", outputs), self.take("<f4", outputs)
        return whole * (scale * step_out / step_in)[:, None, None, None], bias * step_out

    def cells(self, outputs: int, inputs: int, step: float) -> tuple[Array, Array]:
        """The same for a convolution of single cells."""
        whole, scale, bias = self.take("i1", outputs, inputs), self.take("<f4", outputs), self.take("<f4", outputs)
        return (whole * (scale / step)[:, None])[:, :, None, None], bias

    def dense(self, outputs: int, inputs: int) -> tuple[Array, Array]:
        return self.take("<f4", outputs, inputs), self.take("<f4", outputs)


class Graph:
    """An ONNX graph that grows."""

    def __init__(self) -> None:
        self.nodes: list[Any] = []
        self.tensors: list[Any] = []

    def add(self, kind: str, *inputs: str | Array, to: str = "", **options: Any) -> str:
        """A node; arrays become constants. Gives the name of its output."""
        names = []
        for value in inputs:
            if not isinstance(value, str):
                name = f"weights{len(self.tensors)}"
                self.tensors.append(numpy_helper.from_array(np.ascontiguousarray(value, np.float32), name))
                value = name
            names.append(value)
        output = to or f"x{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, names, [output], **options))
        return output


def as_onnx(file: Path, out: Path) -> str:
    """Writes the network of a file as ONNX and tells its game."""
    weights, graph = Weights(file), Graph()
    shape, step = weights.header["shape"], weights.header["step"]
    channels = shape["channels"]
    around: dict[str, Any] = {"kernel_shape": [3, 3], "pads": [1, 1, 1, 1]}

    def conv(x: str, inputs: int, step_in: float) -> str:
        return graph.add("Conv", x, *weights.conv(channels, inputs, step_in, step), **around)

    x = graph.add("Relu", conv("observation", shape["planes"], weights.header["input_step"]))
    for _ in range(shape["blocks"]):
        inner = conv(graph.add("Relu", conv(x, channels, step)), channels, step)
        x = graph.add("Relu", graph.add("Add", x, inner))
    cells = weights.cells(shape["action_planes"], channels, step)
    weights.cells(shape["beliefs"], channels, step)
    logits = [graph.add("Flatten", graph.add("Conv", x, *cells, kernel_shape=[1, 1]))]
    pool = graph.add("Flatten", graph.add("GlobalAveragePool", x))
    loose = weights.dense(shape["loose_actions"], channels)
    if shape["loose_actions"]:
        logits.append(graph.add("Gemm", pool, *loose, transB=1))
    hidden = graph.add("Relu", graph.add("Gemm", pool, *weights.dense(channels, channels), transB=1))
    graph.add("Gemm", hidden, *weights.dense(3, channels), transB=1, to="value")
    graph.add("Concat", *logits, axis=1, to="policy")
    planes = [1, shape["planes"], shape["height"], shape["width"]]
    actions = shape["action_planes"] * shape["height"] * shape["width"] + shape["loose_actions"]
    made = helper.make_graph(
        graph.nodes,
        weights.header["game"],
        [helper.make_tensor_value_info("observation", TensorProto.FLOAT, planes)],
        [
            helper.make_tensor_value_info("policy", TensorProto.FLOAT, [1, actions]),
            helper.make_tensor_value_info("value", TensorProto.FLOAT, [1, 3]),
        ],
        graph.tensors,
    )
    model = helper.make_model(made, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    onnx.checker.check_model(model)
    onnx.save(model, str(out))
    return str(weights.header["game"])


def positions(game: ranka.Game, count: int) -> list[ranka.View]:
    """Views from the middle of random games."""
    found = []
    for deal in range(count):
        rng, state = random.Random(deal), game.start(1, deal)
        for _ in range(20):
            if state.is_over:
                break
            state = state.draw() if state.is_chance else state.apply(rng.choice(state.legal()))
        while state.is_chance:
            state = state.draw()
        if not state.is_over:
            found.append(state.view())
    return found


def evaluations(spec: str, views: list[ranka.View], playouts: int) -> float:
    """Evaluations a second: the best of three runs, since others use the machine too."""
    agent, best = ranka.agent(f"{spec},playouts={playouts}"), 0.0
    for _ in range(3):
        begun = time.process_time()
        for view in views:
            agent.think(view)
        best = max(best, len(views) * playouts / (time.process_time() - begun))
    return best


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--playouts", type=int, default=400, help="evaluations for each decision")
    playouts = parser.parse_args().playouts
    print("| evaluations a second, one thread | `network:file=` | `onnx:file=` | ratio |")
    print("|---|---:|---:|---:|")
    for name, network in (("geister", "first"), ("labyrinth", "champion")):
        file = CRATES / f"ranka-{name}" / "networks" / f"{network}.net"
        with tempfile.TemporaryDirectory() as folder:
            other = Path(folder) / "champion.onnx"
            as_onnx(file, other)
            specs = [f"network:file={file}", f"onnx:file={other}"]
            views = positions(ranka.game(name), 64)
            ours_first, theirs_first = (ranka.agent(f"{spec},playouts=0,temperature=0") for spec in specs)
            alike = sum(ours_first.think(view).choice == theirs_first.think(view).choice for view in views)
            assert alike >= 0.8 * len(views), f"the two networks of {name} agree on {alike} of {len(views)} positions"
            ours, theirs = (evaluations(spec, views[:8], playouts) for spec in specs)
        print(f"| {name}, 64 channels, 5 blocks | {ours:,.0f} | {theirs:,.0f} | {ours / theirs:.1f} |")


if __name__ == "__main__":
    main()
