//! What happens at a table: the game, what was said of it, and how much of that is kept.

use crate::clock::Running;
use crate::levels::Estimate;
use crate::opening::Opening;
use crate::seen::SeenThought;
use ranka_core::{
    Actor, AnyAgent, AnyGame, AnyTable, End, EndReason, Error, MAX_SEATS, Message, Note, Seat, Seed, Step,
};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// How many thoughts are remembered: the one that is shown, and those before it, should actions be taken back.
const THOUGHTS: usize = 4;

/// How many of the last actions can be shown as they happened: who looks has seen the others.
pub(crate) const MOTIONS: usize = 6;

/// Where in a list by seats those without a seat are.
pub(crate) const ONLOOKERS: usize = MAX_SEATS;

/// All of a game that the store keeps after its opening.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Course {
    pub(crate) actions: Vec<String>,
    /// How it ended, if not by its rules.
    pub(crate) ending: Option<End>,
    pub(crate) aside: Aside,
}

/// What is kept beside the actions.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Aside {
    /// What agents thought last.
    pub(crate) thoughts: Vec<SeenThought>,
    /// What agents believe of their opponent, action by action.
    pub(crate) beliefs: Vec<Belief>,
    /// The agent's action that waits for a judgement, by its number.
    pub(crate) to_judge: Option<usize>,
    /// The position before it.
    pub(crate) judged_position: String,
    /// The secrets of those who took an invitation, by their seats.
    pub(crate) taken: BTreeMap<usize, String>,
    /// What people want to be called, by their seats.
    pub(crate) names: BTreeMap<usize, String>,
    /// How long people have thought, in milliseconds by their seats, where there is a clock.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) spent: BTreeMap<usize, u64>,
    /// The scores, once it is over.
    pub(crate) scores: Option<Vec<f64>>,
    /// The next game of the same players, once somebody wanted one.
    pub(crate) rematch: Option<Rematch>,
}

/// The next game of the same players.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Rematch {
    /// Its table.
    pub(crate) table: String,
    /// Who wanted it, by the seat at the old table.
    pub(crate) by: Option<usize>,
    /// Where whoever sat at each seat of the old table sits now.
    pub(crate) links: Vec<String>,
}

/// How strong an agent that adapts takes its opponent to be: one figure of that.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Belief {
    pub(crate) at: usize,
    /// Whose belief it is.
    #[serde(default)]
    pub(crate) seat: usize,
    pub(crate) name: String,
    pub(crate) value: f64,
}

impl Belief {
    /// The note of a partner that tells a rank.
    pub(crate) const RANK: &str = "opponent";
    /// The note of a partner that tells the rank's standard deviation.
    pub(crate) const DOUBT: &str = "doubt";
    /// The note of the Kalah paper's adapting player.
    pub(crate) const ALPHA: &str = "alpha";

    /// What a decision's notes tell of the opponent.
    pub(crate) fn noted(at: usize, seat: Seat, notes: &[Note]) -> Vec<Belief> {
        let told =
            notes.iter().filter(|(name, _)| [Self::RANK, Self::DOUBT, Self::ALPHA].contains(&name.as_ref()));
        let belief =
            |(name, value): &Note| Belief { at, seat: seat.index(), name: name.to_string(), value: *value };
        told.map(belief).collect()
    }
}

/// What happens at the table.
pub(crate) struct Play {
    pub(crate) table: Box<dyn AnyTable>,
    /// For each action what each seat was told of it, and behind them all what [`ONLOOKERS`] were.
    pub(crate) said: Vec<Vec<Option<Message>>>,
    /// For each of the last actions what each of them saw happen.
    pub(crate) moved: VecDeque<Vec<Vec<Step>>>,
    /// For each action whether it showed somebody what was hidden.
    pub(crate) revealed: Vec<bool>,
    /// What is kept beside the actions.
    pub(crate) aside: Aside,
    /// How it ended, if not by its rules.
    pub(crate) ending: Option<End>,
    /// Whose clock runs.
    pub(crate) running: Running,
    /// The search that is going on.
    pub(crate) search: Option<Arc<AtomicBool>>,
    /// Whether somebody lets agents act already.
    pub(crate) driven: bool,
    /// Raised when the table is laid anew: what was thought before does not count.
    pub(crate) generation: u64,
    /// What the store has.
    pub(crate) kept: Option<Course>,
    /// Whether something that happened could not be kept, and so has not happened.
    pub(crate) troubled: bool,
}

impl Course {
    /// The same game when only so many actions had happened.
    pub(crate) fn until(mut self, actions: usize) -> Course {
        self.actions.truncate(actions);
        self.aside.thoughts.retain(|thought| thought.at < actions);
        self.aside.beliefs.retain(|belief| belief.at < actions);
        self
    }
}

