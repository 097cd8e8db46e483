//! A table with a game in progress: who may do what, and what happened.
//!
//! Nothing in here waits: the hall lets agents think elsewhere.

use crate::opening::{Opening, Prepared};
use crate::seen::SeenThought;
use ranka_core::{
    Actor, AnyAgent, AnyGame, AnyTable, AnyThinker, EndReason, Fault, InputError, Saying, Seat, Seed,
    TextThought,
};
use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::watch;

/// A game somebody plays or watches.
pub(crate) struct Room {
    pub(crate) id: String,
    pub(crate) opening: Opening,
    pub(crate) game: Arc<dyn AnyGame>,
    pub(crate) agents: Vec<Option<AnyAgent>>,
    play: Mutex<Play>,
    changed: watch::Sender<u64>,
    /// How many look at it now.
    pub(crate) present: AtomicUsize,
}

/// How a game that did not end by its rules ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Ending {
    pub(crate) reason: String,
    pub(crate) seat: Option<usize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) detail: Option<String>,
}

/// What is kept beside the actions.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Aside {
    beliefs: Vec<Belief>,
    to_judge: Option<usize>,
    judged_position: String,
}

/// A figure that an agent goes by: how strong it takes its opponent to be, say.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Belief {
    pub(crate) at: usize,
    pub(crate) name: String,
    pub(crate) value: f64,
}

/// What happens at the table.
pub(crate) struct Play {
    pub(crate) table: Box<dyn AnyTable>,
    /// For each action what each seat was told of it.
    pub(crate) said: Vec<Vec<Option<Saying>>>,
    /// For each action whether it showed somebody what was hidden.
    revealed: Vec<bool>,
    /// What agents thought.
    pub(crate) thoughts: Vec<SeenThought>,
    /// What agents believe of their opponent, action by action.
    pub(crate) beliefs: Vec<Belief>,
    /// How it ended, if not by its rules.
    pub(crate) ending: Option<Ending>,
    /// The agent's action that waits for a judgement, by its number.
    pub(crate) to_judge: Option<usize>,
    /// The position before the action that waits for a judgement.
    pub(crate) judged_position: String,
    /// The search that is going on.
    search: Option<Arc<AtomicBool>>,
    /// Whether somebody lets agents act already.
    driven: bool,
    /// Raised when the table is laid anew: what was thought before does not count.
    generation: u64,
    /// What the store has: how many actions of which generation, whether it has ended, and whether a judgement is awaited.
    kept: Option<(u64, usize, bool, bool)>,
}

/// What is to happen next.
pub(crate) enum Next {
    /// An agent is to think.
    Think { thinker: Box<dyn AnyThinker>, stop: Arc<AtomicBool>, generation: u64 },
    /// Chance has acted: look again.
    Again,
    /// Nothing, until a person does something.
    Wait,
}

impl Room {
    /// A new game, or one that goes on where it was.
    pub(crate) fn new(
        id: String,
        opening: Opening,
        prepared: Prepared,
        actions: &str,
        ending: Option<Ending>,
        aside: Aside,
    ) -> Result<Room, InputError> {
        let Prepared { game, agents } = prepared;
        let mut play = Play::lay(&opening, game.as_ref(), &agents)?;
        for (number, action) in actions.split(' ').filter(|word| !word.is_empty()).enumerate() {
            play.replay(action).map_err(|e| e.at(format!("game {id}, action {}", number + 1)))?;
        }
        if let Some(ending) = ending {
            play.end(ending);
        }
        (play.beliefs, play.to_judge, play.judged_position) =
            (aside.beliefs, aside.to_judge, aside.judged_position);
        let (changed, _) = watch::channel(0);
        Ok(Room { id, opening, game, agents, play: Mutex::new(play), changed, present: AtomicUsize::new(0) })
    }

    pub(crate) fn play(&self) -> MutexGuard<'_, Play> {
        // What a panic left behind is still a game: every action is taken whole or not at all.
        self.play.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Hears of every change from now on.
    pub(crate) fn subscribe(&self) -> watch::Receiver<u64> {
        self.changed.subscribe()
    }

    /// Tells everybody that something changed.
    pub(crate) fn announce(&self) {
        self.changed.send_modify(|version| *version += 1);
    }

    /// Takes a person's action, made when so many actions had happened.
    pub(crate) fn act(&self, seat: Seat, seen: usize, action: &str) -> Result<(), InputError> {
        let mut play = self.play();
        if play.table.result().is_some() {
            return Err(InputError::new("the game is over"));
        }
        if play.said.len() != seen {
            return Err(InputError::new("the game has gone on meanwhile: look again"));
        }
        if play.table.actor() != Actor::Seat(seat) {
            return Err(InputError::new("it is not your turn"));
        }
        if play.to_judge.is_some() {
            return Err(InputError::new("first say what you think of the last action"));
        }
        play.take(action)
    }

