//! Who asks, and whether the question comes from one of our own pages.

use crate::hall::Hall;
use crate::opening::{Policy, same};
use crate::pages::PASTE;
use crate::server_limits::ServerLimits;
use crate::words::Language;
use axum::body::{Body, to_bytes};
use axum::extract::{FromRequestParts, Request, State};
use axum::http::header::{ACCEPT_LANGUAGE, COOKIE, HOST, ORIGIN};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Redirect, Response};
use ranka_core::{Error, ErrorKind};
use std::convert::Infallible;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;

/// How a visitor wants to see the pages, and how much may be told.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Visit {
    pub(crate) language: Language,
    pub(crate) theme: Theme,
    /// Whether the visitor sits at this machine.
    pub(crate) trusted: bool,
    /// Where the visitor comes from: behind a proxy that is the proxy, for everybody.
    pub(crate) address: IpAddr,
    /// Whether there is a league to look at.
    pub(crate) league: bool,
}

/// The other end of a connection.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Peer(pub(crate) IpAddr);

impl Visit {
    /// What the visitor may ask of this machine.
    pub(crate) const fn policy(self) -> Policy {
        Policy { trusted: self.trusted }
    }

    /// What is wrong, in the visitor's words. Where files lie is told only to who sits at this machine.
    pub(crate) fn told(self, error: &Error) -> String {
        let english = if self.trusted { error.to_string() } else { error.public().to_owned() };
        self.language.say(&english).to_owned()
    }
}

/// Tells whoever runs the server of its own trouble, with every detail.
pub(crate) fn log(error: &Error) {
    if matches!(error.kind(), ErrorKind::Storage | ErrorKind::Internal) {
        eprintln!("{error}");
    }
}

/// Light or dark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Theme {
    /// As the system has it.
    Auto,
    Light,
    Dark,
}

impl Theme {
    pub(crate) fn of_name(name: &str) -> Theme {
        match name {
            "light" => Theme::Light,
            "dark" => Theme::Dark,
            _ => Theme::Auto,
        }
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Theme::Auto => "auto",
            Theme::Light => "light",
            Theme::Dark => "dark",
        }
    }
}

impl FromRequestParts<Arc<Hall>> for Visit {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, hall: &Arc<Hall>) -> Result<Visit, Infallible> {
        let headers = &parts.headers;
        let chosen = cookie(headers, "language").and_then(Language::of_code);
        let accepted = || Language::accepted(text(headers, &ACCEPT_LANGUAGE).unwrap_or(""));
        let theme = cookie(headers, "theme").map_or(Theme::Auto, Theme::of_name);
        let trusted = hall.key.as_ref().is_some_and(|key| key.is_held(headers));
        let address = parts.extensions.get::<Peer>().map_or(Ipv4Addr::UNSPECIFIED.into(), |peer| peer.0);
        let league = hall.league.get().is_some();
        Ok(Visit { language: chosen.unwrap_or_else(accepted), theme, trusted, address, league })
    }
}

fn text<'a>(headers: &'a HeaderMap, name: &header::HeaderName) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}

fn cookie<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let pairs = text(headers, &COOKIE)?.split(';').filter_map(|pair| pair.trim().split_once('='));
    pairs.into_iter().find(|(key, _)| *key == name).map(|(_, value)| value)
}

/// What proves that a visitor sits at this machine: a word that only the printed address has. The browser keeps it.
#[derive(Clone, Debug)]
pub(crate) struct Key {
    pub(crate) token: Arc<str>,
    /// Browsers do not tell the ports of a host apart, and each server has its own key.
    pub(crate) port: u16,
}

impl Key {
    fn cookie(&self) -> String {
        format!("token-{}", self.port)
    }

    fn is_held(&self, headers: &HeaderMap) -> bool {
        cookie(headers, &self.cookie()).is_some_and(|held| same(held, &self.token))
    }
}

/// Who is let in, and how much of anybody's patience that may take.
#[derive(Debug)]
pub(crate) struct Doorkeeper {
    pub(crate) names: Names,
    pub(crate) key: Option<Key>,
    pub(crate) limits: ServerLimits,
}

