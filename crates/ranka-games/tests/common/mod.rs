//! What several of these tests play.

/// Rules that end soon, for each game.
pub(crate) const RULES: [(&str, &str); 7] = [
    ("kalah", "houses=4,seeds=3,pie=on"),
    ("geister", "plies=60"),
    ("labyrinth", "ply-cap=60"),
    ("labyrinth", "players=3,ply-cap=40,cards-per-player=1"),
    ("tantrix", ""),
    ("tantrix", "players=4"),
    ("tubstap", "map=duel,noise=both"),
];
