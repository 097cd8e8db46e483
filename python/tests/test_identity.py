"""Agents that may play otherwise have other identities, so that the store never gives one the games of another."""

from __future__ import annotations

import abc
import functools
import importlib
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ranka
from ranka._agents import Players

weights: Any = np.zeros(3)
depth: Any = 1


class Deep:
    """Takes the legal action of a number."""

    def __init__(self, number: Any) -> None:
        self.number = number

    def think(self, view: ranka.View) -> str:
        legal = view.legal()
        return legal[int(self.number) % len(legal)]


class Slotted:
    __slots__ = ("number",)

    def __init__(self, number: int) -> None:
        self.number = number

    def think(self, view: ranka.View) -> str:
        return view.legal()[self.number]


@dataclass
class Fields:
    number: int = 0
    more: list[int] = field(default_factory=list)

    def think(self, view: ranka.View) -> str:
        return view.legal()[self.number]


class Abstract(abc.ABC):
    @abc.abstractmethod
    def think(self, view: ranka.View) -> str: ...


class Wrapper(Abstract):
    def __init__(self, inner: Deep) -> None:
        self.inner = inner

    def think(self, view: ranka.View) -> str:
        return self.inner.think(view)


class OfWeights:
    def think(self, view: ranka.View) -> str:
        return view.legal()[int(weights.sum())]


class OfDepth:
    def think(self, view: ranka.View) -> str:
        return view.legal()[helped()]


def helped() -> int:
    return int(depth)


def factory(number: int) -> Callable[[], Deep]:
    return lambda: Deep(number)


def closed(number: int) -> type:
    class Closed:
        def think(self, view: ranka.View) -> str:
            return view.legal()[number]

    return Closed


def with_attribute(number: int) -> type:
    return type("Made", (Deep,), {"constant": number})


class Hidden:
    """Like `torch.nn.Module`: what it is does not show."""

    def __init__(self, weight: float) -> None:
        self.weight = weight

    def __repr__(self) -> str:
        return "Hidden()"


def identity(agent: Any) -> str:
    return Players(agent).identity


# On one line, so that their source is the same text.
ONE, OTHER = (lambda: Deep(1), lambda: Deep(9))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (ONE, OTHER),
        (factory(1), factory(2)),
        (closed(1), closed(2)),
        (with_attribute(1), with_attribute(2)),
        (functools.partial(Deep, 1), functools.partial(Deep, 2)),
        (Deep(1), Deep(2)),
        (Deep(1), Deep(True)),
        (Deep([1, {"a": (2, None)}]), Deep([1, {"a": (2, 0)}])),
        (Deep(np.zeros(1000)), Deep(np.eye(1000, 1)[:, 0])),
        (Slotted(1), Slotted(2)),
        (Fields(1), Fields(2)),
        (Wrapper(Deep(1)), Wrapper(Deep(2))),
    ],
)
def test_what_differs_is_told_apart_and_what_does_not_is_found_again(one: Any, other: Any) -> None:
    assert identity(one) != identity(other)
    assert identity(one) == identity(one)


def test_globals_and_helpers_of_the_same_module_count(monkeypatch: pytest.MonkeyPatch) -> None:
    before = [identity(agent) for agent in (OfWeights, OfDepth)]
    assert before == [identity(agent) for agent in (OfWeights, OfDepth)]
    monkeypatch.setattr(sys.modules[__name__], "weights", np.ones(3))
    monkeypatch.setattr(sys.modules[__name__], "depth", 2)
    after = [identity(agent) for agent in (OfWeights, OfDepth)]
    assert before[0] != after[0]
    assert before[1] != after[1]


class Sequence(list[int]):
    def think(self, view: ranka.View) -> str:
        return view.legal()[self[0]]


@pytest.mark.parametrize("agent", [Deep(Hidden(0.5)), Deep([Hidden(1)]), Sequence([1]), Deep(ranka.agent("random"))])
def test_what_cannot_be_read_is_never_the_same_again(agent: Any) -> None:
    assert identity(agent) != identity(agent)


BASE = """
class Base:
    def think(self, view):
        return view.legal()[{number}]
"""


def test_an_edited_base_class_makes_another_agent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    seen = []
    for number in (0, -1):
        (tmp_path / "base_of_mine.py").write_text(BASE.format(number=number))
        importlib.invalidate_caches()
        sys.modules.pop("base_of_mine", None)
        base = importlib.import_module("base_of_mine").Base
        seen.append(identity(type("Mine", (base,), {})))
    assert seen[0] != seen[1]


def test_the_store_never_gives_one_the_games_of_another(tmp_path: Path) -> None:
    options: dict[str, Any] = {"games": 10, "store": tmp_path / "s.sqlite", "progress": False}
    hidden = Wrapper(Deep(1))
    hidden.weights = Hidden(1)  # type: ignore[attr-defined]
    agents: list[Any] = [ONE, OTHER, ONE, hidden, hidden]
    had = [ranka.match("kalah", [agent, "random"], **options).from_store for agent in agents]
    assert had == [0, 0, 10, 0, 0]
    one, other = (ranka.match("kalah", [agent, "random"], **options) for agent in (ONE, OTHER))
    assert one.lines != other.lines
    found = ranka.tournament("kalah", [Deep(1), Deep(9)], **options)
    assert "from the store" not in str(found)
    assert "10 of 10 games from the store" in str(ranka.tournament("kalah", [Deep(1), Deep(9)], **options))
