"""What is refused, in our words and by the right exception."""

from __future__ import annotations

import errno
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import ranka
from ranka import cluster

KALAH = ranka.game("kalah")
STATE = KALAH.start()


@pytest.mark.parametrize(
    ("call", "why"),
    [
        (lambda: ranka.game("kalah", houses="4,seeds=3"), 'houses="4,seeds=3": expected|houses=4,seeds=3: expected'),
        (lambda: STATE.view(-1), "seat -1: expected a whole number from 0 on"),
        (lambda: STATE.observation(-1), "seat -1: expected"),
        (lambda: STATE.view(7), "seat 7"),
        (lambda: STATE.apply(-1), "action number -1: expected"),
        (lambda: STATE.apply(10**30), "action number 1"),
        (lambda: STATE.action(-1), "action number -1: expected"),
        (lambda: STATE.view().action(-1), "action number -1: expected"),
        (lambda: KALAH.start(deal=-1), "deal -1: expected"),
        (lambda: KALAH.view(STATE.notation, -1), "seat -1: expected"),
        (lambda: ranka.Batch("kalah", -1), "games -1: expected a whole number from 1 on"),
        (lambda: ranka.Batch("kalah", 0), "games 0: expected a whole number from 1 on"),
        (lambda: ranka.Batch("kalah", 10**12), r"games 1000000000000: their arrays would take \d+ GiB"),
        (lambda: ranka.Batch("kalah", 10**18), r"games 1000000000000000000: their arrays would take \d+ GiB"),
        (lambda: ranka.Batch("kalah", 10**30), "games 10{30}: expected"),
        (lambda: ranka.Batch("kalah", 4, threads=0), "threads 0: expected a whole number from 1 on"),
        (lambda: ranka.Batch("kalah", 4, ply_cap=-1), "ply_cap -1: expected a whole number from 0 on"),
        (lambda: ranka.Batch("kalah", 4).position(-1), "game -1: expected"),
        (lambda: ranka.Batch("kalah", 4, opponents=[("random", -1)]), "games of an opponent -1: expected"),
        (lambda: ranka.stats.wilson(-1, 10), "count -1: expected a whole number from 0 on"),
        (lambda: ranka.stats.clopper_pearson(1, -10), "count -10: expected"),
        (lambda: ranka.stats.binomial_test(1, -10), "count -10: expected"),
        (lambda: ranka.stats.sign_test(-1, 10), "count -1: expected"),
        (lambda: ranka.stats.chi_square([1, -1], [0.5, 0.5]), "count -1: expected"),
        (lambda: ranka.stats.sprt_test([1, -1, 1], 0, 5), "count -1: expected"),
        (lambda: ranka.stats.ratings([[0, -1], [1, 0]], [[0, 0], [0, 0]]), "count -1: expected"),
        (lambda: ranka.match("kalah", ["random", "random"], games=-1), "games -1: expected"),
        (lambda: ranka.match("kalah", ["random", "random"], threads=-1), "threads -1: expected"),
        (lambda: ranka.match("kalah", ["random", "random"], threads=0), "threads 0: expected"),
        (lambda: ranka.match("kalah", ["random", "random"], ply_cap=-1), "ply_cap -1: expected"),
        (lambda: ranka.tournament("kalah", ["random", "random"], games=-1), "games -1: expected"),
        (lambda: ranka.tournament("kalah", ["random", "random"], final_of=-1), "final_of -1: expected"),
        # On a cluster, before any is looked for.
        (lambda: cluster.match("kalah", ["random", "random"], games=-1), "games -1: expected"),
        (lambda: cluster.sprt("kalah", "random", "random", elo0=0, elo1=9, games=-1), "games -1: expected"),
        (lambda: cluster.tournament("kalah", ["random", "random"], final_games=-1), "final_games -1: expected"),
        (lambda: cluster.reproduce("kalah", games=-1), "games -1: expected"),
    ],
)
def test_numbers_that_make_no_sense(call: Callable[[], Any], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        call()


def test_positions_of_another_board() -> None:
    twelve = ranka.game("kalah", houses=12).start()
    why = "kalah position: it is of a game with houses=12, this game has houses=6"
    with pytest.raises(ValueError, match=why):
        KALAH.state(twelve.notation)
    with pytest.raises(ValueError, match=why):
        KALAH.view(twelve.notation, 0)
    # As many seeds as no start has are no other board.
    assert KALAH.state("<6,0,0,1,0,0,0,0,0,0,0,0,0,0,2> S").observation(0).shape == KALAH.observation_shape
    for name, seats in (("labyrinth", 4), ("tantrix", 3)):
        state = ranka.game(name, players=seats).start()
        with pytest.raises(ValueError, match=f"{name} position: .*{seats}"):
            ranka.game(name, players=2).state(state.notation)


def test_a_file_may_be_called_anything(tmp_path: Path) -> None:
    maps = Path(__file__).parents[2] / "crates" / "ranka-tubstap" / "maps"
    odd = tmp_path / 'a, "b" = \\c.tbsmap'
    odd.write_bytes((maps / "duel.tbsmap").read_bytes())
    assert ranka.game("tubstap", map=odd).start().notation == ranka.game("tubstap", map="duel").start().notation


def test_files_that_are_not_there(tmp_path: Path) -> None:
    missing = tmp_path / "missing"
    for call in (
        lambda: ranka.experiment(f"{missing}.toml"),
        lambda: ranka.Network(f"{missing}.bin"),
        lambda: ranka.match("kalah", [f"onnx:file={missing}.onnx", "random"], games=1),
    ):
        with pytest.raises(FileNotFoundError, match="missing") as refused:
            call()
        assert refused.value.errno == errno.ENOENT


def test_it_says_its_version() -> None:
    assert ranka.__version__.count(".") == 2
