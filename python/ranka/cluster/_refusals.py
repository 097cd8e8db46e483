"""Which nodes are given no more of what, and what is lost with a worker."""

from __future__ import annotations

import logging
from typing import Any

from ranka.cluster._ray import Cluster, Node

log = logging.getLogger("ranka.cluster")


def lost_with_a_worker(ray: Any) -> tuple[type[Exception], ...]:
    """What Ray raises when a worker or a machine is gone: what it did can be done again."""
    errors = ray.exceptions
    return (
        errors.WorkerCrashedError,
        errors.NodeDiedError,
        errors.ObjectLostError,
        errors.OutOfMemoryError,
        errors.LocalRayletDiedError,
        errors.RaySystemError,
    )


class Refusals:
    """Nodes that cannot do something: a recipe, or with the name "" anything."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self.of: dict[str, dict[str, str]] = {}

    def _all(self, what: str) -> dict[str, str]:
        return {**self.of.get("", {}), **self.of.get(what, {})}

    def takes(self, node: Node, what: str) -> bool:
        """Whether a node may be given it."""
        return node.id not in self._all(what)

    def options(self, what: str) -> dict[str, Any]:
        """Options of a task that is kept from whoever cannot do it."""
        refused = self._all(what)
        return {"label_selector": {"ray.io/node-id": f"!in({','.join(refused)})"}} if refused else {}

    def refuse(self, node: str, what: str, why: str) -> None:
        """Gives a node no more of it. When nobody else is left, that is an error."""
        refused = self.of.setdefault(what, {})
        if node not in refused:
            refused[node] = why
            log.warning("node %s is refused: %s", _name(node, self._cluster.nodes()), why)
        self.check(what)

    def check(self, what: str) -> None:
        """An error if all nodes that are there are refused. Without any it is worth waiting for one."""
        nodes = self._cluster.nodes()
        if nodes and not any(self.takes(node, what) for node in nodes):
            reasons = "; ".join(f"{_name(node, nodes)}: {why}" for node, why in self._all(what).items())
            raise RuntimeError(f"no node of the cluster can play this: {reasons}")


def _name(node: str, nodes: list[Node]) -> str:
    return next((known.name for known in nodes if known.id == node), node[:8])
