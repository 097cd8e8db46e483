//! The tables of an experiment for LaTeX, with booktabs' rules.

use crate::Origins;
use crate::experiment::{Findings, RoundRobinFinding, RowFinding, TestFinding};
use crate::words::{figure, interval, minus, number, points, probability, statistic};
use std::fmt::Write as _;

/// More rows than fit a page.
const PAGE: usize = 40;

/// All tables of an experiment. `name` is what their labels begin with.
pub(super) fn tables(findings: &Findings, name: &str) -> String {
    let place = findings.place.as_ref().map_or_else(String::new, |place| format!(" ({place})"));
    // A comment ends with its line, and a label is no place for what means something to LaTeX.
    let title = format!("{}{place}", findings.title).split_whitespace().collect::<Vec<_>>().join(" ");
    let name = name.replace(|c: char| !c.is_ascii_alphanumeric(), "-");
    let mut out = format!(
        "% {title}: {} games ({}). Made by Ranka {}.\n% Needs \\usepackage{{booktabs}}, and longtable where a table is \
         longer than a page.\n",
        findings.pairings.iter().map(|pairing| pairing.games).sum::<u64>(),
        findings.size,
        env!("CARGO_PKG_VERSION"),
    );
    let mut add = |sheet: Option<Sheet>, what: &str, of: &str| {
        if let Some(sheet) = sheet {
            out.push('\n');
            out += &sheet.latex(&format!("{title}{what}"), &format!("tab:{name}{of}"));
        }
    };
    add(rows(&findings.rows), ". Intervals at 95 %", "");
    if let Some(found) = &findings.round_robin {
        let what = format!(": standings. {} Ratings in Elo ± 95 %", points(found.points));
        add(Some(round_robin(found)), &what, "-standings");
    }
    add(tests(&findings.tests), ": tests", "-tests");
    out
}

/// A table: columns flush left or right, and rows of text.
struct Sheet {
    columns: Vec<(String, Side)>,
    rows: Vec<Vec<String>>,
}

#[derive(Clone, Copy)]
enum Side {
    Left,
    Right,
}

impl Sheet {
    fn headed<'a>(columns: impl IntoIterator<Item = (&'a str, Side)>) -> Sheet {
        let columns = columns.into_iter().map(|(heading, side)| (heading.to_owned(), side));
        Sheet { columns: columns.collect(), rows: Vec::new() }
    }

    fn latex(&self, caption: &str, label: &str) -> String {
        let long = self.rows.len() > PAGE;
        let side = |(_, side): &(String, Side)| match side {
            Side::Left => 'l',
            Side::Right => 'r',
        };
        let sides: String = self.columns.iter().map(side).collect();
        let line = |cells: &mut dyn Iterator<Item = &String>| {
            let cells: Vec<String> = cells.map(|cell| escaped(cell)).collect();
            format!("{} \\\\\n", cells.join(" & "))
        };
        let head = line(&mut self.columns.iter().map(|(heading, _)| heading));
        let (caption, mut out) = (escaped(caption), String::new());
        if long {
            let _ = writeln!(
                out,
                "\\begin{{longtable}}{{{sides}}}\n\\caption{{{caption}}}\\label{{{label}}} \\\\"
            );
            let _ = write!(out, "\\toprule\n{head}\\midrule\n\\endfirsthead\n");
            let _ = write!(out, "\\toprule\n{head}\\midrule\n\\endhead\n\\bottomrule\n\\endfoot\n");
        } else {
            let _ = writeln!(out, "\\begin{{table}}\n\\centering\n\\caption{{{caption}}}\\label{{{label}}}");
            let _ = write!(out, "\\begin{{tabular}}{{{sides}}}\n\\toprule\n{head}\\midrule\n");
        }
        for row in &self.rows {
            out += &line(&mut row.iter());
        }
        out += if long { "\\end{longtable}\n" } else { "\\bottomrule\n\\end{tabular}\n\\end{table}\n" };
        out
    }
}

fn rows(rows: &[RowFinding]) -> Option<Sheet> {
    let origins: Origins = rows.iter().filter_map(|row| Some(row.reference.as_ref()?.origin)).collect();
    let computed = rows.iter().any(|row| row.computed.is_some());
    let mut columns = vec![("", Side::Left), ("figure", Side::Left), ("games", Side::Right)];
    columns.extend(origins.heading().map(|heading| (heading, Side::Right)));
    columns.extend(origins.mixed().then_some(("origin", Side::Left)));
    columns.extend(computed.then_some(("computed", Side::Right)));
    columns.extend([("measured", Side::Right), ("interval", Side::Right), ("verdict", Side::Left)]);
    let mut sheet = Sheet::headed(columns);
    let known = |value: Option<f64>, percent| value.map_or_else(String::new, |x| figure(x, percent));
    for row in rows {
        let when = if row.when.is_empty() { String::new() } else { format!(" ({})", row.when) };
        let reference = row.reference.as_ref();
        let mut cells = vec![format!("{}{when}", row.label), row.figure.clone(), row.measured.n.to_string()];
        cells.extend(origins.heading().map(|_| known(reference.map(|known| known.value), row.percent)));
        cells.extend(origins.mixed().then(|| reference.map_or("", |known| known.origin.label()).to_owned()));
        cells.extend(computed.then(|| known(row.computed, row.percent)));
        cells.push(known(row.measured.value, row.percent));
        cells.push(interval(&row.measured, row.percent));
        cells.push(row.verdict.words().to_owned());
        sheet.rows.push(cells);
    }
    (!rows.is_empty()).then_some(sheet)
}

