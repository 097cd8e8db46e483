//! Games of Tantrix as logs: all that the paper's figures are drawn from, ply by ply.

use ranka_core::{End, Error, Game as _, Notation as _, Params, Per, Record, Seat};
use ranka_lab::{GameResult, Replayer, StoredPairing};
use ranka_tantrix::Tantrix;
use ranka_tantrix::measures::{PlyLog, log};
use serde::Serialize;
use std::collections::BTreeMap;

/// What the search told of a ply, if it was recorded; everything else follows from the actions.
const SEARCH: [&str; 3] = ["value", "depth", "ply-nodes"];

/// A game, one line of the file.
#[derive(Serialize)]
struct GameLog<'a> {
    game: &'a str,
    seed: (u64, u64, u64),
    rules: &'a str,
    players: &'a [String],
    /// The version of each seat's player; 0 for one that is no agent of this program.
    versions: &'a [u32],
    /// The number that each seat's player has in its pairing.
    numbers: &'a [usize],
    #[serde(skip_serializing_if = "Option::is_none")]
    budget: Option<&'a str>,
    colours: Vec<String>,
    /// The hands in the order of the seats, then every tile in the order drawn.
    deck: Vec<usize>,
    end: &'a End,
    outcome: &'a [f64],
    /// What was recorded of the whole game, by seat.
    measured: BTreeMap<&'a str, &'a [f64]>,
    plies: Vec<Ply<'a>>,
}

#[derive(Serialize)]
struct Ply<'a> {
    #[serde(flatten)]
    log: PlyLog,
    /// What the search of the player told.
    search: BTreeMap<&'a str, f64>,
}

/// The line of a game; `kept` is what the store has beside its record.
pub(super) fn line(
    name: &str,
    record: &Record,
    kept: Option<(&StoredPairing, &GameResult)>,
) -> Result<Vec<u8>, Error> {
    if record.game != Tantrix::INFO.name {
        return Err(Error::input(format!("a game of {} has no log of Tantrix", record.game)));
    }
    Replayer::default().check(record)?;
    let game = Tantrix::new(&Params::parse(&record.rules, Tantrix::options())?)?;
    let start = game.read_state(&record.start)?;
    let actions = record.actions.split_whitespace().map(|text| game.read_action(text));
    let plies = log(&start, &actions.collect::<Result<Vec<_>, _>>()?);
    let seats = || Seat::all(record.agents.len());
    let mut deck: Vec<usize> = seats().flat_map(|seat| start.hand(seat)).map(|tile| tile.number()).collect();
    deck.extend(plies.iter().filter_map(|ply| ply.drawn));

    let measures = ranka_games::game(&record.game)?.measures();
    let per = |name: &str| measures.iter().find(|(of, _, _)| *of == name).map(|(_, _, per)| *per);
    let kept = || kept.iter().flat_map(|(pairing, result)| pairing.measures.iter().zip(&result.measured));
    let told = |name: &str| SEARCH.contains(&name) || name.starts_with("note:");
    let search = |ply: usize, seat: Seat| {
        let of = kept().filter(|(name, _)| told(name));
        of.filter_map(|(name, numbers)| {
            Some((name.as_str(), *numbers.get(ply * record.agents.len() + seat.index())?))
        })
        .collect()
    };
    let log = GameLog {
        game: name,
        seed: record.seed,
        rules: &record.rules,
        players: &record.agents,
        versions: &record.versions,
        numbers: &record.numbers,
        budget: record.budget.as_deref(),
        colours: seats().map(|seat| start.colour(seat).name().to_owned()).collect(),
        deck,
        end: &record.end,
        outcome: &record.outcome,
        measured: kept()
            .filter(|(name, _)| per(name) == Some(Per::Seat))
            .map(|(name, numbers)| (name.as_str(), numbers.as_slice()))
            .collect(),
        plies: (0..).zip(plies).map(|(i, ply)| Ply { search: search(i, ply.seat), log: ply }).collect(),
    };
    let mut line = serde_json::to_vec(&log).expect("a log is made of text and numbers");
    line.push(b'\n');
    Ok(line)
}
