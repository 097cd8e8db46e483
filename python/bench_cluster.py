"""What Ray costs: `python bench_cluster.py [overhead|ingest|memory|tasks|simulate] …`, all on this machine."""

from __future__ import annotations

import argparse
import heapq
import os
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import ranka
from ranka import _ranka, cluster

QUICK = ["random", "minimax:depth=1"]
SLOW = ["minimax:depth=9", "minimax:depth=8"]


def megabytes() -> float:
    """The memory of this process."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def processor() -> float:
    """The processor's seconds of this process and all that descend from it, Ray's own included."""
    parents, spent = {}, {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            parents[int(entry.name)] = int(fields[1])
            spent[int(entry.name)] = sum(map(int, fields[11:15]))
    ours = {os.getpid()}
    while more := {child for child, parent in parents.items() if parent in ours} - ours:
        ours |= more
    return sum(spent.get(process, 0) for process in ours) / os.sysconf("SC_CLK_TCK")


@contextmanager
def folder() -> Iterator[Path]:
    """A folder for a store."""
    with tempfile.TemporaryDirectory(prefix="ranka-bench-") as name:
        yield Path(name)


def pace(play: Callable[..., Any], agents: list[str], games: int, place: Path, **options: Any) -> tuple[float, float]:
    """Games a second, and a second of processor time, of a tournament of two with a store."""
    begun, spent = time.monotonic(), processor()
    play("kalah", agents, games=games, store=place, progress=False, **options)
    return games / (time.monotonic() - begun), games / (processor() - spent)


def overhead(args: argparse.Namespace) -> None:
    """Games a second on the same processors, with threads and with Ray, taken in turns; the best of each."""
    import ray

    cpus = os.cpu_count() or 1
    ray.init(num_cpus=cpus, include_dashboard=False, logging_level="ERROR", log_to_driver=False)
    with folder() as place:
        pace(cluster.tournament, ["random", "minimax:depth=1"], 2000, place / "warm")
        for agents, games in ((SLOW, 100 * args.scale), (QUICK, 40_000 * args.scale)):
            here, there = [], []
            for turn in range(args.turns):
                here.append(pace(ranka.tournament, agents, games, place / f"{games}-{turn}-here", threads=cpus))
                there.append(pace(cluster.tournament, agents, games, place / f"{games}-{turn}-there"))
            print(f"{' – '.join(agents)}, {games} games")
            for what, of in (("by the clock", 0), ("of processor time", 1)):
                local, remote = (max(each[of] for each in paces) for paces in (here, there))
                print(f"  a second {what:18} {local:8.0f} here {remote:8.0f} on Ray  {remote / local:5.0%}", flush=True)


class Feeder(threading.Thread):
    """Stands for workers: every shard comes back when so many processors would be done with it. Games are real, but are
    said to have cost what they would. So many are made ready first; others are played when they are asked for."""

    def __init__(self, exchange: _ranka.Exchange, cores: int, cost: float, ready: int) -> None:
        super().__init__(daemon=True)
        self._exchange, self._cores, self._cost, self._ready = exchange, cores, cost, ready
        self._deals: list[bytes] = []
        self.over = threading.Event()
        self.shards = 0

    def run(self) -> None:
        """Answers until it is over."""
        pairing: _ranka.Pairing | None = None
        free = [time.monotonic()] * self._cores  # when each processor is free again
        due: list[tuple[float, int, int, int]] = []
        while not self.over.is_set():
            wait = 0.001 if due else 0.01
            while (offer := self._exchange.take(wait)) is not None:
                ticket, recipe, first, count = offer
                if pairing is None:
                    pairing = _ranka.Pairing(recipe, {})
                    self._deals = [body(pairing.play(number, 2)) for number in range(0, self._ready, 2)]
                    free = [time.monotonic()] * self._cores
                done = max(heapq.heappop(free), time.monotonic()) + count * self._cost
                heapq.heappush(free, done)
                heapq.heappush(due, (done, ticket, first, count))
                wait = 0.0
            while due and due[0][0] <= time.monotonic():
                _, ticket, first, count = heapq.heappop(due)
                assert pairing is not None
                self.shards += 1
                if first + count <= self._ready:
                    head = varint(int(count * self._cost * 1e9)) + varint(count)
                    parcel = head + b"".join(self._deals[first // 2 : (first + count) // 2])
                else:
                    parcel = pairing.play(first, count)
                self._exchange.give(ticket, parcel)


def varint(number: int) -> bytes:
    """A number as a parcel has it: seven bits a byte."""
    written = bytearray()
    while number > 127:
        written.append(number & 127 | 128)
        number >>= 7
    return bytes([*written, number])


def body(parcel: bytes) -> bytes:
    """The games of a parcel, without the time that they took and their number, which is a small one."""
    return parcel[next(place for place, byte in enumerate(parcel) if byte < 128) + 2 :]


@dataclass
class Fed:
    """How it went."""

    seconds: float
    spent: float  # by the processor
    before: float  # megabytes
    most: float
    shards: int
    course: list[float]  # megabytes at each tenth of the games


def fed(cores: int, cost: float, games: int, place: Path, ready: bool = True) -> Fed:
    """Keeps games that so many processors seem to play. Time counts from the first result on."""
    exchange = _ranka.Exchange(seconds=min(10.0, max(2.0, cores / 1000)))
    feeder = Feeder(exchange, cores, cost, games if ready else 0)
    exchange.set_hands(2 * cores)
    most, begun, before, spent = 0.0, 0.0, 0.0, 0.0
    done_then = 0

    def tell(done: int, _games: int, _words: str) -> None:
        nonlocal most, begun, before, spent, done_then
        if done and not begun:
            begun, before, spent, done_then = time.monotonic(), megabytes(), time.process_time(), done
        if done < games:
            most = max(most, megabytes())
            while len(course) < 10 * done // games:
                course.append(megabytes())
        elif not ended:
            ended.append((time.monotonic(), time.process_time()))

    ended: list[tuple[float, float]] = []
    course: list[float] = []
    conditions = {"seed": 1, "seats": "swapped", "ply_cap": None, "budget": None, "move_limit": None, "threads": None}
    keeping = {"store": str(place), "fresh": False, "any_version": False, "most": None}
    points = [1.0, 0.5, 0.0]
    feeder.start()
    _ranka.play_tournament(
        _ranka.game("kalah"), QUICK, games, points, None, None, conditions, keeping, tell, join=lambda: exchange
    )
    feeder.over.set()
    feeder.join()
    over, used = ended[0]
    # What came before the first look is not in the time.
    share = games / max(1, games - done_then)
    return Fed(share * (over - begun), share * (used - spent), before, most, feeder.shards, course)


def simulate(args: argparse.Namespace) -> None:
    """The driver's half that is ours, fed at the rate of many processors."""
    print("   cores  s/game  games/s wanted      kept  share  shards/s  driver's time  MB more")
    for cost in args.costs:
        wanted = args.cores / cost
        games = int(min(wanted, 100_000) * args.seconds) // 2 * 2
        with folder() as place:
            run = fed(args.cores, cost, games, place / "s")
        rate = games / run.seconds
        print(
            f"{args.cores:8} {cost:7g} {wanted:15.0f} {rate:9.0f} {min(1.0, rate / wanted):6.0%}"
            f" {run.shards / run.seconds:9.0f} {run.spent / run.seconds:14.0%} {max(0.0, run.most - run.before):8.0f}",
            flush=True,
        )


