//! Puzzles: positions of which it is proved what is right, to be solved on the page.

use super::home::{name_in, title};
use super::layout::{asking, page, thumbnail};
use super::learn::Tried;
use super::{Answer, Failure, refused, thoughts};
use crate::hall::Hall;
use crate::seen::{offered, said};
use crate::visit::Visit;
use crate::words::Language;
use axum::Json;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use maud::{Markup, html};
use ranka_core::{AnyTable, Error, Look, Message, Seat, Seed};
use ranka_games::{PROOF, Puzzle, puzzle_of_the_day, puzzles};
use serde_json::{Value, json};
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

/// A table at the beginning of a puzzle.
fn laid(game: &str, puzzle: &Puzzle) -> Result<(Arc<dyn ranka_core::AnyGame>, Box<dyn AnyTable>), Error> {
    let game = ranka_games::game(game)?.open(&puzzle.rules)?;
    let table = game.table(Some(&puzzle.position), &vec![None; game.seats()], Seed::new(0))?;
    Ok((game, table))
}

fn found(game: &str, number: usize) -> Result<&'static Puzzle, Error> {
    let nothing = || Error::not_found("there is no such puzzle");
    puzzles(game).get(number.checked_sub(1).ok_or_else(nothing)?).ok_or_else(nothing)
}

/// How hard a puzzle is, for the eye and for the ear.
fn hardness(puzzle: &Puzzle, language: Language) -> Markup {
    let (full, all) = (usize::from(puzzle.difficulty), 4);
    html! { span.dots title=(language.fill("difficulty {0} of 4", [&full.to_string()])) { ("●".repeat(full)) ("○".repeat(all - full.min(all))) } }
}

pub(crate) async fn list(visit: Visit) -> Markup {
    let language = visit.language;
    let say = |text| language.say(text);
    let body = html! {
        h1 { (say("Puzzles")) }
        p.lead { (say("Positions from games of our agents. What is right in them is proved.")) }
        @for entry in ranka_games::catalogue() {
            @let name = entry.info().name;
            @let all = puzzles(name);
            @if !all.is_empty() {
                section id=(name) {
                    h2 { (title(entry.as_ref(), language)) }
                    p { (say(entry.puzzle_task())) " " (record(name, all.len(), language)) }
                    ol.puzzles { @for (number, puzzle) in (1..).zip(all) {
                        @let way = format!("/puzzles/{name}/{number}");
                        li { a href=(way) data-puzzle=(way) { (number) " " (hardness(puzzle, language)) } }
                    } }
                }
            }
        }
    };
    page(visit, say("Puzzles"), &["puzzles.js"], &body)
}

/// How many were solved in this browser; the script fills it in.
fn record(game: &str, all: usize, language: Language) -> Markup {
    html! { span.small data-record={ "/puzzles/" (game) "/" } data-of=(all) data-says=(language.say("You have solved {0} of {1}, {2} at the first try.")) hidden {} }
}

/// The puzzle of the day, for the first page.
pub(super) fn today(language: Language) -> Option<Markup> {
    let day = jiff::Timestamp::now().as_second() / 86_400;
    let (name, place) = puzzle_of_the_day(u64::try_from(day).ok()?)?;
    let puzzle = puzzles(name).get(place)?;
    let (game, table) = laid(name, puzzle).ok()?;
    let seat = table.actor().seat()?;
    let (way, task) = (format!("/puzzles/{name}/{}", place + 1), ranka_games::game(name).ok()?.puzzle_task());
    let picture = table.picture(&Look { compact: true, ..language.look(seat) });
    Some(html! {
        li.game-card.today {
            a.board href=(way) aria-hidden="true" tabindex="-1" { (thumbnail(&picture)) }
            div.about {
                h2 { (language.say("Puzzle of the day")) }
                p { (language.say(task)) }
                p.small { (name_in(game.info(), language)) " " (hardness(puzzle, language)) }
            }
            div.buttons {
                a.button.primary href=(way) data-puzzle=(way) { (language.say("Solve it")) }
                a.button href="/puzzles" { (language.say("All puzzles")) }
            }
        }
    })
}

