//! Language and theme, kept in the browser.

use crate::visit::Theme;
use crate::words::Language;
use axum::extract::Query;
use axum::http::HeaderMap;
use axum::http::StatusCode;
use axum::http::header::{HeaderValue, LOCATION, SET_COOKIE};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;

#[derive(Deserialize)]
pub(crate) struct Chosen {
    language: Option<String>,
    theme: Option<String>,
    back: Option<String>,
}

/// Keeps what was chosen and goes back to where it was chosen.
pub(crate) async fn choose(Query(chosen): Query<Chosen>) -> Response {
    let mut headers = HeaderMap::new();
    let mut keep = |name: &str, value: &str| {
        let cookie = format!("{name}={value}; Path=/; Max-Age=31536000; SameSite=Strict; HttpOnly");
        if let Ok(cookie) = HeaderValue::from_str(&cookie) {
            headers.append(SET_COOKIE, cookie);
        }
    };
    if let Some(language) = chosen.language.as_deref().and_then(Language::of_code) {
        keep("language", language.code());
    }
    if let Some(theme) = chosen.theme.as_deref() {
        keep("theme", Theme::of_name(theme).name());
    }
    // Only back to ourselves: an address with two slashes would be somebody else's.
    let back = chosen.back.filter(|back| is_ours(back));
    let back = back.and_then(|back| HeaderValue::from_str(&back).ok());
    headers.insert(LOCATION, back.unwrap_or(HeaderValue::from_static("/")));
    (StatusCode::SEE_OTHER, headers).into_response()
}

/// Whether an address leads to a page of ours. Browsers drop control characters and take `\` for `/`, and two slashes
/// begin the name of somebody else's server.
fn is_ours(address: &str) -> bool {
    let plain = address.chars().all(|c| c.is_ascii_graphic() && c != '\\');
    plain && address.starts_with('/') && !address.starts_with("//")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_own_pages_are_gone_back_to() {
        assert!(is_ours("/new/kalah?agent=random"));
        for foreign in
            ["//evil.example", "/\t/evil.example", "/\\evil.example", "https://evil.example", "", "/\n/x"]
        {
            assert!(!is_ours(foreign), "{foreign:?}");
        }
    }
}
