//! Replaying a record, from a table, from the store or pasted: everything is revealed here, so it must be over.

use super::home::name_in;
use super::layout::{page, tabs};
use super::position::query;
use super::{Answer, Failure, refused, thoughts};
use crate::hall::{Hall, PERSON, record_of};
use crate::opening::Policy;
use crate::seen::Viewer;
use crate::visit::Visit;
use crate::words::Language;
use crate::{review, seen};
use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use maud::{Markup, PreEscaped, html};
use ranka_core::{Actor, AnyGame, AnyTable, Error, Record, Seat, Seed, TableDisplay};
use ranka_lab::IMPORT;
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;

/// The record that an address means, by a table's name or as `ranka record show` names a game; nothing if there is none, or
/// its game goes on.
fn find(hall: &Hall, source: &str, name: &str) -> Result<Option<Record>, Error> {
    match source {
        "table" => Ok(hall.room(name)?.as_deref().and_then(|room| record_of(room, hall.limits.think))),
        IMPORT => {
            let Ok(number) = name.parse() else { return Ok(None) };
            hall.read(|store| store.imported_record(number))
        }
        identity => {
            let Ok(number) = name.parse::<u32>() else { return Ok(None) };
            hall.read(|store| store.record(store.find(identity)?.key, number.into()))
        }
    }
}

pub(super) fn found(
    hall: &Hall,
    visit: Visit,
    source: &str,
    name: &str,
) -> Answer<(Record, Arc<dyn AnyGame>)> {
    let open = || -> Result<Option<(Record, Arc<dyn AnyGame>)>, Error> {
        let Some(mut record) = find(hall, source, name)? else { return Ok(None) };
        let game = ranka_games::game(&record.game)?.open(&record.rules)?;
        game.replay(&record)?;
        if !visit.trusted {
            hide_this_machine(&mut record, visit.policy());
        }
        Ok(Some((record, game)))
    };
    let opened = tokio::task::block_in_place(open).map_err(|error| Failure::of(visit, &error))?;
    opened.ok_or_else(|| Failure::missing(visit, "There is no such record, or its game goes on."))
}

/// Takes out what tells of this machine: files and programs, and what they have to say.
fn hide_this_machine(record: &mut Record, policy: Policy) {
    for agent in &mut record.agents {
        *agent = policy.shown_agent(&record.game, agent);
    }
    record.rules = policy.shown_rules(&record.game, &record.rules);
    record.end.detail = None;
}

/// The table of a record after so many actions.
pub(crate) fn table_after(
    game: &dyn AnyGame,
    record: &Record,
    actions: usize,
) -> Result<Box<dyn AnyTable>, Error> {
    let mut table =
        game.table(Some(&record.start), &vec![None; record.agents.len()], Seed::new(record.seed.0))?;
    for action in words(record).take(actions) {
        table.replay(action)?;
    }
    Ok(table)
}

/// The actions of a record.
pub(crate) fn words(record: &Record) -> impl Iterator<Item = &str> {
    record.actions.split(' ').filter(|word| !word.is_empty())
}

