//! `ranka record list`

use super::chosen::{ALL, Chosen, short_agent, short_rules};
use crate::failure::{Done, Failure};
use crate::lab_args::StoreArgs;
use crate::print::{self, TextTable};
use ranka_core::{Error, Record, Seat};
use ranka_lab::{IMPORT, Store, StoredPairing, game_name, imported_name, short_identity};
use serde_json::{Value, json};
use std::path::Path;

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ranka record list
  ranka record list 3fa4
  ranka record list import --json")]
pub(super) struct Args {
    /// A pairing, by the first digits of its identity, or import: its games are listed
    #[arg(value_name = "ID")]
    id: Option<String>,
    #[command(flatten)]
    store: StoreArgs,
    /// Print one JSON array
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> Done {
    let store = args.store.open_to_read()?;
    match &args.id {
        None => pairings(&store, &args.store.path()?, args.json),
        Some(id) => match Chosen::find(&store, id)? {
            Chosen::Played(pairing, None) => games(&store, &pairing, args.json),
            Chosen::Imported(None) => imported(&store, args.json),
            _ => Err(Failure::usage(&format!("{id}: that is one game; `ranka record show {id}` shows it"))),
        },
    }
}

/// A line of the list of pairings.
struct Line {
    identity: String,
    game: String,
    rules: String,
    agents: Vec<String>,
    versions: Vec<u32>,
    games: u64,
    /// The mean score of each agent.
    scores: Vec<f64>,
}

fn pairings(store: &Store, path: &Path, as_json: bool) -> Done {
    let mut lines = Vec::new();
    for pairing in store.pairings()? {
        lines.push(line_of(store, pairing)?);
    }
    lines.extend(lines_of_imported(&store.imported()?));
    if as_json {
        let value = |line: &Line| {
            json!({
                "pairing": line.identity, "game": line.game, "rules": line.rules, "agents": line.agents,
                "versions": line.versions, "games": line.games, "scores": line.scores,
            })
        };
        return print::json(&lines.iter().map(value).collect::<Vec<Value>>());
    }
    if lines.is_empty() {
        return print::text(&format!("No games in {}.\n", path.display()));
    }
    let mut table = TextTable::headed(["pairing", "game", "rules", "games", "score", "agents"]).right([3, 4]);
    for line in &lines {
        let agents = named(&line.game, &line.agents, &line.versions);
        table.row([
            short_identity(&line.identity).to_owned(),
            line.game.clone(),
            short_rules(&line.game, &line.rules),
            line.games.to_string(),
            line.scores.first().map_or_else(String::new, |&score| print::percent(score)),
            agents,
        ]);
    }
    print::text(&table.render(""))
}

fn line_of(store: &Store, pairing: StoredPairing) -> Result<Line, Error> {
    let mut scores = vec![0.0; pairing.agents.len()];
    for count in store.counts(pairing.key)? {
        for (&agent, score) in count.agents.iter().zip(&count.scores) {
            if let Some(sum) = scores.get_mut(agent) {
                *sum += score * count.games as f64;
            }
        }
    }
    scores.iter_mut().for_each(|sum| *sum /= pairing.games.max(1) as f64);
    let StoredPairing { identity, game, rules, agents, versions, games, .. } = pairing;
    Ok(Line { identity, game, rules, agents, versions, games, scores })
}

/// The games that came from elsewhere: those of the same agents under the same rules together.
fn lines_of_imported(imported: &[(i64, Record)]) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    for (_, record) in imported {
        // By the agents' numbers, so that games with swapped seats come together.
        let seats = record.numbers.len();
        let seat_of = |number: usize| record.numbers.iter().position(|&of| of == number).unwrap_or(number);
        let agents: Vec<String> =
            (0..seats).filter_map(|number| record.agents.get(seat_of(number)).cloned()).collect();
        let versions: Vec<u32> =
            (0..seats).map(|number| record.version_of(Seat::new(seat_of(number)))).collect();
        let known = lines.iter().position(|line| {
            (&line.game, &line.rules, &line.agents, &line.versions)
                == (&record.game, &record.rules, &agents, &versions)
        });
        let place = known.unwrap_or_else(|| {
            lines.push(Line {
                identity: IMPORT.to_owned(),
                game: record.game.clone(),
                rules: record.rules.clone(),
                agents,
                versions,
                games: 0,
                scores: vec![0.0; seats],
            });
            lines.len() - 1
        });
        let line = &mut lines[place];
        line.games += 1;
        for (number, sum) in line.scores.iter_mut().enumerate() {
            *sum += record.outcome.get(seat_of(number)).copied().unwrap_or(0.0);
        }
    }
    for line in &mut lines {
        line.scores.iter_mut().for_each(|sum| *sum /= line.games as f64);
    }
    lines
}

