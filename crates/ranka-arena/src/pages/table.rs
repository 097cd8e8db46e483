//! A table: the page of a game, and the connection that keeps it live.

use super::home::title;
use super::layout::{asking, page, tabs};
use super::new::strength;
use super::{Answer, Failure, thoughts};
use crate::hall::Hall;
use crate::levels::{self, dotted};
use crate::live::{self, Place};
use crate::opening::Sitter;
use crate::room::Room;
use crate::seen::{Seen, Viewer};
use crate::visit::Visit;
use axum::Form;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{Path, RawQuery, State};
use axum::response::{Redirect, Response};
use maud::{Markup, PreEscaped, html};
use ranka_core::{AgentSpec, Error, Params};
use ranka_games::Strength;
use serde::Deserialize;
use std::sync::Arc;

pub(super) fn find(hall: &Hall, visit: Visit, id: &str, secret: Option<&str>) -> Answer<Place> {
    let missing = || Failure::missing(visit, "There is no such table, or this link has no seat at it.");
    let room = hall.room(id).map_err(|error| Failure::of(visit, &error))?.ok_or_else(missing)?;
    let viewer = match secret {
        None => Viewer::Onlooker,
        Some(secret) => Viewer::Seat(room.seat_of(secret).ok_or_else(missing)?),
    };
    Ok((room, viewer))
}

pub(crate) async fn watch(
    visit: Visit,
    State(hall): State<Arc<Hall>>,
    Path(id): Path<String>,
) -> Answer<Markup> {
    let (room, viewer) = find(&hall, visit, &id, None)?;
    Ok(show(visit, &room, viewer, &id))
}

pub(crate) async fn play(
    visit: Visit,
    State(hall): State<Arc<Hall>>,
    Path((id, secret)): Path<(String, String)>,
) -> Answer<Markup> {
    let (room, viewer) = find(&hall, visit, &id, Some(&secret))?;
    Ok(show(visit, &room, viewer, &format!("{id}/{secret}")))
}

pub(crate) async fn live_watch(
    visit: Visit,
    State(hall): State<Arc<Hall>>,
    Path(id): Path<String>,
    RawQuery(query): RawQuery,
    upgrade: WebSocketUpgrade,
) -> Answer<Response> {
    let place = find(&hall, visit, &id, None)?;
    connect(hall, visit, place, query.as_deref() == Some("packed"), upgrade)
}

pub(crate) async fn live_play(
    visit: Visit,
    State(hall): State<Arc<Hall>>,
    Path((id, secret)): Path<(String, String)>,
    RawQuery(query): RawQuery,
    upgrade: WebSocketUpgrade,
) -> Answer<Response> {
    let place = find(&hall, visit, &id, Some(&secret))?;
    connect(hall, visit, place, query.as_deref() == Some("packed"), upgrade)
}

fn connect(
    hall: Arc<Hall>,
    visit: Visit,
    place: Place,
    packed: bool,
    upgrade: WebSocketUpgrade,
) -> Answer<Response> {
    let permit = hall.connect().map_err(|error| Failure::of(visit, &error))?;
    let most = hall.limits.bytes;
    Ok(upgrade.max_message_size(most).max_frame_size(most).on_upgrade(async move |socket| {
        live::serve(hall, place, visit, packed, socket).await;
        drop(permit);
    }))
}

