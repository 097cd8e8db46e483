//! Why the program ends early, and with which exit code.

use ranka_core::Error;
use std::io;
use std::process::ExitCode;

/// The ways not to finish.
pub(crate) enum Failure {
    /// Bad input, or output that cannot be written: told on stderr, exit code 2.
    Input(String),
    /// Neither is to blame, but the work could not be done: told on stderr, exit code 1.
    Work(String),
    /// Ctrl-C ended it: told on stderr, the exit code of an interrupted program.
    Interrupted(String),
    /// Whoever read our output has read enough: quiet, and no failure.
    NobodyListens,
}

pub(crate) type Done = Result<(), Failure>;

impl Failure {
    /// A command line that makes no sense.
    pub(crate) fn usage(message: &str) -> Failure {
        Failure::Input(message.to_owned())
    }

    /// Tells the person, and answers with the exit code.
    pub(crate) fn report(&self) -> ExitCode {
        match self {
            Failure::Input(message) => {
                anstream::eprintln!("ranka: {message}");
                ExitCode::from(2)
            }
            Failure::Work(message) => {
                anstream::eprintln!("ranka: {message}");
                ExitCode::FAILURE
            }
            Failure::Interrupted(message) => {
                anstream::eprintln!("ranka: {message}");
                ExitCode::from(crate::interrupt::EXIT_CODE)
            }
            Failure::NobodyListens => ExitCode::SUCCESS,
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure::Input(error.to_string())
    }
}

/// All reading and writing that is not of a named file is of stdin and stdout.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::NobodyListens,
            _ => Failure::Input(format!("standard input or output: {error}")),
        }
    }
}