def ingest(args: argparse.Namespace) -> None:
    """How many results a second the driver takes in and keeps."""
    with folder() as place:
        run = fed(100, 1e-9, args.games, place / "s")
    rate, alone = args.games / run.seconds, args.games / run.spent
    print(f"{args.games} results in {run.seconds:.1f} s: {rate:.0f} a second, {alone:.0f} a second of processor time")


def memory(args: argparse.Namespace) -> None:
    """The driver's memory over many games, while they are played and kept."""
    with folder() as place:
        run = fed(2, 1e-9, args.games, place / "s", ready=False)
    course = " ".join(f"{mb:.0f}" for mb in run.course)
    print(f"{args.games} games: at most {run.most:.0f} MB while they were played; by tenths: {course}")


def tasks(args: argparse.Namespace) -> None:
    """What a task costs the driver's process, and what it costs to look after many that are out."""
    import ray

    ray.init(num_cpus=2, include_dashboard=False, logging_level="ERROR", log_to_driver=False)
    empty = ray.remote(num_cpus=1, max_retries=0)(lambda: bytes(1000))
    ray.get([empty.remote() for _ in range(20)])
    begun, spent = time.monotonic(), time.process_time()
    ray.get([empty.remote() for _ in range(args.tasks)])
    took, spent = time.monotonic() - begun, time.process_time() - spent
    print(f"{args.tasks} empty tasks: {1e3 * spent / args.tasks:.2f} ms each in the driver, {args.tasks / took:.0f}/s")
    refs = [ray.put(0) for _ in range(20_000)]
    begun = time.monotonic()
    ray.wait(refs, num_returns=len(refs), timeout=0)
    print(f"20000 tasks looked after: {1e3 * (time.monotonic() - begun):.0f} ms")


def main() -> None:
    """Runs what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(required=True)
    for work, options in (
        (overhead, {"turns": 3, "scale": 10}),
        (ingest, {"games": 200_000}),
        (memory, {"games": 1_000_000}),
        (tasks, {"tasks": 2000}),
        (simulate, {"cores": 10_000, "seconds": 10}),
    ):
        command = commands.add_parser(work.__name__, help=work.__doc__)
        command.set_defaults(work=work)
        for name, usual in options.items():
            command.add_argument(f"--{name}", type=int, default=usual)
        if work is simulate:
            command.add_argument("--costs", type=float, nargs="+", default=[1.0, 0.5, 0.2, 0.1])
    args = parser.parse_args()
    args.work(args)


if __name__ == "__main__":
    main()