pub(crate) async fn show(
    visit: Visit,
    State(hall): State<Arc<Hall>>,
    Path((source, name)): Path<(String, String)>,
    Query(looking): Query<Looking>,
) -> Answer<Markup> {
    let (record, game) = found(&hall, visit, &source, &name)?;
    let Players { names: called, result } = players(&hall, visit, (&source, &name), &record, &looking);
    let language = visit.language;
    let say = |text| language.say(text);
    let count = words(&record).count();
    let table = table_after(game.as_ref(), &record, 0).map_err(|e| Failure::of(visit, &e))?;
    let picture = table.unveiled(&language.look(Seat::FIRST));
    let colour = |seat: usize| table.colour(Seat::FIRST, Seat::new(seat));
    let here = format!("{source}/{name}");
    let rules = visit.policy().shown_rules(&record.game, &game.rules_short());
    let told = told(game.as_ref(), &record, language).map_err(|e| Failure::of(visit, &e))?;
    let body = html! {
        div.table data-replay=(here) data-frames=(count) data-game=(record.game) data-you=(looking.query()) {
            section.board-side {
                h1.quiet { (say("Replay")) " · " (name_in(game.info(), language)) @if !rules.is_empty() { span.small { " · " (rules) } } }
                div.board id="board" { (PreEscaped(picture)) }
                p.ask id="ask" role="status" aria-live="polite" {}
                figure.review id="review" hidden {}
                input.frame id="frame" type="range" min="0" max=(count) value="0" aria-label=(say("Action"));
                div.slider {
                    button id="back" aria-label=(say("One back")) { "◀" }
                    button id="run" data-stop=(say("Pause")) { (say("Play back")) }
                    button id="forth" aria-label=(say("One on")) { "▶" }
                    span.small id="count" {}
                    button id="ask-review" { (say("How good were the moves?")) }
                    label.inline { (say("Speed")) select id="speed" { option value="1200" { "½×" } option value="600" selected { "1×" } option value="250" { "2×" } option value="100" { "5×" } } }
                }
            }
            aside.panel {
                ul.players { @for (seat, agent) in record.agents.iter().enumerate() { li {
                    span.seat-mark data-seat=(seat) data-colour=(colour(seat)) {} span.player-name { (called[seat]) }
                    @let version = record.version_of(Seat::new(seat));
                    @let version = (version > 1).then(|| language.fill("version {0}", [&version.to_string()]));
                    @if *agent != called[seat] && agent != PERSON {
                        details { summary.small { (say("Program")) } code.small { (agent) } @if let Some(version) = &version { " " span.small { (version) } } }
                    } @else if let Some(version) = &version { span.small { " " (version) } }
                } } }
                @if source != "table" { p.small { code { (here) } } }
                p { strong id="result" { (result.0) } @if !result.1.is_empty() { " · " } span id="reason" { (result.1) } }
                @if let Some(detail) = &record.end.detail { details { summary { (say("What went wrong")) } p.small { (detail) } } }
                p.error id="error" role="alert" hidden {}
                // Not under the board, which would have to make room for them.
                ul.turns id="turning-points" aria-label=(say("Turning points")) hidden {}
                (tabs(language, &[("moves", "Moves"), ("analysis", "Analysis"), ("share", "Share")]))
                div id="tab-moves" role="tabpanel" aria-labelledby="of-moves" tabindex="0" {
                    ol.moves id="moves" { @for (number, (action, (by, says))) in words(&record).zip(&told).enumerate() {
                        li { span.seat-mark data-seat=[by] data-colour=[by.map(colour)] {} button data-frame=(number + 1) { (says) @if says != action { " " code { (action) } } } }
                    } }
                }
                div id="tab-analysis" role="tabpanel" aria-labelledby="of-analysis" tabindex="0" hidden {
                    p { button.primary id="think" { (say("Analyse this position")) } }
                    (thoughts::place(language, |seat| colour(seat.index()), &called[0], called.len(), ""))
                }
                div id="tab-share" role="tabpanel" aria-labelledby="of-share" tabindex="0" hidden {
                    label { (say("Link to this position")) input id="link" readonly; }
                    div.buttons {
                        button id="copy" data-done=(say("Copied")) data-failed=(say("This browser does not let a page copy")) { (say("Copy the link")) }
                        a.button id="save-svg" download="position.svg" href={ "/replay/" (here) "/0?svg" } { (say("Save this picture")) }
                        a.button href={ "/film/" (here) } { (say("Save as an animated page")) }
                        a.button href={ "/record/" (here) } { (say("Save the record")) }
                    }
                }
                div.buttons {
                    a.button id="analyse-here" href="/position" { (say("Open on the analysis board")) }
                }
            }
        }
    };
    Ok(page(visit, say("Replay"), &["replay.js"], &body))
}

/// Who looks back.
#[derive(Default, Deserialize)]
pub(crate) struct Looking {
    /// The seat that it had at the table.
    you: Option<String>,
}

impl Looking {
    fn viewer(&self, seats: usize) -> Viewer {
        let seat = self.you.as_deref().and_then(|you| you.parse().ok()).filter(|&seat| seat < seats);
        seat.map_or(Viewer::Onlooker, |seat| Viewer::Seat(Seat::new(seat)))
    }

    fn query(&self) -> String {
        self.you.as_ref().map_or_else(String::new, |you| format!("?you={}", query(you)))
    }
}

/// What the players of a record are called, and how it ended: in short, and why.
struct Players {
    names: Vec<String>,
    result: (String, String),
}

