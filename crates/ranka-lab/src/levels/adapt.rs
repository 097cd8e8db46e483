//! Matches of an adapting player with one opponent: game after game it begins with what it believed at the end of the last.

use crate::Runner;
use ranka_core::{AnyAgent, AnyGame, EndReason, Error, Finished, GameSeeds, Meter, Seat, Seed, Settings};
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use serde::Serialize;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// What the partner notes, in the order in which it is read here.
const NOTES: [&str; 5] = ["note:opponent", "note:doubt", "note:theirs", "note:given", "note:chance"];

/// Between two games somebody may have learnt something, or may be somebody else.
const BETWEEN: f64 = 1.0;

/// Matches to be played.
pub struct Adapting {
    /// The game.
    pub game: Arc<dyn AnyGame>,
    /// The adapting player, without what it believes beforehand.
    pub partner: String,
    /// Who it plays against; from the game on in which each comes.
    pub opponents: Vec<(u64, String)>,
    /// Games of each match.
    pub length: u64,
    /// How many matches.
    pub matches: u64,
    /// All randomness follows from it.
    pub seed: Seed,
}

/// What came of one game of each match, or of all of them.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Adapted {
    /// The scores of the adapting player, match by match.
    pub scores: Vec<f64>,
    /// The rank that it believed in at the end.
    pub ranks: Vec<f64>,
    /// What its actions gave away on average.
    pub given: Vec<f64>,
    /// What the other's actions gave away on average.
    pub theirs: Vec<f64>,
    /// Whether it lost after giving away a quarter of the game or more in the last tenth of its decisions.
    pub late: Vec<bool>,
}

impl Adapting {
    /// Plays all matches and tells, for each of their games in turn, what came of it.
    pub fn run(&self, runner: &Runner<'_>) -> Result<Vec<Adapted>, Error> {
        let others = self.opponents.iter().map(|(from, spec)| Ok((*from, self.game.agent(spec)?)));
        let others: Vec<(u64, AnyAgent)> = others.collect::<Result<_, Error>>()?;
        let meter = self.game.meter(&NOTES.map(str::to_owned))?;
        let pool = runner.pool()?;
        let played: Vec<Vec<Seen>> = pool.install(|| {
            let one = |number| self.play(number, &others, &meter, runner);
            (0..self.matches).into_par_iter().map(one).collect::<Result<_, _>>()
        })?;
        let mut games: Vec<Adapted> = vec![Adapted::default(); self.length as usize];
        for seen in played {
            for (game, seen) in games.iter_mut().zip(seen) {
                game.scores.push(seen.score);
                game.ranks.push(seen.rank);
                game.given.push(seen.given);
                game.theirs.push(seen.theirs);
                game.late.push(seen.late);
            }
        }
        Ok(games)
    }

    /// One match.
    fn play(
        &self,
        number: u64,
        others: &[(u64, AnyAgent)],
        meter: &Meter,
        runner: &Runner<'_>,
    ) -> Result<Vec<Seen>, Error> {
        let mut belief = String::new();
        let mut games = Vec::new();
        for index in (0..self.length).take_while(|_| !runner.cancel.load(Ordering::Relaxed)) {
            let partner = self.game.agent(&with(&self.partner, &belief))?;
            let (_, other) = others.iter().rfind(|(from, _)| *from <= index).unwrap_or(&others[0]);
            let seats = self.game.seats();
            let own = Seat::new(((number + index) % seats as u64) as usize);
            let seat = |seat: Seat| if seat == own { (&partner, 0) } else { (other, 1 + seat.index()) };
            let agents: Vec<(&AnyAgent, usize)> = Seat::all(seats).map(seat).collect();
            let settings = Settings { cancel: runner.cancel, ..Settings::default() };
            let seeds = GameSeeds::of(self.seed, number, index);
            let game = self.game.play(&agents, &seeds, &settings, Some(meter));
            if game.record.end.reason == EndReason::Cancelled {
                break;
            }
            let seen = Seen::of(&game, own);
            if seen.rank.is_finite() {
                let doubt = (seen.doubt * seen.doubt + BETWEEN * BETWEEN).sqrt();
                belief = format!("opponent={:.3},doubt={doubt:.3}", seen.rank);
            }
            games.push(seen);
        }
        Ok(games)
    }
}

/// An agent's specification with more parameters.
fn with(spec: &str, more: &str) -> String {
    match (more, spec.contains(':')) {
        ("", _) => spec.to_owned(),
        (_, true) => format!("{spec},{more}"),
        (_, false) => format!("{spec}:{more}"),
    }
}

/// What is kept of a game.
struct Seen {
    score: f64,
    rank: f64,
    doubt: f64,
    given: f64,
    theirs: f64,
    late: bool,
}

impl Seen {
    fn of(game: &Finished, own: Seat) -> Seen {
        let (scores, own) = (&game.record.outcome, own.index());
        let noted = |note: usize| -> Vec<f64> {
            let rows = game.measured[note].chunks(scores.len());
            rows.map(|row| row[own]).filter(|x| x.is_finite()).collect()
        };
        let last = |note: usize| noted(note).last().copied().unwrap_or(f64::NAN);
        let given = noted(3);
        let mean = given.iter().sum::<f64>() / given.len().max(1) as f64;
        let end = given.len() - given.len().div_ceil(10).min(given.len());
        let late = scores[own] < 1.0 / scores.len() as f64 && given[end..].iter().any(|&g| g >= 0.25);
        Seen { score: scores[own], rank: last(0), doubt: last(1), theirs: last(2), given: mean, late }
    }
}
