"""Agents of one's own where agents are named: in experiments, and as programs for the arena and the league."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import test_lab
from test_lab import PROGRAM, Chooser

import ranka

TABLE = """
title = "Ours"
question = "Is it any good?"
game = "kalah"
rules = "{rules}"
games = {{ quick = 8, full = 8 }}
figures = ["score"]
[[pairing]]
name = "ours"
agents = ["{agent}", "random"]
"""


def experiment(folder: Path, agent: str, rules: str = "houses=3,seeds=3") -> ranka.Findings:
    file = folder / "ours.toml"
    file.write_text(TABLE.format(agent=agent.replace("\\", "\\\\").replace('"', '\\"'), rules=rules))
    return ranka.experiment(file, store=folder / "s.sqlite", progress=False)


def test_an_experiment_finds_them_by_name(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"ours\.toml.*chooser-of-mine"):
        experiment(tmp_path, "chooser-of-mine")
    ranka.register("chooser-of-mine", Chooser)
    found = experiment(tmp_path, "chooser-of-mine")
    assert found.complete
    games = found.to_arrow()
    assert set(games.column("seat0.name")) | set(games.column("seat1.name")) == {"chooser-of-mine", "random"}
    assert games.column("reason") == ["rules"] * 8
    # The same agent under the same name: nothing is played again.
    assert experiment(tmp_path, "chooser-of-mine").figures == found.figures
    ranka.register("chooser-of-mine", test_lab.Raises)
    assert experiment(tmp_path, "chooser-of-mine").rows[0]["measured"]["value"] == 0, "it is another agent now"


def test_what_they_note_is_measured(tmp_path: Path) -> None:
    class Noting:
        def think(self, view: ranka.View) -> ranka.Thought:
            legal = view.legal()
            return ranka.Thought(legal[0], notes=[("choices", len(legal))])

    ranka.register("noting", Noting)
    file = tmp_path / "noted.toml"
    noted = TABLE.format(agent="noting", rules="houses=3,seeds=3").replace(
        "[[pairing]]", 'measures = ["note:choices"]\n[[pairing]]'
    )
    file.write_text(noted)
    games = ranka.experiment(file, store=tmp_path / "s.sqlite", progress=False).to_arrow()
    choices = [json.loads(choices) for choices in games.column("agent0.note:choices")]
    # Others' plies have none.
    own = [[number for number in game if number is not None] for game in choices]
    assert all(game and all(1 <= number <= 3 for number in game) for game in own)
    assert all(game[0] == 3 for game in choices[::2]), "who begins may choose among three houses"


def test_wherever_agents_are_named() -> None:
    ranka.register("mine", Chooser)
    assert "mine" in [name for name, _ in ranka.game("geister").agents()]
    league = ranka.tournament("geister", ["mine", "random"], games=2, progress=False)
    assert {standing["name"] for standing in league.league["table"]} == {"mine", "random"}
    view = ranka.game("kalah").start().view()
    assert ranka.agent("mine").think(view).choice in view.legal()
    batch = ranka.Batch("kalah", 4, opponents=[("mine", 4)], threads=2)
    for _ in range(20):
        batch.step(batch.sample())


@pytest.mark.parametrize(
    ("name", "agent", "why"),
    [
        ("random", Chooser, "kalah has an agent of that name"),
        ("My Agent", Chooser, "small letters, digits and hyphens"),
        ("", Chooser, "small letters"),
        ("mine", "random", "has a name already"),
        ("mine", 3, "no agent"),
    ],
)
def test_what_cannot_be_registered(name: str, agent: Any, why: str) -> None:
    with pytest.raises((ValueError, TypeError), match=why):
        ranka.register(name, agent)


def test_parameters_are_refused() -> None:
    ranka.register("mine", Chooser)
    with pytest.raises(ValueError, match="it takes no parameters, not depth=3"):
        ranka.match("kalah", ["mine:depth=3", "random"], games=1)


@pytest.mark.parametrize(
    ("agent", "reason"),
    [
        ("Raises", "crash"),
        ("RaisesWhenTold", "crash"),
        ("CannotBeMade", "crash"),
        ("Hangs", "timeout"),
        ("Silent", "crash"),
        ("Nonsense", "crash"),
        ("Illegal", "illegal"),
    ],
)
def test_named_agents_fault_by_name_in_experiments(agent: str, reason: str, tmp_path: Path) -> None:
    """In the process itself; what a bot's process loses by `crash` for an answer that is none is `protocol` there."""
    ranka.register("broken", getattr(test_lab, agent))
    expected = "protocol" if agent in ("Silent", "Nonsense") else reason
    result = ranka.match("kalah", ["broken", "random"], games=2, move_limit=0.2, progress=False)
    assert result.reasons == {expected: 2}
    if agent == "Hangs":
        # A file of an experiment has no limit of time; a tournament, which is an experiment too, has.
        found = ranka.tournament("kalah", ["broken", "random"], games=8, move_limit=0.2, progress=False)
    else:
        found = experiment(tmp_path, "broken", rules="")
    assert found.complete
    assert found.to_arrow().column("reason") == [expected] * 8
    (guilty,) = found.faults
    assert (guilty["agent"], guilty["games"], guilty["faults"]) == ("broken", 8, {expected: 8})