impl Play {
    /// A table at which a game goes on where it was.
    pub(crate) fn of(
        opening: &Opening,
        game: &dyn AnyGame,
        agents: &[Option<AnyAgent>],
        course: &Course,
    ) -> Result<Play, Error> {
        let players: Vec<Option<&AnyAgent>> = agents.iter().map(Option::as_ref).collect();
        let mut play = Play {
            table: game.table(Some(&opening.start), &players, Seed::new(opening.seed))?,
            said: Vec::new(),
            moved: VecDeque::new(),
            revealed: Vec::new(),
            aside: course.aside.clone(),
            ending: None,
            running: None,
            search: None,
            driven: false,
            generation: 0,
            kept: None,
            troubled: false,
        };
        for (number, action) in course.actions.iter().enumerate() {
            let told = play.messages(action);
            play.table.replay(action).map_err(|e| e.at(format!("action {}", number + 1)))?;
            play.note(told);
        }
        if let Some(ending) = &course.ending {
            play.end(ending.clone());
        }
        Ok(play)
    }

    /// The game as far as it was played.
    pub(crate) fn course(&self) -> Course {
        let scores = self.table.result().map(|(scores, _)| scores);
        let aside = Aside { scores, ..self.aside.clone() };
        Course { actions: self.table.actions(), ending: self.ending.clone(), aside }
    }

    /// Whether an agent thinks now.
    pub(crate) fn thinks(&self) -> bool {
        self.search.is_some()
    }

    pub(crate) fn stop_search(&mut self) {
        if let Some(search) = self.search.take() {
            search.store(true, Ordering::Relaxed);
        }
    }

    pub(crate) fn end(&mut self, ending: End) {
        self.table.stop(ending.reason, ending.seat, ending.detail.clone());
        self.ending = Some(ending);
    }

    /// Takes a person's action, made when so many actions had happened.
    pub(crate) fn act(&mut self, seat: Seat, seen: usize, action: &str) -> Result<(), Error> {
        if self.table.result().is_some() {
            return Err(Error::input("the game is over"));
        }
        if self.said.len() != seen {
            return Err(Error::input("the game has gone on meanwhile: look again"));
        }
        if self.table.actor() != Actor::Seat(seat) {
            return Err(Error::input("it is not your turn"));
        }
        if self.aside.to_judge.is_some() {
            return Err(Error::input("first say what you think of the last action"));
        }
        self.take(action)
    }

    /// Gives up.
    pub(crate) fn resign(&mut self, seat: Seat) -> Result<(), Error> {
        if self.table.result().is_some() {
            return Err(Error::input("the game is over"));
        }
        self.stop_search();
        self.end(End { reason: EndReason::Resigned, seat: Some(seat), answer: None, detail: None });
        Ok(())
    }

    pub(crate) fn take(&mut self, action: &str) -> Result<(), Error> {
        let told = self.messages(action);
        self.table.act(action)?;
        self.note(told);
        Ok(())
    }

    pub(crate) fn draw(&mut self) {
        let told = self.messages("");
        self.table.draw();
        self.note(told);
    }

    /// How strong a partner takes its opponent to be, after all that it has seen.
    pub(crate) fn estimate(&self) -> Option<Estimate> {
        let last = |name: &str| {
            let mut beliefs = self.aside.beliefs.iter().rev();
            beliefs.find(|belief| belief.name == name).map(|belief| belief.value)
        };
        Some(Estimate { rank: last(Belief::RANK)?, doubt: last(Belief::DOUBT)? })
    }

    /// Remembers what an agent thought.
    pub(crate) fn remember(&mut self, thought: SeenThought) {
        let thoughts = &mut self.aside.thoughts;
        thoughts.push(thought);
        thoughts.drain(..thoughts.len().saturating_sub(THOUGHTS));
    }

    /// What each seat will be told of an action and see happen, and whether it shows what was hidden. Of chance nothing is
    /// said.
    fn messages(&self, action: &str) -> Telling {
        let (mut told, mut moved) = (vec![None; ONLOOKERS + 1], vec![Vec::new(); ONLOOKERS + 1]);
        if self.table.actor() == Actor::Chance {
            return Telling { told, moved, reveals: true };
        }
        for seat in Seat::all(self.table.seats()) {
            told[seat.index()] = self.table.message(seat, action);
            moved[seat.index()] = self.table.motion(seat, action);
        }
        told[ONLOOKERS] = self.table.onlooker_message(action);
        moved[ONLOOKERS] = self.table.onlooker_motion(action);
        Telling { told, moved, reveals: self.table.reveals(action) }
    }

    fn note(&mut self, Telling { told, moved, reveals }: Telling) {
        self.said.push(told);
        self.moved.push_back(moved);
        if self.moved.len() > MOTIONS {
            self.moved.pop_front();
        }
        self.revealed.push(reveals);
    }
}

/// What is told of an action, by the seats and behind them to [`ONLOOKERS`].
struct Telling {
    told: Vec<Option<Message>>,
    moved: Vec<Vec<Step>>,
    reveals: bool,
}
