"""A bot in ten lines: it takes the house whose sowing gains most, and is measured against two agents of Ranka."""

import ranka


class Greedy:
    """Looks one action ahead, in a state that looks like what it sees."""

    def think(self, view: ranka.View) -> str:
        seat, state = view.seat, view.sample()
        return max(view.legal(), key=lambda action: int(state.apply(action).notation.split(",")[1 + seat]))


print(ranka.match("kalah", [Greedy, "random"], games=200, seed=1))
print(ranka.match("kalah", [Greedy, "minimax:depth=3"], games=200, seed=1))
