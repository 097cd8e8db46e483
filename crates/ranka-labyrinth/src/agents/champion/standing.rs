//! How a race stands: the winning chance of who needs so many more finds, when each turn finds with a known chance.

use ranka_core::MAX_SEATS;

/// Rounds that are looked at; as many as the usual cap allows two players.
const ROUNDS: usize = 101;
/// The most that one can have to find: twelve cards and the way home.
const MOST: usize = 13;

/// How likely a turn finds what it should.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Pace {
    /// When that is new: a card that was just turned over.
    pub(super) fresh: f64,
    /// After a turn that could be used to get nearer.
    pub(super) ready: f64,
}

/// When somebody will have found everything: the chances that it is after 0, 1, … more turns, by the finds that are left.
#[derive(Clone, Debug)]
pub(super) struct Clock {
    fresh: [[f64; ROUNDS]; MOST + 1],
    ready: [[f64; ROUNDS]; MOST + 1],
}

impl Clock {
    pub(super) fn new(pace: Pace) -> Clock {
        let mut clock = Clock { fresh: [[0.0; ROUNDS]; MOST + 1], ready: [[0.0; ROUNDS]; MOST + 1] };
        clock.fresh[0][0] = 1.0;
        clock.ready[0][0] = 1.0;
        for left in 1..=MOST {
            for turn in 1..ROUNDS {
                let found = clock.fresh[left - 1][turn - 1];
                let missed = clock.ready[left][turn - 1];
                clock.ready[left][turn] = pace.ready * found + (1.0 - pace.ready) * missed;
                clock.fresh[left][turn] = pace.fresh * found + (1.0 - pace.fresh) * missed;
            }
        }
        clock
    }

    /// The turns that are needed after one that found or did not.
    fn after(&self, left: usize, found: bool) -> &[f64; ROUNDS] {
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
    /// With `own` finds left, and those of the others in the order in which they will move; after `rounds` more it is a
    /// draw.
    pub(super) fn new(clock: &Clock, own: usize, others: &[usize], rounds: usize) -> Standing {
        let mut chances = [[1.0; 2]; 1 << (MAX_SEATS - 1)];
        if own > 0 {
            for (finders, chances) in chances.iter_mut().enumerate().take(1 << others.len()) {
                let mut theirs = [clock.after(own, false); MAX_SEATS - 1];
                for (i, (their, &left)) in theirs.iter_mut().zip(others).enumerate() {
                    *their = clock.after(left, finders >> i & 1 == 1);
                }
                *chances =
                    [false, true].map(|found| race(clock.after(own, found), &theirs[..others.len()], rounds));
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

/// How likely one is done before all the others, who move first in every round; a draw is shared.
fn race(own: &[f64; ROUNDS], others: &[&[f64; ROUNDS]], rounds: usize) -> f64 {
    let mut unfinished = [1.0; MAX_SEATS];
    let mut sum = 0.0;
    let mut open = 1.0;
    for turn in 0..rounds.min(ROUNDS) {
        let mut alone = own[turn];
        open -= own[turn];
        for (left, other) in unfinished.iter_mut().zip(others) {
            *left -= other[turn];
            alone *= left.max(0.0);
        }
        sum += alone;
    }
    let drawn: f64 = unfinished[..others.len()].iter().product::<f64>() * open;
    sum + drawn.max(0.0) / (others.len() + 1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    const PACE: Pace = Pace { fresh: 0.6, ready: 0.7 };

    fn standing(own: usize, others: &[usize], rounds: usize) -> Standing {
        Standing::new(&Clock::new(PACE), own, others, rounds)
    }

    /// The chances of both add up: one wins, the other does, or nobody before the cap.
    #[test]
    fn chances_of_all_add_up() {
        let clock = Clock::new(PACE);
        for left in 1..=MOST {
            for rounds in [1, 5, 20, ROUNDS] {
                let own = &clock.fresh[left];
                let second = race(own, &[own], rounds);
                // The same race as who moves first sees it, who wins when both need as many turns.
                let (mut first, mut unfinished) = (0.0, 1.0);
                for now in &own[..rounds] {
                    first += now * unfinished;
                    unfinished -= now;
                }
                first += unfinished * unfinished / 2.0;
                assert!((first + second - 1.0).abs() < 1e-9, "{left}: {first} + {second}");
                assert!(second <= 0.5);
            }
        }
    }

    #[test]
    fn who_is_home_has_won() {
        assert_eq!(standing(0, &[1, 1], 50).chance(0.3, &[1.0, 1.0]), 1.0);
        let last = standing(1, &[1], 50);
        assert!((last.chance(1.0, &[0.25]) - 0.75).abs() < 1e-9, "the other wins before one's own turn");
        assert_eq!(last.chance(0.5, &[1.0]), 0.0);
    }

    #[test]
    fn being_ahead_is_better() {
        let chance = |own, other: usize| standing(own, &[other, 5], 100).chance(0.6, &[0.6, 0.6]);
        assert!(chance(3, 4) > chance(4, 4) && chance(4, 4) > chance(4, 3));
        let nearer = standing(4, &[4], 100);
        assert!(nearer.chance(0.9, &[0.5]) > nearer.chance(0.5, &[0.5]));
        assert!(nearer.chance(0.5, &[0.2]) > nearer.chance(0.5, &[0.5]));
    }
}
