//! The games of a pairing, or those that came from elsewhere: what came of each, and a way to its replay.

use super::layout::page;
use super::watch::named;
use super::{Answer, Failure};
use crate::hall::Hall;
use crate::seen::ended;
use crate::visit::Visit;
use axum::extract::{Path, Query, State};
use maud::{Markup, html};
use ranka_core::{EndReason, Error, Wdl};
use ranka_lab::{Choice, IMPORT, Store, Stretch, game_name, imported_name};
use serde::Deserialize;
use std::fmt::Write as _;
use std::sync::Arc;

/// How many games a page has.
const GAMES: usize = 50;

/// How many agents of imported games one can ask for.
const AGENTS: usize = 40;

/// What is asked for.
#[derive(Deserialize)]
pub(crate) struct Asked {
    /// `faults`, or the number of the agent that lost.
    #[serde(default)]
    show: String,
    /// `longest`, or anything.
    #[serde(default)]
    order: String,
    /// Which page, from 1.
    page: Option<u64>,
    /// The numbers of the first and the last imported game.
    first: Option<i64>,
    last: Option<i64>,
}

impl Asked {
    fn choice(&self) -> Choice<usize> {
        match self.show.as_str() {
            "faults" => Choice::Faults,
            show => show.parse().map_or(Choice::All, Choice::LostBy),
        }
    }

    fn page(&self) -> u64 {
        self.page.unwrap_or(1).clamp(1, u64::from(u32::MAX))
    }

    fn stretch(&self) -> Stretch {
        let from = (self.page() - 1) * GAMES as u64;
        // One more tells whether there are more.
        Stretch { longest: self.order == "longest", from, most: GAMES + 1 }
    }

    /// The address of another page of the same list.
    fn turned(&self, page: u64) -> String {
        let show = match self.choice() {
            Choice::All => String::new(),
            Choice::Faults => "show=faults&".to_owned(),
            Choice::LostBy(agent) => format!("show={agent}&"),
        };
        let mut query = format!("?{show}page={page}");
        if self.order == "longest" {
            query += "&order=longest";
        }
        for (key, number) in [("first", self.first), ("last", self.last)] {
            if let Some(number) = number {
                let _ = write!(query, "&{key}={number}");
            }
        }
        query
    }
}

/// A game of the list, in a visitor's words.
struct Line {
    name: String,
    /// Which game it is a game of, where they differ.
    game: Option<String>,
    players: Vec<String>,
    scores: Vec<f64>,
    plies: u32,
    reason: EndReason,
    blamed: Option<usize>,
}

/// What is listed.
struct Listed {
    title: String,
    /// Who may have lost, by the number to ask for.
    agents: Vec<String>,
    lines: Vec<Line>,
}

pub(crate) async fn show(
    visit: Visit,
    State(hall): State<Arc<Hall>>,
    Path(of): Path<String>,
    Query(asked): Query<Asked>,
) -> Answer<Markup> {
    let list = |store: &Store| match of.as_str() {
        IMPORT => imported(visit, store, &asked),
        identity => played(visit, store, identity, &asked),
    };
    let listed = hall.read(list).map_err(|error| Failure::of(visit, &error))?;
    Ok(page(visit, &listed.title, &[], &body(visit, &asked, &listed)))
}

fn played(visit: Visit, store: &Store, identity: &str, asked: &Asked) -> Result<Listed, Error> {
    let pairing = store.find(identity)?;
    let agents: Vec<String> =
        pairing.agents.iter().map(|agent| visit.policy().called(&pairing.game, agent)).collect();
    let games = store.list_games(pairing.key, asked.choice(), asked.stretch())?;
    let name = |agent: &usize| agents.get(*agent).cloned().unwrap_or_default();
    let lines = games.into_iter().map(|game| Line {
        name: game_name(&pairing.identity, game.number),
        game: None,
        players: game.agents.iter().map(name).collect(),
        scores: game.scores,
        plies: game.plies,
        reason: game.reason,
        blamed: game.blamed.map(|seat| seat.index()),
    });
    let lines = lines.collect();
    let title = format!("{}: {}", named(&pairing.game, visit), agents.join(" – "));
    Ok(Listed { title, agents, lines })
}

