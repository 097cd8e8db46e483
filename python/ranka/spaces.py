"""What the environments have in common: a game's options, and Gymnasium's spaces for its arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np

from ranka._ranka import Game, State, game


def chosen(name: str | Game, options: dict[str, Any]) -> Game:
    """A game by its name and options, or one that has its options already."""
    if isinstance(name, str):
        return game(name, **options)
    if options:
        raise ValueError(f"a game has its rules already: give no others ({', '.join(options)})")
    return name


def check_mode(mode: str | None, known: Sequence[str]) -> None:
    """Refuses a render mode that is none."""
    if mode is not None and mode not in known:
        raise ValueError(f"render_mode {mode!r}: expected one of {', '.join(known)}")


def after(state: State, index: int) -> State | None:
    """The state after an action that the rules accept, listed or not; None after one that they do not."""
    try:
        return state.apply(index)
    except ValueError:
        return None


def observation_space(game: Game) -> gymnasium.spaces.Box[np.float32]:
    """Planes, rows and columns of numbers; most lie between 0 and 1, none is bound to."""
    return gymnasium.spaces.Box(-np.inf, np.inf, game.observation_shape, np.float32)
