//! Printing results: text that is coloured only on a terminal, and JSON.

use crate::failure::Done;
use serde::Serialize;
use std::io::Write as _;

pub(crate) use ranka_lab::text::{Table, counted, signed, versioned};
pub(crate) use ranka_lab::words::{minus, number, percent};

/// Prints text for people. Colours are taken out where nobody sees them.
pub(crate) fn text(text: &str) -> Done {
    let mut out = anstream::stdout().lock();
    out.write_all(text.as_bytes())?;
    Ok(out.flush()?)
}

/// Prints a value for programs, on one line.
pub(crate) fn json(value: &impl Serialize) -> Done {
    let mut line = serde_json::to_string(value).expect("our results are made of text, numbers and lists");
    line.push('\n');
    text(&line)
}