fn imported(visit: Visit, store: &Store, asked: &Asked) -> Result<Listed, Error> {
    let known = store.imported_agents(AGENTS)?;
    let choice = match asked.choice() {
        Choice::LostBy(number) => known
            .get(number)
            .map_or(Choice::All, |(game, agent)| Choice::LostBy((game.as_str(), agent.as_str()))),
        Choice::Faults => Choice::Faults,
        Choice::All => Choice::All,
    };
    let numbered = asked.first.unwrap_or(1)..=asked.last.unwrap_or(i64::MAX);
    let records = store.list_imported(numbered, choice, asked.stretch())?;
    let lines = records.into_iter().map(|(number, record)| Line {
        name: imported_name(number),
        game: Some(named(&record.game, visit).to_owned()),
        players: record.agents.iter().map(|agent| visit.policy().called(&record.game, agent)).collect(),
        scores: record.outcome,
        plies: record.plies,
        reason: record.end.reason,
        blamed: record.end.seat.map(|seat| seat.index()),
    });
    let lines = lines.collect();
    let agents = known
        .iter()
        .map(|(game, agent)| format!("{} ({})", visit.policy().called(game, agent), named(game, visit)));
    Ok(Listed { title: visit.language.say("Imported games").to_owned(), agents: agents.collect(), lines })
}

fn body(visit: Visit, asked: &Asked, listed: &Listed) -> Markup {
    let language = visit.language;
    let say = |text| language.say(text);
    let choice = asked.choice();
    let more = listed.lines.len() > GAMES;
    let of_several = listed.lines.iter().any(|line| line.game.is_some());
    html! {
        h1 { (listed.title) }
        form.versus method="get" {
            label { (say("Which games")) select name="show" {
                option value="all" selected[choice == Choice::All] { (say("All games")) }
                option value="faults" selected[choice == Choice::Faults] { (say("Ended by a fault")) }
                @for (number, agent) in listed.agents.iter().enumerate() {
                    option value=(number) selected[choice == Choice::LostBy(number)] { (language.fill("Lost by {0}", [agent])) }
                }
            } }
            label { (say("Order")) select name="order" {
                option value="number" { (say("As they were played")) }
                option value="longest" selected[asked.order == "longest"] { (say("The longest first")) }
            } }
            @for (key, number) in [("first", asked.first), ("last", asked.last)] {
                @if let Some(number) = number { input type="hidden" name=(key) value=(number); }
            }
            button { (say("Show")) }
        }
        @if listed.lines.is_empty() { p.small { (say("There is no such game.")) } }
        @else {
            div.wide tabindex="0" role="region" aria-label=(listed.title) { table.games {
                thead { tr {
                    th { (say("Replay")) }
                    @if of_several { th { (say("Game")) } }
                    th { (say("By seats")) } th { (say("Result")) } th { (say("Why")) } th.n { (say("Actions")) }
                } }
                tbody { @for line in listed.lines.iter().take(GAMES) { (row(visit, line)) } }
            } }
        }
        nav.buttons aria-label=(say("Pages of the list")) {
            @if asked.page() > 1 { a.button rel="prev" href=(asked.turned(asked.page() - 1)) { (say("Back")) } }
            @if more { a.button rel="next" href=(asked.turned(asked.page() + 1)) { (say("More")) } }
        }
        p { a href="/watch" { (say("Watch")) } }
    }
}

fn row(visit: Visit, line: &Line) -> Markup {
    let language = visit.language;
    let blamed = line.blamed.and_then(|seat| line.players.get(seat)).map_or("", |name| language.say(name));
    let winner = line.scores.iter().position(|&score| Wdl::of(score) == Wdl::Win);
    let result = match winner.and_then(|seat| line.players.get(seat)) {
        Some(name) => language.fill("{0} wins", [language.say(name)]),
        None => language.say("A draw").to_owned(),
    };
    let why = match ended(line.reason, blamed, language) {
        why if why.is_empty() => language.say("by the rules").to_owned(),
        why => why,
    };
    let players: Vec<&str> = line.players.iter().map(|name| language.say(name)).collect();
    html! {
        tr {
            td { a href={ "/replay/" (line.name) } { (line.name) } }
            @if let Some(game) = &line.game { td { (game) } }
            td { (players.join(" – ")) } td { (result) } td { (why) } td.n { (line.plies) }
        }
    }
}
