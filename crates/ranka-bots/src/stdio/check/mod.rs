//! The compliance checker: plays through what a bot can meet, and tells its author what goes wrong and which section of
//! the protocol's page it breaks.

mod strict;

use super::launch::Launch;
use ranka_core::{Actor, AnyGame, Error, GameSpec, Rng, Seat, Seed};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;
use strict::Strict;

/// A section of `docs/bot-protocol.md`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProtocolSection {
    /// What a line is.
    Lines,
    /// How a bot begins.
    Hello,
    /// How a game begins.
    Game,
    /// What a bot does when it is asked.
    Turn,
    /// What a bot may say of its thinking.
    Info,
    /// How a game and a bot end.
    End,
    /// What a bot may use.
    Limits,
}

impl fmt::Display for ProtocolSection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ProtocolSection::Lines => "1 (Lines)",
            ProtocolSection::Hello => "2 (Hello)",
            ProtocolSection::Game => "3 (A game)",
            ProtocolSection::Turn => "4 (Your turn)",
            ProtocolSection::Info => "5 (What you think)",
            ProtocolSection::End => "6 (The end)",
            ProtocolSection::Limits => "7 (Limits)",
        })
    }
}

/// Something that a bot does wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The section that it breaks.
    pub section: ProtocolSection,
    /// What is wrong.
    pub message: String,
}

impl Problem {
    fn new(section: ProtocolSection, message: impl Into<String>) -> Problem {
        Problem { section, message: message.into() }
    }
}

/// One thing that was tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckResult {
    /// What it was.
    pub what: String,
    /// What went wrong, if anything did.
    pub problem: Option<Problem>,
}

/// How long the checker waits.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// For `ready`.
    pub start: Duration,
    /// For an action.
    pub turn: Duration,
    /// For the bot to leave.
    pub leave: Duration,
}

/// Tries everything on the bot; `each` hears of it as it comes. `only` is the game to play; otherwise all that the bot
/// says it plays. Tells which those are; refused when it plays none of them.
pub fn check(
    launch: &Launch,
    games: &[Arc<dyn AnyGame>],
    only: Option<&str>,
    patience: Patience,
    each: &mut dyn FnMut(&CheckResult),
) -> Result<Vec<&'static str>, Error> {
    let mut tell = |what: &str, result: Result<(), Problem>| {
        let fine = result.is_ok();
        each(&CheckResult { what: what.to_owned(), problem: result.err() });
        fine
    };
    let trial = Trial { launch, patience };
    let mut played = Vec::new();
    if !tell("it starts, says hello and is ready", trial.hello(&mut played)) {
        return Ok(Vec::new());
    }
    tell("lines of a later version do not disturb it", trial.strange_lines());
    tell("it leaves when it is told to quit", trial.leaves(true));
    tell("it leaves when its input ends", trial.leaves(false));
    let plays = |game: &&Arc<dyn AnyGame>| {
        let name = game.info().name;
        only.is_none_or(|only| only == name)
            && (played.is_empty() || played.iter().any(|known| known == name))
    };
    let chosen: Vec<_> = games.iter().filter(plays).collect();
    if chosen.is_empty() {
        let what = only.map_or("plays none of our games".to_owned(), |only| format!("does not play {only}"));
        return Err(Error::outside(format!("it {what}, but {}", played.join(", "))));
    }
    for game in &chosen {
        let rules = game.rules_short();
        let rules = if rules.is_empty() { rules } else { format!(" ({rules})") };
        let name = format!("{}{rules}", game.info().name);
        for seat in Seat::all(game.seats()) {
            tell(&format!("{name}: a game in seat {seat}"), trial.game(game.as_ref(), seat));
        }
        tell(&format!("{name}: lines of a later version in a game"), trial.strange_game(game.as_ref()));
        tell(&format!("{name}: stopped while it thinks"), trial.stopped(game.as_ref()));
        tell(&format!("{name}: games broken off, and new ones begun"), trial.broken_off(game.as_ref()));
    }
    tell("game after game in one process", trial.one_process(&chosen));
    Ok(chosen.iter().map(|game| game.info().name).collect())
}

/// A game of more decisions than this shows nothing new.
const DECISIONS: u32 = 150;

struct Trial<'a> {
    launch: &'a Launch,
    patience: Patience,
}

