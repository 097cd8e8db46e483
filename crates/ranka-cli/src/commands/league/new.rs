//! `ranka league new`

use crate::failure::Done;
use crate::print;
use ranka_bots::stdio::quoted;
use ranka_core::Error;
use ranka_lab::NewFile;
use ranka_league::{League, LeagueConfig};
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::PathBuf;

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ranka league new spring --game kalah
  ranka league new autumn --game kalah --game geister --title 'Autumn course'")]
pub(crate) struct Args {
    /// The folder to make
    folder: PathBuf,
    /// A game; several may be given
    #[arg(long, value_name = "GAME", required = true)]
    game: Vec<String>,
    /// What the league is called
    #[arg(long, value_name = "TEXT", default_value = "League")]
    title: String,
}

pub(crate) fn run(args: &Args) -> Done {
    let path = args.folder.join("league.toml");
    if path.exists() {
        return Err(Error::input("there is a league already").in_file(&path).into());
    }
    let mut seed = [0; 8];
    getrandom::fill(&mut seed).map_err(|error| Error::internal(format!("no random numbers: {error}")))?;
    let text = written(args, u64::from_le_bytes(seed) >> 1)?;
    LeagueConfig::parse(&text)?;
    fs::create_dir_all(&args.folder).map_err(|error| Error::writing(&args.folder, error))?;
    let mut file = NewFile::create(&path)?;
    file.write_all(text.as_bytes()).map_err(|error| file.failed(error))?;
    file.finish()?;
    League::open(&args.folder)?;
    let folder = quoted(&args.folder.to_string_lossy());
    print::text(&format!(
        "The league is in {}. Look at league.toml, and then:\n\n  ranka league add --league {folder} NAME FOLDER\n  \
         ranka league run --league {folder} --for 10m\n  ranka league site --league {folder} SITE\n",
        args.folder.display()
    ))
}

fn written(args: &Args, seed: u64) -> Result<String, Error> {
    let mut text = format!(
        "title = {}\n# All randomness follows from it: whoever knows it can compute the deals.\nseed = {seed}\n",
        toml::Value::String(args.title.clone())
    );
    for name in &args.game {
        let game = ranka_games::game(name)?;
        let _ = write!(
            text,
            "\n[[game]]\ngame = {:?}\nrules = \"\"\n# How many games each pairing plays.\ngames = 20\n",
            game.info().name
        );
    }
    text += "\n[limits]\n# Milliseconds to be ready and for an action; MiB of memory.\nstart = 10000\nmove = 5000\nmemory = 2048\n";
    text += "\n[ratings]\n# Somebody who never changes, so that ratings of different weeks can be compared.\nanchor = \"random\"\nrating = 1000\n";
    text += "\n[[entrant]]\nname = \"random\"\nagent = \"random\"\n";
    Ok(text)
}
