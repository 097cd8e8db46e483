"""Ray: found, joined and watched."""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

NEEDED = "ranka.cluster needs Ray, which is not installed: pip install 'ranka[ray]'"


def needed() -> Any:
    """Ray itself. Nothing else in the package imports it."""
    try:
        import ray
    except ModuleNotFoundError as error:
        if error.name == "ray":
            raise ModuleNotFoundError(NEEDED, name="ray") from None
        raise
    return ray


def positive(seconds: float | None) -> None:
    """Refuses a length of tasks that is none."""
    if seconds is not None and not 0 < seconds < float("inf"):
        raise ValueError(f"seconds {seconds}: expected a number above 0")


@contextmanager
def joined(address: str | None, cpus: int | None = None) -> Iterator[Cluster]:
    """The cluster at an address: `auto` for the one that this machine belongs to, nothing for one of this machine alone
    (or what `RAY_ADDRESS` says). A program that has joined one already stays in it."""
    ray = needed()
    if ray.is_initialized():
        yield Cluster()
        return
    address = address or os.environ.get("RAY_ADDRESS") or "local"
    _reachable(address)
    alone = address == "local"
    # What workers and Ray's own processes say would go to standard output, where results are.
    quiet = {"logging_level": "WARNING", "log_to_driver": False}
    try:
        if alone:
            # By name: without one Ray looks for whatever cluster was last started here.
            ray.init(address="local", num_cpus=cpus, include_dashboard=False, **quiet)
        else:
            with _once():
                ray.init(address=address, **quiet)
    except ray.exceptions.AuthenticationError as error:
        raise ConnectionError(
            f"the Ray cluster at {address} asks for a token: RAY_AUTH_MODE=token, and its token in ~/.ray/auth_token "
            f"({_first_line(error)})"
        ) from None
    except (ConnectionError, RuntimeError, ray.exceptions.RayError) as error:
        where = "Ray does not start on this machine" if alone else f"no Ray cluster at {address}"
        raise ConnectionError(f"{where}: {error}") from None
    except SystemExit:
        # Ray ends the program when what answers there is no Ray.
        raise ConnectionError(f"no Ray cluster at {address}: what answers there is not Ray of this version") from None
    cluster = Cluster()
    try:
        yield cluster
    finally:
        # Without its head node Ray may wait for ever.
        leaving = threading.Thread(target=ray.shutdown, daemon=True)
        leaving.start()
        leaving.join(5 if cluster.gone else 60)


@contextmanager
def _once() -> Iterator[None]:
    """Lets Ray try once to reach whoever answers, for most of a minute, and not twenty times."""
    name = "RAY_gcs_server_port_wait_time_s"
    if name in os.environ:
        yield
        return
    os.environ[name] = "1"
    try:
        yield
    finally:
        del os.environ[name]


def _first_line(error: BaseException) -> str:
    return str(error).strip().partition("\n")[0]


def _reachable(address: str) -> None:
    """Ray itself would try for minutes, and then end the program."""
    if address in ("auto", "local"):
        return
    if "://" in address:
        raise ValueError(f"address {address}: run on a machine of the cluster, and give HOST:PORT or auto")
    host, _, port = address.rpartition(":")
    if not host or not port.isdigit():
        raise ValueError(f"address {address}: expected HOST:PORT, auto or local")
    try:
        socket.create_connection((host, int(port)), timeout=5).close()
    except (OSError, OverflowError) as error:
        raise ConnectionError(
            f"no Ray cluster at {address}: {error}; `ray start --head` on the first machine prints its address"
        ) from None


@dataclass(frozen=True)
class Node:
    """A machine of the cluster."""

    id: str
    name: str
    cpus: int


class Cluster:
    """The machines that are there; asked for at most once a second."""

    def __init__(self) -> None:
        self._ray = needed()
        self.head: str = self._ray.get_runtime_context().gcs_address
        self.gone = False
        """Whether its head node was given up."""
        self.known: list[Node] = []
        """Those that were there when somebody last asked."""
        self._asked = float("-inf")

    def nodes(self) -> list[Node]:
        """Those that are alive and have processors to give."""
        if time.monotonic() - self._asked > 1:
            self._asked = time.monotonic()
            found = [
                Node(
                    node["NodeID"],
                    f"{node['NodeManagerHostname']} ({node['NodeManagerAddress']}, {node['NodeID'][:8]})",
                    int(node["Resources"].get("CPU", 0)),
                )
                for node in self._ray.nodes()
                if node["Alive"]
            ]
            self.known = [node for node in found if node.cpus > 0]
        return self.known

    def answers(self) -> bool:
        """Whether the head node takes calls."""
        host, _, port = self.head.rpartition(":")
        try:
            socket.create_connection((host.strip("[]"), int(port)), timeout=5).close()
        except OSError:
            return False
        return True

    @property
    def cpus(self) -> int:
        """All their processors."""
        return sum(node.cpus for node in self.nodes())
