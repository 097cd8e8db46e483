//! Measures: numbers read off finished games, for experiments that ask for more than who won.

use crate::{Error, Game, Note, Played, Seat, Thought, unknown};
use serde::Serialize;
use std::any::Any;
use std::sync::Arc;

/// What a measure gives its numbers for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Per {
    /// One number for the whole game.
    Game,
    /// One for each seat.
    Seat,
    /// One for each ply, which is an action of a seat.
    Ply,
    /// One for each ply and each seat: all seats of the first ply, then of the second …
    PlySeat,
}

impl Per {
    /// The name, as in listings.
    pub const fn name(self) -> &'static str {
        match self {
            Per::Game => "game",
            Per::Seat => "seat",
            Per::Ply => "ply",
            Per::PlySeat => "ply and seat",
        }
    }
}

/// What an agent thought at one of its decisions, without the actions.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// Who decided.
    pub seat: Seat,
    /// The value of what it chose, if it compared.
    pub value: Option<f64>,
    /// The expected score that this says, if it says one.
    pub chance: Option<f64>,
    /// Positions or playouts looked at.
    pub nodes: u64,
    /// How far the search looked.
    pub depth: u32,
    /// What else it noted.
    pub notes: Vec<Note>,
}

impl Decision {
    /// What is kept of `seat`'s thought.
    pub fn of<A: PartialEq>(seat: Seat, thought: &Thought<A>) -> Decision {
        let chosen = thought.candidates.iter().find(|candidate| candidate.action == thought.choice);
        let value = chosen.map(|candidate| candidate.value);
        Decision {
            seat,
            value,
            chance: value.and_then(|value| thought.expected_score(value)),
            nodes: thought.nodes,
            depth: thought.depth,
            notes: thought.notes.clone(),
        }
    }
}

/// A finished game with everything that can be measured in it.
pub struct FinishedGame<'a, G: Game> {
    /// The game's rules.
    pub game: &'a G,
    /// What was played, chance's actions included.
    pub played: &'a Played<G>,
    /// The decisions, one for each action of a seat (one more if the last was not legal).
    pub decisions: &'a [Decision],
}

impl<G: Game> FinishedGame<'_, G> {
    /// How many seats there are.
    pub fn seats(&self) -> usize {
        self.played.outcome.scores().len()
    }

    /// A number for each seat.
    pub fn by_seat(&self, number: impl FnMut(Seat) -> f64) -> Vec<f64> {
        Seat::all(self.seats()).map(number).collect()
    }

    /// A number for each ply, of the seat that acted; the others have none.
    pub fn by_mover(&self, mut number: impl FnMut(&Decision) -> f64) -> Vec<f64> {
        let mut numbers = vec![f64::NAN; self.seats() * self.decisions.len()];
        for (row, decision) in numbers.chunks_mut(self.seats()).zip(self.decisions) {
            row[decision.seat.index()] = number(decision);
        }
        numbers
    }
}

/// A number, or several, that can be read off a finished game. What does not exist is not a number (NaN).
pub struct Measure<G: Game> {
    /// Its name, as experiments give it.
    pub name: &'static str,
    /// What it is, with its unit.
    pub help: &'static str,
    /// What it gives numbers for.
    pub per: Per,
    /// Reads it off.
    pub take: fn(&FinishedGame<'_, G>) -> Vec<f64>,
}

/// A table of numbers that is computed from the rules alone, without a game: a figure of evaluation curves, say.
pub struct ComputedTable<G: Game> {
    /// Its name, as experiments give it.
    pub name: &'static str,
    /// What it shows.
    pub help: &'static str,
    /// Computes it.
    pub compute: fn(&G) -> Sheet,
}

/// A table of numbers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Sheet {
    /// What each column holds.
    pub columns: Vec<String>,
    /// The rows, each as long as there are columns.
    pub rows: Vec<Vec<f64>>,
}

/// What can be measured in a game beyond what can be in any.
pub trait Measured: Game {
    /// The game's own measures.
    fn measures() -> Vec<Measure<Self>> {
        Vec::new()
    }

    /// The game's own computed tables.
    fn computed_tables() -> Vec<ComputedTable<Self>> {
        Vec::new()
    }
}

/// What the prefix of a measure's name must be for it to be one of the agents' own notes.
const NOTE: &str = "note:";

