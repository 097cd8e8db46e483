//! A bot's own page: how it fares, against whom, what went wrong, and which games are worth a look.

use super::{Played, Shown, Spot, bot_link, home, rating};
use crate::pages::name_in;
use crate::review::look_back;
use crate::seen::ended;
use maud::{Markup, PreEscaped, html};
use ranka_core::{Error, Wdl};
use ranka_league::{League, Player};
use std::sync::atomic::AtomicBool;

/// How many of its last games are shown as its form.
const FORM: usize = 12;
/// How many faults are shown with what it printed.
const FAULTS: usize = 8;
/// How many lost games are looked at for the biggest swing, and for how many milliseconds each action.
const LOOKED_AT: (usize, u64) = (3, 4);

/// The page; for the biggest swing games are looked at, which takes a moment, only if `look`.
pub(super) fn page(
    league: &League,
    name: &str,
    shown: &[Shown],
    spot: Spot,
    look: bool,
) -> Result<Markup, Error> {
    let versions = league.versions(name)?;
    let mut parts = Vec::new();
    for shown in shown {
        if shown.played.iter().any(|played| played.players.iter().any(|player| player.name == name)) {
            parts.push(of_game(name, shown, spot, look)?);
        }
    }
    let body = html! {
        h1 { (name) }
        @if let Some(last) = versions.last() {
            p.small { (spot.language.fill("version {0}", [&last.number.to_string()])) " · " code { (last.cmd) } }
        }
        @if parts.is_empty() { p { (spot.say("It has not played yet.")) } }
        @for part in parts { (part) }
    };
    Ok(super::page(league, name, spot, &format!("bots/{name}.html"), &body))
}

fn of_game(name: &str, shown: &Shown, spot: Spot, look: bool) -> Result<Markup, Error> {
    let say = |text| spot.say(text);
    // Its games, the newest version's first; with its number in each.
    let mut own: Vec<(&Played, usize)> = Vec::new();
    for played in &shown.played {
        own.extend(
            played.players.iter().position(|player| player.name == name).map(|number| (played, number)),
        );
    }
    own.sort_by_key(|(played, number)| std::cmp::Reverse(played.players[*number].version));
    let newest: Vec<&(&Played, usize)> =
        own.iter().filter(|(played, number)| shown.today.contains(&played.players[*number])).collect();
    let mut places: Vec<_> =
        shown.standings.places.iter().filter(|place| place.player.name == name).collect();
    places.sort_by_key(|place| std::cmp::Reverse(place.player.version));
    let faults: Vec<_> = own.iter().filter(|(played, number)| played.is_fault_of(*number)).collect();
    let instructive = instructive(&newest, shown, look)?;
    Ok(html! {
        section {
            h2 { (name_in(shown.game.game.info(), spot.language)) }
            div.wide { table {
                thead { tr { th scope="col" { (say("Version")) } th.n scope="col" { (say("Rating")) } th.n scope="col" { (say("Games")) } th.n scope="col" { (say("Score")) } th.n scope="col" { (say("Faults")) } } }
                tbody { @for place in &places { tr {
                    th scope="row" { (place.player.version) } td.n { (rating(place.rating, place.error)) } td.n { (place.games()) }
                    td.n { (place.results.score().map_or_else(String::new, ranka_lab::words::percent)) } td.n { (place.faults) }
                } } }
            } }
            @if shown.history.len() > 1 {
                figure { (PreEscaped(home::history(shown, &[Player { name: name.to_owned(), version: 0 }], spot))) }
            }
            h3 { (say("Form")) }
            p { @for (played, number) in newest.iter().take(FORM) { (game_link(played, *number, spot)) " " } }
            @if !instructive.is_empty() {
                h3 { (say("Games worth a look")) }
                ul { @for (why, played, number) in &instructive { li {
                    (say(why)) ": " a href={ (spot.up) "games/" (played.page) ".html" } { (opponent(played, *number)) }
                } } }
            }
            h3 { (say("Opponents")) }
            (opponents(name, shown, spot))
            @if !faults.is_empty() {
                h3 { (say("Faults")) }
                @for (played, number) in faults.iter().take(FAULTS) {
                    p { a href={ (spot.up) "games/" (played.page) ".html" } { (opponent(played, *number)) } ": " (ended(played.record.end.reason, name, spot.language)) }
                    @if let Some(detail) = &played.record.end.detail { pre { (detail) } }
                }
            }
            details { summary { (say("All games")) }
                ul { @for (played, number) in &own { li { (game_link(played, *number, spot)) " " (opponent(played, *number))
                    span.small { " " (spot.language.fill("{0} plies", [&played.record.plies.to_string()])) " " (ended(played.record.end.reason, &played.players[*number].name, spot.language)) }
                } } }
            }
        }
    })
}

