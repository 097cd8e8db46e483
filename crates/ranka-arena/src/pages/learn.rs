//! Learning a game: its rules in a few illustrated steps, and a first lesson.

use super::home::title;
use super::layout::{asking, page, unpressable};
use super::{Answer, Failure, refused};
use crate::seen::{offered, said};
use crate::visit::Visit;
use crate::words::Language;
use axum::Json;
use axum::extract::Path;
use axum::response::{IntoResponse, Response};
use maud::{Markup, PreEscaped, html};
use ranka_core::{GameEntry, RuleStep};
use serde::Deserialize;
use serde_json::json;

pub(crate) async fn show(visit: Visit, Path(game): Path<String>) -> Answer<Markup> {
    let entry = ranka_games::game(&game).map_err(|error| Failure::of(visit, &error))?;
    let language = visit.language;
    let say = |text| language.say(text);
    let name = title(entry, language);
    let tasks = entry.lessons();
    let body = html! {
        h1 { (language.fill("Learn {0}", [name])) }
        p.lead { (say(entry.info().summary)) }
        p { a href="#lesson" { (say("Straight to the first lesson")) } }
        (steps(entry, language))
        section.table.lesson id="lesson" data-way={ "/lesson/" (game) } data-lessons=(tasks.len())
            data-next=(say("Next")) data-busy=(say("The server is busy; trying again…")) data-again=(say("Try again")) data-over=(say("That is all you need. Good luck!")) {
            div.board-side {
                h2 { (say("First lesson")) " " span.small id="lesson-number" {} }
                p.task id="task" role="status" aria-live="polite" {}
                div.board id="board" tabindex="-1" data-again=(say("touch again to play")) {}
                p.news id="news" role="log" aria-live="polite" aria-label=(say("What happened")) {}
                (asking(language))
            }
            aside.panel {
                p.verdict id="verdict" role="status" aria-live="polite" {}
                div.buttons {
                    button.primary id="next" hidden {}
                    button.primary id="retry" hidden { (say("Try again")) }
                }
                ol.tasks id="tasks" { @for [task, ..] in &tasks { li { (say(task)) } } }
                div.buttons {
                    form method="post" action="/new" {
                        input type="hidden" name="game" value=(game);
                        input type="hidden" name="level" value="beginner";
                        button id="play-now" { (say("Play against a beginner")) }
                    }
                }
            }
        }
    };
    Ok(page(visit, &language.fill("Learn {0}", [name]), &["learn.js"], &body))
}

/// The rules alone, for a page that has its own board.
pub(crate) async fn rules(visit: Visit, Path(game): Path<String>) -> Answer<Markup> {
    let entry = ranka_games::game(&game).map_err(|error| Failure::of(visit, &error))?;
    Ok(steps(entry, visit.language))
}

/// The steps, each with its picture. A picture stands in a tree of its own, for many on one page have the same ids.
fn steps(entry: &dyn GameEntry, language: Language) -> Markup {
    let say = |text| language.say(text);
    html! {
        ol.rule-steps {
            @for step in entry.rule_steps() {
                li {
                    p { (say(step.text)) }
                    @if let Some((picture, marks)) = drawn(entry, &step, language) {
                        div.rule-board data-marks=(marks) {
                            template shadowrootmode="open" {
                                link rel="stylesheet" href="/static/ranka.css";
                                div.board { (PreEscaped(picture)) }
                            }
                        }
                    }
                    @if !step.table.is_empty() { (figures(&step, language)) }
                }
            }
        }
    }
}

/// The picture of a step, and what is written on it as JSON. Positions that cannot be drawn fail a test, not a visitor.
fn drawn(entry: &dyn GameEntry, step: &RuleStep, language: Language) -> Option<(String, String)> {
    let (picture, marks) = entry.rule_picture(step, language.locale())?.ok()?;
    Some((unpressable(&picture), json!(marks).to_string()))
}

fn figures(step: &RuleStep, language: Language) -> Markup {
    let Some((head, rows)) = step.table.split_first() else { return html! {} };
    html! {
        div.wide tabindex="0" { table.facts {
            tr { @for cell in head { th scope="col" { (language.say(cell)) } } }
            @for row in rows {
                tr { @for (column, cell) in row.iter().enumerate() {
                    @if column == 0 { th scope="row" { (language.say(cell)) } } @else { td.n { (language.say(cell)) } }
                } }
            }
        } }
    }
}

#[derive(Deserialize)]
pub(crate) struct Tried {
    pub(super) actions: Vec<String>,
}

/// A lesson as far as the learner has come. The page tells what was done, so nothing is kept here.
pub(crate) async fn lesson(
    visit: Visit,
    Path((game, number)): Path<(String, usize)>,
    Json(tried): Json<Tried>,
) -> Response {
    let language = visit.language;
    let taught =
        ranka_games::game(&game).and_then(|entry| entry.teach(number, &tried.actions, language.locale()));
    let taught = match taught {
        Ok(taught) => taught,
        Err(error) => return refused(visit, &error),
    };
    let last = tried.actions.last().map_or("", String::as_str);
    let asks: Vec<&str> = taught.asks.into_iter().map(|ask| language.say(ask)).collect();
    Json(json!({
        "task": language.say(taught.task),
        "says": language.say(taught.says),
        "done": taught.done,
        "picture": taught.picture,
        "offers": offered(taught.offers, language),
        "asks": asks,
        "told": said(&taught.told, last, language),
        "steps": taught.motion,
    }))
    .into_response()
}
