"""What a worker does: makes a pairing from its recipe, once, and plays shards of it."""

from __future__ import annotations

import pickle
from collections import OrderedDict
from typing import Any

from ranka import _ranka

KEPT = 64
_made: OrderedDict[str, _ranka.Pairing] = OrderedDict()

Refusal = tuple[str, bool, str]
"""`refused`, whether of everything, and why."""


def play(build: str, recipe: str, own: bytes, first: int, count: int) -> bytes | Refusal:
    """The games of a shard, or why this worker must not play them."""
    here = _ranka.this_build()
    if here != build:
        return ("refused", True, f"its ranka is another build: {here[:12]} there, {build[:12]} here")
    try:
        pairing = _pairing(recipe, own)
    except (ValueError, OSError, RuntimeError, ImportError, AttributeError, pickle.UnpicklingError) as error:
        return ("refused", False, str(error))
    return pairing.play(first, count)


def _pairing(recipe: str, own: bytes) -> _ranka.Pairing:
    if recipe in _made:
        _made.move_to_end(recipe)
        return _made[recipe]
    agents: dict[str, Any] = pickle.loads(own)
    for players in agents.values():
        if players.changed():
            raise ValueError(f"the code of {players.name} is another one there")
    pairing = _made[recipe] = _ranka.Pairing(recipe, agents)
    if len(_made) > KEPT:
        _made.popitem(last=False)
    return pairing
