"""The laboratory from Python: the same records, the same store, agents of one's own, and Ctrl-C."""

from __future__ import annotations

import copy
import html
import json
import os
import pickle
import random
import shutil
import signal
import subprocess
import threading
import time
from pathlib import Path
from typing import Any, ClassVar

import pytest

import ranka

PROGRAM = os.environ.get("RANKA_PROGRAM") or shutil.which("ranka")


class Chooser:
    """Draws from what it is given."""

    def think(self, view: ranka.View, rng: random.Random) -> str:
        return rng.choice(view.legal())


class Listener:
    """Keeps what it is told."""

    heard: ClassVar[list[tuple[Any, ...]]] = []

    def think(self, view: ranka.View) -> int:
        return view.legal_indices()[0]

    def told(self, by: int | None, action: str | None, before: ranka.View, after: ranka.View) -> None:
        assert before.seat == after.seat
        Listener.heard.append((by, action))


@pytest.mark.skipif(PROGRAM is None, reason="RANKA_PROGRAM names no program: records are not compared with it")
@pytest.mark.parametrize(
    ("name", "rules", "agents"),
    [
        ("kalah", "", ["minimax:depth=3", "random"]),
        ("geister", "plies=60", ["random", "random"]),
        ("labyrinth", "players=3", ["random", "distance", "random"]),
        ("tantrix", "", ["random", "greedy"]),
        ("tubstap", "map=duel", ["random", "standard"]),
    ],
)
def test_the_program_plays_the_same_records(name: str, rules: str, agents: list[str], tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    command = [str(PROGRAM), "match", name, *agents, "--games", "6", "--seed", "11", "--records", str(file)]
    subprocess.run([*command, *(["--rules", rules] if rules else [])], check=True, capture_output=True)
    result = ranka.match(ranka.game(name, rules=rules), agents, games=6, seed=11, threads=1)
    assert [record.line for record in result.records] == [record.line for record in ranka.records.read(file)]
    for record in result.records:
        record.verify()


def test_threads_change_nothing_and_states_retrace_a_record() -> None:
    one, two = (ranka.match("geister", ["random", Chooser], games=8, seed=3, threads=n) for n in (1, 4))
    assert one.lines == two.lines
    record = one.records[1]
    states = list(record.states())
    assert len(states) == len(record.actions) + 1
    assert states[-1].outcome == record.outcome or record.reason != "rules"
    drawn = slides(record)
    assert [svg for _, svg in drawn] == [state.picture() for state in states]
    assert [caption for caption, _ in drawn][1] == f"1 of {len(record.actions)}: {record.actions[0]}"


def slides(record: ranka.Record) -> list[tuple[str, str]]:
    """What the slider of a record in a notebook shows."""
    page = record._repr_html_()
    parts, frames = (json.loads(html.unescape(page.split(f"data-{name}='")[1].split("'")[0])) for name in NAMES)
    return [(caption, "".join(parts[number] for number in numbers)) for caption, *numbers in frames]


NAMES = ("parts", "frames")


def asked(*words: object, code: int = 0) -> str:
    """What the program says."""
    done = subprocess.run([str(PROGRAM), *map(str, words)], capture_output=True, text=True)
    assert done.returncode == code, done.stderr
    return done.stdout


CLOCK = "seconds"


@pytest.mark.skipif(PROGRAM is None, reason="RANKA_PROGRAM names no program: figures are not compared with it")
def test_the_program_tells_the_same_figures(tmp_path: Path) -> None:
    agents = ["minimax:depth=2", "random"]
    words = [*agents, "--games", 20, "--seed", 3, "--budget", "nodes=50"]
    theirs = json.loads(asked("match", "kalah", *words, "--json", "--store", tmp_path / "theirs.sqlite"))
    ours = ranka.match("kalah", agents, games=20, seed=3, budget="nodes=50", store=tmp_path / "ours.sqlite")
    assert {**theirs, CLOCK: 0} == {**ours.figures, CLOCK: 0}
    # Each goes on with what the other has played.
    again = ranka.match("kalah", agents, games=30, seed=3, budget="nodes=50", store=tmp_path / "theirs.sqlite")
    assert (again.from_store, again.games) == (20, 30)
    words = [*agents, "--elo0", 0, "--elo1", 100, "--alpha", 0.01, "--seed", 3, "--model", "normalized"]
    theirs = json.loads(asked("sprt", "kalah", *words, "--json", "--store", tmp_path / "theirs.sqlite"))
    test = ranka.sprt(
        "kalah", *agents, elo0=0, elo1=100, alpha=0.01, seed=3, normalized=True, store=tmp_path / "ours.sqlite"
    )
    # Two builds have played the games of the two stores.
    assert {**theirs, "by_other_builds": 0} == {**test.figures, "by_other_builds": 0}
    found = ranka.tournament("kalah", [*agents, "minimax:depth=1"], games=6, store=tmp_path / "ours.sqlite")
    words = ["tournament", "kalah", *agents, "minimax:depth=1", "--games", 6, "--store", tmp_path / "theirs.sqlite"]
    assert found.figures == json.loads(asked(*words, "--fresh", "--json"))
    assert str(found) == asked(*words, "--fresh")


@pytest.mark.skipif(PROGRAM is None, reason="RANKA_PROGRAM names no program: tables are not compared with it")
def test_the_program_prints_the_same_table(tmp_path: Path) -> None:
    (found,) = ranka.reproduce("kalah/table-1-n3m3", games=4, store=tmp_path / "ours.sqlite")
    words = ["reproduce", "kalah/table-1-n3m3", "--games", 4, "--store", tmp_path / "theirs.sqlite"]
    printed = asked(*words)
    assert printed.endswith(str(found))
    assert "computed" in str(found)


def test_a_match_is_kept_where_it_is_told_to(tmp_path: Path) -> None:
    usual, store = Path(os.environ["RANKA_STORE"]), tmp_path / "named.sqlite"
    ranka.match("kalah", ["random", "random"], games=4, progress=False)
    assert not usual.exists()
    options: dict[str, Any] = {"games": 4, "progress": False}
    assert ranka.match("kalah", ["random", "random"], store=store, keep=2, **options).from_store == 0
    assert ranka.match("kalah", ["random", "random"], store=store, **options).from_store == 2
    assert ranka.match("kalah", ["random", "random"], store=store, fresh=True, **options).from_store == 0
    ranka.match("kalah", ["random", "random"], store=True, **options)
    assert usual.exists()


def test_reports_of_tournaments_and_seeds_of_experiments(tmp_path: Path) -> None:
    ranka.tournament("kalah", ["random", "minimax:depth=1"], games=4, out=tmp_path / "report", progress=False)
    assert (tmp_path / "report" / "index.html").exists()
    file = tmp_path / "own.toml"
    text, _ = ranka._ranka.listed_experiments("kalah")
    assert "kalah/table-1-n3m3" in text
    file.write_text(
        'title = "t"\nquestion = "q"\ngame = "kalah"\ngames = { quick = 4, full = 4 }\nfigures = ["score"]\n'
        '[[pairing]]\nname = "p"\nagents = ["random", "random"]\n'
    )
    ids = [ranka.experiment(file, seed=seed, progress=False).pairings[0]["id"] for seed in (None, 5, 5, 6)]
    assert ids[1] == ids[2]
    assert len(set(ids)) == 3


def test_an_agent_asked_alone_does_what_it_did_in_the_match() -> None:
    game = ranka.game("geister", plies=60)
    record = ranka.match(game, ["purple-max:depth=3", "random"], games=2, seed=4).records[0]
    state = game.start(4)
    agents = [ranka.agent("purple-max:depth=3"), ranka.agent("random")]
    for action in record.actions:
        assert state.actor is not None
        seed = game.agent_seed(4, 0, 0, state.actor)
        assert agents[state.actor].think(state.view(), seed=seed).choice == action
        state = state.apply(action)
    assert state.outcome == record.outcome


def test_results_are_tables_and_pictures() -> None:
    result = ranka.match("kalah", ["minimax:depth=2", "random"], games=10, seed=1)
    table = result.to_arrow()
    assert len(table) == 10
    assert sum(table.column("seat0.score")) + sum(table.column("seat1.score")) == 10
    assert table.column("agent0.seat") == [0, 1] * 5
    for seat, score, seats in zip(
        table.column("agent0.seat"),
        table.column("agent0.score"),
        zip(table.column("seat0.score"), table.column("seat1.score"), strict=True),
        strict=True,
    ):
        assert score == seats[seat]
    assert set(table.column("pairing")) == {"minimax:depth=2 – random"}
    assert set(table.column("agent1.name")) == {"random"}
    assert set(table.column("blame.seat")) == {None}
    assert "<table>" in result._repr_html_()
    assert result.plot()._repr_svg_().startswith("<svg")
    pyarrow = pytest.importorskip("pyarrow")
    assert pyarrow.table(table).column("plies").to_pylist() == table.column("plies")
    pytest.importorskip("pandas")
    assert list(pyarrow.table(table).to_pandas()["reason"]) == ["rules"] * 10


def test_tournament_sprt_and_store(tmp_path: Path) -> None:
    store = tmp_path / "kept.sqlite"
    agents: list[Any] = ["minimax:depth=3", "minimax:depth=1", Chooser]
    found = ranka.tournament("kalah", agents, games=6, seed=2, store=store)
    assert found.complete
    assert len(found.to_arrow()) == 18
    assert "<table>" in found._repr_html_()
    assert sum(pairing["games"] for pairing in ranka.records.pairings(store)) == 18
    identity = ranka.records.pairings(store)[0]["identity"]
    records, table = ranka.records.stored(identity[:12], store)
    assert len(records) == len(table) == 6
    test = ranka.sprt("kalah", "minimax:depth=3", "random", elo0=0, elo1=200, store=store)
    assert test.decision == "h1"
    assert len(test.to_arrow()) == test.games


def test_experiments(tmp_path: Path) -> None:
    (found,) = ranka.reproduce("kalah/table-1-n3m3", games=4, store=tmp_path / "s.sqlite")
    assert found.rows
    assert all(plot.startswith("<svg") for plot in found.plots)
    file = tmp_path / "broken.toml"
    file.write_text("nonsense")
    with pytest.raises(ValueError, match=r"broken\.toml"):
        ranka.experiment(file)


def test_an_agent_is_told_everything() -> None:
    Listener.heard.clear()
    record = ranka.match("geister", [Listener, "random"], games=1, seed=1, seats="fixed").records[0]
    assert len(Listener.heard) == len(record.actions)
    assert [action for _, action in Listener.heard][2:] == record.actions[2:]
    assert Listener.heard[0] == (0, record.actions[0])
    assert Listener.heard[1] == (1, None), "the other's set-up is hidden"


class Raises:
    def think(self, view: ranka.View) -> str:
        raise ZeroDivisionError("out of ideas")


class RaisesWhenTold(Chooser):
    def told(self, *event: object) -> None:
        raise KeyError("what")


class Hangs:
    def think(self, view: ranka.View) -> str:
        while True:
            pass


class Sleeps:
    def think(self, view: ranka.View) -> str:
        time.sleep(0.6)
        return view.legal()[0]


class Silent:
    def think(self, view: ranka.View) -> None:
        return None


class Nonsense:
    def think(self, view: ranka.View) -> str:
        return "the big one"


class BeyondNumbers:
    def think(self, view: ranka.View) -> int:
        return 10**6


class Illegal:
    def think(self, view: ranka.View) -> str:
        return "12" if view.seat == 0 else "1"


class CannotBeMade(Chooser):
    def __init__(self) -> None:
        raise RuntimeError("not today")


@pytest.mark.parametrize(
    ("agent", "reason", "detail"),
    [
        (Raises, "crash", "ZeroDivisionError: out of ideas"),
        (RaisesWhenTold, "crash", "KeyError"),
        (CannotBeMade, "crash", "RuntimeError: not today"),
        (Hangs, "timeout", ""),
        (Sleeps, "timeout", ""),
        (Silent, "protocol", "think answered None"),
        (Nonsense, "protocol", "the big one"),
        (BeyondNumbers, "protocol", "1000000"),
        (Illegal, "illegal", ""),
    ],
)
def test_faults_have_names(agent: type, reason: str, detail: str) -> None:
    result = ranka.match("kalah", [agent, "random"], games=2, move_limit=0.2)
    assert result.reasons == {reason: 2}
    assert result.scores[0] == 0
    for record in result.records:
        record.verify()
        assert detail in record.data["end"].get("detail", "")


def test_what_is_no_agent_is_refused() -> None:
    for strange in (3, object(), int):
        with pytest.raises(TypeError, match="no agent"):
            ranka.match("kalah", [strange, "random"], games=1)  # type: ignore[list-item]


@pytest.mark.parametrize(
    ("agents", "after"),
    # The last has played many games until then, of which nothing is to be made any more.
    [(["minimax:depth=12", "minimax:depth=12"], 0.5), ([Hangs, "random"], 0.5), (["random", "random"], 4)],
)
def test_ctrl_c_returns_at_once(agents: list[Any], after: float) -> None:
    pressed: list[float] = []

    def press() -> None:
        time.sleep(after)
        pressed.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    # Whoever runs the tests in the background has Ctrl-C ignored.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    presser = threading.Thread(target=press)
    presser.start()
    with pytest.raises(KeyboardInterrupt):
        ranka.match("kalah", agents, games=100_000_000, progress=False)
    took = time.monotonic() - pressed[0]
    presser.join()
    signal.signal(signal.SIGINT, before)
    assert took < 0.2, took


def test_ctrl_c_ends_all_experiments_of_a_paper(tmp_path: Path) -> None:
    """And not only the one that is being played."""
    pressed: list[float] = []
    told: list[str] = []

    def press(done: int, _games: int, words: str) -> None:
        if done and not pressed:
            pressed.append(time.monotonic())
            os.kill(os.getpid(), signal.SIGINT)
        told.append(words)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            ranka.reproduce(store=tmp_path / "s.sqlite", size="full", progress=press)
    finally:
        signal.signal(signal.SIGINT, before)
    assert time.monotonic() - pressed[0] < 1


def test_progress_is_told() -> None:
    heard: list[tuple[int, int, str]] = []
    ranka.match("kalah", ["random", "random"], games=50, progress=lambda *so_far: heard.append(so_far))
    assert heard[-1][:2] == (50, 50)


def test_statistics() -> None:
    low, high = ranka.stats.wilson(50, 100)
    assert low < 0.5 < high
    assert ranka.stats.elo_of(ranka.stats.score_of(100.0)) == pytest.approx(100)
    assert ranka.stats.sign_test(10, 10) == 1
    assert ranka.stats.sprt_test([300, 0, 100], 0, 50)[2] == "H1"
    assert ranka.stats.ratings([[0, 8], [2, 0]], [[0, 0], [0, 0]])[0][0] > 0
    with pytest.raises(ValueError, match="successes"):
        ranka.stats.wilson(3, 2)


def test_results_are_pickled_copied_and_compared() -> None:
    result = ranka.match("kalah", [Chooser, "random"], games=4, seed=2, progress=False)
    league = ranka.tournament("kalah", ["minimax:depth=1", "random"], games=4, progress=False)
    for made in (result, league):
        for same in (copy.copy(made), copy.deepcopy(made), pickle.loads(pickle.dumps(made))):
            assert same == made
            assert str(same) == str(made)
            table = same.to_arrow()
            assert [table.column(name) for name in table.columns] == [
                made.to_arrow().column(name) for name in table.columns
            ]
    with pytest.raises(AttributeError, match="no figure 'sores'"):
        _ = result.sores
    thought = ranka.agent("minimax:depth=3").think(ranka.game("kalah").start().view())
    for same in (copy.deepcopy(thought), pickle.loads(pickle.dumps(thought))):
        assert same == thought
        assert same.candidates == thought.candidates
        assert same.notes == thought.notes
    assert thought != ranka.Thought(thought.choice)


def test_a_match_without_a_store_leaves_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usual = tmp_path / "usual.sqlite"
    monkeypatch.setenv("RANKA_STORE", str(usual))
    for store in (None, False):
        ranka.match("kalah", ["random", "random"], games=2, store=store, progress=False)
        assert not usual.exists()
    ranka.match("kalah", ["random", "random"], games=2, store=True, progress=False)
    assert usual.exists()


class Deep:
    """One that has something to be told apart by."""

    def __init__(self, depth: int) -> None:
        self.depth = depth

    def think(self, view: ranka.View) -> str:
        return view.legal()[self.depth % len(view.legal())]


class Wordy:
    """Says too much."""

    def think(self, view: ranka.View) -> str:
        raise ValueError("x" * 1_000_000)


class Babbles:
    """Answers too much."""

    def think(self, view: ranka.View) -> Any:
        return ["x" * 1_000_000]


def test_agents_of_one_class_are_told_apart() -> None:
    result = ranka.match("kalah", [Deep(0), Deep(1)], games=4, progress=False)
    assert result.names == ["python:Deep", "python:Deep#2"]
    assert {name for record in result.records for name in record.agents} == {"python:Deep", "python:Deep#2"}
    # As with names, the same agent twice has the same name.
    assert ranka.match("kalah", [Chooser, Chooser], games=2, progress=False).names == ["python:Chooser"] * 2


@pytest.mark.parametrize("agent", [Wordy, Babbles])
def test_what_an_agent_says_is_cut(agent: Any) -> None:
    (record,) = ranka.match("kalah", [agent, "random"], games=1, progress=False).records
    assert "xxx" in record.data["end"]["detail"]
    assert len(record.line) < 5_000


def test_a_long_record_stays_small_in_a_notebook(monkeypatch: pytest.MonkeyPatch) -> None:
    agents = ["random", "random"]
    (record,) = ranka.match("labyrinth", agents, games=1, ply_cap=400, progress=False).records
    assert len(record._repr_html_()) < 2_200_000
    assert len(slides(record)) == 401
    monkeypatch.setattr("ranka._html.MOST_LETTERS", 500_000)
    assert len(record._repr_html_()) < 600_000
    drawn, last = slides(record), len(record.actions)
    assert 50 < len(drawn) < last
    assert drawn[0][0] == f"0 of {last}: start"
    assert drawn[-1] == (f"{last} of {last}: {record.actions[-1]}", list(record.states())[-1].picture())
