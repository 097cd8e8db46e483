//! What one client says to the server, line by line.

use super::peer::{Heard, Peer};
use super::problem::Problem;
use super::server::Hall;
use super::wire::{Receiver, Sender};
use super::{Arg, Line};
use crate::net::{Loss, TokenBucket, Trouble};
use ranka_core::{EndReason, Error, Rng};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Instant;

/// How many lines a client may send: so many for each question that it is asked, and beyond that so many at once and so many a
/// second in the long run. A search that tells each of its better moves stays far below.
const MOST_A_QUESTION: u64 = 16;
const MOST_AT_ONCE: u32 = 1000;
const MOST_A_SECOND: u32 = 100;

/// A client's way through the server.
struct Session<'a> {
    hall: &'a Hall<'a>,
    peer: Arc<Peer>,
    mode: Mode,
    rate: TokenBucket,
    /// Lines that answered questions, as far as they are counted.
    answers: u64,
    since: Instant,
}

enum Mode {
    Undecided,
    Freeplay,
    Verify { problem: Problem, id: u64, rng: Rng, solved: [u64; 2] },
}

/// Serves a client from its greeting to its end.
pub(super) fn serve(hall: &Hall<'_>, address: SocketAddr, sender: Sender, mut receiver: Receiver<'_>) {
    let peer = Arc::new(Peer::new(address, sender));
    let rate = TokenBucket::new(MOST_A_SECOND, MOST_AT_ONCE);
    let mut session = Session { hall, peer, mode: Mode::Undecided, rate, answers: 0, since: Instant::now() };
    hall.log.note(address, "connected");
    session.peer.say(None, "kgp", [1, 0, 1].map(Arg::number).into());
    while session.peer.gone().is_none() {
        session.next(&mut receiver);
    }
    let why = session.peer.gone().map_or(String::new(), |loss| loss.detail);
    if let Mode::Verify { solved: [right, wrong], .. } = session.mode {
        hall.log.note(address, format_args!("solved {right} problems, {wrong} wrongly"));
    }
    hall.log.note(address, format_args!("left: {why}"));
    session.peer.end();
}

