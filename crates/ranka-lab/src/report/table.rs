//! The table of an experiment as CSV: one line a row, with the reference figure and its origin.

use crate::experiment::{Findings, RoundRobinFinding, RowFinding};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// The columns that every table has, after its pairing's: name, type and what it tells.
const COLUMNS: [(&str, &str, &str); 15] = [
    ("label", "text", "what the row is called"),
    ("figure", "text", "the figure, as the experiment's file names it"),
    ("when", "text", "which games count, in words; empty if all"),
    ("games", "whole number", "how many games count"),
    ("reference", "number", "the figure that somebody else found"),
    ("reference.n", "whole number", "from how many games that comes, if it is known"),
    ("reference.origin", "text", "whose it is: `paper`, `independent solver` or `independent trial`"),
    ("reference.place", "text", "where it stands"),
    ("computed", "number", "the figure that was computed instead of sampled"),
    ("measured", "number", "the figure of these games"),
    ("low", "number", "the lower end of its 95 % interval"),
    ("high", "number", "the upper end"),
    ("p", "number", "how probable so large a difference from the reference is if there is none (Holm)"),
    (
        "verdict",
        "text",
        "`agrees`, `differs`, `too few games to tell`, or `—` where there is nothing to compare",
    ),
    ("games-to-tell", "whole number", "about how many games would tell"),
];

/// The columns of the standings of a round robin, before the scores against each.
const STANDINGS: [(&str, &str, &str); 10] = [
    ("place", "whole number", "from 1 on"),
    ("agent", "text", "what the agent is called"),
    ("points", "number", "its points: 3 for a win and 1 for a draw, unless said otherwise"),
    ("games", "whole number", "how many games it played"),
    ("won", "whole number", "how many it won alone"),
    ("drawn", "whole number", "how many were drawn or shared"),
    ("lost", "whole number", "how many it lost"),
    ("score", "number", "its mean score of a game"),
    ("rating", "number", "its rating in Elo, the mean being 0; empty in games of more than two"),
    ("rating.error", "number", "the standard error of that"),
];

/// Every column of a table, as Markdown.
pub fn dictionary() -> String {
    let mut out = String::from(
        "### Columns of tables\n\n`NAME-table.csv`: one row is one row of the experiment's table. Shares are from 0 to 1.\n\n\
         | column | | type | what |\n|---|---|---|---|\n\
         | `pairing` |  | text | what the pairing is called |\n\
         | `sweep.KEY` | for each key | number or text | the value that the sweep has here |\n\
         | `agent0.name` | for each agent | text | what the agent is called |\n",
    );
    for (name, kind, what) in COLUMNS {
        let _ = writeln!(out, "| `{name}` |  | {kind} | {what} |");
    }
    out.push_str(
        "\n### Columns of standings\n\n`NAME-table.csv` of a round robin without other rows, such as `ranka tournament --out` \
         writes.\n\n| column | | type | what |\n|---|---|---|---|\n",
    );
    for (name, kind, what) in STANDINGS {
        let _ = writeln!(out, "| `{name}` |  | {kind} | {what} |");
    }
    out.push_str("| `against.NAME` | for each agent | number | the mean score against that agent |\n");
    out
}

/// The table with a line of headings; the standings of a round robin that has no rows. Shares are from 0 to 1, and what
/// does not exist is empty.
pub(super) fn csv(findings: &Findings) -> Result<String, csv::Error> {
    if let Some(round_robin) = findings.round_robin.as_ref().filter(|_| findings.rows.is_empty()) {
        return standings(round_robin);
    }
    let keys: BTreeSet<&str> =
        findings.pairings.iter().flat_map(|pairing| pairing.sweep.keys()).map(String::as_str).collect();
    let agents = findings.pairings.iter().map(|pairing| pairing.agents.len()).max().unwrap_or(0);
    let mut headings = vec!["pairing".to_owned()];
    headings.extend(keys.iter().map(|key| format!("sweep.{key}")));
    headings.extend((0..agents).map(|agent| format!("agent{agent}.name")));
    headings.extend(COLUMNS.map(|(name, _, _)| name.to_owned()));
    let mut out = csv::Writer::from_writer(Vec::new());
    out.write_record(headings)?;
    for row in &findings.rows {
        let pairing = &findings.pairings[row.pairing];
        let mut cells = vec![pairing.name.clone()];
        cells.extend(
            keys.iter().map(|&key| pairing.sweep.get(key).map_or_else(String::new, ToString::to_string)),
        );
        cells.extend((0..agents).map(|agent| pairing.agents.get(agent).cloned().unwrap_or_default()));
        cells.extend(of_row(row));
        out.write_record(cells)?;
    }
    text(out)
}

fn text(out: csv::Writer<Vec<u8>>) -> Result<String, csv::Error> {
    let bytes = out.into_inner().map_err(|e| e.into_error())?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The standings of a round robin with the cross table, from the first to the last.
fn standings(round_robin: &RoundRobinFinding) -> Result<String, csv::Error> {
    let mut out = csv::Writer::from_writer(Vec::new());
    let against = round_robin.table.iter().map(|standing| format!("against.{}", standing.name));
    out.write_record(STANDINGS.map(|(name, _, _)| name.to_owned()).into_iter().chain(against))?;
    for (place, standing) in round_robin.table.iter().enumerate() {
        let [won, drawn, lost] = <[u64; 3]>::from(standing.results).map(|count| count.to_string());
        let rating = round_robin.ratings.get(place);
        let cells = [
            (place + 1).to_string(),
            standing.name.clone(),
            standing.points.to_string(),
            standing.games.to_string(),
            won,
            drawn,
            lost,
            (standing.score / standing.games.max(1) as f64).to_string(),
            number(rating.map(|rating| rating.elo)),
            number(rating.map(|rating| rating.simulated_error.max(rating.error))),
        ];
        let cross = round_robin.cross[place].iter().map(|score| number(*score));
        out.write_record(cells.into_iter().chain(cross))?;
    }
    text(out)
}

/// A number, or nothing where there is none.
fn number(x: Option<f64>) -> String {
    x.filter(|x| x.is_finite()).map_or_else(String::new, |x| x.to_string())
}

fn of_row(row: &RowFinding) -> [String; COLUMNS.len()] {
    let count = |n: Option<u64>| n.map_or_else(String::new, |n| n.to_string());
    let reference = row.reference.as_ref();
    let [low, high] = row.measured.interval;
    [
        row.label.clone(),
        row.figure.clone(),
        row.when.clone(),
        row.measured.n.to_string(),
        number(reference.map(|known| known.value)),
        count(reference.and_then(|known| known.n)),
        reference.map_or("", |known| known.origin.label()).to_owned(),
        reference.and_then(|known| known.place.clone()).unwrap_or_default(),
        number(row.computed),
        number(row.measured.value),
        number(Some(low)),
        number(Some(high)),
        number(row.p),
        row.verdict.words().to_owned(),
        count(row.games_to_tell),
    ]
}
