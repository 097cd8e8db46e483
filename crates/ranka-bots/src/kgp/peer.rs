//! A client as the server's games see it: what it was asked, and what it has said.

use super::wire::Sender;
use super::{Arg, Board};
use crate::net::Loss;
use ranka_core::EndReason;
use std::collections::VecDeque;
use std::io;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How long to wait before looking whether the server stops.
const TICK: Duration = Duration::from_millis(200);

/// How many states are remembered after their end, so that late answers to them can be told from wrong ones.
const REMEMBERED: usize = 64;

/// A client. One thread reads what it sends, another plays with it.
pub(super) struct Peer {
    pub(super) address: SocketAddr,
    sender: Sender,
    /// How many questions it was asked: states, problems, pings.
    asked: AtomicU64,
    said: Mutex<Said>,
    changed: Condvar,
}

#[derive(Default)]
struct Said {
    name: String,
    open: Option<Open>,
    closed: VecDeque<u64>,
    ping: Option<u64>,
    gone: Option<Loss>,
}

/// A state that waits for its answer.
struct Open {
    id: u64,
    choice: Option<i64>,
    yielded: bool,
}

/// What to say to a line about a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Heard {
    /// It counts.
    Noted,
    /// It came too late, and nobody minds.
    Late,
    /// There is no such state.
    Unknown,
}

impl Peer {
    pub(super) fn new(address: SocketAddr, sender: Sender) -> Peer {
        Peer { address, sender, asked: AtomicU64::new(0), said: Mutex::default(), changed: Condvar::new() }
    }

    fn said(&self) -> MutexGuard<'_, Said> {
        self.said.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends a line; a client that cannot be reached is gone. Never called while what was said is locked.
    pub(super) fn say(&self, reference: Option<u64>, name: &str, args: Vec<Arg>) {
        self.unless_lost(self.sender.say(reference, name, args));
    }

    fn unless_lost<T>(&self, sent: io::Result<T>) {
        if let Err(error) = sent {
            self.leave(Loss::new(EndReason::Disconnected, error.to_string()));
        }
    }

    /// Sets a problem and tells its id.
    pub(super) fn set_problem(&self, args: Vec<Arg>) -> Option<u64> {
        let mut problem = None;
        self.question("problem", args, |id| problem = Some(id));
        problem
    }

    pub(super) fn error(&self, reference: Option<u64>, text: &str) {
        self.say(reference, "error", vec![Arg::Text(text.to_owned())]);
    }

    /// The name that it gave itself, or where it is.
    pub(super) fn name(&self) -> String {
        let said = self.said();
        if said.name.is_empty() { self.address.to_string() } else { said.name.clone() }
    }

    pub(super) fn rename(&self, name: &str) {
        self.said().name = name.chars().filter(|c| !c.is_control()).take(80).collect();
    }

    /// Notes that it is gone and why; the first reason stays.
    pub(super) fn leave(&self, why: Loss) {
        self.said().gone.get_or_insert(why);
        self.changed.notify_all();
    }

    pub(super) fn gone(&self) -> Option<Loss> {
        self.said().gone.clone()
    }

    /// Sends it away; its connection ends when its reader sees that.
    pub(super) fn dismiss(&self, why: Loss) {
        let known = self.said().gone.is_some();
        self.leave(why);
        if !known {
            self.sender.goodbye();
        }
    }

    /// Ends the connection.
    pub(super) fn end(&self) {
        self.sender.end();
    }

    /// Asks something. What waits for the answer is noted before the client can know of the question.
    fn question(&self, name: &str, args: Vec<Arg>, note: impl FnOnce(u64)) {
        self.asked.fetch_add(1, Ordering::Relaxed);
        self.unless_lost(self.sender.say_noting(None, name, args, note));
    }

    /// How many questions it was asked.
    pub(super) fn asked(&self) -> u64 {
        self.asked.load(Ordering::Relaxed)
    }

    /// Whether it thinks just now.
    pub(super) fn is_asked(&self) -> bool {
        self.said().open.is_some()
    }

    /// Takes a choice for a state; without a reference it is for the one that is open.
    pub(super) fn moved(&self, reference: Option<u64>, house: i64) -> Heard {
        self.answered(reference, |open| {
            if !open.yielded {
                open.choice = Some(house);
            }
        })
    }