pub(crate) async fn show(visit: Visit, Path((game, number)): Path<(String, usize)>) -> Answer<Markup> {
    let language = visit.language;
    let say = |text| language.say(text);
    let look = || -> Result<_, Error> {
        let entry = ranka_games::game(&game)?;
        let puzzle = found(&game, number)?;
        let (opened, table) = laid(&game, puzzle)?;
        Ok((entry, puzzle, opened, table))
    };
    let (entry, puzzle, opened, table) = look().map_err(|error| Failure::of(visit, &error))?;
    let seat = table.actor().seat().unwrap_or(Seat::FIRST);
    let count = puzzles(&game).len();
    let way = format!("/puzzles/{game}/{number}");
    let from = json!({ "game": game, "rules": opened.rules_short(), "position": puzzle.position });
    let heading = language.fill("{0}, puzzle {1}", [title(entry, language), &number.to_string()]);
    let body = html! {
        div.table.lesson id="lesson" data-way=(way) data-lessons="1" data-next="" data-over="" data-busy=(say("The server is busy; trying again…")) data-from=(from.to_string()) data-line=(puzzle.line) {
            section.board-side {
                div.board-head { h1.quiet { (heading) " " (hardness(puzzle, language)) } }
                p.task id="task" role="status" aria-live="polite" { (say(entry.puzzle_task())) }
                div.board id="board" tabindex="-1" data-again=(say("touch again to play")) {}
                p.news id="news" role="log" aria-live="polite" aria-label=(say("What happened")) {}
                (asking(language))
            }
            aside.panel {
                p.verdict id="verdict" role="status" aria-live="polite" {}
                div.buttons {
                    button.primary id="retry" hidden { (say("Try again")) }
                    button id="solution" hidden { (say("Show a solution")) }
                }
                (thoughts::place(language, |other| table.colour(seat, other), "", opened.seats(), ""))
                (record(&game, count, language))
                div.buttons {
                    @if number < count { a.button id="next" href={ "/puzzles/" (game) "/" (number + 1) } { (say("Next puzzle")) } }
                    a.button href={ "/puzzles#" (game) } { (say("All puzzles")) }
                    a.button id="analyse-here" href={ "/position?" (super::position::way(&game, &opened.rules_short(), &puzzle.position)) } { (say("Open on the analysis board")) }
                }
            }
        }
    };
    Ok(page(visit, &heading, &["learn.js"], &body))
}

/// A puzzle as far as somebody has come with it. The page tells what was done, so nothing is kept here.
pub(crate) async fn attempt(
    visit: Visit,
    State(hall): State<Arc<Hall>>,
    Path((game, number)): Path<(String, usize)>,
    Json(tried): Json<Tried>,
) -> Response {
    let language = visit.language;
    let tried =
        proving(&hall, visit.address, move || come_so_far(&game, number, &tried.actions, language)).await;
    match tried {
        Ok(come) => Json(come).into_response(),
        Err(error) => refused(visit, &error),
    }
}

/// How long a proof may wait for others.
const PATIENCE: Duration = Duration::from_secs(10);

/// Proofs are short, and so wait for each other instead of being refused, and never for an analysis.
async fn proving<T: Send + 'static>(
    hall: &Hall,
    visitor: IpAddr,
    work: impl FnOnce() -> Result<T, Error> + Send + 'static,
) -> Result<T, Error> {
    let busy = || Error::busy("everybody is thinking: ask again in a moment");
    let turn =
        tokio::time::timeout(PATIENCE, hall.proofs.wait(visitor)).await.ok().flatten().ok_or_else(busy)?;
    let working = tokio::task::spawn_blocking(move || {
        let done = work();
        drop(turn);
        done
    });
    working.await.map_err(|_| Error::internal("the analysis broke off"))?
}

fn come_so_far(name: &str, number: usize, actions: &[String], language: Language) -> Result<Value, Error> {
    let puzzle = found(name, number)?;
    let (game, mut table) = laid(name, puzzle)?;
    let unproved = || Error::internal("nothing is proved of this position");
    let learner = table.actor().seat().ok_or_else(unproved)?;
    let (mut told, mut steps, mut done) = (String::new(), Vec::new(), None);
    let mut proof = game.prove(&table.position(), PROOF)?;
    let says = proof.as_ref().ok_or_else(unproved)?.says.clone();
    for action in actions {
        let Some(known) = proof.filter(|_| done.is_none()) else {
            return Err(Error::input("the puzzle is over"));
        };
        told = said(&table.message(learner, action).unwrap_or_else(Message::default), action, language);
        steps = table.motion(learner, action);
        table.act(action)?;
        let goes_on = table.actor().seat() == Some(learner);
        proof = if goes_on { game.prove(&table.position(), PROOF)? } else { None };
        done = match (known.right.contains(action), &proof) {
            (false, _) => Some(false),
            (true, None) => Some(true),
            (true, Some(_)) => None,
        };
    }
    let verdict = match done {
        None => String::new(),
        Some(true) => language.fill("Right! {0}", [&language.tell(&says)]),
        Some(false) => language.say("There is something better. Try again.").to_owned(),
    };
    let (offers, asks) = match done {
        None => (table.offers(learner), table.asks(learner)),
        Some(_) => (Vec::new(), Vec::new()),
    };
    Ok(json!({
        "task": language.say(ranka_games::game(name)?.puzzle_task()),
        "says": verdict,
        "done": done,
        "picture": table.picture(&language.look(learner)),
        "offers": offered(offers, language),
        "asks": asks.into_iter().map(|ask| language.say(ask)).collect::<Vec<_>>(),
        "told": told,
        "steps": steps,
    }))
}
