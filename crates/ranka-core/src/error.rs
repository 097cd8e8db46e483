//! The one error for bad input from outside.

use std::error::Error;
use std::fmt;

/// Bad input: names the input, the place and what was expected. Programs exit with code 2 on it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Error(String);

impl Error {
    /// An error with this message.
    pub fn new(message: impl Into<String>) -> Error {
        Error(message.into())
    }

    /// The same error, told with where it happened: `place: message`.
    pub fn at(self, place: impl fmt::Display) -> Error {
        Error(format!("{place}: {}", self.0))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for Error {}
