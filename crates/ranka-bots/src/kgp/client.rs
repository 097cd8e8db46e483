//! The client: plays or solves for whoever connects it.

use super::desk::freeplay;
use super::player::Chooser;
use super::problem::Problem;
use super::wire::{self, Address, Receiver, Sender};
use super::{Arg, Board, Line};
use crate::net::{Log, Trouble};
use ranka_core::Error;
use ranka_kalah::Rules;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How long a server may take for its first line and for its answer to our mode.
const PATIENCE: Duration = Duration::from_secs(60);

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
    /// States that got no answer in time, or solutions that the server calls wrong.
    pub failed: u64,
    /// States that ended with our last move refused: what was played there is not ours.
    pub lost: u64,
}

/// What the client tells of itself.
#[derive(Clone, Debug)]
pub struct Client {
    /// Options to set before the mode, such as `info:name`.
    pub told: Vec<(String, String)>,
    /// How long a move stands without being refused before `yield` follows. The reference server refuses a move that comes
    /// too soon after its state and accepts the `yield`; other servers need no such time.
    pub settle: Duration,
}

impl Default for Client {
    fn default() -> Client {
        Client { told: Vec::new(), settle: Duration::from_millis(10) }
    }
}

impl Client {
    /// A client with a name.
    pub fn named(name: &str) -> Client {
        Client { told: vec![("info:name".to_owned(), name.to_owned())], ..Client::default() }
    }

    /// Connects, and does what `mode` says until the server says goodbye or `stop` is set.
    pub fn run(
        &self,
        address: &Address,
        mode: Mode<'_>,
        log: &Log,
        stop: &AtomicBool,
    ) -> Result<Score, Error> {
        let (sender, mut receiver) = wire::connect(address, stop)?;
        let place = format!("server {address}");
        let said = |result: std::io::Result<u64>| result.map_err(|e| Error::outside(format!("{place}: {e}")));
        greeting(&mut receiver, log).map_err(|error| error.from_outside().at(&place))?;
        for (option, value) in &self.told {
            let args = vec![Arg::Word(option.clone()), Arg::Text(value.clone())];
            said(sender.say(None, "set", args))?;
        }
        let name = if matches!(mode, Mode::Freeplay(_)) { "freeplay" } else { "verify" };
        said(sender.say(None, "mode", vec![Arg::Word(name.to_owned())]))?;
        let done = match mode {
            Mode::Freeplay(chooser) => freeplay(&sender, receiver, chooser, self.settle, log, stop),
            Mode::Verify { rules, from_one, most } => {
                let done = verify(&sender, &mut receiver, rules, from_one, most, log, stop);
                sender.end();
                done
            }
        };
        done.map_err(|error| error.from_outside().at(&place))
    }
}

/// Waits for the server's version.
fn greeting(receiver: &mut Receiver<'_>, log: &Log) -> Result<(), Error> {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let text = receiver.line(Some(deadline)).map_err(|trouble| Error::outside(trouble.to_string()))?;
        let Ok(line) = Line::read(&text) else { continue };
        match line.name.as_str() {
            "kgp" => {
                let major = line.args.first().and_then(|arg| arg.integer().ok());
                let refused =
                    || Error::outside(format!("it speaks {text:?}, we speak version 1 of the protocol"));
                return if major == Some(1) { Ok(()) } else { Err(refused()) };
            }
            "error" => return Err(Error::outside(text)),
            "goodbye" => return Err(Error::outside("it said goodbye before it began")),
            _ => log.note("server", format_args!("sent {text:?} before its version")),
        }
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
) -> Result<Score, Error> {
    let mut score = Score::default();
    let lost = |error: std::io::Error| Error::outside(error.to_string());
    let judged = |score: &Score| score.answered + score.failed;
    while !stop.load(Ordering::Relaxed) && most.is_none_or(|most| judged(&score) < most) {
        let text = match receiver.line(Some(Instant::now() + PATIENCE)) {
            Ok(text) => text,
            Err(Trouble::Stopped) => break,
            Err(trouble) => return Err(Error::outside(trouble.to_string())),
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

fn solve(line: &Line, rules: Rules, from_one: bool) -> Result<(Board, bool), Error> {
    let [board, house] = line.args()?;
    let house = house.integer()? - i64::from(from_one);
    Ok(Problem::read(board.board()?, house, rules)?.solution())
}
