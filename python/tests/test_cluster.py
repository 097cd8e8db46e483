"""The laboratory on Ray: the same results as here, whatever befalls machines, workers and the driver."""

from __future__ import annotations

import json
import logging
import math
import os
import resource
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import ranka

# Tests leave no token in anybody's home, and tell nobody.
os.environ |= {"RAY_AUTH_MODE": "disabled", "RAY_USAGE_STATS_ENABLED": "0"}
ray = pytest.importorskip("ray")

from ray_cluster import MEMORY, killing, started, workers  # noqa: E402

from ranka import _ranka, cluster  # noqa: E402

# What is written here is not installed where workers look for it.
ray.cloudpickle.register_pickle_by_value(sys.modules[__name__])

SLOW = ["minimax:depth=8", "minimax:depth=7"]
"""Some ten milliseconds a game."""


@pytest.fixture(scope="module")
def nodes() -> Iterator[Any]:
    """A cluster of two nodes, joined."""
    cluster = started(2)
    ray.init(address=cluster.address, logging_level="ERROR", log_to_driver=False)
    yield cluster
    ray.shutdown()
    cluster.shutdown()


def rows(store: Path) -> list[tuple[Any, ...]]:
    """All games of a store, by what they follow from."""
    sql = """SELECT identity, number, seats, scores, plies, reason, blame, detail, measured,
             coalesce(games.start, pairings.start), actions, answer
             FROM games JOIN pairings ON pairing = id ORDER BY 1, 2"""
    with sqlite3.connect(store) as db:
        return db.execute(sql).fetchall()


def count(store: Path) -> int:
    """How many games a store has so far, which somebody else may be making just now."""
    try:
        return len(rows(store)) if store.exists() else 0
    except sqlite3.OperationalError:
        return 0


def files(folder: Path) -> dict[str, bytes]:
    """A report's files but for its pages, which tell when they were made."""
    found = [path for path in folder.rglob("*") if path.is_file() and path.suffix != ".html"]
    return {str(path.relative_to(folder)): path.read_bytes() for path in found}


OWN = """
title = "{game}"
question = "The same there as here?"
game = "{game}"
rules = "{rules}"
games = {{ quick = 6, full = 6 }}
figures = ["score", "win"]
measures = {measures}
[round-robin]
agents = {agents}
final-of = 2
"""


@pytest.mark.parametrize(
    "what",
    [
        "kalah/table-1-n3m3",
        "geister-2021/table-5",
        "labyrinth-2024/four-players",
        OWN.format(
            game="tantrix",
            rules="",
            measures=["final-points", "obstructed-plies"],
            agents=["random", "greedy", "flat-mc:playouts=20"],
        ),
        OWN.format(
            game="tubstap",
            rules="map=duel",
            measures=["hp", "turns"],
            agents=["random", "standard", "uct:playouts=20"],
        ),
    ],
)
def test_every_game_gives_the_same_tables(nodes: Any, what: str, tmp_path: Path) -> None:
    found: list[Any] = []
    for place, lab in (("here", ranka), ("there", cluster)):
        options: dict[str, Any] = {"store": tmp_path / f"{place}.sqlite", "out": tmp_path / place, "progress": False}
        if "\n" in what:
            (tmp_path / "own.toml").write_text(what)
            found.append(lab.experiment(tmp_path / "own.toml", **options))
        else:
            found += lab.reproduce(what, games=4, **options)
    local, other = found
    assert other.complete
    assert other.figures == local.figures
    assert other.plots == local.plots
    expected, got = files(tmp_path / "here"), files(tmp_path / "there")
    assert {Path(path).suffix for path in got} >= {".json", ".csv", ".parquet"}
    assert got == expected
    assert rows(tmp_path / "there.sqlite") == rows(tmp_path / "here.sqlite")