impl Doorkeeper {
    /// Who comes with a token is led on without it, so that it is neither kept in the history nor passed on by a link;
    /// the right one is kept in the browser.
    fn welcome(&self, uri: &Uri) -> Option<Response> {
        let query = uri.query()?;
        let token = query.split('&').find_map(|pair| pair.strip_prefix("token="))?;
        let others =
            query.split('&').filter(|pair| !pair.starts_with("token=")).collect::<Vec<_>>().join("&");
        let path = if uri.path().starts_with("//") { "/" } else { uri.path() };
        let on = if others.is_empty() { path.to_owned() } else { format!("{path}?{others}") };
        let mut response = Redirect::to(&on).into_response();
        if let Some(key) = self.key.as_ref().filter(|key| same(token, &key.token)) {
            let cookie = format!("{}={token}; Path=/; SameSite=Strict; HttpOnly", key.cookie());
            response
                .headers_mut()
                .extend(HeaderValue::from_str(&cookie).map(|cookie| (header::SET_COOKIE, cookie)));
        }
        Some(response)
    }
}

/// The names by which this server may be called.
#[derive(Debug)]
pub(crate) struct Names {
    /// Those it has by where it listens.
    pub(crate) own: Vec<String>,
    /// Whether it listens at every address of the machine. A foreign name can be made to lead here, an address cannot, so
    /// then every address that a browser names is ours.
    pub(crate) every_address: bool,
    /// Those that were given to it. A proxy that speaks TLS may stand before them.
    pub(crate) given: Vec<String>,
}

impl Names {
    /// Whether `host`, as in a `Host` header, means this server. A foreign name that leads here (rebinding) does not.
    fn has(&self, host: &str) -> bool {
        let by_address = || name_of(host).is_some_and(|name| name.parse::<IpAddr>().is_ok());
        has(&self.own, host) || has(&self.given, host) || self.every_address && by_address()
    }

    /// Whether a page of `origin` is one of ours, asked for at `host`. Under a given name that is also the page that a
    /// proxy serves by TLS, whether it passes the visitor's `Host` on or calls us by our address.
    fn owns(&self, origin: &str, host: &str) -> bool {
        if origin.eq_ignore_ascii_case(&format!("http://{host}")) {
            return true;
        }
        let Some((scheme, place)) = origin.split_once("://") else { return false };
        let named = |place: &str| self.given.iter().any(|known| known.eq_ignore_ascii_case(place));
        scheme.eq_ignore_ascii_case("https")
            && (named(place) || place.eq_ignore_ascii_case(host) && has(&self.given, host))
    }
}

/// Whether one of some names is the host's, whatever its port.
fn has(names: &[String], host: &str) -> bool {
    name_of(host).is_some_and(|name| names.iter().any(|known| known.eq_ignore_ascii_case(name)))
}

/// The name in a `Host` header, if nothing but a port follows it.
fn name_of(host: &str) -> Option<&str> {
    let (name, port) = match host.strip_prefix('[') {
        Some(v6) => v6.split_once(']').unwrap_or(("", "")),
        None => host.split_at(host.find(':').unwrap_or(host.len())),
    };
    let is_port = |port: &str| !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit());
    (port.is_empty() || port.strip_prefix(':').is_some_and(is_port)).then_some(name)
}

/// Nothing is loaded from elsewhere, nothing runs that is not ours, and nobody frames us.
const CONTENT_SECURITY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
     connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// Turns away what does not come from our own pages, and tells browsers to be strict.
