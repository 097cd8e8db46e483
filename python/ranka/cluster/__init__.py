"""The laboratory on many machines: Ray plays the shards, the same store keeps them, the same figures come of them.

Needs Ray (`pip install 'ranka[ray]'`). `address` is `auto` on a machine of a cluster, `HOST:PORT`, or nothing for this
machine alone. Everything else is as in `ranka.lab`; docs/cluster.md tells the rest.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import ExitStack
from typing import Any, Literal

from ranka import _ranka, lab
from ranka._agents import AgentLike, Players, at_table, registered
from ranka._ranka import Game
from ranka.cluster._driver import Driver, with_cluster
from ranka.cluster._map import map
from ranka.cluster._ray import Cluster, joined, positive
from ranka.lab import Findings, MatchResult, Path, Progress, Seats, SprtResult

__all__ = ["experiment", "map", "match", "reproduce", "sprt", "tournament"]


class _Driven:
    """A cluster at work, from when it is joined until the work is over. What is wrong with the work is told before."""

    def __init__(
        self,
        address: str | None,
        seconds: float | None,
        progress: bool | Progress,
        agents: Sequence[Any] = (),
        cautious: bool = False,
    ) -> None:
        positive(seconds)
        self._address, self._seconds, self._cautious = address, seconds, cautious
        self._own = [agent for agent in agents if isinstance(agent, Players)] + list(registered.values())
        self._progress = progress
        self._told: Progress | None = None
        self._open = ExitStack()
        self._joined = False
        self._cluster: Cluster | None = None

    def __enter__(self) -> _Driven:
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        self._open.close()
        if error is not None:
            # Whether anything can have been played.
            error.__dict__["cluster_joined"] = self._joined
            error.__dict__["cluster_gone"] = self._cluster is not None and self._cluster.gone

    def join(self) -> _ranka.Exchange:
        """Joins the cluster: where it takes shards."""
        cluster = self._open.enter_context(joined(self._address))
        self._joined, self._cluster = True, cluster
        seconds = self._seconds or _seconds(cluster.cpus)
        exchange = _ranka.Exchange(seconds=seconds, cautious=self._cautious)
        driver = self._open.enter_context(Driver(exchange, cluster, self._own))
        told = self._open.enter_context(lab._bar(self._progress))
        self._told = None if told is None else with_cluster(told, cluster, driver)
        return exchange

    def tell(self, done: int, games: int, words: str) -> None:
        """Tells how far it is."""
        if self._told is not None:
            self._told(done, games, words)


def _seconds(cpus: int) -> float:
    """How long a task should take: the driver is good for about a thousand a second."""
    return min(10.0, max(2.0, cpus / 1000))


def match(
    game: Game | str,
    agents: Sequence[AgentLike],
    *,
    games: int = 100,
    seed: int = 0,
    seats: Seats = "swapped",
    ply_cap: int | None = None,
    budget: str | None = None,
    move_limit: float | None = None,
    store: Path | bool | None = None,
    fresh: bool = False,
    any_version: bool = False,
    keep: int | None = None,
    progress: bool | Progress = True,
    address: str | None = None,
    seconds: float | None = None,
) -> MatchResult:
    """Plays a match. Games are kept in the store as they come, and what it has is not played again; `store=False` keeps
    none, `keep` only the first so many. The records of all games are held in memory until the result is let go."""
    lab._at_least(0, games=games)
    conditions = lab._conditions(seed, seats, ply_cap, budget, move_limit, None)
    seated = at_table(agents)
    keeping = lab._match_keeping(True if store is None else store, fresh, any_version, keep)
    with _Driven(address, seconds, progress, seated) as at:
        found = _ranka.play_match(lab._opened(game), seated, games, conditions, at.tell, keeping, at.join)
    return lab._match_result(found)


def sprt(
    game: Game | str,
    a: AgentLike,
    b: AgentLike,
    *,
    elo0: float,
    elo1: float,
    alpha: float = 0.05,
    beta: float = 0.05,
    normalized: bool = False,
    games: int = 10_000,
    seed: int = 0,
    seats: Seats = "swapped",
    ply_cap: int | None = None,
    budget: str | None = None,
    move_limit: float | None = None,
    store: Path | None = None,
    fresh: bool = False,
    any_version: bool = False,
    progress: bool | Progress = True,
    address: str | None = None,
    seconds: float | None = None,
) -> SprtResult:
    """Plays until it is decided whether `a` is stronger than `b`. The decision is that of the games in their order, not
    in that of their arrival; what is still being played then is stopped."""
    lab._at_least(0, games=games)
    conditions = lab._conditions(seed, seats, ply_cap, budget, move_limit, None)
    test = (elo0, elo1, alpha, beta, normalized)
    agents = at_table([a, b])
    keeping = lab._keeping(store, fresh, any_version)
    with _Driven(address, seconds, progress, agents, cautious=True) as at:
        found = _ranka.play_sprt(lab._opened(game), agents, test, games, conditions, keeping, at.tell, at.join)
    return lab._sprt_result(found)


def tournament(
    game: Game | str,
    agents: Sequence[AgentLike],
    *,
    games: int = 100,
    points: tuple[float, float, float] = (3, 1, 0),
    final_of: int | None = None,
    final_games: int | None = None,
    seed: int = 0,
    seats: Seats = "swapped",
    ply_cap: int | None = None,
    budget: str | None = None,
    move_limit: float | None = None,
    store: Path | None = None,
    fresh: bool = False,
    any_version: bool = False,
    out: Path | None = None,
    progress: bool | Progress = True,
    address: str | None = None,
    seconds: float | None = None,
) -> Findings:
    """Plays a round robin, with ratings and standings. Games that the store has are not played again."""
    lab._at_least(0, games=games, final_of=final_of, final_games=final_games)
    conditions = lab._conditions(seed, seats, ply_cap, budget, move_limit, None)
    seated = at_table(agents)
    keeping = lab._keeping(store, fresh, any_version)
    with _Driven(address, seconds, progress, seated) as at:
        found = _ranka.play_tournament(
            lab._opened(game),
            seated,
            games,
            list(points),
            final_of,
            final_games,
            conditions,
            keeping,
            at.tell,
            lab._report(out, "ranka.cluster.tournament"),
            at.join,
        )
    return lab._findings(found)


def _experiments(
    what: str | None,
    file: Path | None,
    size: str,
    games: int | None,
    keeping: dict[str, Any],
    out: tuple[str, str] | None,
    progress: bool | Progress,
    address: str | None,
    seconds: float | None,
    seed: int | None = None,
    form: str = "auto",
) -> list[_ranka.Found]:
    lab._at_least(0, games=games)
    path = None if file is None else os.fspath(file)
    with _Driven(address, seconds, progress) as at:
        return _ranka.play_experiment(
            what, path, size, games, None, keeping, at.tell, out, at.join, seed=seed, form=form
        )


def reproduce(
    what: str | None = None,
    *,
    size: Literal["quick", "paper", "full"] = "quick",
    games: int | None = None,
    store: Path | None = None,
    fresh: bool = False,
    any_version: bool = False,
    out: Path | None = None,
    progress: bool | Progress = True,
    address: str | None = None,
    seconds: float | None = None,
) -> list[Findings]:
    """Runs the experiments of a paper, or one as `paper/experiment`: published beside measured."""
    keeping = lab._keeping(store, fresh, any_version)
    report = lab._report(out, "ranka.cluster.reproduce", what)
    found = _experiments(what, None, size, games, keeping, report, progress, address, seconds)
    return [lab._findings(one) for one in found]


def experiment(
    file: Path,
    *,
    size: Literal["quick", "paper", "full"] = "quick",
    games: int | None = None,
    seed: int | None = None,
    store: Path | None = None,
    fresh: bool = False,
    any_version: bool = False,
    out: Path | None = None,
    progress: bool | Progress = True,
    address: str | None = None,
    seconds: float | None = None,
) -> Findings:
    """Runs an experiment of your own, a TOML file (docs/experiments.md). `seed` takes the place of the file's."""
    keeping = lab._keeping(store, fresh, any_version)
    report = lab._report(out, "ranka.cluster.experiment", os.fspath(file))
    (found,) = _experiments(None, file, size, games, keeping, report, progress, address, seconds, seed)
    return lab._findings(found)
