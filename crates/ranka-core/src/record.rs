//! Records: a finished game as text, enough to replay it exactly.

use crate::{Error, GameSeeds, Notation, NotationError, Played, Settings, Table};
use serde::{Deserialize, Serialize};

/// The version of the record's form.
pub const RECORD_FORMAT: u32 = 1;

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EndReason {
    /// As the rules say.
    Rules,
    /// The match's cap on plies was reached: a draw.
    PlyCap,
    /// Somebody chose an illegal action.
    Illegal,
    /// Somebody's agent broke.
    Crash,
    /// Somebody thought too long.
    Timeout,
    /// Somebody left.
    Disconnected,
    /// Somebody's answer was none.
    Protocol,
    /// Somebody gave up.
    Resigned,
    /// The match was stopped from outside.
    Cancelled,
}

impl EndReason {
    const ALL: [EndReason; 9] = [
        EndReason::Rules,
        EndReason::PlyCap,
        EndReason::Illegal,
        EndReason::Crash,
        EndReason::Timeout,
        EndReason::Disconnected,
        EndReason::Protocol,
        EndReason::Resigned,
        EndReason::Cancelled,
    ];

    /// The reason with this name.
    pub fn named(name: &str) -> Option<EndReason> {
        EndReason::ALL.into_iter().find(|reason| reason.name() == name)
    }

    /// The reason's name, as in records and `--json`.
    pub const fn name(self) -> &'static str {
        match self {
            EndReason::Rules => "rules",
            EndReason::PlyCap => "ply-cap",
            EndReason::Illegal => "illegal",
            EndReason::Crash => "crash",
            EndReason::Timeout => "timeout",
            EndReason::Disconnected => "disconnected",
            EndReason::Protocol => "protocol",
            EndReason::Resigned => "resigned",
            EndReason::Cancelled => "cancelled",
        }
    }
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct End {
    /// Why.
    pub reason: EndReason,
    /// The seat to blame, if one is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<usize>,
    /// What is known beyond that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}

impl End {
    pub(crate) const fn rules() -> End {
        End { reason: EndReason::Rules, seat: None, detail: None }
    }
}

/// A finished game: the same for the same seed, however many threads played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// The version of this form.
    pub format: u32,
    /// The game's name.
    pub game: String,
    /// The version of its rules.
    pub version: u32,
    /// All its options.
    pub rules: String,
    /// The experiment's seed, the pair and the game in it: all randomness follows from them.
    pub seed: (u64, u64, u64),
    /// The agent of each seat with all its parameters.
    pub agents: Vec<String>,
    /// The number that each seat's agent has in the experiment.
    pub numbers: Vec<usize>,
    /// The match's budget, if it set one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<String>,
    /// The position at the start.
    pub start: String,
    /// Every action, chance's included, separated by spaces.
    pub actions: String,
    /// How many of them the seats took.
    pub plies: u32,
    /// How it ended.
    pub end: End,
    /// The score of each seat.
    pub outcome: Vec<f64>,
}

impl Record {
    /// Writes a finished game down. `rules` and `agents` are the full parameter texts.
    pub fn of<G: Notation>(
        game: &G,
        played: &Played<G>,
        rules: &str,
        agents: Vec<String>,
        numbers: Vec<usize>,
        seeds: &GameSeeds,
        settings: &Settings<'_>,
    ) -> Record {
        let mut actions = String::with_capacity(played.actions.len() * 2);
        for (i, &action) in played.actions.iter().enumerate() {
            if i > 0 {
                actions.push(' ');
            }
            actions.push_str(&game.write_action(action));
        }
        Record {
            format: RECORD_FORMAT,
            game: G::INFO.name.to_owned(),
            version: G::INFO.version,
            rules: rules.to_owned(),
            seed: seeds.place(),
            agents,
            numbers,
            budget: settings.budget.map(|b| b.to_string()),
            start: game.write_state(&played.start),
            actions,
            plies: played.plies,
            end: played.end.clone(),
            outcome: played.outcome.scores().to_vec(),
        }
    }

    /// Plays the record again on a table and checks that it comes out as written.
    pub fn replay<G: Notation>(&self, game: &G) -> Result<Table<G>, Error> {
        if self.format > RECORD_FORMAT {
            return Err(Error::input(format!(
                "the record's form is {}, this program reads up to {RECORD_FORMAT}",
                self.format
            )));
        }
        if (self.game.as_str(), self.version) != (G::INFO.name, G::INFO.version) {
            return Err(Error::input(format!(
                "the record is of {} version {}, these rules are {} version {}",
                self.game,
                self.version,
                G::INFO.name,
                G::INFO.version
            )));
        }
        let place = |e: NotationError, what: &str| Error::from(e).at(format!("record, {what}"));
        let start = game.read_state(&self.start).map_err(|e| place(e, "start"))?;
        // Chance comes from the record's own actions, so its seed plays no part.
        let chance = GameSeeds::of(crate::Seed::new(self.seed.0), self.seed.1, self.seed.2).chance;
        let mut table = Table::new(game.clone(), start, chance);
        for (i, text) in self.actions.split(' ').filter(|t| !t.is_empty()).enumerate() {
            let what = format!("action {}", i + 1);
            let action = game.read_action(text).map_err(|e| place(e, &what))?;
            table.replay(action).map_err(|_| {
                let why = game.refusal(table.state(), action);
                Error::input(format!("record, {what}: {text} is not legal: {why}"))
            })?;
        }
        if table.plies() != self.plies {
            return Err(Error::input(format!(
                "record: it has {} actions of the seats, but says {} plies",
                table.plies(),
                self.plies
            )));
        }
        let rules_end = table.end().map(|(_, outcome)| outcome.scores().to_vec());
        match (self.end.reason, rules_end) {
            (EndReason::Rules, Some(outcome)) if outcome == self.outcome => Ok(table),
            (EndReason::Rules, Some(outcome)) => Err(Error::input(format!(
                "record: the outcome is written as {:?} but replays as {outcome:?}",
                self.outcome
            ))),
            (EndReason::Rules, None) => {
                Err(Error::input("record: the game is not over after its last action"))
            }
            (_, None) => Ok(table),
            (reason, Some(_)) => Err(Error::input(format!(
                "record: ended by {} although the rules had ended it",
                reason.name()
            ))),
        }
    }
}
