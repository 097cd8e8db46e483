//! Puzzles: those that come with the games, and how new ones are found in games that agents play.

use crate::{catalogue, game, ladder};
use ranka_core::{Actor, AnyAgent, AnyGame, Error, Proof, Rng, Seed, Settings, TableTruth};
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// A position that asks for something, and how hard that is to see.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Puzzle {
    /// The options of the rules that differ from the defaults.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub rules: String,
    /// The position, in notation.
    pub position: String,
    /// One way to solve it, as far as it is known.
    pub line: String,
    /// From 1 to 4: one more for each of Easy, Medium and Hard that misses it.
    pub difficulty: u8,
}

/// A file of puzzles.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    puzzle: Vec<Puzzle>,
}

/// How many positions a proof may look at.
pub const PROOF: u64 = 200_000;

static SHIPPED: LazyLock<HashMap<&'static str, Vec<Puzzle>>> = LazyLock::new(|| {
    let read = |text| toml::from_str::<File>(text).map_or_else(|_| Vec::new(), |file| file.puzzle);
    catalogue().iter().map(|entry| (entry.info().name, read(entry.puzzles()))).collect()
});

/// The puzzles that come with a game. They are part of the program, and a test reads and proves them all.
pub fn puzzles(name: &str) -> &'static [Puzzle] {
    SHIPPED.get(name).map_or(&[], Vec::as_slice)
}

/// The puzzle of a day, counted from any day: its game, and its place among that game's.
pub fn puzzle_of_the_day(day: u64) -> Option<(&'static str, usize)> {
    let with: Vec<&'static str> =
        catalogue().iter().map(|entry| entry.info().name).filter(|name| !puzzles(name).is_empty()).collect();
    let games = with.len() as u64;
    let name = with.get(day.checked_rem(games)? as usize)?;
    // A step that shares no factor with most lengths, so that neighbours in the file are far apart in the year.
    let place = (day / games).wrapping_mul(7) % puzzles(name).len() as u64;
    Some((name, place as usize))
}

/// Puzzles as the file that a game ships.
pub fn write_puzzles(puzzles: Vec<Puzzle>) -> String {
    toml::to_string(&File { puzzle: puzzles }).expect("puzzles are text and numbers")
}

/// The proof of a puzzle, or what is wrong with it.
pub fn proof_of(name: &str, puzzle: &Puzzle) -> Result<Proof<String>, Error> {
    let game = game(name)?.open(&puzzle.rules)?;
    let unproved = || Error::input(format!("{}: nothing is proved of this position", puzzle.position));
    game.prove(&puzzle.position, PROOF)?.ok_or_else(unproved)
}

/// The agents that try a game's puzzles, weakest first: a puzzle is the harder the more of them miss its solution. Their
/// errors follow from the position, unlike those of a ladder's ranks, which err by chance.
pub fn solvers(game: &str) -> Result<&'static [String], Error> {
    Ok(&ladder(game)?.solvers)
}

/// Where puzzles are looked for.
pub struct Hunt<'a> {
    /// The game under its rules.
    pub game: &'a dyn AnyGame,
    /// Who plays the games; every fourth action or so is any.
    pub by: &'a AnyAgent,
    /// What all randomness follows from.
    pub seed: Seed,
    /// How many puzzles are wanted.
    pub count: usize,
    /// The most games that are played for them.
    pub games: u64,
    /// Ends it early.
    pub cancel: &'a AtomicBool,
}

/// So many puzzles of one game look alike.
const PER_GAME: usize = 2;

impl Hunt<'_> {
    /// Plays games until there are enough puzzles of every difficulty, or as many games as are allowed. `progress` hears of
    /// the games played and the puzzles found.
    pub fn run(&self, progress: &mut dyn FnMut(u64, usize)) -> Result<Vec<Puzzle>, Error> {
        let solvers = solvers(self.game.info().name)?.iter();
        let judges: Vec<AnyAgent> = solvers.map(|spec| self.game.agent(spec)).collect::<Result<_, _>>()?;
        let share = self.count.div_ceil(judges.len() + 1);
        let (mut found, mut known) = (Vec::<Puzzle>::new(), HashSet::new());
        for number in 0..self.games {
            let kept = |difficulty| found.iter().filter(|p| p.difficulty == difficulty).count();
            let enough = (1..=judges.len() + 1).all(|difficulty| kept(difficulty as u8) >= share);
            if enough || self.cancel.load(Ordering::Relaxed) {
                break;
            }
            for puzzle in self.of_game(number, &judges)? {
                if known.insert(puzzle.position.clone()) {
                    found.push(puzzle);
                }
            }
            progress(number + 1, found.len());
        }
        Ok(self.chosen(found, share))
    }

    /// As many of each difficulty as their share is, and of what is missing then whatever there is; the easy ones first.
    fn chosen(&self, mut found: Vec<Puzzle>, share: usize) -> Vec<Puzzle> {
        found.sort_by_key(|puzzle| puzzle.difficulty);
        let mut taken = HashMap::new();
        let (mut chosen, mut rest) = (Vec::new(), Vec::new());
        for puzzle in found {
            let of_this = taken.entry(puzzle.difficulty).or_insert(0);
            *of_this += 1;
            if *of_this <= share { chosen.push(puzzle) } else { rest.push(puzzle) }
        }
        // The harder ones are rarer: what is too much of them is taken first.
        chosen.extend(rest.into_iter().rev());
        chosen.truncate(self.count);
        chosen.sort_by_key(|puzzle| puzzle.difficulty);
        chosen
    }

    fn of_game(&self, number: u64, judges: &[AnyAgent]) -> Result<Vec<Puzzle>, Error> {
        let seed = self.seed.at(number);
        let mut rng = Rng::new(seed.child("puzzles"));
        let players = vec![Some(self.by); self.game.seats()];
        let mut table = self.game.table(None, &players, seed)?;
        let settings = Settings { cancel: self.cancel, ..Settings::default() };
        let mut found = Vec::new();
        while found.len() < PER_GAME {
            match table.actor() {
                Actor::Over => break,
                Actor::Chance => table.draw(),
                Actor::Seat(seat) => {
                    found.extend(self.at(table.as_ref(), judges)?);
                    let choices = table.choices(seat);
                    if rng.below(4) == 0 {
                        table.act(&choices[rng.below(choices.len() as u32) as usize])?;
                    } else if table.think(&settings).is_err() {
                        break;
                    }
                }
            }
        }
        Ok(found)
    }

    /// The puzzle that a position makes, if few actions are right.
    fn at(&self, table: &dyn TableTruth, judges: &[AnyAgent]) -> Result<Option<Puzzle>, Error> {
        let Actor::Seat(seat) = table.actor() else { return Ok(None) };
        let (position, choices) = (table.position(), table.choices(seat).len());
        let Some(proof) = self.game.prove(&position, PROOF)? else { return Ok(None) };
        // What is done at once is no puzzle, nor what half of all actions do.
        if choices < 3 || proof.right.len() * 4 > choices || proof.line.len() < 2 {
            return Ok(None);
        }
        let settings = Settings { cancel: self.cancel, ..Settings::default() };
        let misses = |judge: &&AnyAgent| {
            let thought = self.game.analyse(&table.view(seat), judge, self.seed, &settings, &mut |_| {});
            thought.is_ok_and(|thought| !proof.right.contains(&thought.choice))
        };
        let difficulty = 1 + judges.iter().filter(misses).count() as u8;
        let rules = self.game.rules_short();
        Ok(Some(Puzzle { rules, position, line: proof.line.join(" "), difficulty }))
    }
}