    /// Gives up.
    pub(crate) fn resign(&self, seat: Seat) -> Result<(), InputError> {
        let mut play = self.play();
        if play.table.result().is_some() {
            return Err(InputError::new("the game is over"));
        }
        play.stop_search();
        play.end(Ending {
            reason: EndReason::Resigned.name().to_owned(),
            seat: Some(seat.index()),
            detail: None,
        });
        Ok(())
    }

    /// How many actions would be taken back, so that `seat` can decide again; nothing if that is not allowed.
    pub(crate) fn can_take_back(&self, play: &Play, seat: Seat) -> Option<usize> {
        // After the end everything was revealed.
        let revealed = play.table.result().is_some() && !self.game.open_information();
        let over_by_hand = play.ending.is_some();
        if self.opening.people() != 1 || over_by_hand || revealed || self.opening.teaches.is_some() {
            return None;
        }
        let heard = play.table.heard(seat, 0);
        let own = heard.iter().rposition(|(by, _)| *by == Some(seat))?;
        let shown = play.revealed[own..].iter().any(|&revealed| revealed);
        (!shown).then_some(heard.len() - own)
    }

    /// Takes the last action of a seat back, and what followed.
    pub(crate) fn take_back(&self, seat: Seat) -> Result<(), InputError> {
        let mut play = self.play();
        let count = self.can_take_back(&play, seat).ok_or_else(|| {
            InputError::new("this cannot be taken back: it has shown something that was hidden")
        })?;
        let actions = play.table.actions();
        self.lay_again(&mut play, &actions[..actions.len() - count])
    }

    /// Lays the table anew with these actions, and throws away what is being thought.
    fn lay_again(&self, play: &mut Play, actions: &[String]) -> Result<(), InputError> {
        play.stop_search();
        let mut fresh = Play::lay(&self.opening, self.game.as_ref(), &self.agents)?;
        for action in actions {
            fresh.replay(action)?;
        }
        fresh.generation = play.generation + 1;
        fresh.thoughts = std::mem::take(&mut play.thoughts)
            .into_iter()
            .filter(|thought| thought.at < actions.len())
            .collect();
        fresh.beliefs =
            std::mem::take(&mut play.beliefs).into_iter().filter(|b| b.at < actions.len()).collect();
        fresh.driven = play.driven;
        *play = fresh;
        Ok(())
    }

    /// Claims the right to let agents act; false if somebody has it.
    pub(crate) fn claim(&self) -> bool {
        !std::mem::replace(&mut self.play().driven, true)
    }

    /// What is to happen now. Gives the claim up when that is nothing.
    pub(crate) fn next(&self) -> Next {
        let mut play = self.play();
        // Nobody waits for what nobody sees; whoever comes sets it going again.
        if self.present.load(Ordering::SeqCst) == 0 {
            play.driven = false;
            return Next::Wait;
        }
        let actor = play.table.actor();
        match actor {
            Actor::Chance => {
                play.draw();
                Next::Again
            }
            Actor::Seat(_) if play.to_judge.is_none() => match play.table.lend() {
                Some(thinker) => {
                    let stop = Arc::new(AtomicBool::new(false));
                    play.search = Some(Arc::clone(&stop));
                    Next::Think { thinker, stop, generation: play.generation }
                }
                None => {
                    play.driven = false;
                    Next::Wait
                }
            },
            _ => {
                play.driven = false;
                Next::Wait
            }
        }
    }

    /// Takes what an agent has thought. Tells whether the table goes on by itself.
    pub(crate) fn thought(
        &self,
        thinker: Box<dyn AnyThinker>,
        generation: u64,
        answer: Result<TextThought, Fault>,
    ) -> Result<bool, InputError> {
        let mut play = self.play();
        if play.generation != generation || play.table.result().is_some() {
            return Ok(true);
        }
        play.search = None;
        let Actor::Seat(seat) = play.table.actor() else { return Ok(true) };
        match answer {
            Ok(thought) => {
                play.table.welcome(thinker);
                let at = play.said.len();
                let before = play.table.position();
                let offers = if thought.candidates.is_empty() { Vec::new() } else { play.table.offers(seat) };
                if let Err(illegal) = play.take(&thought.choice) {
                    let detail = Some(illegal.to_string());
                    play.end(Ending {
                        reason: EndReason::Illegal.name().to_owned(),
                        seat: Some(seat.index()),
                        detail,
                    });
                    return Ok(false);
                }
                if self.opening.teaches.is_some()
                    && crate::labelling::is_lesson(&self.opening, &before, &thought.choice)
                {
                    play.to_judge = Some(at);
                    play.judged_position = before;
                }
                play.beliefs.extend(thought.notes.iter().map(|(name, value)| Belief {
                    at,
                    name: (*name).to_owned(),
                    value: *value,
                }));
                play.thoughts.push(SeenThought::of(at, seat, &thought, &offers));
                Ok(true)
            }
            // It was stopped because nobody looked: what it had in mind is gone, and it begins anew for who has come back.
            Err(Fault::Cancelled) => {
                let actions = play.table.actions();
                let (to_judge, position) = (play.to_judge, play.judged_position.clone());
                self.lay_again(&mut play, &actions)?;
                (play.to_judge, play.judged_position) = (to_judge, position);
                Ok(true)
            }
            Err(fault) => {
                let (reason, detail) = EndReason::of(fault);
                play.end(Ending { reason: reason.name().to_owned(), seat: Some(seat.index()), detail });
                Ok(true)
            }
        }
    }

