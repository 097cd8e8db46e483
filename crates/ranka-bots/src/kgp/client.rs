//! The client: plays or solves for whoever connects it.

use super::player::Chooser;
use super::problem::Problem;
use super::wire::{self, Address, Receiver, Sender};
use super::{Arg, Board, Line};
use crate::net::{Log, Trouble};
use ranka_core::InputError;
use ranka_kalah::Rules;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How long a server may take for its first line and for its answer to our mode.
const PATIENCE: Duration = Duration::from_secs(60);

/// How long to wait before a move is said again. The reference server sends a state before it knows of it itself, and loses an
/// answer that comes within microseconds.
const AGAIN_AFTER: Duration = Duration::from_millis(10);

/// How often a move is said again.
const MOST_REPEATS: u32 = 20;

/// How long to wait before looking at the clock.
const TICK: Duration = Duration::from_millis(200);

/// What a client is for.
pub enum Mode<'a> {
    /// Plays until the server says goodbye.
    Freeplay(&'a mut (dyn Chooser + Send)),
    /// Solves problems.
    Verify {
        /// The rules to solve them by.
        rules: Rules,
        /// Whether the server counts houses from 1.
        from_one: bool,
        /// After so many it leaves; else it stays as long as the server does.
        most: Option<u64>,
    },
}

/// What came of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Score {
    /// States that were answered, or problems that were solved.
    pub answered: u64,
    /// Answers that came too late, or solutions that the server calls wrong.
    pub failed: u64,
}

/// What the client tells of itself.
#[derive(Clone, Debug, Default)]
pub struct Client {
    /// Options to set before the mode, such as `info:name`.
    pub told: Vec<(String, String)>,
}

impl Client {
    /// A client with a name.
    pub fn named(name: &str) -> Client {
        Client { told: vec![("info:name".to_owned(), name.to_owned())] }
    }

    /// Connects, and does what `mode` says until the server says goodbye or `stop` is set.
    pub fn run(
        &self,
        address: &Address,
        mode: Mode<'_>,
        log: &Log,
        stop: &AtomicBool,
    ) -> Result<Score, InputError> {
        let (sender, mut receiver) = wire::connect(address, stop)?;
        let place = format!("server {address}");
        let said =
            |result: std::io::Result<u64>| result.map_err(|e| InputError::new(format!("{place}: {e}")));
        greeting(&mut receiver, log).map_err(|error| error.at(&place))?;
        for (option, value) in &self.told {
            let args = vec![Arg::Word(option.clone()), Arg::Text(value.clone())];
            said(sender.say(None, "set", args))?;
        }
        let name = if matches!(mode, Mode::Freeplay(_)) { "freeplay" } else { "verify" };
        said(sender.say(None, "mode", vec![Arg::Word(name.to_owned())]))?;
        let done = match mode {
            Mode::Freeplay(chooser) => freeplay(&sender, receiver, chooser, log, stop),
            Mode::Verify { rules, from_one, most } => {
                let done = verify(&sender, &mut receiver, rules, from_one, most, log, stop);
                sender.end();
                done
            }
        };
        done.map_err(|error| error.at(&place))
    }
}

/// Waits for the server's version.
fn greeting(receiver: &mut Receiver<'_>, log: &Log) -> Result<(), InputError> {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let text = receiver.line(Some(deadline)).map_err(|trouble| InputError::new(trouble.to_string()))?;
        let Ok(line) = Line::read(&text) else { continue };
        match line.name.as_str() {
            "kgp" => {
                let major = line.args.first().and_then(|arg| arg.integer().ok());
                let refused =
                    || InputError::new(format!("it speaks {text:?}, we speak version 1 of the protocol"));
                return if major == Some(1) { Ok(()) } else { Err(refused()) };
            }
            "error" => return Err(InputError::new(text)),
            "goodbye" => return Err(InputError::new("it said goodbye before it began")),
            _ => log.note("server", format_args!("sent {text:?} before its version")),
        }
    }
}

/// What the listening half tells the thinking half.
#[derive(Default)]
struct Inbox {
    /// A state that nobody has looked at yet.
    waiting: Option<(u64, Board)>,
    played: bool,
    new_game: bool,
    game: Option<String>,
    open: Option<Open>,
    /// What the server refused before it showed a state; nothing comes after that.
    refusal: Option<InputError>,
    /// How the connection ended.
    over: Option<Result<(), InputError>>,
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

fn freeplay(
    sender: &Sender,
    receiver: Receiver<'_>,
    chooser: &mut (dyn Chooser + Send),
    log: &Log,
    stop: &AtomicBool,
) -> Result<Score, InputError> {
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
    fn think(&self, chooser: &mut (dyn Chooser + Send), stop: &AtomicBool) -> Result<Score, InputError> {
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
            drop(inbox);
            if new_game {
                chooser.new_game();
            }
            let mut offer = |house| self.offer(id, house, false);
            if let Some(house) = chooser.choose(&board, &self.cancel, &mut offer)? {
                self.offer(id, house, true);
                answered += 1;
            }
        }
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
                Err(trouble) => break Err(InputError::new(trouble.to_string())),
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
                if let (Ok("game:id"), Ok(game)) = (option.text(), value.text()) {
                    let mut inbox = self.inbox();
                    inbox.new_game |= inbox.game.as_ref().is_some_and(|known| known != game);
                    inbox.game = Some(game.to_owned());
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
            inbox.refusal = Some(InputError::new(format!("it refused: {text}")));
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

fn verify(
    sender: &Sender,
    receiver: &mut Receiver<'_>,
    rules: Rules,
    from_one: bool,
    most: Option<u64>,
    log: &Log,
    stop: &AtomicBool,
) -> Result<Score, InputError> {
    let mut score = Score::default();
    let lost = |error: std::io::Error| InputError::new(error.to_string());
    let judged = |score: &Score| score.answered + score.failed;
    while !stop.load(Ordering::Relaxed) && most.is_none_or(|most| judged(&score) < most) {
        let text = match receiver.line(Some(Instant::now() + PATIENCE)) {
            Ok(text) => text,
            Err(Trouble::Stopped) => break,
            Err(trouble) => return Err(InputError::new(trouble.to_string())),
        };
        let Ok(line) = Line::read(&text) else { continue };
        match line.name.as_str() {
            "goodbye" => return Ok(score),
            "ping" => drop(sender.say(line.id, "pong", line.args.clone()).map_err(lost)?),
            "ok" => score.answered += 1,
            "error" => {
                score.failed += 1;
                log.note("server", format_args!("refused: {text}"));
            }
            "problem" => match solve(&line, rules, from_one) {
                Ok((board, again)) => {
                    let args = vec![Arg::Board(board), Arg::Word(again.to_string())];
                    sender.say(line.id, "solution", args).map_err(lost)?;
                }
                Err(error) => {
                    log.note("server", format_args!("set no problem: {error}"));
                    sender.say(line.id, "error", vec![Arg::Text(error.to_string())]).map_err(lost)?;
                }
            },
            _ => {}
        }
    }
    sender.goodbye();
    Ok(score)
}

fn solve(line: &Line, rules: Rules, from_one: bool) -> Result<(Board, bool), InputError> {
    let [board, house] = line.args()?;
    let house = house.integer()? - i64::from(from_one);
    Ok(Problem::read(board.board()?, house, rules)?.solution())
}
