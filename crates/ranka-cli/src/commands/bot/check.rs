//! `ranka bot check`

use crate::failure::Done;
use crate::{interrupt, print};
use owo_colors::OwoColorize as _;
use ranka_bots::stdio::Launch;
use ranka_bots::stdio::check::{CheckResult, Patience, check};
use ranka_core::{AnyGame, Error};
use std::sync::Arc;
use std::time::Duration;

#[derive(clap::Args)]
#[command(after_help = "\
Exit code 0 only when nothing is wrong. What is wrong is told with the section of docs/bot-protocol.md that it breaks.

Examples:
  ranka bot check 'python3 my_bot.py'
  ranka bot check ./my-bot --game kalah --move 2000")]
pub(crate) struct Args {
    /// The program and its arguments
    command: String,
    /// Only this game; otherwise all that the bot says it plays
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
    /// Leave the command to `sh -c`
    #[arg(long)]
    shell: bool,
    /// Milliseconds to be ready
    #[arg(long, value_name = "MS", default_value_t = 10_000)]
    start: u64,
    /// Milliseconds for an action
    #[arg(long = "move", value_name = "MS", default_value_t = 10_000)]
    turn: u64,
    /// Milliseconds to leave
    #[arg(long, value_name = "MS", default_value_t = 2_000)]
    leave: u64,
}

/// Rules beside the usual ones that show a bot something new: other numbers of seats, an action of another kind.
const MORE: &[(&str, &str)] = &[
    ("kalah", "pie=on"),
    ("labyrinth", "players=3"),
    ("labyrinth", "players=4"),
    ("tantrix", "players=3"),
    ("tantrix", "players=4"),
];

pub(crate) fn run(args: &Args) -> Done {
    interrupt::ends_at_once();
    if let Some(game) = &args.game {
        ranka_games::game(game)?;
    }
    let launch = Launch::new(&args.command, args.shell)?;
    let ms = Duration::from_millis;
    let patience = Patience { start: ms(args.start), turn: ms(args.turn), leave: ms(args.leave) };
    let (mut wrong, mut tried) = (0, 0);
    let mut printed: Done = Ok(());
    check(&launch, &games()?, args.game.as_deref(), patience, &mut |what: &CheckResult| {
        tried += 1;
        wrong += u64::from(what.problem.is_some());
        if printed.is_ok() {
            printed = print::text(&told(what));
        }
    })?;
    printed?;
    match wrong {
        0 => print::text(&format!("\nAll is well: {tried} of {tried}.\n")),
        _ => Err(Error::outside(format!("{wrong} of {tried} went wrong")).into()),
    }
}

fn games() -> Result<Vec<Arc<dyn AnyGame>>, Error> {
    let mut games = Vec::new();
    for entry in ranka_games::catalogue() {
        let name = entry.info().name;
        let more = MORE.iter().filter(|(game, _)| *game == name).map(|&(_, rules)| rules);
        for rules in std::iter::once("").chain(more) {
            games.push(entry.open(rules)?);
        }
    }
    Ok(games)
}

/// What came of a try, for its author.
pub(crate) fn told(tried: &CheckResult) -> String {
    match &tried.problem {
        None => format!("{} {}\n", "✓".green(), tried.what),
        Some(problem) => {
            let message = problem.message.replace('\n', "\n    ");
            format!(
                "{} {}\n    {message}\n    see docs/bot-protocol.md, section {}\n",
                "✗".red(),
                tried.what,
                problem.section
            )
        }
    }
}
