//! Signatures: what an agent chooses in fixed positions and how much it looks at, in one short text.

use crate::{
    Actor, EndReason, Fault, GameSeeds, Maker, Notation, Position, Rng, Seat, Seed, Settings, Table, View,
    digest,
};
use serde::Serialize;
use std::fmt::Write as _;

/// How an agent plays, small enough to be compared at a glance. Two that play alike have the same; whoever changes what
/// an agent chooses, or how many positions it looks at for that, changes its signature.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Signature {
    /// How many decisions it was asked for.
    pub decisions: u32,
    /// The positions or playouts that it looked at, by its own count.
    pub nodes: u64,
    /// A text that is another for any other choice or count.
    pub hash: String,
}

/// How many games of random play the positions come from, at least and at most. Who decides sits one seat further on in
/// each.
const GAMES: std::ops::Range<u64> = 4..40;

/// Once it has looked at so many positions, its games are enough: who thinks little is asked more often.
const ENOUGH: u64 = 12_000;

/// How many decisions of a game are asked for, spread evenly over it.
const DECISIONS: usize = 4;

/// How many actions of a game are played at most.
const ACTIONS: usize = 160;

/// How much of the digest is kept: enough to tell agents apart, few enough to read.
const DIGITS: usize = 16;

impl Signature {
    /// The signature of an agent. The positions follow from the game alone; the agent is told how they came about, as its
    /// seat may see it, and its own parameters say how much it thinks. A limit in milliseconds makes it meaningless.
    pub fn of<G: Notation>(game: &G, maker: &dyn Maker<G>) -> Result<Signature, Fault> {
        let mut signature = Signature { decisions: 0, nodes: 0, hash: String::new() };
        let mut told = String::new();
        for number in 0..GAMES.end {
            if number >= GAMES.start && signature.nodes >= ENOUGH {
                break;
            }
            let seeds = GameSeeds::of(Seed::new(0).child("signature"), number, 0);
            let start = game.start(&mut Rng::new(seeds.deal));
            let seat = Seat::new(number as usize % start.seats());
            let (actions, asked) = random_game(game, &start, &seeds, seat);
            let mut table = Table::new(game.clone(), start, seeds.chance);
            let seed = seeds.agent(0);
            table.sit(seat, maker.seat(seat, seed)?, seed);
            for (place, action) in actions.into_iter().enumerate() {
                if asked.contains(&place) {
                    signature.decisions += 1;
                    let _ = match table.think(&Settings::default(), None) {
                        Ok(thought) => {
                            signature.nodes += thought.nodes;
                            writeln!(told, "{} {}", game.write_action(thought.choice), thought.nodes)
                        }
                        Err(Fault::Resigned) => writeln!(told, "resigns"),
                        Err(fault) => return Err(fault),
                    };
                }
                if table.replay(action).is_err() {
                    break;
                }
            }
            if let Some((end, _)) = table.end().filter(|(end, _)| end.reason == EndReason::Crash) {
                return Err(Fault::Crash(end.detail.clone().unwrap_or_default()));
            }
        }
        signature.hash = digest(told.as_bytes())[..DIGITS].to_owned();
        Ok(signature)
    }
}

/// A game of random play, and at which of its actions `seat` is asked: where it has a choice.
fn random_game<G: Notation>(
    game: &G,
    start: &G::State,
    seeds: &GameSeeds,
    seat: Seat,
) -> (Vec<G::Action>, Vec<usize>) {
    let mut rng = Rng::new(seeds.chance.child("random play"));
    let mut table = Table::new(game.clone(), start.clone(), seeds.chance);
    let (mut choices, mut decisions) = (Vec::new(), Vec::new());
    while table.actions().len() < ACTIONS {
        match table.actor() {
            Actor::Over => break,
            Actor::Chance => table.draw(),
            Actor::Seat(actor) => {
                choices.clear();
                table.view(actor).choices(&mut choices);
                if actor == seat && choices.len() > 1 {
                    decisions.push(table.actions().len());
                }
                table.act(rng.pick(&choices)).expect("a choice of the view is legal");
            }
        }
    }
    let count = decisions.len();
    let asked = (0..DECISIONS.min(count)).map(|i| decisions[i * count / DECISIONS.min(count)]);
    (table.actions().to_vec(), asked.collect())
}
