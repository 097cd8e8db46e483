//! What went wrong, in the reader's words. What is alike is told once.

use super::{Played, Spot};
use crate::seen;
use crate::translated;
use crate::words::Language;
use maud::{Markup, html};
use ranka_core::EndReason;

/// How many faults of a bot are told with what it printed, and to how many games each leads.
const MOST: (usize, usize) = (8, 6);

/// Faults that are alike: of the same version, for the same reason, with the same words.
struct Fault<'a> {
    version: u32,
    reason: EndReason,
    detail: &'a str,
    games: Vec<(&'a Played, usize)>,
}

/// Why a game ended, if not by its rules, and by whose fault.
pub(super) fn ended(played: &Played, language: Language) -> String {
    match played.record.end.reason {
        EndReason::Timeout => language.literal_fill("{0} took too long", [played.blamed()]),
        reason => seen::ended(reason, played.blamed(), language),
    }
}

/// What the referee and the program have to say to a fault, the referee's lines in this language.
pub(super) fn told(detail: &str, language: Language) -> String {
    let line = |line: &str| {
        let whole = translated::text(line, language);
        match line.split_once(": ") {
            Some((head, rest)) if whole == line => format!("{}: {rest}", translated::text(head, language)),
            _ => whole,
        }
    };
    detail.lines().map(line).collect::<Vec<_>>().join("\n")
}

/// All faults among a bot's games; `own` are the games with its number in each.
pub(super) fn list(own: &[(&Played, usize)], spot: Spot) -> Markup {
    let mut faults: Vec<Fault<'_>> = Vec::new();
    for &(played, number) in own.iter().filter(|(played, number)| played.is_fault_of(*number)) {
        let (version, reason) = (played.players[number].version, played.record.end.reason);
        let detail = played.record.end.detail.as_deref().unwrap_or_default();
        // Who is too slow takes another time in each game.
        let alike = |fault: &&mut Fault<'_>| {
            (fault.version, fault.reason) == (version, reason)
                && (fault.detail == detail || reason == EndReason::Timeout)
        };
        match faults.iter_mut().find(alike) {
            Some(fault) => fault.games.push((played, number)),
            None => faults.push(Fault { version, reason, detail, games: vec![(played, number)] }),
        }
    }
    html! {
        @if !faults.is_empty() {
            h3 { (spot.say("Faults")) }
            @for fault in faults.iter().take(MOST.0) { (of(fault, spot)) }
        }
    }
}

fn of(fault: &Fault<'_>, spot: Spot) -> Markup {
    let times = fault.games.len();
    html! {
        div.fault {
            p {
                (ended(fault.games[0].0, spot.language))
                span.small {
                    " · " (spot.language.fill("version {0}", [&fault.version.to_string()]))
                    @if times > 1 { " · " (spot.language.fill("{0} times", [&times.to_string()])) }
                }
            }
            p.small {
                @for (place, (played, number)) in fault.games.iter().take(MOST.1).enumerate() {
                    @if place > 0 { " · " }
                    a href=(played.link(spot)) { (played.named(*number, spot)) }
                }
                @if times > MOST.1 { " …" }
            }
            @if !fault.detail.is_empty() { pre { (told(fault.detail, spot.language)) } }
        }
    }
}
