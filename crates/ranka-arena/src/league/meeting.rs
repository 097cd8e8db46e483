//! The games of two: a list, and the one that the address names as a replay. Pictures are packed, all games of a page
//! together, because they share most of what they are made of.

use super::{Played, Sheet, Shown, Spot, bot_link, faults, versioned};
use crate::pages::{Film, name_in};
use crate::words::Language;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::GzEncoder;
use maud::{Markup, html};
use ranka_core::{EndReason, Error, digest};
use ranka_league::League;
use serde_json::{Value, json};
use std::io::Write as _;

/// What tells that a page has all these games and leads to all pages of the two, and was written by this program for a league
/// of this title.
pub(super) fn made(league: &League, shown: &Shown, meeting: &[Played]) -> String {
    let Played { players: [one, other], .. } = &meeting[0];
    let last = meeting.last().map_or(0, |played| played.number);
    let (pages, title) = (shown.pages_of(one, other).len(), digest(league.config.title.as_bytes()));
    let program = env!("CARGO_PKG_VERSION");
    let games = Language::English.games(meeting.len() as u64);
    format!("Ranka {program}, {games} to {last}, pages {pages}, league {}", &title[..8])
}

/// The page of games of the same two, of which there is at least one.
pub(super) fn page(league: &League, shown: &Shown, meeting: &[Played], spot: Spot) -> Result<Markup, Error> {
    let say = |text| spot.say(text);
    let Played { page, players: [one, other], .. } = &meeting[0];
    let mut film = Film::default();
    let (mut games, mut rows) = (Vec::new(), Vec::new());
    for played in meeting {
        let reel = film.draw(shown.game.game.as_ref(), &played.record, spot.language)?;
        let end = match played.record.end.reason {
            EndReason::Rules => reel.verdict.clone(),
            _ => faults::ended(played, spot.language),
        };
        rows.push(row(played, &end, spot));
        let scores: Vec<String> = played.record.outcome.iter().map(f64::to_string).collect();
        let result = spot.language.fill("Result: {0}", [&scores.join(" – ")]);
        let detail = played.record.end.detail.as_deref().unwrap_or_default();
        games.push(json!({
            "number": played.number,
            "title": spot.language.fill("Game {0}", [&played.number.to_string()]),
            "players": seated(played, &reel.colours, spot),
            "frames": reel.coded(), "says": reel.says, "by": reel.by,
            "end": if end.is_empty() { result } else { format!("{result} · {end}") },
            "detail": faults::told(detail, spot.language),
        }));
    }
    let data = packed(&json!({ "parts": film.parts(), "games": games }))?;
    let more = shown.pages_of(one, other);
    let names = [one, other].map(|player| versioned(player, spot)).join(" – ");
    let title = format!("{}: {names}", name_in(shown.game.game.info(), spot.language));
    let body = html! {
        h1 { (name_in(shown.game.game.info(), spot.language)) ": " (bot_link(one, spot)) " – " (bot_link(other, spot)) }
        div.meeting {
            section {
                p id="film-needs" { (say("A replay needs JavaScript, in a browser of 2023 or later.")) }
                div id="film-player" hidden { (player(spot)) }
            }
            section {
                h2 { (say("All games of the two")) }
                div id="film-games" tabindex="0" role="region" aria-label=(say("All games of the two")) { table {
                    thead { tr {
                        th scope="col" { "#" } th scope="col" { (say("First")) } th scope="col" { (say("Second")) }
                        th scope="col" { (say("Result")) } th scope="col" { (say("End")) }
                    } }
                    tbody { @for row in rows { (row) } }
                } }
                @if more.len() > 1 { p { (say("More games of the two")) ": "
                    @for (number, name) in (1..).zip(more) {
                        @if name == page { (number) } @else { a href={ (name) ".html" } { (number) } } " "
                    }
                } }
            }
        }
        script type="text/plain" id="film-data" { (data) }
    };
    let here = format!("games/{page}.html");
    Ok(super::page(
        league,
        &Sheet { title: &title, here: &here, made: &made(league, shown, meeting), plays: true },
        spot,
        &body,
    ))
}

/// The board with what goes through its pictures.
fn player(spot: Spot) -> Markup {
    let say = |text| spot.say(text);
    html! {
        h2 id="film-title" {}
        ul.players id="film-players" {}
        div id="film-board" {}
        p id="film-says" role="status" {}
        p id="film-end" {}
        div.film {
            button id="film-back" aria-label=(say("One back")) { "◀" }
            input id="film-frame" type="range" min="0" value="0" aria-label=(say("Action"));
            button id="film-forth" aria-label=(say("One on")) { "▶" }
            button id="film-run" { (say("Play back")) }
        }
        div id="film-wrong" hidden { h3 { (say("What went wrong")) } pre id="film-detail" {} }
        h3 { (say("Moves")) }
        ol.moves id="film-moves" tabindex="0" aria-label=(say("Moves")) {}
    }
}

/// Who sits where, as the script shows it.
fn seated(played: &Played, colours: &[&str], spot: Spot) -> Vec<Value> {
    let seat = |(seat, (&number, &colour)): (usize, (&usize, &&str))| {
        let player = &played.players[number];
        let plays = spot.say(if seat == 0 { "plays first" } else { "plays second" });
        let link = format!("{}bots/{}.html", spot.up, player.name);
        json!({ "name": versioned(player, spot), "link": link, "colour": colour, "plays": plays })
    };
    played.record.numbers.iter().zip(colours).enumerate().map(seat).collect()
}

fn row(played: &Played, end: &str, spot: Spot) -> Markup {
    let scores: Vec<String> = played.record.outcome.iter().map(f64::to_string).collect();
    let plies = spot.language.plies(played.record.plies);
    html! {
        tr id={ "g" (played.number) } {
            th scope="row" { a href={ "#g" (played.number) } { (spot.language.fill("Game {0}", [&played.number.to_string()])) } }
            @for &number in &played.record.numbers { td { (versioned(&played.players[number], spot)) } }
            td.n { (scores.join(" – ")) }
            td { (end) @if !end.is_empty() { " · " } span.small { (plies) } }
        }
    }
}

/// What the script unpacks: pages of many games would be twenty times as large.
fn packed(value: &Value) -> Result<String, Error> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::best());
    let written = packer.write_all(value.to_string().as_bytes()).and_then(|()| packer.finish());
    let bytes = written.map_err(|error| Error::internal(format!("a game cannot be packed: {error}")))?;
    Ok(STANDARD.encode(bytes))
}