impl Session<'_> {
    fn next(&mut self, receiver: &mut Receiver<'_>) {
        let patience = self.hall.options.patience;
        let lazy = matches!(self.mode, Mode::Freeplay);
        let deadline = if lazy { Instant::now() + patience } else { self.since + patience };
        let line = match receiver.line(Some(deadline)) {
            Ok(line) => line,
            Err(Trouble::Late) => return self.late(),
            Err(Trouble::NotText) => String::new(),
            Err(Trouble::TooLong) => return self.refuse("Line too long"),
            Err(Trouble::TooFast) => return self.refuse("Too many lines"),
            Err(Trouble::Gone(why)) => return self.peer.leave(Loss::new(EndReason::Disconnected, why)),
            Err(Trouble::Stopped) => {
                return self.peer.dismiss(Loss::new(EndReason::Cancelled, "the server stops"));
            }
        };
        self.count();
        let read = match Line::read(&line) {
            Ok(read) => read,
            Err(_) if line.trim().is_empty() => return,
            Err(error) => {
                return self.hall.log.note(self.peer.address, format_args!("sent no command: {error}"));
            }
        };
        if let Err(error) = self.hear(&read) {
            self.hall.log.note(self.peer.address, format_args!("is told: {error}"));
            self.peer.error(read.id, &error.to_string());
        }
    }

    /// Counts a line.
    fn count(&mut self) {
        let asked_for = MOST_A_QUESTION * self.peer.asked();
        // Old questions do not add up to room for a flood.
        self.answers = self.answers.max(asked_for.saturating_sub(MOST_AT_ONCE.into()));
        if self.answers < asked_for {
            self.answers += 1;
        } else if !self.rate.allows(Instant::now()) {
            self.refuse("Too many lines");
        }
    }

    /// Tells the client what is unbearable, and parts from it.
    fn refuse(&self, why: &str) {
        self.peer.error(None, why);
        self.peer.dismiss(Loss::new(EndReason::Protocol, why));
    }

    fn late(&self) {
        match self.mode {
            Mode::Undecided => self.refuse("No mode in time"),
            Mode::Verify { .. } => self.refuse("No solution in time"),
            // Its game has its own clock.
            Mode::Freeplay if self.peer.is_asked() => {}
            Mode::Freeplay if self.peer.is_pinged() => self.refuse("No answer to ping"),
            Mode::Freeplay => self.peer.send_ping(),
        }
    }

    fn hear(&mut self, line: &Line) -> Result<(), Error> {
        match line.name.as_str() {
            "mode" => return self.choose_mode(line),
            "set" => self.set(line),
            "pong" => self.peer.ponged(line.reference),
            "ping" => self.peer.say(line.id, "pong", line.args.clone()),
            "ok" | "error" => {}
            "goodbye" => self.peer.dismiss(Loss::new(EndReason::Resigned, "said goodbye")),
            "move" | "yield" if matches!(self.mode, Mode::Freeplay) => {
                let heard = if line.name == "yield" {
                    self.peer.yielded(line.reference)
                } else {
                    let [house] = line.args()?;
                    self.peer.moved(line.reference, house.integer()?)
                };
                if heard == Heard::Unknown {
                    return Err(Error::input("No state associated with id"));
                }
            }
            "solution" if matches!(self.mode, Mode::Verify { .. }) => return self.solution(line),
            _ => return Err(Error::input("Unknown command")),
        }
        Ok(())
    }

    fn choose_mode(&mut self, line: &Line) -> Result<(), Error> {
        if !matches!(self.mode, Mode::Undecided) {
            self.peer.error(line.id, "Duplicate mode");
            self.peer.dismiss(Loss::new(EndReason::Protocol, "a second mode"));
            return Ok(());
        }
        let [mode] = line.args()?;
        let mode = mode.text()?;
        match mode {
            "freeplay" => {
                self.mode = Mode::Freeplay;
                self.peer.say(line.id, "ok", Vec::new());
                self.hall.enter(self.peer.clone());
            }
            "verify" => {
                let mut rng = self.hall.problems();
                let problem = Problem::draw(self.hall.options.game.rules, &mut rng);
                self.mode = Mode::Verify { problem, id: 0, rng, solved: [0; 2] };
                self.set_problem();
            }
            _ => {
                self.peer.error(line.id, "Unsupported mode");
                self.peer.dismiss(Loss::new(EndReason::Protocol, "unsupported mode"));
            }
        }
        self.hall.log.note(self.peer.address, format_args!("is {:?}, mode {mode:?}", self.peer.name()));
        Ok(())
    }

    /// Hints, of which we need the name. What we do not know is ignored, and a token is told to nobody.
    fn set(&self, line: &Line) {
        if let [option, value] = &line.args[..]
            && let (Ok("info:name"), Ok(name)) = (option.text(), value.text())
        {
            self.peer.rename(name);
        }
    }

    fn set_problem(&mut self) {
        let Mode::Verify { problem, id: open, .. } = &mut self.mode else { return };
        let first = usize::from(self.hall.options.problems_from_one);
        let args = vec![Arg::Board(problem.board()), Arg::number(problem.house + first)];
        if let Some(id) = self.peer.set_problem(args) {
            *open = id;
        }
        self.since = Instant::now();
    }

    fn solution(&mut self, line: &Line) -> Result<(), Error> {
        let Mode::Verify { problem, id, rng, solved } = &mut self.mode else { return Ok(()) };
        if line.reference.is_some_and(|reference| reference != *id) {
            return Err(Error::input("No problem associated with id"));
        }
        let right =
            line.args().and_then(|[board, again]| Ok(problem.accepts(board.board()?, again.flag()?)))?;
        solved[usize::from(!right)] += 1;
        if right {
            self.peer.say(line.id, "ok", Vec::new());
        } else {
            self.peer.error(line.id, "Wrong solution");
        }
        *problem = Problem::draw(self.hall.options.game.rules, rng);
        self.set_problem();
        Ok(())
    }
}
