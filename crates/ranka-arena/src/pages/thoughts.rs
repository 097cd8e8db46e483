//! What agents think, wherever a page shows it: the list, and the line of play that can be stepped through.

use super::position;
use super::replay::{found, table_after, words};
use super::{Answer, refused};
use crate::hall::Hall;
use crate::review::{analyst, aside, attended, time_for};
use crate::seen::{SeenThought, said};
use crate::visit::Visit;
use crate::words::Language;
use axum::Json;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use maud::{Markup, html};
use ranka_core::{AnyTable, Error, Message, Seat, Seed, Settings, TableDisplay};
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;

/// How many actions of a line are shown.
const LONGEST: usize = 60;

/// Where a thought is shown, with the words and the seats' colours that the script needs for it. `first` is what the first
/// seat is called, whose chances the bar shows where no more than two `seats` are.
pub(super) fn place(
    language: Language,
    colour: impl Fn(Seat) -> &'static str,
    first: &str,
    seats: usize,
    nothing: &'static str,
) -> Markup {
    let say = |text| language.say(text);
    html! {
        div.ahead id="ahead" role="img" title=(say("Who is ahead")) data-first=(colour(Seat::FIRST)) data-second=(colour(Seat::SECOND)) data-name=(first) data-seats=(seats) hidden { span {} }
        div.line id="line" hidden {
            button id="line-back" aria-label=(say("One back")) { "◀" }
            ol id="line-moves" aria-label=(say("Line of play")) {}
            button id="line-forth" aria-label=(say("One on")) { "▶" }
            button id="line-end" { (say("Back to the game")) }
        }
        div id="thought"
            data-wins=(say("wins")) data-wins-in=(say("wins in {0}"))
            data-loses=(say("loses")) data-loses-in=(say("loses in {0}")) data-draws=(say("draws"))
            data-at-best=(say("a draw at best")) data-at-least=(say("a draw at least"))
            data-visits=(say("times tried: {0}")) data-nodes=(say("positions looked at: {0}")) data-depth=(say("moves ahead: {0}"))
            data-step=(say("Step through this line with ← and →")) {
            @if !nothing.is_empty() { p.small { (say(nothing)) } }
        }
    }
}

/// Where a line begins, and how it goes on.
#[derive(Deserialize)]
pub(crate) struct Asked {
    from: Origin,
    actions: Vec<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
enum Origin {
    /// A game at a table after so many actions, as a seat sees it.
    Table { id: String, at: usize, seat: usize },
    /// A record after so many actions.
    Record { source: String, name: String, at: usize },
    /// A position.
    Position(position::Asked),
}

/// The pictures of a line of play.
pub(crate) async fn line(visit: Visit, State(hall): State<Arc<Hall>>, Json(asked): Json<Asked>) -> Response {
    let opened = match &asked.from {
        Origin::Table { id, at, seat } => at_table(&hall, id, *at).map(|table| {
            let seat = Seat::new((*seat).min(table.seats() - 1));
            (table, seat)
        }),
        Origin::Record { source, name, at } => match found(&hall, visit, source, name) {
            Ok((record, game)) => table_after(game.as_ref(), &record, *at).map(|table| (table, Seat::FIRST)),
            Err(failure) => return failure.into_response(),
        },
        Origin::Position(asked) => asked.open(visit.policy()).map(|(_, table)| {
            let seat = table.actor().seat().unwrap_or(Seat::FIRST);
            (table, seat)
        }),
    };
    match opened {
        Ok((table, seat)) => {
            let actions = asked.actions.iter().take(LONGEST).map(String::as_str);
            let frames = tokio::task::block_in_place(|| frames(table, seat, actions, visit.language));
            Json(json!({ "frames": frames })).into_response()
        }
        Err(error) => refused(visit, &error),
    }
}

/// A table as it was after so many actions, where everybody may know.
fn at_table(hall: &Hall, id: &str, at: usize) -> Result<Box<dyn AnyTable>, Error> {
    let room = hall.room(id)?.ok_or_else(|| Error::not_found("there is no such table"))?;
    let (start, actions) = {
        let play = room.play();
        if !room.game.open_information() && play.table.result().is_none() {
            return Err(Error::input("what is hidden is shown after the end"));
        }
        (play.table.start(), play.table.actions())
    };
    let nobody = vec![None; room.game.seats()];
    let mut table = room.game.table(Some(&start), &nobody, Seed::new(room.opening.seed))?;
    for action in actions.iter().take(at) {
        table.replay(action)?;
    }
    Ok(table)
}

/// What is told of an action that is about to be taken, where everything is open.
pub(super) fn told(table: &dyn TableDisplay, action: &str) -> Message {
    match table.actor().seat() {
        Some(seat) => table.message(seat, action).unwrap_or_default(),
        None => table.chance_message(action),
    }
}

/// The position and those after each action, as far as the line is legal: who sees less than everything may have
/// thought of what cannot be.
fn frames<'a>(
    mut table: Box<dyn TableDisplay>,
    viewer: Seat,
    actions: impl Iterator<Item = &'a str>,
    language: Language,
) -> Vec<Value> {
    let mut frames =
        vec![json!({ "action": "", "says": "", "picture": table.unveiled(&language.look(viewer)) })];
    for action in actions {
        let message = told(table.as_ref(), action);
        if table.replay(action).is_err() {
            break;
        }
        let says = said(&message, action, language);
        frames.push(
            json!({ "action": action, "says": says, "picture": table.unveiled(&language.look(viewer)) }),
        );
    }
    frames
}

/// What the game's judge thinks of a position of a record, seeing what the seat to act saw.
pub(crate) async fn of_record(
    visit: Visit,
    State(hall): State<Arc<Hall>>,
    Path((source, name, at)): Path<(String, String, usize)>,
) -> Answer<Response> {
    let (record, game) = found(&hall, visit, &source, &name)?;
    let think = async {
        let table = table_after(game.as_ref(), &record, at)?;
        let seat = table.actor().seat().ok_or_else(|| Error::input("no seat is to act here"))?;
        let (offers, name) = (table.offers(seat), record.game.clone());
        let budget = time_for(false, hall.limits.analysis);
        let thought = aside(&hall, visit.address, move |cancel| {
            let settings = Settings { budget: Some(budget), cancel, ..Settings::default() };
            let agent = analyst(game.as_ref())?;
            let seed = Seed::new(record.seed.0).child("review");
            let mut table = attended(game.as_ref(), &agent, &record.start, words(&record).take(at), seed)?;
            let thought = table.choose(&settings).map_err(|fault| agent.failed(&fault, None))?;
            Ok((thought, agent.short))
        });
        let (thought, agent) = thought.await?;
        Ok(SeenThought::of((at, seat), (&name, &agent), &thought, &offers).speaking(visit.language))
    };
    let thought: Result<SeenThought, Error> = think.await;
    Ok(match thought {
        Ok(thought) => Json(json!({ "thought": thought })).into_response(),
        Err(error) => refused(visit, &error),
    })
}
