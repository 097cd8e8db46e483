//! What there is to watch: games at the tables, and games in the store.

use super::home::title;
use super::layout::page;
use super::position::query;
use super::{Answer, Failure, paste};
use crate::hall::Hall;
use crate::opening::{Opening, Policy, Sitter};
use crate::play::Aside;
use crate::visit::Visit;
use axum::extract::{Query, State};
use maud::{Markup, html};
use ranka_core::Error;
use ranka_lab::{IMPORT, KeptTable, StoredPairing, short_identity};
use serde::Deserialize;
use std::sync::Arc;

/// How many of each kind a page has.
const LISTED: usize = 40;

/// What is asked for.
#[derive(Clone, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Asked {
    /// Only this game; any if it is empty.
    game: String,
    /// Which page of the tables and of the pairings, from 1.
    tables: Option<u64>,
    pairings: Option<u64>,
}

/// Where a page of a list begins.
fn first(page: Option<u64>) -> u64 {
    (number(page) - 1) * LISTED as u64
}

fn number(page: Option<u64>) -> u64 {
    page.unwrap_or(1).clamp(1, u64::from(u32::MAX))
}

impl Asked {
    fn game(&self) -> Option<&str> {
        Some(self.game.as_str()).filter(|game| !game.is_empty())
    }

    /// The address of another page.
    fn turned(&self, tables: u64, pairings: u64) -> String {
        format!("/watch?game={}&tables={tables}&pairings={pairings}", query(&self.game))
    }

    /// Ways to the pages before and after this one of the tables or, `of_pairings`, of those.
    fn pages(&self, of_pairings: bool, more: bool, visit: Visit) -> Markup {
        let (tables, pairings) = (number(self.tables), number(self.pairings));
        let here = if of_pairings { pairings } else { tables };
        let turned = |page| if of_pairings { self.turned(tables, page) } else { self.turned(page, pairings) };
        let label = if of_pairings { "Pages of the matches" } else { "Pages of the tables" };
        html! {
            @if here > 1 || more {
                nav.buttons aria-label=(visit.language.say(label)) {
                    @if here > 1 { a.button rel="prev" href=(turned(here - 1)) { (visit.language.say("Back")) } }
                    @if more { a.button rel="next" href=(turned(here + 1)) { (visit.language.say("More")) } }
                }
            }
        }
    }

    /// The choice of a game.
    fn form(&self, visit: Visit) -> Markup {
        let say = |text| visit.language.say(text);
        html! {
            form.versus.filter method="get" action="/watch" {
                label { (say("Game")) select name="game" {
                    option value="" { (say("All games")) }
                    @for entry in ranka_games::catalogue() {
                        option value=(entry.info().name) selected[entry.info().name == self.game] { (title(entry.as_ref(), visit.language)) }
                    }
                } }
                button { (say("Show")) }
            }
        }
    }
}

pub(crate) async fn show(
    visit: Visit,
    State(hall): State<Arc<Hall>>,
    Query(asked): Query<Asked>,
) -> Answer<Markup> {
    let language = visit.language;
    let say = |text| language.say(text);
    let look = || -> Result<_, Error> {
        hall.read(|store| {
            // One more tells whether there are more.
            let tables = store.tables(asked.game(), first(asked.tables), LISTED + 1)?;
            let pairings = store.latest_pairings(asked.game(), first(asked.pairings), LISTED + 1)?;
            Ok((tables, pairings, store.imported_count()?))
        })
    };
    let (tables, pairings, imported) = look().map_err(|error| Failure::of(visit, &error))?;
    let body = html! {
        h1 { (say("Watch")) }
        (asked.form(visit))
        @if hall.league.get().is_some() { p { a href="/league" { (say("The league")) } } }
        section {
            h2 { (say("Games at the tables")) }
            @if tables.is_empty() { p.small { (say("Nobody has played yet.")) } }
            ul.list { @for table in tables.iter().take(LISTED) { (table_line(table, visit)) } }
            (asked.pages(false, tables.len() > LISTED, visit))
        }
        section {
            h2 { (say("Games of matches and experiments")) }
            @if pairings.is_empty() { p.small { (say("No experiment has been run yet.")) } }
            ul.list { @for pairing in pairings.iter().take(LISTED) { (pairing_line(pairing, visit, visit.policy())) } }
            (asked.pages(true, pairings.len() > LISTED, visit))
        }
        section {
            h2 { (say("Other records")) }
            @if imported > 0 {
                p { a href={ "/watch/" (IMPORT) } { (say("Imported games")) } span.small { " " (language.games(imported)) } }
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
    let actions = table.actions.split(' ').filter(|word| !word.is_empty()).count();
    let when =
        jiff::Timestamp::from_second(table.changed).map(|at| at.strftime("%Y-%m-%d %H:%M UTC").to_string());
    html! {
        li {
            a href={ "/t/" (table.id) } { (named(&opening.game, visit)) ": " (who.join(" – ")) }
            span.small { " " (state(aside, &opening, visit)) " · " (when.unwrap_or_default()) " · " (visit.language.actions(actions)) }
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
            span.small { " " (visit.language.games(pairing.games)) }
        }
    }
}