/// How a game came out, as a link to it.
fn game_link(played: &Played, number: usize, spot: Spot) -> Markup {
    let (class, word) = match played.result(number) {
        Wdl::Win => ("won", "won"),
        Wdl::Draw => ("", "drawn"),
        Wdl::Loss => ("lost", "lost"),
    };
    html! { a class=(class) href={ (spot.up) "games/" (played.page) ".html" } title=(opponent(played, number)) { (spot.say(word)) } }
}

fn opponent(played: &Played, number: usize) -> String {
    let Player { name, version } = &played.players[1 - number];
    format!("– {name} {version}")
}

fn opponents(name: &str, shown: &Shown, spot: Spot) -> Markup {
    let Some(own) = shown.today.iter().find(|player| player.name == name) else { return html! {} };
    let met = shown.standings.ranked(&shown.today);
    let met = met.iter().filter(|place| place.player != *own);
    html! {
        div.wide { table {
            thead { tr { th scope="col" { (spot.say("Bot")) } th.n scope="col" { (spot.say("Rating")) } th.n scope="col" { (spot.say("Won")) } th.n scope="col" { (spot.say("Drawn")) } th.n scope="col" { (spot.say("Lost")) } } }
            tbody { @for place in met {
                @let results = shown.standings.meeting(own, &place.player);
                tr { th scope="row" { (bot_link(&place.player, spot)) } td.n { (rating(place.rating, place.error)) }
                    td.n { (results.wins) } td.n { (results.draws) } td.n { (results.losses) } }
            } }
        } }
    }
}

/// Games that its author can learn from, with the reason why.
fn instructive<'a>(
    own: &[&(&'a Played, usize)],
    shown: &Shown,
    look: bool,
) -> Result<Vec<(&'static str, &'a Played, usize)>, Error> {
    let mut found = Vec::new();
    let lost = own.iter().filter(|(played, number)| played.result(*number) == Wdl::Loss);
    let lost: Vec<&(&Played, usize)> =
        lost.filter(|(played, number)| !played.is_fault_of(*number)).copied().collect();
    let strength = |(played, number): &(&Played, usize)| {
        shown.standings.of(&played.players[1 - number]).map_or(f64::INFINITY, |place| place.rating)
    };
    if let Some((played, number)) = lost.iter().min_by(|a, b| strength(a).total_cmp(&strength(b))) {
        found.push(("Lost to the weakest", *played, *number));
    }
    let mut swings = Vec::new();
    for &&(played, number) in lost.iter().take(if look { LOOKED_AT.0 } else { 0 }) {
        swings.push((swing(shown, played, number)?, played, number));
    }
    let biggest = swings.into_iter().filter(|(swing, _, _)| *swing > 0.0).max_by(|a, b| a.0.total_cmp(&b.0));
    found.extend(biggest.map(|(_, played, number)| ("The biggest swing", played, number)));
    let longest = lost.iter().max_by_key(|(played, _)| played.record.plies);
    found.extend(longest.map(|(played, number)| ("The longest fight", *played, *number)));
    Ok(found)
}

/// How much of its winning chance a player lost at once, in the eyes of the game's judge; from 0 to 1.
fn swing(shown: &Shown, played: &Played, number: usize) -> Result<f64, Error> {
    let judged = look_back(shown.game.game.as_ref(), &played.record, LOOKED_AT.1, &AtomicBool::new(false))?;
    let own: Vec<f64> = judged
        .iter()
        .filter(|judged| judged.seat.index() == played.seat(number))
        .map(|judged| judged.chance)
        .collect();
    Ok(own.windows(2).map(|pair| pair[0] - pair[1]).fold(0.0, f64::max))
}