fn games(store: &Store, pairing: &StoredPairing, as_json: bool) -> Done {
    let games = store.results(pairing.key, ALL)?;
    let name = |number| game_name(&pairing.identity, number);
    if as_json {
        let value = |game: &ranka_lab::GameResult| {
            json!({
                "name": name(game.number), "number": game.number, "deal": game.number / pairing.deal,
                "agents": game.agents, "scores": game.scores, "plies": game.plies, "reason": game.reason.name(),
            })
        };
        return print::json(&games.iter().map(value).collect::<Vec<Value>>());
    }
    let mut out = heading(&pairing.game, &pairing.rules);
    out += &format!(", seed {}, pairing {}\n", pairing.seed, pairing.identity);
    for (number, (agent, &version)) in pairing.agents.iter().zip(&pairing.versions).enumerate() {
        let agent = print::versioned(&short_agent(&pairing.game, agent), version);
        out += &format!("agent {number}  {agent}\n");
    }
    let mut table = TextTable::headed(["game", "deal", "seats", "scores", "plies", "reason"]).right([1, 4]);
    for game in &games {
        table.row([
            name(game.number),
            (game.number / pairing.deal).to_string(),
            joined(&game.agents, |agent| agent.to_string()),
            joined(&game.scores, |&score| print::number(score)),
            game.plies.to_string(),
            game.reason.name().to_owned(),
        ]);
    }
    print::text(&format!("{out}\n{}", table.render("")))
}

fn imported(store: &Store, as_json: bool) -> Done {
    let imported = store.imported()?;
    if as_json {
        let value = |(number, record): &(i64, Record)| {
            json!({
                "name": imported_name(*number), "number": number, "game": record.game, "rules": record.rules,
                "agents": record.agents, "versions": record.versions, "scores": record.outcome, "plies": record.plies,
                "reason": record.end.reason.name(),
            })
        };
        return print::json(&imported.iter().map(value).collect::<Vec<Value>>());
    }
    if imported.is_empty() {
        return print::text("No games were imported.\n");
    }
    let mut table =
        TextTable::headed(["game", "of", "rules", "scores", "plies", "reason", "agents"]).right([4]);
    for (number, record) in &imported {
        table.row([
            imported_name(*number),
            record.game.clone(),
            short_rules(&record.game, &record.rules),
            joined(&record.outcome, |&score| print::number(score)),
            record.plies.to_string(),
            record.end.reason.name().to_owned(),
            named(&record.game, &record.agents, &record.versions),
        ]);
    }
    print::text(&table.render(""))
}

/// A game with the options that differ from the defaults.
pub(super) fn heading(game: &str, rules: &str) -> String {
    let title = ranka_games::game(game).map_or(game, |entry| entry.info().title);
    let rules = short_rules(game, rules);
    if rules.is_empty() { title.to_owned() } else { format!("{title} ({rules})") }
}

/// Agents with the parameters that differ from the defaults, and their versions where they are not the first.
fn named(game: &str, agents: &[String], versions: &[u32]) -> String {
    let versions = versions.iter().copied().chain(std::iter::repeat(1));
    let named = agents
        .iter()
        .zip(versions)
        .map(|(agent, version)| print::versioned(&short_agent(game, agent), version));
    named.collect::<Vec<_>>().join(" – ")
}

fn joined<T>(items: &[T], text: impl Fn(&T) -> String) -> String {
    items.iter().map(text).collect::<Vec<_>>().join(" ")
}
