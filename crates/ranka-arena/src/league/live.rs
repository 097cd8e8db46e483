//! The same pages while the league is played: what is in the league's folder now, with who plays at present.

use super::{Shown, Spot, bot, everybody, home, meeting, table};
use crate::hall::Hall;
use crate::pages::{Answer, Failure};
use crate::visit::Visit;
use axum::extract::{Path as Asked, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Redirect, Response};
use ranka_core::Error;
use ranka_league::League;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// For so long a look at the league's folder is good, or for so many times as long as it took: pages ask again and again.
const FRESH: (Duration, u32) = (Duration::from_secs(4), 10);

/// What pages may do: as all pages of the arena, and plots have styles of their own.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// A league that is shown.
pub(crate) struct LiveLeague {
    folder: PathBuf,
    /// What was seen, and until when it is good.
    seen: Mutex<Option<(Instant, Arc<Sight>)>>,
}

/// What was found in the folder.
struct Sight {
    league: League,
    shown: Vec<Shown>,
}

impl LiveLeague {
    pub(crate) fn new(folder: PathBuf) -> LiveLeague {
        LiveLeague { folder, seen: Mutex::default() }
    }

    fn look(&self) -> Result<Arc<Sight>, Error> {
        // Whoever comes meanwhile waits for the one look.
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, sight)) = seen.as_ref().filter(|(until, _)| Instant::now() < *until) {
            return Ok(Arc::clone(sight));
        }
        let begun = Instant::now();
        let league = League::open(&self.folder)?;
        let store = league.store()?;
        let shown = league.games().iter().map(|game| Shown::of(&league, game, &store));
        let sight = Arc::new(Sight { shown: shown.collect::<Result<_, _>>()?, league });
        let good = FRESH.0.max(begun.elapsed() * FRESH.1);
        *seen = Some((Instant::now() + good, Arc::clone(&sight)));
        Ok(sight)
    }

    /// The page at a place of the site; nothing if there is none.
    fn page(&self, path: &str, visit: Visit) -> Result<Option<String>, Error> {
        let Sight { league, shown } = &*self.look()?;
        let spot = |up| Spot { language: visit.language, up, visit: Some(visit) };
        let page = if path == "index.html" {
            Some(home::page(league, shown, &league.playing(), spot("")))
        } else if let Some(name) = path.strip_prefix("bots/").and_then(|name| name.strip_suffix(".html")) {
            let known = everybody(league, shown).contains(name);
            let page = || bot::page(league, name, shown, &bot::instructive(name, shown, false)?, spot("../"));
            known.then(page).transpose()?
        } else if let Some(name) = path.strip_prefix("games/").and_then(|name| name.strip_suffix(".html")) {
            let mut all =
                shown.iter().flat_map(|shown| shown.meetings().map(move |meeting| (shown, meeting)));
            let found = all.find(|(_, meeting)| meeting[0].page == name);
            found.map(|(shown, meeting)| meeting::page(league, shown, meeting, spot("../"))).transpose()?
        } else {
            None
        };
        Ok(page.map(maud::Markup::into_string))
    }

    /// All games of a game, as records or as a table.
    fn download(&self, file: &str) -> Result<Option<(&'static str, Vec<u8>)>, Error> {
        let sight = self.look()?;
        let Some((game, end)) = file.split_once('.') else { return Ok(None) };
        let Some(shown) = sight.shown.iter().find(|shown| shown.name() == game) else { return Ok(None) };
        Ok(match end {
            "jsonl" => Some(("application/x-ndjson", super::lines(shown).into_bytes())),
            "csv" => table(shown, &sight.league.store()?)?.map(|text| ("text/csv; charset=utf-8", text)),
            _ => None,
        })
    }
}

pub(crate) async fn home() -> Redirect {
    Redirect::to("/league/index.html")
}

/// A page of the league that this server shows.
pub(crate) async fn show(
    visit: Visit,
    State(hall): State<Arc<Hall>>,
    Asked(path): Asked<String>,
    headers: HeaderMap,
) -> Answer<Response> {
    let missing = || Failure::missing(visit, "There is no such page.");
    let league = hall.league.get().ok_or_else(missing)?;
    let path = path.trim_start_matches('/');
    let found = tokio::task::block_in_place(|| match path.strip_prefix("downloads/") {
        Some(file) => league.download(file),
        None => {
            let page = league.page(path, visit)?;
            Ok(page.map(|text| ("text/html; charset=utf-8", text.into_bytes())))
        }
    });
    let (kind, text) = found.map_err(|error| Failure::of(visit, &error))?.ok_or_else(missing)?;
    // Who has the page already is told that it is still so.
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    let tag = format!("{:016x}", hasher.finish());
    let caching = [(CACHE_CONTROL, "no-cache".to_owned()), (ETAG, format!("\"{tag}\""))];
    let known = headers.get(IF_NONE_MATCH).and_then(|known| known.to_str().ok());
    if known.is_some_and(|known| known.contains(&tag)) {
        return Ok((StatusCode::NOT_MODIFIED, caching).into_response());
    }
    Ok((caching, [(CONTENT_TYPE, kind), (CONTENT_SECURITY_POLICY, POLICY)], text).into_response())
}
