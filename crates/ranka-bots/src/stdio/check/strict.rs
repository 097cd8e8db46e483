//! A conversation in which nothing is overlooked.

use super::super::launch::Launch;
use super::super::line::{Line, excerpt};
use super::super::process::{Dismissal, Heard, LEAVING, Process};
use super::super::says;
use super::{Manner, Patience, Problem, ProtocolSection};
use ranka_core::{Budget, Fault, GameSpec, Seat, Seed};
use std::time::{Duration, Instant};

/// How long a bot that is late is waited for, to tell its author by how much.
const LATE: Duration = Duration::from_secs(5);

/// A bot of which every word is watched.
pub(super) struct Strict {
    process: Process,
    patience: Patience,
}

/// A line that the bot said, by what it is good for.
enum Said {
    Ready,
    Action(String),
    Resign,
    Games(Vec<String>),
    /// The actions of the present turn that it speaks of.
    Info(Vec<String>),
    Rest,
}

impl Strict {
    pub(super) fn start(launch: &Launch, patience: Patience) -> Result<Strict, Problem> {
        let process = Process::start(launch).map_err(|error| {
            Problem::new(ProtocolSection::Hello, format!("it cannot be started: {error}"))
        })?;
        Ok(Strict { process, patience })
    }

    pub(super) fn say(&mut self, line: &str) {
        self.process.say(line);
    }

    /// Says hello; answers with the games that the bot says it plays.
    pub(super) fn hello(&mut self) -> Result<Vec<String>, Problem> {
        self.say(&says::hello());
        let mut plays = Vec::new();
        self.await_ready("after hello", ProtocolSection::Hello, |said| {
            if let Said::Games(games) = said {
                plays = games;
            }
        })?;
        Ok(plays)
    }

    pub(super) fn ready(&mut self, when: &str, section: ProtocolSection) -> Result<(), Problem> {
        self.await_ready(when, section, |_| {})
    }

    pub(super) fn begin(
        &mut self,
        game: &GameSpec,
        seat: Seat,
        seed: Seed,
        strange: bool,
    ) -> Result<(), Problem> {
        says::introduction(game, seat, seed).iter().for_each(|line| self.say(line));
        if strange {
            self.say("audience 12000");
        }
        self.ready("for a game", ProtocolSection::Game)
    }

    /// Asks for an action; nothing when it resigns.
    pub(super) fn decide(&mut self, choices: &[String], manner: Manner) -> Result<Option<String>, Problem> {
        self.say(&format!("actions {}", choices.join(" ")));
        // A budget now and then: a bot must understand it, or pass over it.
        let budget = choices.len().is_multiple_of(3).then_some(Budget::Nodes(1000));
        let go = says::go(Some(self.patience.turn), budget);
        self.say(&if manner == Manner::Strange { go + " haste 7" } else { go });
        if manner == Manner::Hurried {
            self.say("stop");
        }
        let begun = Instant::now();
        self.process.ask();
        let action = loop {
            match self.hear_action(begun)? {
                Said::Action(action) => break Some(action),
                Said::Resign => break None,
                Said::Ready => {
                    return Err(Problem::new(
                        ProtocolSection::Turn,
                        "it says ready when asked for an action",
                    ));
                }
                Said::Info(spoken_of) => {
                    // TUBSTAP's `end` is legal without being in the list.
                    let legal = |action: &String| choices.contains(action) || action == "end";
                    if let Some(action) = spoken_of.iter().find(|action| !legal(action)) {
                        let message = format!("it speaks of {action:?}, which is none of its actions");
                        return Err(Problem::new(ProtocolSection::Info, message));
                    }
                }
                Said::Games(_) | Said::Rest => {}
            }
        };
        self.ready("after its action", ProtocolSection::Turn)?;
        Ok(action)
    }

    /// Ends the bot, which must leave by itself.
    pub(super) fn leave(mut self, told: bool) -> Result<(), Problem> {
        let (how, when) = match told {
            true => (Dismissal::Told, "it was told to quit"),
            false => (Dismissal::Closed, "its input ended"),
        };
        if self.process.dismiss(how, self.patience.leave) {
            return Ok(());
        }
        let message = format!("it still runs {} ms after {when}", self.patience.leave.as_millis());
        Err(Problem::new(ProtocolSection::End, message))
    }

