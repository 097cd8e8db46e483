//! A match and a sequential test as text.

use super::{TextTable, counted, faults, from_store, signed};
use crate::experiment::version_words;
use crate::stats::{EloModel, LEVEL, Tally};
use crate::words;
use crate::{
    AgentFaults, Assessed, MatchResult, Pairing, Ruling, Sequential, SequentialStatus, VersionCount,
};
use ranka_core::{AnyAgent, WdlCounts, labels};
use std::fmt::Write as _;

/// A match: what each agent got, with intervals, and how the games ended.
pub fn match_result(pairing: &Pairing, result: &MatchResult) -> String {
    let (game, agents) = (pairing.game(), pairing.agents());
    let assessment = &result.assessment;
    let rules = game.rules_short();
    let rules = if rules.is_empty() { rules } else { format!(" ({rules})") };
    let mut out = format!(
        "{}{rules}, {}, seed {}\n\n",
        game.info().title,
        counted(assessment.games(), "game"),
        pairing.seed().value()
    );
    if assessment.games() == 0 {
        return out + "No game was played to its end.\n";
    }
    let mut table = if agents.len() == 2 {
        TextTable::headed(["agent", "won", "drawn", "lost", "score", "95 %", "Elo", "time/move"]).right(1..8)
    } else {
        TextTable::headed(["agent", "won", "score", "95 %", "time/move"]).right(1..5)
    };
    let names = labels(agents);
    let versions = result.versions();
    for (number, label) in names.iter().enumerate() {
        let Assessed { results, score, interval, elo } = assessment.of(number);
        let score = score.map_or_else(String::new, |score| format!("{:.2} %", 100.0 * score));
        let [low, high] = interval.map(|end| 100.0 * end);
        let interval = format!("{low:.1}–{high:.1} %");
        let (decisions, time) = result.efforts[number];
        // What the store has was timed by nobody.
        let pace = match decisions {
            0 => "—".to_owned(),
            _ => format!("{:.1?}", time.div_f64(decisions as f64)),
        };
        let name = match &versions[..] {
            [one] => versioned(label, one.versions[number]),
            // Which version played which games is told below.
            _ => label.clone(),
        };
        if let Some(elo) = elo {
            let [won, drawn, lost] = <[u64; 3]>::from(results).map(|n| n.to_string());
            let [value, low, high] = [elo.value, elo.interval[0], elo.interval[1]].map(|elo| signed(elo, 0));
            let elo = format!("{value} ({low} to {high})");
            table.row([name, won, drawn, lost, score, interval, elo, pace]);
        } else {
            table.row([name, results.wins.to_string(), score, interval, pace]);
        }
    }
    out += &table.render("");
    out += &small_print(agents);
    if agents.len() > 2 {
        let _ = writeln!(out, "\n{} games had no single winner.", assessment.without_winner());
    }
    if assessment.all_alike() {
        let _ = writeln!(out, "\n{}", words::all_alike(None));
    }
    let reasons: Vec<String> =
        result.reasons.iter().map(|(reason, n)| format!("{} {n}", reason.name())).collect();
    let lost = faults(&AgentFaults::of(agents, &result.faults));
    if !lost.is_empty() {
        let _ = write!(out, "\n{lost}");
    }
    let _ = writeln!(out, "\n{} plies; ended by: {}.", result.plies, reasons.join(", "));
    // Where they are not mixed the table tells them.
    if let Some(words) = version_words(&names, &versions).filter(|_| versions.len() > 1) {
        let _ = writeln!(out, "{words}.");
    }
    out + &from_store((result.from_store, assessment.games()))
}