SCRIPT = """
import sys
sys.path.insert(0, {tests!r})
import ranka
import test_lab
print("hello")
ranka.bot.main(test_lab.{agent}, name="My {agent}")
"""


@pytest.fixture
def as_bot(tmp_path: Path) -> Any:
    """Writes an agent as a program and tells how it is named."""

    def written(agent: str, **options: object) -> str:
        file = tmp_path / f"{agent.lower()}.py"
        file.write_text(SCRIPT.format(tests=str(Path(__file__).parent), agent=agent))
        more = "".join(f",{key}={value}" for key, value in options.items())
        return f'bot:cmd="{sys.executable} {file}",memory=0,start=60000,files={file}{more}'

    return written


def test_a_bot_plays_as_it_does_here(as_bot: Any) -> None:
    """With the match's own seeds a program plays what its class plays, whatever it prints."""
    for game in ("kalah", "geister"):
        here = ranka.match(game, [Chooser, "random"], games=2, seed=5, progress=False)
        there = ranka.match(game, [as_bot("Chooser", seed="open", name="x"), "random"], games=2, seed=5, progress=False)
        assert there.reasons == here.reasons
        assert [record.actions for record in there.records] == [record.actions for record in here.records]


@pytest.mark.parametrize(
    ("agent", "reason", "why"),
    [
        ("Raises", "crash", "ZeroDivisionError: out of ideas"),
        ("Hangs", "timeout", ""),
        ("Nonsense", "crash", "the big one"),
        ("Illegal", "illegal", ""),
    ],
)
def test_bots_fault_by_name(as_bot: Any, agent: str, reason: str, why: str) -> None:
    spec = as_bot(agent, move=600, grace=100, name="x")
    result = ranka.match("kalah", [spec, "random"], games=1, progress=False)
    assert result.reasons == {reason: 1}
    assert result.scores[0] == 0
    assert why in result.records[0].data["end"].get("detail", "")


@pytest.mark.skipif(PROGRAM is None, reason="RANKA_PROGRAM names no program: it is not asked to play the bot")
def test_the_program_takes_it_for_a_bot(as_bot: Any, tmp_path: Path) -> None:
    spec = as_bot("Chooser")
    command = [str(PROGRAM), "match", "kalah", spec, "random", "--games", "2", "--json"]
    environment = os.environ | {"RANKA_STORE": str(tmp_path / "s.sqlite")}
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    figures = json.loads(done.stdout)
    assert figures["reasons"] == {"rules": 2}
    assert "My Chooser" in done.stdout
    assert experiment(tmp_path, spec).complete
