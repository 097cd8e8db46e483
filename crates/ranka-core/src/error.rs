//! The one error of the project: a kind that says whose trouble it is, and a message for people.

use std::fmt;
use std::io;
use std::path::Path;

/// Whose trouble an error is. Exit codes and the web's status codes follow from it, and nothing else does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// What was given makes no sense: a position, an agent, a file, an option.
    Input,
    /// What was asked for does not exist.
    NotFound,
    /// Somebody else holds what is needed, or too much is asked for at once.
    Busy,
    /// A file or the store cannot be read or written.
    Storage,
    /// A program that is not ours failed: a bot, a server of a community.
    Outside,
    /// Our own mistake.
    Internal,
}

impl ErrorKind {
    /// All kinds.
    pub const ALL: [ErrorKind; 6] = [
        ErrorKind::Input,
        ErrorKind::NotFound,
        ErrorKind::Busy,
        ErrorKind::Storage,
        ErrorKind::Outside,
        ErrorKind::Internal,
    ];

    /// The exit code of a program that ends by it.
    pub const fn exit_code(self) -> u8 {
        match self {
            ErrorKind::Internal => 1,
            ErrorKind::Input => 2,
            ErrorKind::Outside => 3,
            ErrorKind::NotFound => 4,
            ErrorKind::Storage => 5,
            ErrorKind::Busy => 6,
        }
    }

    /// The status code of a web page that ends by it.
    pub const fn http_status(self) -> u16 {
        match self {
            ErrorKind::Input => 400,
            ErrorKind::NotFound => 404,
            ErrorKind::Internal | ErrorKind::Storage => 500,
            ErrorKind::Outside => 502,
            ErrorKind::Busy => 503,
        }
    }

    /// What it means, in a few words.
    pub const fn meaning(self) -> &'static str {
        match self {
            ErrorKind::Input => "the input makes no sense",
            ErrorKind::NotFound => "there is no such thing",
            ErrorKind::Busy => "somebody else is using it",
            ErrorKind::Storage => "a file or the store cannot be read or written",
            ErrorKind::Outside => "a program outside failed",
            ErrorKind::Internal => "a mistake of ours",
        }
    }
}

/// What went wrong: names the input, the place and what was expected.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Error {
    kind: ErrorKind,
    message: String,
    /// Where on this machine it happened: for whoever runs the program, not for its visitors.
    path: Option<String>,
}

impl Error {
    /// An error of this kind.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Error {
        Error { kind, message: message.into(), path: None }
    }

    /// Bad input.
    pub fn input(message: impl Into<String>) -> Error {
        Error::new(ErrorKind::Input, message)
    }

    /// Something that does not exist.
    pub fn not_found(message: impl Into<String>) -> Error {
        Error::new(ErrorKind::NotFound, message)
    }

    /// Something that somebody else holds.
    pub fn busy(message: impl Into<String>) -> Error {
        Error::new(ErrorKind::Busy, message)
    }

    /// A file that cannot be read or written.
    pub fn storage(path: impl AsRef<Path>, message: impl fmt::Display) -> Error {
        Error::new(ErrorKind::Storage, message.to_string()).in_file(path)
    }

    /// A file that could not be read. What is in it is its writer's affair, so text that is none is bad input.
    pub fn reading(path: impl AsRef<Path>, error: &io::Error) -> Error {
        match error.kind() {
            io::ErrorKind::InvalidData => Error::input(format!("it is not text: {error}")).in_file(path),
            _ => Error::storage(path, format_args!("it cannot be read: {error}")),
        }
    }

    /// A file that could not be written.
    pub fn writing(path: impl AsRef<Path>, error: impl fmt::Display) -> Error {
        Error::storage(path, format_args!("it cannot be written: {error}"))
    }

    /// A program outside that failed.
    pub fn outside(message: impl Into<String>) -> Error {
        Error::new(ErrorKind::Outside, message)
    }

    /// A mistake of ours.
    pub fn internal(message: impl Into<String>) -> Error {
        Error::new(ErrorKind::Internal, message)
    }

    /// Whose trouble it is.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// The same error in what a program outside has said: what would be bad input is its failure then.
    pub fn from_outside(mut self) -> Error {
        if self.kind == ErrorKind::Input {
            self.kind = ErrorKind::Outside;
        }
        self
    }

    /// The same error, told with where it happened: `place: message`.
    pub fn at(mut self, place: impl fmt::Display) -> Error {
        self.message = format!("{place}: {}", self.message);
        self
    }

    /// The same error in a file of this machine, which only whoever runs the program is told.
    pub fn in_file(mut self, path: impl AsRef<Path>) -> Error {
        self.path = Some(path.as_ref().display().to_string());
        self
    }

    /// The file that it is about, if it is about one.
    pub fn file(&self) -> Option<&Path> {
        self.path.as_deref().map(Path::new)
    }

    /// What a visitor from another machine may read: nothing of where files lie here.
    pub fn public(&self) -> &str {
        &self.message
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(path) = &self.path {
            write!(f, "{path}: ")?;
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_visitor_is_not_told_where_files_lie() {
        let error = Error::storage("/home/me/ranka.sqlite", "no space left").at("keeping a game");
        assert_eq!(error.to_string(), "/home/me/ranka.sqlite: keeping a game: no space left");
        assert_eq!(error.public(), "keeping a game: no space left");
        assert_eq!(error.kind(), ErrorKind::Storage);
    }

    #[test]
    fn a_file_that_is_there_but_wrong_is_input_and_one_that_is_not_there_is_storage() {
        let folder = tempfile::tempdir().unwrap();
        let read = |name: &str| {
            let path = folder.path().join(name);
            std::fs::read_to_string(&path).map_err(|e| Error::reading(path, &e)).unwrap_err()
        };
        std::fs::write(folder.path().join("binary"), [0xff, 0xfe]).unwrap();
        assert_eq!(read("binary").kind(), ErrorKind::Input);
        let absent = read("absent");
        assert_eq!(absent.kind(), ErrorKind::Storage);
        assert!(absent.public().starts_with("it cannot be read: "), "{absent}");
        assert!(absent.to_string().contains("absent: it cannot"), "{absent}");
    }

    #[test]
    fn every_kind_has_an_exit_code_of_its_own() {
        let mut codes: Vec<u8> = ErrorKind::ALL.map(ErrorKind::exit_code).to_vec();
        codes.sort_unstable();
        assert_eq!(codes, [1, 2, 3, 4, 5, 6]);
        assert_eq!(ErrorKind::Input.exit_code(), 2);
    }
}
