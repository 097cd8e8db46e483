//! The league's first page: standings, how ratings went, who beat whom.

use super::{Sheet, Shown, Spot, bot_link, rating};
use crate::pages::name_in;
use maud::{Markup, PreEscaped, html};
use ranka_core::WdlCounts;
use ranka_lab::plot::{AxisUnit, Caption, Curves, ErrorBar, Intervals, Point, Series, XAxis};
use ranka_league::{League, NightRatings, Player, Playing};
use std::collections::BTreeSet;

/// The page; `playing` are the games in progress.
pub(super) fn page(league: &League, shown: &[Shown], playing: &[Playing], spot: Spot) -> Markup {
    let body = html! {
        h1 { (league.config.title) }
        // Not said aloud: it changes with every game.
        @if !playing.is_empty() {
            p { (spot.say("Being played")) ": " @for (number, Playing { game, players: [one, other] }) in playing.iter().enumerate() {
                @if number > 0 { ", " } (bot_link(one, spot)) " – " (bot_link(other, spot)) span.small { " " (named(game, shown, spot)) }
            } }
        }
        @for shown in shown { (game(shown, spot)) }
    };
    let sheet = Sheet { title: spot.say("Standings"), here: "index.html", made: "", plays: false };
    super::page(league, &sheet, spot, &body)
}

/// A game's name as people say it.
fn named<'a>(game: &'a str, shown: &[Shown], spot: Spot) -> &'a str {
    let known = shown.iter().find(|shown| shown.name() == game);
    known.map_or(game, |shown| name_in(shown.game.game.info(), spot.language))
}

fn game(shown: &Shown, spot: Spot) -> Markup {
    let say = |text| spot.say(text);
    let info = shown.game.game.info();
    let rules = shown.game.game.rules_short();
    let ranked = shown.standings.ranked(&shown.today);
    let games = shown.played.len();
    html! {
        section {
            h2 { (name_in(info, spot.language)) @if !rules.is_empty() { span.small { " (" (rules) ")" } } }
            p.small { (spot.language.games(games as u64))
                @if let Some(last) = shown.history.last() { " · " (when(last.at)) } }
            div.wide { table {
                caption { (say("Ratings with intervals of 95 %")) }
                thead { tr {
                    th.n scope="col" { "#" } th scope="col" { (say("Bot")) } th.n scope="col" { (say("Rating")) } th.n scope="col" { (say("Games")) }
                    th.n scope="col" { (say("Won")) } th.n scope="col" { (say("Drawn")) } th.n scope="col" { (say("Lost")) }
                    th.n scope="col" { (say("Score")) } th.n scope="col" { (say("Faults")) }
                } }
                tbody { @for (number, place) in (1..).zip(&ranked) {
                    @let WdlCounts { wins, draws, losses } = place.results;
                    tr {
                        td.n { (number) } th scope="row" {
                            (bot_link(&place.player, spot))
                            @if shown.standings.sits_out(&place.player) { span.small { " · " (say("sits out until it is changed")) } }
                        }
                        td.n { @if place.games() > 0 { (rating(place.rating, place.error)) } }
                        td.n { (place.games()) } td.n { (wins) } td.n { (draws) } td.n { (losses) }
                        td.n { (place.results.score().map_or_else(String::new, ranka_lab::words::percent)) } td.n { (place.faults) }
                    }
                } }
            } }
            @if shown.history.len() > 1 { figure { (PreEscaped(history(shown, &shown.today, spot))) } }
            h3 { (say("Cross table")) }
            (cross_table(shown, spot))
            @if games > 0 {
                h3 { (say("Downloads")) }
                ul {
                    li { a href={ (spot.shared()) "downloads/" (shown.name()) ".jsonl" } { (say("All games as records")) } }
                    li { a href={ (spot.shared()) "downloads/" (shown.name()) ".csv" } { (say("All games as a table")) } }
                }
            }
        }
    }
}

