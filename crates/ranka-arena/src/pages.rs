//! The pages.

mod agents;
mod assets;
mod code;
mod experiments;
mod export;
mod games;
mod home;
mod join;
mod labels;
mod layout;
mod learn;
mod new;
mod own_experiments;
mod paste;
mod position;
mod puzzles;
mod replay;
mod settings;
mod table;
mod thoughts;
mod watch;

use crate::hall::Hall;
use crate::league::live;
use crate::visit::{Visit, log};
use axum::body::to_bytes;
use axum::extract::{DefaultBodyLimit, FromRequestParts as _, Request, State};
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
pub(crate) use export::Film;
pub(crate) use home::name_in;
pub(crate) use layout::page;
pub(crate) use layout::without_ids;
use maud::html;
use ranka_core::{Error, in_our_words};
pub(crate) use replay::{table_after, words};
use serde_json::json;
use std::sync::Arc;

/// Where records are pasted, which may be long.
pub(crate) const PASTE: &str = "/paste";

/// Which page answers to which address.
pub(crate) fn router(hall: Arc<Hall>) -> Router {
    Router::new()
        .route("/", get(home::show))
        .route("/new/{game}", get(new::show))
        .route("/new", post(new::open))
        .route("/playable/{game}", get(new::playable))
        .route("/learn/{game}", get(learn::show))
        .route("/rules/{game}", get(learn::rules))
        .route("/lesson/{game}/{number}", post(learn::lesson))
        .route("/t/{id}", get(table::watch))
        .route("/t/{id}/{secret}", get(table::play))
        .route("/again/{id}", post(table::watch_again))
        .route("/again/{id}/{secret}", post(table::play_again))
        .route("/join/{id}/{token}", get(join::show).post(join::sit_down))
        .route("/live/{id}", get(table::live_watch))
        .route("/live/{id}/{secret}", get(table::live_play))
        .route("/watch", get(watch::show))
        .route("/watch/{of}", get(games::show))
        .route("/replay/{source}/{name}", get(replay::show))
        .route("/replay/{source}/{name}/{frame}", get(replay::frame))
        .route("/thought/{source}/{name}/{frame}", get(thoughts::of_record))
        .route("/line", post(thoughts::line))
        .route("/film/{source}/{name}", get(export::page))
        .route("/review/{source}/{name}", get(replay::review))
        .route("/record/{source}/{name}", get(replay::record))
        .route(PASTE, post(paste::take).layer(DefaultBodyLimit::max(hall.limits.pasted)))
        .route("/agents", get(agents::all))
        .route("/agents/{game}", get(agents::of))
        .route("/experiments", get(experiments::list).post(experiments::start))
        .route("/experiments/stop", post(experiments::stop))
        .route("/experiments/{paper}/{name}", get(experiments::one))
        .route("/experiments/own", get(own_experiments::edit).post(own_experiments::start))
        .route("/experiments/match", post(own_experiments::start_match))
        .route("/report/{paper}/{name}", get(experiments::report))
        .route("/report/{paper}/{folder}/{file}", get(experiments::report_file))
        .route("/run", get(experiments::live))
        .route("/position", get(position::show))
        .route("/analyse", post(position::analyse))
        .route("/board", post(position::board))
        .route("/puzzles", get(puzzles::list))
        .route("/puzzles/{game}/{number}", get(puzzles::show).post(puzzles::attempt))
        .route("/labels/{collection}", get(labels::show))
        .route("/labels/{collection}/table.csv", get(labels::csv))
        .route("/league", get(live::home))
        .route("/league/", get(live::home))
        .route("/league/{*path}", get(live::show))
        .route("/code/{*path}", get(code::show))
        .route("/settings", get(settings::choose))
        .route("/static/{name}", get(assets::file))
        .fallback(nothing)
        .layer(from_fn_with_state(Arc::clone(&hall), explain))
        .with_state(hall)
}