    pub(super) fn yielded(&self, reference: Option<u64>) -> Heard {
        self.answered(reference, |open| open.yielded = true)
    }

    fn answered(&self, reference: Option<u64>, note: impl FnOnce(&mut Open)) -> Heard {
        let mut said = self.said();
        let Said { open, closed, .. } = &mut *said;
        match (open, reference) {
            (Some(open), None) => note(open),
            (Some(open), Some(id)) if open.id == id => note(open),
            (_, Some(id)) if closed.contains(&id) => return Heard::Late,
            (None, None) if !closed.is_empty() => return Heard::Late,
            _ => return Heard::Unknown,
        }
        self.changed.notify_all();
        Heard::Noted
    }

    pub(super) fn ponged(&self, reference: Option<u64>) {
        let mut said = self.said();
        if reference.is_none() || said.ping == reference {
            said.ping = None;
            self.changed.notify_all();
        }
    }

    /// Whether a ping waits for its pong.
    pub(super) fn is_pinged(&self) -> bool {
        self.said().ping.is_some()
    }

    pub(super) fn send_ping(&self) {
        self.question("ping", Vec::new(), |id| self.said().ping = Some(id));
    }

    /// Waits for the sign of life that was asked for.
    pub(super) fn pong(&self, limit: Duration, stop: &AtomicBool) -> Result<(), Loss> {
        let pong = self.wait(limit, stop, |said| said.ping.is_none().then_some(()))?;
        pong.ok_or_else(|| Loss::new(EndReason::Timeout, "no answer to ping"))
    }

    /// Asks for a move and waits until the client yields or the time is over. The answer is the last move that it sent,
    /// counted from 1; nothing if it sent none but lives. `legal` judges each.
    pub(super) fn ask(
        &self,
        board: Board,
        legal: impl Fn(i64) -> bool,
        [time, patience]: [Duration; 2],
        stop: &AtomicBool,
    ) -> Result<Option<i64>, Loss> {
        self.question("state", vec![Arg::Board(board)], |id| {
            self.said().open = Some(Open { id, choice: None, yielded: false });
        });
        let answer = |said: &mut Said| match said.open.as_ref()? {
            Open { choice: Some(house), .. } if !legal(*house) => {
                Some(Err(Loss::new(EndReason::Illegal, format!("house {house}"))))
            }
            Open { choice, yielded, .. } => yielded.then_some(Ok(*choice)),
        };
        let mut answered = self.wait(time, stop, answer)?;
        // Whoever has sent a move lives. A silent client is asked for a sign of life, and may still move until it gives one.
        if answered.is_none() && self.said().open.as_ref().is_some_and(|open| open.choice.is_none()) {
            self.send_ping();
            let pong = |said: &mut Said| answer(said).or_else(|| said.ping.is_none().then_some(Ok(None)));
            answered = self.wait(patience, stop, pong)?;
            if answered.is_none() {
                self.close_state();
                return Err(Loss::new(EndReason::Timeout, "neither a move nor an answer to ping"));
            }
        }
        let choice = self.close_state();
        answered.unwrap_or(Ok(None))?;
        match choice {
            Some(house) if !legal(house) => Err(Loss::new(EndReason::Illegal, format!("house {house}"))),
            choice => Ok(choice),
        }
    }

    /// Takes no more moves for the open state, and says so. The last one counts.
    fn close_state(&self) -> Option<i64> {
        let mut said = self.said();
        let open = said.open.take()?;
        if said.closed.len() == REMEMBERED {
            said.closed.pop_front();
        }
        said.closed.push_back(open.id);
        drop(said);
        self.say(Some(open.id), "stop", Vec::new());
        open.choice
    }

    /// Waits until `ready`; nothing when it is too late.
    fn wait<T>(
        &self,
        limit: Duration,
        stop: &AtomicBool,
        mut ready: impl FnMut(&mut Said) -> Option<T>,
    ) -> Result<Option<T>, Loss> {
        let deadline = Instant::now() + limit;
        let mut said = self.said();
        loop {
            if let Some(found) = ready(&mut said) {
                return Ok(Some(found));
            }
            if let Some(loss) = &said.gone {
                return Err(loss.clone());
            }
            if stop.load(Ordering::Relaxed) {
                return Err(Loss::new(EndReason::Cancelled, "the server stops"));
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(None);
            }
            let waited = self.changed.wait_timeout(said, left.min(TICK));
            said = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}
