//! The paper's searches once more, on a board of characters and without any cleverness: the yardstick of the games
//! of thought.

use crate::View;
use crate::duel::WIN;
use ranka_core::Seat;

/// From the thinking side: `R B` its ghosts, `r b` the enemy's, or `p` for purple.
#[derive(Clone)]
pub struct Board {
    squares: [char; 36],
    /// Red enemies that may still be captured before all are gone, with purple ones.
    reds: usize,
}

const STEPS: [(i32, i32); 4] = [(-1, 0), (0, 1), (1, 0), (0, -1)];

impl Board {
    /// What the viewer thinks about, with this letter for the enemy on a square.
    pub fn of(view: &View, colour: impl Fn(usize) -> char) -> Board {
        let mut squares = [' '; 36];
        let place = |index: usize| if view.seat() == Seat::FIRST { index } else { 35 - index };
        for (_, square, red) in view.ghosts(view.seat()) {
            squares[place(square.index())] =
                if red.expect("everybody knows the own colours") { 'R' } else { 'B' };
        }
        for (_, square, _) in view.ghosts(view.seat().other()) {
            squares[place(square.index())] = colour(square.index());
        }
        Board { squares, reds: view.left(view.seat().other()).0 as usize }
    }

    fn count(&self, letters: &str) -> usize {
        self.squares.iter().filter(|c| letters.contains(**c)).count()
    }

    fn is(&self, letters: &str, index: usize) -> bool {
        letters.contains(self.squares[index])
    }

    /// Whether one of `letters` stands beside a square.
    fn beside(&self, letters: &str, index: usize) -> bool {
        near(index).any(|n| self.is(letters, n))
    }

    fn hops(&self, own: bool) -> Vec<(usize, usize)> {
        let movers = if own { "RB" } else { "rbp" };
        (0..36)
            .filter(|&from| self.is(movers, from))
            .flat_map(|from| near(from).map(move |to| (from, to)))
            .filter(|&(_, to)| !self.is(movers, to))
            .collect()
    }

    fn hop(&self, (from, to): (usize, usize)) -> Board {
        let mut next = self.clone();
        if next.squares[to] == 'p' {
            next.reds -= 1;
        }
        next.squares[to] = next.squares[from];
        next.squares[from] = ' ';
        next
    }

    /// The value for the thinking side; `d` plies from the root, `left` to go.
    fn value(&self, own: bool, d: i32, left: u32, static_exit: bool) -> i32 {
        let purple = self.count("p") > 0;
        if self.count("R") == 0 || (!purple && self.count("b") == 0 && self.reds > 0 && self.count("r") > 0) {
            return WIN - d;
        }
        if self.count("B") == 0 || (purple && self.reds == 0) || (!purple && self.count("r") == 0) {
            return d - WIN;
        }
        let leaves = |runners: &str, exits: [usize; 2]| exits.iter().any(|&exit| self.is(runners, exit));
        if own && leaves("B", [0, 5]) {
            return WIN - d;
        }
        if !own && leaves("bp", [30, 35]) {
            return d - WIN;
        }
        if static_exit {
            let safe = |runners: &str, exits: [usize; 2], hunters: &str| {
                exits.iter().any(|&exit| self.is(runners, exit) && !self.beside(hunters, exit))
            };
            if !own && safe("B", [0, 5], "rbp") {
                return WIN - d - 1;
            }
            if own && safe("bp", [30, 35], "RB") {
                return d + 1 - WIN;
            }
        }
        if left == 0 {
            return self.leaf();
        }
        let after =
            self.hops(own).into_iter().map(|hop| self.hop(hop).value(!own, d + 1, left - 1, static_exit));
        if own { after.max() } else { after.min() }.expect("a side that has not lost can move")
    }

    fn leaf(&self) -> i32 {
        let distance = |letters: &str, turned: bool| -> i32 {
            (0..36)
                .filter(|&i| self.is(letters, i))
                .map(|i| if turned { 35 - i } else { i } as i32)
                .map(|i| i / 6 + (i % 6).min(5 - i % 6))
                .sum()
        };
        let blues = self.count("B") as i32 - self.count("b") as i32;
        1000 * blues - distance("RB", false) + distance("rbp", true)
    }

    /// Every hop of the thinking side, by its squares, with its value to a depth.
    pub fn root(&self, depth: u32, static_exit: bool) -> Vec<(usize, usize, i32)> {
        let value = |hop| self.hop(hop).value(false, 1, depth - 1, static_exit);
        self.hops(true).into_iter().map(|hop| (hop.0, hop.1, value(hop))).collect()
    }
}

fn near(index: usize) -> impl Iterator<Item = usize> {
    STEPS.into_iter().filter_map(move |(down, right)| {
        let (row, column) = (index as i32 / 6 + down, index as i32 % 6 + right);
        ((0..6).contains(&row) && (0..6).contains(&column)).then_some((row * 6 + column) as usize)
    })
}
