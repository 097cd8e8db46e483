//! The program `ranka`: a result on stdout, everything else on stderr, exit code 0 only when the work was
//! done, and otherwise one that tells whose trouble it is.

mod failure;
mod game_args;
mod interrupt;
mod lab_args;
mod play_args;
mod print;
mod terminal;
mod whereabouts;

mod commands;

use clap::Parser;
use clap::error::ErrorKind;
use commands::{Command, serve};
use failure::Failure;
use std::error::Error;
use std::num::{IntErrorKind, ParseFloatError, ParseIntError};
use std::process::ExitCode;

/// 爛柯 Ranka: a laboratory and arena for board-game AI
#[derive(Parser)]
#[command(name = "ranka", version, after_help = after_help(), arg_required_else_help = false)]
#[command(args_conflicts_with_subcommands = true)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    serve: serve::Args,
}

const EXAMPLES: &str = "\
Examples:
  ranka                                           the arena: play and experiment in the browser
  ranka games                                     what can be played
  ranka agents kalah                              who plays it, with which parameters
  ranka play kalah                                play in the terminal
  ranka match kalah random random --games 1000    who is stronger, and how sure is that
  ranka stats 1012 913 175                        what wins, losses and draws are worth
  ranka reproduce geister-2021 --quick            a paper's tables, its figures beside ours
  ranka perft kalah 6                             count action sequences

Agents are written name:key=value,key=value and rules key=value,key=value.
`ranka COMMAND --help` tells more and shows examples.";

fn after_help() -> String {
    format!("{EXAMPLES}\n\n{}", failure::exit_codes())
}

fn main() -> ExitCode {
    if let Ok(own) = std::env::current_exe() {
        ranka_bots::stdio::sandbox::set_launcher(own, &["bot", "confine"]);
    }
    let done = match Cli::try_parse() {
        Ok(Cli { command: Some(command), .. }) => command.run(),
        Ok(Cli { command: None, serve }) => serve::run(&serve),
        Err(usage) => return refuse(&usage),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

/// Says what is wrong with the command line in the same form as every other error. Help and version come
/// this way too.
fn refuse(usage: &clap::Error) -> ExitCode {
    if matches!(usage.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
        // Nobody is left to tell when even this cannot be printed.
        let _ = usage.print();
        return ExitCode::SUCCESS;
    }
    let mut text = usage.render().to_string();
    if let Some((parser, ours)) = usage.source().and_then(|source| Some((source, no_number(source)?))) {
        text = text.replacen(&format!(": {parser}"), &format!(": {ours}"), 1);
    }
    Failure::usage(text.strip_prefix("error: ").unwrap_or(&text).trim_end()).report()
}

/// What a parser of numbers found wrong, in words instead of its own.
fn no_number(source: &(dyn Error + 'static)) -> Option<&'static str> {
    if source.is::<ParseFloatError>() {
        return Some("expected a number");
    }
    Some(match source.downcast_ref::<ParseIntError>()?.kind() {
        IntErrorKind::PosOverflow => "the number is too large",
        IntErrorKind::NegOverflow => "the number is too small",
        IntErrorKind::Zero => "expected a whole number above 0",
        _ => "expected a whole number",
    })
}
