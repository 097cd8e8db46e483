//! Results as text for a terminal: coloured, so that whoever prints it elsewhere takes the colours out ([`plain`]).

mod findings;
mod played;

use crate::AgentFaults;
use crate::papers::{Listed, Paper};
use anstream::adapter::strip_str;
use owo_colors::OwoColorize;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use unicode_width::UnicodeWidthStr;

pub use findings::{TableForm, findings};
pub use played::{match_result, sequential, versioned};

/// Text without its colours.
pub fn plain(text: &str) -> String {
    strip_str(text).to_string()
}

/// What stands above the experiments of a paper.
pub fn heading(paper: &Paper) -> String {
    format!("{}\n{}\n\n", paper.title.bold().underline(), paper.source)
}

/// Experiments in a list.
pub fn listed(experiments: &[Listed]) -> String {
    let mut table = TextTable::headed(["experiment", "title", "quick", "paper", "full"]).right(2..5);
    for Listed { name, title, games } in experiments {
        let counts = [games.quick, games.paper, games.full].map(|games| games.to_string());
        table.row([name.clone(), title.clone()].into_iter().chain(counts));
    }
    table.render("")
}

/// So many of something.
pub fn counted(n: u64, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

/// How many games were played before, so that nobody takes yesterday's result for today's; nothing if none was.
pub fn from_store((had, games): (u64, u64)) -> String {
    if had == 0 { String::new() } else { format!("{had} of {} from the store.\n", counted(games, "game")) }
}

/// Which games each agent lost by its own fault; nothing where all went well.
pub fn faults(agents: &[AgentFaults]) -> String {
    if agents.is_empty() {
        return String::new();
    }
    let reasons: BTreeSet<&str> = agents.iter().flat_map(|agent| agent.faults.keys()).copied().collect();
    let headings = std::iter::once("lost by its own fault").chain(reasons.iter().copied());
    let mut table = TextTable::headed(headings.chain(["of games"])).right(1..reasons.len() + 2);
    for AgentFaults { agent, games, faults, .. } in agents {
        let counts = reasons.iter().map(|reason| faults.get(reason).copied().unwrap_or(0));
        let numbers = counts.chain([*games]).map(|games| games.to_string());
        table.row(std::iter::once(agent.clone()).chain(numbers));
    }
    table.render("")
}

/// A difference with its sign and so many decimals, which may be infinite.
pub fn signed(number: f64, decimals: usize) -> String {
    match number {
        f64::INFINITY => "+∞".to_owned(),
        f64::NEG_INFINITY => "−∞".to_owned(),
        _ if format!("{number:.decimals$}").parse() == Ok(0.0) => format!("+{:.decimals$}", 0.0),
        _ => format!("{number:+.decimals$}").replace('-', "−"),
    }
}

/// A small table whose columns are as wide as they need to be.
pub struct TextTable {
    rows: Vec<Vec<String>>,
    right: Vec<usize>,
    headed: bool,
}

impl TextTable {
    /// A table under these headings.
    pub fn headed<'a>(headings: impl IntoIterator<Item = &'a str>) -> TextTable {
        TextTable {
            rows: vec![headings.into_iter().map(str::to_owned).collect()],
            right: Vec::new(),
            headed: true,
        }
    }

    /// A table without headings.
    pub fn plain() -> TextTable {
        TextTable { rows: Vec::new(), right: Vec::new(), headed: false }
    }

    /// Sets these columns flush right, as numbers are.
    pub fn right(mut self, columns: impl IntoIterator<Item = usize>) -> TextTable {
        self.right.extend(columns);
        self
    }

    /// Adds a row.
    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }

    /// The table as text, each line indented by `indent`.
    pub fn render(&self, indent: &str) -> String {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let cells_of = |c: usize| self.rows.iter().filter_map(move |row| row.get(c));
        let widths: Vec<usize> =
            (0..columns).map(|c| cells_of(c).map(|s| width(s)).max().unwrap_or(0)).collect();
        let mut out = String::new();
        for (i, row) in self.rows.iter().enumerate() {
            let mut line = String::new();
            for (c, cell) in row.iter().enumerate() {
                let gap = " ".repeat(widths[c] - width(cell));
                let between = if c == 0 { "" } else { "  " };
                let (before, after) =
                    if self.right.contains(&c) { (gap.as_str(), "") } else { ("", gap.as_str()) };
                let _ = write!(line, "{between}{before}{cell}{after}");
            }
            let line = line.trim_end();
            let _ = if self.headed && i == 0 {
                writeln!(out, "{indent}{}", line.bold())
            } else {
                writeln!(out, "{indent}{line}")
            };
        }
        out
    }
}

/// Text in lines of at most a hundred columns.
pub fn wrapped(text: &str) -> String {
    let mut lines: Vec<String> = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last_mut().expect("there is always a line");
        if !line.is_empty() && width(line) + 1 + width(word) > 100 {
            lines.push(word.to_owned());
        } else {
            let between = if line.is_empty() { "" } else { " " };
            line.push_str(between);
            line.push_str(word);
        }
    }
    lines.join("\n")
}

/// How many columns of a terminal a text takes.
fn width(text: &str) -> usize {
    plain(text).width()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_have_signs() {
        let found = [(16.44, 1), (-16.5, 0), (-0.04, 1), (0.0, 0), (-0.06, 1)].map(|(x, n)| signed(x, n));
        assert_eq!(found, ["+16.4", "−16", "+0.0", "+0", "−0.1"]);
        assert_eq!([f64::INFINITY, f64::NEG_INFINITY].map(|x| signed(x, 0)), ["+∞", "−∞"]);
    }

    #[test]
    fn columns_line_up_even_with_wide_characters() {
        let mut table = TextTable::plain().right([1]);
        table.row(["カラハ".into(), "2".into(), "x".into()]);
        table.row(["a".into(), "10".into(), "±y".into()]);
        assert_eq!(table.render("  "), "  カラハ   2  x\n  a       10  ±y\n");
    }
}
