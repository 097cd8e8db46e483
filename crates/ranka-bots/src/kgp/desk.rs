//! A client at play: it thinks and listens at the same time.

use super::client::Score;
use super::player::Chooser;
use super::wire::{Receiver, Sender};
use super::{Arg, Board, Line};
use crate::net::{Log, Trouble};
use ranka_core::Error;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How long to wait before a move is said again. The reference server sends a state before it knows of it itself, and refuses a
/// move that comes within microseconds. It accepts a `yield` that follows all the same and then plays any house for us, so
/// `yield` is held back until the move can be taken for accepted: nothing else tells.
const AGAIN_AFTER: Duration = Duration::from_millis(10);

/// A server that takes longer to answer loses moves: waiting for its refusals would cost too much of the time to think.
const LONGEST_TRIP: Duration = Duration::from_millis(500);

/// How often a move is said again.
const MOST_REPEATS: u32 = 20;

/// How long to wait before looking at the clock.
const TICK: Duration = Duration::from_millis(200);

/// What the listening half tells the thinking half.
#[derive(Default)]
struct Inbox {
    /// A state that nobody has looked at yet.
    waiting: Option<(u64, Board)>,
    played: bool,
    new_game: bool,
    game: Option<String>,
    clock: Option<Duration>,
    open: Option<Open>,
    /// What the server refused before it showed a state; nothing comes after that.
    refusal: Option<Error>,
    /// How the connection ended.
    over: Option<Result<(), Error>>,
    late: u64,
    /// States that ended with our last move refused.
    lost: u64,
    /// The ids under which the last move for the state before was said.
    before: Vec<u64>,
    /// The longest time that the server took to answer: a refusal may be on its way for as long.
    trip: Duration,
}

/// The state that we are thinking about, or whose end we wait for.
struct Open {
    id: u64,
    choice: Option<usize>,
    /// The ids under which the choice was said last, and when.
    said: Vec<u64>,
    said_at: Instant,
    /// What was said last is refused.
    refused: bool,
    repeats: u32,
}

impl Open {
    fn new(id: u64) -> Open {
        Open { id, choice: None, said: Vec::new(), said_at: Instant::now(), refused: false, repeats: 0 }
    }
}

impl Inbox {
    /// The state that was open is over. A move may still be refused.
    fn close(&mut self) {
        let Some(open) = self.open.take() else { return };
        self.lost += u64::from(open.refused && open.choice.is_some());
        self.before = if open.refused { Vec::new() } else { open.said };
    }
}

struct Desk<'a> {
    sender: &'a Sender,
    log: &'a Log,
    inbox: Mutex<Inbox>,
    changed: Condvar,
    cancel: AtomicBool,
    /// How long a move stands before it counts as accepted, on a connection that takes no time.
    settle: Duration,
    begun: Instant,
}

/// Plays until the connection is over: one thread listens while the other thinks. Our mode was said just now.
pub(super) fn freeplay(
    sender: &Sender,
    receiver: Receiver<'_>,
    chooser: &mut (dyn Chooser + Send),
    settle: Duration,
    log: &Log,
    stop: &AtomicBool,
) -> Result<Score, Error> {
    let desk = Desk {
        sender,
        log,
        inbox: Mutex::default(),
        changed: Condvar::new(),
        cancel: AtomicBool::new(false),
        settle,
        begun: Instant::now(),
    };
    thread::scope(|scope| {
        scope.spawn(|| desk.listen(receiver));
        let done = desk.think(chooser, stop);
        if desk.inbox().over.is_none() {
            sender.goodbye();
        }
        // The listener ends with the connection.
        sender.end();
        done
    })
}