/// The players of a game at a table are called as they were there.
fn players(
    hall: &Hall,
    visit: Visit,
    (source, name): (&str, &str),
    record: &Record,
    looking: &Looking,
) -> Players {
    let room = if source == "table" { hall.room(name).ok().flatten() } else { None };
    if let Some(room) = room {
        let viewer = looking.viewer(record.agents.len());
        let play = room.play();
        let result = seen::result(&room, &play, viewer, visit);
        return Players {
            names: told_apart(seen::names(&room, &play, viewer, visit), play.table.as_ref(), visit.language),
            result: result.map_or_else(Default::default, |result| (result.text, result.reason)),
        };
    }
    let language = visit.language;
    let called = |agent: &String| language.say(&visit.policy().called(&record.game, agent)).to_owned();
    let names: Vec<String> = record.agents.iter().map(called).collect();
    let scores: Vec<String> = record.outcome.iter().map(f64::to_string).collect();
    let blamed = record.end.seat.and_then(|seat| names.get(seat.index())).map_or("", String::as_str);
    let reason = seen::ended(record.end.reason, blamed, language);
    Players { result: (language.fill("Result: {0}", [&scores.join(" – ")]), reason), names }
}

/// Of several who are called the same each has beside the name what the game calls the seat.
fn told_apart(names: Vec<String>, table: &dyn TableDisplay, language: Language) -> Vec<String> {
    let apart = |(number, name): (usize, &String)| {
        let side = table.side(Seat::new(number));
        let alone = names.iter().filter(|other| *other == name).count() == 1;
        if alone || side.is_empty() { name.clone() } else { format!("{name} ({})", language.say(&side)) }
    };
    names.iter().enumerate().map(apart).collect()
}

/// Who took each action, nobody being chance, and what it did.
fn told(
    game: &dyn AnyGame,
    record: &Record,
    language: Language,
) -> Result<Vec<(Option<usize>, String)>, Error> {
    let mut table = table_after(game, record, 0)?;
    let mut told = Vec::new();
    for action in words(record) {
        let by = table.actor().seat();
        let message = thoughts::told(table.as_ref(), action);
        told.push((by.map(Seat::index), seen::said(&message, action, language)));
        table.replay(action)?;
    }
    Ok(told)
}

/// One position of a record; as a picture alone with `?svg`.
pub(crate) async fn frame(
    visit: Visit,
    State(hall): State<Arc<Hall>>,
    Path((source, name, number)): Path<(String, String, usize)>,
    uri: axum::http::Uri,
) -> Answer<Response> {
    let (record, game) = found(&hall, visit, &source, &name)?;
    let count = words(&record).count();
    let number = number.min(count);
    let tell = || -> Result<(Value, String), Error> {
        let mut table = table_after(game.as_ref(), &record, number.saturating_sub(1))?;
        let mut says = String::new();
        let mut steps = Vec::new();
        let mut by = None;
        if number > 0 {
            let action = words(&record).nth(number - 1).unwrap_or_default();
            by = table.actor().seat();
            let message = thoughts::told(table.as_ref(), action);
            says = seen::said(&message, action, visit.language);
            steps = by.map_or_else(Vec::new, |seat| table.motion(seat, action));
            table.replay(action)?;
        }
        let picture = table.unveiled(&visit.language.look(Seat::FIRST));
        let turn = match table.actor() {
            Actor::Seat(seat) => Some(seat.index()),
            _ => None,
        };
        let position = table.position();
        let rules = visit.policy().shown_rules(&record.game, &game.rules_short());
        let told = json!({ "frame": number, "picture": picture, "says": says, "steps": steps, "by": by.map(Seat::index), "turn": turn,
                           "position": position, "game": record.game, "rules": rules });
        Ok((told, picture))
    };
    let (told, picture) = tell().map_err(|error| Failure::of(visit, &error))?;
    if uri.query() == Some("svg") {
        return Ok(([(CONTENT_TYPE, "image/svg+xml")], ranka_core::standalone(&picture)).into_response());
    }
    Ok(Json(told).into_response())
}

/// How good the moves were, as a strong agent sees it.
pub(crate) async fn review(
    visit: Visit,
    State(hall): State<Arc<Hall>>,
    Path((source, name)): Path<(String, String)>,
    Query(looking): Query<Looking>,
) -> Answer<Response> {
    let (record, game) = found(&hall, visit, &source, &name)?;
    let names = players(&hall, visit, (&source, &name), &record, &looking).names;
    Ok(match review::of(&hall, game, record, &names, visit).await {
        Ok(review) => Json(review).into_response(),
        Err(error) => refused(visit, &error),
    })
}

/// The record as a file.
pub(crate) async fn record(
    visit: Visit,
    State(hall): State<Arc<Hall>>,
    Path((source, name)): Path<(String, String)>,
) -> Answer<Response> {
    let (record, _) = found(&hall, visit, &source, &name)?;
    let text = serde_json::to_string(&record).expect("a record is text and numbers") + "\n";
    let headers =
        [(CONTENT_TYPE, "application/json"), (CONTENT_DISPOSITION, "attachment; filename=\"record.json\"")];
    Ok((headers, text).into_response())
}
