//! `ranka league table`

use super::LeagueArgs;
use crate::failure::Done;
use crate::print::{self, TextTable};
use ranka_core::Error;
use ranka_lab::Store;
use ranka_league::{League, StandingsRow};
use serde_json::{Value, json};

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ranka league table --league my-league
  ranka league table --league my-league --json")]
pub(crate) struct Args {
    #[command(flatten)]
    league: LeagueArgs,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Done {
    let league = args.league.open()?;
    let store = league.store()?;
    if args.json { print::json(&value(&league, &store)?) } else { print::text(&text(&league, &store)?) }
}

fn value(league: &League, store: &Store) -> Result<Value, Error> {
    let mut games = Vec::new();
    for game in league.games() {
        let today = league.players(game)?;
        let standings = league.standings(game, store, &today)?;
        let place = |place: &StandingsRow| {
            json!({
                "name": place.player.name, "version": place.player.version, "current": today.contains(&place.player),
                "rating": place.rating, "error": place.error.is_finite().then_some(place.error),
                "games": place.games(), "wins": place.results.wins, "draws": place.results.draws,
                "losses": place.results.losses, "faults": place.faults,
            })
        };
        let all: Vec<_> = standings.places.iter().map(|place| place.player.clone()).collect();
        let places: Vec<Value> = standings.ranked(&all).into_iter().map(place).collect();
        games.push(json!({ "game": game.game.info().name, "rules": game.game.rules(), "places": places }));
    }
    Ok(json!({ "title": league.config.title, "games": games }))
}

/// Who stands where, for people.
pub(super) fn text(league: &League, store: &Store) -> Result<String, Error> {
    let mut out = String::new();
    for game in league.games() {
        let today = league.players(game)?;
        let standings = league.standings(game, store, &today)?;
        let rules = game.game.rules_short();
        let rules = if rules.is_empty() { rules } else { format!(" ({rules})") };
        out += &format!("\n{}{rules}\n\n", game.game.info().title);
        let headings = ["", "bot", "rating", "±", "games", "won", "drawn", "lost", "score", "faults"];
        let mut table = TextTable::headed(headings).right([0, 2, 3, 4, 5, 6, 7, 8, 9]);
        for (number, place) in (1..).zip(standings.ranked(&today)) {
            let played = place.games() > 0;
            let error = match place.error {
                error if error <= 0.0 => "fixed".to_owned(),
                error if error.is_finite() => format!("{:.0}", 1.96 * error),
                _ => String::new(),
            };
            let [won, drawn, lost] = <[u64; 3]>::from(place.results).map(|n| n.to_string());
            table.row([
                number.to_string(),
                print::versioned(&place.player.name, place.player.version),
                if played { print::minus(&format!("{:.0}", place.rating)) } else { String::new() },
                error,
                place.games().to_string(),
                won,
                drawn,
                lost,
                place.results.score().map_or_else(String::new, print::percent),
                place.faults.to_string(),
            ]);
        }
        out += &table.render("");
    }
    Ok(out)
}
