//! Printing results: text that is coloured only on a terminal, and JSON.

use crate::failure::Done;
use crate::terminal;
use serde::Serialize;
use std::fmt;
use std::io::Write as _;

pub(crate) use ranka_lab::text::{Table, counted, signed, versioned};
pub(crate) use ranka_lab::words::{minus, number, percent};

/// Prints text for people. Colours are taken out where nobody sees them.
pub(crate) fn text(text: &str) -> Done {
    let mut out = terminal::stdout();
    out.write_all(text.as_bytes())?;
    Ok(out.flush()?)
}

/// Says a line on stderr. When even that cannot be printed, nobody is left to tell.
pub(crate) fn stderr_line(line: fmt::Arguments<'_>) {
    let _ = writeln!(terminal::stderr(), "{line}");
}

/// Says a line on stderr, written as for `format!`.
macro_rules! note {
    ($($line:tt)*) => { $crate::print::stderr_line(format_args!($($line)*)) };
}
pub(crate) use note;

/// Prints a value for programs, on one line.
pub(crate) fn json(value: &impl Serialize) -> Done {
    let mut line = serde_json::to_string(value).expect("our results are made of text, numbers and lists");
    line.push('\n');
    text(&line)
}
