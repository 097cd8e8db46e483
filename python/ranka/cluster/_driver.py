"""The driver: moves shards from the laboratory to Ray's workers, and their games back.

The laboratory (in Rust) says which games are missing, cuts them into shards, keeps what comes back and computes what
came of it, as it does for threads of its own. Here shards become Ray tasks. Whatever is lost with a worker or a machine
is handed out again; a task that answers twice is counted once, by its ticket.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from ranka import _ranka
from ranka._agents import Players
from ranka.cluster._ray import Cluster, needed
from ranka.cluster._refusals import Refusals, lost_with_a_worker
from ranka.lab import Progress

log = logging.getLogger("ranka.cluster")

DEEP = 2
"""Shards that are out for each processor: one is played while another one waits."""
DEATHS = 20
"""A shard whose worker died so often is not tried again."""
TICK = 0.02
GONE = 20.0
"""After so many seconds without an answer the head node is given up. After a minute Ray would end the whole program."""


@dataclass
class Flight:
    """A shard that is out."""

    ticket: int
    recipe: str
    first: int
    count: int
    deaths: int = 0


def task() -> Callable[..., Any]:
    """What a worker runs. A function made here travels as code, so that it can say that the package is not there."""

    def shard(build: str, recipe: str, own: dict[str, bytes | str], first: int, count: int) -> Any:
        import ray

        node = ray.get_runtime_context().get_node_id()
        try:
            from ranka.cluster import _worker
        except ImportError as error:
            return node, ("refused", True, f"ranka.cluster is not installed there: {error}")
        return node, _worker.play(build, recipe, own, first, count)

    return shard


class Driver(threading.Thread):
    """Moves shards while the laboratory works."""

    def __init__(self, exchange: _ranka.Exchange, cluster: Cluster, own: Iterable[Any] = ()) -> None:
        super().__init__(name="ranka-driver", daemon=True)
        self._ray = needed()
        self._exchange = exchange
        self._cluster = cluster
        self._build = _ranka.this_build()
        self._own = self._ray.put(_packed(own, self._ray.cloudpickle.dumps))
        self._task = self._ray.remote(num_cpus=1, max_retries=0)(task())
        self._flying: dict[Any, Flight] = {}
        self._refusals = Refusals(cluster)
        self._over = threading.Event()
        self._alone = False
        self.again = 0
        """How many shards were handed out again."""

    def __enter__(self) -> Driver:
        self._look()
        self.start()
        threading.Thread(target=self._knock, name="ranka-head", daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        # Whoever waits for an answer of a head node that has gone waits until Ray ends the program.
        heard = time.monotonic()
        self.join(1)
        while self.is_alive() and not self._cluster.gone:
            if self._cluster.answers():
                heard = time.monotonic()
            self._cluster.gone = time.monotonic() - heard > GONE
            self.join(1)

    def _knock(self) -> None:
        """Looks whether the head node is there, apart from all that waits for it."""
        heard = time.monotonic()
        while not self._over.wait(1):
            if self._cluster.answers():
                heard = time.monotonic()
            elif time.monotonic() - heard > GONE:
                self._cluster.gone = True
                self._exchange.fail(f"the head node of the cluster, {self._cluster.head}, does not answer any more")
                return

    def run(self) -> None:
        """Works until the laboratory is done."""
        try:
            while not self._over.is_set():
                self._look()
                self._forget()
                self._hand_out()
                self._collect()
        except Exception as error:
            self._exchange.fail(str(error))
        finally:
            for ref in self._flying:
                self._ray.cancel(ref)

    def _look(self) -> None:
        nodes = self._cluster.nodes()
        cpus = sum(node.cpus for node in nodes if self._refusals.takes(node, ""))
        if cpus == 0 and not self._alone:
            log.warning("no node with processors is there: waiting for one")
        self._alone = cpus == 0
        self._exchange.set_hands(DEEP * cpus)
        # Whoever could play what others were refused for may have gone.
        for recipe in self._refusals.of:
            if recipe == "" or any(flight.recipe == recipe for flight in self._flying.values()):
                self._refusals.check(recipe)

    def _forget(self) -> None:
        """Stops what nobody waits for any more, such as the games after a sequential test's decision."""
        current = self._exchange.current
        for ref in [ref for ref, flight in self._flying.items() if flight.ticket < current]:
            del self._flying[ref]
            self._ray.cancel(ref)

    def _hand_out(self) -> None:
        wait = 0.0 if self._flying else TICK
        while (offer := self._exchange.take(wait)) is not None:
            self._submit(Flight(*offer))
            wait = 0.0

    def _submit(self, flight: Flight) -> None:
        options = self._refusals.options(flight.recipe)
        run = self._task.options(**options) if options else self._task
        ref = run.remote(self._build, flight.recipe, self._own, flight.first, flight.count)
        self._flying[ref] = flight

    def _collect(self) -> None:
        refs = list(self._flying)
        if not refs:
            return
        ready, _ = self._ray.wait(refs, num_returns=len(refs), timeout=0)
        if not ready:
            ready, _ = self._ray.wait(refs, num_returns=1, timeout=TICK)
        for ref in ready:
            self._land(self._flying.pop(ref), ref)

    def _land(self, flight: Flight, ref: Any) -> None:
        try:
            node, games = self._ray.get(ref)
        except lost_with_a_worker(self._ray) as error:
            flight.deaths += 1
            self.again += 1
            if flight.deaths >= DEATHS:
                last = flight.first + flight.count - 1
                raise RuntimeError(
                    f"games {flight.first} to {last}: {DEATHS} workers died over them: {error}"
                ) from None
            self._submit(flight)
            return
        if isinstance(games, bytes):
            self._exchange.give(flight.ticket, games)
            return
        _, of_everything, why = games
        self._refusals.refuse(node, "" if of_everything else flight.recipe, why)
        self._submit(flight)


def _packed(own: Iterable[Players], dumps: Callable[[Any], bytes]) -> dict[str, bytes | str]:
    """Agents by their identities, each alone, so that only those who play it need what it needs; or why one does not
    travel."""
    known: dict[str, Players] = {}
    for players in own:
        other = known.setdefault(players.identity, players)
        if not other.alike(players):
            raise ValueError(f"{other.name} and {players.name} cannot be told apart: give one of them other parameters")
    packed: dict[str, bytes | str] = {}
    for identity, players in known.items():
        try:
            packed[identity] = dumps(players)
        except Exception as error:
            packed[identity] = f"{players.name} cannot be sent to other processes: {error}"
    return packed


def with_cluster(tell: Progress, cluster: Cluster, driver: Driver) -> Progress:
    """Progress that also tells of the cluster: nodes, processors, games a second over the last ones, shards lost."""
    seen: deque[tuple[float, int]] = deque(maxlen=200)

    def told(done: int, games: int, words: str) -> None:
        now = time.monotonic()
        if not seen or now - seen[-1][0] > 0.1:
            seen.append((now, done))
        past, before = seen[0]
        rate = (done - before) / (now - past) if now > past else 0.0
        # As the driver last saw them: who tells must not wait for a head node.
        nodes, cpus = cluster.known, sum(node.cpus for node in cluster.known)
        state = f"{len(nodes)} node{'s' * (len(nodes) != 1)}, {cpus} CPUs, {rate:.0f} games/s"
        lost = f", {driver.again} shards again" if driver.again else ""
        tell(done, games, f"{words} · {state}{lost}" if words else state + lost)

    return told
