//! The pages of a report.

use super::style::STYLE;
use super::{Report, Section};
use crate::Origins;
use crate::experiment::{Findings, PairingFinding, RoundRobinFinding, RowFinding, Verdict};
use crate::stats::Warning;
use crate::words::{
    GAMES_TO_TELL, about, figure, interval, number, percent, points, probability, reference_test, statistic,
};
use crate::{COMPACT, Compact, LONG};
use maud::{DOCTYPE, Markup, PreEscaped, html};

/// A page around its content.
fn page(title: &str, content: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                header { a.name href="index.html" { "爛柯 Ranka" } span.quiet { "Experiments" } }
                main { (content) }
            }
        }
    };
    page.into_string()
}

/// The page that leads to the reports.
pub(super) fn index(reports: &[Report]) -> String {
    let content = html! {
        h1 { "Papers and what we found" }
        @for report in reports {
            h2 { a href=(format!("{}.html", report.paper.name)) { (report.paper.title) } }
            p.quiet { (report.paper.source) }
            (overview(report, &format!("{}.html", report.paper.name)))
        }
        @if let Some(first) = reports.first() { (made(first)) }
    };
    page("Ranka: experiments", &content)
}

/// A paper's report.
pub(super) fn report(report: &Report) -> String {
    let paper = &report.paper;
    let content = html! {
        h1 { (paper.title) }
        p.quiet { (paper.source) }
        p { (paper.summary.trim()) }
        @if !paper.note.trim().is_empty() { p.quiet { (paper.note.trim()) } }
        @if report.sections.len() > 1 { (overview(report, "")) }
        @for section in &report.sections { (experiment(report, section)) }
        h2 { "Methods" }
        p {
            "Games of a deal share what chance deals and draws, and the agents change seats within it unless said otherwise. Intervals are at 95 %, and all of them by deal: Wilson's, generalised, for \
             scores and shares of games (win, draw, loss), Student's for means, by drawing deals again (bootstrap) with more than two seats. A measured figure is compared with the reference (a paper's, or what an independent program computed or measured, as \
             the column says) by a test that knows both sample sizes; within a \
             table the tests are corrected together (Holm), and a figure differs if p < 0.05. Where no difference is found but the interval is wider than the tolerance, there are too few games to tell."
        }
        (made(report))
    };
    page(&format!("Ranka: {}", paper.title), &content)
}

fn made(report: &Report) -> Markup {
    html! {
        p.small.quiet {
            code { (report.made.command) } br;
            "ranka " (report.made.version) ", " (report.made.machine) ", " (report.made.when)
        }
    }
}

/// One line for each experiment: how it came out.
fn overview(report: &Report, page: &str) -> Markup {
    html! {
        div.wide tabindex="0" { table {
            thead { tr {
                th { "experiment" } th { "place" } th.n { "games" } th.n { "agree" } th.n { "differ" } th.n { "too few" }
            } }
            tbody { @for section in &report.sections {
                @let [agree, differ, few] = section.verdicts();
                tr {
                    td { a href=(format!("{page}#{}", section.short_name())) { (section.findings.title) } }
                    td { (section.findings.place.as_deref().unwrap_or("")) }
                    td.n { (section.findings.pairings.iter().map(|p| p.games).sum::<u64>()) }
                    td.n { (agree) } td.n { span.differs[differ > 0] { (differ) } } td.n { (few) }
                }
            } }
        } }
    }
}

fn experiment(report: &Report, section: &Section) -> Markup {
    let findings = &section.findings;
    let name = section.short_name();
    html! {
        section id=(name) {
            h2 { (findings.title) @if let Some(place) = &findings.place { span.quiet { " (" (place) ")" } } }
            p { (findings.question.trim()) }
            @if !findings.complete { p.differs { "Unfinished: the figures are preliminary." } }
            @if findings.rows.len() > LONG {
                (compact(findings, &name))
                details { summary { "All " (findings.rows.len()) " rows" } (rows(findings, &name)) }
            } @else {
                (rows(findings, &name))
            }
            (round_robin(findings.round_robin.as_ref()))
            (tests(findings))
            (positions(findings))
            @if !section.drawings.is_empty() {
                div.figures { @for (number, drawing) in (1..).zip(&section.drawings) {
                    figure {
                        (PreEscaped(&drawing.svg))
                        figcaption.small.quiet {
                            a href=(format!("{}/{name}-{number}.svg", report.paper.name)) { "SVG" }
                        }
                    }
                } }
            }
            @if let Some(note) = &findings.note { p.quiet { (note.trim()) } }
            (games(report, findings, &name))
            details {
                summary { "The experiment's file" }
                pre { (section.source) }
            }
        }
    }
}

fn verdict(verdict: Verdict) -> Markup {
    verdict_of(verdict, verdict.words())
}

fn verdict_of(verdict: Verdict, told: &str) -> Markup {
    let class = match verdict {
        Verdict::New => "quiet",
        Verdict::Agrees => "agrees",
        Verdict::Differs => "differs",
        Verdict::TooFew => "too-few",
    };
    html! { span class=(class) { (told) } }
}

