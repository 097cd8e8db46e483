//! `ranka play`

mod session;

use crate::failure::{Done, Failure};
use crate::game_args::{BudgetArgs, GameArgs, position};
use crate::{interrupt, terminal};
use ranka_core::{AnyAgent, AnyGame, MAX_SEATS, Seat, Seed};
use session::Session;
use std::io::Write;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::{SystemTime, UNIX_EPOCH};

#[derive(clap::Args)]
#[command(after_help = "\
Type an action to make it, `help` for what else can be typed.

Examples:
  ranka play kalah
  ranka play kalah --with random --seat 1 --seed 7
  ranka play tantrix --save game.jsonl
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
    /// Keep the game in this file when it ends or is left, as a record that `ranka record import` takes
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
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
    if let Some(place) = args.save.as_deref().filter(|place| place.exists()) {
        return Err(Failure::usage(&format!("--save {}: there is a file already", place.display())));
    }
    let helper = match agents.iter().flatten().next() {
        Some(agent) => agent.clone(),
        None => args.game.agent(game.as_ref(), args.with.first().map(String::as_str))?,
    };
    let out: Box<dyn Write> =
        if args.json { Box::new(terminal::stderr()) } else { Box::new(terminal::stdout()) };
    let settings = args.budget.settings();
    let (sitting, save) = (args.seat, args.save.clone());
    let mut session =
        Session { game, start, table, agents, helper, sitting, seed, settings, out, shown: 0, save };
    session.greet()?;
    session.play()?;
    session.keep()?;
    if args.json {
        session.print_result()?;
    }
    Ok(session.all_played()?)
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
