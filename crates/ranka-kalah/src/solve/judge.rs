//! What every legal move is worth, as far as the one who chooses needs to know it.

use super::solver::{Interval, Solver, Stopped};
use crate::action::House;
use crate::state::State;
use ranka_core::{Actor, Position};
use ranka_search::Limits;

/// The margin of every legal move for the one who moves, in canonical order.
pub type Judgement = Vec<(House, Interval)>;

impl Solver {
    /// Finds the best moves. Theirs are exact margins and the others are bounded below them; with up to `refine` more
    /// positions those become exact as well. `report` hears of every step.
    pub fn judge(
        &mut self,
        state: &State,
        refine: u64,
        limits: Limits<'_>,
        report: &mut dyn FnMut(&Judgement, u64),
    ) -> Result<Judgement, Stopped> {
        let Actor::Seat(mover) = state.actor() else { return Ok(Vec::new()) };
        let begun = self.nodes();
        let rest = |solver: &Solver, most: u64| Limits {
            count: most.saturating_sub(solver.nodes() - begun).min(limits.count),
            ..limits
        };
        let (ahead, seeds) = (state.margin(mover), state.in_houses() as i32);
        let mut houses = Vec::new();
        state.actions(&mut houses);
        let mut whole = Interval { lower: ahead - seeds, upper: ahead + seeds };
        let mut moves: Judgement = houses.iter().map(|&house| (house, whole)).collect();
        report(&moves, 0);
        // Windows that close in on the value of the position: no move is worth more.
        let mut value = ahead;
        while !whole.is_exact() {
            let bound = value.clamp(whole.lower + 1, whole.upper);
            let asked = Interval { lower: bound, upper: bound };
            let found = self.narrow(state, mover, asked, rest(self, limits.count));
            if found.lower < bound && found.upper >= bound {
                return Err(Stopped);
            }
            whole = Interval { lower: whole.lower.max(found.lower), upper: whole.upper.min(found.upper) };
            value = if found.lower >= bound { whole.lower } else { whole.upper };
            for (_, known) in &mut moves {
                known.upper = known.upper.min(whole.upper);
            }
            report(&moves, self.nodes() - begun);
        }
        // One more window a move: is it worth as much?
        for place in 0..moves.len() {
            let next = state.after(moves[place].0);
            let asked = Interval { lower: whole.upper, upper: whole.upper };
            let found = self.narrow(&next, mover, asked, rest(self, limits.count));
            if found.lower < whole.upper && found.upper >= whole.upper {
                return Err(Stopped);
            }
            let known = &mut moves[place].1;
            *known = Interval { lower: found.lower.max(known.lower), upper: found.upper.min(known.upper) };
            report(&moves, self.nodes() - begun);
        }
        let most = (self.nodes() - begun).saturating_add(refine).min(limits.count);
        for place in 0..moves.len() {
            if moves[place].1.is_exact() {
                continue;
            }
            let next = state.after(moves[place].0);
            let found = self.narrow(&next, mover, moves[place].1, rest(self, most));
            let known = &mut moves[place].1;
            *known = Interval { lower: found.lower.max(known.lower), upper: found.upper.min(known.upper) };
            report(&moves, self.nodes() - begun);
        }
        Ok(moves)
    }

    /// Finds out whether moves win, draw or lose of which only bounds are known, as far as the limits allow. That takes
    /// far fewer positions than their margins.
    pub fn results(&mut self, state: &State, moves: &mut Judgement, limits: Limits<'_>) {
        let Actor::Seat(mover) = state.actor() else { return };
        let begun = self.nodes();
        for (house, known) in moves {
            let next = state.after(*house);
            for bound in [1, 0] {
                if known.lower < bound && bound <= known.upper {
                    let count = limits.count.saturating_sub(self.nodes() - begun);
                    let asked = Interval::at_least(bound);
                    let found = self.narrow(&next, mover, asked, Limits { count, ..limits });
                    known.lower = known.lower.max(found.lower);
                    known.upper = known.upper.min(found.upper);
                }
            }
        }
    }
}

impl State {
    /// The position after an action.
    pub(crate) fn after(&self, house: House) -> State {
        let mut next = *self;
        next.apply(house);
        next
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Kalah;
    use ranka_core::{Rng, Seed};
    use std::sync::atomic::AtomicBool;

    #[test]
    fn results_are_those_of_the_margins_and_limits_are_kept() {
        let game = Kalah::standard(4, 3);
        let mut rng = Rng::new(Seed::new(6));
        let never = AtomicBool::new(false);
        for _ in 0..100 {
            let (mut state, mut scratch) = (game.first(), Vec::new());
            for _ in 0..rng.below(8) {
                if !state.actor().is_over() {
                    state.apply(state.random_action(&mut rng, &mut scratch));
                }
            }
            let mut solver = Solver::new(&game, None, 14).unwrap();
            let mut moves = solver.judge(&state, 0, Limits::NONE, &mut |_, _| {}).unwrap();
            solver.results(&state, &mut moves, Limits::NONE);
            for ((house, known), (_, margin)) in moves.into_iter().zip(solver.moves(&state, &never).unwrap())
            {
                assert!(known.lower <= margin && margin <= known.upper, "{house:?} {known:?} {margin}");
                assert_eq!(known.lower.signum(), known.upper.signum(), "{house:?} {known:?} {margin}");
            }
            for count in [0, 1, 10, 100, 3000] {
                let mut solver = Solver::new(&game, None, 14).unwrap();
                let _ = solver.judge(&state, 0, Limits { count, ..Limits::NONE }, &mut |_, _| {});
                // A window that is begun has one position at least.
                assert!(solver.nodes() <= count.max(1), "{} of {count}", solver.nodes());
            }
        }
    }

    #[test]
    fn the_best_are_exact_and_the_others_bounded_below_them() {
        let game = Kalah::standard(4, 3);
        let mut solver = Solver::new(&game, None, 14).unwrap();
        let mut rng = Rng::new(Seed::new(5));
        let never = AtomicBool::new(false);
        for _ in 0..300 {
            let (mut state, mut scratch) = (game.first(), Vec::new());
            for _ in 0..rng.below(12) {
                if !state.actor().is_over() {
                    state.apply(state.random_action(&mut rng, &mut scratch));
                }
            }
            let exact = solver.moves(&state, &never).unwrap();
            for refine in [0, u64::MAX] {
                let mut cold = Solver::new(&game, None, 14).unwrap();
                let moves = cold.judge(&state, refine, Limits::NONE, &mut |_, _| {}).unwrap();
                let best = exact.iter().map(|&(_, value)| value).max();
                assert_eq!(moves.len(), exact.len());
                for (&(house, known), &(expected, value)) in moves.iter().zip(&exact) {
                    assert_eq!(house, expected);
                    assert!((known.lower..=known.upper).contains(&value));
                    let good = Some(value) == best;
                    assert!(if good || refine > 0 { known.is_exact() } else { Some(known.upper) < best });
                }
            }
        }
    }
}
