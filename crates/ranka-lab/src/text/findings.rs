//! What an experiment found, as text for the terminal.

use super::{TextTable, faults, from_store, signed, wrapped};
use crate::experiment::{Findings, RoundRobinFinding, RowFinding, TestFinding, Verdict};
use crate::stats::Warning;
use crate::words::{
    GAMES_TO_TELL, about, all_alike, figure, interval, number, percent, points, probability, reference_test,
    statistic,
};
use crate::{COMPACT, Compact, LONG, Origins};
use owo_colors::OwoColorize;
use ranka_core::{Error, unknown};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// The form of a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TableForm {
    /// Compact if it is long.
    #[default]
    Auto,
    /// A line for each figure of each pairing.
    Full,
    /// A line for each pairing.
    Compact,
}

impl TableForm {
    /// Reads its name, as on the command line.
    pub fn parse(name: &str) -> Result<TableForm, Error> {
        match name {
            "auto" => Ok(TableForm::Auto),
            "full" => Ok(TableForm::Full),
            "compact" => Ok(TableForm::Compact),
            other => Err(Error::input(unknown("form of a table", other, &["auto", "full", "compact"]))),
        }
    }

    fn is_compact(self, rows: usize) -> bool {
        match self {
            TableForm::Auto => rows > LONG,
            TableForm::Full => false,
            TableForm::Compact => true,
        }
    }
}

/// The whole of it.
pub fn findings(findings: &Findings, form: TableForm) -> String {
    let mut out = String::new();
    let place = findings.place.as_ref().map_or_else(String::new, |place| format!(" ({place})"));
    let _ = writeln!(out, "{}{place}  {}", findings.title.bold(), findings.name.dimmed());
    let _ = writeln!(out, "{}\n", wrapped(&findings.question));
    for part in [
        rows(&findings.rows, form),
        round_robin(findings.round_robin.as_ref()),
        tests(&findings.tests),
        positions(findings),
        faults(&findings.faults),
        footing(findings),
    ] {
        if !part.is_empty() {
            let _ = writeln!(out, "{part}");
        }
    }
    for (label, agent) in &findings.named {
        let _ = writeln!(out, "{label}: {agent}");
    }
    out += &from_store(findings.from_store);
    if let Some(note) = &findings.note {
        let _ = writeln!(out, "{}\n", wrapped(&format!("Note: {note}")));
    }
    out
}

fn verdict(verdict: Verdict) -> String {
    match verdict {
        Verdict::Agrees => verdict.words().green().to_string(),
        Verdict::Differs => verdict.words().red().bold().to_string(),
        Verdict::TooFew => verdict.words().yellow().to_string(),
        Verdict::New => verdict.words().to_owned(),
    }
}

fn rows(rows: &[RowFinding], form: TableForm) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let mut out = if form.is_compact(rows.len()) { compact(rows) } else { full(rows) };
    let count = |which| rows.iter().filter(|row| row.verdict == which).count();
    let (agree, differ, few) = (count(Verdict::Agrees), count(Verdict::Differs), count(Verdict::TooFew));
    if agree + differ + few > 0 {
        let _ = writeln!(
            out,
            "\n{agree} agree, {differ} differ, {few} have too few games to tell (tested together, Holm, at 5 %)."
        );
    }
    if form.is_compact(rows.len()) {
        let more = if form == TableForm::Auto { " --table full shows every row." } else { "" };
        let _ = writeln!(out, "{}", wrapped(&format!("{COMPACT}{more}")));
    } else if rows.iter().any(|row| row.games_to_tell.is_some()) {
        let _ = writeln!(out, "{}", wrapped(GAMES_TO_TELL));
    }
    out
}

/// A line for each pairing.
fn compact(rows: &[RowFinding]) -> String {
    let Compact { columns, lines } = Compact::of(rows);
    let mut headings = vec!["", "games"];
    headings.extend(columns.iter().map(|column| column.heading.as_str()));
    let mut table = TextTable::headed(headings.iter().copied()).right([1]);
    for line in lines {
        let mut cells = vec![line.label, line.games.to_string()];
        cells.extend(line.cells.iter().zip(&columns).map(|(cell, column)| match cell {
            None => String::new(),
            Some(row) => format!("{} {}", column.cell(row), marked(row.verdict)),
        }));
        table.row(cells);
    }
    table.render("")
}

fn marked(verdict: Verdict) -> String {
    match verdict {
        Verdict::Agrees => verdict.mark().green().to_string(),
        Verdict::Differs => verdict.mark().red().bold().to_string(),
        Verdict::TooFew => verdict.mark().yellow().to_string(),
        Verdict::New => String::new(),
    }
}

