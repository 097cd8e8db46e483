"""Steps a second, beside OpenSpiel on the same game: `python bench.py [--seconds S]`.

Everybody plays random legal actions and is handed an observation and a mask of legal actions at every step.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

import numpy as np

import ranka


def rate(step: Callable[[], int], seconds: float, clock: Callable[[], float] = time.thread_time) -> float:
    """Steps a second of processor time, or by another clock: the best of ten runs, since others use the machine too."""
    best = 0.0
    for _ in range(10):
        done, begun = 0, clock()
        while clock() - begun < seconds / 10:
            done += step()
        best = max(best, done / (clock() - begun))
    return best


def batch(name: str, games: int, threads: int) -> Callable[[], int]:
    """Steps of a batch."""
    made = ranka.Batch(name, games, seed=1, threads=threads)

    def step() -> int:
        made.step(made.sample())
        return games

    return step


def state_loop(name: str) -> Callable[[], int]:
    """Steps of one state in a Python loop."""
    game = ranka.game(name)
    rng = np.random.default_rng(1)
    deal = 0

    def play() -> int:
        nonlocal deal
        state, steps = game.start(1, deal), 0
        deal += 1
        while not state.is_over:
            if state.is_chance:
                state = state.draw()
                continue
            state.observation()
            legal = state.legal_indices()
            state = state.apply(legal[int(rng.random() * len(legal))])
            steps += 1
        return steps

    return play


def openspiel_loop() -> Callable[[], int]:
    """Steps of OpenSpiel's mancala in a Python loop."""
    import pyspiel

    game = pyspiel.load_game("mancala")
    rng = np.random.default_rng(1)

    def play() -> int:
        state, steps = game.new_initial_state(), 0
        while not state.is_terminal():
            np.asarray(state.observation_tensor(), np.float32)
            legal = state.legal_actions()
            state.apply_action(legal[int(rng.random() * len(legal))])
            steps += 1
        return steps

    return play


def openspiel_environment() -> Callable[[], int]:
    """Steps of OpenSpiel's environment on mancala, the loop of its own examples of learning."""
    from open_spiel.python import rl_environment

    env = rl_environment.Environment("mancala")
    rng = np.random.default_rng(1)

    def play() -> int:
        now, steps = env.reset(), 0
        while not now.last():
            legal = now.observations["legal_actions"][now.observations["current_player"]]
            now = env.step([legal[int(rng.random() * len(legal))]])
            steps += 1
        return steps

    return play


def openspiel_vector(games: int) -> Callable[[], int]:
    """Steps of OpenSpiel's vectorised environment on mancala."""
    from open_spiel.python import rl_environment
    from open_spiel.python.rl_agent import StepOutput
    from open_spiel.python.vector_env import SyncVectorEnv

    envs = SyncVectorEnv([rl_environment.Environment("mancala") for _ in range(games)])
    rng = np.random.default_rng(1)
    steps = envs.reset()

    def step() -> int:
        nonlocal steps
        outputs = []
        for now in steps:
            legal = now.observations["legal_actions"][now.observations["current_player"]]
            outputs.append(StepOutput(action=legal[int(rng.random() * len(legal))], probs=None))
        steps, _, _, _ = envs.step(outputs, reset_if_done=True)
        return games

    return step


def overhead(seconds: float) -> float:
    """Nanoseconds of `state.apply` by number."""
    state = ranka.game("kalah").start()

    def thousand() -> int:
        for _ in range(1000):
            state.apply(0)
        return 1000

    return 1e9 / rate(thousand, seconds)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=1.0, help="how long each run takes")
    seconds = parser.parse_args().seconds
    ours = rate(batch("kalah", 1024, 1), seconds)
    print("| Kalah / mancala, one core | steps a second of processor time | `Batch` is |")
    print("|---|---:|---:|")
    print(f"| `ranka.Batch`, 1024 games | {ours:,.0f} | |")
    rows: list[tuple[str, Callable[[], Callable[[], int]]]] = [
        ("`ranka.State` in a Python loop", lambda: state_loop("kalah")),
        ("OpenSpiel's bare C++ states in a Python loop", openspiel_loop),
        ("OpenSpiel's `rl_environment` in a Python loop", openspiel_environment),
        ("OpenSpiel's `SyncVectorEnv`, 64 games", lambda: openspiel_vector(64)),
    ]
    for name, make in rows:
        try:
            other = rate(make(), seconds)
        except ImportError as error:
            print(f"| {name} | not installed: {error.name} | |")
            continue
        print(f"| {name} | {other:,.0f} | {ours / other:.0f} times as fast |")
    print()
    print("| `ranka.Batch`, 1024 games, steps a second by the clock | 1 thread | 2 threads |")
    print("|---|---:|---:|")
    for game in ranka.games():
        one, two = (rate(batch(game, 1024, threads), seconds, time.perf_counter) for threads in (1, 2))
        print(f"| {game} | {one:,.0f} | {two:,.0f} |")
    print(f"\nA single `state.apply` by number takes {overhead(seconds):.0f} ns.")


if __name__ == "__main__":
    main()
