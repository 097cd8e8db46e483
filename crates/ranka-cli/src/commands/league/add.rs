//! `ranka league add`

use super::{HoldArgs, LeagueArgs};
use crate::commands::bot::told;
use crate::failure::Done;
use crate::{interrupt, print};
use ranka_bots::stdio::Launch;
use ranka_bots::stdio::check::{Patience, Tried, check};
use ranka_core::{AnyGame, Error};
use ranka_league::League;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

#[derive(clap::Args)]
#[command(after_help = "\
The folder is copied. Give the same name again for a changed bot: what the old version played stays, and the new one plays \
from the next run on. What is wrong with a bot is told with the section of docs/bot-protocol.md that it breaks, and it is \
not taken.

Examples:
  ranka league add --league my-league carol made
  ranka league add --league my-league bob made --cmd 'python3 bot.py'")]
pub(crate) struct Args {
    #[command(flatten)]
    league: LeagueArgs,
    /// What the bot is called in the league
    name: String,
    /// Its folder
    folder: PathBuf,
    /// The command that starts it in its folder [default: python3 bot.py or ./bot, whichever is there]
    #[arg(long, value_name = "COMMAND")]
    cmd: Option<String>,
    #[command(flatten)]
    hold: HoldArgs,
}

pub(crate) fn run(args: &Args) -> Done {
    interrupt::ends_at_once();
    let league = args.league.open()?;
    if !args.folder.is_dir() {
        return Err(Error::input("there is no such folder").in_file(&args.folder).into());
    }
    let cmd = command(args, &league)?;
    let limits = &league.config.limits;
    let mut launch = Launch::within(&cmd, false, Some(&args.folder))?;
    if let Some(means) = args.hold.means()? {
        launch = launch.fenced(limits.fence(means));
    }
    let ms = Duration::from_millis;
    let patience = Patience { start: ms(limits.start), turn: ms(limits.turn), leave: ms(2000) };
    let known = league.config.entrant.iter().find(|entrant| entrant.name == args.name);
    let games: Vec<Arc<dyn AnyGame>> = (league.games().iter())
        .filter(|game| known.is_none_or(|entrant| entrant.plays(game.game.info().name)))
        .map(|game| game.game.clone())
        .collect();
    let (mut wrong, mut tried) = (0, 0);
    let mut printed: Done = Ok(());
    check(&launch, &games, None, patience, &mut |what: &Tried| {
        tried += 1;
        wrong += u64::from(what.problem.is_some());
        if printed.is_ok() && what.problem.is_some() {
            printed = print::text(&told(what));
        }
    })?;
    printed?;
    if wrong > 0 {
        let message = format!("{wrong} of {tried} went wrong, so {} is not taken into the league", args.name);
        return Err(Error::outside(message).into());
    }
    league.hand_in(&args.name, &args.folder, &cmd)?;
    print::text(&format!("{} is in the league: {tried} of {tried} tries went well.\n", args.name))
}

/// The command: as given, as it was, or as the folder suggests.
fn command(args: &Args, league: &League) -> Result<String, Error> {
    let known = league.config.entrant.iter().find(|entrant| entrant.name == args.name);
    if let Some(entrant) = known {
        let Some(cmd) = &entrant.cmd else {
            return Err(Error::input(format!("{} is an agent of ours: choose another name", args.name)));
        };
        return match &args.cmd {
            Some(new) if new != cmd => {
                let message = format!("{} is started by {cmd:?}; change that in league.toml", args.name);
                Err(Error::input(message).in_file(league.folder()))
            }
            _ => Ok(cmd.clone()),
        };
    }
    let has = |name: &str| args.folder.join(name).is_file();
    let usual = [("bot.py", "python3 bot.py"), ("bot", "./bot"), ("bot.sh", "sh bot.sh")];
    let found = usual.into_iter().find(|(file, _)| has(file)).map(|(_, cmd)| cmd.to_owned());
    args.cmd.clone().or(found).ok_or_else(|| lost(&args.folder))
}

fn lost(folder: &Path) -> Error {
    Error::input("there is neither bot.py nor bot: say by --cmd how it is started").in_file(folder)
}
