//! Text for positions, views and actions, and a scanner that knows where it is.

use crate::{Actor, Error, Game, Position, Seat};
use std::fmt;

/// One-line text for everything of a game: what is written can be read back, and gives the same again.
pub trait Notation: Game {
    /// The state on one line.
    fn write_state(&self, state: &Self::State) -> String;

    /// Reads a state; only one that the rules allow is accepted.
    fn read_state(&self, text: &str) -> Result<Self::State, NotationError>;

    /// What `seat` sees on one line: the state's notation with what it may not know left open.
    fn write_view(&self, view: &Self::View, seat: Seat) -> String;

    /// Reads what `seat` sees. A full state is no view unless nothing is hidden in it.
    fn read_view(&self, text: &str, seat: Seat) -> Result<Self::View, NotationError>;

    /// The action in one word.
    fn write_action(&self, action: Self::Action) -> String;

    /// Reads an action; whether it is legal is for a position to say.
    fn read_action(&self, text: &str) -> Result<Self::Action, NotationError>;

    /// The forms that actions of a seat have, each as an example with what it does: all that a person may type.
    fn action_forms(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// Why an action that is not legal for the seat to act is not, in words that name the rule. Only what that
    /// seat sees may enter.
    fn why_illegal(&self, view: &Self::View, action: Self::Action) -> String {
        let _ = (view, action);
        "it is not among the legal actions".to_owned()
    }

    /// Why an action is not legal in `state`, in words fit for whoever is to act.
    fn refusal(&self, state: &Self::State, action: Self::Action) -> String {
        match state.actor() {
            Actor::Over => "the game is over".to_owned(),
            Actor::Chance => "chance is to act, and this is none of its outcomes".to_owned(),
            Actor::Seat(seat) => self.why_illegal(&self.view(state, seat), action),
        }
    }
}

/// What is wrong with a text, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotationError {
    /// The text that was read.
    pub text: String,
    /// The character at which it goes wrong, counted from 1.
    pub column: usize,
    /// What is wrong.
    pub problem: String,
}

impl fmt::Display for NotationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // An endless line must not make an endless message.
        let mut shown: String = self.text.chars().take(120).collect();
        if shown.len() < self.text.len() {
            shown.push('…');
        }
        write!(f, "{shown:?}, column {}: {}", self.column, self.problem)
    }
}

impl std::error::Error for NotationError {}

impl From<NotationError> for Error {
    fn from(error: NotationError) -> Error {
        Error::input(error.to_string())
    }
}

/// Reads a line from left to right and says where it goes wrong.
#[derive(Clone, Debug)]
pub struct Scanner<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Scanner<'a> {
    /// Starts at the beginning of `text`.
    pub fn new(text: &'a str) -> Scanner<'a> {
        Scanner { text, at: 0 }
    }

    /// What has not been read yet.
    pub fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// The next character, not yet read.
    pub fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// The place reached, to come back to with [`error_at`](Scanner::error_at).
    pub fn place(&self) -> usize {
        self.at
    }

    /// An error at the present place.
    pub fn error(&self, problem: impl Into<String>) -> NotationError {
        self.error_at(self.at, problem)
    }

    /// An error at an earlier place.
    pub fn error_at(&self, place: usize, problem: impl Into<String>) -> NotationError {
        let column = self.text[..place].chars().count() + 1;
        NotationError { text: self.text.to_owned(), column, problem: problem.into() }
    }

    /// Reads `token` if it comes next.
    pub fn accept(&mut self, token: &str) -> bool {
        let found = self.rest().starts_with(token);
        if found {
            self.at += token.len();
        }
        found
    }

    /// Reads `token`, which must come next.
    pub fn expect(&mut self, token: &str) -> Result<(), NotationError> {
        if self.accept(token) {
            Ok(())
        } else {
            Err(self.error(format!("expected {token:?}, {}", self.found())))
        }
    }

    /// Reads a number without sign from `min..=max`; `what` names it in errors.
    pub fn number(&mut self, what: &str, min: u32, max: u32) -> Result<u32, NotationError> {
        let digits = self.take_while(|c| c.is_ascii_digit());
        let start = self.at - digits.len();
        if digits.is_empty() {
            return Err(self.error(format!("expected {what}, a number {min} to {max}, {}", self.found())));
        }
        if digits.len() > 1 && digits.starts_with('0') {
            return Err(self.error_at(start, format!("{what} is {digits}: no leading zeros")));
        }
        match digits.parse() {
            Ok(n) if (min..=max).contains(&n) => Ok(n),
            _ => Err(self.error_at(start, format!("{what} is {digits}, not in {min} to {max}"))),
        }
    }

    /// Reads as long as `keep` says so.
    pub fn take_while(&mut self, keep: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let end = rest.find(|c| !keep(c)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    /// Everything must have been read.
    pub fn end(&self) -> Result<(), NotationError> {
        if self.rest().is_empty() {
            Ok(())
        } else {
            Err(self.error(format!("expected the end, {}", self.found())))
        }
    }

    fn found(&self) -> String {
        match self.peek() {
            Some(c) => format!("found {c:?}"),
            None => "found the end".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_the_column_in_characters() {
        let mut scan = Scanner::new("é<12,x>");
        assert!(scan.accept("é"));
        scan.expect("<").unwrap();
        assert_eq!(scan.number("a store", 0, 99), Ok(12));
        scan.expect(",").unwrap();
        let error = scan.number("house 1", 0, 99).unwrap_err();
        assert_eq!(
            (error.column, error.problem.as_str()),
            (6, "expected house 1, a number 0 to 99, found 'x'")
        );
        assert_eq!(error.to_string(), "\"é<12,x>\", column 6: expected house 1, a number 0 to 99, found 'x'");
    }

    #[test]
    fn numbers_beyond_any_size_are_refused() {
        let mut scan = Scanner::new("99999999999999999999");
        assert_eq!(scan.number("n", 0, 9).unwrap_err().column, 1);
        assert!(Scanner::new("07").number("n", 0, 9).is_err());
    }
}