/// The page for whoever comes by this link, which is the table's name and the seat's secret.
fn show(visit: Visit, room: &Room, viewer: Viewer, link: &str) -> Markup {
    let language = visit.language;
    let say = |text| language.say(text);
    let seen = Seen::of(room, viewer, visit);
    let entry = ranka_games::game(&room.opening.game);
    let seat = viewer.side().index();
    let name = entry.map_or("", |entry| title(entry, language));
    // Who looks back is called as at the table.
    let you = match viewer {
        Viewer::Seat(seat) => format!("?you={}", seat.index()),
        Viewer::Onlooker => String::new(),
    };
    let body = html! {
        div.table data-live={ "/live/" (link) } data-game=(room.opening.game) data-name=(name) data-id=(room.id) data-seat=(seat) {
            section.board-side {
                div.board-head {
                    h1.quiet { (name) @if !room.opening.rules.is_empty() { span.small { " · " (room.shown_rules(visit.policy())) } } }
                    div.board-tools {
                        button id="sound" aria-pressed="false" { (say("Sound")) }
                        button.zoom id="zoom" aria-pressed="false" { (say("Zoom")) }
                    }
                }
                div.board id="board" tabindex="-1" data-again=(say("touch again to play")) { (PreEscaped(seen.picture)) }
                p.news id="news" role="log" aria-live="polite" aria-label=(say("What happened")) {}
                (asking(language))
                div.judge id="judge" hidden {
                    span id="judged" {}
                    button data-label="good" { (say("I would play it")) }
                    button data-label="unsure" { (say("Can't tell")) }
                    button data-label="bad" { (say("Bad")) }
                    button.quiet-button data-label="skip" { (say("Skip")) }
                }
            }
            aside.panel {
                div.banner id="banner" role="status" hidden {
                    strong id="result" {}
                    p id="reason" {}
                    details id="fault" hidden { summary { (say("What went wrong")) } p.small id="fault-detail" {} }
                    div.buttons {
                        a.button.primary id="rematch" hidden {}
                        @if viewer != Viewer::Onlooker || room.opening.people() == 0 { (again(link, room, visit)) }
                        a.button id="replay" href={ "/replay/table/" (room.id) (you) } { (say("Review")) }
                    }
                }
                p.connection id="connection" role="status" hidden { (say("Connection lost; trying again…")) }
                p.error id="error" role="alert" hidden {}
                ul.players id="players" {}
                (arranged(room, visit))
                div.links id="invitations" hidden data-copy=(say("Copy the link")) data-copied=(say("Copied")) data-failed=(say("This browser does not let a page copy")) data-code=(say("Code for a phone")) {
                    p.small { (say("Send these to the other players. Each is spent when somebody sits down.")) }
                    p.small.warning id="only-this-computer" hidden { (say("These links work on this computer only. For others, start the server with ranka serve --lan.")) }
                    div {}
                }
                @if room.opening.teaches.is_some() {
                    p { a href={ "/labels/" (room.opening.teaches.as_deref().unwrap_or("")) } { (say("What was taught so far")) } }
                }
                figure.preview id="preview" hidden[viewer == Viewer::Onlooker] { figcaption.small { (say("After this move")) } div {} }
                div.buttons.deeds hidden[viewer == Viewer::Onlooker] {
                    button id="hint" { (say("Hint")) }
                    button id="take-back" { (say("Take back")) }
                    button id="resign" data-sure=(say("Press again to resign")) { (say("Resign")) }
                }
                (tabs(visit.language, &[("moves", "Moves"), ("analysis", "Analysis"), ("rules", "Rules")]))
                div id="tab-moves" role="tabpanel" aria-labelledby="of-moves" tabindex="0" { ol.moves id="moves" {} }
                div id="tab-analysis" role="tabpanel" aria-labelledby="of-analysis" tabindex="0" hidden {
                    figure.believes id="believes" hidden { figcaption {} }
                    (adaptive(room, visit))
                    p.whose id="whose" data-agent=(say("What {0} considered before its last move")) data-hint=(say("A hint for you")) hidden {}
                    label.inline { input type="checkbox" id="show-thought"; (say("Draw what the agent considered on the board")) }
                    (thoughts::place(language, |other| room.play().table.colour(viewer.side(), other), "", room.game.seats(), "Nothing has been thought yet, or it must stay hidden until the end."))
                }
                div id="tab-rules" role="tabpanel" aria-labelledby="of-rules" tabindex="0" hidden { (rules(room, visit)) }
                p.small.keys hidden[viewer == Viewer::Onlooker] { (say("Keys: Tab and arrows choose, Enter plays, Esc steps back, R turns.")) }
            }
        }
    };
    page(visit, name, &["game.js"], &body)
}

/// What the people at a table should know before they trust it.
pub(super) fn arranged(room: &Room, visit: Visit) -> Markup {
    html! {
        @if room.opening.is_arranged(room.game.as_ref()) {
            p.small.arranged { (visit.language.say("Whoever laid this table has chosen the deal, and so may know what is hidden.")) }
        }
    }
}

