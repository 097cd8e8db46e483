//! A table: the page of a game, and the connection that keeps it live.

use super::home::title;
use super::layout::{page, tabs};
use super::{Answer, Failure, thoughts};
use crate::hall::Hall;
use crate::live;
use crate::opening::Sitter;
use crate::room::Room;
use crate::seen::{Seen, Viewer};
use crate::visit::Visit;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use maud::{Markup, PreEscaped, html};
use std::sync::Arc;

type Place = (Arc<Room>, Viewer);

fn find(hall: &Hall, visit: Visit, id: &str, secret: Option<&str>) -> Answer<Place> {
    let missing = || Failure::missing(visit, "There is no such table, or this link has no seat at it.");
    let room = hall.room(id).map_err(|error| Failure::input(visit, &error))?.ok_or_else(missing)?;
    let viewer = match secret {
        None => Viewer::Guest,
        Some(secret) => Viewer::Seat(room.opening.seat_of(secret).ok_or_else(missing)?),
    };
    Ok((room, viewer))
}

pub(crate) async fn watch(
    visit: Visit,
    State(hall): State<Arc<Hall>>,
    Path(id): Path<String>,
) -> Answer<Markup> {
    let (room, viewer) = find(&hall, visit, &id, None)?;
    Ok(show(visit, &room, viewer, &format!("/live/{id}")))
}

pub(crate) async fn play(
    visit: Visit,
    State(hall): State<Arc<Hall>>,
    Path((id, secret)): Path<(String, String)>,
) -> Answer<Markup> {
    let (room, viewer) = find(&hall, visit, &id, Some(&secret))?;
    Ok(show(visit, &room, viewer, &format!("/live/{id}/{secret}")))
}

pub(crate) async fn live_watch(
    visit: Visit,
    State(hall): State<Arc<Hall>>,
    Path(id): Path<String>,
    upgrade: WebSocketUpgrade,
) -> Answer<Response> {
    let place = find(&hall, visit, &id, None)?;
    Ok(connect(hall, visit, place, upgrade))
}

pub(crate) async fn live_play(
    visit: Visit,
    State(hall): State<Arc<Hall>>,
    Path((id, secret)): Path<(String, String)>,
    upgrade: WebSocketUpgrade,
) -> Answer<Response> {
    let place = find(&hall, visit, &id, Some(&secret))?;
    Ok(connect(hall, visit, place, upgrade))
}

fn connect(hall: Arc<Hall>, visit: Visit, (room, viewer): Place, upgrade: WebSocketUpgrade) -> Response {
    let Ok(permit) = Arc::clone(&hall.connections).try_acquire_owned() else {
        let full = visit.language.say("The arena is full: try again later.").to_owned();
        return (axum::http::StatusCode::SERVICE_UNAVAILABLE, full).into_response();
    };
    let most = hall.limits.bytes;
    upgrade.max_message_size(most).max_frame_size(most).on_upgrade(async move |socket| {
        live::serve(hall, room, viewer, visit.language, socket).await;
        drop(permit);
    })
}