impl Desk<'_> {
    fn inbox(&self) -> MutexGuard<'_, Inbox> {
        self.inbox.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The thinking half.
    fn think(&self, chooser: &mut (dyn Chooser + Send), stop: &AtomicBool) -> Result<Score, Error> {
        let mut answered = 0;
        loop {
            let mut inbox = self.inbox();
            let (id, board) = loop {
                if let Some(state) = inbox.waiting.take() {
                    break state;
                }
                let score = Score { answered, failed: inbox.late, lost: inbox.lost };
                if let Some(over) = &inbox.over {
                    return over.clone().map(|()| score);
                }
                if stop.load(Ordering::Relaxed) {
                    return Ok(score);
                }
                let waited = self.changed.wait_timeout(inbox, TICK);
                inbox = waited.unwrap_or_else(PoisonError::into_inner).0;
            };
            inbox.open = Some(Open::new(id));
            self.cancel.store(false, Ordering::Relaxed);
            let new_game = std::mem::take(&mut inbox.new_game);
            let clock = inbox.clock;
            drop(inbox);
            if new_game {
                chooser.new_game();
            }
            chooser.clock(clock);
            let mut offered = false;
            let mut offer = |house| {
                offered = true;
                self.offer(id, house);
            };
            match chooser.choose(&board, &self.cancel, &mut offer)? {
                Some(house) => {
                    let in_time = self.offer(id, house);
                    self.inbox().late += u64::from(!in_time);
                    answered += 1;
                    self.yield_when_settled(id, stop);
                }
                None => self.lapse(id, chooser.excuse(), offered),
            }
        }
    }

    /// Takes down that a state was not answered to the end. What was offered on the way may count all the same.
    fn lapse(&self, id: u64, excuse: Option<String>, offered: bool) {
        let mut inbox = self.inbox();
        if inbox.over.is_some() || (offered && excuse.is_none()) {
            return;
        }
        inbox.late += 1;
        drop(inbox);
        let why = excuse.as_deref().unwrap_or("it was not ready in time");
        self.log.note("our agent", format_args!("gave no answer to state {id}: {why}"));
    }

    /// Says a choice, unless it was said already; whether the state is still open.
    fn offer(&self, id: u64, house: usize) -> bool {
        let mut inbox = self.inbox();
        let Some(open) = inbox.open.as_mut().filter(|open| open.id == id) else { return false };
        if open.choice.replace(house) != Some(house) {
            drop(inbox);
            self.say(id, "move", vec![Arg::number(house)]);
        }
        true
    }

    fn say(&self, id: u64, command: &str, args: Vec<Arg>) {
        let note = |said| {
            if let Some(open) = self.inbox().open.as_mut().filter(|open| open.id == id) {
                if command == "move" {
                    open.said.clear();
                    open.refused = false;
                }
                open.said.push(said);
                open.said_at = Instant::now();
            }
        };
        let _ = self.sender.say_noting(Some(id), command, args, note);
    }

    /// Says that there is no better move, once the last one can be taken for accepted, and again if the move is refused after
    /// all. It is done when the state is over.
    fn yield_when_settled(&self, id: u64, stop: &AtomicBool) {
        let mut yielded_after = None;
        let mut inbox = self.inbox();
        while let Some(open) = inbox.open.as_ref().filter(|open| open.id == id) {
            if stop.load(Ordering::Relaxed) {
                return;
            }
            // A move that is refused for good keeps nobody waiting.
            let held = open.refused && open.repeats < MOST_REPEATS;
            let moved = open.said.first().copied();
            let settle = if self.settle.is_zero() { self.settle } else { self.settle + inbox.trip };
            let left = settle.saturating_sub(open.said_at.elapsed());
            if yielded_after == moved || held {
                inbox = self.changed.wait_timeout(inbox, TICK).unwrap_or_else(PoisonError::into_inner).0;
            } else if left.is_zero() {
                yielded_after = moved;
                drop(inbox);
                self.say(id, "yield", Vec::new());
                inbox = self.inbox();
            } else {
                inbox = self.changed.wait_timeout(inbox, left).unwrap_or_else(PoisonError::into_inner).0;
            }
        }
    }

    /// The listening half: pings are answered while the other half thinks.
    fn listen(&self, mut receiver: Receiver<'_>) {
        let mut again = None;
        let over = loop {
            let text = match receiver.line(again) {
                Ok(text) => text,
                Err(Trouble::Late) => {
                    again = None;
                    self.move_again();
                    continue;
                }
                Err(Trouble::Stopped) => break Ok(()),
                Err(Trouble::NotText) => continue,
                Err(trouble) => break Err(Error::outside(trouble.to_string())),
            };
            let Ok(line) = Line::read(&text) else {
                if !text.trim().is_empty() {
                    self.log.note("server", format_args!("sent no command: {text:?}"));
                }
                continue;
            };
            if line.name == "goodbye" {
                break Ok(());
            }
            if self.hear(&line, &text) {
                again = Some(Instant::now() + AGAIN_AFTER);
            }
        };
        let mut inbox = self.inbox();
        inbox.waiting = None;
        inbox.close();
        inbox.over = Some(inbox.refusal.take().map_or(over, Err));
        self.cancel.store(true, Ordering::Relaxed);
        self.changed.notify_all();
    }

    /// Does what a line asks for; whether our move is to be said again.
    fn hear(&self, line: &Line, text: &str) -> bool {
        match (line.name.as_str(), &line.args[..], line.id) {
            ("ping", args, _) => {
                let _ = self.sender.say(line.id, "pong", args.to_vec());
            }
            ("state", [Arg::Board(board), ..], Some(id)) => {
                let mut inbox = self.inbox();
                inbox.waiting = Some((id, board.clone()));
                inbox.refusal = None;
                inbox.played = true;
                inbox.close();
                self.cancel.store(true, Ordering::Relaxed);
                self.changed.notify_all();
            }
            ("stop", ..) => {
                let mut inbox = self.inbox();
                let meant = |id: u64| line.reference.is_none_or(|reference| reference == id);
                if inbox.waiting.as_ref().is_some_and(|(id, _)| meant(*id)) {
                    inbox.waiting = None;
                }
                if inbox.open.as_ref().is_some_and(|open| meant(open.id)) {
                    inbox.close();
                    self.cancel.store(true, Ordering::Relaxed);
                    self.changed.notify_all();
                }
            }
            ("set", [option, value], _) => {
                let (Ok(option), Ok(value)) = (option.text(), value.text()) else { return false };
                let mut inbox = self.inbox();
                match option {
                    "game:id" => {
                        inbox.new_game |= inbox.game.as_ref().is_some_and(|known| known != value);
                        inbox.game = Some(value.to_owned());
                    }
                    "time:clock" => inbox.clock = seconds(value),
                    "time:mode" if value == "none" => inbox.clock = None,
                    _ => {}
                }
            }
            ("error", ..) => return self.refused(line, text),
            // The first one is for our mode.
            ("ok", ..) => {
                let mut inbox = self.inbox();
                if inbox.trip.is_zero() {
                    inbox.trip = self.begun.elapsed().min(LONGEST_TRIP);
                }
            }
            ("set" | "kgp" | "pong", ..) => {}
            _ => {
                self.log.note("server", format_args!("sent {text:?}"));
                let _ = self.sender.say(line.id, "error", vec![Arg::Text("Unknown command".to_owned())]);
            }
        }
        false
    }

    /// The server refuses something. If it is our move, it is to be said again; if it is our mode, there is nothing left to do.
    fn refused(&self, line: &Line, text: &str) -> bool {
        self.log.note("server", format_args!("refused: {text}"));
        let mut inbox = self.inbox();
        if !inbox.played {
            inbox.refusal = Some(Error::outside(format!("it refused: {text}")));
        }
        let meant = |said: &[u64]| line.reference.is_none_or(|reference| said.contains(&reference));
        let Some(open) = inbox.open.as_mut().filter(|open| open.choice.is_some() && meant(&open.said)) else {
            // Too late to say it again: the state was over before its last move was refused.
            if line.reference.is_some() && inbox.before.first().copied() == line.reference {
                inbox.before.clear();
                inbox.lost += 1;
            }
            return false;
        };
        open.refused = true;
        let (trip, again) = (open.said_at.elapsed(), open.repeats < MOST_REPEATS);
        inbox.trip = inbox.trip.max(trip).min(LONGEST_TRIP);
        again
    }

    /// Says a refused move again, if its state is still open.
    fn move_again(&self) {
        let mut inbox = self.inbox();
        let Some(open) = inbox.open.as_mut().filter(|open| open.refused) else { return };
        let (id, Some(house)) = (open.id, open.choice) else { return };
        open.repeats += 1;
        drop(inbox);
        self.say(id, "move", vec![Arg::number(house)]);
        self.changed.notify_all();
    }
}

/// A time that a server tells, unless it makes no sense.
fn seconds(text: &str) -> Option<Duration> {
    let time = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    time.filter(|time| !time.is_zero())
}
