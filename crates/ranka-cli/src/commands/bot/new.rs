//! `ranka bot new`

use crate::failure::Done;
use crate::print;
use clap::ValueEnum;
use ranka_bots::stdio::quoted;
use ranka_bots::stdio::starters::{PYTHON, RUST};
use ranka_core::Error;
use ranka_lab::NewFile;
use std::fs;
use std::io::Write as _;
use std::path::PathBuf;

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ranka bot new python my-bot
  ranka bot new rust my-bot")]
pub(crate) struct Args {
    /// The language
    #[arg(value_enum)]
    language: Language,
    /// The folder to write it into
    folder: PathBuf,
}

#[derive(Clone, Copy, ValueEnum)]
enum Language {
    /// One file, of the standard library alone
    Python,
    /// A package without dependencies
    Rust,
}

pub(crate) fn run(args: &Args) -> Done {
    let files = match args.language {
        Language::Python => PYTHON,
        Language::Rust => RUST,
    };
    let folder = args.folder.display();
    if let Some((name, _)) = files.iter().find(|(name, _)| args.folder.join(name).exists()) {
        return Err(Error::input(format!("{folder}: there is a {name} already")).into());
    }
    for (name, content) in files {
        let place = args.folder.join(name);
        let parent = place.parent().unwrap_or(&args.folder);
        fs::create_dir_all(parent).map_err(|error| Error::writing(parent, error))?;
        let mut file = NewFile::create(&place)?;
        file.write_all(content.as_bytes()).map_err(|error| file.failed(error))?;
        file.finish()?;
    }
    let (build, command) = match args.language {
        Language::Python => (String::new(), format!("python3 {}", quoted(&format!("{folder}/bot.py")))),
        Language::Rust => {
            let manifest = quoted(&format!("{folder}/Cargo.toml"));
            let build = format!("  cargo build --release --manifest-path {manifest}\n");
            (build, quoted(&format!("{folder}/target/release/my-bot")))
        }
    };
    // Quoted for the agent's parameters first, then all of it for the shell.
    let agent = format!("bot:cmd=\"{}\"", command.replace('\\', r"\\").replace('"', "\\\""));
    print::text(&format!(
        "A bot that plays at random is in {folder}. Try:\n\n{build}  ranka bot check {}\n  \
         ranka match kalah {} random --games 20\n",
        quoted(&command),
        quoted(&agent)
    ))
}
