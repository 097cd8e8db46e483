//! The table of an experiment as CSV: one line a row, with the reference figure and its origin.

use crate::experiment::{Findings, RowFinding};

const HEADINGS: [&str; 16] = [
    "pairing",
    "label",
    "figure",
    "when",
    "games",
    "reference",
    "reference.n",
    "reference.origin",
    "reference.place",
    "computed",
    "measured",
    "low",
    "high",
    "p",
    "verdict",
    "games-to-tell",
];

/// The table with a line of headings. Shares are from 0 to 1, and what does not exist is empty.
pub(super) fn csv(findings: &Findings) -> Result<String, csv::Error> {
    let mut out = csv::Writer::from_writer(Vec::new());
    out.write_record(HEADINGS)?;
    for row in &findings.rows {
        out.write_record(cells(findings, row))?;
    }
    let bytes = out.into_inner().map_err(|e| e.into_error())?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn cells(findings: &Findings, row: &RowFinding) -> [String; 16] {
    let number = |x: Option<f64>| x.filter(|x| x.is_finite()).map_or_else(String::new, |x| x.to_string());
    let count = |n: Option<u64>| n.map_or_else(String::new, |n| n.to_string());
    let reference = row.reference.as_ref();
    let [low, high] = row.measured.interval;
    [
        findings.pairings[row.pairing].name.clone(),
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
