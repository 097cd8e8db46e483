"""OpenSpiel: Ranka's games as games of `pyspiel`, so that its algorithms play them.

>>> import pyspiel, ranka.openspiel
>>> ranka.openspiel.register()
>>> game = pyspiel.load_game("ranka_kalah", {"rules": "houses=4,seeds=3"})
>>> game.num_distinct_actions()
5

A deal that cannot be listed is one chance action that is sampled; its seed is the game's parameter `seed`, and every
new state of a game is dealt the next one. What is drawn during a game is listed with its probabilities.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pyspiel

from ranka import _ranka
from ranka._ranka import Game, State

#: Beyond any game of ours that is played to its end.
MAX_LENGTH = 10_000
#: The most outcomes that chance has in any game (Tantrix: the tiles in the bag).
MAX_OUTCOMES = 64


def load(name: str, **options: Any) -> Any:
    """A game of `pyspiel` that is Ranka's game with these options."""
    register()
    return pyspiel.load_game(f"ranka_{name}", {"rules": _spelt(_ranka.game(name, **options).rules)})


def _spelt(rules: str) -> str:
    """Rules as a parameter: OpenSpiel writes `,` and `=` between parameters, and could not read its own text again."""
    return rules.replace(",", ";").replace("=", ":")


def _read(rules: str) -> str:
    """Rules from a parameter, in either spelling."""
    return rules if "=" in rules else rules.replace(";", ",").replace(":", "=")


def _game_type(game: Game) -> Any:
    dealt = game.start(1) != game.start(2)
    draws = _has_draws(game.start(1))
    modes = pyspiel.GameType.ChanceMode
    chance = modes.SAMPLED_STOCHASTIC if dealt else modes.EXPLICIT_STOCHASTIC if draws else modes.DETERMINISTIC
    kinds = pyspiel.GameType.Information
    return pyspiel.GameType(
        short_name=f"ranka_{game.name}",
        long_name=f"Ranka: {game.title}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=chance,
        information=kinds.IMPERFECT_INFORMATION if _hides(game) else kinds.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=4,
        min_num_players=2,
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"rules": "", "seed": 0},
    )


def _has_draws(state: State) -> bool:
    """Whether chance acts in a game that is played by first actions."""
    for _ in range(200):
        if state.is_chance:
            return True
        if state.is_over:
            return False
        state = state.apply(state.legal()[0])
    return False


def _hides(game: Game) -> bool:
    """Whether a seat has to guess anything, in a game that is begun by first actions: an option may show what a game
    hides otherwise."""
    if game.open_information:
        return False
    state = game.start(1)
    for _ in range(20):
        for seat in range(game.seats):
            worlds = state.view(seat).worlds()
            if worlds is None or len(worlds) > 1:
                return True
        if state.is_over:
            return False
        state = state.draw() if state.is_chance else state.apply(state.legal()[0])
    return False


class RankaGame(pyspiel.Game):  # type: ignore[misc]
    """A game of Ranka."""

    def __init__(self, params: dict[str, Any] | None, name: str) -> None:
        given = params or {}
        rules = _read(str(given.get("rules", "")))
        self.game: Game = _ranka.game(name, rules=rules)
        if rules:
            given = {**given, "rules": _spelt(rules)}
        # Rules may deal what is fixed otherwise, or show what is hidden.
        self.kind = _game_type(self.game)
        self.seed = int(given.get("seed", 0))
        self.sampled = self.kind.chance_mode == pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC
        self.dealt = 0
        info = pyspiel.GameInfo(
            num_distinct_actions=self.game.action_count,
            max_chance_outcomes=MAX_OUTCOMES,
            num_players=self.game.seats,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=MAX_LENGTH,
        )
        super().__init__(self.kind, info, given)

    def __reduce__(self) -> tuple[Any, tuple[str]]:
        return _load, (str(self),)

    def new_initial_state(self) -> RankaState:
        """A state before the deal."""
        return RankaState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> RankaObserver:
        """What a seat observes: the game's encoding."""
        del iig_obs_type
        if params:
            raise ValueError(f"observation parameters are not known: {params}")
        return RankaObserver(self.game)


class RankaState(pyspiel.State):  # type: ignore[misc]
    """A state of Ranka, or the moment before the deal."""

    def __init__(self, game: RankaGame) -> None:
        super().__init__(game)
        self.ranka: State = game.game.start(game.seed)
        self.undealt = game.sampled
        self._seed = game.seed
        if self.undealt:
            game.dealt += 1
            self._deal = game.dealt

    def current_player(self) -> Any:
        """Whose turn it is."""
        if self.undealt or self.ranka.is_chance:
            return pyspiel.PlayerId.CHANCE
        return pyspiel.PlayerId.TERMINAL if self.ranka.is_over else self.ranka.actor

    def _legal_actions(self, player: int) -> list[int]:
        del player
        return sorted(self.ranka.legal_indices())

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """What chance can do; the deal is one outcome, which is sampled."""
        if self.undealt:
            return [(0, 1.0)]
        return [(place, probability) for place, (_, probability) in enumerate(self.ranka.chances())]

    def _apply_action(self, action: int) -> None:
        if self.undealt:
            self.undealt = False
            self.ranka = self.ranka.game.start(self._seed, self._deal)
        else:
            self.ranka = self.ranka.apply(action)

    def _action_to_string(self, player: int, action: int) -> str:
        del player
        return "deal" if self.undealt else self.ranka.action(action)

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return not self.undealt and self.ranka.is_over

    def returns(self) -> list[float]:
        """1 for winning alone, less for a share, adding up to 0."""
        outcome = self.ranka.outcome if not self.undealt else None
        seats = self.ranka.seats
        return [0.0] * seats if outcome is None else [(seats * score - 1) / (seats - 1) for score in outcome]

    def resample_from_infostate(self, player_id: int, sampler: Callable[[], float]) -> RankaState:
        """A state that looks the same to a player, what it cannot see drawn anew."""
        made: RankaState = self.clone()
        if not self.undealt:
            made.ranka = self.ranka.view(player_id).sample(seed=int(sampler() * 2**53))
        return made

    def __str__(self) -> str:
        return "before the deal" if self.undealt else self.ranka.notation


class RankaObserver:
    """The game's encoding as OpenSpiel's observer."""

    def __init__(self, game: Game) -> None:
        shape = game.observation_shape
        self.tensor = np.zeros(int(np.prod(shape)), np.float32)
        self.dict = {"observation": self.tensor.reshape(shape)}

    def set_from(self, state: RankaState, player: int) -> None:
        """Writes what a seat observes; nothing before the deal."""
        if state.undealt:
            self.tensor.fill(0)
        else:
            self.dict["observation"][:] = state.ranka.observation(player)

    def string_from(self, state: RankaState, player: int) -> str:
        """What a seat sees, in notation."""
        return "before the deal" if state.undealt else state.ranka.view(player).notation


_registered: set[str] = set()


def _load(text: str) -> Any:
    """A game as OpenSpiel writes it, for unpickling where nobody has registered ours."""
    register()
    return pyspiel.load_game(text)


def register() -> None:
    """Makes the games known to `pyspiel.load_game` as `ranka_kalah` and so on; parameters are `rules` and `seed`."""
    for name in _ranka.games():
        if name in _registered:
            continue

        class Named(RankaGame):
            """A game by its name."""

            ranka_name = name

            def __init__(self, params: dict[str, Any] | None = None) -> None:
                super().__init__(params, self.ranka_name)

        pyspiel.register_game(_game_type(_ranka.game(name)), Named)
        _registered.add(name)
