"""Gymnasium: one seat of a game, against a named opponent in the others.

>>> import ranka.gymnasium
>>> env = ranka.gymnasium.env("kalah", opponent="minimax:depth=2")
>>> observation, info = env.reset(seed=3)
>>> observation.shape, int(info["action_mask"].sum())
((24, 2, 6), 6)
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt

from ranka._agents import AgentLike, Players
from ranka._ranka import Agent, Game, State, agent
from ranka.spaces import after, check_mode, chosen, observation_space

Observation = npt.NDArray[np.float32]


class RankaEnv(gymnasium.Env[Observation, np.int64]):
    """A seat of a game. The reward is the seat's score, from 0 to 1, when the game ends.

    `info["action_mask"]` tells which legal actions the game lists, and so does `action_masks()`. An illegal action
    loses the game, as it does in Ranka's matches; one that is legal though not listed is taken.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi", "svg"]}

    def __init__(
        self, played: Game, opponent: AgentLike, seat: int | None = None, render_mode: str | None = None
    ) -> None:
        if seat is not None and not 0 <= seat < played.seats:
            raise ValueError(f"seat {seat}: {played.name} has {played.seats} seats")
        check_mode(render_mode, self.metadata["render_modes"])
        self.game, self.render_mode = played, render_mode
        self.observation_space = observation_space(played)
        self.action_space = gymnasium.spaces.Discrete(played.action_count)
        named = agent(opponent) if isinstance(opponent, str) else opponent
        self._named = named if isinstance(named, Agent) else None
        self._own = None if isinstance(named, Agent) else Players(named)
        self._fixed_seat = seat
        self._seed, self._deal = 0, -1
        self._seat = 0
        self._players: dict[int, Any] = {}
        self._state: State
        if self._named is not None:
            # A name that does not play this game is told now, not in the middle of one.
            first = played.start()
            while first.is_chance:
                first = first.draw()
            self._named.think(first.view())

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Deals a game: the first of a seed, or the next one of the seed before. Seats go round unless one is fixed."""
        super().reset(seed=seed, options=options)
        self._seed, self._deal = (self._seed, self._deal + 1) if seed is None else (seed, 0)
        self._seat = self._deal % self.game.seats if self._fixed_seat is None else self._fixed_seat
        others = [number for number in range(self.game.seats) if number != self._seat]
        self._players = {number: self._own.seat(number, 0) for number in others} if self._own is not None else {}
        self._state = self.game.start(self._seed, self._deal)
        self._settle()
        return self._observed(), self._info()

    def step(self, action: np.int64 | int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Takes an action by its number; the others then act until it is the seat's turn again."""
        taken = after(self._state, int(action)) if self._state.actor == self._seat else None
        if taken is None:
            return self._observed(), 0.0, True, False, {**self._info(), "illegal": True}
        self._follow(taken)
        self._settle()
        outcome = self._state.outcome
        reward = 0.0 if outcome is None else outcome[self._seat]
        stuck = outcome is None and not self._state.legal_indices()
        return self._observed(), reward, outcome is not None, stuck, self._info()

    def _settle(self) -> None:
        """Lets chance and the others act."""
        state = self._state
        while not state.is_over and state.actor != self._seat:
            if state.actor is None:
                self._follow(state.draw())
            else:
                number = state.actor
                seed = self.game.agent_seed(self._seed, self._deal, 0, number)
                view = state.view()
                if self._named is not None:
                    choice = self._named.think(view, seed=seed).choice
                else:
                    choice = self._players[number].think(view, seed + state.plies).choice
                self._follow(state.apply(choice))
            state = self._state

    def _follow(self, after: State) -> None:
        before, self._state = self._state, after
        for number, player in self._players.items():
            seen = before.seen(after.history[-1], number)
            player.told(before.actor, seen, before.view(number), after.view(number))

    def _observed(self) -> Observation:
        return self._state.observation(self._seat)

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Which actions are legal."""
        if self._state.actor != self._seat:
            return np.zeros(self.game.action_count, np.bool_)
        return self._state.mask().astype(np.bool_)

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.action_masks().astype(np.int8), "seat": self._seat}

    def render(self) -> str | None:
        """The board as the seat sees it: `ansi` as text, `svg` as a drawing."""
        view = self._state.view(self._seat)
        return view.picture() if self.render_mode == "svg" else view.sketch()


def env(
    name: str | Game,
    opponent: AgentLike = "random",
    *,
    seat: int | None = None,
    render_mode: str | None = None,
    **options: Any,
) -> RankaEnv:
    """A seat of a game against an opponent, which plays all other seats."""
    return RankaEnv(chosen(name, options), opponent, seat, render_mode)
