//! What there is to watch: games at the tables, and games in the store.

use super::home::title;
use super::layout::page;
use super::{Answer, Failure, paste};
use crate::hall::Hall;
use crate::opening::{Opening, Policy, Sitter};
use crate::play::Aside;
use crate::visit::Visit;
use axum::extract::State;
use maud::{Markup, html};
use ranka_core::Error;
use ranka_lab::{IMPORT, KeptTable, StoredPairing, short_identity};
use std::sync::Arc;

/// How many of each kind are listed.
const LISTED: usize = 40;

pub(crate) async fn show(visit: Visit, State(hall): State<Arc<Hall>>) -> Answer<Markup> {
    let language = visit.language;
    let say = |text| language.say(text);
    let look = || -> Result<_, Error> {
        hall.read(|store| {
            Ok((store.tables(LISTED)?, store.latest_pairings(LISTED)?, store.imported_count()?))
        })
    };
    let (tables, pairings, imported) = look().map_err(|error| Failure::of(visit, &error))?;
    let body = html! {
        h1 { (say("Watch")) }
        @if hall.league.get().is_some() { p { a href="/league" { (say("The league")) } } }
        section {
            h2 { (say("Games at the tables")) }
            @if tables.is_empty() { p.small { (say("Nobody has played yet.")) } }
            ul.list { @for table in &tables { (table_line(table, visit)) } }
        }
        section {
            h2 { (say("Games of matches and experiments")) }
            @if pairings.is_empty() { p.small { (say("No experiment has been run yet.")) } }
            ul.list { @for pairing in &pairings { (pairing_line(pairing, visit, visit.policy())) } }
        }
        section {
            h2 { (say("Other records")) }
            @if imported > 0 {
                p { a href={ "/watch/" (IMPORT) } { (say("Imported games")) } span.small { " " (language.fill("{0} games", [&imported.to_string()])) } }
            }
            (paste::form(visit, &hall))
        }
    };
    Ok(page(visit, say("Watch"), &["paste.js"], &body))
}

/// A game's name as the visitor says it.
pub(super) fn named(game: &str, visit: Visit) -> &str {
    ranka_games::game(game).map_or(game, |entry| title(entry, visit.language))
}

fn table_line(table: &KeptTable, visit: Visit) -> Markup {
    let Ok(opening) = serde_json::from_str::<Opening>(&table.opening) else { return html! {} };
    let aside: Aside = serde_json::from_str(&table.aside).unwrap_or_default();
    let who: Vec<String> = (opening.seats.iter().enumerate())
        .map(|(seat, sitter)| match sitter {
            Sitter::Agent(spec) => opening.agent_name(seat, spec, visit),
            _ => aside.names.get(&seat).cloned().unwrap_or_else(|| visit.language.say("a person").to_owned()),
        })
        .collect();
    let when =
        jiff::Timestamp::from_second(table.changed).map(|at| at.strftime("%Y-%m-%d %H:%M UTC").to_string());
    html! {
        li {
            a href={ "/t/" (table.id) } { (named(&opening.game, visit)) ": " (who.join(" – ")) }
            span.small { " " (state(aside, &opening, visit)) " · " (when.unwrap_or_default()) " · " (visit.language.fill("{0} actions", [&table.actions.split(' ').filter(|word| !word.is_empty()).count().to_string()])) }
        }
    }
}

/// Whether a game goes on, or who has won.
fn state(aside: Aside, opening: &Opening, visit: Visit) -> String {
    let language = visit.language;
    let Some(scores) = aside.scores else { return language.say("running").to_owned() };
    let Some(winner) = scores.iter().position(|&score| score >= 1.0) else {
        return language.say("A draw").to_owned();
    };
    let name = match &opening.seats[winner] {
        Sitter::Agent(spec) => opening.agent_name(winner, spec, visit),
        _ => aside
            .names
            .get(&winner)
            .cloned()
            .unwrap_or_else(|| language.fill("Person at seat {0}", [&(winner + 1).to_string()])),
    };
    language.fill("{0} wins", [&name])
}

fn pairing_line(pairing: &StoredPairing, visit: Visit, policy: Policy) -> Markup {
    let agents = pairing.agents.iter().map(|agent| policy.called(&pairing.game, agent));
    let agents = agents.collect::<Vec<_>>().join(" – ");
    html! {
        li {
            a href={ "/watch/" (short_identity(&pairing.identity)) } { (named(&pairing.game, visit)) ": " (agents) }
            span.small { " " (visit.language.fill("{0} games", [&pairing.games.to_string()])) }
        }
    }
}
