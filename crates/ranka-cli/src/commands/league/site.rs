//! `ranka league site`

use super::LeagueArgs;
use crate::failure::Done;
use crate::print;
use ranka_arena::write_site;
use ranka_core::Error;
use std::fs;
use std::path::{Path, PathBuf};

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
    fs::create_dir_all(&args.folder).map_err(|error| Error::writing(&args.folder, error))?;
    if real(&args.league.league)?.starts_with(real(&args.folder)?) {
        let why = "the league lies in it, and its seed would be published: give the site a folder of its own";
        return Err(Error::input(why).in_file(&args.folder).into());
    }
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

/// The folder itself, however it was named.
fn real(folder: &Path) -> Result<PathBuf, Error> {
    fs::canonicalize(folder).map_err(|error| Error::reading(folder, &error))
}
