//! `ranka play`

use crate::failure::{Done, Failure};
use crate::game_args::{BudgetArgs, GameArgs, position};
use crate::{interrupt, print};
use owo_colors::OwoColorize;
use ranka_core::{Actor, AnyAgent, AnyGame, AnyTable, Error, MAX_SEATS, Seat, Seed, Settings};
use serde_json::json;
use std::io::{self, BufRead, Write};
use std::str::FromStr;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

#[derive(clap::Args)]
#[command(after_help = "\
Type an action to make it, `help` for what else can be typed.

Examples:
  ranka play kalah
  ranka play kalah --with random --seat 1 --seed 7
  ranka play kalah --seat all         two people at one keyboard
  ranka play kalah --seat watch       the agents among themselves")]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// Who plays the other seats, name:key=value,…; given several times, in the order of the seats
    #[arg(long, value_name = "AGENT")]
    with: Vec<String>,
    /// Your seat, from 0; `all` for people at every seat, `watch` for none
    #[arg(long, value_name = "N|all|watch", default_value = "0")]
    seat: Sitting,
    /// What all randomness follows from [default: the clock]
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// Where to begin
    #[arg(long, value_name = "POSITION", default_value = "start")]
    position: String,
    #[command(flatten)]
    budget: BudgetArgs,
    /// Talk on stderr, and print the result as one JSON object
    #[arg(long)]
    json: bool,
}

/// Which seats belong to people.
#[derive(Clone, Copy, PartialEq)]
enum Sitting {
    At(Seat),
    All,
    Watch,
}

impl FromStr for Sitting {
    type Err = String;

    fn from_str(text: &str) -> Result<Sitting, String> {
        match text {
            "all" | "both" => Ok(Sitting::All),
            "watch" => Ok(Sitting::Watch),
            _ => match text.parse::<usize>() {
                Ok(seat) if seat < MAX_SEATS => Ok(Sitting::At(Seat::new(seat))),
                _ => Err("expected a seat from 0, `all` or `watch`".to_owned()),
            },
        }
    }
}

impl Sitting {
    fn is_person(self, seat: Seat) -> bool {
        match self {
            Sitting::At(mine) => mine == seat,
            Sitting::All => true,
            Sitting::Watch => false,
        }
    }
}

pub(crate) fn run(args: &Args) -> Done {
    interrupt::ends_at_once();
    let seed = args.seed.unwrap_or_else(seed_of_the_clock);
    let mut game = args.game.open()?;
    let start =
        (args.position.trim() != "start").then(|| position(game.as_ref(), &args.position, Seed::new(seed)));
    if let Some(position) = &start {
        game = game.for_position(position)?;
    }
    if let Sitting::At(seat) = args.seat
        && seat.index() >= game.seats()
    {
        return Err(Failure::usage(&format!("--seat {seat}: the seats are 0 to {}", game.seats() - 1)));
    }
    let agents = seat_agents(args, game.as_ref())?;
    let players: Vec<Option<&AnyAgent>> = agents.iter().map(Option::as_ref).collect();
    let table = game.table(start.as_deref(), &players, Seed::new(seed))?;
    let helper = match agents.iter().flatten().next() {
        Some(agent) => agent.clone(),
        None => args.game.agent(game.as_ref(), args.with.first().map(String::as_str))?,
    };
    let out: Box<dyn Write> =
        if args.json { Box::new(anstream::stderr()) } else { Box::new(anstream::stdout()) };
    let settings = args.budget.settings();
    let mut session =
        Session { game, table, agents, helper, sitting: args.seat, seed, settings, out, shown: 0 };
    session.greet()?;
    session.play()?;
    if args.json { session.print_result() } else { Ok(()) }
}

