//! The table and what its values mean.

use crate::action::House;
use crate::rules::Kalah;
use crate::state::State;
use ranka_core::{Actor, Error, Param, Params, Position};
use ranka_search::qlearn::ActionValues;
use std::fmt;

/// The most houses for which a position fits into a key.
const MOST_HOUSES: usize = 6;

/// What an action is rewarded with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reward {
    /// The difference of the stores after it, over all seeds (the paper's).
    Level,
    /// The change of that difference, over all seeds: with discount 1 the sum is the final margin.
    Delta,
}

/// Who acts between two decisions of the learner.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Backup {
    /// The learner itself, on the other side.
    SelfPlay,
    /// A random player.
    RandomEnv,
    /// Some other agent.
    FixedOpponent,
}

/// What a Q value means.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct QKind {
    /// Who acts between two decisions.
    pub backup: Backup,
    /// What an action is rewarded with.
    pub reward: Reward,
    /// What a reward one decision later is worth now.
    pub discount: f64,
}

const BACKUPS: [(&str, Backup); 3] = [
    ("selfplay", Backup::SelfPlay),
    ("random-env", Backup::RandomEnv),
    ("fixed-opponent", Backup::FixedOpponent),
];

impl QKind {
    /// The parameters that choose a kind.
    pub const PARAMS: [Param; 3] = [
        Param::choice("backup", &["selfplay", "random-env"], "who plays between two own decisions (q=exact)")
            .once_snake(),
        Param::choice("reward", &["level", "delta"], "difference of the stores, or its change (q=exact)"),
        Param::text("discount", "auto", "0 to 1; auto is 0.9 for level, 1 for delta (q=exact)"),
    ];

    /// What those parameters say.
    pub fn of(params: &Params) -> Result<QKind, Error> {
        QKind::named(params.text("backup"), params.text("reward"), params.text("discount"))
    }

    /// The kind with these names; `auto` chooses the discount that goes with the reward.
    pub fn named(backup: &str, reward: &str, discount: &str) -> Result<QKind, Error> {
        let backup = backup.replace('_', "-");
        let backup = BACKUPS.iter().find(|(name, _)| *name == backup).map(|&(_, backup)| backup);
        let backup =
            backup.ok_or_else(|| Error::input("backup: expected selfplay, random-env or fixed-opponent"))?;
        let reward = match reward {
            "level" => Reward::Level,
            "delta" => Reward::Delta,
            other => return Err(Error::input(format!("reward={other}: expected level or delta"))),
        };
        let discount = match (discount, reward) {
            ("auto", Reward::Level) => 0.9,
            ("auto", Reward::Delta) => 1.0,
            (text, _) => text.parse().ok().filter(|d| (0.0..=1.0).contains(d)).ok_or_else(|| {
                Error::input(format!("discount={text}: expected auto or a number from 0 to 1"))
            })?,
        };
        Ok(QKind { backup, reward, discount })
    }

    /// The reward of a move from `before` to `after` for `before`'s mover.
    pub(super) fn reward(&self, before: &State, after: &State) -> f64 {
        let level = after.margin(before.mover)
            - if self.reward == Reward::Delta { before.margin(before.mover) } else { 0 };
        f64::from(level) / f64::from(before.total())
    }
}

impl fmt::Display for QKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let backup = BACKUPS.iter().find(|(_, backup)| *backup == self.backup).map_or("", |(name, _)| name);
        let reward = if self.reward == Reward::Level { "level" } else { "delta" };
        write!(f, "backup={backup},reward={reward},discount={}", self.discount)
    }
}

/// Q values for the positions of one game.
#[derive(Clone, Debug)]
pub struct QTable {
    /// The game they are for.
    pub game: Kalah,
    /// What they mean.
    pub kind: QKind,
    /// Whether it holds every position that can be reached from the start.
    pub(super) complete: bool,
    pub(super) values: ActionValues<u128>,
}

impl QTable {
    /// An empty table; refused for boards and rules that it cannot hold.
    pub fn new(game: &Kalah, kind: QKind) -> Result<QTable, Error> {
        if game.houses > MOST_HOUSES {
            return Err(Error::input(format!(
                "houses={}: a Q table is for at most {MOST_HOUSES}",
                game.houses
            )));
        }
        if game.rules.pie {
            return Err(Error::input("pie=on: a Q table knows no swap"));
        }
        Ok(QTable { game: *game, kind, complete: false, values: ActionValues::new(game.houses) })
    }

    /// The value of each legal house for the one who moves; 0 where the table knows nothing.
    pub fn choices(&self, state: &State) -> Vec<(House, f64)> {
        if !matches!(state.actor(), Actor::Seat(_)) {
            return Vec::new();
        }
        let row = self.values.row(key(state)).filter(|_| state.houses() == self.game.houses);
        let mut houses = Vec::new();
        state.actions(&mut houses);
        houses
            .into_iter()
            .map(|house| (house, row.zip(house.index()).map_or(0.0, |(row, i)| row[i])))
            .collect()
    }

    /// Whether its word on this position can be taken: an exact table knows what can be reached from the start and
    /// nothing else, a learned one may be asked anything.
    pub fn covers(&self, state: &State) -> bool {
        state.houses() == self.game.houses && (!self.complete || self.values.row(key(state)).is_some())
    }

    /// How many positions it knows.
    pub fn positions(&self) -> usize {
        self.values.positions()
    }

    /// How many actions of them.
    pub fn actions(&self) -> usize {
        self.values.visited()
    }

    /// The largest difference between a value here and in `other`, over all that `other` knows.
    pub fn largest_error(&self, other: &QTable) -> f64 {
        let error = |(key, row, visited): (u128, &[f64], &[bool])| {
            let mine = self.values.row(key);
            let of = |slot: usize| (row[slot] - mine.map_or(0.0, |mine| mine[slot])).abs();
            (0..row.len()).filter(|&slot| visited[slot]).map(of).fold(0.0, f64::max)
        };
        other.values.rows().map(error).fold(0.0, f64::max)
    }
}

/// The houses as the mover sees them, then the difference of the stores.
pub(super) fn key(state: &State) -> u128 {
    let board = state.board();
    let ahead = (state.margin(state.mover) + 512) as u128;
    board.own | board.other << 54 | ahead << 108
}
