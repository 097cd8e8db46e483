//! `ranka league site`

use super::LeagueArgs;
use crate::failure::Done;
use crate::print;
use ranka_arena::write_site;
use std::path::PathBuf;

#[derive(clap::Args)]
#[command(after_help = "\
The site is a folder of files: open its index.html, or copy it to any web server. Written again into the same folder it \
keeps the pages of games to which none came.

Examples:
  ranka league site --league my-league my-site")]
pub(crate) struct Args {
    #[command(flatten)]
    league: LeagueArgs,
    /// The folder to write
    folder: PathBuf,
}

pub(crate) fn run(args: &Args) -> Done {
    let league = args.league.open()?;
    super::tell_spoilt(&league)?;
    let site = write_site(&league, &args.folder)?;
    let pages = print::counted(site.pages as u64, "page");
    let index = args.folder.join("index.html");
    let games = print::counted(site.games as u64, "game");
    print::text(&format!(
        "{pages} with {games}, {} of them written anew, in {}\n",
        site.written,
        index.display()
    ))
}
