"""Agents that are left behind: how a process ends that has some, and batches whose opponents break or hang."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import ranka

LEFT_BEHIND = """
import os, signal, sys, threading
import ranka

class Spins:
    def think(self, view):
        while True:
            pass

class Stubborn:
    def think(self, view):
        while True:
            try:
                while True:
                    pass
            except:
                pass

class Asks:
    def think(self, view):
        while True:
            ranka.agent("minimax:depth=12").think(view)

agent, ending = globals()[sys.argv[1]], sys.argv[2]
if ending == "interrupt":
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    try:
        ranka.match("kalah", [agent, "random"], games=2, progress=False)
    except KeyboardInterrupt:
        sys.exit(3)
    sys.exit("it was not interrupted")
result = ranka.match("kalah", [agent, "random"], games=2, move_limit=0.2, progress=False)
assert result.reasons == {"timeout": 2}, result.reasons
print("played")
if ending == "raise":
    raise ValueError("the script's own")
sys.exit(3 if ending == "exit" else 0)
"""


@pytest.mark.parametrize(
    ("ending", "code"), [("end", 0), ("exit", 3), ("raise", 1), ("interrupt", 3)], ids=lambda value: str(value)
)
@pytest.mark.parametrize("agent", ["Spins", "Stubborn", "Asks"])
def test_a_process_that_left_an_agent_behind_ends_as_it_says(agent: str, ending: str, code: int) -> None:
    for _ in range(3):
        command = [sys.executable, "-c", LEFT_BEHIND, agent, ending]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
        assert done.returncode == code, done.stderr
        assert ending == "interrupt" or done.stdout == "played\n", "what was printed is not lost"
        assert "panicked" not in done.stderr


class Tires:
    """Plays on until it is tired."""

    tired = False

    def think(self, view: ranka.View) -> str:
        if Tires.tired:
            raise ZeroDivisionError("out of ideas")
        return view.legal()[0]


class Hangs:
    """Thinks for ever once it is told to."""

    hangs = False

    def think(self, view: ranka.View) -> str:
        while Hangs.hangs:
            pass
        return view.legal()[0]


class Never:
    """Cannot play."""

    def think(self, view: ranka.View) -> str:
        raise ZeroDivisionError("out of ideas")


WHY = "100 games running ended before there was anything to decide: {} at seat 0: it broke: ZeroDivisionError: out of"


@pytest.mark.parametrize("threads", [1, 2])
def test_opponents_that_break_are_named(threads: int) -> None:
    ranka.register("never", Never)
    # In the second place of two the opponent always begins.
    with pytest.raises(ValueError, match=WHY.format("never")):
        ranka.Batch("kalah", 2, opponents=[("never", 2)], threads=threads)
    ranka.register("tires", Tires)
    Tires.tired = False
    batch = ranka.Batch("kalah", 2, opponents=[("tires", 2)], threads=threads)
    for _ in range(40):
        batch.step(batch.sample())
    Tires.tired = True
    with pytest.raises(ValueError, match="^" + WHY.format("tires")):
        for _ in range(10):
            batch.step(batch.sample())
    for call in (batch.sample, lambda: batch.step(np.zeros(2, np.int64))):
        with pytest.raises(ValueError, match="^this batch cannot go on: " + WHY.format("tires")):
            call()


@pytest.mark.skipif(os.name == "nt", reason="no such signals there")
def test_ctrl_c_ends_a_step_whose_opponent_hangs() -> None:
    ranka.register("hangs", Hangs)
    Hangs.hangs = False
    batch = ranka.Batch("kalah", 4, opponents=[("hangs", 4)], threads=2)
    batch.step(batch.sample())
    Hangs.hangs = True
    sent: list[float] = []

    def interrupt() -> None:
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(0.3, interrupt)
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            for _ in range(100):
                batch.step(batch.sample())
        assert time.monotonic() - sent[0] < 0.2
    finally:
        Hangs.hangs = False
        timer.cancel()
    for call in (batch.sample, lambda: batch.step(np.zeros(4, np.int64))):
        with pytest.raises(RuntimeError, match="this batch cannot go on: its opponents were cancelled"):
            call()


class Wraps:
    """Plays what another agent would."""

    def think(self, view: ranka.View) -> ranka.Thought:
        name = view.game.name
        return ranka.agent(WRAPPED[name]).think(view, seed=view.game.agent_seed(5, 0, 0, 0), budget="playouts=50")


WRAPPED = {"geister": "champion", "labyrinth": "champion"}


@pytest.mark.parametrize(("name", "inner"), WRAPPED.items())
def test_a_view_in_a_match_has_its_past(name: str, inner: str) -> None:
    """An agent of ours that is asked about it hears what the seat was told, and plays as if it sat there."""

    wrapped, plain = (
        ranka.match(name, [agent, "random"], games=1, seed=5, budget="playouts=50", threads=1, progress=False)
        for agent in (Wraps, inner)
    )
    assert wrapped.records[0].actions == plain.records[0].actions


FORKED = """
import os, sys
import ranka

def step(batch):
    batch.step(batch.sample())

before = ranka.Batch("kalah", 256, threads=2)
for batch in (before, ranka.Batch("kalah", 256), ranka.Batch("kalah", 256, threads=1)):
    step(batch)
child = os.fork()
if child == 0:
    step(batch)
    for threads in (None, 1, 2):
        step(ranka.Batch("kalah", 256, threads=threads))
    ranka.match("kalah", ["random", "random"], games=100, threads=2, progress=False)
    try:
        step(before)
    except RuntimeError as error:
        print(error, flush=True)
    os._exit(3)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork there")
def test_a_forked_process_waits_for_no_threads_that_it_has_not() -> None:
    """As `multiprocessing` and PyTorch's `DataLoader` make them."""
    done = subprocess.run([sys.executable, "-c", FORKED], capture_output=True, text=True, timeout=60)
    assert done.returncode == 3, done.stderr
    assert done.stdout.endswith("stayed behind when the process was forked: make a new one\n")
