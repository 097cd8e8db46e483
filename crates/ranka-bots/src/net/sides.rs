//! Who begins in the games of a pairing.

use ranka_core::{Rng, Seed};

/// Who has the first seat in the games of a pairing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sides {
    /// Who came first, then the other, and so on.
    Swapped,
    /// Always who came first.
    Fixed,
    /// Chance decides.
    Random,
}

impl Sides {
    /// The players of a game in the order of its seats; `seed` is the pairing's.
    pub(crate) fn players(self, game: u64, seed: Seed) -> [usize; 2] {
        let swapped = match self {
            Sides::Fixed => false,
            Sides::Swapped => game % 2 == 1,
            Sides::Random => Rng::new(seed.child("sides").at(game)).chance(0.5),
        };
        if swapped { [1, 0] } else { [0, 1] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_are_kept_swapped_or_drawn() {
        let firsts = |sides: Sides| -> Vec<usize> {
            (0..40).map(|game| sides.players(game, Seed::new(1))[0]).collect()
        };
        assert_eq!(firsts(Sides::Fixed), [0; 40]);
        assert_eq!(firsts(Sides::Swapped), [0, 1].repeat(20));
        let drawn: usize = firsts(Sides::Random).iter().sum();
        assert!((10..30).contains(&drawn), "{drawn}");
    }
}
