//! Wins, draws and losses: the one way to say what a game was to one side, and to count such games.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::{AddAssign, Sub};

/// What a game was to one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Wdl {
    /// It won alone.
    Win,
    /// It shared the point.
    Draw,
    /// It got nothing.
    Loss,
}

impl Wdl {
    /// What a score is to whoever made it. Scores of a team are sums, so they are read with a little care.
    pub fn of(score: f64) -> Wdl {
        const ROUNDING: f64 = 1e-9;
        match score {
            s if s > 1.0 - ROUNDING => Wdl::Win,
            s if s < ROUNDING => Wdl::Loss,
            _ => Wdl::Draw,
        }
    }

    /// The same game to the other side.
    pub const fn reversed(self) -> Wdl {
        match self {
            Wdl::Win => Wdl::Loss,
            Wdl::Draw => Wdl::Draw,
            Wdl::Loss => Wdl::Win,
        }
    }
}

/// How many games one side won, drew and lost. In JSON `[wins, draws, losses]`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "[u64; 3]", into = "[u64; 3]")]
pub struct WdlCounts {
    /// Won alone.
    pub wins: u64,
    /// Shared.
    pub draws: u64,
    /// Lost.
    pub losses: u64,
}

impl WdlCounts {
    /// So many of each.
    pub const fn new(wins: u64, draws: u64, losses: u64) -> WdlCounts {
        WdlCounts { wins, draws, losses }
    }

    /// Counts one more game.
    pub fn add(&mut self, game: Wdl) {
        *match game {
            Wdl::Win => &mut self.wins,
            Wdl::Draw => &mut self.draws,
            Wdl::Loss => &mut self.losses,
        } += 1;
    }

    /// How many games there are.
    pub const fn games(&self) -> u64 {
        self.wins.saturating_add(self.draws).saturating_add(self.losses)
    }

    /// The mean score, a draw for half a point; nothing of no games.
    pub fn score(&self) -> Option<f64> {
        let games = self.games();
        (games > 0).then(|| (self.wins as f64 + self.draws as f64 / 2.0) / games as f64)
    }

    /// The same games to the other side.
    pub const fn reversed(self) -> WdlCounts {
        WdlCounts { wins: self.losses, draws: self.draws, losses: self.wins }
    }
}

impl From<[u64; 3]> for WdlCounts {
    fn from([wins, draws, losses]: [u64; 3]) -> WdlCounts {
        WdlCounts { wins, draws, losses }
    }
}

impl From<WdlCounts> for [u64; 3] {
    fn from(counts: WdlCounts) -> [u64; 3] {
        [counts.wins, counts.draws, counts.losses]
    }
}

impl AddAssign for WdlCounts {
    /// Counts other games too.
    fn add_assign(&mut self, others: WdlCounts) {
        self.wins += others.wins;
        self.draws += others.draws;
        self.losses += others.losses;
    }
}

impl Sub for WdlCounts {
    type Output = WdlCounts;

    /// The games without `some` of them.
    fn sub(self, some: WdlCounts) -> WdlCounts {
        WdlCounts {
            wins: self.wins - some.wins,
            draws: self.draws - some.draws,
            losses: self.losses - some.losses,
        }
    }
}

/// `wins–draws–losses`, as tables have it.
impl fmt::Display for WdlCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}–{}–{}", self.wins, self.draws, self.losses)
    }
}

impl FromIterator<Wdl> for WdlCounts {
    fn from_iter<I: IntoIterator<Item = Wdl>>(games: I) -> WdlCounts {
        let mut counts = WdlCounts::default();
        games.into_iter().for_each(|game| counts.add(game));
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_counted_from_one_side_and_from_the_other() {
        let counts: WdlCounts =
            [1.0, 0.5, 0.0, 1.0 / 3.0, 0.1 + 0.2 + 0.7].map(Wdl::of).into_iter().collect();
        assert_eq!(counts, WdlCounts::new(2, 2, 1));
        assert_eq!((counts.games(), counts.score()), (5, Some(0.6)));
        assert_eq!(counts.reversed(), [1, 2, 2].into());
        assert_eq!(WdlCounts::default().score(), None);
        assert_eq!((counts - [1, 0, 1].into()).to_string(), "1–2–0");
        assert_eq!(serde_json::to_string(&counts).unwrap(), "[2,2,1]");
    }
}
