"""States and views: the same whichever way an action is given, kept, copied and sent."""

from __future__ import annotations

import copy
import pickle
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rules import IDS, RULES

import ranka


def walk(name: str, options: dict[str, Any], seed: int) -> list[ranka.State]:
    """A random game."""
    rng = random.Random(seed)
    state = ranka.game(name, **options).start(seed)
    states = [state]
    while not state.is_over:
        state = state.draw() if state.is_chance else state.apply(rng.choice(state.legal()))
        states.append(state)
    return states


@pytest.mark.parametrize(("name", "options"), RULES, ids=IDS)
def test_numbers_and_text_mean_the_same(name: str, options: dict[str, Any]) -> None:
    for state in walk(name, options, 1)[::5]:
        if state.actor is None:
            continue
        numbers, actions = state.legal_indices(), state.legal()
        assert [state.index(action) for action in actions] == numbers
        assert [state.action(number) for number in numbers] == actions
        assert np.flatnonzero(state.mask()).tolist() == sorted(numbers)
        view = state.view()
        assert (view.legal(), view.legal_indices()) == (actions, numbers)
        assert (view.mask() == state.mask()).all()
        for action, number in zip(actions[:5], numbers[:5], strict=True):
            assert state.apply(action) == state.apply(number) == state.apply(np.int64(number))