/// A line for each figure of each pairing.
fn full(rows: &[RowFinding]) -> String {
    let computed = rows.iter().any(|row| row.computed.is_some());
    let origins: Origins = rows.iter().filter_map(|row| Some(row.reference.as_ref()?.origin)).collect();
    let to_tell = rows.iter().any(|row| row.games_to_tell.is_some());
    let mut headings = vec!["", "figure", "games"];
    headings.extend(origins.heading());
    let reference = headings.len();
    headings.extend(origins.mixed().then_some("origin"));
    let ours = headings.len();
    headings.extend(computed.then_some("computed"));
    headings.extend(["measured", "95 %"]);
    let verdicts = headings.len();
    headings.push("verdict");
    headings.extend(to_tell.then_some("games to tell"));
    let right = (2..reference).chain(ours..verdicts).chain([verdicts + 1]);
    let mut table = TextTable::headed(headings.iter().copied()).right(right);
    let known = |value: Option<f64>, percent| value.map_or_else(String::new, |value| figure(value, percent));
    for row in rows {
        let label =
            if row.when.is_empty() { row.label.clone() } else { format!("{} ({})", row.label, row.when) };
        let mut cells = vec![label, shortened(&row.figure), row.measured.n.to_string()];
        let reference = row.reference.as_ref();
        cells.extend(origins.heading().map(|_| known(reference.map(|known| known.value), row.percent)));
        cells.extend(origins.mixed().then(|| reference.map_or("", |known| known.origin.label()).to_owned()));
        cells.extend(computed.then(|| known(row.computed, row.percent)));
        cells.push(
            row.measured.value.map_or_else(|| "no games".to_owned(), |value| figure(value, row.percent)),
        );
        cells.push(interval(&row.measured, row.percent));
        cells.push(verdict(row.verdict));
        cells.extend(to_tell.then(|| row.games_to_tell.map_or_else(String::new, about)));
        table.row(cells);
    }
    table.render("")
}

/// A long figure's beginning: the row's label says what it is, and `--json` has all of it.
fn shortened(figure: &str) -> String {
    const MOST: usize = 30;
    match figure.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &figure[..end]),
        None => figure.to_owned(),
    }
}

fn tests(tests: &[TestFinding]) -> String {
    if tests.is_empty() {
        return String::new();
    }
    let origins: Origins = tests.iter().filter_map(|test| Some(test.reference?.origin)).collect();
    let mut headings = vec!["test", "of", "statistic", "games", "p", "p (Holm)", "at", "significant"];
    headings.extend(origins.heading());
    headings.extend(origins.mixed().then_some("origin"));
    let mut table = TextTable::headed(headings.iter().copied()).right(2..7);
    for test in tests {
        let yes = |yes: bool| if yes { "yes" } else { "no" };
        let significant = match (test.significant, test.significant_corrected) {
            (true, false) => "yes, but not corrected".to_owned(),
            (both, _) => yes(both).to_owned(),
        };
        let mut cells = vec![
            test.test.to_owned(),
            test.label.clone(),
            statistic(test),
            test.n.to_string(),
            probability(test.p),
            probability(test.p_corrected),
            percent(test.level),
            significant,
        ];
        let reference = test.reference.as_ref();
        cells.extend(
            origins
                .heading()
                .map(|_| reference.map_or_else(String::new, |known| reference_test(test.symbol, known))),
        );
        cells.extend(origins.mixed().then(|| reference.map_or("", |known| known.origin.label()).to_owned()));
        table.row(cells);
    }
    table.render("")
}

