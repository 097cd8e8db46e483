//! Printing results: text that is coloured only on a terminal, and JSON.

use crate::failure::Done;
use crate::terminal;
use ranka_core::printable;
use serde::Serialize;
use std::fmt;
use std::io::Write as _;

pub(crate) use ranka_lab::text::{TextTable, counted, signed, versioned};
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
    text(&json_line(value))
}

/// A value as a line of JSON. What would do something to a terminal is escaped in JSON's own way, so that it stays JSON.
pub(crate) fn json_line(value: &impl Serialize) -> String {
    let line = serde_json::to_string(value).expect("our results are made of text, numbers and lists");
    let mut out = String::with_capacity(line.len() + 1);
    for c in line.chars() {
        match printable(c).eq([c]) {
            true => out.push(c),
            // All of these have no more than four digits.
            false => out.push_str(&format!("\\u{:04x}", u32::from(c))),
        }
    }
    out.push('\n');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_stays_json_whatever_is_in_it() {
        let said = "a\u{202e}b \u{1b}[2J \u{7f}\u{9b} 爛柯 \\ \" \n";
        let line = json_line(&said);
        assert!(line.trim_end().chars().all(|c| printable(c).eq([c])), "{line}");
        assert_eq!(serde_json::from_str::<String>(&line).unwrap(), said);
    }
}
