//! Why the program ends early, and with which exit code: [`ErrorKind::exit_code`](ranka_core::ErrorKind::exit_code) says it
//! for errors, and here stands what is no error.

use crate::print;
use ranka_core::{Error, ErrorKind};
use ranka_lab::Ruling;
use std::io;
use std::process::ExitCode;

/// The ways not to finish.
pub(crate) enum Failure {
    /// An error: told on stderr, with the exit code of its kind.
    Error(Error),
    /// The work was done, and a sequential test did not accept H1: quiet, with an exit code of its own.
    Ruling(Ruling),
    /// Ctrl-C ended it: told on stderr, the exit code of an interrupted program.
    Interrupted(String),
    /// Whoever read our output has read enough: quiet, and no failure.
    NobodyListens,
}

pub(crate) type Done = Result<(), Failure>;

/// The exit code of a sequential test that accepted H0.
const H0_ACCEPTED: u8 = 10;
/// The exit code of a sequential test that played all its games and decided nothing.
const UNDECIDED: u8 = 11;

impl Failure {
    /// A command line that makes no sense.
    pub(crate) fn usage(message: &str) -> Failure {
        Failure::Error(Error::input(message))
    }

    /// Tells the person, and answers with the exit code.
    pub(crate) fn report(&self) -> ExitCode {
        match self {
            Failure::Error(error) => {
                print::note!("ranka: {error}");
                ExitCode::from(error.kind().exit_code())
            }
            Failure::Ruling(Ruling::H1) => ExitCode::SUCCESS,
            Failure::Ruling(Ruling::H0) => ExitCode::from(H0_ACCEPTED),
            Failure::Ruling(Ruling::Undecided) => ExitCode::from(UNDECIDED),
            Failure::Interrupted(message) => {
                print::note!("ranka: {message}");
                ExitCode::from(crate::interrupt::EXIT_CODE)
            }
            Failure::NobodyListens => ExitCode::SUCCESS,
        }
    }
}

/// All exit codes with what they mean, for `--help`.
pub(crate) fn exit_codes() -> String {
    let mut codes = vec![
        (0, "the work was done"),
        (H0_ACCEPTED, "ranka sprt accepted H0"),
        (UNDECIDED, "ranka sprt could not decide"),
        (crate::interrupt::EXIT_CODE, "Ctrl-C; games that a store keeps are kept"),
    ];
    codes.extend(ErrorKind::ALL.map(|kind| (kind.exit_code(), kind.meaning())));
    codes.sort_unstable();
    let lines: Vec<String> = codes.iter().map(|(code, meaning)| format!("  {code:<4} {meaning}")).collect();
    format!("Exit codes:\n{}", lines.join("\n"))
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure::Error(error)
    }
}

/// All reading and writing that is not of a named file is of stdin and stdout.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::NobodyListens,
            _ => Failure::Error(Error::storage("standard input or output", error)),
        }
    }
}
