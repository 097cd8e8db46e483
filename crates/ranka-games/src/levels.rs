//! Opponents by their strength, for people who know no agents: one table for all games.

use ranka_core::{AnyAgent, AnyGame};

/// How strong an opponent is, in words that everybody understands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Strength {
    /// Loses to whoever has read the rules.
    Beginner,
    /// Loses to whoever thinks.
    Easy,
    /// Sees what is near.
    Medium,
    /// Wins against most people.
    Hard,
    /// The strongest that answers within seconds.
    Champion,
    /// About as strong as whoever plays it.
    Adapts,
}

impl Strength {
    /// All of them, weakest first.
    pub const ALL: [Strength; 6] = [
        Strength::Beginner,
        Strength::Easy,
        Strength::Medium,
        Strength::Hard,
        Strength::Champion,
        Strength::Adapts,
    ];

    /// The name in forms and files.
    pub const fn name(self) -> &'static str {
        ["beginner", "easy", "medium", "hard", "champion", "adapts"][self as usize]
    }

    /// The one of this name.
    pub fn of_name(name: &str) -> Option<Strength> {
        Strength::ALL.into_iter().find(|strength| strength.name() == name)
    }

    /// How many of five dots it has; none for one that adapts.
    pub const fn dots(self) -> usize {
        match self {
            Strength::Adapts => 0,
            fixed => fixed as usize + 1,
        }
    }
}

/// An opponent of some strength.
#[derive(Clone, Copy, Debug)]
pub struct Level {
    /// How strong.
    pub strength: Strength,
    /// The agents behind it: who sits down is the first of them that can play under the rules.
    pub agents: &'static [&'static str],
}

impl Level {
    /// Who sits down.
    pub fn agent(&self, game: &dyn AnyGame) -> Option<AnyAgent> {
        self.agents.iter().find_map(|spec| game.agent(spec).ok())
    }
}

/// The same ranks of every game's ladder, its strongest player, and the partner.
const fn with_champions(champions: &'static [&'static str]) -> [Level; 6] {
    const fn level(strength: Strength, agents: &'static [&'static str]) -> Level {
        Level { strength, agents }
    }
    [
        level(Strength::Beginner, &["level:rank=1"]),
        level(Strength::Easy, &["level:rank=3"]),
        level(Strength::Medium, &["level:rank=5"]),
        level(Strength::Hard, &["level:rank=7"]),
        level(Strength::Champion, champions),
        level(Strength::Adapts, &["partner"]),
    ]
}

/// Who stands behind the names in a game, weakest first. What the ranks are worth is in `docs/right-opponent.md`.
pub fn levels(game: &str) -> &'static [Level] {
    match game {
        "kalah" => const { &with_champions(&["strong:nodes=100000"]) },
        "geister" => const { &with_champions(&["champion", "level:rank=10"]) },
        "labyrinth" => const { &with_champions(&["champion", "static"]) },
        "tantrix" => const { &with_champions(&["darwin:playouts=4000"]) },
        "tubstap" => const { &with_champions(&["uct-fpu:playouts=4000"]) },
        _ => &[],
    }
}

/// The opponent of this strength, if the game has one.
pub fn level_of(game: &str, strength: Strength) -> Option<&'static Level> {
    levels(game).iter().find(|level| level.strength == strength)
}