fn show(visit: Visit, room: &Room, viewer: Viewer, live: &str) -> Markup {
    let language = visit.language;
    let say = |text| language.say(text);
    let seen = Seen::of(room, viewer, language);
    let entry = ranka_games::game(&room.opening.game);
    let seat = match viewer {
        Viewer::Seat(seat) => seat.index(),
        Viewer::Guest => 0,
    };
    let name = entry.map_or("", |entry| title(entry, language));
    let links: Vec<(usize, String)> = match viewer {
        // Whoever laid the table gives the other people their links.
        Viewer::Seat(own) if own.index() == first_person(room) => (room.opening.seats.iter().enumerate())
            .filter_map(|(seat, sitter)| match sitter {
                Sitter::Person(secret) if seat != own.index() => {
                    Some((seat, format!("/t/{}/{secret}", room.id)))
                }
                _ => None,
            })
            .collect(),
        _ => Vec::new(),
    };
    let body = html! {
        div.table data-live=(live) data-game=(room.opening.game) data-id=(room.id) data-seat=(seat) {
            section.board-side {
                div.board-head {
                    h1.quiet { (name) @if !room.opening.rules.is_empty() { span.small { " · " (room.opening.rules) } } }
                    button.zoom id="zoom" aria-pressed="false" { (say("Zoom")) }
                }
                div.board id="board" tabindex="-1" data-again=(say("touch again to play")) { (PreEscaped(seen.picture)) }
                p.ask id="ask" role="status" aria-live="polite" {}
                div.judge id="judge" hidden {
                    span id="judged" {}
                    button data-label="good" { (say("I would play it")) }
                    button data-label="unsure" { (say("Can't tell")) }
                    button data-label="bad" { (say("Bad")) }
                    button.quiet-button data-label="skip" { (say("Skip")) }
                }
                div.banner id="banner" role="alert" hidden {
                    button.close id="banner-close" aria-label=(say("Look at the board")) { "✕" }
                    strong id="result" {}
                    span.small id="reason" {}
                    details id="fault" hidden { summary { (say("What went wrong")) } p.small id="fault-detail" {} }
                    div.buttons {
                        (again(room, visit))
                        a.button href={ "/replay/table/" (room.id) } { (say("Replay")) }
                    }
                }
            }
            aside.panel {
                p.connection id="connection" role="status" hidden { (say("Connection lost; trying again…")) }
                p.error id="error" role="alert" hidden {}
                ul.players id="players" {}
                @if !links.is_empty() {
                    div.links {
                        @for (seat, link) in &links {
                            label { (language.fill("Link for seat {0}", [&(seat + 1).to_string()]))
                                input readonly value=(link) data-link=""; }
                        }
                    }
                }
                @if room.opening.teaches.is_some() {
                    p { a href={ "/labels/" (room.opening.teaches.as_deref().unwrap_or("")) } { (say("What was taught so far")) } }
                }
                (tabs(visit.language, &[("moves", "Moves"), ("analysis", "Analysis"), ("rules", "Rules")]))
                div id="tab-moves" role="tabpanel" aria-labelledby="of-moves" tabindex="0" { ol.moves id="moves" {} }
                div id="tab-analysis" role="tabpanel" aria-labelledby="of-analysis" tabindex="0" hidden {
                    (adaptive(room, visit))
                    figure.beliefs id="beliefs" hidden { figcaption.small {} }
                    label.inline { input type="checkbox" id="show-thought"; (say("Draw what the agent considered on the board")) }
                    (thoughts::place(language, "Nothing has been thought yet, or it must stay hidden until the end."))
                }
                div id="tab-rules" role="tabpanel" aria-labelledby="of-rules" tabindex="0" hidden { (rules(room, visit)) }
                figure.preview id="preview" hidden { figcaption.small { (say("After this move")) } div {} }
                div.buttons {
                    button id="hint" { (say("Hint")) }
                    button id="take-back" { (say("Take back")) }
                    button id="resign" data-sure=(say("Press again to resign")) { (say("Resign")) }
                }
                p.small.keys { (say("Keys: Tab and arrows choose, Enter plays, Esc steps back, R turns.")) }
            }
        }
    };
    page(visit, name, &["game.js"], &body)
}

fn first_person(room: &Room) -> usize {
    room.opening.seats.iter().position(|sitter| matches!(sitter, Sitter::Person(_))).unwrap_or(usize::MAX)
}

/// The same players once more: as they sat, or each a seat further.
fn again(room: &Room, visit: Visit) -> Markup {
    let seats = &room.opening.seats;
    let form = |label: &'static str, shift: usize| {
        html! {
            form method="post" action="/new" {
                input type="hidden" name="game" value=(room.opening.game);
                input type="hidden" name="rules" value=(room.opening.rules);
                input type="hidden" name="teaches" value=(room.opening.teaches.as_deref().unwrap_or(""));
                @for seat in 0..seats.len() {
                    @let (who, params) = match &seats[(seat + shift) % seats.len()] {
                        Sitter::Person(_) => ("person", ""),
                        Sitter::Agent(spec) => spec.split_once(':').unwrap_or((spec, "")),
                    };
                    input type="hidden" name={ "who" (seat) } value=(who);
                    input type="hidden" name={ "params" (seat) } value=(params);
                }
                button { (visit.language.say(label)) }
            }
        }
    };
    html! { (form("Again", 0)) (form("Swap seats", 1)) }
}

/// What an opponent that adapts does, in a sentence.
fn adaptive(room: &Room, visit: Visit) -> Markup {
    let adaptive = room.game.info().adaptive.map_or("", |(agent, _)| agent);
    let is_it = |spec: &str| !adaptive.is_empty() && spec.split(':').next() == Some(adaptive);
    let adapts = room.opening.seats.iter().any(|sitter| matches!(sitter, Sitter::Agent(spec) if is_it(spec)));
    html! {
        @if adapts {
            p { (visit.language.say("This opponent watches how good your moves are and plays just about as well; the curve shows how strong it takes you to be.")) }
        }
    }
}

fn rules(room: &Room, visit: Visit) -> Markup {
    let language = visit.language;
    html! {
        @if let Ok(entry) = ranka_games::game(&room.opening.game) {
            p { (language.say(entry.info().summary)) }
            p { (language.say(entry.info().how)) }
            table {
                @let all = room.game.rules();
                @for param in entry.options() {
                    @let value = all.split(',').find_map(|pair| pair.strip_prefix(param.key)?.strip_prefix('=')).unwrap_or(param.default);
                    tr { th scope="row" { (param.key) } td { (value) } td.small { (language.say(param.help)) } }
                }
            }
        }
    }
}
