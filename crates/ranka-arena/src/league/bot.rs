//! A bot's own page: how it fares, against whom, what went wrong, and which games are worth a look.

use super::{Played, Sheet, Shown, Spot, bot_link, faults, home, rating};
use crate::pages::name_in;
use crate::review::look_back;
use maud::{Markup, PreEscaped, html};
use ranka_core::{Error, Wdl};
use ranka_league::{League, Player};
use std::cmp::Reverse;
use std::sync::atomic::AtomicBool;

/// How many of its last games are shown as its form.
const FORM: usize = 12;
/// How many of its last defeats are looked at for the biggest swing, and for how many milliseconds each action.
const LOOKED_AT: (usize, u64) = (3, 4);

/// A game that its author can learn from: why, which, and as whom the bot played it.
type Instructive<'a> = (Lesson, &'a Played, usize);

/// Why a game is worth a look.
pub(super) enum Lesson {
    LostToTheWeakest,
    /// The biggest swing of so many.
    BiggestSwing(usize),
    LongestFight,
}

impl Lesson {
    fn told(&self, spot: Spot) -> String {
        match self {
            Lesson::LostToTheWeakest => spot.say("Lost to the weakest").to_owned(),
            Lesson::BiggestSwing(1) => spot.say("The biggest swing of its last defeat").to_owned(),
            Lesson::BiggestSwing(of) => {
                spot.language.fill("The biggest swing of its last {0} defeats", [&of.to_string()])
            }
            Lesson::LongestFight => spot.say("The longest fight").to_owned(),
        }
    }
}

/// Games of a bot that are worth a look, for each game of the league. For the biggest swing games are looked at, which takes
/// a moment, only if `look`.
pub(super) fn instructive<'a>(
    name: &str,
    shown: &'a [Shown],
    look: bool,
) -> Result<Vec<Vec<Instructive<'a>>>, Error> {
    shown.iter().map(|shown| worth_a_look(&newest(&own(name, shown), shown), shown, look)).collect()
}

/// The page, with what [`instructive`] found.
pub(super) fn page(
    league: &League,
    name: &str,
    shown: &[Shown],
    instructive: &[Vec<Instructive<'_>>],
    spot: Spot,
) -> Result<Markup, Error> {
    let versions = league.versions(name)?;
    let both = shown.iter().zip(instructive).map(|(shown, picked)| (shown, picked, own(name, shown)));
    let played: Vec<_> = both.filter(|(_, _, own)| !own.is_empty()).collect();
    let body = html! {
        h1 { (name) }
        @if let Some(last) = versions.last() {
            p.small { (spot.language.fill("version {0}", [&last.number.to_string()])) " · " code { (last.cmd) } }
        }
        @if played.is_empty() { p { (spot.say("It has not played yet.")) } }
        @for (shown, picked, own) in &played { (of_game(name, shown, own, picked, spot)) }
    };
    let here = format!("bots/{name}.html");
    Ok(super::page(league, &Sheet { title: name, here: &here, made: "", plays: false }, spot, &body))
}

/// Its games, the last of the newest version first; with its number in each.
fn own<'a>(name: &str, shown: &'a Shown) -> Vec<(&'a Played, usize)> {
    let number = |played: &'a Played| {
        let number = played.players.iter().position(|player| player.name == name)?;
        Some((played, number))
    };
    let mut own: Vec<(&Played, usize)> = shown.played.iter().filter_map(number).collect();
    own.sort_by_key(|(played, number)| {
        Reverse((played.players[*number].version, played.kept, played.number))
    });
    own
}

/// Those of today's version.
fn newest<'a>(own: &[(&'a Played, usize)], shown: &Shown) -> Vec<(&'a Played, usize)> {
    let is_today = |(played, number): &&(&Played, usize)| shown.today.contains(&played.players[*number]);
    own.iter().filter(is_today).copied().collect()
}

