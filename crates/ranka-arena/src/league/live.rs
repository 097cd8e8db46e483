//! The same pages while the league is played: what is in the league's folder now, with who plays at present.

use super::{ICON, STYLE, Shown, Spot, bot, home, replay};
use crate::hall::Hall;
use crate::pages::{Answer, Failure};
use crate::visit::Visit;
use crate::words::Language;
use axum::extract::{Path as Asked, State};
use axum::http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::response::{IntoResponse, Redirect, Response};
use ranka_core::Error;
use ranka_league::League;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// For so long a look at the league's folder is good.
const FRESH: Duration = Duration::from_secs(5);

/// What pages may do: replays run their own few lines, and nothing is fetched from elsewhere.
const POLICY: &str = "default-src 'none'; script-src 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// A league that is shown.
pub(crate) struct LiveLeague {
    folder: PathBuf,
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
        if let Some((_, sight)) = seen.as_ref().filter(|(at, _)| at.elapsed() < FRESH) {
            return Ok(Arc::clone(sight));
        }
        let league = League::open(&self.folder)?;
        let store = league.store()?;
        let shown = league.games().iter().map(|game| Shown::of(&league, game, &store));
        let sight = Arc::new(Sight { shown: shown.collect::<Result<_, _>>()?, league });
        *seen = Some((Instant::now(), Arc::clone(&sight)));
        Ok(sight)
    }

    /// The page at a place of the site; nothing if there is none.
    fn page(&self, path: &str) -> Result<Option<String>, Error> {
        let Sight { league, shown } = &*self.look()?;
        let (language, path) =
            path.strip_prefix("ja/").map_or((Language::English, path), |path| (Language::Japanese, path));
        let below = Spot { language, up: "../" };
        let page = if path == "index.html" {
            Some(home::page(league, shown, &league.playing(), Spot { language, up: "" }))
        } else if let Some(name) = path.strip_prefix("bots/").and_then(|name| name.strip_suffix(".html")) {
            let known = league.config.entrant.iter().any(|entrant| entrant.name == name);
            known.then(|| bot::page(league, name, shown, below, false)).transpose()?
        } else if let Some(name) = path.strip_prefix("games/").and_then(|name| name.strip_suffix(".html")) {
            let mut all =
                shown.iter().flat_map(|shown| shown.played.iter().map(move |played| (shown, played)));
            let found = all.find(|(_, played)| played.page == name);
            found.map(|(shown, played)| replay::page(league, shown, played, below)).transpose()?
        } else {
            None
        };
        Ok(page.map(maud::Markup::into_string))
    }

    /// All games of a game, as records.
    fn records(&self, game: &str) -> Result<Option<String>, Error> {
        let sight = self.look()?;
        Ok(sight.shown.iter().find(|shown| shown.name() == game).map(super::lines))
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
) -> Answer<Response> {
    let missing = || Failure::missing(visit, "There is no such page.");
    let league = hall.league.get().ok_or_else(missing)?;
    let kind = |kind: &'static str| [(CONTENT_TYPE, kind), (CONTENT_SECURITY_POLICY, POLICY)];
    let path = path.trim_start_matches('/');
    match path {
        "style.css" => return Ok((kind("text/css; charset=utf-8"), STYLE).into_response()),
        "seal.svg" => return Ok((kind("image/svg+xml"), ICON).into_response()),
        _ => {}
    }
    let found = tokio::task::block_in_place(|| {
        match path.strip_prefix("downloads/").and_then(|name| name.strip_suffix(".jsonl")) {
            Some(game) => Ok(league.records(game)?.map(|text| (kind("application/x-ndjson"), text))),
            None => Ok(league.page(path)?.map(|text| (kind("text/html; charset=utf-8"), text))),
        }
    });
    let found: Option<_> = found.map_err(|error: Error| Failure::of(visit, &error))?;
    found.map(IntoResponse::into_response).ok_or_else(missing)
}