fn tests(tests: &[TestFinding]) -> Option<Sheet> {
    let right = |heading| (heading, Side::Right);
    let columns = [("test", Side::Left), ("of", Side::Left)];
    let mut sheet = Sheet::headed(columns.into_iter().chain(["statistic", "p", "p (Holm)"].map(right)));
    for test in tests {
        sheet.rows.push(vec![
            test.test.to_owned(),
            test.label.clone(),
            statistic(test),
            probability(test.p),
            probability(test.p_corrected),
        ]);
    }
    (!tests.is_empty()).then_some(sheet)
}

fn round_robin(round_robin: &RoundRobinFinding) -> Sheet {
    let right = |heading| (heading, Side::Right);
    let mut columns = vec![right(""), ("agent", Side::Left)];
    columns.extend(["points", "won", "drawn", "lost"].map(right));
    columns.extend((!round_robin.ratings.is_empty()).then_some(right("rating")));
    let mut sheet = Sheet::headed(columns);
    for (place, standing) in round_robin.table.iter().enumerate() {
        let mut cells = vec![(place + 1).to_string(), standing.name.clone(), number(standing.points)];
        cells.extend(<[u64; 3]>::from(standing.results).map(|count| count.to_string()));
        cells.extend(round_robin.ratings.get(place).map(|rating| {
            let error = 1.96 * rating.simulated_error.max(rating.error);
            format!("{} ± {error:.0}", minus(&format!("{:+.0}", rating.elo)))
        }));
        sheet.rows.push(cells);
    }
    sheet
}

/// Text as LaTeX sets it, with whatever means something to it taken literally. What pdfLaTeX's fonts lack of our own
/// words is written as mathematics.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => {
                out.push('\\');
                out.push(c);
            }
            '\\' => out += "\\textbackslash{}",
            '~' => out += "\\textasciitilde{}",
            '^' => out += "\\textasciicircum{}",
            '|' => out += "$\\vert$",
            '<' | '>' | '=' | '+' => {
                let _ = write!(out, "${c}$");
            }
            '-' => out += "{-}",
            '−' => out += "$-$",
            '–' => out += "--",
            '—' => out += "---",
            '±' => out += "$\\pm$",
            '×' => out += "$\\times$",
            '·' => out += "$\\cdot$",
            '∞' => out += "$\\infty$",
            '…' => out += "\\dots{}",
            '√' => out += "$\\surd$",
            '½' => out += "$\\frac12$",
            '²' => out += "$^2$",
            'β' => out += "$\\beta$",
            'χ' => out += "$\\chi$",
            'ε' => out += "$\\varepsilon$",
            'ρ' => out += "$\\rho$",
            'τ' => out += "$\\tau$",
            '\n' | '\r' => out.push(' '),
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_latex_would_take_for_a_command_is_left() {
        let text = "a_b & 5 % of $x #1 {y} ~^\\ <0.5|−1–2 −> χ² ± ∞ uct:c=0.5,n-1";
        let found = escaped(text);
        assert_eq!(
            found,
            "a\\_b \\& 5 \\% of \\$x \\#1 \\{y\\} \\textasciitilde{}\\textasciicircum{}\\textbackslash{} \
             $<$0.5$\\vert$$-$1--2 $-$$>$ $\\chi$$^2$ $\\pm$ $\\infty$ uct:c$=$0.5,n{-}1"
        );
        assert_eq!(found.replace("\\$", "").matches('$').count() % 2, 0, "mathematics ends where it began");
    }

    #[test]
    fn long_tables_break_over_pages() {
        let mut sheet = Sheet::headed([("agent", Side::Left), ("won", Side::Right)]);
        for n in 0..=PAGE {
            sheet.rows.push(vec![format!("a{n}"), n.to_string()]);
        }
        let long = sheet.latex("All", "tab:x");
        assert!(
            long.starts_with("\\begin{longtable}{lr}\n\\caption{All}\\label{tab:x} \\\\\n\\toprule\n"),
            "{long}"
        );
        assert!(long.contains("agent & won \\\\\n\\midrule\n\\endhead"), "{long}");
        assert!(long.ends_with("a40 & 40 \\\\\n\\end{longtable}\n"), "{long}");
        sheet.rows.truncate(2);
        let short = sheet.latex("Two", "tab:y");
        assert!(
            short.contains("\\begin{tabular}{lr}\n\\toprule\nagent & won \\\\\n\\midrule\na0 & 0 \\\\\n"),
            "{short}"
        );
        assert!(short.ends_with("\\bottomrule\n\\end{tabular}\n\\end{table}\n"), "{short}");
    }
}
