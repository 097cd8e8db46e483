"""Ranka in Python: the games, agents and laboratory of Ranka.

>>> import ranka
>>> game = ranka.game("kalah")
>>> state = game.start(seed=1)
>>> state = state.apply(state.legal()[0])
>>> ranka.agent("minimax:depth=5").think(state.view()).choice in state.legal()
True
"""

from ranka import _ranka, bot, records, stats
from ranka._agents import PythonAgent, register
from ranka._ranka import (
    Agent,
    Batch,
    Candidate,
    Game,
    Network,
    State,
    Table,
    Thought,
    View,
    agent,
    encoding_version,
    game,
    games,
)
from ranka.lab import Findings, MatchResult, SprtResult, experiment, match, reproduce, sprt, tournament
from ranka.records import Record

__version__: str = _ranka.__version__

_ranka.built_into(str(_ranka.__file__))

__all__ = [
    "Agent",
    "Batch",
    "Candidate",
    "Findings",
    "Game",
    "MatchResult",
    "Network",
    "PythonAgent",
    "Record",
    "SprtResult",
    "State",
    "Table",
    "Thought",
    "View",
    "__version__",
    "agent",
    "bot",
    "encoding_version",
    "experiment",
    "game",
    "games",
    "match",
    "records",
    "register",
    "reproduce",
    "sprt",
    "stats",
    "tournament",
]
