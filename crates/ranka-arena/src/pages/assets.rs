//! The files that make pages look and live: part of the program, nothing is loaded from elsewhere.

use axum::extract::Path;
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};

const FILES: &[(&str, &str, &str)] = &[
    ("ranka.css", "text/css", include_str!("../../static/ranka.css")),
    ("seal.svg", "image/svg+xml", include_str!("../../static/seal.svg")),
    ("page.js", "text/javascript", include_str!("../../static/page.js")),
    ("live.js", "text/javascript", include_str!("../../static/live.js")),
    ("board.js", "text/javascript", include_str!("../../static/board.js")),
    ("thought.js", "text/javascript", include_str!("../../static/thought.js")),
    ("line.js", "text/javascript", include_str!("../../static/line.js")),
    ("tabs.js", "text/javascript", include_str!("../../static/tabs.js")),
    ("game.js", "text/javascript", include_str!("../../static/game.js")),
    ("new.js", "text/javascript", include_str!("../../static/new.js")),
    ("replay.js", "text/javascript", include_str!("../../static/replay.js")),
    ("position.js", "text/javascript", include_str!("../../static/position.js")),
    ("yours.js", "text/javascript", include_str!("../../static/yours.js")),
    ("run.js", "text/javascript", include_str!("../../static/run.js")),
];

/// A file of ours.
pub(crate) async fn file(Path(name): Path<String>) -> Response {
    match FILES.iter().find(|(known, _, _)| *known == name) {
        Some((_, kind, text)) => {
            let kind = format!("{kind}; charset=utf-8");
            ([(CONTENT_TYPE, kind), (CACHE_CONTROL, "no-cache".to_owned())], *text).into_response()
        }
        None => StatusCode::NOT_FOUND.into_response(),
    }
}
