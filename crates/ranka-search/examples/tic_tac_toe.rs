//! Noughts and crosses: a position, an evaluation, and three searches that know nothing else.
#![allow(clippy::print_stdout)] // it shows what was found

use ranka_core::{Actor, Keyed, Outcome, Position, Rng, Seat, Seed};
use ranka_search::{
    AlphaBeta, DepthUnit, Evaluate, Flat, FlatRule, Limits, Root, Transpositions, Uct, UctConfig, Uniform,
};

/// The cells of each seat as sets of bits, row by row.
#[derive(Clone, Copy, Default)]
struct Grid([u16; 2]);

const LINES: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

impl Grid {
    fn has_line(self, seat: Seat) -> bool {
        LINES.into_iter().any(|line| self.0[seat.index()] & line == line)
    }

    fn mover(self) -> Seat {
        Seat::new((self.0[0] | self.0[1]).count_ones() as usize % 2)
    }
}

impl Position for Grid {
    type Action = u8;

    fn seats(&self) -> usize {
        2
    }

    fn actor(&self) -> Actor {
        let full = self.0[0] | self.0[1] == 0o777;
        if full || self.has_line(self.mover().other()) { Actor::Over } else { Actor::Seat(self.mover()) }
    }

    fn actions(&self, out: &mut Vec<u8>) {
        if !self.actor().is_over() {
            out.extend((0..9).filter(|cell| (self.0[0] | self.0[1]) >> cell & 1 == 0));
        }
    }

    fn apply(&mut self, cell: u8) {
        self.0[self.mover().index()] |= 1 << cell;
    }

    fn outcome(&self) -> Outcome {
        let winner = Seat::all(2).find(|&seat| self.has_line(seat));
        winner.map_or(Outcome::draw(2), |seat| Outcome::win(seat, 2))
    }
}

impl Keyed for Grid {
    fn key(&self) -> u64 {
        Seed::new(u64::from(self.0[0])).at(u64::from(self.0[1])).value()
    }
}

/// Wins, the sooner the better.
struct Wins;

impl Evaluate<Grid> for Wins {
    fn leaf(&self, _: &Grid, _: Seat) -> i32 {
        0
    }

    fn terminal(&self, grid: &Grid, seat: Seat, ply: u32) -> i32 {
        let won = |seat| i32::from(grid.has_line(seat));
        (won(seat) - won(seat.other())) * (10 - ply as i32)
    }
}

fn main() {
    // X has two corners, O the middle and a third. In the last corner X blocks O's line and makes two of its own.
    let mut grid = Grid::default();
    [0, 4, 8, 2].into_iter().for_each(|cell| grid.apply(cell));

    let mut alphabeta = AlphaBeta::new(Wins, DepthUnit::Action, Transpositions::with_mib(1));
    let exact =
        alphabeta.search(&grid, Root::Values, 1..=9, Limits::NONE, &mut |_| ()).expect("not cancelled");
    for action in &exact.actions {
        println!("alpha-beta: cell {} is worth {:>2}, line {:?}", action.action, action.value, action.line);
    }
    println!("alpha-beta looked at {} positions; solved: {}", exact.nodes, exact.solved);

    let mut rng = Rng::new(Seed::new(1));
    let mut uct = Uct::new(UctConfig::default(), Uniform);
    let tree = uct.search(&grid, Limits::count(2000), &mut rng, &mut |_| ()).expect("not cancelled");
    println!("UCT chooses cell {} after {} playouts", tree.best().action, tree.playouts);

    let mut flat = Flat::new(FlatRule::Equal, Uniform);
    let sampled = flat.search(&grid, Limits::count(2000), &mut rng).expect("not cancelled");
    println!("flat Monte Carlo chooses cell {}", sampled.best().action);
    assert_eq!([exact.best().action, tree.best().action, sampled.best().action], [6; 3]);
}
