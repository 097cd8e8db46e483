"""Records of games: from matches, files and the store."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

from ranka import _ranka
from ranka._html import slideshow
from ranka._ranka import State, Table

Path: TypeAlias = "str | os.PathLike[str]"


@dataclass(frozen=True)
class Record:
    """A finished game, as `ranka` writes it."""

    line: str
    data: dict[str, Any]

    @staticmethod
    def read(line: str) -> Record:
        """Reads a record from a line of JSON. `verify` says whether it replays."""
        return Record(line.strip(), json.loads(line))

    @property
    def agents(self) -> list[str]:
        """The agent of each seat."""
        return list(self.data["agents"])

    @property
    def actions(self) -> list[str]:
        """Every action, chance's included."""
        return str(self.data["actions"]).split()

    @property
    def outcome(self) -> list[float]:
        """The score of each seat."""
        return list(self.data["outcome"])

    @property
    def reason(self) -> str:
        """Why it ended."""
        return str(self.data["end"]["reason"])

    def verify(self) -> None:
        """Replays it; raises ValueError where it goes wrong."""
        _ranka.verify_record(self.line)

    def states(self) -> Iterator[State]:
        """Every position, from the start on."""
        state = _ranka.game(self.data["game"], rules=self.data["rules"]).state(self.data["start"])
        yield state
        for action in self.actions:
            state = state.apply(action)
            yield state

    def _repr_html_(self) -> str:
        captions = ["start", *self.actions]
        frames = [(caption, state.picture()) for caption, state in zip(captions, self.states(), strict=True)]
        return slideshow(frames)


def read(path: Path) -> list[Record]:
    """The records of a file of JSON lines, as `ranka match --records` writes it."""
    with open(path, encoding="utf-8") as file:
        return [Record.read(line) for line in file if line.strip()]


def write(path: Path, records: list[Record]) -> None:
    """Writes records as JSON lines."""
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(record.line + "\n" for record in records)


def pairings(store: Path | None = None) -> list[dict[str, Any]]:
    """The pairings that the store has, the last made first."""
    path = None if store is None else os.fspath(store)
    return [json.loads(line) for line in _ranka.stored_pairings(path)]


def stored(identity: str, store: Path | None = None) -> tuple[list[Record], Table]:
    """The games of a pairing of the store, by (the beginning of) its identity."""
    lines, table = _ranka.stored_records(None if store is None else os.fspath(store), identity)
    return [Record.read(line) for line in lines], table