/// A sequential test: what is decided, by what, and how many of its games the store `had` already.
pub fn sequential<E>(
    sequential: &Sequential<'_, E>,
    status: &SequentialStatus,
    versions: &[VersionCount],
    lost: &[AgentFaults],
    had: u64,
) -> String {
    let Sequential { pairing, test, games: most, .. } = sequential;
    let game = pairing.game();
    let rules = game.rules_short();
    let rules = if rules.is_empty() { rules } else { format!(" ({rules})") };
    let agents = labels(pairing.agents());
    let [a, b] = [0, 1].map(|agent| agents[agent].as_str());
    let (model, of) = match test.model() {
        EloModel::Logistic => ("logistic", "Elo"),
        EloModel::Normalized => ("normalized", "normalised Elo"),
    };
    // As they were given.
    let [elo0, elo1] =
        test.elo().map(|elo| format!("{} {of}", signed(elo, if elo.fract() == 0.0 { 0 } else { 2 })));
    let ruling = match status.ruling() {
        Ruling::H0 => format!("H0 accepted: {a} is {elo0} or less to {b} rather than {elo1} or more."),
        Ruling::H1 => format!("H1 accepted: {a} is {elo1} or more to {b} rather than {elo0} or less."),
        Ruling::Undecided if status.all_alike() => {
            format!("Undecided between {elo0} (H0) and {elo1} (H1). {}", words::all_alike(None))
        }
        Ruling::Undecided => format!("Undecided between {elo0} (H0) and {elo1} (H1): more games are needed."),
    };
    let scores = status.tally.scores();
    let [low, high] = scores.interval().map(|end| 100.0 * end);
    let elo = status.tally.elo(LEVEL);
    let [value, elo_low, elo_high] = [elo.value, elo.interval[0], elo.interval[1]].map(|elo| signed(elo, 0));
    let [lower, upper] = status.test.bounds.map(|bound| signed(bound, 2));
    let WdlCounts { wins, draws, losses } = status.results;
    let mut table = TextTable::plain();
    let mut row = |name: &str, text: String| table.row([name.to_owned(), text]);
    row(
        "games",
        format!(
            "{} of at most {}: {wins} won, {draws} drawn, {losses} lost{}",
            status.games,
            most,
            if status.all_alike() { format!(" ({} played)", status.played) } else { String::new() }
        ),
    );
    if let Tally::Pairs([nothing, half, one, more, two]) = status.tally {
        row(
            "pairs",
            format!("{nothing} with 0 points, {half} with ½, {one} with 1, {more} with 1½, {two} with 2"),
        );
    }
    row("LLR", format!("{} (H0 at {lower}, H1 at {upper})", signed(status.test.llr, 2)));
    row("model", format!("{} Elo, {}, regularised", model, status.counts()));
    if status.games > 0 {
        row("score", format!("{:.2} % ({low:.1}–{high:.1} %)", 100.0 * scores.mean()));
        row("Elo", format!("{value} ({elo_low} to {elo_high})"));
    }
    if let Some(words) = version_words(&agents, versions) {
        row("versions", words);
    }
    let mut out = format!(
        "{}{rules}, {a} against {b}, seed {}\n\n{ruling}\n\n{}",
        game.info().title,
        pairing.seed().value(),
        table.render("")
    );
    out += &small_print(pairing.agents());
    if !lost.is_empty() {
        out += &format!("\n{}", faults(lost));
    }
    if status.ruling() != Ruling::Undecided {
        out += "\nA test that stops early overstates the difference: to measure it, play a match of fixed length.\n";
    }
    if status.by_other_builds > 0 {
        out += &format!(
            "{} of the games were played by another build of this program; --fresh plays them again.\n",
            status.by_other_builds
        );
    }
    out + &from_store((had, status.played))
}

/// An agent with its version, where that is not the first; whoever is no agent of this program has none.
pub fn versioned(agent: &str, version: u32) -> String {
    if version > 1 { format!("{agent} (version {version})") } else { agent.to_owned() }
}

/// Which agent each name stands for, where it is not the agent's own.
fn small_print(agents: &[AnyAgent]) -> String {
    let named = agents.iter().zip(labels(agents)).filter(|(agent, label)| *label != agent.short);
    let mut lines: Vec<String> = named.map(|(agent, label)| format!("{label}: {}\n", agent.short)).collect();
    lines.dedup();
    if lines.is_empty() { String::new() } else { format!("\n{}", lines.concat()) }
}
