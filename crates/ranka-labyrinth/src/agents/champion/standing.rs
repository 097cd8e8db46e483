//! How a race stands: the winning chance of who needs so many more finds, when each turn finds with a known chance.

use ranka_core::MAX_SEATS;

/// Turns that are looked at; a game of two good players lasts a fourth of that.
const TURNS: usize = 96;
/// The most that one can have to find: twelve cards and the way home.
const MOST: usize = 13;

/// How likely a turn ends where it should.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Pace {
    /// With a card that was just turned over.
    pub(super) fresh: f64,
    /// After a turn that could be used to get nearer.
    pub(super) ready: f64,
}

/// For each number of finds that are left: how likely the last is made in turn 0, 1, …
#[derive(Clone, Debug)]
pub(super) struct Clock {
    fresh: [[f64; TURNS]; MOST + 1],
    ready: [[f64; TURNS]; MOST + 1],
}

impl Clock {
    pub(super) fn new(pace: Pace) -> Clock {
        let mut clock = Clock { fresh: [[0.0; TURNS]; MOST + 1], ready: [[0.0; TURNS]; MOST + 1] };
        clock.fresh[0][0] = 1.0;
        clock.ready[0][0] = 1.0;
        for left in 1..=MOST {
            for turn in 1..TURNS {
                let found = clock.fresh[left - 1][turn - 1];
                let missed = clock.ready[left][turn - 1];
                clock.ready[left][turn] = pace.ready * found + (1.0 - pace.ready) * missed;
                clock.fresh[left][turn] = pace.fresh * found + (1.0 - pace.fresh) * missed;
            }
        }
        clock
    }

    /// The turns that are needed after one that found or did not.
    fn after(&self, left: usize, found: bool) -> &[f64; TURNS] {
        if found { &self.fresh[left - 1] } else { &self.ready[left] }
    }
}

/// The winning chances at the end of an own turn, by who finds what in the round that follows.
#[derive(Clone, Debug)]
pub(super) struct Standing {
    /// By which of the others find something, a bit each, and whether one does oneself.
    chances: [[f64; 2]; 1 << (MAX_SEATS - 1)],
    others: usize,
}

impl Standing {
    /// With `own` finds left, and those of the others in the order in which they will move.
    pub(super) fn new(clock: &Clock, own: usize, others: &[usize]) -> Standing {
        let mut chances = [[1.0; 2]; 1 << (MAX_SEATS - 1)];
        if own > 0 {
            for (finders, chances) in chances.iter_mut().enumerate().take(1 << others.len()) {
                for (found, chance) in chances.iter_mut().enumerate() {
                    *chance = race(
                        clock.after(own, found == 1),
                        others.iter().enumerate().map(|(i, &left)| clock.after(left, finders >> i & 1 == 1)),
                    );
                }
            }
        }
        Standing { chances, others: others.len() }
    }

    /// The winning chance where the others find with the chances `theirs` in the coming round, and then oneself with
    /// the chance `own`.
    pub(super) fn chance(&self, own: f64, theirs: &[f64]) -> f64 {
        let mut sum = 0.0;
        for finders in 0..1usize << self.others {
            let mut weight = 1.0;
            for (i, &chance) in theirs.iter().enumerate().take(self.others) {
                weight *= if finders >> i & 1 == 1 { chance } else { 1.0 - chance };
            }
            let [missed, found] = self.chances[finders];
            sum += weight * (own * found + (1.0 - own) * missed);
        }
        sum
    }
}

/// How likely one is done before all the others, who move first in every round.
fn race<'a>(own: &[f64; TURNS], others: impl Iterator<Item = &'a [f64; TURNS]> + Clone) -> f64 {
    let mut unfinished = [1.0; MAX_SEATS];
    let mut sum = 0.0;
    for (turn, &now) in own.iter().enumerate() {
        let mut alone = now;
        for (left, other) in unfinished.iter_mut().zip(others.clone()) {
            *left -= other[turn];
            alone *= left.max(0.0);
        }
        sum += alone;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    const PACE: Pace = Pace { fresh: 0.6, ready: 0.7 };

    /// Two who are equally far: who moves first wins more often, and all chances add up.
    #[test]
    fn chances_of_all_add_up() {
        let clock = Clock::new(PACE);
        for left in 1..=MOST {
            let one = race(&clock.fresh[left], [&clock.fresh[left]].into_iter());
            // The same race as the other sees it: a tie of turns is its win.
            let mut beaten = 0.0;
            let mut unfinished = 1.0;
            for turn in 0..TURNS {
                beaten += clock.fresh[left][turn] * unfinished;
                unfinished -= clock.fresh[left][turn];
            }
            assert!((one + beaten - 1.0).abs() < 1e-6, "{left}: {one} + {beaten}");
            assert!(one < 0.5);
        }
    }

    #[test]
    fn who_is_home_has_won() {
        let clock = Clock::new(PACE);
        assert_eq!(Standing::new(&clock, 0, &[1, 1]).chance(0.3, &[1.0, 1.0]), 1.0);
        let last = Standing::new(&clock, 1, &[1]);
        assert!((last.chance(1.0, &[0.25]) - 0.75).abs() < 1e-9, "the other wins before one's own turn");
        assert_eq!(last.chance(0.5, &[1.0]), 0.0);
        assert!(Standing::new(&clock, 3, &[3]).chance(0.6, &[0.6]) > Standing::new(&clock, 4, &[3]).chance(0.6, &[0.6]));
    }
}
