//! The paper's searches once more, on a board of characters and without any cleverness.

use crate::endgames::{endgame, game, judge, midgames, values};
use ranka_core::{Game, Rng, Seat, Seed};
use ranka_geister::duel::{Duel, WIN};
use ranka_geister::{State, View};

/// From the thinking side: `R B` its ghosts, `r b` the enemy's, or `p` for purple.
#[derive(Clone)]
struct Board {
    squares: [char; 36],
    /// Red enemies that may still be captured before all are gone, with purple ones.
    reds: usize,
}

const STEPS: [(i32, i32); 4] = [(-1, 0), (0, 1), (1, 0), (0, -1)];

impl Board {
    fn of(view: &View, colour: impl Fn(usize) -> char) -> Board {
        let mut squares = [' '; 36];
        let place = |index: usize| if view.seat() == Seat::FIRST { index } else { 35 - index };
        for (_, square, red) in view.ghosts(view.seat()) {
            squares[place(square.index())] = if red.unwrap() { 'R' } else { 'B' };
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
        if own { after.max().unwrap() } else { after.min().unwrap() }
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

    fn root(&self, depth: u32, static_exit: bool) -> Vec<(usize, usize, i32)> {
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

fn compare(state: &State, depth: u32) {
    let game = game();
    let seat = ranka_core::Position::actor(state).seat().unwrap();
    let view = game.view(state, seat);
    let purple = Duel::purple(&view);
    if ranka_core::Position::actor(&purple).is_over() {
        return;
    }
    for static_exit in [true, false] {
        let naive = Board::of(&view, |_| 'p').root(depth, static_exit);
        assert_eq!(values(&purple, depth, judge(static_exit)), naive, "purple, {state:?}");
    }
    let is_red = |square: usize| state.ghosts(seat.other()).any(|(at, red)| at.index() == square && red);
    let naive = Board::of(&view, |square| if is_red(square) { 'r' } else { 'b' }).root(depth, true);
    let place = |index: usize| if seat == Seat::FIRST { index } else { 35 - index };
    let reds = (0..36).filter(|&i| is_red(i)).fold(0, |set: u64, i| set | 1 << place(i));
    assert_eq!(values(&Duel::coloured(&view, reds), depth, judge(true)), naive, "coloured, {state:?}");
    // Beliefs that know everything are colours, and beliefs that know nothing are purple.
    assert_eq!(values(&Duel::judged(&view, reds, !reds), depth, judge(true)), naive);
    let purple = values(&purple, depth, judge(true));
    assert_eq!(values(&Duel::judged(&view, 0, 0), depth, judge(true)), purple);
}

#[test]
fn every_value_is_the_naive_one() {
    let mut rng = Rng::new(Seed::new(1));
    for _ in 0..150 {
        compare(&endgame(&mut rng, 2), 4);
    }
    for _ in 0..20 {
        compare(&endgame(&mut rng, 1), 5);
    }
    for state in midgames(60, 2) {
        compare(&state, 3);
    }
}
