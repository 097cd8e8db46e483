"""Learning with PyTorch: what is trained and exported plays in Ranka as it does in PyTorch."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import ranka

torch = pytest.importorskip("torch")


def run(module: str, *arguments: object) -> None:
    subprocess.run([sys.executable, "-m", module, *map(str, arguments)], check=True)


@pytest.fixture(scope="module", params=["kalah", "geister", "tubstap"])
def trained(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path, Path]:
    out = tmp_path_factory.mktemp(request.param)
    small = ["--games", 16, "--channels", 8, "--blocks", 1, "--minibatch", 128, "--no-panel", "--no-search"]
    run("ranka.learn.ppo", request.param, "--minutes", 0.02, *small, "--exploiter", 0.3, "--out", out)
    run("ranka.learn.export", out / "last.pt", out / "trained.net")
    return request.param, out / "last.pt", out / "trained.net"


def test_the_exported_network_chooses_as_pytorch_does(trained: tuple[str, Path, Path]) -> None:
    from ranka.learn.network import Policy, Shape

    game, weights, network = trained
    kept = torch.load(weights, weights_only=True)
    policy = Policy(Shape(**kept["shape"]))
    policy.load_state_dict({name: value.float() for name, value in kept["policy"].items()})
    agent = ranka.agent(f"network:file={network},playouts=0,temperature=0")
    rng = np.random.default_rng(1)
    state, alike, unlike = ranka.game(game).start(seed=1), 0, 0
    for _ in range(400):
        if state.is_over:
            state = ranka.game(game).start(seed=int(rng.integers(1 << 30)))
        view = state.view(state.actor)
        legal = view.legal_indices()
        with torch.no_grad():
            logits = policy(torch.from_numpy(np.asarray(view.observation())).unsqueeze(0))[0][0].numpy()
        first, *others = sorted((float(logits[index]) for index in legal), reverse=True)
        # Weights of eight bits may turn round what is nearly alike.
        if not others or first - others[0] > 0.02:
            best = max(legal, key=lambda index: logits[index])
            same = agent.think(view).choice == view.action(best)
            alike, unlike = alike + same, unlike + (not same)
        state = state.apply(view.action(int(rng.choice(legal))))
    assert alike > 20
    assert unlike == 0


def test_a_network_file_is_gone_on_from(trained: tuple[str, Path, Path]) -> None:
    from ranka.learn.export import opened
    from ranka.learn.network import Policy, Shape

    game, weights, network = trained
    kept = torch.load(weights, weights_only=True)
    policy = Policy(Shape(**kept["shape"]))
    policy.load_state_dict({name: value.float() for name, value in kept["policy"].items()})
    read_game, encoding, read = opened(network)
    assert (read_game, encoding, read.shape) == (game, ranka.encoding_version(game), policy.shape)
    batch = ranka.Batch(game, 8, seed=5)
    with torch.no_grad():
        x = torch.from_numpy(batch.observations.copy())
        for one, other in zip(policy(x)[:2], read(x)[:2], strict=True):
            assert torch.allclose(one, other, atol=0.05)
    if game != "geister":
        return
    out = network.parent / "on"
    small = ["--games", 16, "--channels", 8, "--blocks", 1, "--minibatch", 128, "--no-panel", "--no-search"]
    run("ranka.learn.ppo", game, "--minutes", 0.01, *small, "--resume", network, "--out", out)
    assert (out / "last.pt").exists()


def test_the_exported_network_plays_and_a_cut_one_is_refused(trained: tuple[str, Path, Path]) -> None:
    game, _, network = trained
    result = ranka.match(game, [f"network:file={network},playouts=0", "random"], games=4, store=False)
    assert result.games == 4
    cut = network.with_name("cut.net")
    cut.write_bytes(network.read_bytes()[:-1])
    with pytest.raises(ValueError, match=r"cut\.net"):
        ranka.agent(f"network:file={cut}").think(ranka.game(game).start(seed=1).view(0))
