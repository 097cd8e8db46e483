//! The solver as others use it: positions in, exact margins out.

use super::endgame::Endgame;
use super::search::Search;
use crate::board::{Board, Row};
use crate::rules::{House, Kalah, State};
use ranka_core::{Actor, Error, Position, Seat};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Solves positions of one game exactly.
pub struct Solver {
    game: Kalah,
    search: Width,
}

/// Narrow boards are solved in half the memory.
enum Width {
    Narrow(Search<u64>),
    Wide(Search<u128>),
}

/// The search was cancelled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stopped;

/// A solved position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solution {
    /// The final margin for the one who moves, under perfect play.
    pub value: i32,
    /// The same for each legal move.
    pub moves: Vec<(House, i32)>,
    /// A line of perfect play to the end.
    pub line: Vec<House>,
}

impl Solver {
    /// A solver with a table of 2^`table_bits` entries and, if given, endgame tables.
    pub fn new(game: &Kalah, endgame: Option<Arc<Endgame>>, table_bits: u32) -> Result<Solver, Error> {
        if game.rules.early_majority || game.rules.pie {
            return Err(Error::input(
                "exact margins are for games played to the end from fixed sides: early-majority and pie must be off",
            ));
        }
        let search = if game.houses <= u64::HOUSES {
            Width::Narrow(Search::new(*game, endgame, table_bits))
        } else {
            Width::Wide(Search::new(*game, endgame, table_bits))
        };
        Ok(Solver { game: *game, search })
    }

    /// The game whose positions it solves.
    pub fn game(&self) -> &Kalah {
        &self.game
    }

    /// Positions searched so far.
    pub fn nodes(&self) -> u64 {
        match &self.search {
            Width::Narrow(search) => search.nodes,
            Width::Wide(search) => search.nodes,
        }
    }

    /// The final margin for `seat` under perfect play of both.
    pub fn margin(&mut self, state: &State, seat: Seat, cancel: &AtomicBool) -> Result<i32, Stopped> {
        let Actor::Seat(mover) = state.actor() else { return Ok(state.margin(seat)) };
        let ahead = state.margin(mover);
        // Most positions are worth about what they hold now.
        let value = match &mut self.search {
            Width::Narrow(search) => {
                search.stopped = false;
                let board = Board { own: narrow(state, mover), other: narrow(state, mover.other()) };
                let value = search.value(&board, 0, cancel);
                if search.stopped { Err(Stopped) } else { Ok(value) }
            }
            Width::Wide(search) => {
                search.stopped = false;
                let value = search.value(&state.board(), 0, cancel);
                if search.stopped { Err(Stopped) } else { Ok(value) }
            }
        }?;
        Ok(if mover == seat { ahead + value } else { -ahead - value })
    }

    /// The margin of each legal move, for the one who moves, in canonical order.
    pub fn moves(&mut self, state: &State, cancel: &AtomicBool) -> Result<Vec<(House, i32)>, Stopped> {
        let Actor::Seat(mover) = state.actor() else { return Ok(Vec::new()) };
        let mut houses = Vec::new();
        state.actions(&mut houses);
        houses
            .into_iter()
            .map(|house| {
                let mut next = *state;
                next.apply(house);
                Ok((house, self.margin(&next, mover, cancel)?))
            })
            .collect()
    }

    /// Value, every move's value, and a line of perfect play that takes the first best move each time.
    pub fn solve(&mut self, state: &State, cancel: &AtomicBool) -> Result<Solution, Stopped> {
        let moves = self.moves(state, cancel)?;
        let value = moves.iter().map(|&(_, value)| value).max().unwrap_or_else(|| state.margin(Seat::FIRST));
        let line = self.line(state, cancel)?;
        Ok(Solution { value, moves, line })
    }

    /// A line of perfect play to the end.
    pub fn line(&mut self, state: &State, cancel: &AtomicBool) -> Result<Vec<House>, Stopped> {
        let mut line = Vec::new();
        let mut at = *state;
        loop {
            let moves = self.moves(&at, cancel)?;
            let Some(best) = moves.iter().map(|&(_, value)| value).max() else { return Ok(line) };
            let house = moves.iter().find(|&&(_, value)| value == best).expect("the best is one of them").0;
            line.push(house);
            at.apply(house);
        }
    }
}

fn narrow(state: &State, seat: Seat) -> u64 {
    state.rows[seat.index()] as u64
}