@pytest.mark.parametrize(("name", "options"), RULES, ids=IDS)
def test_states_are_values(name: str, options: dict[str, Any]) -> None:
    states = walk(name, options, 2)
    state = states[len(states) // 2]
    for same in (copy.copy(state), copy.deepcopy(state), pickle.loads(pickle.dumps(state))):
        assert same == state
        assert hash(same) == hash(state)
        assert same.history == state.history
        for seat in range(state.seats):
            assert (same.observation(seat) == state.observation(seat)).all()
    assert state != states[0]
    assert state.game.state(state.notation) == state
    assert pickle.loads(pickle.dumps(state.game)) == state.game
    for seat in range(state.seats):
        view = state.view(seat)
        assert pickle.loads(pickle.dumps(view)) == view == state.game.view(view.notation, seat)
        assert view.sample(3).view(seat) == view
        worlds = view.worlds()
        assert worlds is None or all(world.view(seat) == view for world in worlds)
        assert view.picture().startswith("<svg")
        assert view.sketch()


def test_a_pickled_view_tells_nothing_hidden() -> None:
    state = ranka.game("geister").start().apply("set:ABCD")
    one, other = (state.apply(hidden) for hidden in ("set:ABCD", "set:EFGH"))
    assert one != other
    assert one.view(0) == other.view(0)
    assert pickle.dumps(one.view(0)) == pickle.dumps(other.view(0))


@pytest.mark.parametrize("name", ["geister", "labyrinth"])
def test_worlds_that_look_the_same_are_observed_the_same(name: str) -> None:
    """Byte by byte, over 20 000 worlds of the two games that hide something; the battery asks the same in Rust, with
    pasts, over more than 100 000 of each."""
    worlds = 0
    while worlds < 20_000:
        for state in walk(name, {}, worlds):
            for seat in range(state.seats):
                view = state.game.view(state.view(seat).notation, seat)
                world = view.sample(worlds)
                assert world.observation(seat).tobytes() == view.observation().tobytes()
                worlds += 1


def test_samples_follow_from_the_seed_and_are_legal() -> None:
    for name, options in RULES:
        one, two = (ranka.Batch(ranka.game(name, **options), 40, seed=3, threads=threads) for threads in (1, 2))
        for _ in range(20):
            actions = one.sample()
            assert (actions == two.sample()).all()
            assert one.masks[np.arange(40), actions].all()
            one.step(actions)
            two.step(actions)
            assert one.observations.tobytes() == two.observations.tobytes()
    with pytest.raises(ValueError, match="39 actions for 40 games"):
        one.step(actions[1:])


def test_a_batch_plays_the_same_games() -> None:
    for name, options in RULES:
        game = ranka.game(name, **options)
        batch = ranka.Batch(game, 4, seed=9)
        states = [game.start(9, deal) for deal in range(4)]
        rng = random.Random(1)
        for _ in range(30):
            for place, state in enumerate(states):
                while state.is_chance:
                    state = state.draw()
                states[place] = state
                assert batch.position(place) == state.notation
                assert batch.actors[place] == state.actor
                assert (batch.masks[place] == state.mask()).all()
                assert (batch.observations[place] == state.observation()).all()
            actions = [rng.choice(state.legal_indices()) for state in states]
            following = [state.apply(action) for state, action in zip(states, actions, strict=True)]
            if any(state.is_over for state in following):
                break
            batch.step(np.array(actions, np.int64))
            states = following


def test_errors_have_the_right_kind_and_our_words() -> None:
    state = ranka.game("kalah").start()
    with pytest.raises(ValueError, match="did you mean kalah"):
        ranka.game("kala")
    with pytest.raises(ValueError, match="rules of kalah"):
        ranka.game("kalah", houses=99)
    with pytest.raises(ValueError, match="did you mean minimax"):
        ranka.agent("minimx")
    with pytest.raises(ValueError, match="is not legal"):
        state.apply("12")
    with pytest.raises(ValueError, match="action number 99"):
        state.apply(99)
    with pytest.raises(ValueError, match="column"):
        ranka.game("kalah").state("nonsense")
    with pytest.raises(ValueError, match="seat 3"):
        state.view(3)
    with pytest.raises(TypeError, match="action number None: expected a whole number"):
        state.apply(None)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        state.apply(None)  # type: ignore[arg-type]
    with pytest.raises(FileNotFoundError):
        ranka.reproduce("no-such-paper")


def test_thoughts_have_candidates_and_follow_from_the_seed() -> None:
    view = ranka.game("kalah").start().view()
    thought = ranka.agent("minimax:depth=4").think(view, seed=5)
    assert [candidate.action for candidate in thought.candidates] == view.legal()
    assert thought.choice in view.legal()
    assert thought.nodes > 0
    assert "<table>" in thought._repr_html_()
    assert ranka.agent("random").think(view, seed=5).choice == ranka.agent("random").think(view, seed=5).choice
    with pytest.raises(ValueError, match="kalah agent"):
        ranka.agent("purple-max").think(view)


LEAK = """
import os
import sys

import numpy as np

import ranka


def megabytes() -> float:
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


table = ranka.Batch("kalah", 4096, seed=1, threads=2)


def batch(games: int) -> None:
    done = 0
    while done < games:
        table.step(table.sample())
        done += int(np.count_nonzero(table.ends))


def states(games: int) -> None:
    for deal in range(games):
        state = ranka.game("kalah", houses=3, seeds=2).start(1, deal)
        while not state.is_over:
            state = state.apply(state.legal_indices()[0])
            state.view(0).observation()


play, warm, games = {"batch": (batch, 20_000, 1_000_000), "states": (states, 1_000, 10_000)}[sys.argv[1]]
play(warm)
before = megabytes()
play(games)
print(megabytes() - before)
"""


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is read from /proc")
@pytest.mark.parametrize("what", ["batch", "states"])
def test_many_games_leak_nothing(what: str) -> None:
    """In a process of its own, whose memory nothing else has raised: a million games of a `Batch`. A leak of ten bytes
    a game would show."""
    done = subprocess.run([sys.executable, "-c", LEAK, what], capture_output=True, text=True, check=True)
    assert float(done.stdout) < 4, "megabytes"


def test_a_seed_is_a_number_from_0_on() -> None:
    game = ranka.game("kalah")
    view = game.start().view()
    for refused in (
        lambda: game.start(-1),
        lambda: game.start(2**64),
        lambda: view.sample(-1),
        lambda: ranka.agent("random").think(view, seed=-1),
        lambda: ranka.Batch(game, 1, seed=-1),
        lambda: ranka.match(game, ["random", "random"], games=1, seed=-1),
        lambda: ranka.tournament(game, ["random", "random"], games=1, seed=-1),
    ):
        with pytest.raises(ValueError, match=r"seed (-1|18446744073709551616): expected a whole number from 0 to 184"):
            refused()


def test_thoughts_are_escaped() -> None:
    evil = "<script>"
    page = ranka.Thought(evil, [ranka.Candidate(evil, 1.0, pv=[evil, "a&b"])])._repr_html_()
    assert evil not in page
    assert page.count("&lt;script&gt;") == 3
    assert "a&amp;b" in page


@pytest.mark.parametrize(("name", "options"), RULES, ids=IDS)
def test_symmetries_are_permutations_of_the_arrays(name: str, options: dict[str, Any]) -> None:
    game = ranka.game(name, **options)
    symmetries = game.symmetries()
    assert len(symmetries) >= (name == "geister")
    for observation, actions in symmetries:
        assert sorted(observation.tolist()) == list(range(int(np.prod(game.observation_shape))))
        assert sorted(actions.tolist()) == list(range(game.action_count))
