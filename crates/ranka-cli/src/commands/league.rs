//! `ranka league`

mod add;
mod new;
mod run;
mod site;
mod table;

use crate::failure::Done;
use crate::print;
use clap::Subcommand;
use ranka_bots::stdio::sandbox::SandboxKind;
use ranka_core::Error;
use ranka_league::League;
use std::path::PathBuf;

#[derive(clap::Args)]
#[command(after_help = "\
A league is a folder with league.toml and the bots of those who take part; docs/league.md leads from an empty folder to a \
published league. Bots run in a sandbox of the system's own.

Examples:
  ranka league new my-league --game kalah
  ranka league add --league my-league alice made
  ranka league run --league my-league --for 10s
  ranka league table --league my-league
  ranka league site --league my-league my-site")]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Begin a league in a new folder
    New(new::Args),
    /// Take a bot into the league, or a changed one in place of the old, after trying everything on it
    Add(add::Args),
    /// Play what is missing, the most informative pairings first
    Run(run::Args),
    /// Tell who stands where
    Table(table::Args),
    /// Write a site that needs no server: standings, history, every bot, every game
    Site(site::Args),
}

pub(crate) fn run(args: &Args) -> Done {
    match &args.what {
        What::New(args) => new::run(args),
        What::Add(args) => add::run(args),
        What::Run(args) => run::run(args),
        What::Table(args) => table::run(args),
        What::Site(args) => site::run(args),
    }
}

/// Which league.
#[derive(clap::Args)]
struct LeagueArgs {
    /// The league's folder
    #[arg(long, value_name = "FOLDER", default_value = ".", env = "RANKA_LEAGUE")]
    league: PathBuf,
}

impl LeagueArgs {
    fn open(&self) -> Result<League, Error> {
        League::open(&self.league)
    }
}

/// Warns of lines of the history that nobody can read.
fn tell_spoilt(league: &League) -> Result<(), Error> {
    if let Some((file, lines)) = league.spoilt_history()? {
        let lines = print::counted(lines as u64, "line");
        print::note!("{}: {lines} passed over that cannot be read", file.display());
    }
    Ok(())
}

/// How bots are held.
#[derive(clap::Args)]
struct HoldArgs {
    /// Run bots without a sandbox: they can then do on this machine whatever you can
    #[arg(long)]
    r#unsafe: bool,
}

impl HoldArgs {
    /// The best means of this machine; nothing for who trusts everybody. Refused where there is none.
    fn means(&self) -> Result<Option<SandboxKind>, Error> {
        if self.r#unsafe {
            return Ok(None);
        }
        let refuse = |error: Error| {
            let advice = "install bubblewrap, or give --unsafe if you trust every bot";
            Error::new(error.kind(), format!("{error}: {advice}"))
        };
        SandboxKind::find().map(Some).map_err(refuse)
    }
}
