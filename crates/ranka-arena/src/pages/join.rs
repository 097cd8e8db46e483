//! An invitation: it is spent by sitting down, not by looking at it, for programs that preview links look too.

use super::home::title;
use super::layout::page;
use super::new::called;
use super::{Answer, Failure, table};
use crate::hall::Hall;
use crate::opening::Sitter;
use crate::room::Room;
use crate::visit::Visit;
use axum::Form;
use axum::extract::{Path, State};
use axum::response::Redirect;
use maud::{Markup, html};
use ranka_core::Seat;
use serde::Deserialize;
use std::sync::Arc;

const TAKEN: &str = "Somebody has taken this invitation already. If it was you, use the link of your seat; if not, ask for another game.";

fn find(hall: &Hall, visit: Visit, id: &str, token: &str) -> Answer<(Arc<Room>, Seat)> {
    let (room, _) = table::find(hall, visit, id, None)?;
    let seat =
        room.opening.invites(token).ok_or_else(|| Failure::missing(visit, "There is no such invitation."))?;
    Ok((room, seat))
}

/// Tells to what one is invited.
pub(crate) async fn show(
    visit: Visit,
    State(hall): State<Arc<Hall>>,
    Path((id, token)): Path<(String, String)>,
) -> Answer<Markup> {
    let (room, seat) = find(&hall, visit, &id, &token)?;
    if room.play().aside.taken.contains_key(&seat.index()) {
        return Err(Failure::gone(visit, TAKEN));
    }
    let language = visit.language;
    let name = ranka_games::game(&room.opening.game).map_or("", |entry| title(entry, language));
    let colours: Vec<&str> = {
        let play = room.play();
        Seat::all(room.opening.seats.len()).map(|other| play.table.colour(seat, other)).collect()
    };
    let names = room.play().aside.names.clone();
    let body = html! {
        h1 { (language.fill("You are invited to a game of {0}", [name])) }
        @if !room.opening.rules.is_empty() { p.small { (room.shown_rules(visit.policy())) } }
        ul.players {
            @for (number, sitter) in room.opening.seats.iter().enumerate() {
                li {
                    span.seat-mark data-seat=(number) data-colour=(colours[number]) {}
                    @match sitter {
                        _ if number == seat.index() => strong { (language.say("You")) },
                        Sitter::Agent(spec) => (room.opening.agent_name(number, spec, visit)),
                        _ => (names.get(&number).cloned().unwrap_or_else(|| language.fill("Person at seat {0}", [&(number + 1).to_string()]))),
                    }
                }
            }
        }
        (table::arranged(&room, visit))
        @if let Some(seconds) = room.opening.clock { p.small { (language.fill("Each person has {0} min for the whole game.", [&(seconds / 60).to_string()])) } }
        p.small { (language.say(if room.opening.hints { "Everybody may ask for hints at this table." } else { "Nobody gets hints at this table." })) }
        form method="post" action={ "/join/" (id) "/" (token) } {
            label { (language.say("Your name; empty for none")) input name="name" maxlength="24" autocomplete="nickname"; }
            p { button.primary id="sit-down" { (language.say("Sit down")) } }
        }
        p.small { (language.say("Your seat then has a link of its own; the invitation works only once.")) }
    };
    Ok(page(visit, name, &[], &body))
}

#[derive(Deserialize)]
pub(crate) struct Sitting {
    #[serde(default)]
    name: String,
}

/// Takes the seat, and leads to it.
pub(crate) async fn sit_down(
    visit: Visit,
    State(hall): State<Arc<Hall>>,
    Path((id, token)): Path<(String, String)>,
    Form(sitting): Form<Sitting>,
) -> Answer<Redirect> {
    let (room, seat) = find(&hall, visit, &id, &token)?;
    let secret =
        hall.sit_down(&room, seat, called(&sitting.name)).map_err(|error| Failure::of(visit, &error))?;
    let secret = secret.ok_or_else(|| Failure::gone(visit, TAKEN))?;
    Ok(Redirect::to(&format!("/t/{id}/{secret}")))
}