/// What is wrong, as a page.
pub(crate) struct Failure {
    status: StatusCode,
    message: String,
    visit: Visit,
}

impl Failure {
    /// What an error means to a visitor.
    pub(crate) fn of(visit: Visit, error: &Error) -> Failure {
        Failure { status: status(error), message: visit.told(error), visit }
    }

    /// Nothing of that name.
    pub(crate) fn missing(visit: Visit, what: &'static str) -> Failure {
        Failure::of(visit, &Error::not_found(what))
    }

    /// It was there once.
    pub(crate) fn gone(visit: Visit, what: &'static str) -> Failure {
        Failure { status: StatusCode::GONE, message: visit.language.say(what).to_owned(), visit }
    }

    /// Not for this visitor.
    pub(crate) fn forbidden(visit: Visit, why: &'static str) -> Failure {
        Failure { status: StatusCode::FORBIDDEN, message: visit.language.say(why).to_owned(), visit }
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let say = |text| self.visit.language.say(text);
        let body = html! {
            h1 { (say("That did not work")) }
            p { (self.message) }
            div.buttons {
                button.primary id="go-back" hidden { (say("Back")) }
                a.button href="/" { (say("Back to the start")) }
            }
        };
        (self.status, page(self.visit, say("That did not work"), &[], &body)).into_response()
    }
}

/// The status code of an error that is told now.
fn status(error: &Error) -> StatusCode {
    log(error);
    StatusCode::from_u16(error.kind().http_status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
}

/// What is wrong, for a script.
fn refused(visit: Visit, error: &Error) -> Response {
    (status(error), Json(json!({ "error": visit.told(error) }))).into_response()
}

/// What could not even be read as a request (a missing field, a number that is none) is answered like everything else:
/// as a page, or to a script as JSON, and not by the bare words of a parser.
async fn explain(State(hall): State<Arc<Hall>>, request: Request, next: Next) -> Response {
    let (mut parts, body) = request.into_parts();
    let Ok(visit) = Visit::from_request_parts(&mut parts, &hall).await;
    let is_json = |headers: &HeaderMap| {
        headers.get(CONTENT_TYPE).is_some_and(|kind| kind.as_bytes().starts_with(b"application/json"))
    };
    let by_script = is_json(&parts.headers);
    let response = next.run(Request::from_parts(parts, body)).await;
    let bare =
        response.headers().get(CONTENT_TYPE).is_none_or(|kind| kind.as_bytes().starts_with(b"text/plain"));
    let status = response.status();
    if !status.is_client_error() || !bare {
        return response;
    }
    let words = to_bytes(response.into_body(), 4096).await.unwrap_or_default();
    let detail = String::from_utf8_lossy(&words);
    let message = match status {
        StatusCode::METHOD_NOT_ALLOWED => {
            visit.language.say("This address is not used like this.").to_owned()
        }
        StatusCode::PAYLOAD_TOO_LARGE => {
            visit.language.say("This is longer than the server takes.").to_owned()
        }
        StatusCode::NOT_FOUND if detail.is_empty() => visit.language.say("There is no such page.").to_owned(),
        _ => {
            // Before what is wrong with what was sent the reader says what failed in the program.
            let of_the_program = ["Failed to deserialize", "Failed to parse"];
            let wrong = match detail.split_once(": ") {
                Some((failed, wrong)) if of_the_program.iter().any(|it| failed.starts_with(it)) => wrong,
                _ => &detail,
            };
            visit.language.fill("This could not be understood: {0}", [&in_our_words(wrong)])
        }
    };
    if by_script {
        return (status, Json(json!({ "error": message }))).into_response();
    }
    Failure { status, message, visit }.into_response()
}

/// What a page answers.
pub(crate) type Answer<T> = Result<T, Failure>;

async fn nothing(visit: Visit) -> Failure {
    Failure::missing(visit, "There is no such page.")
}