    /// Whether the next to act is an agent.
    pub(crate) fn agent_is_next(&self) -> bool {
        self.play().table.actor().seat().is_some_and(|seat| self.agents[seat.index()].is_some())
    }

    /// Whether somebody looks at it, or it is going on by itself.
    pub(crate) fn busy(&self) -> bool {
        self.present.load(Ordering::SeqCst) > 0 || self.play().driven
    }

    /// Stops the search if nobody looks.
    pub(crate) fn rest(&self) {
        if self.present.load(Ordering::SeqCst) == 0 {
            self.play().stop_search();
        }
    }
}

impl Play {
    fn lay(opening: &Opening, game: &dyn AnyGame, agents: &[Option<AnyAgent>]) -> Result<Play, InputError> {
        let players: Vec<Option<&AnyAgent>> = agents.iter().map(Option::as_ref).collect();
        Ok(Play {
            table: game.table(Some(&opening.start), &players, Seed::new(opening.seed))?,
            said: Vec::new(),
            revealed: Vec::new(),
            thoughts: Vec::new(),
            beliefs: Vec::new(),
            ending: None,
            to_judge: None,
            judged_position: String::new(),
            search: None,
            driven: false,
            generation: 0,
            kept: None,
        })
    }

    fn stage(&self) -> (u64, usize, bool, bool) {
        (self.generation, self.said.len(), self.ending.is_some(), self.to_judge.is_some())
    }

    /// What is kept beside the actions.
    pub(crate) fn aside(&self) -> Aside {
        Aside {
            beliefs: self.beliefs.clone(),
            to_judge: self.to_judge,
            judged_position: self.judged_position.clone(),
        }
    }

    /// Whether something has happened since it was kept.
    pub(crate) fn needs_keeping(&self) -> bool {
        self.kept != Some(self.stage())
    }

    /// It was kept as it is now.
    pub(crate) fn kept(&mut self) {
        self.kept = Some(self.stage());
    }

    /// Whether an agent thinks now.
    pub(crate) fn thinks(&self) -> bool {
        self.search.is_some()
    }

    fn stop_search(&mut self) {
        if let Some(search) = self.search.take() {
            search.store(true, Ordering::Relaxed);
        }
    }

    fn end(&mut self, ending: Ending) {
        let reason = EndReason::named(&ending.reason).unwrap_or(EndReason::Cancelled);
        self.table.stop(reason, ending.seat.map(Seat::new), ending.detail.clone());
        self.ending = Some(ending);
    }

    fn take(&mut self, action: &str) -> Result<(), InputError> {
        let told = self.sayings(action);
        self.table.act(action)?;
        self.note(told);
        Ok(())
    }

    fn replay(&mut self, action: &str) -> Result<(), InputError> {
        let told = self.sayings(action);
        self.table.replay(action)?;
        self.note(told);
        Ok(())
    }

    fn draw(&mut self) {
        self.table.draw();
        let silent = (0..ranka_core::MAX_SEATS).map(|_| None).collect();
        self.note((silent, true));
    }

    /// What each seat will be told of an action, and whether it shows what was hidden.
    fn sayings(&self, action: &str) -> (Vec<Option<Saying>>, bool) {
        if self.table.actor() == Actor::Chance {
            return ((0..ranka_core::MAX_SEATS).map(|_| None).collect(), true);
        }
        let count = self.table.seats();
        let told = (0..ranka_core::MAX_SEATS)
            .map(|seat| if seat < count { self.table.saying(Seat::new(seat), action) } else { None });
        (told.collect(), self.table.reveals(action))
    }

    fn note(&mut self, (told, reveals): (Vec<Option<Saying>>, bool)) {
        self.said.push(told);
        self.revealed.push(reveals);
    }
}
