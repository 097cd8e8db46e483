//! Perft counts in text files, so that a new case needs no code.

use crate::battery::open;
use ranka_core::{Notation, Rng, Seed, perft};
use std::path::Path;

/// Checks every line of a file of counts:
///
/// ```text
/// # rules | position | counts for depth 1, 2, …
/// size=4,draw=on | start | 4 12 36
/// ```
///
/// `start` is the start dealt from seed 0, as `ranka perft` takes it. Blank lines and lines that begin with
/// `#` are skipped. A path is relative to the folder of the crate that is tested.
///
/// # Panics
/// If a count is wrong, a line cannot be read, or there is nothing to check.
pub fn check_perft_file<G: Notation>(path: impl AsRef<Path>) {
    let path = path.as_ref();
    let text = std::fs::read_to_string(path)
        .unwrap_or_else(|error| panic!("{} cannot be read: {error}", path.display()));
    let lines = text.lines().enumerate().map(|(i, line)| (i + 1, line.trim()));
    let mut checked = 0;
    for (number, line) in lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#')) {
        checked += check_line::<G>(line)
            .unwrap_or_else(|problem| panic!("{}, line {number}, {line:?}: {problem}", path.display()));
    }
    assert!(checked > 0, "{} has no counts", path.display());
}

/// Checks one line and tells how many counts it had.
fn check_line<G: Notation>(line: &str) -> Result<usize, String> {
    let form = "expected: rules | position or start | counts";
    // A position's notation may have bars of its own.
    let (rules, rest) = line.split_once('|').ok_or(form)?;
    let (position, counts) = rest.rsplit_once('|').ok_or(form)?;
    let (game, _) = open::<G>(rules.trim());
    let state = match position.trim() {
        "start" => game.start(&mut Rng::new(Seed::new(0))),
        text => game.read_state(text).map_err(|error| error.to_string())?,
    };
    let mut depth = 0;
    for count in counts.split_whitespace() {
        depth += 1;
        let expected: u64 = count.parse().map_err(|_| format!("{count:?} is no count"))?;
        let found = perft(&state, depth);
        if found != expected {
            return Err(format!("depth {depth} counts {found}, not {expected}"));
        }
    }
    if depth == 0 { Err(form.to_owned()) } else { Ok(depth as usize) }
}