fn of_game(
    name: &str,
    shown: &Shown,
    own: &[(&Played, usize)],
    instructive: &[Instructive<'_>],
    spot: Spot,
) -> Markup {
    let say = |text| spot.say(text);
    let newest = newest(own, shown);
    let mut places: Vec<_> =
        shown.standings.places.iter().filter(|place| place.player.name == name).collect();
    places.sort_by_key(|place| Reverse(place.player.version));
    let sits_out = shown.today.iter().any(|player| player.name == name && shown.standings.sits_out(player));
    html! {
        section {
            h2 { (name_in(shown.game.game.info(), spot.language)) }
            @if sits_out { p { (say("It has only ever failed, and sits out until it is changed.")) } }
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
            h3 { (say("Form, the last game first")) }
            p { @for (played, number) in newest.iter().take(FORM) {
                @let (class, word) = result(played, *number);
                a class=(class) href=(played.link(spot)) title=(played.named(*number, spot)) { (say(word)) } " "
            } }
            @if !instructive.is_empty() {
                h3 { (say("Games worth a look")) }
                ul { @for (why, played, number) in instructive { li {
                    (why.told(spot)) ": " a href=(played.link(spot)) { (played.named(*number, spot)) }
                } } }
            }
            h3 { (say("Opponents")) }
            (opponents(name, shown, spot))
            (faults::list(own, spot))
            details { summary { (say("All games")) }
                ul { @for (played, number) in own {
                    @let (class, word) = result(played, *number);
                    li { span class=(class) { (say(word)) } " · " a href=(played.link(spot)) { (played.named(*number, spot)) }
                        span.small { " " (spot.language.plies(played.record.plies)) " " (faults::ended(played, spot.language)) }
                    }
                } }
            }
        }
    }
}

/// How a game came out, as a class and a word.
fn result(played: &Played, number: usize) -> (&'static str, &'static str) {
    match played.result(number) {
        Wdl::Win => ("won", "won"),
        Wdl::Draw => ("", "drawn"),
        Wdl::Loss => ("lost", "lost"),
    }
}

fn opponents(name: &str, shown: &Shown, spot: Spot) -> Markup {
    let Some(own) = shown.today.iter().find(|player| player.name == name) else { return html! {} };
    let met = shown.standings.ranked(&shown.today);
    let met = met.iter().filter(|place| place.player != *own);
    html! {
        div.wide { table {
            thead { tr { th scope="col" { (spot.say("Bot")) } th.n scope="col" { (spot.say("Rating")) } th.n scope="col" { (spot.say("Games")) } th.n scope="col" { (spot.say("Won")) } th.n scope="col" { (spot.say("Drawn")) } th.n scope="col" { (spot.say("Lost")) } } }
            tbody { @for place in met {
                @let results = shown.standings.meeting(own, &place.player);
                tr { th scope="row" { (bot_link(&place.player, spot)) } td.n { (rating(place.rating, place.error)) }
                    td.n { @match shown.pages_of(own, &place.player).first() {
                        Some(page) => a href={ (spot.up) "games/" (page) ".html" } { (results.games()) },
                        None => (results.games()),
                    } }
                    td.n { (results.wins) } td.n { (results.draws) } td.n { (results.losses) } }
            } }
        } }
    }
}

fn worth_a_look<'a>(
    own: &[(&'a Played, usize)],
    shown: &Shown,
    look: bool,
) -> Result<Vec<Instructive<'a>>, Error> {
    let mut found = Vec::new();
    let lost = own.iter().filter(|(played, number)| played.result(*number) == Wdl::Loss);
    let lost: Vec<(&Played, usize)> =
        lost.filter(|(played, number)| !played.is_fault_of(*number)).copied().collect();
    let strength = |(played, number): &(&Played, usize)| {
        shown.standings.of(&played.players[1 - number]).map_or(f64::INFINITY, |place| place.rating)
    };
    if let Some((played, number)) = lost.iter().min_by(|a, b| strength(a).total_cmp(&strength(b))) {
        found.push((Lesson::LostToTheWeakest, *played, *number));
    }
    let mut swings = Vec::new();
    for &(played, number) in lost.iter().take(if look { LOOKED_AT.0 } else { 0 }) {
        swings.push((swing(shown, played, number)?, played, number));
    }
    let looked_at = swings.len();
    let biggest = swings.into_iter().filter(|(swing, _, _)| *swing > 0.0).max_by(|a, b| a.0.total_cmp(&b.0));
    found.extend(biggest.map(|(_, played, number)| (Lesson::BiggestSwing(looked_at), played, number)));
    let longest = lost.iter().max_by_key(|(played, _)| played.record.plies);
    found.extend(longest.map(|(played, number)| (Lesson::LongestFight, *played, *number)));
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
