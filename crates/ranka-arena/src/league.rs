//! The site of a league: files that need no server, in English and in Japanese.

mod bot;
mod home;
pub(crate) mod live;
mod replay;

use crate::words::Language;
use maud::{DOCTYPE, Markup, html};
use ranka_core::{Error, Record, Wdl};
use ranka_lab::export::{GameRows, write_csv};
use ranka_lab::{GameResult, NewFile, Store};
use ranka_league::{League, LeagueGame, Night, Player, Standings};
use std::fs;
use std::io::Write as _;
use std::path::Path;

const STYLE: &str = concat!(include_str!("../static/ranka.css"), include_str!("../static/league.css"));
const ICON: &str = include_str!("../static/seal.svg");

/// What was written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Site {
    /// Pages, those of games included.
    pub pages: usize,
    /// Replays that were not there yet.
    pub replays: usize,
}

/// All that is shown of a game of the league.
struct Shown {
    game: LeagueGame,
    /// Who takes part today.
    today: Vec<Player>,
    standings: Standings,
    history: Vec<Night>,
    /// Every game, the oldest first within a pairing.
    played: Vec<Played>,
}

/// A game that was played.
struct Played {
    /// The name of its page, without its end.
    page: String,
    /// Who, by the numbers that the record gives them.
    players: [Player; 2],
    record: Record,
}

impl Played {
    fn seat(&self, number: usize) -> usize {
        self.record.numbers.iter().position(|&of| of == number).unwrap_or(0)
    }

    /// How it came out for one of the two.
    fn result(&self, number: usize) -> Wdl {
        Wdl::of(self.record.outcome[self.seat(number)])
    }

    /// Whether one of the two ended it by its own fault.
    fn is_fault_of(&self, number: usize) -> bool {
        let blamed = self.record.end.seat.is_some_and(|seat| seat.index() == self.seat(number));
        self.record.end.reason.is_fault() && blamed
    }
}

impl Shown {
    fn of(league: &League, game: &LeagueGame, store: &Store) -> Result<Shown, Error> {
        let today = league.players(game)?;
        let standings = league.standings(game, store, &today)?;
        let mut played = Vec::new();
        for pairing in &standings.pairings {
            let player = |number: usize| Player {
                name: pairing.agents[number].clone(),
                version: pairing.versions[number],
            };
            let id = pairing.identity.get(..12).unwrap_or(&pairing.identity);
            for GameResult { number, .. } in store.results(pairing.key, u64::MAX >> 1)? {
                let Some(record) = store.record(pairing.key, number)? else { continue };
                let page = format!("{}-{id}-{number}", pairing.game);
                played.push(Played { page, players: [player(0), player(1)], record });
            }
        }
        Ok(Shown { game: game.clone(), today, standings, history: league.history(game)?, played })
    }

    fn name(&self) -> &'static str {
        self.game.game.info().name
    }
}

/// Where a page stands, and in which language.
#[derive(Clone, Copy)]
struct Spot {
    language: Language,
    /// From here to the top of this language's pages.
    up: &'static str,
}

impl Spot {
    /// From here to the files that both languages share.
    fn shared(self) -> String {
        let up = if self.language == Language::English { "" } else { "../" };
        format!("{}{up}", self.up)
    }

    fn say(self, english: &str) -> &str {
        self.language.say(english)
    }
}

