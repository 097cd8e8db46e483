"""The agent ``onnx``: networks in the exchange format, evaluated beside NumPy."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper
from rules import IDS, RULES

import ranka


def network(
    path: Path,
    inputs: Sequence[int | str],
    weights: tuple[np.ndarray, np.ndarray],
    values: np.ndarray,
    outputs: tuple[str, str] = ("policy", "value"),
) -> str:
    """Writes a network of matrices alone: two after the other for the logits, one for the values."""
    policy, value = outputs
    inner, outer = weights
    nodes = [
        helper.make_node("Flatten", ["observation"], ["flat"], axis=1),
        helper.make_node("MatMul", ["flat", "inner"], ["hidden"]),
        helper.make_node("MatMul", ["hidden", "outer"], [policy]),
        helper.make_node("MatMul", ["flat", "values"], [value]),
    ]
    graph = helper.make_graph(
        nodes,
        "linear",
        [helper.make_tensor_value_info("observation", TensorProto.FLOAT, list(inputs))],
        [
            helper.make_tensor_value_info(value, TensorProto.FLOAT, [inputs[0], values.shape[1]]),
            helper.make_tensor_value_info(policy, TensorProto.FLOAT, [inputs[0], outer.shape[1]]),
        ],
        [
            numpy_helper.from_array(inner, "inner"),
            numpy_helper.from_array(outer, "outer"),
            numpy_helper.from_array(values, "values"),
        ],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    onnx.checker.check_model(model)
    onnx.save(model, str(path))
    return str(path)


Weights = tuple[np.ndarray, np.ndarray]


def zeros(*size: int) -> np.ndarray:
    return np.zeros(size, np.float32)


def random_network(path: Path, game: ranka.Game, seed: int, outcomes: int | None = None) -> tuple[str, Weights]:
    random = np.random.default_rng(seed)
    length = int(np.prod(game.observation_shape))

    def matrix(*size: int) -> np.ndarray:
        return random.normal(scale=0.1, size=size).astype(np.float32)

    weights = matrix(length, 8), matrix(8, game.action_count)
    kinds = outcomes or (3 if game.seats == 2 else game.seats)
    return network(path, ["batch", *game.observation_shape], weights, matrix(length, kinds)), weights


@pytest.mark.parametrize(("name", "options"), RULES, ids=IDS)
def test_it_plays_the_likeliest_legal_action(name: str, options: dict[str, Any], tmp_path: Path) -> None:
    game = ranka.game(name, **options)
    file, weights = random_network(tmp_path / "net.onnx", game, 1)
    agent = ranka.agent(f"onnx:file={file},temperature=0")
    state, seen = game.start(seed=3), 0
    while not state.is_over and seen < 30:
        if state.is_chance:
            state = state.draw()
            continue
        logits = state.observation().reshape(-1) @ weights[0] @ weights[1]
        legal = state.legal_indices()
        choice = agent.think(state.view(), seed=seen).choice
        assert logits[state.index(choice)] >= max(logits[legal]) - 1e-4
        state = state.apply(choice)
        seen += 1
    assert seen >= 10


def test_it_leads_a_search_and_sits_in_matches(tmp_path: Path) -> None:
    game = ranka.game("kalah")
    file, _ = random_network(tmp_path / "net.onnx", game, 2, outcomes=1)
    thought = ranka.agent(f"onnx:file={file},playouts=60").think(game.start(seed=1).view())
    assert thought.nodes >= 50 and len(thought.candidates) > 1
    played = [
        ranka.match(
            "kalah", [f"onnx:file={file},playouts=20", "random"], games=20, seed=5, threads=threads, progress=False
        )
        for threads in (1, 2)
    ]
    assert played[0].lines == played[1].lines


def test_what_does_not_fit_is_refused_by_name(tmp_path: Path) -> None:
    game = ranka.game("kalah")
    shape, actions = game.observation_shape, game.action_count
    length = int(np.prod(shape))
    fits = zeros(length, 8), zeros(8, actions)

    def refused(file: str) -> str:
        with pytest.raises(ValueError) as error:
            ranka.agent(f"onnx:file={file}").think(game.start().view())
        return str(error.value)

    for reason, file in [
        (
            "logits, but the game has",
            network(tmp_path / "a.onnx", ["n", *shape], (zeros(length, 8), zeros(8, actions + 1)), zeros(length, 3)),
        ),
        (
            "its value has 2 numbers",
            network(tmp_path / "b.onnx", ["n", *shape], fits, zeros(length, 2)),
        ),
        (
            "does not take an observation",
            network(
                tmp_path / "c.onnx", ["n", length + 1], (zeros(length + 1, 8), zeros(8, actions)), zeros(length + 1, 3)
            ),
        ),
    ]:
        told = refused(file)
        assert reason in told and Path(file).name in told
    truncated = tmp_path / "d.onnx"
    truncated.write_bytes((tmp_path / "a.onnx").read_bytes()[:200])
    assert "no ONNX network" in refused(str(truncated))
    # As PyTorch writes it by default.
    apart = tmp_path / "apart.onnx"
    model = onnx.load(network(tmp_path / "whole.onnx", ["n", *shape], fits, zeros(length, 3)))
    onnx.save(model, str(apart), save_as_external_data=True, location="apart.onnx.data", size_threshold=0)
    assert "apart.onnx: agent onnx: its weights are in another file: export it as one" in refused(str(apart))
    assert "name the network" in refused("")


def test_a_row_of_numbers_is_an_input_too(tmp_path: Path) -> None:
    game = ranka.game("kalah")
    length = int(np.prod(game.observation_shape))
    weights = zeros(length, 8), zeros(8, game.action_count)
    file = network(tmp_path / "row.onnx", [1, length], weights, zeros(length, 1))
    assert ranka.agent(f"onnx:file={file}").think(game.start().view()).choice in game.start().legal()
    nameless = network(tmp_path / "nameless.onnx", [1, length], weights, zeros(length, 1), ("p", "v"))
    with pytest.raises(ValueError, match="its value has"):
        # Without the names the first output is the policy, and here it is the value.
        ranka.agent(f"onnx:file={nameless}").think(game.start().view())
