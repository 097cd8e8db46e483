//! The conversation of `ranka play`.

use super::Sitting;
use crate::failure::{Done, Failure};
use crate::print::{self, TextTable};
use owo_colors::OwoColorize;
use ranka_core::{
    Actor, AnyAgent, AnyGame, AnyTable, End, EndReason, Error, LONG_LINE, Lines, Outcome, RECORD_FORMAT,
    Record, Seat, Seed, Settings,
};
use ranka_lab::NewFile;
use serde_json::json;
use std::io::{self, BufRead, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A game at the terminal.
pub(super) struct Session {
    pub(super) game: Arc<dyn AnyGame>,
    /// Where it began, if not as the seed deals it.
    pub(super) start: Option<String>,
    pub(super) table: Box<dyn AnyTable>,
    pub(super) agents: Vec<Option<AnyAgent>>,
    /// Who gives hints.
    pub(super) helper: AnyAgent,
    pub(super) sitting: Sitting,
    pub(super) seed: u64,
    pub(super) settings: Settings<'static>,
    pub(super) out: Box<dyn Write>,
    /// How many actions the person has been told of.
    pub(super) shown: usize,
    /// The file that the game is kept in.
    pub(super) save: Option<PathBuf>,
}

/// How the conversation goes on after a line that was typed.
enum Typed {
    Again,
    Acted,
    Quit,
}

/// More actions than this are listed only on demand.
const SHORT_LIST: usize = 40;

impl Session {
    pub(super) fn greet(&mut self) -> Done {
        writeln!(self.out, "{}, seed {}", self.game.info().title.bold(), self.seed)?;
        for (seat, agent) in self.agents.iter().enumerate() {
            let who = agent.as_ref().map_or("you", |agent| &agent.label);
            writeln!(self.out, "  seat {seat}: {who}")?;
        }
        Ok(())
    }

    pub(super) fn play(&mut self) -> Done {
        let mut input = Lines::new(io::stdin().lock(), "standard input", LONG_LINE);
        loop {
            match self.table.actor() {
                Actor::Chance => self.table.draw(),
                Actor::Seat(seat) if self.sitting.is_person(seat) => {
                    if !self.turn_of_person(seat, &mut input)? {
                        writeln!(self.out, "Left before the end.")?;
                        return Ok(());
                    }
                }
                Actor::Seat(seat) => self.turn_of_agent(seat)?,
                Actor::Over => return self.show_result(),
            }
        }
    }

    /// Asks until there is an action; false if the person leaves.
    fn turn_of_person(&mut self, seat: Seat, input: &mut Lines<impl BufRead>) -> Result<bool, Failure> {
        self.tell_news(seat)?;
        writeln!(self.out, "\n{}", self.table.coloured_sketch(seat).trim_end())?;
        self.list(seat, SHORT_LIST)?;
        loop {
            write!(self.out, "seat {seat}> ")?;
            self.out.flush()?;
            let Some(line) = input.read()? else {
                writeln!(self.out)?;
                return Ok(false);
            };
            match self.obey(seat, String::from_utf8_lossy(line).trim())? {
                Typed::Again => {}
                Typed::Acted => return Ok(true),
                Typed::Quit => return Ok(false),
            }
        }
    }

    fn obey(&mut self, seat: Seat, typed: &str) -> Result<Typed, Failure> {
        match typed {
            "" => {}
            "quit" | "exit" => return Ok(Typed::Quit),
            "help" | "?" => self.help()?,
            "moves" => self.list(seat, usize::MAX)?,
            "board" => writeln!(self.out, "{}", self.table.coloured_sketch(seat).trim_end())?,
            "position" => writeln!(self.out, "{}", self.table.view(seat))?,
            "hint" => self.hint(seat)?,
            "undo" => {
                if self.undo()? {
                    return Ok(Typed::Acted);
                }
            }
            "resign" => {
                self.table.stop(EndReason::Resigned, Some(seat), None);
                return Ok(Typed::Acted);
            }
            "save" => writeln!(self.out, "save FILE: give a file")?,
            saving if saving.starts_with("save ") => self.save_as(Path::new(saving[5..].trim()))?,
            action => match self.table.act(action) {
                Ok(()) => return Ok(Typed::Acted),
                Err(error) => writeln!(self.out, "{error} (type help for help)")?,
            },
        }
        Ok(Typed::Again)
    }

    /// Every word that can be typed: the game's actions first.
    fn help(&mut self) -> Done {
        let mut words: Vec<(&str, String)> =
            self.table.action_forms().iter().map(|&(form, what)| (form, what.to_owned())).collect();
        words.push(("moves", "all actions that are legal now".to_owned()));
        words.push(("board", "the board again".to_owned()));
        words.push(("position", "its notation on one line".to_owned()));
        words.push(("hint", format!("what {} would do", self.helper.label)));
        words.push(("undo", "take your last action back, and what followed".to_owned()));
        words.push(("resign", "give the game up".to_owned()));
        words.push((
            "save FILE",
            "keep the game in a file, now and when it ends, for `ranka record import`".to_owned(),
        ));
        words.push(("quit", "leave".to_owned()));
        words.push(("help", "this".to_owned()));
        let mut table = TextTable::plain();
        for (word, what) in words {
            table.row([word.bold().to_string(), what]);
        }
        Ok(write!(self.out, "{}", table.render("  "))?)
    }

    /// Takes the last action of a person back, and what followed; false if there is none. The table is laid anew from the
    /// beginning, so that agents know nothing of what is no longer so.
    fn undo(&mut self) -> Result<bool, Failure> {
        let heard = self.table.heard(Seat::FIRST, 0);
        let own = heard.iter().rposition(|(by, _)| by.is_some_and(|by| self.sitting.is_person(by)));
        let Some(own) = own else {
            writeln!(self.out, "there is no action of yours to take back")?;
            return Ok(false);
        };
        match self.laid_again(own) {
            Ok(table) => {
                (self.table, self.shown) = (table, self.shown.min(own));
                Ok(true)
            }
            Err(error) => {
                writeln!(self.out, "nothing was taken back: {error}")?;
                Ok(false)
            }
        }
    }

    /// The table as it was after so many actions.
    fn laid_again(&self, actions: usize) -> Result<Box<dyn AnyTable>, Error> {
        let players: Vec<Option<&AnyAgent>> = self.agents.iter().map(Option::as_ref).collect();
        let mut table = self.game.table(self.start.as_deref(), &players, Seed::new(self.seed))?;
        for action in self.table.actions().iter().take(actions) {
            table.replay(action)?;
        }
        Ok(table)
    }

    /// Keeps the game in a file from now on. Whatever is wrong with the file, the game goes on.
    fn save_as(&mut self, place: &Path) -> Done {
        if self.save.as_deref() != Some(place) && place.exists() {
            return Ok(writeln!(self.out, "{}: there is a file already", place.display())?);
        }
        match self.write_record(place) {
            Ok(()) => {
                writeln!(self.out, "The game is in {}, and will be as it ends.", place.display())?;
                self.save = Some(place.to_owned());
            }
            Err(error) => writeln!(self.out, "the game was not saved: {error}")?,
        }
        Ok(())
    }

    /// Keeps the game as it ended, if that was asked for.
    pub(super) fn keep(&mut self) -> Done {
        let Some(place) = self.save.clone() else { return Ok(()) };
        self.write_record(&place)?;
        Ok(writeln!(self.out, "The game is in {}.", place.display())?)
    }

    fn write_record(&self, place: &Path) -> Result<(), Error> {
        let mut file = NewFile::create(place)?;
        let line = serde_json::to_string(&self.record()).expect("a record is made of text and numbers");
        writeln!(file, "{line}").map_err(|e| file.failed(e))?;
        file.finish()
    }

    /// The game so far. One that goes on is told as if whoever is to act had left, as nobody else can.
    fn record(&self) -> Record {
        let agents = self.agents.iter().map(|agent| agent.as_ref().map_or("person", |agent| &agent.full));
        let versions = self.agents.iter().map(|agent| agent.as_ref().map_or(0, |agent| agent.version));
        let left = || {
            let (seat, seats) = (self.table.actor().seat(), self.table.seats());
            let reason = if seat.is_some() { EndReason::Disconnected } else { EndReason::Cancelled };
            let outcome = seat.map_or_else(|| Outcome::draw(seats), |seat| Outcome::loss(seat, seats));
            (End { reason, seat, answer: None, detail: None }, outcome.scores().to_vec())
        };
        let ended = self.table.ending().zip(self.table.result()).map(|(end, (scores, _))| (end, scores));
        let (end, outcome) = ended.unwrap_or_else(left);
        Record {
            format: RECORD_FORMAT,
            game: self.game.info().name.to_owned(),
            version: self.game.info().version,
            rules: self.game.rules(),
            seed: (self.seed, 0, 0),
            agents: agents.map(str::to_owned).collect(),
            numbers: (0..self.agents.len()).collect(),
            versions: versions.collect(),
            budget: self.settings.budget.map(|budget| budget.to_string()),
            ply_cap: None,
            move_limit: None,
            start: self.table.start(),
            actions: self.table.actions().join(" "),
            plies: self.table.plies(),
            end,
            outcome,
        }
    }

    /// Asks an agent, which is shown only what the person sees.
    fn hint(&mut self, seat: Seat) -> Done {
        let view = self.table.view(seat);
        match self.game.analyse(&view, &self.helper, Seed::new(self.seed), &self.settings, &mut |_| {}) {
            Ok(thought) => writeln!(self.out, "{} would play {}", self.helper.label, thought.choice)?,
            Err(error) => writeln!(self.out, "no hint: {error}")?,
        }
        Ok(())
    }

    fn list(&mut self, seat: Seat, most: usize) -> Done {
        let choices = self.table.choices(seat);
        if choices.len() <= most {
            writeln!(self.out, "actions: {}", choices.join(" "))?;
        } else {
            let (some, all) = (choices[..most].join(" "), choices.len());
            writeln!(self.out, "actions: {some} … ({all} in all; type moves to see them)")?;
        }
        Ok(())
    }

    fn turn_of_agent(&mut self, seat: Seat) -> Done {
        if self.sitting == Sitting::Watch {
            writeln!(self.out, "\n{}", self.table.coloured_sketch(seat).trim_end())?;
        }
        // Whatever an agent does wrong ends the game, as in a match, and the person is told why.
        match self.table.choose(&self.settings) {
            Ok(thought) => {
                if self.table.act(&thought.choice).is_err() {
                    self.table.refuse(&thought.choice);
                }
            }
            Err(fault) => {
                let (reason, detail) = EndReason::of(fault);
                self.table.stop(reason, Some(seat), detail);
            }
        }
        if self.sitting == Sitting::Watch { self.tell_news(seat) } else { Ok(()) }
    }

    /// Tells what happened since the last time, as far as `seat` may see it.
    fn tell_news(&mut self, seat: Seat) -> Done {
        for (by, action) in self.table.heard(seat, self.shown) {
            self.shown += 1;
            let who = by.map_or("chance".to_owned(), |by| format!("seat {by}"));
            let what = action.unwrap_or_else(|| "something that is hidden from you".to_owned());
            if by != Some(seat) || self.sitting == Sitting::Watch {
                writeln!(self.out, "{who} plays {}", what.bold())?;
            }
        }
        Ok(())
    }

    fn show_result(&mut self) -> Done {
        let viewer = match self.sitting {
            Sitting::At(seat) => seat,
            _ => Seat::FIRST,
        };
        self.tell_news(viewer)?;
        writeln!(self.out, "\n{}", self.table.coloured_sketch(viewer).trim_end())?;
        let (scores, _) = self.table.result().expect("the game is over");
        if let Some(told) = self.table.ending().and_then(|end| self.loser(&end)) {
            writeln!(self.out, "{told}")?;
        }
        let verdict = match self.sitting {
            Sitting::At(seat) if scores[seat.index()] >= 1.0 => "You win.".to_owned(),
            Sitting::At(seat) if scores[seat.index()] <= 0.0 => "You lose.".to_owned(),
            _ => match scores.iter().position(|&score| score >= 1.0) {
                Some(winner) => format!("Seat {winner} wins."),
                None => shared(&scores),
            },
        };
        Ok(writeln!(self.out, "{}", verdict.bold())?)
    }

    /// Who ended the game outside of its rules, and how; nothing if nobody did.
    fn loser(&self, end: &End) -> Option<String> {
        let End { reason, seat, answer, detail } = end;
        let seat = (*seat)?;
        let agent = self.agents[seat.index()].as_ref();
        let who = match agent {
            None if self.sitting != Sitting::All => "You resign.".to_owned(),
            None => format!("Seat {seat} resigns."),
            Some(agent) if *reason == EndReason::Resigned => {
                format!("Seat {seat} ({}) resigns.", agent.label)
            }
            Some(agent) => format!("Seat {seat} ({}) loses by {}.", agent.label, reason.name()),
        };
        let answer = answer.as_ref().map(|answer| format!("Its answer: {answer}"));
        Some([Some(who), answer, detail.clone()].into_iter().flatten().collect::<Vec<_>>().join("\n"))
    }

    /// An error if a program outside never played a legal action.
    pub(super) fn all_played(&self) -> Result<(), Error> {
        let Some(End { reason, seat: Some(seat), .. }) = self.table.ending() else { return Ok(()) };
        let acted = || self.table.heard(seat, 0).iter().any(|(by, _)| *by == Some(seat));
        match &self.agents[seat.index()] {
            Some(agent) if agent.outside && reason.is_fault() && !acted() => {
                Err(Error::outside(format!("{} never played a legal action", agent.label)))
            }
            _ => Ok(()),
        }
    }

    /// The result for programs; without outcome and reason if the person left before the end.
    pub(super) fn print_result(&self) -> Done {
        let (outcome, reason) = self.table.result().unzip();
        let agents: Vec<Option<&str>> =
            self.agents.iter().map(|agent| agent.as_ref().map(|agent| agent.full.as_str())).collect();
        print::json(&json!({
            "game": self.game.info().name,
            "rules": self.game.rules(),
            "agents": agents,
            "seed": self.seed,
            "outcome": outcome,
            "reason": reason,
        }))
    }
}

/// A game that nobody won alone.
fn shared(scores: &[f64]) -> String {
    let best = scores.iter().copied().fold(0.0, f64::max);
    let first: Vec<String> = (0..)
        .zip(scores)
        .filter(|(_, score)| **score == best)
        .map(|(seat, _): (usize, _)| seat.to_string())
        .collect();
    if first.len() == scores.len() {
        "A draw.".to_owned()
    } else {
        format!("Seats {} share the win.", first.join(" and "))
    }
}