/// The agent of each seat; people's seats have none. The last one named takes all seats that are left.
fn seat_agents(args: &Args, game: &dyn AnyGame) -> Result<Vec<Option<AnyAgent>>, Failure> {
    let mut named = args.with.iter();
    let mut last = None;
    let mut agents = Vec::new();
    for seat in Seat::all(game.seats()) {
        if args.seat.is_person(seat) {
            agents.push(None);
            continue;
        }
        last = named.next().or(last);
        agents.push(Some(args.game.agent(game, last.map(String::as_str))?));
    }
    if named.next().is_some() && args.seat != Sitting::All {
        return Err(Failure::usage("--with is given more often than there are seats for agents"));
    }
    Ok(agents)
}

fn seed_of_the_clock() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    // Short enough to be typed again.
    (now.as_millis() % 1_000_000) as u64
}

/// A game at the terminal.
struct Session {
    game: Arc<dyn AnyGame>,
    table: Box<dyn AnyTable>,
    agents: Vec<Option<AnyAgent>>,
    /// Who gives hints.
    helper: AnyAgent,
    sitting: Sitting,
    seed: u64,
    settings: Settings<'static>,
    out: Box<dyn Write>,
    /// How many actions the person has been told of.
    shown: usize,
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
    fn greet(&mut self) -> Done {
        writeln!(self.out, "{}, seed {}", self.game.info().title.bold(), self.seed)?;
        for (seat, agent) in self.agents.iter().enumerate() {
            let who = agent.as_ref().map_or("you", |agent| &agent.label);
            writeln!(self.out, "  seat {seat}: {who}")?;
        }
        Ok(())
    }

    fn play(&mut self) -> Done {
        let mut input = io::stdin().lock();
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
    fn turn_of_person(&mut self, seat: Seat, input: &mut impl BufRead) -> Result<bool, Failure> {
        self.tell_news(seat)?;
        writeln!(self.out, "\n{}", self.table.sketch(seat).trim_end())?;
        self.list(seat, SHORT_LIST)?;
        loop {
            write!(self.out, "seat {seat}> ")?;
            self.out.flush()?;
            let mut line = Vec::new();
            if input.read_until(b'\n', &mut line)? == 0 {
                writeln!(self.out)?;
                return Ok(false);
            }
            match self.obey(seat, String::from_utf8_lossy(&line).trim())? {
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
            "help" | "?" => writeln!(
                self.out,
                "An action makes it.  moves: all actions  board: the board  position: its notation\n\
                 hint: what {} would do  quit: leave",
                self.helper.label
            )?,
            "moves" => self.list(seat, usize::MAX)?,
            "board" => writeln!(self.out, "{}", self.table.sketch(seat).trim_end())?,
            "position" => writeln!(self.out, "{}", self.table.view(seat))?,
            "hint" => self.hint(seat)?,
            action => match self.table.act(action) {
                Ok(()) => return Ok(Typed::Acted),
                Err(error) => writeln!(self.out, "{error} (type help for help)")?,
            },
        }
        Ok(Typed::Again)
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
            writeln!(self.out, "\n{}", self.table.sketch(seat).trim_end())?;
        }
        if let Err(fault) = self.table.think(&self.settings) {
            let words = self.table.last_words(seat);
            let failed = match &self.agents[seat.index()] {
                Some(agent) => agent.failed(&fault, words),
                None => Error::internal(fault.to_string()),
            };
            return Err(failed.at(format!("seat {seat}")).into());
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
        writeln!(self.out, "\n{}", self.table.sketch(viewer).trim_end())?;
        let (scores, _) = self.table.result().expect("the game is over");
        let verdict = match self.sitting {
            Sitting::At(seat) if scores[seat.index()] >= 1.0 => "You win.".to_owned(),
            Sitting::At(seat) if scores[seat.index()] <= 0.0 => "You lose.".to_owned(),
            _ => match scores.iter().position(|&score| score >= 1.0) {
                Some(winner) => format!("Seat {winner} wins."),
                None => "A draw.".to_owned(),
            },
        };
        Ok(writeln!(self.out, "{}", verdict.bold())?)
    }

    /// The result for programs; without outcome and reason if the person left before the end.
    fn print_result(&self) -> Done {
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
