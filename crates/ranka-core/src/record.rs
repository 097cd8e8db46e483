//! Records: a finished game as text, enough to replay it exactly.

use crate::{
    Actor, Budget, Error, GameSeeds, Notation, NotationError, Outcome, Played, Position, Seat, Settings,
    Table, printable,
};
use serde::{Deserialize, Serialize};

/// The version of the record's form. Form 1 knew neither the agents' versions nor the limits on plies and time.
pub const RECORD_FORMAT: u32 = 2;

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
    /// All of them.
    pub const ALL: [EndReason; 9] = [
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

    /// Whether somebody did something that a player must not do.
    pub const fn is_fault(self) -> bool {
        match self {
            EndReason::Illegal
            | EndReason::Crash
            | EndReason::Timeout
            | EndReason::Disconnected
            | EndReason::Protocol => true,
            EndReason::Rules | EndReason::PlyCap | EndReason::Resigned | EndReason::Cancelled => false,
        }
    }
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct End {
    /// Why.
    pub reason: EndReason,
    /// The seat to blame, if one is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<Seat>,
    /// What that seat answered, where it was an action but no legal one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    /// What is known beyond that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}

impl End {
    /// The end that the rules bring about.
    pub const fn rules() -> End {
        End { reason: EndReason::Rules, seat: None, answer: None, detail: None }
    }

    /// What a game that ended so, before the rules ended it, is worth to each of `seats` seats. Refused where the reason
    /// wants somebody to blame and nobody is, or the other way round.
    fn outcome(&self, seats: usize) -> Result<Outcome, Error> {
        let name = self.reason.name();
        match (self.reason, self.seat) {
            (EndReason::Rules, _) => Err(Error::input("record: the game is not over after its last action")),
            (EndReason::PlyCap | EndReason::Cancelled, None) => Ok(Outcome::draw(seats)),
            (EndReason::PlyCap | EndReason::Cancelled, Some(seat)) => {
                Err(Error::input(format!("record: ended by {name}, for which seat {seat} is not to blame")))
            }
            (_, Some(seat)) if seat.index() < seats => Ok(Outcome::loss(seat, seats)),
            (_, Some(seat)) => {
                Err(Error::input(format!("record: seat {seat} is to blame, but there are {seats} seats")))
            }
            (_, None) => Err(Error::input(format!("record: ended by {name}, but no seat is to blame"))),
        }
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
    /// The version of each seat's agent.
    #[serde(default)]
    pub versions: Vec<u32>,
    /// The match's budget, if it set one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<String>,
    /// At how many plies the match draws a game; not known of games in form 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ply_cap: Option<u32>,
    /// How many milliseconds the match allowed for a decision, if it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub move_limit: Option<u64>,
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

/// Who sat in a seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordAgent {
    /// The agent with all its parameters.
    pub name: String,
    /// The version of its kind; 0 for a player that is no agent of this program.
    pub version: u32,
    /// Its number in the experiment.
    pub number: usize,
}

impl RecordAgent {
    /// Somebody who came to one of our servers, by what it calls itself.
    pub fn visitor(name: &str, number: usize) -> RecordAgent {
        RecordAgent { name: name.chars().flat_map(printable).collect(), version: 0, number }
    }
}

impl Record {
    /// Writes a finished game down. `rules` is the full text of the options.
    pub fn of<G: Notation>(
        game: &G,
        played: &Played<G>,
        rules: &str,
        agents: Vec<RecordAgent>,
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
            numbers: agents.iter().map(|agent| agent.number).collect(),
            versions: agents.iter().map(|agent| agent.version).collect(),
            agents: agents.into_iter().map(|agent| agent.name).collect(),
            budget: settings.budget.map(|b| b.to_string()),
            ply_cap: Some(settings.ply_cap),
            move_limit: settings.move_limit.map(|limit| limit.as_millis() as u64),
            start: game.write_state(&played.start),
            actions,
            plies: played.plies,
            end: played.end.clone(),
            outcome: played.outcome.scores().to_vec(),
        }
    }

    /// The version of a seat's agent; 0 for a player that is no agent of this program.
    pub fn version_of(&self, seat: Seat) -> u32 {
        // Form 1 is from when all were of the first.
        self.versions.get(seat.index()).copied().unwrap_or(1)
    }

    /// Plays the record again on a table and checks that it comes out as written.
    pub fn replay<G: Notation>(&self, game: &G) -> Result<Table<G>, Error> {
        if !(1..=RECORD_FORMAT).contains(&self.format) {
            return Err(Error::input(format!(
                "the record's form is {}, this program reads 1 to {RECORD_FORMAT}",
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
        // What a store kept of that time says that all were of the first version.
        let later = self.versions.iter().any(|&version| version != 1);
        if self.format < 2 && (later || self.ply_cap.is_some() || self.move_limit.is_some()) {
            let why = "record: form 1 knew neither versions nor ply_cap nor move_limit";
            return Err(Error::input(why));
        }
        if let Some(budget) = &self.budget {
            Budget::parse(budget).map_err(|e| e.at("record"))?;
        }
        let place = |e: NotationError, what: &str| Error::from(e).at(format!("record, {what}"));
        let start = game.read_state(&self.start).map_err(|e| place(e, "start"))?;
        // At our tables chance follows from the seed. Where nobody of ours sat the dice may have been real.
        let ours = self.versions.iter().any(|&version| version > 0);
        let chance = GameSeeds::of(crate::Seed::new(self.seed.0), self.seed.1, self.seed.2).chance;
        let mut table = Table::new(game.clone(), start, chance);
        for (i, text) in self.actions.split(' ').filter(|t| !t.is_empty()).enumerate() {
            let what = format!("action {}", i + 1);
            let action = game.read_action(text).map_err(|e| place(e, &what))?;
            if ours && table.actor() == Actor::Chance && table.next_draw() != action {
                let drawn = game.write_action(table.next_draw());
                let why = format!("chance does not draw {text} from this seed, but {drawn}");
                return Err(Error::input(format!("record, {what}: {why}")));
            }
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
        self.check_end(game, &table)?;
        let outcome = match table.end() {
            Some((_, outcome)) => *outcome,
            None => self.end.outcome(table.state().seats())?,
        };
        if outcome.scores() != self.outcome {
            return Err(Error::input(format!(
                "record: the outcome is written as {:?} but replays as {:?}",
                self.outcome,
                outcome.scores()
            )));
        }
        Ok(table)
    }

    /// Checks that the game could end as it says where `table` stands: why, by whose fault, under which limits.
    fn check_end<G: Notation>(&self, game: &G, table: &Table<G>) -> Result<(), Error> {
        let refuse = |why: String| Err(Error::input(format!("record: {why}")));
        let End { reason, seat, answer, .. } = &self.end;
        let name = reason.name();
        match (table.end(), reason) {
            (Some(_), EndReason::Rules) => {
                if let Some(seat) = seat {
                    return refuse(format!("ended by {name}, for which seat {seat} is not to blame"));
                }
            }
            (Some(_), _) => return refuse(format!("ended by {name} although the rules had ended it")),
            (None, _) => {}
        }
        // People and programs that came to us may leave at any time; agents are asked only when they are to act.
        let ours = |seat: Seat| self.versions.get(seat.index()).is_some_and(|&version| version > 0);
        let by_a_seat = reason.is_fault() || *reason == EndReason::Resigned;
        let asked = |seat| *reason == EndReason::Illegal || (by_a_seat && self.format > 1 && ours(seat));
        if let Some(seat) = seat.filter(|&seat| asked(seat) && table.actor() != Actor::Seat(seat)) {
            return refuse(format!("ended by {name} of seat {seat}, which was not to act"));
        }
        match (reason, answer) {
            (EndReason::Illegal, answer) => {
                let legal =
                    |text: &String| game.read_action(text).is_ok_and(|action| table.state().is_legal(action));
                if let Some(answer) = answer.as_ref().filter(|text| legal(text)) {
                    return refuse(format!("ended by {name}, but the answer {answer} is legal"));
                }
            }
            (_, Some(answer)) => return refuse(format!("ended by {name}, but with the answer {answer}")),
            _ => {}
        }
        match self.ply_cap {
            Some(cap) if self.plies > cap => {
                refuse(format!("it has {} plies, but the cap is {cap}", self.plies))
            }
            Some(cap) if *reason == EndReason::PlyCap && self.plies < cap => {
                refuse(format!("ended by {name} after {} plies, but the cap is {cap}", self.plies))
            }
            // Form 1 is from when the cap was not written.
            None if *reason == EndReason::PlyCap && self.format > 1 => {
                refuse(format!("ended by {name}, but it has no ply_cap"))
            }
            _ => Ok(()),
        }
    }
}