/// A long table with a line a pairing.
fn compact(findings: &Findings, name: &str) -> Markup {
    let Compact { columns, lines } = Compact::of(&findings.rows);
    let mark = |row: &RowFinding| html! { @if !row.verdict.mark().is_empty() { " " (verdict_of(row.verdict, row.verdict.mark())) } };
    html! {
        div.wide tabindex="0" { table {
            thead { tr {
                td {} th.n { "games" }
                @for column in &columns { th.n { (column.heading) } }
            } }
            tbody { @for line in &lines { tr {
                td { a href=(format!("#{name}-{}", findings.pairings[line.pairing].id)) { (line.label) } }
                td.n { (line.games) }
                @for (cell, column) in line.cells.iter().zip(&columns) {
                    td.n { @if let Some(row) = cell { (column.cell(row)) (mark(row)) } }
                }
            } } }
        } }
        p.small.quiet { (COMPACT) }
    }
}

fn rows(findings: &Findings, name: &str) -> Markup {
    let rows = &findings.rows;
    let origins: Origins = rows.iter().filter_map(|row| Some(row.reference.as_ref()?.origin)).collect();
    let computed = rows.iter().any(|row| row.computed.is_some());
    let known = |value: Option<f64>, in_percent| value.map_or_else(String::new, |x| figure(x, in_percent));
    let to_tell = rows.iter().any(|row| row.games_to_tell.is_some());
    html! {
        @if !rows.is_empty() {
            div.wide tabindex="0" { table {
                thead { tr {
                    td {} th { "figure" } th.n { "games" }
                    @if let Some(heading) = origins.heading() { th.n { (heading) } }
                    @if origins.mixed() { th { "origin" } }
                    @if computed { th.n { "computed" } }
                    th.n { "measured" } th.n { "95 %" } th { "verdict" }
                    @if to_tell { th.n title=(GAMES_TO_TELL) { "games to tell" } }
                } }
                tbody { @for row in rows { tr {
                    td {
                        a href=(format!("#{name}-{}", findings.pairings[row.pairing].id)) { (row.label) }
                        @if !row.when.is_empty() { span.quiet { " (" (row.when) ")" } }
                    }
                    td { (row.figure) }
                    td.n { (row.measured.n) }
                    @if origins.heading().is_some() { @match &row.reference {
                        Some(reference) => td.n title=[reference.place.as_deref()] {
                            (figure(reference.value, row.percent))
                            @if let Some(n) = reference.n { span.small.quiet { " n=" (n) } }
                        },
                        None => td.n {},
                    } }
                    @if origins.mixed() {
                        td { (row.reference.as_ref().map_or("", |reference| reference.origin.label())) }
                    }
                    @if computed { td.n { (known(row.computed, row.percent)) } }
                    td.n { (row.measured.value.map_or_else(|| "no games".to_owned(), |x| figure(x, row.percent))) }
                    td.n { (interval(&row.measured, row.percent)) }
                    td { (verdict(row.verdict)) }
                    @if to_tell { td.n { (row.games_to_tell.map_or_else(String::new, about)) } }
                } } }
            } }
            @if to_tell { p.small.quiet { (GAMES_TO_TELL) } }
        }
    }
}

fn tests(findings: &Findings) -> Markup {
    let yes = |yes: bool| if yes { "yes" } else { "no" };
    let origins: Origins = findings.tests.iter().filter_map(|test| Some(test.reference?.origin)).collect();
    html! {
        @if !findings.tests.is_empty() {
            h3 { "Tests" }
            div.wide tabindex="0" { table {
                thead { tr {
                    th { "test" } th { "of" } th.n { "statistic" } th.n { "games" } th.n { "p" } th.n { "p (Holm)" } th.n { "level" }
                    th { "significant" } th { "corrected" }
                    @if let Some(heading) = origins.heading() { th { (heading) } }
                    @if origins.mixed() { th { "origin" } }
                } }
                tbody { @for test in &findings.tests { tr {
                    td { (test.test) } td { (test.label) }
                    td.n { (statistic(test)) } td.n { (test.n) }
                    td.n { (probability(test.p)) } td.n { (probability(test.p_corrected)) } td.n { (percent(test.level)) }
                    td { (yes(test.significant)) } td { (yes(test.significant_corrected)) }
                    @if origins.heading().is_some() {
                        td { (test.reference.map_or_else(String::new, |known| reference_test(test.symbol, &known))) }
                    }
                    @if origins.mixed() { td { (test.reference.map_or("", |known| known.origin.label())) } }
                } } }
            } }
        }
    }
}

