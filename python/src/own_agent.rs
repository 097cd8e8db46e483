//! Agents written in Python, at Ranka's tables.
//!
//! Each player has a thread of its own, so that whoever waits for it can stop waiting: Python code cannot be stopped from
//! outside, only left behind.

use crate::thought::Thought as PyThought;
use crate::view::View;
use pyo3::prelude::*;
use ranka_core::{
    AnyGame, AnyView, End, Fault, Outcome, Seat, Seed, Thinking, Thought, ViewAgent, ViewMaker, ViewTold,
};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

/// How often a player that thinks is asked whether anybody still waits.
const TICK: Duration = Duration::from_millis(10);

/// How long a player may take at the end of a game to hear what it was told.
const PATIENCE: Duration = Duration::from_millis(100);

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
        let players = Python::attach(|py| self.players.clone_ref(py));
        let game = Arc::clone(&self.game);
        thread::spawn(move || serve(&players, game, seat, seed, &asked, &answers));
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

/// The life of a player's thread.
fn serve(
    players: &Py<PyAny>,
    game: Arc<dyn AnyGame>,
    seat: Seat,
    seed: Seed,
    asked: &Receiver<Ask>,
    answers: &Sender<Answer>,
) {
    let player = Python::attach(|py| {
        let here: u64 = py.import("threading")?.call_method0("get_ident")?.extract()?;
        let _ = answers.send(Answer::Here(here));
        players.bind(py).call_method1("seat", (seat.index(), seed.value())).map(Bound::unbind)
    });
    let mut player = player.map_err(|error: PyErr| Python::attach(|py| crash(py, error)));
    let see = |inner: Arc<dyn AnyView>| View { game: Arc::clone(&game), inner };
    while let Ok(ask) = asked.recv() {
        if matches!(ask, Ask::Rest) {
            let _ = answers.send(Answer::Rested);
            continue;
        }
        let answer = Python::attach(|py| match (&player, ask) {
            (Err(fault), Ask::Think(..)) => Some(Err(fault.clone())),
            (Err(_), Ask::Told(_)) | (_, Ask::Rest) => None,
            (Ok(player), Ask::Think(view, seed)) => {
                let thought = player.bind(py).call_method1("think", (see(view), seed));
                Some(thought.map_err(|error| crash(py, error)).and_then(|thought| {
                    let read: PyResult<PyThought> = thought.extract().map_err(Into::into);
                    read.map(Into::into).map_err(|error| crash(py, error))
                }))
            }
            (Ok(asked), Ask::Told(event)) => {
                let by = event.by.map(Seat::index);
                let heard = asked
                    .bind(py)
                    .call_method1("told", (by, event.action, see(event.before), see(event.after)));
                if let Err(error) = heard {
                    player = Err(crash(py, error));
                }
                None
            }
        });
        if answer.is_some_and(|answer| answers.send(Answer::Thought(answer)).is_err()) {
            return;
        }
    }
}

/// The fault of an agent that raised. `NoAnswer` stands for an answer that is none.
fn crash(py: Python<'_>, error: PyErr) -> Fault {
    let kind = error.get_type(py).name().map_or_else(|_| "exception".to_owned(), |name| name.to_string());
    match kind.as_str() {
        "NoAnswer" => Fault::Protocol(error.value(py).to_string()),
        _ => Fault::Crash(format!("{kind}: {}", error.value(py))),
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
