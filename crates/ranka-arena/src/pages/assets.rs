//! The files that make pages look and live: part of the program, nothing is loaded from elsewhere.

use axum::extract::Path;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::LazyLock;

const FILES: &[(&str, &str, &str)] = &[
    ("ranka.css", "text/css", include_str!("../../static/ranka.css")),
    ("league.css", "text/css", include_str!("../../static/league.css")),
    ("seal.svg", "image/svg+xml", include_str!("../../static/seal.svg")),
    ("page.js", "text/javascript", include_str!("../../static/page.js")),
    ("live.js", "text/javascript", include_str!("../../static/live.js")),
    ("copy.js", "text/javascript", include_str!("../../static/copy.js")),
    ("board.js", "text/javascript", include_str!("../../static/board.js")),
    ("thought.js", "text/javascript", include_str!("../../static/thought.js")),
    ("line.js", "text/javascript", include_str!("../../static/line.js")),
    ("motion.js", "text/javascript", include_str!("../../static/motion.js")),
    ("sound.js", "text/javascript", include_str!("../../static/sound.js")),
    ("toml.js", "text/javascript", include_str!("../../static/toml.js")),
    ("puzzles.js", "text/javascript", include_str!("../../static/puzzles.js")),
    ("learn.js", "text/javascript", include_str!("../../static/learn.js")),
    ("tabs.js", "text/javascript", include_str!("../../static/tabs.js")),
    ("game.js", "text/javascript", include_str!("../../static/game.js")),
    ("new.js", "text/javascript", include_str!("../../static/new.js")),
    ("replay.js", "text/javascript", include_str!("../../static/replay.js")),
    ("position.js", "text/javascript", include_str!("../../static/position.js")),
    ("yours.js", "text/javascript", include_str!("../../static/yours.js")),
    ("paste.js", "text/javascript", include_str!("../../static/paste.js")),
    ("renew.js", "text/javascript", include_str!("../../static/renew.js")),
    ("league.js", "text/javascript", crate::league::SCRIPT),
    ("run.js", "text/javascript", include_str!("../../static/run.js")),
];

/// A tag of each file, which changes with what is in it.
static TAGS: LazyLock<Vec<HeaderValue>> = LazyLock::new(|| {
    let tag = |(_, _, text): &(&str, &str, &str)| {
        let mut hasher = DefaultHasher::new();
        text.hash(&mut hasher);
        HeaderValue::from_str(&format!("\"{:016x}\"", hasher.finish())).expect("a tag is letters and digits")
    };
    FILES.iter().map(tag).collect()
});

/// A file of ours; nothing for a browser that has it already.
pub(crate) async fn file(Path(name): Path<String>, headers: HeaderMap) -> Response {
    let Some(number) = FILES.iter().position(|(known, _, _)| *known == name) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let (_, kind, text) = FILES[number];
    let tag = TAGS[number].clone();
    let caching = [(CACHE_CONTROL, HeaderValue::from_static("no-cache")), (ETAG, tag.clone())];
    // Whoever compressed it on the way may have called the tag a weak one.
    let known = headers.get(IF_NONE_MATCH).is_some_and(|known| {
        let tags = known.to_str().unwrap_or("").split(',');
        tags.map(|tag| tag.trim().trim_start_matches("W/")).any(|known| known.as_bytes() == tag.as_bytes())
    });
    if known {
        return (StatusCode::NOT_MODIFIED, caching).into_response();
    }
    (caching, [(CONTENT_TYPE, format!("{kind}; charset=utf-8"))], text).into_response()
}
