//! `bot`: an agent of every game that is a program of its own.

use super::line::{Line, excerpt};
use super::notes::Notes;
use super::process::{Dismissal, Heard, LEAVING, Process, Spent};
use super::says;
use super::settings::{self, Settings};
use ranka_core::{
    End, EndReason, Fault, GameSpec, Outcome, Record, Seat, Seed, TextAgent, TextAgentKind, TextMaker,
    TextTold, Thinking, Thought, digest, printable,
};
use std::fmt::Write as _;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// The agent `bot`.
pub const BOT: TextAgentKind = TextAgentKind {
    name: "bot",
    version: 1,
    summary: "A program of yours in any language, spoken to over its standard input and output.",
    params: settings::params,
    build: |params, game| {
        let settings = Settings::read(params)?;
        Ok(Arc::new(Bots {
            shared: Arc::new(Shared { settings, idle: Mutex::default() }),
            game: game.clone(),
        }))
    },
};

/// What all seats of one agent share.
struct Shared {
    settings: Settings,
    /// Processes that wait for their next game.
    idle: Mutex<Vec<Process>>,
}

struct Bots {
    shared: Arc<Shared>,
    game: GameSpec,
}

impl TextMaker for Bots {
    fn seat(&self, seat: Seat, seed: Seed) -> Box<dyn TextAgent> {
        let mut bot = Bot {
            shared: Arc::clone(&self.shared),
            state: State::Lost(Fault::Cancelled),
            seen: false,
            owed: 0,
            note: None,
        };
        let seed = if self.shared.settings.sealed { sealed(seed) } else { seed };
        bot.invite(&self.game, seat, seed);
        Box::new(bot)
    }

    fn identity(&self) -> String {
        format!(";made of {}", self.shared.settings.made_of)
    }

    fn name(&self) -> Option<String> {
        // Who was named need not be asked.
        self.shared.settings.name.clone().or_else(|| introduced(&self.shared.settings))
    }
}

/// How long a bot is given to say what it is called. In its games it has `start` to be ready.
const HANDSHAKE: Duration = Duration::from_secs(3);

/// What a bot calls itself, with its version; nothing if it does not say so in time.
fn introduced(settings: &Settings) -> Option<String> {
    let mut process = Process::start(&settings.launch).ok()?;
    process.ask();
    process.say(&says::hello());
    process.say("isready");
    process.send().ok()?;
    let (limit, begun) = (settings.start.min(HANDSHAKE), Instant::now());
    let mut deadline = begun + limit;
    let (mut name, mut version) = (String::new(), String::new());
    loop {
        let line = match process.hear(Some(deadline), &LEAVING) {
            Heard::Line(line) => line,
            Heard::Late => match more_time(limit, begun, process.spent()) {
                Some(more) => {
                    deadline = more;
                    continue;
                }
                None => break,
            },
            Heard::Broken(_) | Heard::Cancelled => break,
        };
        match Line::read(&line) {
            Ok(Line::Name(said)) => name = shown(said),
            Ok(Line::Version(said)) => version = shown(said),
            Ok(Line::Ready) => break,
            _ => {}
        }
    }
    if name.is_empty() {
        return None;
    }
    Some(if version.is_empty() { name } else { format!("{name} {version}") })
}

/// A bot's own words, as short as a table needs them and harmless on any terminal.
fn shown(said: &str) -> String {
    said.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(40).flat_map(printable).collect()
}

/// A seed from which the one that it was made of cannot be computed. All other seeds of the game could be.
fn sealed(seed: Seed) -> Seed {
    let digits = digest(&seed.value().to_le_bytes());
    Seed::new(u64::from_str_radix(&digits[..16], 16).unwrap_or(0))
}

/// A bot in its seat.
struct Bot {
    shared: Arc<Shared>,
    state: State,
    /// Whether it has been told what it sees.
    seen: bool,
    /// How many answers nobody waits for any more: they are dropped when they come.
    owed: u32,
    /// What to say of its fault, beside what it printed.
    note: Option<String>,
}

enum State {
    Playing(Box<Process>),
    /// It is at fault, which is told when it is asked to think. What it printed is kept.
    Lost(Fault),
}