/// The score of each against each other, in percent.
fn cross_table(shown: &Shown, spot: Spot) -> Markup {
    let ranked = shown.standings.ranked(&shown.today);
    html! {
        div.wide { table.cross {
            caption { (spot.say("Score of the row against the column in percent, and how many games")) }
            thead { tr { th scope="col" { (spot.say("Bot")) } @for (number, place) in (1..).zip(&ranked) { th scope="col" title=(place.player.name) { (number) } } } }
            tbody { @for (number, row) in (1..).zip(&ranked) { tr {
                th scope="row" { (number) " " (bot_link(&row.player, spot)) }
                @for column in &ranked {
                    @let met = shown.standings.meeting(&row.player, &column.player);
                    td { @if row.player == column.player { "·" } @else if let Some(score) = met.score() {
                        @let page = shown.pages_of(&row.player, &column.player).first();
                        a.won[score > 0.5].lost[score < 0.5] href=[page.map(|page| format!("{}games/{page}.html", spot.up))] title={ (row.player.name) " – " (column.player.name) } {
                            (percent(score)) span.small { " /" (met.games()) }
                        }
                    } }
                }
            } } }
        } }
    }
}

/// A score in percent, so that those of the two make up a hundred.
fn percent(score: f64) -> String {
    let percent = format!("{:.1}", 100.0 * score);
    percent.strip_suffix(".0").map(str::to_owned).unwrap_or(percent)
}

/// The ratings of some players after each night. A new version goes on where the old one was.
pub(super) fn history(shown: &Shown, players: &[Player], spot: Spot) -> String {
    let of_name = |name: &str| {
        let night = |(number, night): (usize, &NightRatings)| {
            let found = night.ratings.iter().find(|(player, _, _)| player.name == name);
            found.map(|(_, value, error)| Point {
                x: number as f64,
                y: ErrorBar { value: *value, interval: Some([value - 1.96 * error, value + 1.96 * error]) },
            })
        };
        Series {
            label: name.to_owned(),
            points: shown.history.iter().enumerate().filter_map(night).collect(),
            changes: changes(name, &shown.history),
            ..Series::default()
        }
    };
    let mut names: Vec<&str> = players.iter().map(|player| player.name.as_str()).collect();
    names.dedup();
    let plot = Curves {
        caption: Caption {
            title: spot.say("Ratings, night by night").to_owned(),
            x_label: String::new(),
            y_label: spot.say("Rating").to_owned(),
            note: spot.say("Bars: intervals of 95 %; v2 and so on: a new version.").to_owned(),
        },
        unit: AxisUnit::Plain,
        x_axis: XAxis::Categories(nights(&shown.history)),
        intervals: Intervals::Bars,
        series: names.into_iter().map(of_name).collect(),
        level: None,
        diagonal: None,
    };
    plot.svg()
}

fn when(at: i64) -> String {
    let at = jiff::Timestamp::from_second(at).unwrap_or_default();
    at.strftime("%Y-%m-%d %H:%M UTC").to_string()
}

/// From which nights on a bot played in another version than before.
fn changes(name: &str, history: &[NightRatings]) -> Vec<(f64, String)> {
    let version = |night: &NightRatings| {
        let found = night.ratings.iter().find(|(player, _, _)| player.name == name);
        found.map(|(player, _, _)| player.version)
    };
    let versions = history.iter().enumerate().filter_map(|(at, night)| Some((at, version(night)?)));
    let versions: Vec<(usize, u32)> = versions.collect();
    let changed = versions.windows(2).filter(|pair| pair[0].1 != pair[1].1);
    changed.map(|pair| (pair[1].0 as f64, format!("v{}", pair[1].1))).collect()
}

/// What nights are called: by their day, with the time where a day has several.
fn nights(history: &[NightRatings]) -> Vec<String> {
    let called = |form: &str| -> Vec<String> {
        let name = |night: &NightRatings| {
            jiff::Timestamp::from_second(night.at).unwrap_or_default().strftime(form).to_string()
        };
        history.iter().map(name).collect()
    };
    let forms = ["%m-%d", "%m-%d %H:%M", "%m-%d %H:%M:%S"].map(called);
    let told_apart = |names: &&Vec<String>| names.iter().collect::<BTreeSet<_>>().len() == names.len();
    forms.iter().find(told_apart).unwrap_or(&forms[2]).clone()
}
