//! Agents written in Python, at Ranka's tables.
//!
//! Each player has a thread of its own, so that whoever waits for it can stop waiting: Python code cannot be stopped from
//! outside, only left behind.

use crate::thought::Thought as PyThought;
use crate::view::View;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use ranka_core::{
    AnyGame, AnyView, End, Fault, Outcome, Seat, Seed, Thinking, Thought, ViewAgent, ViewMaker, ViewTold,
};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How often a player that thinks is asked whether anybody still waits.
const TICK: Duration = Duration::from_millis(10);

/// How long a player may take at the end of a game to hear what it was told.
const PATIENCE: Duration = Duration::from_millis(100);

/// How many letters of an exception are kept.
const MOST_WORDS: usize = 2000;

/// Makes players of what `ranka._agents.Players` in Python wraps.
pub(crate) struct OwnMaker {
    pub(crate) players: Py<PyAny>,
    pub(crate) game: Arc<dyn AnyGame>,
    pub(crate) listens: bool,
}

impl OwnMaker {
    pub(crate) fn new(players: &Bound<'_, PyAny>, game: Arc<dyn AnyGame>) -> PyResult<OwnMaker> {
        let listens = players.getattr("listens")?.extract()?;
        Ok(OwnMaker { players: players.clone().unbind(), game, listens })
    }
}

impl ViewMaker for OwnMaker {
    fn seat(&self, seat: Seat, seed: Seed) -> Box<dyn ViewAgent> {
        let (asks, asked) = channel();
        let (answers, answered) = channel();
        let desk = Desk { game: Arc::clone(&self.game), asked: Mutex::new(asked), answers };
        // One whose thread does not start is missed when it is asked to think.
        let _ = Python::attach(|py| {
            let serve = py.import("ranka._agents")?.getattr("serve")?;
            let seated = (self.players.bind(py), seat.index(), seed.value(), desk);
            py.import("_thread")?.call_method1("start_new_thread", (serve, seated)).map(drop)
        });
        Box::new(OwnPlayer { asks, answered, thread: None, listens: self.listens, left: false })
    }
}

/// What a player's thread is asked to do.
enum Ask {
    Think(Arc<dyn AnyView>, u64),
    Told(ViewTold),
    /// To say when it has heard everything.
    Rest,
}

/// What it answers.
enum Answer {
    /// Python's name for the thread.
    Here(u64),
    Thought(Result<Thought<String>, Fault>),
    /// It has heard everything.
    Rested,
}

/// Where a player's thread, which runs `serve` in `ranka._agents`, gets its tasks and leaves its answers.
///
/// The thread is Python's own and so is its loop: when the process ends, the interpreter ends threads that still think by
/// unwinding them, which must not pass through Rust.
#[pyclass(module = "ranka", frozen)]
pub(crate) struct Desk {
    game: Arc<dyn AnyGame>,
    /// Only the player's thread reads it, but Python wants to know that any could.
    asked: Mutex<Receiver<Ask>>,
    answers: Sender<Answer>,
}

#[pymethods]
impl Desk {
    /// Says which thread serves.
    fn here(&self, thread: u64) {
        let _ = self.answers.send(Answer::Here(thread));
    }

    /// The next task, as a method of the player and its arguments; None when nobody asks any more.
    fn next<'py>(&self, py: Python<'py>) -> PyResult<Option<(&'static str, Bound<'py, PyTuple>)>> {
        let see = |inner| View { game: Arc::clone(&self.game), inner };
        let ask = || self.asked.lock().unwrap_or_else(PoisonError::into_inner).recv();
        loop {
            return Ok(match py.detach(ask) {
                Ok(Ask::Rest) => {
                    let _ = self.answers.send(Answer::Rested);
                    continue;
                }
                Ok(Ask::Think(view, seed)) => Some(("think", (see(view), seed).into_pyobject(py)?)),
                Ok(Ask::Told(event)) => {
                    let by = event.by.map(Seat::index);
                    let told = (by, event.action, see(event.before), see(event.after));
                    Some(("told", told.into_pyobject(py)?))
                }
                Err(_) => None,
            });
        }
    }

    /// Answers with a thought.
    fn answer(&self, thought: PyThought) {
        let _ = self.answers.send(Answer::Thought(Ok(thought.into())));
    }

    /// Answers that the agent raised. `NoAnswer` stands for an answer that is none.
    fn fail(&self, error: &Bound<'_, PyAny>) {
        let kind = error.get_type().name().map_or_else(|_| "exception".to_owned(), |name| name.to_string());
        let words = error.str().map_or_else(|_| "(it cannot be told)".to_owned(), |words| words.to_string());
        let fault = match kind.as_str() {
            "NoAnswer" => Fault::Protocol(cut(&words)),
            _ => Fault::Crash(cut(&format!("{kind}: {words}"))),
        };
        let _ = self.answers.send(Answer::Thought(Err(fault)));
    }
}

/// The beginning of what an agent says, which may be endless and goes into the game's record.
fn cut(words: &str) -> String {
    match words.char_indices().nth(MOST_WORDS) {
        Some((end, _)) => format!("{}…", &words[..end]),
        None => words.to_owned(),
    }
}

/// A player as the table knows it.
struct OwnPlayer {
    asks: Sender<Ask>,
    answered: Receiver<Answer>,
    /// Python's name for its thread.
    thread: Option<u64>,
    listens: bool,
    /// Whether nobody waits for it any more.
    left: bool,
}

impl OwnPlayer {
    /// Nobody waits for its answer any more: it gets an exception, which ends it unless it sleeps in foreign code.
    fn leave_behind(&mut self) {
        self.left = true;
        let Some(thread) = self.thread else { return };
        let _ =
            Python::attach(|py| py.import("ranka._agents")?.call_method1("interrupt", (thread,)).map(drop));
    }
}

impl ViewAgent for OwnPlayer {
    fn think(
        &mut self,
        view: Arc<dyn AnyView>,
        thinking: &mut Thinking<'_, String>,
    ) -> Result<Thought<String>, Fault> {
        let gone = || Fault::Crash("its thread ended".to_owned());
        let begun = Instant::now();
        self.asks.send(Ask::Think(view, thinking.rng.bits())).map_err(|_| gone())?;
        loop {
            match self.answered.recv_timeout(TICK) {
                Ok(Answer::Here(thread)) => self.thread = Some(thread),
                Ok(Answer::Thought(thought)) => return thought,
                Ok(Answer::Rested) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(gone()),
                Err(RecvTimeoutError::Timeout) => {
                    let late = thinking.limit.is_some_and(|limit| begun.elapsed() > limit);
                    if late || thinking.cancelled() {
                        self.leave_behind();
                        return Err(if late { Fault::Timeout } else { Fault::Cancelled });
                    }
                }
            }
        }
    }

    fn listens(&self) -> bool {
        self.listens
    }

    fn told(&mut self, event: ViewTold) {
        // One whose thread ended says so when it is asked to think.
        let _ = self.asks.send(Ask::Told(event));
    }

    fn over(&mut self, _: &End, _: &Outcome) {
        // What it was told is heard before anybody learns the result, unless it takes too long over it.
        if self.listens && !self.left && self.asks.send(Ask::Rest).is_ok() {
            let begun = Instant::now();
            while begun.elapsed() < PATIENCE {
                match self.answered.recv_timeout(TICK) {
                    Ok(Answer::Rested) | Err(RecvTimeoutError::Disconnected) => return,
                    _ => {}
                }
            }
            self.leave_behind();
        }
    }
}