def test_a_run_begun_here_goes_on_there_and_back(nodes: Any, tmp_path: Path) -> None:
    agents, store = ["minimax:depth=3", "minimax:depth=2", "random"], tmp_path / "s.sqlite"
    ranka.tournament("kalah", agents, games=6, store=store, progress=False)
    assert len(rows(store)) == 18
    told: list[tuple[int, int, str]] = []
    found = cluster.tournament(
        "kalah", agents, games=30, final_of=2, store=store, progress=lambda *so_far: told.append(so_far)
    )
    local = ranka.tournament("kalah", agents, games=30, final_of=2, store=tmp_path / "l.sqlite", progress=False)
    assert found.figures == local.figures
    assert rows(store) == rows(tmp_path / "l.sqlite")
    assert "2 nodes, 2 CPUs" in told[-1][2]
    # Three pairings of thirty games and a final of two; six of each were there.
    assert "18 of 92 games from the store" in str(found)
    again = ranka.tournament("kalah", agents, games=30, final_of=2, store=store, progress=False)
    assert again.figures == found.figures
    assert "92 of 92 games from the store" in str(again)
    other = cluster.tournament("kalah", agents, games=30, final_of=2, store=store, progress=False)
    assert "92 of 92 games from the store" in str(other)


@pytest.mark.parametrize("count", [1, 2, 3])
def test_any_number_of_nodes_gives_the_same(nodes: Any, count: int, tmp_path: Path) -> None:
    more = [nodes.add_node(num_cpus=1, object_store_memory=MEMORY) for _ in range(count - 2)]
    gone = sorted(nodes.worker_nodes, key=str)[: max(0, 2 - count)]
    for node in gone:
        nodes.remove_node(node)
    try:
        (tmp_path / "own.toml").write_text(
            OWN.format(game="kalah", rules="", measures=[], agents=["random", "minimax:depth=1", "minimax:depth=2"])
        )
        told: list[str] = []
        options: dict[str, Any] = {"games": 200}
        found = cluster.experiment(
            tmp_path / "own.toml",
            store=tmp_path / "there.sqlite",
            out=tmp_path / "there",
            seconds=0.05,
            progress=lambda _done, _games, words: told.append(words),
            **options,
        )
        local = ranka.experiment(
            tmp_path / "own.toml", store=tmp_path / "here.sqlite", out=tmp_path / "here", progress=False, **options
        )
        assert f"{count} node" in told[-1]
        assert found.figures == local.figures
        assert files(tmp_path / "there") == files(tmp_path / "here")
        assert rows(tmp_path / "there.sqlite") == rows(tmp_path / "here.sqlite")
    finally:
        for node in more:
            nodes.remove_node(node)
        for _ in gone:
            nodes.add_node(num_cpus=1, object_store_memory=MEMORY)


class Last:
    """An agent of one's own, which travels as code."""

    def think(self, view: ranka.View) -> str:
        return view.legal()[-1]


class Breaks(Last):
    """One that breaks."""

    def think(self, view: ranka.View) -> str:
        raise ZeroDivisionError("out of ideas")


def test_own_agents_and_their_faults(nodes: Any, tmp_path: Path) -> None:
    for agent, reason in ((Last, "rules"), (Breaks, "crash")):
        found = cluster.match("kalah", [agent, "random"], games=8, store=tmp_path / "s.sqlite", progress=False)
        assert found.lines == ranka.match("kalah", [agent, "random"], games=8, progress=False).lines
        assert found.reasons == {reason: 8}


class Number(Last):
    """One with a parameter."""

    def __init__(self, number: int) -> None:
        self.number = number

    def think(self, view: ranka.View) -> str:
        return view.legal()[self.number % len(view.legal())]


def test_agents_that_look_alike_are_two(nodes: Any, tmp_path: Path) -> None:
    agents: list[Any] = [lambda: Number(0), lambda: Number(-1)]
    found = cluster.match("kalah", agents, games=4, store=tmp_path / "s.sqlite", progress=False)
    assert found.lines == ranka.match("kalah", agents, games=4, progress=False).lines
    assert found.score not in (None, 0.5)


