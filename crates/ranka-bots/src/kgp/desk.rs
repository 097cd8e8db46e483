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
use std::time::Duration;

/// How long to wait before a move is said again. The reference server sends a state before it knows of it itself, and loses an
/// answer that comes within microseconds.
const AGAIN_AFTER: Duration = Duration::from_millis(10);

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
}

/// The state that we are thinking about, or whose end we wait for.
struct Open {
    id: u64,
    choice: Option<usize>,
    yielded: bool,
    /// The ids under which the choice was said last.
    said: Vec<u64>,
    repeats: u32,
}

struct Desk<'a> {
    sender: &'a Sender,
    log: &'a Log,
    inbox: Mutex<Inbox>,
    changed: Condvar,
    cancel: AtomicBool,
}

/// Plays until the connection is over: one thread listens while the other thinks.
pub(super) fn freeplay(
    sender: &Sender,
    receiver: Receiver<'_>,
    chooser: &mut (dyn Chooser + Send),
    log: &Log,
    stop: &AtomicBool,
) -> Result<Score, Error> {
    let desk = Desk {
        sender,
        log,
        inbox: Mutex::default(),
        changed: Condvar::new(),
        cancel: AtomicBool::new(false),
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
                if let Some(over) = &inbox.over {
                    return over.clone().map(|()| Score { answered, failed: inbox.late });
                }
                if stop.load(Ordering::Relaxed) {
                    return Ok(Score { answered, failed: inbox.late });
                }
                let waited = self.changed.wait_timeout(inbox, TICK);
                inbox = waited.unwrap_or_else(PoisonError::into_inner).0;
            };
            inbox.open = Some(Open { id, choice: None, yielded: false, said: Vec::new(), repeats: 0 });
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
                self.offer(id, house, false);
            };
            match chooser.choose(&board, &self.cancel, &mut offer)? {
                Some(house) => {
                    self.offer(id, house, true);
                    answered += 1;
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

    /// Says a choice, unless the state is over or it was said already.
    fn offer(&self, id: u64, house: usize, last: bool) {
        let mut inbox = self.inbox();
        let Some(open) = inbox.open.as_mut().filter(|open| open.id == id) else {
            inbox.late += u64::from(last);
            return;
        };
        let known = open.choice == Some(house);
        open.choice = Some(house);
        open.yielded = last;
        drop(inbox);
        self.say(id, (!known).then_some(house), last);
    }

    fn say(&self, id: u64, house: Option<usize>, last: bool) {
        let note = |said| {
            if let Some(open) = self.inbox().open.as_mut().filter(|open| open.id == id) {
                open.said.push(said);
            }
        };
        if let Some(house) = house {
            let _ = self.sender.say_noting(Some(id), "move", vec![Arg::number(house)], note);
        }
        if last {
            let _ = self.sender.say_noting(Some(id), "yield", Vec::new(), note);
        }
    }

    /// The listening half: pings are answered while the other half thinks.
    fn listen(&self, mut receiver: Receiver<'_>) {
        let over = loop {
            let text = match receiver.line(None) {
                Ok(text) => text,
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
            self.hear(&line, &text);
        };
        let mut inbox = self.inbox();
        inbox.waiting = None;
        inbox.open = None;
        inbox.over = Some(inbox.refusal.take().map_or(over, Err));
        self.cancel.store(true, Ordering::Relaxed);
        self.changed.notify_all();
    }

    fn hear(&self, line: &Line, text: &str) {
        match (line.name.as_str(), &line.args[..], line.id) {
            ("ping", args, _) => {
                let _ = self.sender.say(line.id, "pong", args.to_vec());
            }
            ("state", [Arg::Board(board), ..], Some(id)) => {
                let mut inbox = self.inbox();
                inbox.waiting = Some((id, board.clone()));
                inbox.refusal = None;
                inbox.played = true;
                inbox.open = None;
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
                    inbox.open = None;
                    self.cancel.store(true, Ordering::Relaxed);
                }
            }
            ("set", [option, value], _) => {
                let (Ok(option), Ok(value)) = (option.text(), value.text()) else { return };
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
            ("error", ..) => self.refused(line, text),
            ("ok" | "set" | "kgp" | "pong", ..) => {}
            _ => {
                self.log.note("server", format_args!("sent {text:?}"));
                let _ = self.sender.say(line.id, "error", vec![Arg::Text("Unknown command".to_owned())]);
            }
        }
    }

    /// The server refuses something. If it is our move, it is said again; if it is our mode, there is nothing left to do.
    fn refused(&self, line: &Line, text: &str) {
        self.log.note("server", format_args!("refused: {text}"));
        thread::sleep(AGAIN_AFTER);
        let mut inbox = self.inbox();
        if !inbox.played {
            inbox.refusal = Some(Error::outside(format!("it refused: {text}")));
        }
        let Some(open) = &mut inbox.open else { return };
        let ours = line.reference.is_none_or(|reference| open.said.contains(&reference));
        let (Some(house), true) = (open.choice, ours && open.repeats < MOST_REPEATS) else { return };
        open.repeats += 1;
        open.said.clear();
        let (id, yielded) = (open.id, open.yielded);
        drop(inbox);
        self.say(id, Some(house), yielded);
    }
}

/// A time that a server tells, unless it makes no sense.
fn seconds(text: &str) -> Option<Duration> {
    let time = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    time.filter(|time| !time.is_zero())
}
