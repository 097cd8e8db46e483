//! The site of a league: files that need no server, in English and in Japanese.

mod bot;
mod faults;
mod home;
pub(crate) mod live;
mod meeting;
#[cfg(test)]
mod tests;

use crate::pages;
use crate::visit::Visit;
use crate::words::Language;
use maud::{DOCTYPE, Markup, html};
use ranka_core::{Error, Record, Wdl};
use ranka_lab::export::{GameRows, csv_to};
use ranka_lab::{GameResult, NewFile, Store};
use ranka_league::{League, LeagueGame, NightRatings, Player, Standings, players_of};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write as _;
use std::path::Path;

const STYLE: &str = concat!(include_str!("../static/ranka.css"), include_str!("../static/league.css"));
/// In one file, since pages without a server cannot load modules.
pub(crate) const SCRIPT: &str =
    concat!(include_str!("../static/film.js"), include_str!("../static/league.js"));
const ICON: &str = include_str!("../static/seal.svg");

/// What was written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Site {
    /// Pages, in both languages.
    pub pages: usize,
    /// Games, each of them a replay.
    pub games: usize,
    /// Games on pages that were written anew, because they were not there yet or have more games now.
    pub written: usize,
}

/// All that is shown of a game of the league.
struct Shown {
    game: LeagueGame,
    /// Who takes part today.
    today: Vec<Player>,
    standings: Standings,
    history: Vec<NightRatings>,
    /// Every game, the oldest first within a pairing.
    played: Vec<Played>,
    /// The pages of the games of two.
    pages: BTreeMap<[Player; 2], Vec<String>>,
}

/// So many games of a pairing share a page.
const ON_A_PAGE: u64 = 50;

/// A game that was played.
struct Played {
    /// The name of the page that it shares with other games of the two, without its end.
    page: String,
    /// Which of their games, from 1 on.
    number: u64,
    /// Who, by the numbers that the record gives them.
    players: [Player; 2],
    /// When it was kept, in milliseconds since 1970; nothing if that was not written down.
    kept: Option<i64>,
    record: Record,
}

impl Played {
    fn seat(&self, number: usize) -> usize {
        self.record.numbers.iter().position(|&of| of == number).unwrap_or(0)
    }

    fn link(&self, spot: Spot) -> String {
        format!("{}games/{}.html#g{}", spot.up, self.page, self.number)
    }

    /// What it is called on the page of one of the two.
    fn named(&self, number: usize, spot: Spot) -> String {
        let opponent = versioned(&self.players[1 - number], spot);
        spot.language.literal_fill("game {0} against {1}", [&self.number.to_string(), &opponent])
    }

    /// How it came out for one of the two.
    fn result(&self, number: usize) -> Wdl {
        Wdl::of(self.record.outcome[self.seat(number)])
    }

    /// Who is to blame for its end; nobody if the rules ended it.
    fn blamed(&self) -> &str {
        let seat = self.record.end.seat.map(|seat| seat.index());
        seat.and_then(|seat| self.record.numbers.get(seat)).map_or("", |&number| &self.players[number].name)
    }

    /// Whether one of the two ended it by its own fault.
    fn is_fault_of(&self, number: usize) -> bool {
        let blamed = self.record.end.seat.is_some_and(|seat| seat.index() == self.seat(number));
        self.record.end.reason.is_fault() && blamed
    }
}

/// Two players, whoever is named first.
fn in_order(one: &Player, other: &Player) -> [Player; 2] {
    let both = if one <= other { [one, other] } else { [other, one] };
    both.map(Player::clone)
}