/// The same players once more: as they sat, or each a seat further.
fn again(link: &str, room: &Room, visit: Visit) -> Markup {
    let by_strength = room.opening.levels.values().next().and_then(|name| Strength::of_name(name));
    let able = if by_strength.is_some() { levels::playable(room.game.as_ref()) } else { Vec::new() };
    html! {
        form.again method="post" action={ "/again/" (link) } {
            @if !able.is_empty() {
                select name="level" aria-label=(visit.language.say("Opponent")) {
                    @for level in able {
                        option value=(level.strength.name()) selected[Some(level.strength) == by_strength] { (dotted(level.strength, visit.language)) }
                    }
                }
            }
            button name="shift" value="0" { (visit.language.say("Again")) }
            button name="shift" value="1" { (visit.language.say("Swap seats")) }
        }
    }
}

#[derive(Deserialize)]
pub(crate) struct Again {
    shift: usize,
    /// How strong the agents are now.
    level: Option<String>,
}

impl Again {
    fn strength(&self) -> Result<Option<Strength>, Error> {
        self.level.as_deref().map(strength).transpose()
    }
}

/// The next game of the people at a table; the others are told.
pub(crate) async fn play_again(
    visit: Visit,
    State(hall): State<Arc<Hall>>,
    Path((id, secret)): Path<(String, String)>,
    Form(again): Form<Again>,
) -> Answer<Redirect> {
    let (room, viewer) = find(&hall, visit, &id, Some(&secret))?;
    let rematch =
        again.strength().and_then(|level| hall.rematch(&room, viewer, again.shift, level, visit.policy()));
    let rematch = rematch.map_err(|error| Failure::of(visit, &error))?;
    let own = match viewer {
        Viewer::Seat(seat) => rematch.links.get(seat.index()).cloned(),
        Viewer::Onlooker => None,
    };
    Ok(Redirect::to(&own.unwrap_or_else(|| format!("/t/{}", rematch.table))))
}

/// The next game of agents among themselves, which anybody may want.
pub(crate) async fn watch_again(
    visit: Visit,
    State(hall): State<Arc<Hall>>,
    Path(id): Path<String>,
    Form(again): Form<Again>,
) -> Answer<Redirect> {
    let (room, viewer) = find(&hall, visit, &id, None)?;
    if room.opening.people() > 0 {
        return Err(Failure::forbidden(visit, "Only who sits at the table can ask for another game."));
    }
    let rematch =
        again.strength().and_then(|level| hall.rematch(&room, viewer, again.shift, level, visit.policy()));
    let rematch = rematch.map_err(|error| Failure::of(visit, &error))?;
    Ok(Redirect::to(&format!("/t/{}", rematch.table)))
}

/// What an opponent that adapts does, in a sentence.
fn adaptive(room: &Room, visit: Visit) -> Markup {
    let of_the_paper = room.game.info().adaptive.map_or("", |(agent, _)| agent);
    let is_it = |spec: &str| ["partner", of_the_paper].contains(&AgentSpec::parse(spec).name.as_str());
    let adapts = room.opening.seats.iter().any(|sitter| matches!(sitter, Sitter::Agent(spec) if is_it(spec)));
    html! {
        @if adapts {
            p { (visit.language.say("This opponent watches how good your moves are and plays just about as well; the curve shows how strong it takes you to be.")) }
        }
    }
}

fn rules(room: &Room, visit: Visit) -> Markup {
    let language = visit.language;
    let known = ranka_games::game(&room.opening.game).and_then(|entry| {
        Ok((
            entry,
            Params::parse(
                &visit.policy().shown_rules(&room.opening.game, &room.game.rules()),
                entry.options(),
            )?,
        ))
    });
    html! {
        @if let Ok((entry, rules)) = known {
            div id="rules" data-rules={ "/rules/" (entry.info().name) } { p { (language.say(entry.info().how)) } }
            p { a href={ "/learn/" (entry.info().name) } { (language.say("Learn it with a first lesson")) } }
            details {
                summary { (language.say("Options at this table")) }
                table {
                    @for param in entry.options() {
                        tr { th scope="row" { (param.key) } td { (rules.text(param.key)) } td.small { (language.say(param.help)) } }
                    }
                }
            }
        }
    }
}