fn round_robin(round_robin: Option<&RoundRobinFinding>) -> Markup {
    html! { @if let Some(round_robin) = round_robin {
        div.wide tabindex="0" { table {
            thead { tr {
                td.n {} th { "agent" } th.n { "points" } th.n { "won" } th.n { "drawn" } th.n { "lost" }
                @if !round_robin.ratings.is_empty() { th.n { "rating" } }
                @for (place, standing) in (1..).zip(&round_robin.table) { th.n title=(standing.name) { (place) } }
            } }
            tbody { @for (place, standing) in round_robin.table.iter().enumerate() { tr {
                td.n { (place + 1) } td { (standing.name) } td.n { (number(standing.points)) }
                @for count in <[u64; 3]>::from(standing.results) { td.n { (count) } }
                @if let Some(rating) = round_robin.ratings.get(place) {
                    td.n { (format!("{:+.0} ± {:.0}", rating.elo, 1.96 * rating.simulated_error.max(rating.error))) }
                }
                @for met in &round_robin.cross[place] {
                    td.n { (met.map_or_else(|| "·".to_owned(), |score| format!("{:.0}", 100.0 * score))) }
                }
            } } }
        } }
        p.small.quiet { (points(round_robin.points)) }
        p.small.quiet { "Ratings in Elo (Davidson's model: Bradley–Terry with draws) ± 95 %; the columns at the right are scores in percent against each." }
        @for warning in &round_robin.warnings { p.small { (match warning {
            Warning::Disconnected { groups } => format!("The agents fall into {groups} groups that never met: ratings of different groups cannot be compared."),
            Warning::Regularised => "Some results are one-sided: each pair was given one more game, half won and half lost, to keep ratings finite.".to_owned(),
        }) } }
        @if !round_robin.finale.is_empty() {
            h3 { "Final" }
            table { tbody { @for standing in &round_robin.finale { tr {
                td { (standing.name) } td.n { (number(standing.points)) " points" }
                td.n { (standing.results) }
            } } } }
        }
    } }
}

fn positions(findings: &Findings) -> Markup {
    html! {
        @if !findings.positions.is_empty() {
            div.wide tabindex="0" { table {
                thead { tr { th { "position" } th { "agent" } th { "choice" } th { "right" } th { "wrong" } th { "verdict" } } }
                tbody { @for position in &findings.positions { tr {
                    td title=(position.position) {
                        (position.name) @if let Some(place) = &position.place { span.quiet { " (" (place) ")" } }
                    }
                    td { (position.agent) } td { (position.choice) }
                    td { (if position.expect.is_empty() { "any".to_owned() } else { position.expect.join(" ") }) }
                    td { (position.avoid.join(" ")) }
                    td { (verdict(position.verdict)) }
                } } }
            } }
        }
    }
}

/// The pairings, and how to get at their games.
fn games(report: &Report, findings: &Findings, name: &str) -> Markup {
    let second = |p: &PairingFinding| p.results - p.results_first;
    html! {
        @if !findings.pairings.is_empty() {
            details {
                summary { "The games (" (findings.pairings.iter().map(|p| p.games).sum::<u64>()) ", " (findings.size) ")" }
                p.small {
                    "Every game with what was measured of it: "
                    a href=(format!("{}/{name}.csv", report.paper.name)) { "CSV" } ", "
                    a href=(format!("{}/{name}.parquet", report.paper.name)) { "Parquet" } "; what their columns mean: "
                    a href=(format!("{}/{name}-columns.csv", report.paper.name)) { "CSV" } "; the table: "
                    a href=(format!("{}/{name}-table.csv", report.paper.name)) { "CSV" } ", "
                    a href=(format!("{}/{name}-table.tex", report.paper.name)) { "LaTeX" } "; the findings: "
                    a href=(format!("{}/{name}.json", report.paper.name)) { "JSON" } "."
                }
                div.wide tabindex="0" { table {
                    thead { tr {
                        th { "pairing" } th { "agents" } th.n { "won–drawn–lost" } th.n { "moving first" } th.n { "not first" }
                        th.n { "Elo" } th { "seats, seed" } th { "games" }
                    } }
                    tbody { @for pairing in &findings.pairings { tr id=(format!("{name}-{}", pairing.id)) {
                        td { (pairing.name) @if !pairing.rules.is_empty() { br; span.small.quiet { (pairing.rules) } } }
                        td { @for agent in &pairing.agents { (agent) br; } }
                        td.n { (pairing.results) }
                        td.n { (pairing.results_first) } td.n { (second(pairing)) }
                        td.n { @if let Some(elo) = pairing.elo {
                            @if elo.value.is_finite() { (format!("{:+.0}", elo.value).replace('-', "−")) } @else { (if elo.value > 0.0 { "+∞" } else { "−∞" }) }
                        } }
                        td { (pairing.seats) ", " (pairing.seed) }
                        td {
                            code { "ranka record list " (pairing.id) }
                            @for (why, count) in &pairing.irregular { br; span.differs { (why) " " (count) } }
                            @if let Some(versions) = pairing.version_words() { br; span.small { (versions) } }
                            @if pairing.all_alike { br; span.small { "games in the same seats are alike: one of each counts" } }
                            @if pairing.by_other_builds > 0 { br; span.small.quiet { (pairing.by_other_builds) " played by another build" } }
                        }
                    } } }
                } }
            }
        }
    }
}
