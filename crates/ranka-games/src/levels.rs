//! Opponents by their strength, for people who know no agents: one table for all games.

use crate::ladder;
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
#[derive(Clone, Debug)]
pub struct Level {
    /// How strong.
    pub strength: Strength,
    /// The agents behind it: who sits down is the first of them that can play under the rules.
    pub agents: Vec<&'static str>,
}

impl Level {
    /// Who sits down.
    pub fn agent(&self, game: &dyn AnyGame) -> Option<AnyAgent> {
        self.agents.iter().find_map(|spec| game.agent(spec).ok())
    }
}

/// Who stands behind the names in a game, weakest first: ranks of its ladder, its champions, and the partner.
pub fn levels(game: &str) -> Vec<Level> {
    let Ok(ladder) = ladder(game) else { return Vec::new() };
    let agents = |strength| match strength {
        Strength::Beginner => vec!["level:rank=1"],
        Strength::Easy => vec!["level:rank=3"],
        Strength::Medium => vec!["level:rank=5"],
        Strength::Hard => vec!["level:rank=7"],
        Strength::Champion => ladder.champions.iter().map(String::as_str).chain(["level:rank=10"]).collect(),
        Strength::Adapts => vec!["partner"],
    };
    Strength::ALL.map(|strength| Level { strength, agents: agents(strength) }).to_vec()
}

/// The opponent of this strength, if the game has one.
pub fn level_of(game: &str, strength: Strength) -> Option<Level> {
    levels(game).into_iter().find(|level| level.strength == strength)
}
