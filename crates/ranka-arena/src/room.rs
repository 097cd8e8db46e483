//! A table with a game in progress: who may do what, and what happened.
//!
//! Nothing in here waits: the hall lets agents think elsewhere.

use crate::opening::{Opening, Policy, Prepared, Sitter, same};
use crate::play::{Belief, Course, Play};
use crate::seen::SeenThought;
use ranka_core::{Actor, AnyAgent, AnyGame, AnyThinker, End, EndReason, Error, Fault, Seat, Thought};
use std::net::{IpAddr, Ipv4Addr};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
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
    /// Where the last of them came from.
    visitor: Mutex<IpAddr>,
}

/// The longest explanation of a fault, in characters.
const LONGEST_DETAIL: usize = 600;

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
        kept: Option<Course>,
    ) -> Result<Room, Error> {
        let Prepared { game, agents } = prepared;
        let course = kept.clone().unwrap_or_default();
        let play = Play::of(&opening, game.as_ref(), &agents, &course);
        let play = Play { kept, ..play.map_err(|e| e.at(format!("game {id}")))? };
        let (changed, _) = watch::channel(0);
        let (play, present) = (Mutex::new(play), AtomicUsize::new(0));
        let visitor = Mutex::new(Ipv4Addr::UNSPECIFIED.into());
        Ok(Room { id, opening, game, agents, play, changed, present, visitor })
    }

    /// Where whoever looked at it last came from.
    pub(crate) fn visitor(&self) -> MutexGuard<'_, IpAddr> {
        self.visitor.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn play(&self) -> MutexGuard<'_, Play> {
        match self.play.try_lock() {
            Ok(play) => play,
            // What a panic left behind is still a game: every action is taken whole or not at all.
            Err(TryLockError::Poisoned(left)) => left.into_inner(),
            // Somebody writes down what was done, and until then nobody sees it. Other tables are served meanwhile.
            Err(TryLockError::WouldBlock) => {
                tokio::task::block_in_place(|| self.play.lock().unwrap_or_else(PoisonError::into_inner))
            }
        }
    }

    /// The options that differ from the defaults, as a visitor may read them.
    pub(crate) fn shown_rules(&self, policy: Policy) -> String {
        policy.shown_rules(&self.opening.game, &self.opening.rules)
    }

    /// The seat whose link has this secret.
    pub(crate) fn seat_of(&self, secret: &str) -> Option<Seat> {
        let taken = || {
            let play = self.play();
            let mut taken = play.aside.taken.iter();
            taken.find(|(_, own)| same(own, secret)).map(|(&seat, _)| Seat::new(seat))
        };
        self.opening.seat_of(secret).or_else(taken)
    }

    /// Hears of every change from now on.
    pub(crate) fn subscribe(&self) -> watch::Receiver<u64> {
        self.changed.subscribe()
    }

    /// Tells everybody that something changed.
    pub(crate) fn announce(&self) {
        self.changed.send_modify(|version| *version += 1);
    }

    /// How many actions would be taken back, so that `seat` can decide again; nothing if that is not allowed.
    pub(crate) fn can_take_back(&self, play: &Play, seat: Seat) -> Option<usize> {
        // After the end everything was revealed.
        let revealed = play.table.result().is_some() && !self.game.open_information();
        let goes_on = play.ending.is_none() && play.aside.rematch.is_none();
        if self.opening.people() != 1 || !goes_on || revealed || self.opening.teaches.is_some() {
            return None;
        }
        let heard = play.table.heard(seat, 0);
        let own = heard.iter().rposition(|(by, _)| *by == Some(seat))?;
        let shown = play.revealed[own..].iter().any(|&revealed| revealed);
        (!shown).then_some(heard.len() - own)
    }

    /// Takes the last action of a seat back, and what followed.
    pub(crate) fn take_back(&self, play: &mut Play, seat: Seat) -> Result<(), Error> {
        let count = self.can_take_back(play, seat).ok_or_else(|| {
            Error::input("nothing can be taken back: only one's own last action against agents can, while nothing hidden was shown since and nobody is taught")
        })?;
        let course = play.course();
        let left = course.actions.len() - count;
        self.lay_again(play, &course.until(left))
    }

    /// Lays the table anew as it was after this course, and throws away what is being thought.
    fn lay_again(&self, play: &mut Play, course: &Course) -> Result<(), Error> {
        let fresh = Play::of(&self.opening, self.game.as_ref(), &self.agents, course)?;
        play.stop_search();
        let (generation, driven, running) = (play.generation + 1, play.driven, play.running);
        *play = Play { generation, driven, running, kept: play.kept.take(), ..fresh };
        Ok(())
    }

    /// Goes back to what the store has: what was not kept has not happened.
    pub(crate) fn restore(&self, play: &mut Play) -> Result<(), Error> {
        let Some(course) = play.kept.clone() else { return Ok(()) };
        self.lay_again(play, &course)?;
        play.troubled = true;
        Ok(())
    }

    /// Claims the right to let agents act; false if somebody has it.
    pub(crate) fn claim(&self) -> bool {
        !std::mem::replace(&mut self.play().driven, true)
    }

    /// Gives the claim up.
    pub(crate) fn release(&self) {
        self.play().driven = false;
    }

    /// What is to happen now. Gives the claim up when that is nothing.
    pub(crate) fn next(&self, play: &mut Play) -> Next {
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
            Actor::Seat(_) if play.aside.to_judge.is_none() => match play.table.lend() {
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
        play: &mut Play,
        thinker: Box<dyn AnyThinker>,
        generation: u64,
        answer: Result<Thought<String>, Fault>,
    ) -> Result<bool, Error> {
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
                    let answer = Some(thought.choice);
                    play.end(End { reason: EndReason::Illegal, seat: Some(seat), answer, detail });
                    return Ok(false);
                }
                if self.opening.teaches.is_some()
                    && crate::labelling::is_lesson(&self.opening, &before, &thought.choice)
                {
                    play.aside.to_judge = Some(at);
                    play.aside.judged_position = before;
                }
                play.aside.beliefs.extend(Belief::noted(at, seat, &thought.notes));
                let agent = match &self.opening.seats[seat.index()] {
                    Sitter::Agent(spec) => spec.as_str(),
                    _ => "",
                };
                let by = (self.opening.game.as_str(), agent);
                play.remember(SeenThought::of((at, seat), by, &thought, &offers));
                Ok(true)
            }
            // It was stopped because nobody looked: what it had in mind is gone, and it begins anew for who has come back.
            Err(Fault::Cancelled) => {
                let course = play.course();
                self.lay_again(play, &course)?;
                Ok(true)
            }
            Err(fault) => {
                play.table.welcome(thinker);
                let (reason, detail) = EndReason::of(fault);
                let words =
                    detail.into_iter().chain(play.table.last_words(seat)).collect::<Vec<_>>().join("\n");
                let detail = (!words.is_empty()).then(|| words.chars().take(LONGEST_DETAIL).collect());
                play.end(End { reason, seat: Some(seat), answer: None, detail });
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

#[cfg(test)]
mod tests;