def test_registered_agents_play_there_too(nodes: Any, tmp_path: Path) -> None:
    ranka.register("last-of-all", Last)
    # One that does not travel is in nobody's way.
    lock = threading.Lock()

    class Locked(Last):
        def think(self, view: ranka.View) -> str:
            with lock:
                return view.legal()[0]

    ranka.register("locked", Locked)
    (tmp_path / "own.toml").write_text(
        OWN.format(game="kalah", rules="", measures=[], agents=["last-of-all", "random", "minimax:depth=1"])
    )
    found = cluster.experiment(tmp_path / "own.toml", store=tmp_path / "there.sqlite", progress=False)
    local = ranka.experiment(tmp_path / "own.toml", store=tmp_path / "here.sqlite", progress=False)
    assert found.figures == local.figures
    assert rows(tmp_path / "there.sqlite") == rows(tmp_path / "here.sqlite")
    agents = ["last-of-all", "random"]
    named = cluster.match("kalah", agents, games=4, store=tmp_path / "there.sqlite", progress=False)
    assert named.lines == ranka.match("kalah", agents, games=4, progress=False).lines
    with pytest.raises(OSError, match=r"python:Locked cannot be sent to other processes"):
        cluster.match("kalah", ["locked", "random"], games=2, store=tmp_path / "there.sqlite", progress=False)


def test_a_sequential_test_decides_by_the_order_of_games_and_then_stops(nodes: Any, tmp_path: Path) -> None:
    store = tmp_path / "s.sqlite"
    options: dict[str, Any] = {"elo0": 0, "elo1": 25, "games": 50_000, "progress": False}
    found = cluster.sprt("kalah", "minimax:depth=6", "minimax:depth=5", store=store, **options)
    local = ranka.sprt("kalah", "minimax:depth=6", "minimax:depth=5", store=tmp_path / "l.sqlite", **options)
    assert found.figures == local.figures
    assert found.decision != "undecided"
    assert len(rows(store)) <= 3 * found.games + 100
    begun = time.monotonic()
    while workers() and time.monotonic() - begun < 5:
        time.sleep(0.05)
    assert not workers()


def test_a_node_goes_and_another_comes(nodes: Any, tmp_path: Path) -> None:
    found: list[Any] = []
    options: dict[str, Any] = {"games": 600, "seed": 5, "progress": False}

    def play() -> None:
        found.append(cluster.match("kalah", SLOW, store=tmp_path / "s.sqlite", seconds=0.3, **options))

    playing = threading.Thread(target=play)
    playing.start()
    time.sleep(1)
    nodes.remove_node(sorted(nodes.worker_nodes, key=str)[0], allow_graceful=False)
    assert playing.is_alive()
    nodes.add_node(num_cpus=1, object_store_memory=MEMORY)
    playing.join()
    assert found[0].lines == ranka.match("kalah", SLOW, **options).lines


def test_workers_die_at_random_moments(nodes: Any, tmp_path: Path) -> None:
    told, seed, soak = [""], 3, int(os.environ.get("RANKA_SOAK", "1"))
    options: dict[str, Any] = {"games": 400 * soak, "seed": seed}
    with killing(seed, most=8 * soak) as killed:
        found = cluster.match(
            "kalah",
            SLOW,
            store=tmp_path / "s.sqlite",
            progress=lambda _done, _games, words: told.append(words),
            seconds=0.3,
            **options,
        )
    assert len(killed) > 2 * soak
    assert "shards again" in told[-1]
    assert found.lines == ranka.match("kalah", SLOW, progress=False, **options).lines
    assert len(rows(tmp_path / "s.sqlite")) == 400 * soak


def command(*words: object) -> list[str]:
    return [sys.executable, "-m", "ranka.cluster", *map(str, words)]


