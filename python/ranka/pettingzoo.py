"""PettingZoo: every game as an AEC environment, with masks.

>>> import ranka.pettingzoo
>>> env = ranka.pettingzoo.env("labyrinth", players=4)
>>> env.reset(seed=1)
>>> env.agents
['player_0', 'player_1', 'player_2', 'player_3']
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from ranka._ranka import Game, State
from ranka.spaces import after, check_mode, chosen, observation_space


class RankaEnv(AECEnv):  # type: ignore[misc]
    """A game for all its seats. The reward is the score, from 0 to 1, when the game ends; chance acts by itself.

    An observation is `{"observation": planes × rows × columns, "action_mask": one number an action}`.
    """

    metadata: dict[str, Any] = {
        "render_modes": ["human", "ansi", "svg"],
        "is_parallelizable": False,
        "name": "ranka",
    }

    def __init__(self, played: Game, max_cycles: int | None = None, render_mode: str | None = None) -> None:
        super().__init__()
        check_mode(render_mode, self.metadata["render_modes"])
        self.game = played
        self.metadata = {**type(self).metadata, "name": f"ranka_{played.name}"}
        self.render_mode = render_mode
        self.max_cycles = max_cycles
        self.possible_agents = [f"player_{seat}" for seat in range(played.seats)]
        self.agents: list[str] = []
        space = observation_space(played)
        mask = gymnasium.spaces.Box(0, 1, (played.action_count,), np.int8)
        both: dict[str, gymnasium.Space[Any]] = {"observation": space, "action_mask": mask}
        self.observation_spaces = {agent: gymnasium.spaces.Dict(both) for agent in self.possible_agents}
        self.action_spaces = {agent: gymnasium.spaces.Discrete(played.action_count) for agent in self.possible_agents}
        self._seed, self._deal = 0, -1
        self.state_: State

    def observation_space(self, agent: str) -> gymnasium.Space[Any]:
        """The same for all."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.Space[Any]:
        """The same for all."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deals a game: the first of a seed, or the next one of the seed before."""
        del options
        self._seed, self._deal = (self._seed, self._deal + 1) if seed is None else (seed, 0)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._take(self.game.start(self._seed, self._deal))
        self.agent_selection = self.possible_agents[self.state_.actor or 0]

    def _take(self, state: State) -> None:
        while state.is_chance:
            state = state.draw()
        self.state_ = state
        # An action beyond the encoding's window has no number: where there is no other, the game cannot go on.
        stuck = not state.is_over and not state.legal_indices()
        late = self.max_cycles is not None and state.plies >= self.max_cycles * self.game.seats
        if state.outcome is not None:
            self.terminations = dict.fromkeys(self.agents, True)
            self.rewards = dict(zip(self.possible_agents, state.outcome, strict=True))
        elif stuck or late:
            self.truncations = dict.fromkeys(self.agents, True)

    def step(self, action: int | None) -> None:
        """Takes an action, by its number, for the agent whose turn it is."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"action None: {agent} is to act; None is for agents whose game is over")
        taken = self.state_.apply(int(action))
        self._cumulative_rewards[agent] = 0.0
        self._take(taken)
        seat = self.state_.actor
        following = (self.possible_agents.index(agent) + 1) % self.game.seats
        self.agent_selection = self.possible_agents[following if seat is None else seat]
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent's seat sees; the mask is empty unless it is its turn."""
        seat = self.possible_agents.index(agent)
        to_act = self.state_.actor == seat
        mask = self.state_.mask() if to_act else np.zeros(self.game.action_count, np.int8)
        return {"observation": self.state_.observation(seat), "action_mask": mask}

    def render(self) -> str | None:
        """The board as the agent whose turn it is sees it: `ansi` as text, `svg` as a drawing, `human` printed."""
        if self.render_mode is None:
            gymnasium.logger.warn("no render mode was chosen")
            return None
        view = self.state_.view(self.possible_agents.index(self.agent_selection))
        if self.render_mode == "svg":
            return view.picture()
        if self.render_mode == "ansi":
            return view.sketch()
        print(view.sketch())
        return None

    def close(self) -> None:
        """Nothing is held."""


class TerminateIllegal(wrappers.TerminateIllegalWrapper):  # type: ignore[misc]
    """PettingZoo's wrapper, which goes by the mask; here the rules decide, and they accept some actions that are not
    listed."""

    _prev_obs: Any

    def step(self, action: int | None) -> None:
        """Takes an action, or ends the game."""
        if self._prev_obs is None:
            self.observe(self.agent_selection)
        mask = self._prev_obs["action_mask"]
        if action is not None and not mask[action] and after(self.env.unwrapped.state_, int(action)) is not None:
            # A copy: the mask that was handed out lists what it listed.
            mask = mask.copy()
            mask[action] = 1
            self._prev_obs = {**self._prev_obs, "action_mask": mask}
        super().step(action)


def raw_env(
    name: str | Game, *, max_cycles: int | None = None, render_mode: str | None = None, **options: Any
) -> RankaEnv:
    """The environment without PettingZoo's wrappers: an illegal action raises ValueError with the reason."""
    return RankaEnv(chosen(name, options), max_cycles, render_mode)


def env(name: str | Game, *, max_cycles: int | None = None, render_mode: str | None = None, **options: Any) -> AECEnv:
    """The environment as PettingZoo hands it out: an illegal action ends the game with a reward of −1."""
    made: AECEnv = raw_env(name, max_cycles=max_cycles, render_mode=render_mode, **options)
    made = TerminateIllegal(made, illegal_reward=-1)
    made = wrappers.AssertOutOfBoundsWrapper(made)
    return wrappers.OrderEnforcingWrapper(made)