/// Writes the site of a league into a folder. Pages of games that are there already stay: a game does not change.
pub fn write_site(league: &League, folder: &Path) -> Result<Site, Error> {
    let store = league.store()?;
    let shown: Vec<Shown> =
        league.games().iter().map(|game| Shown::of(league, game, &store)).collect::<Result<_, _>>()?;
    let mut site = Site::default();
    write(&folder.join("style.css"), STYLE)?;
    write(&folder.join("seal.svg"), ICON)?;
    for shown in &shown {
        downloads(shown, &store, folder)?;
    }
    for language in [Language::English, Language::Japanese] {
        let place = match language {
            Language::English => folder.to_owned(),
            Language::Japanese => folder.join("ja"),
        };
        let top = Spot { language, up: "" };
        write(&place.join("index.html"), &home::page(league, &shown, &[], top).into_string())?;
        let below = Spot { language, up: "../" };
        for entrant in &league.config.entrant {
            let page = bot::page(league, &entrant.name, &shown, below, true)?;
            write(&place.join("bots").join(format!("{}.html", entrant.name)), &page.into_string())?;
            site.pages += 1;
        }
        for shown in &shown {
            for played in &shown.played {
                let path = place.join("games").join(format!("{}.html", played.page));
                site.pages += 1;
                if !path.is_file() {
                    write(&path, &replay::page(league, shown, played, below)?.into_string())?;
                    site.replays += 1;
                }
            }
        }
        site.pages += 1;
    }
    Ok(site)
}

/// Every game as a record, one a line.
fn lines(shown: &Shown) -> String {
    let line = |played: &Played| {
        serde_json::to_string(&played.record).expect("a record is made of text and numbers") + "\n"
    };
    shown.played.iter().map(line).collect()
}

/// Every game of a game, as records and as a table.
fn downloads(shown: &Shown, store: &Store, folder: &Path) -> Result<(), Error> {
    write(&folder.join("downloads").join(format!("{}.jsonl", shown.name())), &lines(shown))?;
    let pairings = &shown.standings.pairings;
    let results: Vec<Vec<GameResult>> =
        pairings.iter().map(|pairing| store.results(pairing.key, u64::MAX >> 1)).collect::<Result<_, _>>()?;
    let rows: Vec<GameRows<'_>> = pairings
        .iter()
        .zip(&results)
        .map(|(pairing, games)| GameRows::stored(pairing, games))
        .collect::<Result<_, _>>()?;
    if rows.is_empty() {
        return Ok(());
    }
    write_csv(&folder.join("downloads").join(format!("{}.csv", shown.name())), &rows)
}

fn write(path: &Path, text: &str) -> Result<(), Error> {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).map_err(|e| Error::writing(parent, e))?;
    }
    let mut file = NewFile::create(path)?;
    file.write_all(text.as_bytes()).map_err(|e| file.failed(e))?;
    file.finish()
}

/// A page with what all have around them; `here` is its own place below the top of its language's pages.
fn page(league: &League, title: &str, spot: Spot, here: &str, body: &Markup) -> Markup {
    let shared = spot.shared();
    let (code, name, other) = match spot.language {
        Language::English => ("ja", "日本語", format!("{shared}ja/{here}")),
        Language::Japanese => ("en", "English", format!("{shared}{here}")),
    };
    html! {
        (DOCTYPE)
        html lang=(spot.language.code()) data-theme="auto" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) " · " (league.config.title) }
                link rel="icon" href={ (shared) "seal.svg" } type="image/svg+xml";
                link rel="stylesheet" href={ (shared) "style.css" };
            }
            body {
                a.skip href="#main" { (spot.say("To the content")) }
                header.top {
                    nav aria-label=(spot.say("Main")) {
                        a.name href={ (spot.up) "index.html" } { (league.config.title) }
                        a href=(other) lang=(code) hreflang=(code) { (name) }
                    }
                }
                main id="main" { (body) }
            }
        }
    }
}

/// A rating with its error, as it is shown.
fn rating(value: f64, error: f64) -> String {
    let error = if error.is_finite() { format!(" ± {:.0}", 1.96 * error) } else { String::new() };
    ranka_lab::words::minus(&format!("{value:.0}{error}"))
}

/// A link to a bot's page, with its version where that is not the first.
fn bot_link(player: &Player, spot: Spot) -> Markup {
    html! {
        a href={ (spot.up) "bots/" (player.name) ".html" } { (player.name) }
        @if player.version > 1 { span.small { " " (spot.language.fill("version {0}", [&player.version.to_string()])) } }
    }
}
