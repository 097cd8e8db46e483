//! Problems of the mode `verify`: a board, a house, and what comes of it.

use super::Board;
use ranka_core::{Actor, Error, Notation, Position, Rng, Seat};
use ranka_kalah::{House, Kalah, Rules, State};

/// How many houses the reference server's boards have.
const HOUSES: std::ops::Range<u32> = 6..12;

/// Fewer seeds than this lie in each house.
const MOST_IN_A_HOUSE: u32 = 12;

/// Fewer seeds than this lie in each store.
const MOST_IN_A_STORE: u32 = 20;

/// The sowing is asked for, not when a game stops being worth playing.
fn sowing(rules: Rules) -> Rules {
    Rules { early_majority: false, pie: false, ..rules }
}

/// A board with South to move, and the house that South sows, counted from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Problem {
    state: State,
    pub(super) house: usize,
}

impl Problem {
    /// A random board on which both sides have seeds.
    pub(super) fn draw(rules: Rules, rng: &mut Rng) -> Problem {
        let houses = (HOUSES.start + rng.below(HOUSES.end - HOUSES.start)) as usize;
        loop {
            let stores = [0, 1].map(|_| rng.below(MOST_IN_A_STORE));
            let rows = [0, 1].map(|_| (0..houses).map(|_| rng.below(MOST_IN_A_HOUSE)).collect());
            let board = Board { stores, rows };
            let house = rng.index(houses);
            if let Ok(problem) = Problem::read(&board, house as i64, rules) {
                return problem;
            }
        }
    }

    /// The problem that a server sets, unless it is none.
    pub(super) fn read(board: &Board, house: i64, rules: Rules) -> Result<Problem, Error> {
        let game = Kalah::with(board.houses(), 1, sowing(rules))?;
        let state = game.read_state(&format!("{board} S"))?;
        let sown = usize::try_from(house).ok().filter(|&house| state.is_legal(House::new(house)));
        let house = sown.ok_or_else(|| {
            Error::input(format!("house {house} (counted from 0) cannot be sown on {board}"))
        })?;
        Ok(Problem { state, house })
    }

    pub(super) fn board(&self) -> Board {
        Board::of(&self.state, Seat::FIRST)
    }

    /// The board after the sowing, and whether South moves again.
    pub(super) fn solution(&self) -> (Board, bool) {
        let mut state = self.state;
        state.apply(House::new(self.house));
        (Board::of(&state, Seat::FIRST), state.actor() == Actor::Seat(Seat::FIRST))
    }

    /// Whether an answer is right. When the game ends with a seed in the store, the protocol's programs disagree on whether the
    /// mover "moves again": both are right.
    pub(super) fn accepts(&self, board: &Board, again: bool) -> bool {
        let mut state = self.state;
        state.apply(House::new(self.house));
        let (right, moves_again) = self.solution();
        *board == right && (again == moves_again || state.actor().is_over())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ranka_core::Seed;

    #[test]
    fn the_worked_problem_is_solved() {
        let board = Board::read("<6,15,10,1,3,6,2,10,9,1,7,2,0,1,11>").unwrap();
        let problem = Problem::read(&board, 0, Rules::STANDARD).unwrap();
        let (after, again) = problem.solution();
        assert_eq!((after.to_string().as_str(), again), ("<6,15,10,0,4,6,2,10,9,1,7,2,0,1,11>", false));
        assert!(
            problem.accepts(&after, false)
                && !problem.accepts(&after, true)
                && !problem.accepts(&board, false)
        );
        assert!(
            Problem::read(&board, 6, Rules::STANDARD).is_err()
                && Problem::read(&board, -1, Rules::STANDARD).is_err()
        );
    }

    #[test]
    fn drawn_problems_are_sound_and_the_end_is_judged_mildly() {
        let mut rng = Rng::new(Seed::new(1));
        for _ in 0..1000 {
            let problem = Problem::draw(Rules::STANDARD, &mut rng);
            assert_eq!(
                Problem::read(&problem.board(), problem.house as i64, Rules::STANDARD).unwrap(),
                problem
            );
            let (board, again) = problem.solution();
            assert!(problem.accepts(&board, again) && board.total() == problem.board().total());
        }
        let last = Board::read("<3,0,0,0,0,1,1,1,1>").unwrap();
        let problem = Problem::read(&last, 2, Rules::STANDARD).unwrap();
        let (board, again) = problem.solution();
        assert_eq!((board.to_string().as_str(), again), ("<3,1,3,0,0,0,0,0,0>", false));
        assert!(problem.accepts(&board, true));
    }
}
