"""Gymnasium's spaces for a game's arrays."""

from __future__ import annotations

import gymnasium
import numpy as np

from ranka._ranka import Game


def observation_space(game: Game) -> gymnasium.spaces.Box[np.float32]:
    """Planes, rows and columns of numbers; most lie between 0 and 1, none is bound to."""
    return gymnasium.spaces.Box(-np.inf, np.inf, game.observation_shape, np.float32)