fn round_robin(round_robin: Option<&RoundRobinFinding>) -> String {
    let Some(round_robin) = round_robin else { return String::new() };
    let count = round_robin.table.len();
    let letters: Vec<String> = (0..count).map(|i| format!("{}", i + 1)).collect();
    let mut headings = vec!["", "agent", "points", "won", "drawn", "lost", "score"];
    let rated = !round_robin.ratings.is_empty();
    headings.extend(rated.then_some("rating"));
    headings.extend(letters.iter().map(String::as_str));
    let mut table =
        TextTable::headed(headings.iter().copied()).right([0].into_iter().chain(2..headings.len()));
    for (place, standing) in round_robin.table.iter().enumerate() {
        let [won, drawn, lost] = <[u64; 3]>::from(standing.results).map(|n| n.to_string());
        let score = standing.score / (standing.games.max(1)) as f64;
        let mut cells = vec![
            (place + 1).to_string(),
            standing.name.clone(),
            number(standing.points),
            won,
            drawn,
            lost,
            percent(score),
        ];
        cells.extend(round_robin.ratings.get(place).map(|rating| {
            format!("{} ± {:.0}", signed(rating.elo, 0), 1.96 * rating.simulated_error.max(rating.error))
        }));
        let met = |score: &Option<f64>| score.map_or_else(|| "·".to_owned(), |s| format!("{:.0}", 100.0 * s));
        cells.extend(round_robin.cross[place].iter().map(met));
        table.row(cells);
    }
    let mut out = table.render("");
    let _ = writeln!(
        out,
        "\n{} Columns 1 to {count}: the score against the agent of that place, in percent.",
        points(round_robin.points)
    );
    for warning in &round_robin.warnings {
        let _ = match warning {
            Warning::Disconnected { groups } => writeln!(
                out,
                "\nThe agents fall into {groups} groups that never met: ratings of different groups cannot be compared."
            ),
            Warning::Regularised => writeln!(
                out,
                "\nSome results are one-sided, so each pair was given one more game, half won and half lost, to keep ratings finite."
            ),
        };
    }
    if !round_robin.finale.is_empty() {
        let mut table = TextTable::headed(["final", "points", "won", "drawn", "lost"]).right(1..5);
        for standing in &round_robin.finale {
            let [won, drawn, lost] = <[u64; 3]>::from(standing.results).map(|n| n.to_string());
            table.row([standing.name.clone(), number(standing.points), won, drawn, lost]);
        }
        let _ = write!(out, "\n{}", table.render(""));
    }
    out
}

fn positions(findings: &Findings) -> String {
    if findings.positions.is_empty() {
        return String::new();
    }
    let mut table = TextTable::headed(["position", "agent", "choice", "right", "wrong", "verdict"]);
    for position in &findings.positions {
        let or_any =
            |list: &[String], none: &str| if list.is_empty() { none.to_owned() } else { list.join(" ") };
        table.row([
            position.name.clone(),
            position.agent.clone(),
            position.choice.clone(),
            or_any(&position.expect, "any"),
            or_any(&position.avoid, ""),
            verdict(position.verdict),
        ]);
    }
    table.render("")
}

/// How the games were played, and what was irregular about them.
fn footing(findings: &Findings) -> String {
    let mut out = String::new();
    let played: u64 = findings.pairings.iter().map(|pairing| pairing.games).sum();
    let wanted: u64 = findings.pairings.iter().map(|pairing| pairing.wanted).sum();
    if wanted == 0 {
        return out;
    }
    let _ = if findings.complete {
        writeln!(out, "{played} games ({}).", findings.size)
    } else {
        writeln!(
            out,
            "{} {played} of {wanted} games ({}): the figures are preliminary.",
            "Unfinished:".yellow(),
            findings.size
        )
    };
    let alike: Vec<&str> =
        findings.pairings.iter().filter(|p| p.all_alike).map(|p| p.name.as_str()).collect();
    if !alike.is_empty() {
        let _ = writeln!(out, "{}", wrapped(&all_alike(Some(&alike.join(", ")))));
    }
    for pairing in &findings.pairings {
        if !pairing.irregular.is_empty() {
            let reasons: Vec<String> =
                pairing.irregular.iter().map(|(why, n)| format!("{why} {n}")).collect();
            let _ = writeln!(out, "{}: not ended by the rules: {}.", pairing.name, reasons.join(", "));
        }
    }
    out += &versions(findings);
    let others: u64 = findings.pairings.iter().map(|pairing| pairing.by_other_builds).sum();
    if others > 0 {
        let _ = writeln!(
            out,
            "{others} of them were played by another build of this program; --fresh plays them again."
        );
    }
    out
}

/// Which versions of the agents made the figures, where that is not the first alone.
fn versions(findings: &Findings) -> String {
    let mut out = String::new();
    let (mixed, of_one): (Vec<_>, Vec<_>) =
        findings.pairings.iter().partition(|pairing| pairing.versions.len() > 1);
    let newer: BTreeSet<String> = of_one.iter().filter_map(|pairing| pairing.version_words()).collect();
    if !newer.is_empty() {
        let newer = newer.into_iter().collect::<Vec<_>>().join("; ");
        let _ = writeln!(out, "{}", wrapped(&format!("Played by {newer}.")));
    }
    for pairing in mixed {
        let words = pairing.version_words().unwrap_or_default();
        let _ = writeln!(out, "{}", wrapped(&format!("{}: {words}.", pairing.name)));
    }
    out
}
