//! The seed tree: every random stream of every game is derived from one number by name.
//!
//! ```text
//! experiment ─ pair i ─┬─ deal                      the same for all games of the pair
//!                      ├─ chance                    the same for all games of the pair
//!                      └─ game g ─ agent a ─┬─ (its own stream, drawn when it is seated)
//!                                           └─ ply p  (the stream of one decision)
//! ```
//!
//! Because an agent's every decision has a stream of its own, an agent that draws more or fewer numbers
//! changes nobody else's, and an agent rebuilt from what it was told goes on exactly as before.

use std::fmt;

/// A 64-bit seed from which others are derived.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Seed(u64);

impl Seed {
    /// The root of a tree.
    #[inline]
    pub const fn new(value: u64) -> Seed {
        Seed(value)
    }

    /// The seed as a number.
    #[inline]
    pub const fn value(self) -> u64 {
        self.0
    }

    /// The child with this name.
    #[inline]
    pub const fn child(self, name: &str) -> Seed {
        // FNV-1a: short, portable, and good enough because `at` mixes it again.
        let bytes = name.as_bytes();
        let mut hash = 0xcbf2_9ce4_8422_2325u64;
        let mut i = 0;
        while i < bytes.len() {
            hash = (hash ^ bytes[i] as u64).wrapping_mul(0x0000_0100_0000_01b3);
            i += 1;
        }
        self.at(hash)
    }

    /// The stream of an agent's decision, when the seats have taken `plies` actions.
    #[inline]
    pub(crate) const fn ply(self, plies: u32) -> Seed {
        self.child("ply").at(plies as u64)
    }

    /// The child with this number.
    #[inline]
    pub const fn at(self, index: u64) -> Seed {
        Seed(mix(self.0.wrapping_add(mix(index.wrapping_add(0x9e37_79b9_7f4a_7c15)))))
    }
}

impl fmt::Debug for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Seed({:#018x})", self.0)
    }
}

/// SplitMix64's finaliser: every output bit depends on every input bit.
#[inline]
const fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The seeds of one game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameSeeds {
    /// For the deal (where the game starts).
    pub deal: Seed,
    /// For chance during the game.
    pub chance: Seed,
    agents: Seed,
    place: (u64, u64, u64),
}

impl GameSeeds {
    /// The seeds of game `game` of pair `pair` (a "pair" has as many games as there are ways to seat the
    /// agents that the experiment plays).
    pub fn of(experiment: Seed, pair: u64, game: u64) -> GameSeeds {
        let root = experiment.child("pair").at(pair);
        GameSeeds {
            deal: root.child("deal"),
            chance: root.child("chance"),
            agents: root.child("game").at(game).child("agent"),
            place: (experiment.0, pair, game),
        }
    }

    /// The experiment's seed, the pair and the game, as a record keeps them.
    pub fn place(&self) -> (u64, u64, u64) {
        self.place
    }

    /// The seed of an agent, by its number in the experiment and not by its seat.
    #[inline]
    pub fn agent(&self, agent: usize) -> Seed {
        self.agents.at(agent as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn the_tree_is_pinned() {
        let root = Seed::new(7);
        assert_eq!(
            [root.child("deal").value(), root.at(0).value()],
            [16588132412080667994, 10475110756359771709]
        );
        let seeds = GameSeeds::of(root, 3, 1);
        assert_eq!(
            [seeds.deal.value(), seeds.chance.value(), seeds.agent(0).value()],
            [1195525229763868558, 14974380067294899335, 17226541088169629850]
        );
    }

    #[test]
    fn games_of_a_pair_share_the_deal_but_no_agent_stream() {
        let mut seen = HashSet::new();
        for pair in 0..500 {
            let [a, b] = [0, 1].map(|game| GameSeeds::of(Seed::new(1), pair, game));
            assert_eq!((a.deal, a.chance), (b.deal, b.chance));
            for seed in [a.deal, a.chance, a.agent(0), a.agent(1), b.agent(0), b.agent(1)] {
                assert!(seen.insert(seed));
            }
        }
    }
}