impl Shown {
    fn of(league: &League, game: &LeagueGame, store: &Store) -> Result<Shown, Error> {
        let today = league.players(game)?;
        let standings = league.standings(game, store, &today)?;
        let mut played = Vec::new();
        for pairing in &standings.pairings {
            let id = pairing.identity.get(..12).unwrap_or(&pairing.identity);
            let kept = store.kept(pairing.key)?;
            for GameResult { number, .. } in store.results(pairing.key, u64::MAX >> 1)? {
                let Some(record) = store.record(pairing.key, number)? else { continue };
                let part = match number / ON_A_PAGE {
                    0 => String::new(),
                    part => format!("-part-{}", part + 1),
                };
                let page = format!("{}-{id}{part}", pairing.game);
                let (players, kept) = (players_of(pairing), kept.get(&number).copied());
                played.push(Played { page, number: number + 1, players, kept, record });
            }
        }
        let history = league.history(game)?;
        let mut shown =
            Shown { game: game.clone(), today, standings, history, played, pages: BTreeMap::new() };
        let mut pages: BTreeMap<[Player; 2], Vec<String>> = BTreeMap::new();
        for meeting in shown.meetings() {
            let Played { players: [one, other], page, .. } = &meeting[0];
            pages.entry(in_order(one, other)).or_default().push(page.clone());
        }
        shown.pages = pages;
        Ok(shown)
    }

    /// The games by the pages that they share.
    fn meetings(&self) -> impl Iterator<Item = &[Played]> {
        self.played.chunk_by(|one, other| one.page == other.page)
    }

    /// The pages of the games of two.
    fn pages_of(&self, one: &Player, other: &Player) -> &[String] {
        self.pages.get(&in_order(one, other)).map_or(&[], Vec::as_slice)
    }

    fn name(&self) -> &'static str {
        self.game.game.info().name
    }
}

/// Everybody who has a page: who takes part, and who once did.
fn everybody(league: &League, shown: &[Shown]) -> BTreeSet<String> {
    let entrants = league.config.entrant.iter().map(|entrant| entrant.name.clone());
    let places = shown.iter().flat_map(|shown| &shown.standings.places);
    entrants.chain(places.map(|place| place.player.name.clone())).collect()
}

/// Where a page stands, and in which language.
#[derive(Clone, Copy)]
struct Spot {
    language: Language,
    /// From here to the top of this language's pages.
    up: &'static str,
    /// Who looks, where the arena shows the pages; nobody where they are files.
    visit: Option<Visit>,
}

/// What a page is.
struct Sheet<'a> {
    title: &'a str,
    /// Its own place below the top of its language's pages.
    here: &'a str,
    /// What tells whether it is as it should be.
    made: &'a str,
    /// Whether it plays games back.
    plays: bool,
}

impl Spot {
    /// From here to the files that both languages share.
    fn shared(self) -> String {
        let up = if self.language == Language::English || self.visit.is_some() { "" } else { "../" };
        format!("{}{up}", self.up)
    }

    fn say(self, english: &str) -> &str {
        self.language.say(english)
    }
}

/// Writes the site of a league into a folder. Pages of games that are there already stay if none came to them: a game does
/// not change.
pub fn write_site(league: &League, folder: &Path) -> Result<Site, Error> {
    let store = league.store()?;
    let shown: Vec<Shown> =
        league.games().iter().map(|game| Shown::of(league, game, &store)).collect::<Result<_, _>>()?;
    let mut site = Site::default();
    write(&folder.join("style.css"), STYLE)?;
    write(&folder.join("seal.svg"), ICON)?;
    write(&folder.join("replay.js"), SCRIPT)?;
    for shown in &shown {
        downloads(shown, &store, folder)?;
    }
    let mut instructive = Vec::new();
    for name in everybody(league, &shown) {
        let found = bot::instructive(&name, &shown, true)?;
        instructive.push((name, found));
    }
    for language in [Language::English, Language::Japanese] {
        let place = match language {
            Language::English => folder.to_owned(),
            Language::Japanese => folder.join("ja"),
        };
        let top = Spot { language, up: "", visit: None };
        write(&place.join("index.html"), home::page(league, &shown, &[], top).into_string())?;
        let below = Spot { language, up: "../", visit: None };
        for (name, instructive) in &instructive {
            let page = bot::page(league, name, &shown, instructive, below)?;
            write(&place.join("bots").join(format!("{name}.html")), page.into_string())?;
            site.pages += 1;
        }
        for shown in &shown {
            for meeting in shown.meetings() {
                let path = place.join("games").join(format!("{}.html", meeting[0].page));
                site.pages += 1;
                let there = fs::read_to_string(&path).unwrap_or_default();
                if !there.contains(&format!("content=\"{}\"", meeting::made(league, shown, meeting))) {
                    write(&path, meeting::page(league, shown, meeting, below)?.into_string())?;
                    site.written += if language == Language::English { meeting.len() } else { 0 };
                }
            }
        }
        site.pages += 1;
    }
    site.games = shown.iter().map(|shown| shown.played.len()).sum();
    Ok(site)
}