/// The measures that every game has.
fn of_any_game<G: Game>() -> Vec<Measure<G>> {
    vec![
        Measure {
            name: "plies",
            help: "actions of the seats",
            per: Per::Game,
            take: |finished| vec![f64::from(finished.played.plies)],
        },
        Measure {
            name: "decisions",
            help: "how often the seat's agent was asked",
            per: Per::Seat,
            take: |finished| {
                finished.by_seat(|seat| f64::from(finished.played.efforts[seat.index()].decisions))
            },
        },
        Measure {
            name: "time",
            help: "seconds the seat's agent thought in all; depends on the machine",
            per: Per::Seat,
            take: |finished| {
                finished.by_seat(|seat| finished.played.efforts[seat.index()].time.as_secs_f64())
            },
        },
        Measure {
            name: "nodes",
            help: "positions or playouts the seat's agent looked at in all",
            per: Per::Seat,
            take: |finished| {
                let of = |seat| finished.decisions.iter().filter(move |d| d.seat == seat);
                finished.by_seat(|seat| of(seat).map(|d| d.nodes as f64).sum())
            },
        },
        Measure {
            name: "ply-nodes",
            help: "positions or playouts that the seat that acted looked at",
            per: Per::PlySeat,
            take: |finished| finished.by_mover(|decision| decision.nodes as f64),
        },
        Measure {
            name: "depth",
            help: "how far the seat that acted looked, in actions",
            per: Per::PlySeat,
            take: |finished| finished.by_mover(|decision| f64::from(decision.depth)),
        },
        Measure {
            name: "value",
            help: "the value of the choice for the seat that acted, on its agent's own scale",
            per: Per::PlySeat,
            take: |finished| finished.by_mover(|decision| decision.value.unwrap_or(f64::NAN)),
        },
        Measure {
            name: "chance",
            help: "the expected score, from 0 to 1, that the seat that acted told of its choice, where it told one",
            per: Per::PlySeat,
            take: |finished| finished.by_mover(|decision| decision.chance.unwrap_or(f64::NAN)),
        },
    ]
}

/// All measures of a game: its own and those of any.
pub(crate) fn all<G: Measured>() -> Vec<Measure<G>> {
    let mut all = of_any_game();
    all.extend(G::measures());
    all
}

/// Measures of one game, looked up once and taken many times.
#[derive(Clone)]
pub struct Meter {
    /// The names, in the order in which the numbers come.
    pub names: Vec<String>,
    /// What each gives numbers for.
    pub per: Vec<Per>,
    takers: Arc<dyn Any + Send + Sync>,
}

enum Taker<G: Game> {
    Measure(fn(&FinishedGame<'_, G>) -> Vec<f64>),
    Note(String),
}

impl Meter {
    /// The measures with these names; `note:NAME` is what agents note under that name, by ply and seat.
    pub(crate) fn of<G: Measured>(names: &[String]) -> Result<Meter, Error> {
        let all = all::<G>();
        let mut per = Vec::new();
        let mut takers: Vec<Taker<G>> = Vec::new();
        for name in names {
            if let Some(note) = name.strip_prefix(NOTE) {
                per.push(Per::PlySeat);
                takers.push(Taker::Note(note.to_owned()));
                continue;
            }
            let Some(measure) = all.iter().find(|measure| measure.name == name) else {
                let known: Vec<&str> = all.iter().map(|measure| measure.name).collect();
                return Err(Error::input(unknown(&format!("{} measure", G::INFO.name), name, &known)));
            };
            per.push(measure.per);
            takers.push(Taker::Measure(measure.take));
        }
        Ok(Meter { names: names.to_vec(), per, takers: Arc::new(takers) })
    }

    /// The numbers of a finished game, one list for each measure.
    pub(crate) fn read<G: Game>(&self, finished: &FinishedGame<'_, G>) -> Vec<Vec<f64>> {
        let takers = self.takers.downcast_ref::<Vec<Taker<G>>>();
        let takers = takers.expect("a meter is only read in the game it was made for");
        let read = |taker: &Taker<G>| match taker {
            Taker::Measure(take) => take(finished),
            Taker::Note(name) => {
                let noted = |d: &Decision| d.notes.iter().find(|(n, _)| n == name).map(|&(_, x)| x);
                finished.by_mover(|decision| noted(decision).unwrap_or(f64::NAN))
            }
        };
        takers.iter().map(read).collect()
    }
}