impl Trial<'_> {
    fn start(&self) -> Result<Strict, Problem> {
        Strict::start(self.launch, self.patience)
    }

    fn hello(&self, plays: &mut Vec<String>) -> Result<(), Problem> {
        let mut bot = self.start()?;
        *plays = bot.hello()?;
        bot.ready("when it is asked a second time", ProtocolSection::Hello)
    }

    fn strange_lines(&self) -> Result<(), Problem> {
        let mut bot = self.start()?;
        bot.say("weather fine and 25 degrees");
        bot.hello()?;
        for line in ["", "go-faster 12", "newgames tomorrow", "爛柯"] {
            bot.say(line);
            bot.ready(&format!("after the unknown line {line:?}"), ProtocolSection::Lines)?;
        }
        Ok(())
    }

    fn leaves(&self, told: bool) -> Result<(), Problem> {
        let mut bot = self.start()?;
        bot.hello()?;
        bot.leave(told)
    }

    fn game(&self, game: &dyn AnyGame, seat: Seat) -> Result<(), Problem> {
        let mut bot = self.start()?;
        bot.hello()?;
        play(&mut bot, game, seat, Seed::new(seat.index() as u64), Manner::Plain)?;
        bot.leave(true)
    }

    fn strange_game(&self, game: &dyn AnyGame) -> Result<(), Problem> {
        let mut bot = self.start()?;
        bot.hello()?;
        play(&mut bot, game, Seat::FIRST, Seed::new(10), Manner::Strange)
    }

    fn stopped(&self, game: &dyn AnyGame) -> Result<(), Problem> {
        let mut bot = self.start()?;
        bot.hello()?;
        play(&mut bot, game, Seat::SECOND, Seed::new(11), Manner::Hurried)
    }

    fn broken_off(&self, game: &dyn AnyGame) -> Result<(), Problem> {
        let mut bot = self.start()?;
        bot.hello()?;
        for (number, reason) in ["resigned", "cancelled", "timeout"].into_iter().enumerate() {
            let manner = Manner::BrokenOff(number as u32, reason);
            play(&mut bot, game, Seat::FIRST, Seed::new(20 + number as u64), manner)?;
        }
        play(&mut bot, game, Seat::SECOND, Seed::new(30), Manner::Plain)
    }

    fn one_process(&self, games: &[&Arc<dyn AnyGame>]) -> Result<(), Problem> {
        let mut bot = self.start()?;
        bot.hello()?;
        for (number, game) in games.iter().enumerate() {
            for seat in Seat::all(game.seats()) {
                play(&mut bot, game.as_ref(), seat, Seed::new(40 + number as u64), Manner::Plain)?;
            }
        }
        bot.leave(true)
    }
}

/// How a game is played with a bot.
#[derive(Clone, Copy, PartialEq)]
enum Manner {
    Plain,
    /// With lines and words that this version does not have.
    Strange,
    /// With `stop` right after `go`.
    Hurried,
    /// Ended for a reason when the bot has made so many decisions.
    BrokenOff(u32, &'static str),
}

/// Plays a game against players at random, and watches every word of the bot.
fn play(bot: &mut Strict, game: &dyn AnyGame, seat: Seat, seed: Seed, manner: Manner) -> Result<(), Problem> {
    let name = game.info().name;
    let introduction =
        GameSpec { name, version: game.info().version, rules: game.rules(), seats: game.seats() };
    bot.begin(&introduction, seat, seed, manner == Manner::Strange)?;
    let people = vec![None; game.seats()];
    let opened = game.table(None, &people, seed);
    let mut table = opened.map_err(|error| Problem::new(ProtocolSection::Game, error.to_string()))?;
    let mut rng = Rng::new(seed.child("others"));
    bot.say(&format!("view {}", table.view(seat)));
    let (mut heard, mut decisions) = (0, 0);
    let reason = loop {
        match table.actor() {
            Actor::Over => break table.result().map_or("rules", |(_, reason)| reason),
            Actor::Chance => table.draw(),
            Actor::Seat(actor) => {
                let choices = table.choices(actor);
                let action = if actor == seat {
                    match manner {
                        Manner::BrokenOff(after, reason) if decisions >= after => break reason,
                        _ if decisions >= DECISIONS => break "ply-cap",
                        _ => {}
                    }
                    decisions += 1;
                    match bot.decide(&choices, manner)? {
                        Some(action) => action,
                        None => break "resigned",
                    }
                } else {
                    choices[rng.index(choices.len())].clone()
                };
                table
                    .act(&action)
                    .map_err(|error| Problem::new(ProtocolSection::Turn, format!("{name}: {error}")))?;
            }
        }
        for (by, action) in table.heard(seat, heard) {
            heard += 1;
            bot.say(&super::says::did(by, action.as_deref()));
            bot.say(&format!("view {}", table.view(seat)));
            if manner == Manner::Strange {
                bot.say("mood cheerful");
            }
        }
    };
    let even = vec![1.0 / game.seats() as f64; game.seats()];
    let scores = table.result().map_or(even, |(scores, _)| scores);
    bot.say(&super::says::over(reason, &scores));
    bot.ready("after the end of a game", ProtocolSection::End)
}