    fn await_ready(
        &mut self,
        when: &str,
        section: ProtocolSection,
        mut each: impl FnMut(Said),
    ) -> Result<(), Problem> {
        self.say("isready");
        self.process.ask();
        let deadline = Instant::now() + self.patience.start;
        let late = format!(" within {} ms", self.patience.start.as_millis());
        loop {
            match self.hear(deadline, &format!("it does not say ready {when}"), &late, section)? {
                Said::Ready => return Ok(()),
                Said::Action(action) => {
                    let message = format!("it says \"action {action}\" {when}, but nobody asked");
                    return Err(Problem::new(ProtocolSection::Turn, message));
                }
                Said::Resign => {
                    return Err(Problem::new(
                        ProtocolSection::Turn,
                        format!("it resigns {when}, but nobody asked"),
                    ));
                }
                other => each(other),
            }
        }
    }

    /// What it says to the question that it was asked at `begun`. Who is too late is told by how much.
    fn hear_action(&mut self, begun: Instant) -> Result<Said, Problem> {
        let limit = self.patience.turn;
        let lack = "it gives no action";
        let long = limit + (3 * limit).min(LATE);
        let late = format!(" within {} ms, nor within {} ms", limit.as_millis(), long.as_millis());
        let said = self.hear(begun + long, lack, &late, ProtocolSection::Turn)?;
        let took = begun.elapsed();
        match said {
            Said::Action(_) | Said::Resign if took > limit => {
                let message =
                    format!("{lack} within {} ms: it took {} ms", limit.as_millis(), took.as_millis());
                Err(self.problem(ProtocolSection::Turn, &message))
            }
            said => Ok(said),
        }
    }

    /// What it says until the deadline; otherwise it lacks something, and `late` tells how much time it had.
    fn hear(
        &mut self,
        deadline: Instant,
        lack: &str,
        late: &str,
        section: ProtocolSection,
    ) -> Result<Said, Problem> {
        let line = match self.process.hear(Some(deadline), &LEAVING) {
            Heard::Line(line) => line,
            Heard::Late | Heard::Cancelled => return Err(self.problem(section, &format!("{lack}{late}"))),
            Heard::Broken(Fault::Protocol(message)) => {
                return Err(self.problem(ProtocolSection::Limits, &message));
            }
            Heard::Broken(Fault::Crash(why) | Fault::Disconnected(why)) => {
                return Err(self.problem(section, &format!("{lack}: {why}")));
            }
            Heard::Broken(_) => return Err(self.problem(section, lack)),
        };
        match Line::read(&line) {
            Ok(Line::Ready) => Ok(Said::Ready),
            Ok(Line::Action(action)) => Ok(Said::Action(action.to_owned())),
            Ok(Line::Resign) => Ok(Said::Resign),
            Ok(Line::Games(games)) => Ok(Said::Games(games.into_iter().map(str::to_owned).collect())),
            Ok(Line::Info(info)) => {
                let spoken_of = info.action.iter().chain(info.pv.first());
                Ok(Said::Info(spoken_of.map(|&action| action.to_owned()).collect()))
            }
            Ok(Line::Unknown) if !line.trim_ascii().is_empty() => {
                let message = format!("it says {:?}, which means nothing", excerpt(&line));
                Err(Problem::new(ProtocolSection::Lines, message))
            }
            Ok(_) => Ok(Said::Rest),
            Err(malformed) => {
                let section =
                    if line.starts_with(b"info") { ProtocolSection::Info } else { ProtocolSection::Lines };
                Err(Problem::new(section, malformed.to_string()))
            }
        }
    }

    /// What is wrong, with what the bot itself printed of it.
    fn problem(&mut self, section: ProtocolSection, message: &str) -> Problem {
        let printed = self.process.printed();
        let printed = if printed.is_empty() { printed } else { format!("\nstandard error: {printed}") };
        Problem::new(section, format!("{message}{printed}"))
    }
}