impl Bot {
    /// Gets a process that is ready for this game.
    fn invite(&mut self, game: &GameSpec, seat: Seat, seed: Seed) {
        let idle = self.shared.idle.lock().ok().and_then(|mut idle| idle.pop());
        if let Some(process) = idle {
            self.state = State::Playing(Box::new(process));
            if self.introduce(game, seat, seed).is_ok() {
                return;
            }
            // It fell asleep while it waited: another one may take its place.
            self.note = None;
        }
        match Process::start(&self.shared.settings.launch) {
            Ok(process) => self.state = State::Playing(Box::new(process)),
            Err(error) => {
                self.state = State::Lost(Fault::Crash(format!("it cannot be started: {error}")));
                return;
            }
        }
        // What fails has left its fault behind.
        let _ = self.greet(game).and_then(|()| self.introduce(game, seat, seed));
    }

    fn process(&mut self) -> Result<&mut Process, Fault> {
        match &mut self.state {
            State::Playing(process) => Ok(&mut **process),
            State::Lost(fault) => Err(fault.clone()),
        }
    }

    /// Takes a fault down, with what the bot printed, and ends the process.
    fn lose<T>(&mut self, fault: Fault) -> Result<T, Fault> {
        if let State::Playing(process) = &mut self.state {
            let printed = process.printed();
            self.note_printed(&printed);
            self.state = State::Lost(fault.clone());
        }
        Err(fault)
    }

    fn note(&mut self, words: &str) {
        let note = self.note.get_or_insert_default();
        let _ = write!(note, "{}{words}", if note.is_empty() { "" } else { "\n" });
    }

    fn note_printed(&mut self, printed: &str) {
        if !printed.is_empty() {
            self.note(&format!("standard error: {printed}"));
        }
    }

