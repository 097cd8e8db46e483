"""Agents written in Python, prepared for Ranka's tables."""

from __future__ import annotations

import contextlib
import copy
import ctypes
import inspect
import random
import threading
from collections.abc import Callable, Iterable
from typing import Any, Protocol, TypeAlias

from ranka._identity import identity, lasts
from ranka._ranka import Agent, Desk, Thought, View, register_agent


class PythonAgent(Protocol):
    """What an agent of your own needs.

    `think(view)` or `think(view, rng)` answers with an action (in notation or by number) or a `Thought`. `rng` is a
    `random.Random` of its own for each decision: an agent that draws only from it plays the same game again.
    `told(by, action, before, after)`, if there is one, hears of everything that happens, as the seat may see it.
    Results call it by its attribute `name`, if it has one, or else by the name of its class.
    """

    @property
    def think(self) -> Callable[..., str | int | Thought]: ...


AgentLike: TypeAlias = str | Agent | PythonAgent | Callable[[], Any]


class NoAnswer(Exception):
    """An agent's answer that is none."""


class Interrupted(BaseException):
    """Raised in an agent that nobody waits for any more."""


def interrupt(thread: int) -> None:
    """Raises `Interrupted` in the thread of an agent that is left behind."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(Interrupted))


class Players:
    """Seats an agent of your own: a class is made anew for each game, an object is copied."""

    def __init__(self, agent: Any) -> None:
        made = agent if isinstance(agent, type) else type(agent)
        self._factory = agent if isinstance(agent, type) or not hasattr(agent, "think") else None
        self._model = agent
        if self._factory is None and not callable(getattr(agent, "think", None)):
            raise TypeError(f"{agent!r} is no agent: it has no method think(view)")
        if self._factory is not None and not callable(agent):
            raise TypeError(f"{agent!r} is no agent: give a name, a class with think(view), or an object of one")
        if isinstance(agent, type) and not hasattr(agent, "think"):
            raise TypeError(f"class {agent.__name__} is no agent: it has no method think(view)")
        name = getattr(agent, "name", None) or getattr(agent, "__name__", None) or made.__name__
        self.name = f"python:{name}"
        self.identity = identity(agent)
        # What a factory makes is known only once it has made it.
        self.listens = hasattr(agent, "told") or (self._factory is not None and not isinstance(agent, type))

    def changed(self) -> bool:
        """Whether it is another agent than when it was wrapped: on another machine its module may be another one."""
        return lasts(self.identity) and identity(self._model) != self.identity

    def alike(self, other: Players) -> bool:
        """Whether another one of the same identity may play for it."""
        return self.name == other.name and type(self._model) is type(other._model)

    def seat(self, seat: int, seed: int) -> _Player:
        """A player for a game."""
        del seat, seed
        return _Player(self._factory() if self._factory is not None else copy.deepcopy(self._model))


class _Player:
    """One player in one game, as the compiled half calls it."""

    def __init__(self, agent: Any) -> None:
        self._agent = agent
        parameters = inspect.signature(agent.think).parameters.values()
        positional = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
        self._with_rng = len(positional) > 1

    def think(self, view: View, seed: int) -> Thought:
        """Its answer as a thought."""
        answer = self._agent.think(view, random.Random(seed)) if self._with_rng else self._agent.think(view)
        if isinstance(answer, Thought):
            return answer
        if isinstance(answer, str):
            return Thought(answer)
        if hasattr(answer, "__index__") and not isinstance(answer, bool):
            try:
                return Thought(view.action(answer.__index__()))
            except (ValueError, OverflowError) as error:
                raise NoAnswer(str(error)) from None
        raise NoAnswer(f"think answered {answer!r}, which is no action")

    def told(self, by: int | None, action: str | None, before: View, after: View) -> None:
        """Tells it what happened."""
        told = getattr(self._agent, "told", None)
        if told is not None:
            told(by, action, before, after)


def serve(players: Players, seat: int, seed: int, desk: Desk) -> None:
    """The life of a player's thread: it does what it is asked at its desk until nobody asks any more."""
    # Whoever is interrupted is not waited for.
    with contextlib.suppress(Interrupted):
        desk.here(threading.get_ident())
        player: _Player | None = None
        fault: BaseException | None = None
        try:
            player = players.seat(seat, seed)
        except BaseException as error:
            fault = error
        while (task := desk.next()) is not None:
            method, given = task
            thought: Thought | None = None
            try:
                if fault is None:
                    thought = getattr(player, method)(*given)
            except BaseException as error:
                fault = error
            if thought is not None:
                desk.answer(thought)
            elif fault is not None and method == "think":
                desk.fail(fault)


registered: dict[str, Players] = {}
"""The agents of one's own that have names."""


def at_table(agents: Iterable[AgentLike]) -> list[Any]:
    """Agents as the compiled half takes them. Different ones of the same name, such as two objects of a class, get
    numbers: results and records would not tell them apart."""
    seated: list[Any] = []
    known: dict[str, list[str]] = {}
    for agent in agents:
        if isinstance(agent, (str, Agent)):
            seated.append(agent)
            continue
        players = Players(agent)
        identities = known.setdefault(players.name, [])
        if players.identity not in identities:
            identities.append(players.identity)
        number = identities.index(players.identity) + 1
        players.name += f"#{number}" if number > 1 else ""
        seated.append(players)
    return seated


def register(name: str, agent: AgentLike) -> None:
    """Gives an agent of your own a name, by which it is found wherever agents are named for as long as this process
    runs: in the TOML files of `ranka.experiment`, in matches and tournaments, as an opponent in a `Batch`.

    A name has small letters, digits and hyphens. One that was registered before is replaced.

    >>> import ranka
    >>> class Leftmost:
    ...     def think(self, view):
    ...         return view.legal()[0]
    >>> ranka.register("leftmost", Leftmost)
    >>> ranka.match("kalah", ["leftmost", "random"], games=10).names
    ['leftmost', 'random']
    """
    if isinstance(agent, (str, Agent)):
        raise TypeError(f"{agent!r} has a name already: register an agent of your own")
    players = Players(agent)
    register_agent(name, players)
    registered[name] = players
