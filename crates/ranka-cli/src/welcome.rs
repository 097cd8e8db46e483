//! What one sees who types `ranka` and nothing else.

use crate::failure::Done;
use crate::print;
use owo_colors::OwoColorize;

/// Greets, and tells what to try.
pub(crate) fn run() -> Done {
    let mut out = format!(
        "{}: a laboratory and arena for board-game AI.\n\
         Games that are hard in different ways, agents that play them, and matches with error bars.\n\nThings to try:\n",
        "爛柯 Ranka".bold()
    );
    let mut table = print::Table::plain();
    for (command, what) in [
        ("ranka games", "what can be played"),
        ("ranka agents kalah", "who plays it, with which parameters"),
        ("ranka play kalah", "play in the terminal"),
        ("ranka match kalah minimax random --games 200", "who is stronger, and how sure is that"),
        (
            "ranka match kalah minimax random --rules houses=3,seeds=3 --exact",
            "the same computed, on a small board",
        ),
        ("ranka reproduce kalah --quick", "a paper's tables, published beside measured"),
        ("ranka stats 1012 913 175", "what wins, losses and draws are worth"),
        ("ranka analyse kalah start", "what an agent thinks of a position"),
        ("ranka solve kalah --rules houses=4,seeds=3", "perfect play"),
        ("ranka perft kalah 6", "count action sequences"),
        ("ranka --help", "everything else"),
    ] {
        table.row([command.cyan().to_string(), what.to_owned()]);
    }
    out += &table.render("  ");
    print::text(&out)
}