    /// Says lines and asks whether the bot is ready; `each` hears what else it says meanwhile.
    fn until_ready(
        &mut self,
        lines: &[String],
        mut each: impl FnMut(&Line<'_>) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let start = self.shared.settings.start;
        let begun = Instant::now();
        let mut deadline = begun + start;
        let process = self.process()?;
        process.ask();
        lines.iter().for_each(|line| process.say(line));
        process.say("isready");
        if let Err(fault) = process.send() {
            return self.lose(fault);
        }
        loop {
            let line = match self.process()?.hear(Some(deadline), &LEAVING) {
                Heard::Line(line) => line,
                Heard::Broken(fault) => return self.lose(fault),
                Heard::Cancelled => return self.lose(Fault::Cancelled),
                Heard::Late => {
                    let spent = self.process()?.spent();
                    if let Some(more) = more_time(start, begun, spent) {
                        deadline = more;
                        continue;
                    }
                    let after = format!("{} ms", start.as_millis());
                    self.note(&format!("not ready after {after}; {}", in_words(spent, start)));
                    return self.lose(Fault::Timeout);
                }
            };
            let heard = match Line::read(&line) {
                Ok(Line::Ready) => return Ok(()),
                Ok(Line::Action(_) | Line::Resign) => Err(out_of_turn(&line)),
                Ok(line) => each(&line),
                Err(malformed) => Err(Fault::Protocol(malformed.to_string())),
            };
            if let Err(fault) = heard {
                return self.lose(fault);
            }
        }
    }

    fn greet(&mut self, game: &GameSpec) -> Result<(), Fault> {
        self.until_ready(&[says::hello()], |line| match line {
            Line::Games(games) if !games.contains(&game.name) => {
                Err(Fault::Protocol(format!("it does not play {}, but {}", game.name, games.join(", "))))
            }
            _ => Ok(()),
        })
    }

    fn introduce(&mut self, game: &GameSpec, seat: Seat, seed: Seed) -> Result<(), Fault> {
        self.until_ready(&says::introduction(game, seat, seed), |_| Ok(()))
    }

    /// Tells the bot what it sees for the first time.
    fn show(&mut self, view: &str) -> Result<(), Fault> {
        let seen = std::mem::replace(&mut self.seen, true);
        let process = self.process()?;
        if !seen {
            process.say(&format!("view {view}"));
        }
        Ok(())
    }

    /// Nobody spoke to the bot, so it had nothing to answer.
    fn expect_silence(&mut self) -> Result<(), Fault> {
        self.process()?.ask();
        loop {
            let said = match self.process()?.overhear() {
                Ok(None) => return Ok(()),
                Ok(Some(said)) => said,
                Err(fault) => return self.lose(fault),
            };
            match Line::read(&said) {
                Ok(Line::Action(_) | Line::Resign) if self.owed > 0 => self.owed -= 1,
                Ok(Line::Action(_) | Line::Resign) => return self.lose(out_of_turn(&said)),
                Err(malformed) => return self.lose(Fault::Protocol(malformed.to_string())),
                Ok(_) => {}
            }
        }
    }

    fn answer(&mut self, thinking: &mut Thinking<'_, String>) -> Result<Thought<String>, Fault> {
        let Settings { limit, grace, .. } = self.shared.settings;
        let cancel = thinking.cancel_flag();
        let begun = Instant::now();
        let mut deadline = limit.map(|limit| begun + limit);
        let mut stopped = false;
        let mut notes = Notes::default();
        let mut unknown: Option<String> = None;
        loop {
            let process = self.process()?;
            let line = match process.hear(deadline, cancel) {
                Heard::Line(line) => line,
                Heard::Broken(fault) => return self.lose(fault),
                Heard::Cancelled => {
                    // The game may go on without this answer, and with the bot.
                    if !stopped {
                        process.say("stop");
                        if let Err(fault) = process.send() {
                            return self.lose(fault);
                        }
                    }
                    self.owed += 1;
                    return Err(Fault::Cancelled);
                }
                Heard::Late if !stopped => {
                    let more = more_time(limit.unwrap_or_default(), begun, process.spent());
                    if more.is_some() {
                        deadline = more;
                        continue;
                    }
                    process.say("stop");
                    if let Err(fault) = process.send() {
                        return self.lose(fault);
                    }
                    deadline = Some(Instant::now() + grace);
                    stopped = true;
                    continue;
                }
                Heard::Late => {
                    let limit = limit.unwrap_or_default();
                    let spent = in_words(process.spent(), limit);
                    let (limit, grace) = (limit.as_millis(), grace.as_millis());
                    self.note(&format!("no action after {limit} ms and {grace} ms of grace; {spent}"));
                    if let Some(unknown) = unknown {
                        self.note(&format!("its last line was {unknown:?}, which means nothing"));
                    }
                    return self.lose(Fault::Timeout);
                }
            };
            match Line::read(&line) {
                Ok(Line::Action(_) | Line::Resign) if self.owed > 0 => self.owed -= 1,
                Ok(Line::Info(_)) if self.owed > 0 => {}
                Ok(Line::Action(action)) => return Ok(notes.thought(action)),
                Ok(Line::Resign) => return Err(Fault::Resigned),
                Ok(Line::Info(info)) => {
                    notes.add(&info);
                    if let Some(choice) = notes.leaning() {
                        thinking.report(&notes.thought(choice));
                    }
                }
                Ok(Line::Unknown) => unknown = Some(excerpt(&line)),
                Ok(_) => {}
                Err(malformed) => return self.lose(Fault::Protocol(malformed.to_string())),
            }
        }
    }
}

/// How many times its limit a bot may take by the clock on the wall, as long as it waits for a processor.
const PATIENCE: u32 = 10;
/// How often somebody who waits for a processor is asked again.
const AGAIN: Duration = Duration::from_millis(100);

/// Until when a bot has more time whose time is up by the clock on the wall: as long as neither the processor time that it
/// used, nor the time in which it had one if it wanted, is as long as its limit.
fn more_time(limit: Duration, begun: Instant, spent: Spent) -> Option<Instant> {
    let passed = begun.elapsed();
    let innocent = spent.used < limit && passed.saturating_sub(spent.waited) < limit;
    (innocent && passed < limit * PATIENCE).then(|| Instant::now() + AGAIN)
}

/// How the first line of a record's detail ends where only the clock on the wall speaks for a forfeit. Behind that line
/// stands what bots have printed, who would like to be forgiven.
const BY_THE_WALL_CLOCK: &str = "so by the wall clock alone";

/// How a bot spent its time, and whether it was late by the clock on the wall alone: it used less than half its limit, and
/// waited for a processor for longer than that. Who only sleeps waits for none; and who keeps itself waiting, by many threads,
/// has used as much as it waited.
fn in_words(spent: Spent, limit: Duration) -> String {
    let (used, waited) = (spent.used.as_millis(), spent.waited.as_millis());
    let innocent = spent.used < limit / 2 && spent.waited > limit / 2;
    let alone = if innocent { format!(", {BY_THE_WALL_CLOCK}") } else { String::new() };
    format!("it used {used} ms of a processor and waited {waited} ms for one{alone}")
}

/// Whether a game was forfeited for time although the bot hardly had any: a loaded machine is to blame.
pub fn by_the_wall_clock_alone(record: &Record) -> bool {
    record.end.reason == EndReason::Timeout && record.end.detail.as_deref().is_some_and(is_innocent)
}

fn is_innocent(detail: &str) -> bool {
    detail.lines().next().is_some_and(|ours| ours.ends_with(BY_THE_WALL_CLOCK))
}

fn out_of_turn(line: &[u8]) -> Fault {
    Fault::Protocol(format!("{:?}: nobody asked", excerpt(line)))
}

impl TextAgent for Bot {
    fn think(
        &mut self,
        view: &str,
        choices: &[String],
        thinking: &mut Thinking<'_, String>,
    ) -> Result<Thought<String>, Fault> {
        self.expect_silence()?;
        self.show(view)?;
        let limit = [self.shared.settings.limit, thinking.limit].into_iter().flatten().min();
        let process = self.process()?;
        process.say(&format!("actions {}", choices.join(" ")));
        process.say(&says::go(limit, thinking.budget));
        if let Err(fault) = process.send() {
            return self.lose(fault);
        }
        self.answer(thinking)
    }

