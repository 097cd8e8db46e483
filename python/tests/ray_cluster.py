"""A real Ray cluster of several nodes on this machine, and what can befall it."""

from __future__ import annotations

import os
import random
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

MEMORY = 80_000_000


def workers() -> list[int]:
    """The processes that play a shard right now."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                title = (entry / "cmdline").read_bytes()
            except OSError:
                continue
            if title.startswith((b"ray::shard", b"ray::_timed")):
                found.append(int(entry.name))
    return found


@contextmanager
def killing(seed: int, most: int, every: float = 0.5) -> Iterator[list[int]]:
    """Kills up to so many workers, now and then and without a word, while something is done. Yields whom."""
    killed: list[int] = []
    over = threading.Event()
    rng = random.Random(seed)

    def kill() -> None:
        while not over.is_set() and len(killed) < most:
            if playing := workers():
                victim = rng.choice(playing)
                try:
                    os.kill(victim, signal.SIGKILL)
                    killed.append(victim)
                except ProcessLookupError:
                    pass
            over.wait(every * rng.uniform(0.5, 1.5))

    thread = threading.Thread(target=kill, daemon=True)
    thread.start()
    try:
        yield killed
    finally:
        over.set()
        thread.join()


def started(nodes: int) -> Any:
    """A cluster whose head has no processors and whose other nodes have one each."""
    from ray.cluster_utils import Cluster

    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, "object_store_memory": MEMORY})
    for _ in range(nodes):
        cluster.add_node(num_cpus=1, object_store_memory=MEMORY)
    return cluster
