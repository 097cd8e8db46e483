//! What `moves` and `step` share: lines in, one line out for each, and bad ones do not stop it.

use crate::failure::{Done, Failure};
use ranka_core::{Error, LONG_LINE, Lines, Situation, printable};
use serde_json::json;
use std::io::{self, BufReader, BufWriter, Write};

/// Answers every line of stdin on stdout: with what `text` writes of the answer, or with JSON.
pub(crate) fn run(
    as_json: bool,
    answer: impl Fn(&str) -> Result<Situation, Error>,
    text: impl Fn(&Situation, &mut dyn Write) -> io::Result<()>,
) -> Done {
    let input = BufReader::with_capacity(1 << 16, io::stdin().lock());
    let mut input = Lines::new(input, "standard input", LONG_LINE);
    let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let (mut lines, mut bad) = (0u64, 0u64);
    loop {
        // About to wait for more: whoever feeds us may be waiting for our answer.
        if input.input().buffer().is_empty() {
            out.flush()?;
        }
        let Some(line) = input.read()? else { break };
        lines += 1;
        let read = str::from_utf8(line).map_err(|e| Error::input(format!("the line is not UTF-8: {e}")));
        let answered = read.and_then(&answer);
        bad += u64::from(answered.is_err());
        match (&answered, as_json) {
            (Ok(situation), false) => text(situation, &mut out)?,
            (Ok(situation), true) => serde_json::to_writer(&mut out, situation).map_err(io::Error::from)?,
            (Err(error), false) => {
                let error: String = error.to_string().chars().flat_map(printable).collect();
                write!(out, "error: {error}")?;
            }
            (Err(error), true) => write!(out, "{}", json!({ "error": error.to_string() }))?,
        }
        out.write_all(b"\n")?;
    }
    out.flush()?;
    if bad == 0 {
        return Ok(());
    }
    Err(Failure::usage(&format!(
        "{bad} of {lines} lines could not be answered; see the `error` in their places"
    )))
}

/// Writes actions separated by spaces.
pub(crate) fn write_actions(actions: &[String], out: &mut dyn Write) -> io::Result<()> {
    for (i, action) in actions.iter().enumerate() {
        if i > 0 {
            out.write_all(b" ")?;
        }
        out.write_all(action.as_bytes())?;
    }
    Ok(())
}