pub(crate) async fn guard(State(keeper): State<Arc<Doorkeeper>>, request: Request, next: Next) -> Response {
    let names = &keeper.names;
    let headers = request.headers();
    let host = text(headers, &HOST).unwrap_or("");
    if !names.has(host) {
        return refuse(format!("{host:?} is no name of this server; start it with --name to allow it"));
    }
    let origin = headers.get(&ORIGIN).map(|origin| origin.to_str().unwrap_or(""));
    if origin.is_some_and(|origin| !names.owns(origin, host)) {
        return refuse("this request comes from a foreign page".to_owned());
    }
    let foreign = text(headers, &header::HeaderName::from_static("sec-fetch-site"))
        .is_some_and(|site| site == "cross-site" || site == "same-site");
    if foreign && request.method() != Method::GET {
        return refuse("this request comes from a foreign page".to_owned());
    }
    if let Some(response) = keeper.welcome(request.uri()) {
        return response;
    }
    let request = match heard(request, &keeper.limits).await {
        Ok(request) => request,
        Err(refusal) => return refusal,
    };
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    let set = [
        (header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        // With "no-referrer" browsers would call our own forms a foreign page.
        (header::REFERRER_POLICY, "same-origin"),
        (header::X_FRAME_OPTIONS, "DENY"),
    ];
    for (name, value) in set {
        // A report brings its own, stricter about scripts.
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

/// The request with its whole body, which must be there soon and not be too long: who never says what it wants would
/// keep others out.
async fn heard(request: Request, limits: &ServerLimits) -> Result<Request, Response> {
    if matches!(*request.method(), Method::GET | Method::HEAD) {
        return Ok(request);
    }
    let (parts, body) = request.into_parts();
    let most = if parts.uri.path() == PASTE { limits.pasted } else { limits.bytes };
    match tokio::time::timeout(limits.patience, to_bytes(body, most)).await {
        Ok(Ok(bytes)) => Ok(Request::from_parts(parts, Body::from(bytes))),
        Ok(Err(_)) => {
            Err((StatusCode::PAYLOAD_TOO_LARGE, "This is longer than the server takes.").into_response())
        }
        Err(_) => Err((StatusCode::REQUEST_TIMEOUT, "What you want did not come in time.").into_response()),
    }
}

fn refuse(why: String) -> Response {
    (StatusCode::FORBIDDEN, why).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_own_names_are_ours() {
        let own = ["localhost", "127.0.0.1", "::1"].map(str::to_owned).to_vec();
        let names = Names { own, every_address: false, given: Vec::new() };
        for good in ["localhost:4000", "LOCALHOST", "127.0.0.1:80", "[::1]:80"] {
            assert!(names.has(good), "{good}");
        }
        for bad in [
            "",
            "evil.example",
            "localhost.evil.example:80",
            "127.0.0.1.evil.example",
            "127.0.0.2",
            "[::2]:1",
            "127.0.0.1:4310.evil.example",
            "127.0.0.1:",
            "[::1].evil.example",
            "[::1]:80:90",
            "localhost:80@evil.example",
        ] {
            assert!(!names.has(bad), "{bad}");
        }
    }

    #[test]
    fn who_listens_everywhere_is_called_by_any_address_but_by_no_name() {
        let names = Names { own: Vec::new(), every_address: true, given: Vec::new() };
        for good in ["192.168.1.7:4126", "127.0.0.1:4126", "[fe80::1]:4126", "10.0.0.2"] {
            assert!(names.has(good), "{good}");
        }
        for bad in ["evil.example", "192.168.1.7.evil.example:80", "192.168.1.7:80.evil.example", ""] {
            assert!(!names.has(bad), "{bad}");
        }
    }

    #[test]
    fn pages_by_tls_are_ours_under_the_names_that_were_given() {
        let names = Names {
            own: vec!["127.0.0.1".to_owned()],
            every_address: false,
            given: vec!["ranka.example".to_owned()],
        };
        for (origin, host) in [
            ("http://127.0.0.1:4126", "127.0.0.1:4126"),
            ("http://ranka.example", "ranka.example"),
            ("https://ranka.example", "ranka.example"),
            ("https://Ranka.Example:8443", "ranka.example:8443"),
            ("https://ranka.example", "127.0.0.1:4126"),
        ] {
            assert!(names.owns(origin, host), "{origin} at {host}");
        }
        for (origin, host) in [
            ("https://127.0.0.1:4126", "127.0.0.1:4126"),
            ("https://evil.example", "ranka.example"),
            ("https://ranka.example.evil.example", "ranka.example"),
            ("https://ranka.example:9999", "ranka.example"),
            ("http://ranka.example", "127.0.0.1:4126"),
            ("null", "ranka.example"),
            ("", "ranka.example"),
        ] {
            assert!(!names.owns(origin, host), "{origin} at {host}");
        }
    }
}
