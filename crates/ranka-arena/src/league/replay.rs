//! The page of a game: it plays by itself.

use super::{Played, Shown, Spot, bot_link};
use crate::pages::{Film, name_in, player};
use crate::seen::ended;
use maud::{Markup, html};
use ranka_core::Error;
use ranka_league::League;

pub(super) fn page(league: &League, shown: &Shown, played: &Played, spot: Spot) -> Result<Markup, Error> {
    let record = &played.record;
    let film = Film::of(shown.game.game.as_ref(), record, spot.language)?;
    let seated = record.numbers.iter().map(|&number| &played.players[number]);
    let names: Vec<&str> = seated.clone().map(|player| player.name.as_str()).collect();
    let blamed = record.end.seat.map_or("", |seat| names[seat.index()]);
    let scores: Vec<String> = record.outcome.iter().map(f64::to_string).collect();
    let title = format!("{}: {}", name_in(shown.game.game.info(), spot.language), names.join(" – "));
    let body = html! {
        div.replay {
            h1 { (title) }
            p { @for (number, player) in seated.enumerate() { @if number > 0 { " – " } (bot_link(player, spot)) } }
            p { (spot.language.fill("Result: {0}", [&scores.join(" – ")])) " " span.small { (ended(record.end.reason, blamed, spot.language)) } }
            (player(&film, spot.language))
            @if let Some(detail) = &record.end.detail { h2 { (spot.say("What the programs printed")) } pre { (detail) } }
        }
    };
    Ok(super::page(league, &title, spot, &format!("games/{}.html", played.page), &body))
}
