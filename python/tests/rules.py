"""Rules under which every game is tested."""

from typing import Any

RULES: list[tuple[str, dict[str, Any]]] = [
    ("kalah", {}),
    ("kalah", {"houses": 4, "seeds": 3, "pie": True}),
    ("geister", {}),
    ("geister", {"plies": 60}),
    ("labyrinth", {}),
    ("labyrinth", {"players": 4, "cards_per_player": 2}),
    ("tantrix", {}),
    ("tantrix", {"players": 3}),
    ("tubstap", {}),
    ("tubstap", {"map": "duel"}),
]
IDS = [f"{name}-{'-'.join(map(str, options.values()))}" for name, options in RULES]