    fn told(&mut self, event: &TextTold<'_>) {
        if self.show(event.before).is_err() {
            return;
        }
        let Ok(process) = self.process() else { return };
        process.say(&says::did(event.by, event.action));
        process.say(&format!("view {}", event.after));
        if let Err(fault) = process.send() {
            // It is asked for its reasons when its turn comes.
            let _: Result<(), Fault> = self.lose(fault);
        }
    }

    fn over(&mut self, end: &End, outcome: &Outcome) {
        let state =
            std::mem::replace(&mut self.state, State::Lost(Fault::Disconnected("it has left".to_owned())));
        let State::Playing(mut process) = state else { return };
        if self.owed > 0 {
            // It still thinks about what nobody asks any more.
            self.note_printed(&process.printed());
            return;
        }
        process.say(&says::over(end.reason.name(), outcome.scores()));
        let Settings { keep, grace, .. } = self.shared.settings;
        let stays = keep && process.send().is_ok();
        if !stays {
            process.dismiss(Dismissal::ToldAndClosed, grace);
        }
        let printed = process.printed();
        self.note_printed(&printed);
        if let (true, Ok(mut idle)) = (stays, self.shared.idle.lock()) {
            idle.push(*process);
        }
    }

    fn last_words(&mut self) -> Option<String> {
        if let State::Playing(process) = &mut self.state {
            let printed = process.printed();
            self.note_printed(&printed);
        }
        self.note.take()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_who_waited_for_a_processor_is_late_by_the_wall_clock_alone() {
        let limit = Duration::from_secs(1);
        let told = |used, waited| {
            let ms = Duration::from_millis;
            in_words(Spent { used: ms(used), waited: ms(waited) }, limit)
        };
        assert!(is_innocent(&told(100, 800)));
        assert!(is_innocent(&(told(100, 800) + "\nstandard error: still thinking")));
        for (used, waited, who) in [(3, 0, "sleeps"), (3, 400, "sleeps"), (900, 900, "has many threads")] {
            assert!(!is_innocent(&told(used, waited)), "who {who}");
            for claim in [BY_THE_WALL_CLOCK.to_owned(), told(100, 800), format!("\n{}", told(100, 800))] {
                let claimed = format!("{}\nstandard error: {claim}", told(used, waited));
                assert!(!is_innocent(&claimed), "who {who} and says so");
            }
        }
    }
}
