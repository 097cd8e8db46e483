//! Toys in which something is hidden. [`Fog`] is a maze in a world that nobody but the others knows: what they can do and who
//! wins depends on it, some of their actions are hidden and change it, and some places show a part of it.
//! [`Coin`] is the textbook's example of what a search goes wrong by that takes each world for known.

use crate::toys::{Maze, hash};
use ranka_core::{Actor, Keyed, Outcome, Position, Rng, Seat};
use ranka_search::Eyes;

/// How many worlds there are.
pub(crate) const WORLDS: u64 = 4;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Fog {
    pub(crate) maze: Maze,
    pub(crate) world: u64,
    /// Who does not know the world.
    pub(crate) blind: Seat,
}

impl Fog {
    /// A fog in which the seat to act is the one that does not know.
    pub(crate) fn new(maze: Maze) -> Fog {
        let blind = maze.actor().seat().unwrap();
        Fog { maze, world: 0, blind }
    }

    pub(crate) fn drawn(&self, rng: &mut Rng) -> Fog {
        Fog { world: u64::from(rng.below(WORLDS as u32)), ..self.clone() }
    }

    fn hides(&self, action: u8) -> bool {
        let others = self.actor().seat().is_some_and(|seat| seat != self.blind);
        others && action.is_multiple_of(2) && self.maze.number(20, 3) == 0
    }
}

impl Position for Fog {
    type Action = u8;

    fn seats(&self) -> usize {
        self.maze.seats()
    }

    fn actor(&self) -> Actor {
        self.maze.actor()
    }

    fn actions(&self, out: &mut Vec<u8>) {
        let start = out.len();
        self.maze.actions(out);
        if self.actor().seat().is_some_and(|seat| seat != self.blind) {
            let place = hash(&[self.maze.key(), self.world]);
            let first = out[start];
            out.retain(|&action| action == first || !hash(&[place, u64::from(action)]).is_multiple_of(3));
        }
    }

    fn apply(&mut self, action: u8) {
        if self.hides(action) {
            // It leads where all hidden ones lead, and what it was shows in the world alone.
            self.world = (self.world + u64::from(action)) % WORLDS;
            self.maze.apply(255);
        } else {
            self.maze.apply(action);
        }
    }

    fn outcome(&self) -> Outcome {
        let points = |seat: usize| (hash(&[self.maze.key(), self.world, seat as u64]) % 3) as i32;
        Outcome::by_points(&(0..self.seats()).map(points).collect::<Vec<_>>())
    }
}

impl Keyed for Fog {
    fn key(&self) -> u64 {
        hash(&[self.maze.key(), self.world])
    }
}

/// The eyes of the seat that does not know.
pub(crate) struct FogEyes;

impl Eyes<Fog> for FogEyes {
    fn seen(&self, fog: &Fog, action: u8) -> Option<u8> {
        (!fog.hides(action)).then_some(action)
    }

    fn look(&self, fog: &Fog) -> u64 {
        let shown = if fog.maze.number(21, 3) == 0 { fog.world % 2 } else { 2 };
        hash(&[fog.maze.key(), shown])
    }
}

/// One of three sides lies up, unseen. One may take a draw, or guess: blindly, or after a look if that is allowed.
#[derive(Clone, Debug)]
pub(crate) struct Coin {
    pub(crate) side: u8,
    pub(crate) may_look: bool,
    pub(crate) done: Vec<u8>,
}

pub(crate) const DRAW: u8 = 10;
pub(crate) const GUESS: u8 = 11;
pub(crate) const LOOK: u8 = 12;

impl Coin {
    pub(crate) fn drawn(may_look: bool, rng: &mut Rng) -> Coin {
        Coin { side: rng.below(3) as u8, may_look, done: Vec::new() }
    }
}

impl Position for Coin {
    type Action = u8;

    fn seats(&self) -> usize {
        2
    }

    fn actor(&self) -> Actor {
        match self.done[..] {
            [] | [GUESS | LOOK] => Actor::Seat(Seat::FIRST),
            _ => Actor::Over,
        }
    }

    fn actions(&self, out: &mut Vec<u8>) {
        match self.done[..] {
            [] => out.extend([DRAW, GUESS].into_iter().chain(self.may_look.then_some(LOOK))),
            [GUESS | LOOK] => out.extend(0..3),
            _ => {}
        }
    }

    fn apply(&mut self, action: u8) {
        self.done.push(action);
    }

    fn outcome(&self) -> Outcome {
        match self.done[..] {
            [DRAW] => Outcome::draw(2),
            [_, guess] if guess == self.side => Outcome::win(Seat::FIRST, 2),
            _ => Outcome::win(Seat::SECOND, 2),
        }
    }
}

pub(crate) struct CoinEyes;

impl Eyes<Coin> for CoinEyes {
    fn seen(&self, _: &Coin, action: u8) -> Option<u8> {
        Some(action)
    }

    fn look(&self, coin: &Coin) -> u64 {
        if coin.done == [LOOK] { u64::from(coin.side) } else { 9 }
    }
}
