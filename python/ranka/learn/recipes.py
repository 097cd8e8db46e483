"""What is a game's own in its training."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Recipe:
    """What is a game's own in its training."""

    # Of self-play; a shorter game can teach the long one.
    rules: str = ""
    # Of games against opponents and panel.
    panel_rules: str = ""
    games: int = 8192
    plies: int = 32
    ply_cap: int | None = None
    # Opponents that cost no time, with their share of the games.
    scripted: list[tuple[str, float]] = field(default_factory=list)
    # Opponents that think: they play on the processor's other cores, as many games each.
    searching: list[tuple[str, int]] = field(default_factory=list)
    # Something is hidden: the critic sees every seat's observation.
    hidden: bool = True
    # Who is measured against; those who are not above are never met in training.
    panel: list[str] = field(default_factory=list)
    # The plane of the other seat's observation that is to be guessed, as seen from the opposite side.
    belief: str | None = None
    # How the names of planes begin that say what each action would gain, in the order of the planes of actions, and how
    # much more often an action is chosen for it: where a policy begins that would else be lost among many actions.
    hint: tuple[str, float] | None = None


RECIPES = {
    "geister": Recipe(
        scripted=[("blue-rush", 0.03), ("red-rush", 0.03)],
        searching=[("purple-max", 512), ("suspicion", 512), ("naotti-1.1:depth=3", 512)],
        panel=[
            "purple-max",
            "suspicion",
            "naotti-1.1",
            "purple-suspicion",
            "purple-max:depth=7",
            "suspicion:depth=7",
            "blue-rush",
            "red-rush",
        ],
        belief="own red",
    ),
    "kalah": Recipe(hidden=False, panel=["minimax:depth=4", "minimax:depth=8"]),
    "labyrinth": Recipe(
        rules="cards-per-player=3,ply-cap=200",
        games=4096,
        searching=[("static", 384), ("slide", 384), ("big-brain:preset=thesis,budget=100", 384)],
        panel=["big-brain:preset=thesis,budget=400", "static", "slide", "hybrid"],
    ),
    "tantrix": Recipe(
        games=2048,
        hidden=False,
        searching=[("darwin:playouts=30", 64), ("uct:playouts=60", 64)],
        panel=["darwin:playouts=300", "uct:playouts=300", "greedy"],
        hint=("gain of hand", 16.0),
    ),
    "tubstap": Recipe(
        rules="map=random",
        panel_rules="map=random",
        games=4096,
        hidden=False,
        searching=[("uct:playouts=200", 256), ("uct-fpu:playouts=200", 128), ("standard", 128)],
        panel=["uct:playouts=1000", "uct-fpu:playouts=1000", "dlmc", "standard"],
    ),
}