/// Every game as a record, one a line.
fn lines(shown: &Shown) -> String {
    let line = |played: &Played| {
        serde_json::to_string(&played.record).expect("a record is made of text and numbers") + "\n"
    };
    shown.played.iter().map(line).collect()
}

/// Every game of a game as a table; nothing if none was played.
fn table(shown: &Shown, store: &Store) -> Result<Option<Vec<u8>>, Error> {
    let pairings = &shown.standings.pairings;
    let results: Vec<Vec<GameResult>> =
        pairings.iter().map(|pairing| store.results(pairing.key, u64::MAX >> 1)).collect::<Result<_, _>>()?;
    let rows: Vec<GameRows<'_>> = pairings
        .iter()
        .zip(&results)
        .map(|(pairing, games)| GameRows::stored(pairing, games))
        .collect::<Result<_, _>>()?;
    if rows.is_empty() {
        return Ok(None);
    }
    let mut text = Vec::new();
    csv_to(&mut text, &rows)?.map_err(|error| Error::internal(error.to_string()))?;
    Ok(Some(text))
}

/// Every game of a game, as records and as a table.
fn downloads(shown: &Shown, store: &Store, folder: &Path) -> Result<(), Error> {
    let place = |end: &str| folder.join("downloads").join(format!("{}.{end}", shown.name()));
    write(&place("jsonl"), lines(shown))?;
    table(shown, store)?.map_or(Ok(()), |table| write(&place("csv"), table))
}

fn write(path: &Path, text: impl AsRef<[u8]>) -> Result<(), Error> {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).map_err(|e| Error::writing(parent, e))?;
    }
    let mut file = NewFile::create(path)?;
    file.write_all(text.as_ref()).map_err(|e| file.failed(e))?;
    file.finish()
}

/// A page with what all have around them.
fn page(league: &League, sheet: &Sheet<'_>, spot: Spot, body: &Markup) -> Markup {
    let Sheet { title, here, made, plays } = *sheet;
    let shared = spot.shared();
    if let Some(visit) = spot.visit {
        let title = format!("{title} · {}", league.config.title);
        let body = html! {
            link rel="stylesheet" href="/static/league.css";
            @if here != "index.html" { p.small { a href={ (spot.up) "index.html" } { (league.config.title) } } }
            (body)
        };
        return pages::page(
            visit,
            &title,
            if plays { &["league.js", "renew.js"] } else { &["renew.js"] },
            &body,
        );
    }
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
                @if !made.is_empty() { meta name="generator" content=(made); }
                title { (title) " · " (league.config.title) }
                link rel="icon" href={ (shared) "seal.svg" } type="image/svg+xml";
                link rel="stylesheet" href={ (shared) "style.css" };
                @if plays { script src={ (shared) "replay.js" } defer {} }
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

/// A rating with its error, as it is shown. That of the anchor is fixed and has none.
fn rating(value: f64, error: f64) -> String {
    let told = error.is_finite() && error > 0.0;
    let error = if told { format!(" ± {:.0}", 1.96 * error) } else { String::new() };
    ranka_lab::words::minus(&format!("{value:.0}{error}"))
}

/// A link to a bot's page, with its version where that is not the first.
fn bot_link(player: &Player, spot: Spot) -> Markup {
    html! {
        a href={ (spot.up) "bots/" (player.name) ".html" } { (player.name) }
        @if player.version > 1 { span.small { " " (spot.language.fill("version {0}", [&player.version.to_string()])) } }
    }
}

/// A player's name, with its version where that is not the first.
fn versioned(player: &Player, spot: Spot) -> String {
    let version = spot.language.fill("version {0}", [&player.version.to_string()]);
    if player.version > 1 { format!("{} {version}", player.name) } else { player.name.clone() }
}