def test_a_killed_driver_goes_on_where_it_was(nodes: Any, tmp_path: Path) -> None:
    store, log = tmp_path / "s.sqlite", tmp_path / "games.jsonl"
    words = command(
        "match", "kalah", *SLOW, "--games", 600, "--seed", 9, "--address", nodes.address, "--store", store,
        "--seconds", 0.3, "--records", log, "--json",
    )  # fmt: skip
    driver = subprocess.Popen(words, stderr=subprocess.PIPE)
    begun = time.monotonic()
    while count(store) <= 100 and time.monotonic() - begun < 120:
        time.sleep(0.05)
    driver.send_signal(signal.SIGKILL)
    driver.wait()
    kept = rows(store)
    assert 100 < len(kept) < 600
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    local = ranka.match("kalah", SLOW, games=600, seed=9, progress=False)
    figures = json.loads(done.stdout)
    assert [record.line for record in ranka.records.read(log)] == local.lines
    assert figures["from_store"] == len(kept)
    clock = {"seconds", "decisions", "from_store"}
    assert {k: v for k, v in figures.items() if k not in clock} == {
        k: v for k, v in local.figures.items() if k not in clock
    }
    # What there was stays as it was.
    assert set(kept) <= set(rows(store))


def test_ctrl_c_stops_the_command_and_it_goes_on(nodes: Any, tmp_path: Path) -> None:
    store = tmp_path / "s.sqlite"
    words = command("match", "kalah", *SLOW, "--address", nodes.address, "--store", store, "--seconds", 0.3, "--games")
    with subprocess.Popen([*words, "100000"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as driver:
        begun = time.monotonic()
        while count(store) <= 50 and time.monotonic() - begun < 120:
            time.sleep(0.05)
        driver.send_signal(signal.SIGINT)
        out, said = driver.communicate(timeout=60)
    assert (driver.returncode, out) == (130, ""), said
    assert "stopped\nWhat was played is kept, and the same command goes on." in said
    assert "Traceback" not in said
    kept = rows(store)
    games = max(game[1] for game in kept) + 1
    again = cluster.match("kalah", SLOW, games=games, store=store, progress=False)
    assert again.from_store == len(kept) > 50


def test_the_death_of_the_head_node_is_told_and_loses_nothing(nodes: Any, tmp_path: Path) -> None:
    store, other = tmp_path / "s.sqlite", started(1)
    head = other.address
    words = command("match", "kalah", *SLOW, "--games", 100_000, "--address", head, "--store", store)
    driver = subprocess.Popen([*words, "--seconds", "0.3"], stderr=subprocess.PIPE, text=True)
    try:
        begun = time.monotonic()
        while count(store) <= 50 and time.monotonic() - begun < 120:
            time.sleep(0.05)
        other.head_node.kill_gcs_server()
        _, said = driver.communicate(timeout=300)
    finally:
        driver.kill()
        other.shutdown()
    assert f"the head node of the cluster, {head}, does not answer any more" in said
    assert "What was played is kept, and the same command goes on." in said
    assert driver.returncode == 3
    kept = rows(store)
    again = cluster.match("kalah", SLOW, games=max(game[1] for game in kept) + 1, store=store, progress=False)
    assert again.from_store == len(kept) > 50
    assert set(kept) <= set(rows(store))


@pytest.fixture
def other_build(tmp_path: Path) -> Path:
    """The package as somebody else built it."""
    package = Path(ranka.__file__).parent
    shutil.copytree(package, tmp_path / "other" / "ranka")
    (module,) = (tmp_path / "other" / "ranka").glob("_ranka*.so")
    module.write_bytes(module.read_bytes() + b"\0")
    # Before Ray shows its workers the driver's own.
    (tmp_path / "other" / "sitecustomize.py").write_text("import ranka")
    return tmp_path / "other"


def test_a_node_of_another_build_is_refused_by_name(
    nodes: Any, other_build: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    strange = nodes.add_node(num_cpus=1, object_store_memory=MEMORY, env_vars={"PYTHONPATH": str(other_build)})
    try:
        with caplog.at_level(logging.WARNING, "ranka.cluster"):
            found = cluster.match("kalah", SLOW, games=200, store=tmp_path / "s.sqlite", progress=False, seconds=0.2)
        assert found.lines == ranka.match("kalah", SLOW, games=200, progress=False).lines
        (said,) = [record.getMessage() for record in caplog.records]
        assert strange.node_id[:8] in said
        assert "is refused: its ranka is another build" in said
    finally:
        nodes.remove_node(strange)


def test_a_node_without_ranka_is_refused_by_name(nodes: Any, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "bare").mkdir()
    (tmp_path / "bare" / "sitecustomize.py").write_text("import sys\nsys.modules['ranka'] = None\n")
    strange = nodes.add_node(num_cpus=1, object_store_memory=MEMORY, env_vars={"PYTHONPATH": str(tmp_path / "bare")})
    try:
        with caplog.at_level(logging.WARNING, "ranka.cluster"):
            found = cluster.match("kalah", SLOW, games=200, store=tmp_path / "s.sqlite", progress=False, seconds=0.2)
            assert len(list(cluster.map(_slowly, 40, shard=1))) == 40
        assert found.lines == ranka.match("kalah", SLOW, games=200, progress=False).lines
        said = [record.getMessage() for record in caplog.records]
        assert len(said) == 2, "once each"
        assert all(strange.node_id[:8] in one and "ranka.cluster is not installed there" in one for one in said)
    finally:
        nodes.remove_node(strange)


def test_the_panic_of_an_agent_of_ours_is_its_own_fault(nodes: Any, tmp_path: Path) -> None:
    """A network that tells no numbers of anything but the empty board, on which it is tried first."""
    pytest.importorskip("onnx")
    from test_onnx import network, zeros

    game = ranka.game("kalah")
    length = math.prod(game.observation_shape)
    overflowing = zeros(length, 8) + 3e38, zeros(8, game.action_count)
    overflowing[1][0], overflowing[1][1:] = 1, -1
    file = network(tmp_path / "net.onnx", ["batch", *game.observation_shape], overflowing, zeros(length, 3))
    agents = [f"onnx:file={file}", "random"]
    found = cluster.match(game, agents, games=8, store=tmp_path / "s.sqlite", progress=False)
    assert found.lines == ranka.match(game, agents, games=8, progress=False).lines
    assert found.reasons == {"crash": 8}
    assert "the network failed" in found.records[0].data["end"]["detail"]


def test_when_nobody_can_play_it_says_why(nodes: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # The bot's program is here, and not where the workers look for it.
    bot = tmp_path / "my-bot"
    bot.write_text("#!/bin/sh\n")
    bot.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    with pytest.raises(OSError, match=r"no node of the cluster can play this: .*my-bot.*no such program"):
        cluster.match("kalah", ["bot:cmd=my-bot", "random"], games=2, store=tmp_path / "s.sqlite", progress=False)
    monkeypatch.setattr(_ranka, "this_build", lambda: "0123456789abcdef")
    with pytest.raises(OSError, match=r"another build: .* there, 0123456789ab here"):
        cluster.match("kalah", ["random", "random"], games=2, store=tmp_path / "s.sqlite", progress=False)


def test_it_does_not_wait_for_a_node_that_has_gone(nodes: Any, tmp_path: Path) -> None:
    """The bot's program is on one node alone, which goes."""
    bot = tmp_path / "there" / "my-bot"
    bot.parent.mkdir()
    bot.write_text(f"#!/bin/sh\nexec {sys.executable} -c 'import time; time.sleep(60)'\n")
    bot.chmod(0o755)
    able = nodes.add_node(
        num_cpus=1, object_store_memory=MEMORY, env_vars={"PATH": f"{bot.parent}:{os.environ['PATH']}"}
    )
    failed: list[BaseException] = []

    def play() -> None:
        try:
            cluster.match(
                "kalah",
                ["bot:cmd=my-bot,name=x,start=600000", "random"],
                games=2,
                store=tmp_path / "s.sqlite",
                progress=False,
            )
        except BaseException as error:
            failed.append(error)

    path = os.environ["PATH"]
    os.environ["PATH"] = f"{bot.parent}:{path}"
    try:
        playing = threading.Thread(target=play, daemon=True)
        playing.start()
        time.sleep(8)
    finally:
        os.environ["PATH"] = path
        nodes.remove_node(able, allow_graceful=False)
    playing.join(60)
    assert not playing.is_alive()
    assert "no node of the cluster can play this" in str(failed[0])
    assert "no such program" in str(failed[0])
    assert able.node_id[:8] not in str(failed[0]), "it was not refused"


def _numbers(numbers: range, seed: int) -> list[str]:
    game = ranka.game("labyrinth")
    return [game.start(seed, deal=number).notation for number in numbers]


def test_map_gives_everything_once_and_in_order(nodes: Any) -> None:
    game = ranka.game("labyrinth")
    expected = [game.start(7, deal=number).notation for number in range(300)]
    parts = list(cluster.map(_numbers, 300, seed=7))
    assert [number for numbers, _ in parts for number in numbers] == list(range(300))
    assert [text for _, part in parts for text in part] == expected
    unordered = dict(cluster.map(_numbers, 300, seed=7, shard=50, ordered=False))
    assert sorted(unordered, key=lambda numbers: numbers.start) == [range(i, i + 50) for i in range(0, 300, 50)]


def test_map_takes_no_other_build_and_no_nonsense(
    nodes: Any, other_build: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    strange = nodes.add_node(num_cpus=1, object_store_memory=MEMORY, env_vars={"PYTHONPATH": str(other_build)})
    try:
        time.sleep(2)
        with caplog.at_level(logging.WARNING, "ranka.cluster"):
            assert len(list(cluster.map(_slowly, 40, shard=1))) == 40
        (said,) = [record.getMessage() for record in caplog.records]
        assert strange.node_id[:8] in said
        assert "is refused: its ranka is another build" in said
    finally:
        nodes.remove_node(strange)
    for options in ({"games": -5}, {"games": 5, "seconds": 0}, {"games": 5, "seconds": -1}, {"games": 5, "shard": 0}):
        with pytest.raises(ValueError, match="expected"):
            cluster.map(_slowly, **options)  # type: ignore[arg-type]
    monkeypatch.setattr(_ranka, "this_build", lambda: "0123456789abcdef")
    with pytest.raises(RuntimeError, match=r"another build: .* there, 0123456789ab here"):
        list(cluster.map(_slowly, 4))


def _slowly(numbers: range, seed: int) -> list[int]:
    time.sleep(0.1)
    return list(numbers)


def test_map_waits_for_whoever_takes(nodes: Any, tmp_path: Path) -> None:
    begun = tmp_path / "begun"
    begun.touch()

    def work(numbers: range, seed: int) -> bytes:
        with open(begun, "a") as file:
            file.write("x")
        return bytes(100_000)

    parts = cluster.map(work, 1000, shard=10)
    next(parts)
    time.sleep(1)
    assert len(begun.read_text()) <= 6, "two processors, two deep, and the one that was taken"
    parts.close()  # type: ignore[attr-defined]


def test_map_survives_workers_and_tells_exceptions(nodes: Any) -> None:
    def slowly(numbers: range, seed: int) -> list[int]:
        time.sleep(0.05)
        return [number + seed for number in numbers]

    with killing(3, most=3) as killed:
        made = [number for _, part in cluster.map(slowly, 400, seed=1, shard=10) for number in part]
    assert made == list(range(1, 401))
    assert killed

    def broken(numbers: range, seed: int) -> None:
        raise ZeroDivisionError(f"in {numbers}")

    with pytest.raises(ZeroDivisionError, match=r"^in range\((0, 5|5, 10)\)$"):
        list(cluster.map(broken, 10, shard=5))


def test_a_full_disk_at_the_driver_is_an_error_and_loses_nothing(nodes: Any, tmp_path: Path) -> None:
    store = tmp_path / "s.sqlite"

    def play(games: int) -> Any:
        return cluster.match("kalah", ["random", "random"], games=games, store=store, progress=False)

    play(100)
    kept = rows(store)
    usual = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (500_000, usual[1]))
    try:
        with pytest.raises(OSError, match=r"s\.sqlite: the store: "):
            play(50_000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, usual)
    assert set(kept) <= set(rows(store))
    assert play(200).lines == ranka.match("kalah", ["random", "random"], games=200, progress=False).lines


def test_standard_output_has_nothing_but_results() -> None:
    """Ray tells there of nodes and workers that died."""
    program = (
        "import sys; from ranka.cluster import __main__ as program\n"
        "program.COMMANDS['match'] = lambda args: print('a worker died') or program._print('results\\n') or 0\n"
        "sys.exit(program.main(['match', 'kalah', 'random', 'random']))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("results\n", "a worker died\n")


def test_bad_input_is_told(tmp_path: Path) -> None:
    without = (
        "import sys; sys.modules['ray'] = None; from ranka.cluster.__main__ import main; sys.exit(main(sys.argv[1:]))"
    )
    asked = ["match", "kalah", "random", "random", "--store", str(tmp_path / "s.sqlite")]
    wrong = tmp_path / "wrong.toml"
    wrong.write_text("nonsense")
    # Whatever is wrong with the work is told before any cluster is looked for: there is none.
    nowhere = ["--address", "127.0.0.1:1"]
    for words, code, said in (
        ([sys.executable, "-c", without, *asked], 2, "needs Ray, which is not installed: pip install 'ranka[ray]'"),
        (command(*asked, *nowhere), 1, "no Ray cluster at 127.0.0.1:1: [Errno 111]"),
        (command(*asked, "--address", "ray://here:1"), 2, "address ray://here:1: run on a machine of the cluster"),
        (command(*asked, "--address", "here"), 2, "address here: expected HOST:PORT, auto or local"),
        (command("match", "kalah", "rando", "random", *nowhere), 2, "did you mean random?"),
        (command("match", "kalah", "random", "random", "--map", "x", *nowhere), 2, "map"),
        (command("match", "kalah", "random", "random", "--seed", "-1", *nowhere), 2, "seed -1: expected"),
        (command("reproduce", "kala", *nowhere), 4, "did you mean kalah?"),
        (command("experiment", "run", "nothing.toml", *nowhere), 5, "nothing.toml"),
        (command("experiment", "run", wrong, *nowhere), 2, "wrong.toml"),
        (command(*asked, "--seconds", "0", *nowhere), 2, "seconds 0.0: expected a number above 0"),
        (command("match", "kalah", "random", "random", "--games", "0"), 2, "expected a whole number from 1 on"),
        (command(*asked, "--no-store"), 2, "--no-store cannot be used with --store"),
    ):
        begun = time.monotonic()
        done = subprocess.run(words, capture_output=True, text=True, timeout=120)
        assert (done.returncode, said in done.stderr) == (code, True), (words, done.returncode, done.stderr)
        assert "Traceback" not in done.stderr
        assert "is kept" not in done.stderr
        assert time.monotonic() - begun < 60


def test_what_answers_and_is_no_ray_is_named(tmp_path: Path) -> None:
    """Somebody who hangs up at once."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        threading.Thread(target=_hang_up, args=(server,), daemon=True).start()
        address = f"127.0.0.1:{server.getsockname()[1]}"
        words = command("match", "kalah", "random", "random", "--no-store", "--address", address)
        done = subprocess.run(words, capture_output=True, text=True, timeout=300)
    assert done.returncode == 1, done.stderr
    assert f"no Ray cluster at {address}: " in done.stderr
    assert "Traceback" not in done.stderr


def _hang_up(server: socket.socket) -> None:
    while True:
        try:
            server.accept()[0].close()
        except OSError:
            return


def test_the_command_has_the_programs_words(nodes: Any, tmp_path: Path) -> None:
    at = ["--address", nodes.address, "--store", tmp_path / "s.sqlite"]

    def said(*words: object, code: int = 0) -> str:
        done = subprocess.run(command(*words), capture_output=True, text=True)
        assert done.returncode == code, done.stderr
        return done.stdout + done.stderr

    assert "kalah/table-1-n3m3" in said("reproduce", "--list")
    (found,) = ranka.reproduce("kalah/table-1-n3m3", games=4, progress=False)
    printed = said("reproduce", "kalah/table-1-n3m3", "--games", 4, "--table", "auto", *at)
    assert printed.endswith(str(found))
    assert "computed" in printed
    said(
        "tournament", "tubstap", "random", "standard", "--map", "duel", "--games", 2, "--out", tmp_path / "report", *at
    )
    assert (tmp_path / "report" / "index.html").exists()
    assert said("match", "kalah", "random", "random", "--games", 4, "--keep", 2, "--json", *at)
    again = said("match", "kalah", "random", "random", "--games", 4, "--json", *at)
    assert json.loads(again)["from_store"] == 2
    (tmp_path / "own.toml").write_text(
        OWN.format(game="kalah", rules="", measures=[], agents=["random", "minimax:depth=1", "minimax:depth=2"])
    )
    assert "minimax" in said("experiment", "run", tmp_path / "own.toml", "--seed", 5, "--table", "full", *at)


PROGRAM = os.environ.get("RANKA_PROGRAM") or shutil.which("ranka")


@pytest.mark.skipif(PROGRAM is None, reason="RANKA_PROGRAM names no program: what is printed is not compared with it")
def test_it_prints_what_the_program_prints_byte_for_byte(nodes: Any, tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text(
        OWN.format(game="kalah", rules="", measures=[], agents=["random", "minimax:depth=1", "minimax:depth=2"])
    )

    def printed(run: list[str], *words: object) -> tuple[int, bytes]:
        done = subprocess.run([*run, *map(str, words)], capture_output=True, timeout=300)
        assert done.stdout, done.stderr
        return done.returncode, done.stdout

    elo: list[object] = ["--elo0", 0, "--elo1", 100.5, "--games", 60]
    asked: list[list[object]] = [
        ["match", "kalah", "minimax:depth=2", "random", "--games", 20],
        ["match", "labyrinth", "random", "random", "random", "--rules", "players=3", "--games", 6],
        ["tournament", "kalah", "random", "minimax:depth=1", "minimax:depth=2", "--games", 6, "--final-of", 2],
        ["sprt", "kalah", "minimax:depth=2", "random", *elo],
        ["sprt", "kalah", "random", "random", *elo, "--model", "normalized", "--seats", "random"],
        ["experiment", "run", tmp_path / "own.toml", "--games", 4, "--table", "full"],
        ["reproduce", "kalah/table-1-n3m3", "--games", 4],
    ]
    for number, words in enumerate(asked):
        here = [str(PROGRAM), *map(str, words), "--store", str(tmp_path / f"{number}-here.sqlite")]
        there = command(*words, "--store", tmp_path / f"{number}-there.sqlite", "--address", nodes.address)
        first = [printed(here), printed(there)]
        # How long a move took differs from run to run. What the store has was timed by nobody.
        if words[0] != "match":
            assert first[0] == first[1]
        for form in ([], ["--json"]):
            assert printed(here, *form) == printed(there, *form)
    for form in ([], ["--json"]):
        listed = ["reproduce", "--list", "geister-2021", *form]
        assert printed([str(PROGRAM), *listed]) == printed(command(*listed))


def test_a_bot_that_never_played_has_an_exit_code(nodes: Any, tmp_path: Path) -> None:
    # In a folder of its own: all that lies beside it is part of it.
    bot = tmp_path / "bot" / "silent"
    bot.parent.mkdir()
    bot.write_text("#!/bin/sh\nexit 0\n")
    bot.chmod(0o755)
    spec = f"bot:cmd={bot},name=silent,start=5000"
    words = ["kalah", spec, "random", "--games", 2, "--address", nodes.address, "--store", tmp_path / "s.sqlite"]
    for what in ("match", "tournament"):
        done = subprocess.run(command(what, *words), capture_output=True, text=True, timeout=120)
        assert (done.returncode, "silent never played a legal action" in done.stderr) == (3, True), done.stderr
