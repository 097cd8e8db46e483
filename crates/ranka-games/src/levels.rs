//! Opponents by their strength, for people who know no agents: a small table for each game.

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
    /// The agent behind it.
    pub agent: &'static str,
    /// The rules under which it plays where nobody chooses any; the usual ones for most.
    pub rules: &'static str,
}

const fn level(strength: Strength, agent: &'static str) -> Level {
    Level { strength, agent, rules: "" }
}

/// Who stands behind the names in a game, weakest first. Neighbours were measured against each other: `docs/arena.md`.
pub fn levels(game: &str) -> &'static [Level] {
    use Strength::{Adapts, Beginner, Champion, Easy, Hard, Medium};
    match game {
        "kalah" => {
            const {
                &[
                    level(Beginner, "random"),
                    level(Easy, "minimax:depth=1"),
                    level(Medium, "minimax:depth=3"),
                    level(Hard, "minimax:depth=7"),
                    level(Champion, "strong:nodes=100000"),
                    Level { strength: Adapts, agent: "select-q", rules: "houses=4,seeds=2" },
                ]
            }
        }
        "geister" => {
            const {
                &[
                    level(Beginner, "random"),
                    level(Easy, "blue-rush"),
                    level(Medium, "purple-max:depth=2"),
                    level(Hard, "purple-suspicion"),
                    level(Champion, "champion"),
                ]
            }
        }
        "labyrinth" => {
            const {
                &[
                    level(Beginner, "random-original"),
                    level(Easy, "hybrid"),
                    level(Medium, "inference"),
                    level(Hard, "distance"),
                    level(Champion, "static"),
                ]
            }
        }
        "tantrix" => {
            const {
                &[
                    level(Beginner, "random"),
                    level(Easy, "greedy"),
                    level(Medium, "flat-mc"),
                    level(Hard, "darwin"),
                    level(Champion, "darwin:playouts=4000"),
                ]
            }
        }
        "tubstap" => {
            const {
                &[
                    level(Beginner, "random"),
                    level(Easy, "standard"),
                    level(Medium, "uct:playouts=100"),
                    level(Hard, "uct:playouts=1000"),
                    level(Champion, "uct-fpu:playouts=4000"),
                ]
            }
        }
        _ => &[],
    }
}

/// The opponent of this strength, if the game has one.
pub fn level_of(game: &str, strength: Strength) -> Option<&'static Level> {
    levels(game).iter().find(|level| level.strength == strength)
}
