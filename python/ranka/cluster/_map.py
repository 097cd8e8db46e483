"""A function of one's own over seeded games, on all machines: self-play data for learning, and whatever else."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

from ranka import _ranka
from ranka.cluster._driver import DEATHS, DEEP, TICK
from ranka.cluster._ray import joined, needed, positive
from ranka.cluster._refusals import Refusals, lost_with_a_worker

T = TypeVar("T")


@dataclass
class _Stretch:
    numbers: range
    deaths: int = 0


def _task() -> Callable[..., Any]:
    """What a worker runs. A function made here travels as code, so that it can say that the package is not there."""

    def _timed(build: str, function: bytes, numbers: range, seed: int) -> tuple[str, int, Any, str | None]:
        import pickle
        import time

        import ray

        node = ray.get_runtime_context().get_node_id()
        try:
            from ranka.cluster._worker import other_build
        except ImportError as error:
            return node, 0, None, f"ranka.cluster is not installed there: {error}"
        if (why := other_build(build)) is not None:
            return node, 0, None, why
        begun = time.monotonic_ns()
        made = pickle.loads(function)(numbers, seed)
        return node, time.monotonic_ns() - begun, made, None

    return _timed


def map(
    function: Callable[[range, int], T],
    games: int,
    *,
    seed: int = 0,
    shard: int | None = None,
    seconds: float = 2.0,
    ordered: bool = True,
    address: str | None = None,
) -> Iterator[tuple[range, T]]:
    """Calls `function(numbers, seed)` for stretches of the games from 0 to `games` on all machines, yields the numbers
    with what it returned.

    Game `k` should follow from `seed` and `k` alone, as `game.start(seed, deal=k)` does: then what comes of it does not
    depend on where it was played, and workers of another build are refused. A stretch has `shard` games, or else as
    many as take about `seconds`. In order by default, else as they come. Nothing is played much further ahead than what
    was taken here, so memory stays bounded whoever is slow. What is lost with a machine is played again, and an
    exception of the function is raised here.
    """
    if shard is not None and shard < 1:
        raise ValueError(f"shard {shard}: expected at least 1")
    if games < 0:
        raise ValueError(f"games {games}: expected a whole number from 0 on")
    positive(seconds)
    return _mapped(function, games, seed, shard, seconds, ordered, address)


def _mapped(
    function: Callable[[range, int], T],
    games: int,
    seed: int,
    shard: int | None,
    seconds: float,
    ordered: bool,
    address: str | None,
) -> Iterator[tuple[range, T]]:
    ray = needed()
    with joined(address) as cluster:
        call = ray.remote(num_cpus=1, max_retries=0)(_task())
        build, what, refusals = _ranka.this_build(), ray.put(ray.cloudpickle.dumps(function)), Refusals(cluster)
        flying: dict[Any, _Stretch] = {}
        done: dict[int, tuple[range, T]] = {}
        handed_out = yielded = nanos = longest = 0

        def submit(stretch: _Stretch) -> None:
            options = refusals.options("")
            run = call.options(**options) if options else call
            flying[run.remote(build, what, stretch.numbers, seed)] = stretch

        try:
            while yielded < games:
                refusals.check("")
                hands = max(1, DEEP * cluster.cpus)
                # What is done but cannot be yielded yet counts as out: it is what memory holds.
                while handed_out < games and len(flying) + len(done) < hands:
                    left = games - handed_out
                    size = shard or _ranka.shard_size(nanos, longest, handed_out, left, hands, seconds)
                    numbers = range(handed_out, handed_out + min(size, left))
                    submit(_Stretch(numbers))
                    handed_out = numbers.stop
                ready, _ = ray.wait(list(flying), num_returns=1, timeout=TICK) if flying else ([], [])
                for ref in ready:
                    stretch = flying.pop(ref)
                    try:
                        node, took, made, refused = ray.get(ref)
                    except lost_with_a_worker(ray):
                        stretch.deaths += 1
                        if stretch.deaths >= DEATHS:
                            raise
                        submit(stretch)
                        continue
                    except ray.exceptions.RayTaskError as error:
                        raise error.cause from error
                    if refused is not None:
                        refusals.refuse(node, "", refused)
                        submit(stretch)
                        continue
                    pace = max(1, took // len(stretch.numbers))
                    nanos = pace if nanos == 0 else (nanos + pace) // 2
                    longest = max(longest, len(stretch.numbers))
                    done[stretch.numbers.start] = (stretch.numbers, made)
                for start in [yielded] if ordered else list(done):
                    while start in done:
                        numbers, made = done.pop(start)
                        yielded = numbers.stop if ordered else yielded + len(numbers)
                        start = numbers.stop
                        yield numbers, made
        finally:
            for ref in flying:
                ray.cancel(ref)
