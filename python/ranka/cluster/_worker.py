"""What a worker does: makes a pairing from its recipe, once, and plays shards of it."""

from __future__ import annotations

import json
import pickle
from collections import OrderedDict
from typing import Any

from ranka import _ranka

KEPT = 64
_made: OrderedDict[str, _ranka.Pairing] = OrderedDict()

Refusal = tuple[str, bool, str]
"""`refused`, whether of everything, and why."""


def other_build(build: str) -> str | None:
    """Why this worker must do nothing at all for somebody of that build."""
    here = _ranka.this_build()
    return None if here == build else f"its ranka is another build: {here[:12]} there, {build[:12]} here"


def play(build: str, recipe: str, own: dict[str, bytes | str], first: int, count: int) -> bytes | Refusal:
    """The games of a shard, or why this worker must not play them."""
    if (why := other_build(build)) is not None:
        return ("refused", True, why)
    try:
        pairing = _pairing(recipe, own)
    except (ValueError, OSError, RuntimeError, ImportError, AttributeError, pickle.UnpicklingError) as error:
        return ("refused", False, str(error))
    return pairing.play(first, count)


def _pairing(recipe: str, own: dict[str, bytes | str]) -> _ranka.Pairing:
    if recipe in _made:
        _made.move_to_end(recipe)
        return _made[recipe]
    pairing = _made[recipe] = _ranka.Pairing(recipe, _unpacked(recipe, own))
    if len(_made) > KEPT:
        _made.popitem(last=False)
    return pairing


def _unpacked(recipe: str, own: dict[str, bytes | str]) -> dict[str, Any]:
    """The agents written in Python that a recipe names, by their identities."""
    agents: dict[str, Any] = {}
    for wanted in json.loads(recipe)["agents"]:
        identity = wanted["identity"].removeprefix(wanted["name"] + ";")
        packed = own.get(identity)
        if isinstance(packed, str):
            raise ValueError(packed)
        if packed is not None:
            agents[identity] = pickle.loads(packed)
            if agents[identity].changed():
                raise ValueError(f"the code of {agents[identity].name} is another one there")
    return agents
